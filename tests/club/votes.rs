//! Votes by letter: what players decide among themselves that is otherwise the moderator's.

use crate::rig::{self, Club, Posted, address, to};
use chrono::TimeDelta;
use postrider::club::Intervention;
use postrider::mail::fetch::FetchError;
use postrider::process;

const TIMED: &str = "clock: {deadline: 3 days, nmr: wait, reminders: []}\n";

fn writes(club: &mut Club, name: &str, body: &str) -> Vec<Posted> {
    club.writes(name, body);
    club.pass().1
}

fn vote_is_open(club: &Club) -> bool {
    club.context().store.room(1).expect("it reads").open_votes.len() == 1
}

fn deadline(club: &Club) -> chrono::DateTime<chrono::Utc> {
    club.context().store.clock(1).expect("it reads").expect("a clock").waits[0].deadline
}

#[test]
fn a_majority_puts_the_deadline_off_and_all_hear_by_whom() {
    let mut club = Club::tricks(TIMED);
    let before = deadline(&club);
    let letters = writes(&mut club, "Bob", "vote extend 2 days");
    assert_eq!(letters.len(), 3);
    let asked = to(&letters, "Ann");
    assert!(asked.says("Bob proposes to put the deadline off by 2 days."), "{}", asked.text());
    assert!(asked.says("reply with \"vote extend 2 days\", and else with \"vote no\""));
    assert!(to(&letters, "Bob").says("Your proposal to put the deadline off by 2 days has been"));

    // Anything else has to wait, and is no agreement.
    let letters = writes(&mut club, "Cid", "vote extend 4 days");
    assert!(letters.len() == 1 && letters[0].says("Another vote is open"));
    assert_eq!(deadline(&club), before);
    // A letter can order and vote. Who has ordered is waited for no more.
    let letters = writes(&mut club, "Cid", "Vote: extend by 2 days!");
    assert_eq!(letters.len(), 3);
    for (name, who) in [("Ann", "Bob and Cid"), ("Bob", "you and Cid"), ("Cid", "Bob and you")] {
        let told = format!("By vote of the players ({who}) the deadline is put off by 2 days.");
        assert!(to(&letters, name).says(&told), "{}", to(&letters, name).text());
        assert!(!to(&letters, name).says("moderator"), "{}", to(&letters, name).text());
    }
    assert_eq!(deadline(&club), before + TimeDelta::days(2));
    assert!(!vote_is_open(&club));
    let minutes = club.context().store.minutes(1).expect("it reads");
    let done = serde_json::to_string(&minutes).expect("it has a form");
    assert!(done.contains("house") && done.contains(r#"{"extend":"2 days"}"#), "{done}");
}

#[test]
fn two_answers_in_one_pass_are_counted_one_after_the_other() {
    let mut club = Club::tricks(TIMED);
    club.writes("Ann", "vote pause");
    club.writes("Bob", "vote pause\n\nsay a week off, then");
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 3, "one letter each");
    assert!(to(&letters, "Cid").says("(Ann and Bob) the clock of this game stands still."));
    assert!(to(&letters, "Cid").says("| a week off, then"));
    club.now += TimeDelta::days(30);
    assert!(club.pass().1.is_empty());
    writes(&mut club, "Cid", "vote pause");
    assert!(club.last_to("Cid").expect("one").says("stands still already"));
    writes(&mut club, "Cid", "vote resume");
    let letters = writes(&mut club, "Ann", "vote resume");
    assert!(to(&letters, "Bob").says("(Ann and Cid) the clock of this game runs again."));
}

#[test]
fn a_turn_is_taken_back_when_all_agree_on_which() {
    let mut club = Club::tricks("");
    writes(&mut club, "Ann", "vote rewind");
    assert!(club.last_to("Ann").expect("one").says("no turn yet that could be taken back"));
    writes(&mut club, "Ann", "B&O 3");
    writes(&mut club, "Bob", "B&O 4");
    let letters = writes(&mut club, "Ann", "vote rewind to 1");
    let asked = "take the game back to record 1, before what you did in record 2";
    assert!(to(&letters, "Ann").says(asked), "{}", to(&letters, "Ann").text());
    assert!(to(&letters, "Cid").says("before what Ann did in record 2. If you agree"));
    // Without a number it is the last turn alone, which is not what was asked.
    let letters = writes(&mut club, "Bob", "vote rewind");
    assert!(letters.len() == 1 && letters[0].says("first, with \"vote rewind to 1\" or"));
    writes(&mut club, "Bob", "vote rewind to 1");
    let letters = writes(&mut club, "Cid", "vote rewind to 1");
    assert_eq!(letters.len(), 3);
    let told = "By vote of the players (Ann, you and Cid) the game was taken back to record 1.";
    assert!(to(&letters, "Bob").says(told), "{}", to(&letters, "Bob").text());
    assert!(to(&letters, "Ann").says("It is your turn."));
    let table = process::open_game(&club.context(), 1).expect("it opens").table;
    assert!(table.head() == 4 && table.verify().findings.is_empty());

    // It is the last turn that still stands.
    writes(&mut club, "Ann", "B&O 3");
    let letters = writes(&mut club, "Bob", "vote rewind");
    assert!(to(&letters, "Cid").says("back to record 1, before what Ann did in record 5"));
    let letters = writes(&mut club, "Cid", "vote no");
    assert!(letters.len() == 1 && letters[0].says("has failed; you refused"));
    assert!(!vote_is_open(&club));

    // What a letter means is what its writer saw, not what he does in it.
    let letters = writes(&mut club, "Bob", "B&O 4\nvote rewind");
    assert!(to(&letters, "Ann").says("has failed; Cid refused"), "{}", to(&letters, "Ann").text());
    assert!(to(&letters, "Ann").says("back to record 1, before what you did in record 5"));
}

#[test]
fn a_game_is_abandoned_by_all_and_then_has_no_votes() {
    let mut club = Club::tricks("");
    writes(&mut club, "Ann", "vote abandon");
    writes(&mut club, "Bob", "vote abandon");
    assert!(club.last_to("Bob").expect("one").says("One more player must agree."));
    let letters = writes(&mut club, "Cid", "vote abandon");
    let ended = "By vote of the players (you, Bob and Cid) the game was ended.";
    assert!(to(&letters, "Ann").says(ended), "{}", to(&letters, "Ann").text());
    let letters = writes(&mut club, "Ann", "vote abandon");
    assert!(letters.len() == 1 && letters[0].says("The game is over."));
    // Talk goes on.
    assert_eq!(writes(&mut club, "Ann", "say thanks for the game").len(), 3);
}

#[test]
fn a_game_keeps_the_quorum_that_it_was_founded_with() {
    let mut club = Club::tricks("votes: {abandon: majority}\n");
    let path = club.folder().join("club.yaml");
    let settings = std::fs::read_to_string(&path).expect("club.yaml");
    std::fs::write(&path, settings.replace("abandon: majority", "abandon: none")).expect("it is");
    writes(&mut club, "Ann", "vote abandon");
    let letters = writes(&mut club, "Bob", "vote abandon");
    assert!(to(&letters, "Cid").says("The game is over."), "{}", to(&letters, "Cid").text());
}

#[test]
fn a_vote_lapses_when_its_time_comes_and_only_then_is_it_looked_at() {
    for settings in [TIMED, "reminder_days: 0\n", ""] {
        let mut club = Club::tricks(&format!("{settings}votes: {{days: 2, abandon: majority}}\n"));
        let due = |club: &Club| club.context().store.due_at(1).expect("it reads");
        let before = due(&club);
        let letters = writes(&mut club, "Ann", "vote abandon");
        assert_eq!(letters.len(), 3);
        // A pass that is much too late would take it for an outage of our own.
        (0..47).for_each(|_| assert!(club.pass().1.is_empty()));
        let (report, letters) = club.pass();
        assert_eq!((report.reminded, letters.len()), (0, 3));
        assert!(to(&letters, "Cid").says("to end the game as it stands has lapsed"));
        assert!(!vote_is_open(&club) && club.pass().1.is_empty());
        if settings == TIMED {
            assert_eq!(due(&club), before);
        }
        // Who agrees too late proposes it again, and sees that.
        let letters = writes(&mut club, "Bob", "vote abandon");
        assert!(to(&letters, "Ann").says("Bob proposes to end the game"));
        // The proposer can take it back.
        let letters = writes(&mut club, "Bob", "vote no");
        assert!(letters.len() == 1 && letters[0].says("has failed; you refused"));
        let letters = writes(&mut club, "Ann", "status");
        assert!(letters[0].says("has failed; Bob refused"), "{}", letters[0].text());
    }
}

#[test]
fn what_the_moderator_does_voids_a_vote() {
    let mut club = Club::tricks("");
    writes(&mut club, "Ann", "B&O 3");
    writes(&mut club, "Bob", "vote rewind");
    assert!(process::moderate(&club.context(), 1, &Intervention::Rewind(1), "a mistake").is_ok());
    let (_, letters) = club.pass();
    assert!(letters.len() == 3 && !vote_is_open(&club));
    let cid = to(&letters, "Cid");
    assert!(cid.says("back to record 1, before") && cid.says("is void"), "{}", cid.text());
    assert!(cid.says("The moderator took the game back to record 1: a mistake"));
}

#[test]
fn what_the_moderator_has_done_already_is_agreed_on_in_vain() {
    let mut club = Club::tricks(TIMED);
    writes(&mut club, "Ann", "vote pause");
    assert!(process::moderate(&club.context(), 1, &Intervention::Pause, "a strike").is_ok());
    let letters = writes(&mut club, "Bob", "vote pause");
    let told = "The vote to stop the clock of this game has carried, but it cannot be done: The \
                clock of this game stands still already.";
    for letter in &letters {
        assert!(letter.says(told), "{}", letter.text());
    }
    assert!(letters.len() == 3 && !vote_is_open(&club));
}

/// Bob and Cid become undeliverable, not on the same day: that would be a mass refusal.
fn lose_two(club: &mut Club) {
    rig::loses(club, "Bob");
    club.now += TimeDelta::hours(25);
    rig::loses(club, "Cid");
}

#[test]
fn who_is_out_of_reach_blocks_no_majority_but_is_one_of_all() {
    let mut club = Club::tricks(TIMED);
    lose_two(&mut club);
    let letters = writes(&mut club, "Ann", "vote extend 1 day");
    assert!(to(&letters, "Ann").says("By vote of the players (you) the deadline is put off"));
    writes(&mut club, "Ann", "vote abandon");
    assert!(vote_is_open(&club));
}

#[test]
fn a_preview_votes_nothing_and_a_letter_is_done_whole_or_not_at_all() {
    let mut club = Club::tricks(TIMED);
    let letters = writes(&mut club, "Ann", "preview\nvote pause");
    assert!(letters.len() == 1 && letters[0].says("You would propose to stop the clock"));
    // So it is of an answer to what is asked.
    writes(&mut club, "Bob", "vote extend 1 day");
    let letters = writes(&mut club, "Ann", "preview\nvote extend 1 day");
    let agree = "You would agree to put the deadline off by a day. Nothing has been done.";
    assert!(letters.len() == 1 && letters[0].says(agree), "{}", letters[0].text());
    let letters = writes(&mut club, "Ann", "preview\nvote no");
    let refuse = "You would refuse what is voted on. Nothing has been done.";
    assert!(letters.len() == 1 && letters[0].says(refuse), "{}", letters[0].text());
    writes(&mut club, "Bob", "vote no");
    for wrong in ["B&O 99\nvote pause", "B&O 3\nvote resume", "B&O 3\nvote pause\nvote no"] {
        let letters = writes(&mut club, "Ann", wrong);
        assert!(letters.len() == 1 && letters[0].says("WHAT WAS WRONG"), "{wrong}");
    }
    assert!(!vote_is_open(&club));
    assert_eq!(process::open_game(&club.context(), 1).expect("it opens").table.head(), 1);
    let mut club = Club::tricks("votes: {pause: none}\nclock: {deadline: 3 days}\n");
    assert!(writes(&mut club, "Ann", "vote pause")[0].says("players do not vote on that"));
    assert!(writes(&mut club, "Ann", "vote yes")[0].says("A vote is one of"));
    assert!(writes(&mut club, "Ann", "vote no")[0].says("no vote that you could refuse"));
    let mut club = Club::tricks("");
    assert!(writes(&mut club, "Ann", "vote pause")[0].says("This game has no clock."));
}

#[test]
fn what_becomes_of_a_proposal_waits_for_the_next_letter_and_is_told_once() {
    let mut club = Club::tricks(TIMED);
    assert_eq!(writes(&mut club, "Bob", "vote pause").len(), 3);
    assert_eq!(writes(&mut club, "Bob", "vote no").len(), 1);
    // Made again within a day it is put to the others by their next letters.
    let letters = writes(&mut club, "Bob", "vote pause");
    assert!(letters.len() == 1 && letters[0].says("so the others read of it in their next"));
    club.restored();
    let told = writes(&mut club, "Ann", "status").remove(0);
    let (failed, asked) = ("The vote to stop the clock of this game has failed", "Bob proposes to");
    assert!(told.says(failed) && told.says(asked), "{}", told.text());
    let letters = writes(&mut club, "Ann", "status");
    assert!(!letters[0].says(failed) && !letters[0].says(asked), "{}", letters[0].text());
    // Who has not heard of it yet hears nothing of its end; the counters went with the store.
    writes(&mut club, "Bob", "vote no");
    for line in ["vote pause", "vote no", "vote pause", "vote no"] {
        writes(&mut club, "Bob", line);
    }
    let letters = writes(&mut club, "Cid", "status");
    assert!(!letters[0].says("proposes"), "{}", letters[0].text());
    writes(&mut club, "Bob", "vote extend 1 day");
    let letters = writes(&mut club, "Bob", "vote abandon");
    assert!(letters.len() == 1 && letters[0].says("You have made 3 proposals in this game"));
    // Others may, and tomorrow he may again.
    assert_eq!(writes(&mut club, "Cid", "vote abandon").len(), 3);
    writes(&mut club, "Cid", "vote no abandon");
    club.now += TimeDelta::days(1);
    writes(&mut club, "Bob", "vote abandon");
    assert!(club.last_text("Bob").contains("has been put to"), "{}", club.last_text("Bob"));
}

#[test]
fn a_vote_of_one_kind_bars_no_other_and_a_plain_no_refuses_none_of_several() {
    let mut club = Club::tricks(TIMED);
    writes(&mut club, "Ann", "vote extend 2 days");
    let letters = writes(&mut club, "Bob", "vote abandon");
    assert!(to(&letters, "Cid").says("reply with \"vote abandon\", and else with \"vote no ab"));
    let letters = writes(&mut club, "Cid", "vote no");
    let which = "Please say which you refuse: \"vote no extend\" and \"vote no abandon\".";
    assert!(letters.len() == 1 && letters[0].says(which), "{}", letters[0].text());
    let letters = writes(&mut club, "Cid", "vote pause");
    assert!(to(&letters, "Ann").says("Cid proposes to stop the clock"));
    let open = |club: &Club| club.context().store.room(1).expect("it reads").open_votes.len();
    assert_eq!(open(&club), 3);
    let before = deadline(&club);
    let letters = writes(&mut club, "Cid", "vote extend 2 days");
    assert!(letters.len() == 3 && to(&letters, "Bob").says("the deadline is put off by 2 days."));
    assert_eq!((deadline(&club), open(&club)), (before + TimeDelta::days(2), 2));
    writes(&mut club, "Cid", "vote no abandon");
    assert!(club.last_text("Cid").contains("has failed"));
    writes(&mut club, "Ann", "vote no");
    assert!(club.last_text("Ann").contains("You refuse"), "{}", club.last_text("Ann"));
    // What ends the game ends the rest; two votes outlive the store.
    writes(&mut club, "Bob", "vote extend 3 days");
    club.restored();
    assert_eq!(open(&club), 2);
    assert!(process::moderate(&club.context(), 1, &Intervention::End, "enough").is_ok());
    let (_, letters) = club.pass();
    let void = to(&letters, "Ann").text().matches("void").count();
    assert_eq!((void, open(&club)), (2, 0), "{}", to(&letters, "Ann").text());
}

#[test]
fn a_vote_that_lacks_only_who_is_lost_meanwhile_carries() {
    let mut club = Club::tricks(TIMED);
    writes(&mut club, "Ann", "vote extend 1 day");
    let before = deadline(&club);
    lose_two(&mut club);
    let ann = club.last_to("Ann").expect("a letter");
    assert!(ann.says("By vote of the players (you) the deadline is put off"), "{}", ann.text());
    assert_eq!(deadline(&club), before + TimeDelta::days(1));
    // So does one whose voters are given up only in its time: it has not lapsed.
    let mut club = Club::session(
        "votes: {days: 40, abandon: majority}\nreminder_days: 0\n",
        "off-the-rails",
        2,
        2,
    );
    let turn = process::open_game(&club.context(), 1).expect("it opens").table.turn();
    let other = if turn.awaits(postrider::rules::Seat::new(1)) { "Bob" } else { "Ann" };
    assert_eq!(writes(&mut club, other, "vote abandon").len(), 2);
    club.now += TimeDelta::days(39);
    assert!(club.pass().1.is_empty() && vote_is_open(&club));
    club.now += TimeDelta::days(1);
    let (_, letters) = club.pass();
    let told = |letter: &Posted| {
        let who = if letter.to == address(other) { "you" } else { other };
        letter.says(&format!("By vote of the players ({who}) the game was ended."))
    };
    assert!(letters.iter().all(told) && letters.len() == 2);
}

#[test]
fn an_open_vote_outlives_the_store() {
    let mut club = Club::tricks(TIMED);
    writes(&mut club, "Ann", "vote pause");
    club.restored();
    let letters = writes(&mut club, "Cid", "vote pause");
    assert!(to(&letters, "Bob").says("(Ann and Cid) the clock of this game stands still."));
}

#[test]
fn who_answers_in_time_has_voted_however_late_his_letter_is_read() {
    let mut club = Club::tricks(&format!("{TIMED}votes: {{days: 2, abandon: majority}}\n"));
    writes(&mut club, "Ann", "vote abandon");
    (0..47).for_each(|_| assert!(club.pass().1.is_empty()));
    // His letter came half an hour before the end, and lies on a server that cannot be reached.
    let context = club.context();
    let report = process::pass_with(
        &context,
        Some(Box::new(|| Err(FetchError::now("gone")))),
        &mut club.pigeon,
    );
    assert_eq!(report.expect("a trouble, no error").troubles.len(), 1);
    drop(context);
    assert!(vote_is_open(&club), "nothing is over while letters may lie elsewhere");
    club.now -= TimeDelta::minutes(30);
    club.writes("Bob", "vote abandon");
    club.now += TimeDelta::minutes(90);
    let (_, letters) = club.pass();
    let ended = "By vote of the players (Ann and Bob) the game was ended.";
    assert!(to(&letters, "Cid").says(ended), "{}", to(&letters, "Cid").text());
}

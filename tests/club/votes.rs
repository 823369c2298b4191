//! Votes by letter, in which the players decide what only the moderator could decide otherwise.

use crate::rig::{self, Club, PostedLetter, address, first_letter_to};
use chrono::TimeDelta;
use postrider::club::Intervention;
use postrider::mail::fetch::FetchError;
use postrider::process;

const TIMED_SETTINGS: &str = "clock: {deadline: 3 days, nmr: wait, reminders: []}\n";

fn send_and_pass(club: &mut Club, name: &str, body: &str) -> Vec<PostedLetter> {
    club.send_reply(name, body);
    club.run_pass().1
}

fn is_vote_open(club: &Club) -> bool {
    club.open_context().store.game_info(1).expect("it reads").open_votes.len() == 1
}

fn first_deadline(club: &Club) -> chrono::DateTime<chrono::Utc> {
    club.open_context().store.clock(1).expect("it reads").expect("a clock").waits[0].deadline
}

#[test]
fn majority_vote_extends_deadline_and_names_voters() {
    let mut club = Club::with_tricks_game(TIMED_SETTINGS);
    let before = first_deadline(&club);
    let letters = send_and_pass(&mut club, "Bob", "vote extend 2 days");
    assert_eq!(letters.len(), 3);
    let asked = first_letter_to(&letters, "Ann");
    assert!(
        asked.contains("Bob proposes to extend the deadline by 2 days."),
        "{}",
        asked.body_text()
    );
    assert!(asked.contains("reply \"vote extend 2 days\". To vote against it, reply \"vote no\""));
    assert!(
        first_letter_to(&letters, "Bob")
            .contains("Your proposal to extend the deadline by 2 days is up for a vote")
    );

    // A proposal of the same kind but another length must wait, and does not count as a vote for
    // the open one.
    let letters = send_and_pass(&mut club, "Cid", "vote extend 4 days");
    assert!(letters.len() == 1 && letters[0].contains("Another vote is open"));
    assert_eq!(first_deadline(&club), before);
    // The vote may be written in other words. It is the second of three votes, which is a majority.
    let letters = send_and_pass(&mut club, "Cid", "Vote: extend by 2 days!");
    assert_eq!(letters.len(), 3);
    for (name, who) in [("Ann", "Bob and Cid"), ("Bob", "you and Cid"), ("Cid", "Bob and you")] {
        let told = format!("The players voted ({who}) to extend the deadline by 2 days.");
        assert!(
            first_letter_to(&letters, name).contains(&told),
            "{}",
            first_letter_to(&letters, name).body_text()
        );
        assert!(
            !first_letter_to(&letters, name).contains("moderator"),
            "{}",
            first_letter_to(&letters, name).body_text()
        );
    }
    assert_eq!(first_deadline(&club), before + TimeDelta::days(2));
    assert!(!is_vote_open(&club));
    let activity = club.open_context().store.activity_log(1).expect("it reads");
    let done = serde_json::to_string(&activity).expect("it has a form");
    assert!(done.contains("house") && done.contains(r#"{"extend":"2 days"}"#), "{done}");
}

#[test]
fn two_votes_in_one_pass_are_both_counted() {
    let mut club = Club::with_tricks_game(TIMED_SETTINGS);
    club.send_reply("Ann", "vote pause");
    club.send_reply("Bob", "vote pause\n\nsay a week off, then");
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 3, "one letter each");
    assert!(
        first_letter_to(&letters, "Cid").contains("(Ann and Bob) to stop the clock of this game.")
    );
    assert!(first_letter_to(&letters, "Cid").contains("| a week off, then"));
    club.now += TimeDelta::days(30);
    assert!(club.run_pass().1.is_empty());
    send_and_pass(&mut club, "Cid", "vote pause");
    assert!(club.last_letter_to("Cid").expect("one").contains("is already stopped"));
    send_and_pass(&mut club, "Cid", "vote resume");
    let letters = send_and_pass(&mut club, "Ann", "vote resume");
    assert!(
        first_letter_to(&letters, "Bob")
            .contains("(Ann and Cid) to start the clock of this game again.")
    );
}

#[test]
fn rewind_vote_passes_if_all_name_same_record() {
    let mut club = Club::with_tricks_game("");
    send_and_pass(&mut club, "Ann", "vote rewind");
    assert!(club.last_letter_to("Ann").expect("one").contains("There's no turn to rewind yet"));
    send_and_pass(&mut club, "Ann", "B&O 3");
    send_and_pass(&mut club, "Bob", "B&O 4");
    let letters = send_and_pass(&mut club, "Ann", "vote rewind to 1");
    let asked = "rewind the game to move 1, before what you did in move 2";
    assert!(
        first_letter_to(&letters, "Ann").contains(asked),
        "{}",
        first_letter_to(&letters, "Ann").body_text()
    );
    assert!(
        first_letter_to(&letters, "Cid").contains("before what Ann did in move 2. To vote for it")
    );
    // Without a number, the line means the last turn only, so it is no vote for the open proposal.
    let letters = send_and_pass(&mut club, "Bob", "vote rewind");
    assert!(letters.len() == 1 && letters[0].contains("first, with \"vote rewind to 1\" or"));
    send_and_pass(&mut club, "Bob", "vote rewind to 1");
    let letters = send_and_pass(&mut club, "Cid", "vote rewind to 1");
    assert_eq!(letters.len(), 3);
    let told = "The players voted (Ann, you and Cid) to rewind the game to move 1.";
    assert!(
        first_letter_to(&letters, "Bob").contains(told),
        "{}",
        first_letter_to(&letters, "Bob").body_text()
    );
    assert!(first_letter_to(&letters, "Ann").contains("It's your turn."));
    let table = process::load_stored_game(&club.open_context(), 1).expect("it opens").table;
    assert!(table.last_record_number() == 4 && table.verify().findings.is_empty());

    // The last turn is counted without the turns that were taken back.
    send_and_pass(&mut club, "Ann", "B&O 3");
    let letters = send_and_pass(&mut club, "Bob", "vote rewind");
    assert!(
        first_letter_to(&letters, "Cid")
            .contains("rewind the game to move 1, before what Ann did in move 5")
    );
    let letters = send_and_pass(&mut club, "Cid", "vote no");
    assert!(letters.len() == 1 && letters[0].contains("has failed: you voted no"));
    assert!(!is_vote_open(&club));

    // A vote refers to the record that its writer saw, even if the letter also contains an order.
    let letters = send_and_pass(&mut club, "Bob", "B&O 4\nvote rewind");
    assert!(
        first_letter_to(&letters, "Ann").contains("has failed: Cid voted no"),
        "{}",
        first_letter_to(&letters, "Ann").body_text()
    );
    assert!(
        first_letter_to(&letters, "Ann")
            .contains("rewind the game to move 1, before what you did in move 5")
    );
}

#[test]
fn unanimous_vote_ends_game_and_later_votes() {
    let mut club = Club::with_tricks_game("");
    send_and_pass(&mut club, "Ann", "vote abandon");
    send_and_pass(&mut club, "Bob", "vote abandon");
    assert!(club.last_letter_to("Bob").expect("one").contains("One more player must agree."));
    let letters = send_and_pass(&mut club, "Cid", "vote abandon");
    let ended = "The players voted (you, Bob and Cid) to end the game.";
    assert!(
        first_letter_to(&letters, "Ann").contains(ended),
        "{}",
        first_letter_to(&letters, "Ann").body_text()
    );
    let letters = send_and_pass(&mut club, "Ann", "vote abandon");
    assert!(letters.len() == 1 && letters[0].contains("The game is over."));
    // Players can still talk.
    assert_eq!(send_and_pass(&mut club, "Ann", "say thanks for the game").len(), 3);
}

#[test]
fn game_keeps_its_initial_quorum() {
    let mut club = Club::with_tricks_game("votes: {abandon: majority}\n");
    let path = club.folder().join("club.yaml");
    let settings = std::fs::read_to_string(&path).expect("club.yaml");
    std::fs::write(&path, settings.replace("abandon: majority", "abandon: none")).expect("it is");
    send_and_pass(&mut club, "Ann", "vote abandon");
    let letters = send_and_pass(&mut club, "Bob", "vote abandon");
    assert!(
        first_letter_to(&letters, "Cid").contains("The game is over."),
        "{}",
        first_letter_to(&letters, "Cid").body_text()
    );
}

#[test]
fn expired_vote_is_dropped_on_time() {
    for settings in [TIMED_SETTINGS, "reminder_days: 0\n", ""] {
        let mut club =
            Club::with_tricks_game(&format!("{settings}votes: {{days: 2, abandon: majority}}\n"));
        let due = |club: &Club| club.open_context().store.due_time(1).expect("it reads");
        let before = due(&club);
        let letters = send_and_pass(&mut club, "Ann", "vote abandon");
        assert_eq!(letters.len(), 3);
        // Hourly passes, because a much later pass would count as following an outage of the club.
        (0..47).for_each(|_| assert!(club.run_pass().1.is_empty()));
        let (report, letters) = club.run_pass();
        assert_eq!((report.reminders, letters.len()), (0, 3));
        assert!(first_letter_to(&letters, "Cid").contains("to end the game now has expired"));
        assert!(!is_vote_open(&club) && club.run_pass().1.is_empty());
        if settings == TIMED_SETTINGS {
            assert_eq!(due(&club), before);
        }
        // A vote for an expired proposal becomes a new proposal, and its writer sees that.
        let letters = send_and_pass(&mut club, "Bob", "vote abandon");
        assert!(first_letter_to(&letters, "Ann").contains("Bob proposes to end the game"));
        // The proposer can withdraw the proposal.
        let letters = send_and_pass(&mut club, "Bob", "vote no");
        assert!(letters.len() == 1 && letters[0].contains("has failed: you voted no"));
        let letters = send_and_pass(&mut club, "Ann", "status");
        assert!(letters[0].contains("has failed: Bob voted no"), "{}", letters[0].body_text());
    }
}

#[test]
fn moderator_rewind_voids_open_vote() {
    let mut club = Club::with_tricks_game("");
    send_and_pass(&mut club, "Ann", "B&O 3");
    send_and_pass(&mut club, "Bob", "vote rewind");
    assert!(
        process::moderate_game(&club.open_context(), 1, &Intervention::Rewind(1), "a mistake")
            .is_ok()
    );
    let (_, letters) = club.run_pass();
    assert!(letters.len() == 3 && !is_vote_open(&club));
    let cid = first_letter_to(&letters, "Cid");
    assert!(
        cid.contains("rewind the game to move 1, before") && cid.contains("no longer counts"),
        "{}",
        cid.body_text()
    );
    assert!(cid.contains("The moderator rewound the game to move 1: a mistake"));
}

#[test]
fn passed_vote_on_completed_action_changes_nothing() {
    let mut club = Club::with_tricks_game(TIMED_SETTINGS);
    send_and_pass(&mut club, "Ann", "vote pause");
    assert!(
        process::moderate_game(&club.open_context(), 1, &Intervention::Pause, "a strike").is_ok()
    );
    let letters = send_and_pass(&mut club, "Bob", "vote pause");
    let told = "The vote to stop the clock of this game has passed, but we can't do it: The \
                clock of this game is already stopped.";
    for letter in &letters {
        assert!(letter.contains(told), "{}", letter.body_text());
    }
    assert!(letters.len() == 3 && !is_vote_open(&club));
}

/// Makes Bob and Cid undeliverable, on different days. Two on one day would count as a mass
/// refusal.
fn make_two_undeliverable(club: &mut Club) {
    rig::make_undeliverable(club, "Bob");
    club.now += TimeDelta::hours(25);
    rig::make_undeliverable(club, "Cid");
}

#[test]
fn undeliverable_player_counts_for_unanimity_not_majority() {
    let mut club = Club::with_tricks_game(TIMED_SETTINGS);
    make_two_undeliverable(&mut club);
    let letters = send_and_pass(&mut club, "Ann", "vote extend 1 day");
    assert!(
        first_letter_to(&letters, "Ann").contains("The players voted (you) to extend the deadline")
    );
    send_and_pass(&mut club, "Ann", "vote abandon");
    assert!(is_vote_open(&club));
}

#[test]
fn preview_or_refused_letter_casts_no_vote() {
    let mut club = Club::with_tricks_game(TIMED_SETTINGS);
    let letters = send_and_pass(&mut club, "Ann", "preview\nvote pause");
    assert!(letters.len() == 1 && letters[0].contains("You'd propose to stop the clock"));
    // A preview also shows the effect of a vote on an open proposal.
    send_and_pass(&mut club, "Bob", "vote extend 1 day");
    let letters = send_and_pass(&mut club, "Ann", "preview\nvote extend 1 day");
    let agree = "vote for the proposal to extend the deadline by a day. Nothing has been done.";
    assert!(letters.len() == 1 && letters[0].contains(agree), "{}", letters[0].body_text());
    let letters = send_and_pass(&mut club, "Ann", "preview\nvote no");
    let refuse = "You'd vote against the proposal. Nothing has been done.";
    assert!(letters.len() == 1 && letters[0].contains(refuse), "{}", letters[0].body_text());
    send_and_pass(&mut club, "Bob", "vote no");
    for wrong in ["B&O 99\nvote pause", "B&O 3\nvote resume", "B&O 3\nvote pause\nvote no"] {
        let letters = send_and_pass(&mut club, "Ann", wrong);
        assert!(letters.len() == 1 && letters[0].contains("WHAT WENT WRONG"), "{wrong}");
    }
    assert!(!is_vote_open(&club));
    assert_eq!(
        process::load_stored_game(&club.open_context(), 1)
            .expect("it opens")
            .table
            .last_record_number(),
        1
    );
    let mut club = Club::with_tricks_game("votes: {pause: none}\nclock: {deadline: 3 days}\n");
    assert!(
        send_and_pass(&mut club, "Ann", "vote pause")[0].contains("players don't vote on that")
    );
    assert!(send_and_pass(&mut club, "Ann", "vote yes")[0].contains("You can write \"vote extend"));
    assert!(
        send_and_pass(&mut club, "Ann", "vote no")[0].contains("vote that you could vote against")
    );
    let mut club = Club::with_tricks_game("");
    assert!(send_and_pass(&mut club, "Ann", "vote pause")[0].contains("This game has no clock."));
}

#[test]
fn failed_proposal_is_told_once_with_next_letter() {
    let mut club = Club::with_tricks_game(TIMED_SETTINGS);
    assert_eq!(send_and_pass(&mut club, "Bob", "vote pause").len(), 3);
    assert_eq!(send_and_pass(&mut club, "Bob", "vote no").len(), 1);
    // A proposal that is repeated within a day is added to the other players' next letters.
    let letters = send_and_pass(&mut club, "Bob", "vote pause");
    assert!(letters.len() == 1 && letters[0].contains("others will read about it in their next"));
    club.restore_from_journal();
    let told = send_and_pass(&mut club, "Ann", "status").remove(0);
    let (failed, asked) = ("The vote to stop the clock of this game has failed", "Bob proposes to");
    assert!(told.contains(failed) && told.contains(asked), "{}", told.body_text());
    let letters = send_and_pass(&mut club, "Ann", "status");
    assert!(
        !letters[0].contains(failed) && !letters[0].contains(asked),
        "{}",
        letters[0].body_text()
    );
    // A proposal that Cid has not seen is not announced when it has ended. The restore has reset
    // the counters of proposals.
    send_and_pass(&mut club, "Bob", "vote no");
    for line in ["vote pause", "vote no", "vote pause", "vote no"] {
        send_and_pass(&mut club, "Bob", line);
    }
    let letters = send_and_pass(&mut club, "Cid", "status");
    assert!(!letters[0].contains("proposes"), "{}", letters[0].body_text());
    send_and_pass(&mut club, "Bob", "vote extend 1 day");
    let letters = send_and_pass(&mut club, "Bob", "vote abandon");
    assert!(letters.len() == 1 && letters[0].contains("You've made 3 proposals in this game"));
    // Other players may still propose, and the next day Bob may too.
    assert_eq!(send_and_pass(&mut club, "Cid", "vote abandon").len(), 3);
    send_and_pass(&mut club, "Cid", "vote no abandon");
    club.now += TimeDelta::days(1);
    send_and_pass(&mut club, "Bob", "vote abandon");
    assert!(club.last_text_to("Bob").contains("is up for a vote"), "{}", club.last_text_to("Bob"));
}

#[test]
fn votes_of_different_kinds_run_in_parallel() {
    let mut club = Club::with_tricks_game(TIMED_SETTINGS);
    send_and_pass(&mut club, "Ann", "vote extend 2 days");
    let letters = send_and_pass(&mut club, "Bob", "vote abandon");
    assert!(
        first_letter_to(&letters, "Cid")
            .contains("reply \"vote abandon\". To vote against it, reply \"vote no ab")
    );
    let letters = send_and_pass(&mut club, "Cid", "vote no");
    let which = "say which one you vote against: \"vote no extend\" and \"vote no abandon\".";
    assert!(letters.len() == 1 && letters[0].contains(which), "{}", letters[0].body_text());
    let letters = send_and_pass(&mut club, "Cid", "vote pause");
    assert!(first_letter_to(&letters, "Ann").contains("Cid proposes to stop the clock"));
    let open =
        |club: &Club| club.open_context().store.game_info(1).expect("it reads").open_votes.len();
    assert_eq!(open(&club), 3);
    let before = first_deadline(&club);
    let letters = send_and_pass(&mut club, "Cid", "vote extend 2 days");
    assert!(
        letters.len() == 3
            && first_letter_to(&letters, "Bob").contains(") to extend the deadline by 2 days.")
    );
    assert_eq!((first_deadline(&club), open(&club)), (before + TimeDelta::days(2), 2));
    send_and_pass(&mut club, "Cid", "vote no abandon");
    assert!(club.last_text_to("Cid").contains("has failed"));
    send_and_pass(&mut club, "Ann", "vote no");
    assert!(club.last_text_to("Ann").contains("You voted against"), "{}", club.last_text_to("Ann"));
    // The end of a game voids its open votes. They survive a restore before that.
    send_and_pass(&mut club, "Bob", "vote extend 3 days");
    club.restore_from_journal();
    assert_eq!(open(&club), 2);
    assert!(process::moderate_game(&club.open_context(), 1, &Intervention::End, "enough").is_ok());
    let (_, letters) = club.run_pass();
    let void = first_letter_to(&letters, "Ann").body_text().matches("no longer counts").count();
    assert_eq!((void, open(&club)), (2, 0), "{}", first_letter_to(&letters, "Ann").body_text());
}

#[test]
fn vote_passes_when_missing_voters_become_undeliverable() {
    let mut club = Club::with_tricks_game(TIMED_SETTINGS);
    send_and_pass(&mut club, "Ann", "vote extend 1 day");
    let before = first_deadline(&club);
    make_two_undeliverable(&mut club);
    let ann = club.last_letter_to("Ann").expect("a letter");
    assert!(ann.contains("The players voted (you) to extend the deadline"), "{}", ann.body_text());
    assert_eq!(first_deadline(&club), before + TimeDelta::days(1));
    // When a vote would expire, it passes if the missing voter has been silent for over 28 days.
    let mut club = Club::with_game(
        "votes: {days: 40, abandon: majority}\nreminder_days: 0\n",
        "off-the-rails",
        2,
        2,
    );
    let turn = process::load_stored_game(&club.open_context(), 1).expect("it opens").table.turn();
    let other = if turn.awaits(postrider::rules::Seat::new(1)) { "Bob" } else { "Ann" };
    assert_eq!(send_and_pass(&mut club, other, "vote abandon").len(), 2);
    club.now += TimeDelta::days(39);
    assert!(club.run_pass().1.is_empty() && is_vote_open(&club));
    club.now += TimeDelta::days(1);
    let (_, letters) = club.run_pass();
    let told = |letter: &PostedLetter| {
        let who = if letter.to == address(other) { "you" } else { other };
        letter.contains(&format!("The players voted ({who}) to end the game."))
    };
    assert!(letters.iter().all(told) && letters.len() == 2);
}

#[test]
fn open_vote_survives_loss_of_store() {
    let mut club = Club::with_tricks_game(TIMED_SETTINGS);
    send_and_pass(&mut club, "Ann", "vote pause");
    club.restore_from_journal();
    let letters = send_and_pass(&mut club, "Cid", "vote pause");
    assert!(
        first_letter_to(&letters, "Bob").contains("(Ann and Cid) to stop the clock of this game.")
    );
}

#[test]
fn vote_sent_in_time_counts_if_read_late() {
    let mut club =
        Club::with_tricks_game(&format!("{TIMED_SETTINGS}votes: {{days: 2, abandon: majority}}\n"));
    send_and_pass(&mut club, "Ann", "vote abandon");
    (0..47).for_each(|_| assert!(club.run_pass().1.is_empty()));
    // Bob's letter arrives half an hour before the end, on a mail server that cannot be reached.
    let context = club.open_context();
    let report = process::run_pass_with_mail_server(
        &context,
        Some(Box::new(|| Err(FetchError::temporary("gone")))),
        &mut club.transport,
    );
    assert_eq!(report.expect("a trouble, no error").troubles.len(), 1);
    drop(context);
    assert!(is_vote_open(&club), "nothing is over while letters may lie elsewhere");
    club.now -= TimeDelta::minutes(30);
    club.send_reply("Bob", "vote abandon");
    club.now += TimeDelta::minutes(90);
    let (_, letters) = club.run_pass();
    let ended = "The players voted (Ann and Bob) to end the game.";
    assert!(
        first_letter_to(&letters, "Cid").contains(ended),
        "{}",
        first_letter_to(&letters, "Cid").body_text()
    );
}

//! Tests members who want few letters: news waits for the next letter or the daily digest.

use crate::rig::{self, Club, first_letter_to, letters_to};
use postrider::club::{Intervention, LetterStyle, NewsPreference, Substitute};
use postrider::games::find_kind;
use postrider::process::{self, IdleOutcome};
use postrider::rules::Seat;

/// Creates a club with three games of Ann, Bob and Cid. Bob has the setting `wish`.
fn start_three_games(clock: &str, wish: &str) -> Club {
    let mut club = Club::with_settings(&format!("clock: {{deadline: {clock}}}\n"));
    for _ in 1..=3 {
        club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    }
    club.run_pass();
    club.set_preference("Bob", wish);
    club
}

/// Replies in a game and runs a pass. Returns the number of queued letters, and those to Bob.
fn write_and_get_bobs_letters(
    club: &mut Club,
    name: &str,
    game: usize,
    body: &str,
) -> (usize, Vec<rig::PostedLetter>) {
    let seat = rig::NAMES.iter().position(|known| *known == name).expect("a player");
    let first = club.transport.posted[(game - 1) * 3 + seat].clone();
    club.deliver(club.compose_reply_to(name, &first, body));
    pass_and_get_bobs_letters(club)
}

fn pass_and_get_bobs_letters(club: &mut Club) -> (usize, Vec<rig::PostedLetter>) {
    let (report, letters) = club.run_pass();
    (report.queued_letters, letters_to(&letters, "Bob").into_iter().cloned().collect())
}

const MOVE_ORDER: &str = "build red G23, Troyes";

#[test]
fn daily_digest_leaves_on_time_sorted_by_deadline() {
    let mut club = start_three_games("20 days", "letters digest 20:15");
    // Two passes run at 19:00 and 20:00. The pass at 21:00 is the first after the digest's time.
    for game in [2, 1] {
        let (waiting, letters) = write_and_get_bobs_letters(&mut club, "Ann", game, MOVE_ORDER);
        assert!(waiting == 0 && letters.is_empty(), "the news is held until the digest");
    }
    let (_, letters) = write_and_get_bobs_letters(&mut club, "Ann", 3, MOVE_ORDER);
    assert_eq!(letters.len(), 1);
    let text = letters[0].body_text();
    let place = |game| text.find(&format!("games+{game}.2.2.")).expect("an address");
    assert!(place(2) < place(1) && place(1) < place(3), "{text}");
    assert!(pass_and_get_bobs_letters(&mut club).1.is_empty(), "there is no news");
    // Later news waits for the next evening, even if passes are missed.
    assert!(write_and_get_bobs_letters(&mut club, "Cid", 2, "say Hello").1.is_empty());
    club.now += chrono::TimeDelta::hours(20);
    assert!(pass_and_get_bobs_letters(&mut club).1.is_empty(), "19:00");
    club.now += chrono::TimeDelta::days(3);
    let (_, letters) = pass_and_get_bobs_letters(&mut club);
    assert!(letters.len() == 1 && letters[0].contains("Hello"), "{letters:?}");
    // The digest's time is in Bob's time zone: 20:15 in Madrid is 19:15 UTC.
    club.set_preference("Bob", "zone Europe/Madrid");
    club.now = "2026-01-12T18:30:00Z".parse().expect("a time");
    assert!(write_and_get_bobs_letters(&mut club, "Cid", 1, "say Hello").1.is_empty());
    assert_eq!(pass_and_get_bobs_letters(&mut club).1.len(), 1);
}

#[test]
fn due_digest_includes_news_of_same_pass() {
    let mut club = start_three_games("10 days", "letters digest 19:00");
    club.now += chrono::TimeDelta::seconds(20);
    assert_eq!(
        write_and_get_bobs_letters(&mut club, "Ann", 1, MOVE_ORDER).1.len(),
        1,
        "the first pass after its time"
    );
    club.now -= chrono::TimeDelta::minutes(30);
    assert!(
        write_and_get_bobs_letters(&mut club, "Ann", 2, MOVE_ORDER).1.is_empty(),
        "today's digest has left"
    );
    club.now += chrono::TimeDelta::hours(23);
    assert_eq!(pass_and_get_bobs_letters(&mut club).1.len(), 1);
}

#[test]
fn urgent_news_leaves_at_once_with_held_news() {
    let mut club = start_three_games("10 days", "letters digest 18:00");
    assert!(write_and_get_bobs_letters(&mut club, "Cid", 2, "say Hello").1.is_empty());
    assert!(write_and_get_bobs_letters(&mut club, "Cid", 3, "say Good evening").1.is_empty());
    let (_, letters) = write_and_get_bobs_letters(&mut club, "Bob", 2, "status");
    let texts: String = letters.iter().map(rig::PostedLetter::body_text).collect();
    assert!(texts.contains("Hello") && !texts.contains("Good evening"), "{texts}");
    // The vote stays open longer, so it can wait for the digest. The moderator's news cannot.
    assert!(write_and_get_bobs_letters(&mut club, "Cid", 1, "vote pause").1.is_empty());
    let rotate = Intervention::Rotate(Seat::new(2));
    process::moderate_game(&club.open_context(), 1, &rotate, "a slip").expect("it can be");
    let (_, letters) = pass_and_get_bobs_letters(&mut club);
    assert!(letters.len() == 1 && letters[0].contains("vote no"), "{letters:?}");
    // News is urgent if the player would have less than two days left after the next digest.
    let mut club = start_three_games("60 hours", "letters digest 18:00");
    assert_eq!(
        write_and_get_bobs_letters(&mut club, "Ann", 1, MOVE_ORDER).1.len(),
        1,
        "the digest would leave 37 of 60 hours"
    );
    let mut club = start_three_games("60 hours", "letters digest 21:00");
    assert!(
        write_and_get_bobs_letters(&mut club, "Ann", 1, MOVE_ORDER).1.is_empty(),
        "the digest leaves 58 of 60 hours"
    );
    assert!(pass_and_get_bobs_letters(&mut club).1.is_empty());
    assert_eq!(pass_and_get_bobs_letters(&mut club).1.len(), 1);
}

#[test]
fn held_digest_news_is_always_sent() {
    let club_with_held_news = || {
        let mut club = start_three_games("10 days", "letters digest 18:00");
        assert!(write_and_get_bobs_letters(&mut club, "Ann", 1, MOVE_ORDER).1.is_empty());
        club
    };
    let mut club = club_with_held_news();
    club.set_preference("Bob", "letters each");
    assert_eq!(pass_and_get_bobs_letters(&mut club).1.len(), 1, "Bob wants no digest any more");
    let mut club = club_with_held_news();
    club.set_preference("Bob", "letters digest 19:30");
    assert_eq!(pass_and_get_bobs_letters(&mut club).1.len(), 1, "the new time has come");
    let mut club = club_with_held_news();
    club.now -= chrono::TimeDelta::days(30);
    assert_eq!(pass_and_get_bobs_letters(&mut club).1.len(), 1, "the clock was ahead");
    let mut club = club_with_held_news();
    club.set_preference("Bob", "vacation 2026-01-06 to 2026-01-08");
    process::moderate_game(&club.open_context(), 1, &Intervention::End, "enough")
        .expect("it can be");
    club.restore_from_journal();
    club.now += chrono::TimeDelta::days(1);
    let (_, letters) = pass_and_get_bobs_letters(&mut club);
    assert!(letters.iter().any(|letter| letter.contains("enough")), "{letters:?}");
    assert!(pass_and_get_bobs_letters(&mut club).1.is_empty());
}

#[test]
fn held_digest_news_is_dropped_for_former_reader() {
    let club_with_held_news = || {
        let mut club = start_three_games("10 days", "letters digest 18:00");
        assert!(write_and_get_bobs_letters(&mut club, "Ann", 1, MOVE_ORDER).1.is_empty());
        club
    };
    let outbox = |club: &Club| club.open_context().store.outbox_length().expect("it reads");
    let mut club = club_with_held_news();
    let by = Substitute::from("Eve <eve@example.org>");
    club.ensure_answered_member("Eve", "eve@example.org");
    let replace = Intervention::Replace { seat: Seat::new(2), by };
    process::moderate_game(&club.open_context(), 1, &replace, "Bob is ill").expect("it can be");
    let letters = club.run_pass().1;
    assert!(
        first_letter_to(&letters, "Eve").contains("G23")
            && letters_to(&letters, "Bob").iter().all(|l| !l.contains("G23"))
    );
    club.now += chrono::TimeDelta::days(1);
    let left = (pass_and_get_bobs_letters(&mut club).1, outbox(&club));
    assert!(left.0.is_empty() && left.1 == 0, "{left:?}");
    let mut club = club_with_held_news();
    write_and_get_bobs_letters(&mut club, "Bob", 2, "leave club yes");
    let left = (pass_and_get_bobs_letters(&mut club).1, outbox(&club));
    assert!(left.0.is_empty() && left.1 == 0, "{left:?}");
}

#[test]
fn idle_pass_wakes_for_due_digest() {
    let mut club = start_three_games("10 days", "letters digest 20:40");
    write_and_get_bobs_letters(&mut club, "Ann", 1, MOVE_ORDER);
    let context = club.open_context();
    let report = process::run_pass(&context, &mut club.transport).expect("the pass works");
    process::write_idle_note(&context, &report).expect("it is left");
    drop(context);
    let due = "2026-01-05T20:40:00Z".parse().expect("a time");
    let settings = process::read_settings(club.folder()).expect("they can be read");
    let is_idle_at = |now| {
        let idle = process::try_idle_pass(club.folder(), &settings, None, now).expect("it works");
        matches!(idle, IdleOutcome::Done(_))
    };
    assert!(is_idle_at(due - chrono::TimeDelta::minutes(1)) && !is_idle_at(due));
}

#[test]
fn letter_frequency_can_differ_for_one_game() {
    let mut club = Club::with_paris_game("");
    club.set_preference("Bob", "letters turns");
    let refused = process::change_member_setting(
        &club.open_context(),
        &rig::address("Bob"),
        "letters all here",
    );
    assert!(refused.is_err(), "the line needs a game");
    club.send_reply("Bob", "letters all here\nsettings");
    let letters = club.run_pass().1;
    let answer = first_letter_to(&letters, "Bob");
    assert!(answer.contains("We e-mail you about this game whenever something happens in it."));
    assert!(
        answer.contains("E-mails about this game: whenever something happens"),
        "{}",
        answer.body_text()
    );
    club.send_reply("Cid", "say Hello");
    assert!(first_letter_to(&club.run_pass().1, "Bob").contains("Hello"));
    // The setting belongs to the player. A successor starts with their own general setting.
    let by = "eve@example.org".into();
    club.ensure_answered_member("Eve", "eve@example.org");
    let replace = Intervention::Replace { seat: Seat::new(2), by };
    process::moderate_game(&club.open_context(), 1, &replace, "Bob is ill").expect("it can be");
    club.run_pass();
    let eve = club.member("Eve");
    assert_eq!(eve.letters, LetterStyle { only_turns: true, ..LetterStyle::default() });
    let bobs_seat =
        || process::load_stored_game(&club.open_context(), 1).expect("it opens").seats[1].0.clone();
    assert_eq!(bobs_seat().news_preference, None);
    club.send_reply("Cid", "say Hello again");
    assert!(
        letters_to(&club.run_pass().1, "Eve").is_empty(),
        "the message waits for Eve's next letter"
    );
    for (line, wish) in [
        ("letters all here", Some(NewsPreference::All)),
        ("letters turns here", Some(NewsPreference::Turns)),
        ("letters as usual", None),
    ] {
        club.send_reply("Eve", line);
        club.run_pass();
        let seats = process::load_stored_game(&club.open_context(), 1).expect("it opens").seats;
        assert_eq!(seats[1].0.news_preference, wish, "{line}");
    }
}

#[test]
fn new_member_gets_turn_letters_and_one_hint() {
    let mut club = Club::with_paris_game("");
    club.ensure_answered_member("Eve", "eve@example.org");
    let seat = Intervention::Replace { seat: Seat::new(3), by: "Eve <eve@example.org>".into() };
    process::moderate_game(&club.open_context(), 1, &seat, "Cid is ill").expect("it can be");
    let letters = club.run_pass().1;
    let how = "Want an e-mail whenever something happens? Reply \"letters all\"";
    assert!(
        first_letter_to(&letters, "Eve").contains(how)
            && !first_letter_to(&letters, "Ann").contains(how),
        "{letters:?}"
    );
    club.send_reply("Eve", "status");
    assert!(!first_letter_to(&club.run_pass().1, "Eve").contains(how));
    // Messages to all wait for Eve's turn, even if the store is lost and restored. A message to Eve
    // alone leaves at once.
    club.send_reply("Bob", "say Hello");
    assert!(letters_to(&club.run_pass().1, "Eve").is_empty());
    club.restore_from_journal();
    club.run_pass();
    club.send_reply("Ann", MOVE_ORDER);
    assert!(letters_to(&club.run_pass().1, "Eve").is_empty());
    club.send_reply("Bob", "tell Eve: Psst");
    let letters = club.run_pass().1;
    let letter = first_letter_to(&letters, "Eve");
    assert!(letter.contains("Psst") && letter.contains("G23"), "{}", letter.body_text());
    let hellos =
        letters_to(&club.transport.posted, "Eve").iter().filter(|l| l.contains("Hello")).count();
    assert_eq!(hellos, 1, "Eve gets the message once");
    club.send_reply("Ann", "say Bye");
    process::moderate_game(&club.open_context(), 1, &Intervention::End, "enough")
        .expect("it can be");
    let letters = club.run_pass().1;
    assert!(first_letter_to(&letters, "Eve").contains("Bye"), "no later letter would contain it");
}

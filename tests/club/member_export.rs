//! `postrider member export`: holds all that is stored about a member, and no secret of others.

use crate::crash::capture_club_state;
use crate::rig::letter_links::has_reply_token;
use crate::rig::moderator_letters::deliver_from_other_address;
use crate::rig::postrider_program::{postrider_command, run_postrider};
use crate::rig::{Club, address};
use serde_json::{Value, json};

fn format_now(club: &Club) -> String {
    club.now.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Runs the program. Returns its exit code, and its output with the errors after it.
fn run(club: &Club, arguments: &[&str]) -> (Option<i32>, String) {
    run_postrider(club.folder(), &format_now(club), arguments)
}

/// Returns the text and the JSON of a member's document.
fn export(club: &Club, who: &str) -> (String, Value) {
    let mut command = postrider_command(club.folder(), &format_now(club));
    let output = command.args(["member", "export", who, "--secrets"]).output().expect("it runs");
    assert!(output.status.success(), "{who}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let json = serde_json::from_str(&text).expect("JSON");
    (text, json)
}

fn send(club: &mut Club, name: &str, body: &str) {
    club.send_reply(name, body);
    club.run_pass();
}

/// Creates a club with a game of Trick of the Rails in which Ann and Bob have orders, plans, notes,
/// messages and a vote. A letter to Ann waits for her digest, and one from her is in quarantine.
fn busy_club() -> Club {
    let mut club = Club::with_local_store("clock: {deadline: 20 days}\n");
    let people = [("Ann", "Ann"), ("Bob", "Bob"), ("Cid", "Cid")];
    club.start_game_for("trick-of-the-rails", &people, 2);
    club.run_pass();
    send(&mut club, "Bob", "note only-bob-knows");
    send(&mut club, "Ann", "B&O 3");
    send(&mut club, "Ann", "otherwise PRR 3\nnote only-ann-knows");
    send(&mut club, "Ann", "vote pause\ntell Bob from-ann-to-bob");
    send(&mut club, "Bob", "vote no\ntell Ann from-bob-to-ann");
    send(&mut club, "Bob", "tell Cid from-bob-to-cid");
    deliver_from_other_address(&mut club, "Ann", "say from-elsewhere");
    club.set_preference("Ann", "letters all");
    club.set_preference("Ann", "letters digest 12:00");
    send(&mut club, "Bob", "B&O 4");
    send(&mut club, "Bob", "otherwise PRR 2");
    club
}

#[test]
fn export_holds_own_data_and_no_secrets() {
    let club = busy_club();
    let before = capture_club_state(club.folder());
    let (text, json) = export(&club, "ann@example.org");
    assert!(capture_club_state(club.folder()) == before, "the export changed the club");
    assert_eq!(json["member"]["addresses"], json!(["ann@example.org"]));
    assert_eq!(json["member"]["settings"]["digest_at"], "12:00");
    let seat = &json["seats"][0];
    assert_eq!([&seat["game"], &seat["seat"]], [&json!(1), &json!(1)]);
    assert_eq!(seat["orders"][0]["lines"], json!(["B&O 3"]));
    assert_eq!(seat["orders"].as_array().map(Vec::len), Some(1), "Bob's are not hers");
    let current = &seat["current"];
    assert_eq!(current["plans"][0]["words"], "Trick 2, whatever is led: play PRR 3");
    assert_eq!(current["notes"], json!(["only-ann-knows"]));
    let messages = seat["messages"].as_array().expect("a list");
    let texts: Vec<&Value> = messages.iter().map(|message| &message["text"]).collect();
    assert_eq!(texts, ["from-ann-to-bob", "from-bob-to-ann"]);
    assert_eq!(seat["votes_and_changes"][0]["event"], "proposed_open_vote");
    let mail = &json["mail"];
    assert_eq!(mail["read"][0]["outcome"], "orders_carried_out");
    assert_eq!(mail["in_quarantine"][0]["has_own_reply_token"], true);
    let waiting = mail["in_outbox"][0]["text"].as_str().expect("a queued letter");
    assert!(waiting.contains("Bob plays B&O 4"), "{waiting}");
    let files = mail["files"].as_array().expect("a list");
    assert!(files.iter().any(|file| file.as_str().is_some_and(|f| f.contains("inbox/.done"))));
    let log = club.open_context().store.game_log_lines(1).expect("a log");
    let founding: Value = serde_json::from_str(&log[0]).expect("JSON");
    let seed = founding["seed"].as_str().expect("a seed").to_owned();
    for secret in [
        &address("Bob"),
        &address("Cid"),
        "work.example",
        "only-bob-knows",
        "PRR2",
        "from-bob-to-cid",
        "from-elsewhere",
        &"07".repeat(32),
        &seed,
    ] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    assert!(!has_reply_token(&text), "{text}");
    // Each secret of Bob is in Bob's own document, so the search above could have found it.
    let (bob, _) = export(&club, "2");
    for own in [&*address("Bob"), "only-bob-knows", "PRR2", "from-bob-to-cid"] {
        assert!(bob.contains(own), "{own}: {bob}");
    }
    assert!(!bob.contains("only-ann-knows") && !bob.contains(&address("Ann")), "{bob}");
}

#[test]
fn export_is_refused_like_forget() {
    let club = busy_club();
    let (code, text) = run(&club, &["member", "export", "Ann"]);
    assert!(code == Some(77) && text.contains("game 1 is still being played"), "{text}");
    let assert_unknown = |who: &str| {
        let refused = run(&club, &["member", "export", who, "--secrets"]);
        assert_eq!(refused, run(&club, &["member", "forget", who]));
        assert_eq!(refused.0, Some(66), "{}", refused.1);
    };
    assert_unknown("Zed");
    assert_eq!(run(&club, &["member", "forget", "Ann"]).0, Some(0));
    for who in ["Ann", "ann@example.org", "1"] {
        assert_unknown(who);
    }
}

#[test]
fn computer_player_has_nothing_to_export() {
    let mut club = Club::with_tricks_game("");
    send(&mut club, "Ann", "new trick-of-the-rails seats 3 bots 2 fair");
    let (code, text) = run(&club, &["member", "export", "4"]);
    assert!(code == Some(66) && text.contains("is a computer player"), "{text}");
}

#[test]
fn players_of_one_seat_export_their_own() {
    let mut club = busy_club();
    club.ensure_answered_member("Dot", &address("Dot"));
    let replace = ["replace", "1", "2", "dot@example.org", "--reason", "moved house"];
    let (code, text) = run(&club, &replace);
    assert_eq!(code, Some(0), "{text}");
    club.run_pass();
    send(&mut club, "Dot", "note only-dot-knows");
    send(&mut club, "Cid", "tell Dot from-cid-to-dot");
    let texts = |seat: &Value| {
        let messages = seat["messages"].as_array().expect("a list").iter();
        messages.map(|message| message["text"].clone()).collect::<Vec<_>>()
    };
    let (text, bob) = export(&club, "Bob");
    let seat = &bob["seats"][0];
    assert!(seat["current"].is_null() && seat["periods"][0]["until"].is_string(), "{text}");
    assert_eq!(seat["orders"][0]["lines"], json!(["B&O 4"]));
    assert_eq!(texts(seat), ["from-ann-to-bob", "from-bob-to-ann", "from-bob-to-cid"]);
    assert!(!text.contains("only-dot-knows") && !text.contains(&address("Dot")), "{text}");
    let (text, dot) = export(&club, "Dot");
    let seat = &dot["seats"][0];
    assert!(seat["periods"][0]["since"].is_string(), "{text}");
    assert_eq!([&seat["orders"], &seat["current"]["plans"]], [&json!([]), &json!([])]);
    assert_eq!(seat["current"]["notes"], json!(["only-dot-knows"]));
    assert_eq!(texts(seat), ["from-cid-to-dot"]);
}

#[test]
fn invitee_is_exported_by_address() {
    let mut club = Club::with_paris_game("");
    send(&mut club, "Ann", "new paris-connection seats 3 invite gus@example.net");
    let (text, json) = export(&club, "gus@example.net");
    assert_eq!(json["lists"][0]["list"], "invited", "{text}");
    assert_eq!(json["member"]["number"], 0);
    assert!(!text.contains(&address("Ann")), "{text}");
}

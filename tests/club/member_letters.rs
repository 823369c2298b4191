//! The moderator's list of a member's letters, and members named by their names.

use crate::rig::moderator_letters::{
    ask_as_mod, deliver_from_other_address, introduce_mod, start_paris_game,
};
use crate::rig::postrider_program::run_postrider;
use crate::rig::{Club, PostedLetter, address, letters_to};
use postrider::process;

const LATER: &str = "2026-01-06T12:00:00Z";

/// Returns what the command prints, with single spaces. The command must end with this code.
fn output_of(club: &Club, code: i32, arguments: &[&str]) -> String {
    let (exit, output) = run_postrider(club.folder(), LATER, arguments);
    assert_eq!(exit, Some(code), "{arguments:?}: {output}");
    output.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text_of(letter: &PostedLetter) -> String {
    letter.body_text().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn each_outcome_is_listed_with_its_answer() {
    let mut club = Club::with_tricks_game("");
    introduce_mod(&mut club);
    let no_record = "game 1: it made no move.";
    // Each row: the writer, the letter, and the outcome with and without --secrets.
    for (name, body, outcome, public) in [
        ("Bob", "if led PRR play PRR 2", "game 1: we saved the orders as plans.", no_record),
        ("Bob", "say good luck", "game 1: it only had messages or votes.", no_record),
        ("Bob", "PRR 99", "game 1: we refused it.", no_record),
        ("Bob", "status", "game 1: we answered questions", no_record),
        ("Bob", "", "game 1: we found nothing in it.", no_record),
        ("Ann", "B&O 3", "carried it out as move 2.", "game 1: we carried it out as move 2."),
    ] {
        club.send_reply(name, body);
        let (_, letters) = club.run_pass();
        let answer = letters_to(&letters, name).last().expect(body).message_id.clone();
        for (secrets, said) in [(true, outcome), (false, public)] {
            let flag: &[&str] = if secrets { &["--secrets"] } else { &[] };
            let list = output_of(&club, 0, &[&["letters", "from", name][..], flag].concat());
            let last = list.rsplit(" 2026 ").next().unwrap_or_default();
            assert!(last.contains(said), "{body}: {last}");
            assert!(last.ends_with(&format!("Answer: {answer}")), "{body}: {answer} {last}");
        }
    }
    let all = output_of(&club, 0, &["letters", "from", "bob@example.org"]);
    assert!(all.starts_with("E-mails from Bob, oldest first:"), "{all}");
    assert_eq!(all.matches("Answer: ").count(), 5, "{all}");
    // Once the game is over, the list holds no secret.
    ask_as_mod(&mut club, "end 1 because nobody plays");
    let after = text_of(&ask_as_mod(&mut club, "letters from Bob"));
    assert!(after.contains("saved the orders as plans.") && !after.contains(no_record), "{after}");
    assert!(output_of(&club, 66, &["letters", "from", "Zed"]).contains("We found no member Zed"));
}

#[test]
fn unproven_automatic_and_quarantined_letters_are_listed() {
    let mut club = Club::with_paris_game("");
    introduce_mod(&mut club);
    assert!(ask_as_mod(&mut club, "letters from Cid").contains("We know of no e-mail from Cid"));
    club.deliver(format!("From: {}\r\nTo: games@example.org\r\n\r\nstatus\r\n", address("Cid")));
    club.run_pass();
    let held = deliver_from_other_address(&mut club, "Cid", "say hello");
    club.run_pass();
    let notice = club.compose_reply("Cid", "I am away.");
    club.deliver(format!("Auto-Submitted: auto-replied\r\n{notice}"));
    club.run_pass();
    let list = text_of(&ask_as_mod(&mut club, "letters from cid"));
    assert!(list.contains("an automatic reply, such as a vacation notice."), "{list}");
    assert!(list.contains("it came without proof that they wrote it."), "{list}");
    assert!(list.contains(&held), "{list}");
    assert!(ask_as_mod(&mut club, "letters from").contains("letters from ann@example.org"));
    ask_as_mod(&mut club, &format!("letters reject {held} because it is spam"));
    let list = text_of(&ask_as_mod(&mut club, "letters from cid"));
    assert!(list.contains("game 1: the moderator rejected it."), "{list}");
    assert!(!list.contains(&held), "{list}");
}

#[test]
fn accepted_letter_is_no_longer_in_quarantine() {
    let mut club = Club::with_paris_game("");
    introduce_mod(&mut club);
    let held = deliver_from_other_address(&mut club, "Bob", "say hello");
    club.run_pass();
    let lines = format!("letters accept {held} because it is his\nletters from Bob\nletters list");
    let list = text_of(&ask_as_mod(&mut club, &lines));
    assert!(list.contains("game 1: it made no move."), "{list}");
    assert!(!list.contains(&format!("{held}, received ")), "{list}");
    assert!(list.contains("No e-mails are in quarantine."), "{list}");
}

#[test]
fn rejected_letter_can_still_be_accepted_later() {
    let mut club = Club::with_paris_game("");
    introduce_mod(&mut club);
    let order = club.compose_reply("Ann", "build red G23, Troyes");
    let elsewhere = order.replace(&address("Ann"), "ann@work.example");
    for line in ["letters reject NAME", "letters accept NAME because it is hers"] {
        let held = club.deliver(&elsewhere);
        club.run_pass();
        ask_as_mod(&mut club, &line.replace("NAME", &held));
    }
    let list = text_of(&ask_as_mod(&mut club, "letters from Ann"));
    assert!(list.contains("game 1: we carried it out as move 2."), "{list}");
}

#[test]
fn forged_letters_do_not_fill_the_list() {
    let mut club = Club::with_paris_game("");
    introduce_mod(&mut club);
    club.send_reply("Bob", "status");
    club.run_pass();
    let bob = address("Bob");
    for n in 1..=25 {
        let rest = format!("To: games@example.org\r\n\r\nstatus {n}\r\n");
        club.deliver(format!("From: {bob}\r\n{rest}"));
        club.deliver(format!("From: {bob}\r\nFrom: eve@example.net\r\n{rest}"));
    }
    club.run_pass();
    let list = text_of(&ask_as_mod(&mut club, "letters from Bob"));
    assert!(list.contains("game 1: it made no move."), "{list}");
    assert_eq!(list.matches("it came without proof that they wrote it.").count(), 20, "{list}");
    assert_eq!(list.matches(".rig, received ").count(), 20, "{list}");
    assert!(list.contains("10 more e-mails came without proof"), "{list}");
}

#[test]
fn message_id_of_answer_tells_no_outcome() {
    let mut club = Club::with_tricks_game("answers_per_hour: 1\n");
    introduce_mod(&mut club);
    // One pass reads all of them. Ann's order makes a record, and Cid's last letter is beyond the
    // limit.
    for (name, body) in [
        ("Bob", "if led PRR play PRR 2"),
        ("Bob", "PRR 99"),
        ("Ann", "games"),
        ("Ann", "B&O 3"),
        ("Cid", "say good luck"),
        ("Cid", "status"),
        ("Cid", "status"),
    ] {
        club.send_reply(name, body);
    }
    club.run_pass();
    for (name, seat, count) in [("Ann", 1, 1), ("Bob", 2, 2), ("Cid", 3, 3)] {
        let list = output_of(&club, 0, &["letters", "from", name]);
        let hidden: Vec<&str> = list.split("it made no move.").skip(1).collect();
        assert_eq!(hidden.len(), count, "{list}");
        for line in hidden {
            let id = line.split("Answer: ").nth(1).expect("an answer");
            assert!(id.trim_start_matches('<').starts_with(&format!("g1.s{seat}.a")), "{line}");
        }
    }
}

#[test]
fn letter_without_answer_is_listed_as_such() {
    let mut club = Club::with_paris_game("answers_per_hour: 1\n");
    introduce_mod(&mut club);
    for _ in 1..=4 {
        club.send_reply("Bob", "status");
    }
    club.run_pass();
    let list = text_of(&ask_as_mod(&mut club, "letters from Bob"));
    assert!(list.contains("It got no answer."), "{list}");
    assert!(list.contains("Answer: "), "{list}");
}

#[test]
fn several_letters_share_one_answer() {
    let mut club = Club::with_paris_game("");
    introduce_mod(&mut club);
    club.send_reply("Ann", "say hello");
    club.send_reply("Ann", "build red G23, Troyes");
    let (_, letters) = club.run_pass();
    let [answer] = letters_to(&letters, "Ann")[..] else { panic!("one letter to Ann") };
    let list = text_of(&ask_as_mod(&mut club, "letters from ann@example.org"));
    assert_eq!(list.matches(&answer.message_id).count(), 2, "{list}");
}

#[test]
fn bundle_answers_letters_of_all_its_games() {
    let mut club = Club::new();
    (1..=3).for_each(|_| _ = start_paris_game(&mut club, 7));
    club.run_pass();
    introduce_mod(&mut club);
    club.set_preference("Ann", "letters digest");
    for game in 0..3 {
        let first = club.transport.posted[game * 3].clone();
        let order = club.compose_reply_to("Ann", &first, "build red G23, Troyes");
        club.deliver(order);
    }
    let (_, letters) = club.run_pass();
    let [bundle] = letters_to(&letters, "Ann")[..] else { panic!("one letter to Ann") };
    assert!(bundle.name().starts_with("b."), "{}", bundle.message_id);
    let list = text_of(&ask_as_mod(&mut club, "letters from 1"));
    assert_eq!(list.matches(&bundle.message_id).count(), 3, "{list}");
}

#[test]
fn letters_of_member_survive_restore_and_repetition() {
    let mut club = Club::with_local_store("");
    start_paris_game(&mut club, 7);
    club.run_pass();
    let order = club.compose_reply("Ann", "build red G23, Troyes");
    club.deliver(&order);
    club.run_pass();
    let before = output_of(&club, 0, &["letters", "from", "Ann"]);
    club.deliver(&order);
    club.run_pass();
    assert_eq!(output_of(&club, 0, &["letters", "from", "Ann"]), before);
    club.restore_from_journal();
    assert_eq!(output_of(&club, 0, &["letters", "from", "Ann"]), before);
}

#[test]
fn member_is_found_by_name() {
    let club = Club::with_paris_game("");
    for who in ["bob", "2", "BOB@example.org", "Bob <bob@example.org>", "\"Bob\""] {
        output_of(&club, 0, &["member", "settings", who]);
    }
    output_of(&club, 0, &["member", "set", "Bob", "letters", "text"]);
    output_of(&club, 0, &["lobby", "--as", "Bob", "games"]);
    output_of(&club, 0, &["rotate", "--member", "Bob"]);
    output_of(&club, 0, &["moderate", "rotate member Bob because it was read"]);
    let new = ["new", "paris-connection", "--player", "Ann", "--player", "2", "--player", "Cid"];
    output_of(&club, 0, &new);
    let nobody = ["new", "paris-connection", "--player", "Ann", "--player", "Zed"];
    assert!(output_of(&club, 64, &nobody).contains("--player: We found no member Zed."));
}

#[test]
fn unknown_or_ambiguous_name_lists_choices() {
    let mut club = Club::with_paris_game("");
    introduce_mod(&mut club);
    output_of(&club, 0, &["member", "rename", "Cid", "Bob", "--insist"]);
    let choices = "Bob (number 2, bob@example.org) and Bob (number 3, cid@example.org).";
    let two = "More than one member is called Bob. Use the number or the address:";
    let two = format!("{two} {choices}");
    let similar = "We found no member Bo. Similar members: Bob (number 2, bob@example.org)";
    output_of(&club, 0, &["member", "forget", "1"]);
    club.run_pass();
    for (who, answer) in [
        ("Bob", &*two),
        ("Bo", similar),
        ("bob@example.or", "Similar members: Bob (number 2, bob@example.org)."),
        ("Ann", "We found no member Ann."),
        ("1", "Member 1 has left the club."),
        ("77", "We found no member 77."),
    ] {
        for command in [
            &["member", "settings", who][..],
            &["member", "set", who, "letters", "text"],
            &["member", "rename", who, "Zed"],
            &["member", "add-address", who, "zed@example.net"],
            &["member", "remove-address", who, "zed@example.net"],
            &["member", "reachable", who],
            &["member", "allow-invitations", who],
            &["lobby", "--as", who, "games"],
            &["rotate", "--member", who],
            &["letters", "from", who],
            &["member", "forget", who],
        ] {
            let said = output_of(&club, 66, command);
            assert!(said.contains(answer), "{command:?}: {said}");
        }
        for line in [
            format!("letters from {who}"),
            format!("rotate member {who} because x"),
            format!("replace 1 seat 2 by {who} because x"),
        ] {
            let said = text_of(&ask_as_mod(&mut club, &line));
            let is_address = line.starts_with("replace") && who.contains('@');
            assert!(is_address || said.contains(answer), "{line}: {said}");
        }
    }
}

#[test]
fn substitute_is_named_in_moderators_line() {
    let mut club = Club::with_paris_game("");
    introduce_mod(&mut club);
    let zed = "replace 1 seat 3 by Zed Smith <Zed@Example.net> because Cid is ill";
    assert!(ask_as_mod(&mut club, zed).contains("Zed Smith"));
    let context = club.open_context();
    let found = process::find_member(&context, "zed smith").expect("it reads").expect("a member");
    assert_eq!((found.name.as_str(), &*found.addresses[0]), ("Zed Smith", "zed@example.net"));
    drop(context);
    let taken = "replace 1 seat 3 by Ann <other@example.net> because Cid is ill";
    assert!(ask_as_mod(&mut club, taken).contains("Nothing has been done"));
    // A member's name alone is enough.
    club.ensure_answered_member("Eve", "eve@example.org");
    ask_as_mod(&mut club, "replace 1 seat 2 by Eve because Bob is ill");
    let seats = club.open_context().store.seat_assignments(1).expect("they are read");
    assert_eq!(seats[1].member, club.member("Eve").id);
    assert!(ask_as_mod(&mut club, "replace 1 seat 2 by Nobody because x").contains("no member"));
}

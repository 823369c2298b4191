//! Tests new addresses of members, and letters from unknown addresses or without a reply token.

use crate::rig::{self, Club, address, first_letter_to, letters_to};
use postrider::process;

/// Sends a reply to the letter `to` from the address `from`.
fn send_reply_from(club: &mut Club, from: &str, to: &rig::PostedLetter, body: &str) {
    let letter = club.compose_reply_to("Ann", to, body).replace(&address("Ann"), from);
    club.deliver(letter);
}

const NEW: &str = "ann.new@example.net";

#[test]
fn new_address_is_added_after_confirmation_from_it() {
    let mut club = Club::with_paris_game("");
    club.send_reply("Ann", &format!("address {NEW}"));
    let (_, letters) = club.run_pass();
    assert!(first_letter_to(&letters, "Ann").contains("Once you reply from there"));
    let asked = first_letter_to(&letters, NEW).clone();
    assert!(asked.contains("says this is their new address"));

    // A reply from an address that was not asked confirms nothing.
    let (_, letters) = club.run_pass();
    assert!(letters.is_empty());
    send_reply_from(&mut club, "mallory@example.com", &asked, "yes");
    let (_, letters) = club.run_pass();
    assert!(first_letter_to(&letters, "mallory@example.com").contains("don't know your address"));

    // An out-of-office text is no confirmation, so the club asks again.
    send_reply_from(&mut club, NEW, &asked, "I am out of the office until Monday.");
    let (_, letters) = club.run_pass();
    let asked = first_letter_to(&letters, NEW).clone();
    assert!(asked.contains("We couldn't find a clear \"yes\" in your reply"));

    send_reply_from(&mut club, NEW, &asked, "yes");
    let (_, letters) = club.run_pass();
    assert!(first_letter_to(&letters, NEW).contains("now on we'll write to ann.new@example.net"));
    let notice = first_letter_to(&letters, "Ann").clone();
    assert!(notice.contains("If that wasn't you"));
    let member =
        process::find_member(&club.open_context(), NEW).unwrap().expect("it belongs to Ann");
    assert_eq!(member.addresses, [NEW.to_owned(), address("Ann")]);

    // A confirmation that comes after more than three days changes nothing.
    club.now += chrono::TimeDelta::days(2);
    send_reply_from(&mut club, &address("Ann"), &notice, &format!("address {}", address("Ann")));
    let (_, letters) = club.run_pass();
    let back = first_letter_to(&letters, "Ann").clone();
    club.now += chrono::TimeDelta::days(5);
    send_reply_from(&mut club, &address("Ann"), &back, "yes");
    let (_, letters) = club.run_pass();
    assert!(
        first_letter_to(&letters, NEW).contains("That question has expired"),
        "{}",
        first_letter_to(&letters, NEW).body_text()
    );
    let member =
        process::find_member(&club.open_context(), NEW).unwrap().expect("it belongs to Ann");
    assert_eq!(member.addresses.first().map(String::as_str), Some(NEW));
}

#[test]
fn address_questions_are_limited_and_members_addresses_protected() {
    let mut club = Club::with_paris_game("");
    for _ in 0..3 {
        club.send_reply("Ann", "address victim@example.com");
        club.send_reply("Bob", "address victim@example.com");
    }
    let (_, letters) = club.run_pass();
    // Each member's question is sent once. One member cannot keep another from asking.
    assert_eq!(letters.iter().filter(|letter| letter.to == "victim@example.com").count(), 2);

    // Only a person who reads the mail of an address learns that it belongs to a member.
    club.now += chrono::TimeDelta::days(2);
    club.send_reply("Ann", &format!("address {}", address("Bob")));
    let (_, letters) = club.run_pass();
    assert!(first_letter_to(&letters, "Ann").contains("sending an e-mail to bob@example.org"));
    let asked = first_letter_to(&letters, "Bob").clone();
    send_reply_from(&mut club, &address("Bob"), &asked, "yes");
    let (_, letters) = club.run_pass();
    assert!(first_letter_to(&letters, "Bob").contains("belongs to another member"));
    let member = process::find_member(&club.open_context(), &address("Bob"))
        .unwrap()
        .expect("Bob is a member");
    assert_eq!(member.name, "Bob");
}

#[test]
fn letter_without_token_gets_answerable_list_of_games() {
    let mut club = Club::with_paris_game("");
    club.deliver("From: Ann <ann@example.org>\r\nTo: games@example.org\r\n\r\nzone Asia/Tokyo\r\n");
    let (_, letters) = club.run_pass();
    let list = first_letter_to(&letters, "Ann").clone();
    assert!(
        list.contains("You're playing:") && list.contains("[Paris 1] Paris Connection"),
        "{}",
        list.body_text()
    );
    let member = process::find_member(&club.open_context(), "1").unwrap().expect("Ann");
    assert_eq!(member.time.zone, None);

    send_reply_from(&mut club, &address("Ann"), &list, "zone Asia/Tokyo");
    let (_, letters) = club.run_pass();
    assert!(first_letter_to(&letters, "Ann").contains("Asia/Tokyo"));
    let member = process::find_member(&club.open_context(), "1").unwrap().expect("Ann");
    assert!(member.time.zone.is_some());
    send_reply_from(&mut club, &address("Ann"), &list, "build red G23");
    let (_, letters) = club.run_pass();
    assert!(first_letter_to(&letters, "Ann").contains("outside a game, so nothing was done"));
}

#[test]
fn letter_from_unknown_address_is_reported_to_member() {
    let mut club = Club::with_paris_game("");
    let deliver_from = |club: &mut Club, from: &str, letter: String| {
        club.deliver(letter.replace(&address("Ann"), from));
        club.run_pass()
    };
    let order = club.compose_reply("Ann", "build red G23, Troyes");
    let (report, letters) = deliver_from(&mut club, NEW, order.clone());
    assert_eq!((report.quarantined, letters_to(&letters, NEW).len()), (1, 0), "{letters:?}");
    let warning = first_letter_to(&letters, "Ann").clone();
    assert!(warning.contains("from ann.new@example.net came to your secret reply address"));
    assert!(
        warning.contains("just \"address ann.new@example.net\"")
            && warning.contains("\"new marks\"")
    );
    assert!(!warning.contains("Troyes"), "the report quotes nothing: {}", warning.body_text());
    // Ann gets one report a day, whichever address writes and whichever letter it answers.
    let plain = club.compose_reply_to("Ann", &warning, "zone Asia/Tokyo");
    let (report, letters) = deliver_from(&mut club, "m@example.com", plain.clone());
    assert_eq!((report.quarantined, letters.len()), (1, 1), "the moderator's note: {letters:?}");
    club.now += chrono::TimeDelta::days(1);
    let (_, letters) = deliver_from(&mut club, "m@example.com", plain.replace("ann-", "again-"));
    assert!(first_letter_to(&letters, "Ann").contains("m@example.com came to one of your secret"));
    // Ann can do what the report suggests: add the address.
    send_reply_from(&mut club, &address("Ann"), &warning, &format!("address {NEW}"));
    let asked = first_letter_to(&club.run_pass().1, NEW).clone();
    send_reply_from(&mut club, NEW, &asked, "yes");
    club.run_pass();
    let (report, _) = deliver_from(&mut club, NEW, order.replace("ann-", "third-"));
    assert_eq!(report.carried_out, 1);
}

#[test]
fn letter_with_invalid_token_is_not_reported() {
    let mut club = Club::with_paris_game("");
    let order = club.compose_reply("Ann", "build red G23, Troyes").replace(&address("Ann"), NEW);
    let count_letters_to_ann = |club: &mut Club, letter: String| {
        club.deliver(letter);
        club.now += chrono::TimeDelta::days(1);
        letters_to(&club.run_pass().1, "Ann").len()
    };
    assert_eq!(count_letters_to_ann(&mut club, order.replace("+1.1.1.", "+1.1.2.")), 0);
    let automatic = order.replacen("Subject:", "Auto-Submitted: auto-replied\r\nSubject:", 1);
    assert_eq!(count_letters_to_ann(&mut club, automatic), 0);
    let two = order.replacen("Subject:", "From: x@example.com\r\nSubject:", 1);
    assert_eq!(count_letters_to_ann(&mut club, two), 0);
    let own = club.last_letter_to("Ann").expect("a letter").clone();
    send_reply_from(&mut club, &address("Ann"), &own, "new marks");
    club.run_pass();
    assert_eq!(count_letters_to_ann(&mut club, order), 0, "a revoked token causes no report");
}

#[test]
fn reply_to_bounced_notice_restores_delivery() {
    let mut club = Club::with_paris_game("");
    club.deliver("From: Ann <ann@example.org>\r\nTo: games@example.org\r\n\r\nhello\r\n");
    let (_, letters) = club.run_pass();
    let notice = first_letter_to(&letters, "Ann").clone();
    rig::make_undeliverable(&mut club, "Ann");
    let is_undeliverable = |club: &Club| {
        process::find_member(&club.open_context(), "1")
            .unwrap()
            .is_some_and(|ann| ann.undeliverable_since().is_some())
    };
    assert!(is_undeliverable(&club));
    send_reply_from(&mut club, &address("Ann"), &notice, "zone Asia/Tokyo");
    let (_, letters) = club.run_pass();
    assert!(!is_undeliverable(&club));
    assert!(letters.iter().any(|letter| letter.to == address("Ann")));
}

#[test]
fn member_can_name_three_new_addresses_daily() {
    let mut club = Club::with_paris_game("");
    let lines: Vec<String> = (1..=30).map(|n| format!("address a{n}@example.com")).collect();
    club.send_reply("Ann", &lines.join("\n"));
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 1);
    assert!(letters[0].contains("name 3 addresses a day"), "{}", letters[0].body_text());
    lines.iter().for_each(|line| drop(club.send_reply("Ann", line)));
    let (_, letters) = club.run_pass();
    let asked = letters.iter().filter(|letter| letter.to.ends_with("@example.com")).count();
    assert_eq!(asked, 3);
    club.now += chrono::TimeDelta::days(1);
    club.send_reply("Ann", &lines[10]);
    assert_eq!(club.run_pass().1.len(), 2);
}

#[test]
fn address_confirmed_twice_at_once_has_one_owner() {
    let mut club = Club::with_paris_game("");
    let mut asked = Vec::new();
    for name in ["Ann", "Bob"] {
        club.send_reply(name, &format!("address {NEW}"));
        asked.push(first_letter_to(&club.run_pass().1, NEW).clone());
        club.now += chrono::TimeDelta::days(1);
    }
    asked.iter().for_each(|asked| send_reply_from(&mut club, NEW, asked, "yes"));
    let (_, letters) = club.run_pass();
    let count_letters =
        |what: &str| letters.iter().filter(|l| l.to == NEW && l.contains(what)).count();
    let (moved, taken) = ("From now on we'll write to", "belongs to another member");
    assert_eq!((count_letters(moved), count_letters(taken)), (1, 1));
    let members = club.open_context().store.members().expect("they are kept");
    let owners = members.iter().filter(|member| member.addresses.contains(&NEW.to_owned()));
    assert_eq!(owners.count(), 1);
}

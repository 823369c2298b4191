//! Letters that answer none of a game: a member who moves to another address, and what others could
//! make of it.

use crate::rig::{self, Club, address, all_to, to};
use postrider::process;

/// A letter from an address that answers another letter, whatever that was about.
fn answer(club: &mut Club, from: &str, to: &rig::Posted, body: &str) {
    let letter = club.reply_to("Ann", to, body).replace(&address("Ann"), from);
    club.arrives(letter);
}

const NEW: &str = "ann.new@example.net";

#[test]
fn a_member_moves_to_an_address_that_he_can_read() {
    let mut club = Club::paris("");
    club.writes("Ann", &format!("address {NEW}"));
    let (_, letters) = club.pass();
    assert!(to(&letters, "Ann").says("Once it has been answered from there"));
    let asked = to(&letters, NEW).clone();
    assert!(asked.says("says that this is a new address"));

    // Nothing has changed yet, and who is not asked cannot answer.
    let (_, letters) = club.pass();
    assert!(letters.is_empty());
    answer(&mut club, "mallory@example.com", &asked, "yes");
    let (_, letters) = club.pass();
    assert!(to(&letters, "mallory@example.com").says("not known here"));

    // A machine that answers says no yes.
    answer(&mut club, NEW, &asked, "I am out of the office until Monday.");
    let (_, letters) = club.pass();
    let asked = to(&letters, NEW).clone();
    assert!(asked.says("The first line of your answer was not \"yes\" alone"));

    answer(&mut club, NEW, &asked, "yes");
    let (_, letters) = club.pass();
    assert!(to(&letters, NEW).says("go to ann.new@example.net from now on"));
    let told = to(&letters, "Ann").clone();
    assert!(told.says("If that was not you"));
    let member = process::find_member(&club.context(), NEW).unwrap().expect("it is hers");
    assert_eq!(member.addresses, [NEW.to_owned(), address("Ann")]);

    // An answer that comes late changes nothing.
    club.now += chrono::TimeDelta::days(2);
    answer(&mut club, &address("Ann"), &told, &format!("address {}", address("Ann")));
    let (_, letters) = club.pass();
    let back = to(&letters, "Ann").clone();
    club.now += chrono::TimeDelta::days(5);
    answer(&mut club, &address("Ann"), &back, "yes");
    let (_, letters) = club.pass();
    assert!(to(&letters, NEW).says("within three days"), "{}", to(&letters, NEW).text());
    let member = process::find_member(&club.context(), NEW).unwrap().expect("it is hers");
    assert_eq!(member.addresses.first().map(String::as_str), Some(NEW));
}

#[test]
fn nobodys_mailbox_is_filled_and_no_address_is_taken_from_its_owner() {
    let mut club = Club::paris("");
    for _ in 0..3 {
        club.writes("Ann", "address victim@example.com");
        club.writes("Bob", "address victim@example.com");
    }
    let (_, letters) = club.pass();
    // One of each member: nobody may keep the others from asking.
    assert_eq!(letters.iter().filter(|letter| letter.to == "victim@example.com").count(), 2);

    // Whether an address belongs to a member is told to nobody but who can read its letters.
    club.now += chrono::TimeDelta::days(2);
    club.writes("Ann", &format!("address {}", address("Bob")));
    let (_, letters) = club.pass();
    assert!(to(&letters, "Ann").says("A letter goes to bob@example.org"));
    let asked = to(&letters, "Bob").clone();
    answer(&mut club, &address("Bob"), &asked, "yes");
    let (_, letters) = club.pass();
    assert!(to(&letters, "Bob").says("belongs to another member"));
    let member =
        process::find_member(&club.context(), &address("Bob")).unwrap().expect("he is there");
    assert_eq!(member.name, "Bob");
}

#[test]
fn a_member_who_names_no_game_is_answered_so_that_he_can_go_on() {
    let mut club = Club::paris("");
    club.arrives("From: Ann <ann@example.org>\r\nTo: games@example.org\r\n\r\nzone Asia/Tokyo\r\n");
    let (_, letters) = club.pass();
    let told = to(&letters, "Ann").clone();
    assert!(
        told.says("names it. You play:") && told.says("[Paris 1] Paris Connection"),
        "{}",
        told.text()
    );
    let member = process::find_member(&club.context(), "1").unwrap().expect("Ann");
    assert_eq!(member.time.zone, None);

    answer(&mut club, &address("Ann"), &told, "zone Asia/Tokyo");
    let (_, letters) = club.pass();
    assert!(to(&letters, "Ann").says("Asia/Tokyo"));
    let member = process::find_member(&club.context(), "1").unwrap().expect("Ann");
    assert!(member.time.zone.is_some());
    answer(&mut club, &address("Ann"), &told, "build red G23");
    let (_, letters) = club.pass();
    assert!(to(&letters, "Ann").says("nothing that the club can do without a game"));
}

#[test]
fn a_member_is_told_at_his_own_address_of_a_letter_that_came_from_elsewhere() {
    let mut club = Club::paris("");
    let elsewhere = |club: &mut Club, from: &str, letter: String| {
        club.arrives(letter.replace(&address("Ann"), from));
        club.pass()
    };
    let order = club.reply("Ann", "build red G23, Troyes");
    let (report, letters) = elsewhere(&mut club, NEW, order.clone());
    assert_eq!((report.quarantined, all_to(&letters, NEW).len()), (1, 0), "{letters:?}");
    let told = to(&letters, "Ann").clone();
    assert!(told.says("the mark of your seat in game 1 came from ann.new@example.net"));
    assert!(told.says("write \"address ann.new@example.net\" alone") && told.says("\"new marks\""));
    assert!(!told.says("Troyes"), "nothing of that letter is passed on: {}", told.text());
    // Once a day, whoever writes and to whatever letter of hers.
    let plain = club.reply_to("Ann", &told, "zone Asia/Tokyo");
    let (report, letters) = elsewhere(&mut club, "m@example.com", plain.clone());
    assert_eq!((report.quarantined, letters.len()), (1, 1), "the moderator's note: {letters:?}");
    club.now += chrono::TimeDelta::days(1);
    let (_, letters) = elsewhere(&mut club, "m@example.com", plain.replace("ann-", "again-"));
    assert!(to(&letters, "Ann").says("a mark of yours came from m@example.com"));
    // What it says to write can be written.
    answer(&mut club, &address("Ann"), &told, &format!("address {NEW}"));
    let asked = to(&club.pass().1, NEW).clone();
    answer(&mut club, NEW, &asked, "yes");
    club.pass();
    let (report, _) = elsewhere(&mut club, NEW, order.replace("ann-", "third-"));
    assert_eq!(report.carried_out, 1);
}

#[test]
fn nobody_is_told_of_a_letter_without_a_valid_mark() {
    let mut club = Club::paris("");
    let order = club.reply("Ann", "build red G23, Troyes").replace(&address("Ann"), NEW);
    let to_ann = |club: &mut Club, letter: String| {
        club.arrives(letter);
        club.now += chrono::TimeDelta::days(1);
        all_to(&club.pass().1, "Ann").len()
    };
    assert_eq!(to_ann(&mut club, order.replace("+1.1.1.", "+1.1.2.")), 0);
    let automatic = order.replacen("Subject:", "Auto-Submitted: auto-replied\r\nSubject:", 1);
    assert_eq!(to_ann(&mut club, automatic), 0);
    let two = order.replacen("Subject:", "From: x@example.com\r\nSubject:", 1);
    assert_eq!(to_ann(&mut club, two), 0);
    let own = club.last_to("Ann").expect("a letter").clone();
    answer(&mut club, &address("Ann"), &own, "new marks");
    club.pass();
    assert_eq!(to_ann(&mut club, order), 0, "a mark that was made void says nothing");
}

#[test]
fn a_notice_that_comes_back_is_believed_and_an_answer_to_it_heals() {
    let mut club = Club::paris("");
    club.arrives("From: Ann <ann@example.org>\r\nTo: games@example.org\r\n\r\nhello\r\n");
    let (_, letters) = club.pass();
    let notice = to(&letters, "Ann").clone();
    rig::loses(&mut club, "Ann");
    let lost = |club: &Club| {
        process::find_member(&club.context(), "1")
            .unwrap()
            .is_some_and(|ann| ann.undeliverable().is_some())
    };
    assert!(lost(&club));
    answer(&mut club, &address("Ann"), &notice, "zone Asia/Tokyo");
    let (_, letters) = club.pass();
    assert!(!lost(&club));
    assert!(letters.iter().any(|letter| letter.to == address("Ann")));
}

#[test]
fn nobody_can_mail_the_world_by_naming_it_his() {
    let mut club = Club::paris("");
    let lines: Vec<String> = (1..=30).map(|n| format!("address a{n}@example.com")).collect();
    club.writes("Ann", &lines.join("\n"));
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 1);
    assert!(letters[0].says("name 3 addresses a day"), "{}", letters[0].text());
    lines.iter().for_each(|line| drop(club.writes("Ann", line)));
    let (_, letters) = club.pass();
    let asked = letters.iter().filter(|letter| letter.to.ends_with("@example.com")).count();
    assert_eq!(asked, 3);
    club.now += chrono::TimeDelta::days(1);
    club.writes("Ann", &lines[10]);
    assert_eq!(club.pass().1.len(), 2);
}

#[test]
fn an_address_becomes_one_members_only_in_one_pass_too() {
    let mut club = Club::paris("");
    let mut asked = Vec::new();
    for name in ["Ann", "Bob"] {
        club.writes(name, &format!("address {NEW}"));
        asked.push(to(&club.pass().1, NEW).clone());
        club.now += chrono::TimeDelta::days(1);
    }
    asked.iter().for_each(|asked| answer(&mut club, NEW, asked, "yes"));
    let (_, letters) = club.pass();
    let told = |what: &str| letters.iter().filter(|l| l.to == NEW && l.says(what)).count();
    assert_eq!((told("from now on"), told("belongs to another member")), (1, 1));
    let members = club.context().store.members().expect("they are kept");
    let owners = members.iter().filter(|member| member.addresses.contains(&NEW.to_owned()));
    assert_eq!(owners.count(), 1);
}

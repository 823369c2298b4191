//! Board pictures in letters. They are parts of the letter itself, and each reader can switch them
//! off.

use crate::rig::letter_links::html_page;
use crate::rig::{self, Club, PostedLetter, first_letter_to};
use mail_parser::{MessageParser, MimeHeaders};
use postrider::games::find_kind;
use postrider::process;
use std::collections::BTreeMap;

/// Returns the Content-IDs and sizes of the pictures in a letter.
fn attached_pictures(letter: &PostedLetter) -> Vec<(String, usize)> {
    let parsed = MessageParser::default().parse(&letter.bytes).expect("a letter");
    let png = |part: &&mail_parser::MessagePart<'_>| {
        part.content_type().is_some_and(|kind| kind.subtype() == Some("png"))
    };
    parsed
        .parts
        .iter()
        .filter(png)
        .map(|part| {
            assert!(part.content_disposition().is_some_and(|how| how.is_inline()));
            assert!(part.contents().starts_with(b"\x89PNG"));
            (part.content_id().expect("an id").to_owned(), part.len())
        })
        .collect()
}

#[test]
fn board_picture_is_attached_and_replaces_text_board() {
    for game in ["paris-connection", "trick-of-the-rails", "off-the-rails"] {
        let club = Club::with_game("pictures: true\n", game, 3, 1);
        let letter = club.last_letter_to("Ann").expect("a letter");
        let (pictures, html) = (attached_pictures(letter), html_page(letter));
        let [(id, size)] = &pictures[..] else { panic!("{pictures:?}") };
        assert_eq!(html.matches(&format!("src=\"cid:{id}\"")).count(), 1, "{html}");
        assert!(*size < 40_000 && letter.bytes.len() < 75_000, "{size} {}", letter.bytes.len());
        assert!(letter.body_text().len() + html.len() < 20_000, "{}", html.len());
        // The plain text comes first and is complete without the picture.
        let raw = letter.raw();
        let places = ["text/plain", "multipart/related", "text/html", "image/png"];
        let found = places.map(|kind| raw.find(&format!("Content-Type: {kind}")).expect(kind));
        assert!(found.is_sorted(), "{found:?}");
        assert!(letter.body_text().contains("\nTHE "), "{}", letter.body_text());
        let (_, alt) = html.split_once("alt=\"The board. ").expect("a text for the picture");
        let (alt, _) = alt.split_once('"').expect("its end");
        assert!(alt.contains("Reply &quot;board&quot;") && alt.len() < 900, "{alt}");
    }
}

#[test]
fn jewels_that_picture_omits_are_in_words() {
    let kind = find_kind("off-the-rails").expect("it ships");
    let few = "jewels: [3, 2, 3, 2, 3, 2, 3, 2]";
    assert!(kind.shipped_definition().contains(few));
    let definition = kind.shipped_definition().replace(few, "jewels: [6, 6, 6, 6, 6, 6, 6, 6]");
    let mut club = Club::with_settings("pictures: true\n");
    club.start_game_with_definition(kind, &definition, 2, 1, &BTreeMap::new());
    club.run_pass();
    club.send_reply("Ann", "done");
    club.run_pass();
    let page = html_page(club.last_letter_to("Bob").expect("a letter"));
    assert!(page.contains("Crowded squares: "), "{page}");
}

#[test]
fn trick_picture_names_winner_until_cards_move() {
    let mut club = Club::with_tricks_game("");
    let settings = club.folder().join("club.yaml");
    for (name, orders) in [
        ("Ann", "play BO 3\ntrick 2: play NYC 1"),
        ("Bob", "play BO 4\ntrick 2: play NYC 9"),
        ("Cid", "play BO 7\ntrick 2: play NYC 10"),
    ] {
        if name == "Cid" {
            let text = std::fs::read_to_string(&settings).expect("settings");
            let drawn = text.replace("pictures: false", "pictures: true");
            std::fs::write(&settings, drawn).expect("written");
        }
        club.send_reply(name, orders);
        club.run_pass();
    }
    let letter = club.last_letter_to("Ann").expect("a letter");
    assert_eq!(attached_pictures(letter).len(), 1, "{}", letter.body_text());
    assert!(html_page(letter).contains("It won the trick."), "{}", html_page(letter));
}

#[test]
fn reader_without_pictures_gets_board_in_words() {
    let mut club = Club::with_paris_game("pictures: true\n");
    let with = html_page(club.last_letter_to("Ann").expect("a letter"));
    assert!(!with.contains("Br3"), "the text board is not there besides");
    for (line, has_page) in [("letters picture off", true), ("letters text", false)] {
        club.send_reply("Ann", &format!("{line}\nboard"));
        let (_, letters) = club.run_pass();
        let letter = first_letter_to(&letters, "Ann");
        assert_eq!(
            (attached_pictures(letter).len(), html_page(letter).contains("The board")),
            (0, has_page)
        );
        assert!(letter.body_text().contains("Br3"));
    }
    club.send_reply("Ann", "letters html\nletters picture on\nboard");
    let (_, letters) = club.run_pass();
    assert_eq!(attached_pictures(first_letter_to(&letters, "Ann")).len(), 1);
}

#[test]
fn answer_after_own_turn_shows_no_picture() {
    let mut club = Club::with_paris_game("pictures: true\n");
    club.set_preference("Cid", "board narrow");
    for (name, order, shows_board) in [
        ("Ann", "build red G23, Troyes", false),
        ("Bob", "build black F24\nboard", true),
        // A reader of narrow text always gets the position in words.
        ("Cid", "build blue H20", true),
    ] {
        club.send_reply(name, order);
        let (_, letters) = club.run_pass();
        let letter = first_letter_to(&letters, name);
        let (page, text) = (html_page(letter), letter.body_text());
        assert!(text.contains("Done!") && text.contains("THE BOARD"), "{name}: {text}");
        assert_eq!(page.contains("The board"), shows_board, "{name}: {page}");
        assert_eq!(attached_pictures(letter).len(), usize::from(shows_board), "{name}");
    }
}

#[test]
fn digest_shows_pictures_of_most_urgent_games() {
    let mut club = Club::with_settings("pictures: true\n");
    for _ in 1..=4 {
        club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    }
    club.run_pass();
    process::change_member_setting(&club.open_context(), &rig::address("Bob"), "letters digest")
        .expect("set");
    for game in 0..4 {
        let first = club.transport.posted[game * 3].clone();
        let line = ["build red G23", "build red H22", "build red H20", "build blue H20"][game];
        let letter = club.compose_reply_to("Ann", &first, line);
        club.deliver(letter);
    }
    let (_, letters) = club.run_pass();
    let letter = first_letter_to(&letters, "Bob");
    let pictures = attached_pictures(letter);
    assert_eq!(pictures.len(), 3, "{pictures:?}");
    let html = html_page(letter);
    assert!(pictures.iter().all(|(id, _)| html.contains(&format!("src=\"cid:{id}\""))));
    assert_eq!(html.matches("<img").count(), 3);
    // The letter also describes each game's board in words.
    assert_eq!(html.matches(">The board</h2>").count(), 4);
}

#[test]
fn retried_letter_has_the_same_picture() {
    let posted = |fails: bool| {
        let mut club = Club::with_paris_game("pictures: true\n");
        club.send_reply("Ann", "build red G23, Troyes");
        if fails {
            club.transport.error =
                Some(postrider::mail::transport::PostError::Temporary("no".to_owned()));
            club.run_pass();
            club.transport.error = None;
        }
        club.run_pass();
        attached_pictures(club.last_letter_to("Bob").expect("a letter"))
    };
    assert_eq!(posted(false), posted(true));
}

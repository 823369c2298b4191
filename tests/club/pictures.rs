//! Boards as pictures in letters: parts of the letter itself, for who wants them.

use crate::rig::{self, Club, Posted, to};
use mail_parser::{MessageParser, MimeHeaders, PartType};
use postrider::games::kind;
use postrider::process;

/// The Content-IDs and sizes of the pictures in a letter.
fn pictures(letter: &Posted) -> Vec<(String, usize)> {
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

/// The page of a letter.
fn page(letter: &Posted) -> String {
    let parsed = MessageParser::default().parse(&letter.bytes).expect("a letter");
    let html = parsed.parts.iter().find_map(|part| match &part.body {
        PartType::Html(html) => Some(html.clone().into_owned()),
        _ => None,
    });
    html.unwrap_or_default()
}

#[test]
fn the_board_is_a_part_of_the_letter_and_stands_in_place_of_the_text_board() {
    for game in ["paris-connection", "trick-of-the-rails", "off-the-rails"] {
        let club = Club::session("pictures: true\n", game, 3, 1);
        let letter = club.last_to("Ann").expect("a letter");
        let (shown, html) = (pictures(letter), page(letter));
        let [(id, size)] = &shown[..] else { panic!("{shown:?}") };
        assert_eq!(html.matches(&format!("src=\"cid:{id}\"")).count(), 1, "{html}");
        assert!(*size < 40_000 && letter.bytes.len() < 75_000, "{size} {}", letter.bytes.len());
        assert!(letter.text().len() + html.len() < 20_000, "{}", html.len());
        // The plain text comes first and says all of it by itself.
        let raw = letter.raw();
        let places = ["text/plain", "multipart/related", "text/html", "image/png"];
        let found = places.map(|kind| raw.find(&format!("Content-Type: {kind}")).expect(kind));
        assert!(found.is_sorted(), "{found:?}");
        assert!(letter.text().contains("\nTHE "), "{}", letter.text());
        assert!(html.contains("alt=\"The board as a picture."), "{html}");
    }
}

#[test]
fn while_the_cards_of_a_trick_go_to_the_railways_its_picture_tells_who_has_won_it() {
    let mut club = Club::tricks("");
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
        club.writes(name, orders);
        club.pass();
    }
    let letter = club.last_to("Ann").expect("a letter");
    assert_eq!(pictures(letter).len(), 1, "{}", letter.text());
    assert!(page(letter).contains("It has won the trick."), "{}", page(letter));
}

#[test]
fn who_wants_no_pictures_has_the_board_in_words() {
    let mut club = Club::paris("pictures: true\n");
    let with = page(club.last_to("Ann").expect("a letter"));
    assert!(!with.contains("Br3"), "the text board is not there besides");
    for (line, has_page) in [("letters picture off", true), ("letters text", false)] {
        club.writes("Ann", &format!("{line}\nboard"));
        let (_, letters) = club.pass();
        let letter = to(&letters, "Ann");
        assert_eq!((pictures(letter).len(), page(letter).contains("The board")), (0, has_page));
        assert!(letter.text().contains("Br3"));
    }
    club.writes("Ann", "letters html\nletters picture on\nboard");
    let (_, letters) = club.pass();
    assert_eq!(pictures(to(&letters, "Ann")).len(), 1);
}

#[test]
fn a_letter_of_several_games_shows_those_with_the_least_time_left() {
    let mut club = Club::with("pictures: true\n");
    for _ in 1..=4 {
        club.found(kind("paris-connection").expect("it ships"), 3, 7);
    }
    club.pass();
    process::set_member(&club.context(), &rig::address("Bob"), "letters digest").expect("set");
    for game in 0..4 {
        let first = club.pigeon.posted[game * 3].clone();
        let line = ["build red G23", "build red H22", "build red H20", "build blue H20"][game];
        let letter = club.reply_to("Ann", &first, line);
        club.arrives(letter);
    }
    let (_, letters) = club.pass();
    let letter = to(&letters, "Bob");
    let shown = pictures(letter);
    assert_eq!(shown.len(), 3, "{shown:?}");
    let html = page(letter);
    assert!(shown.iter().all(|(id, _)| html.contains(&format!("src=\"cid:{id}\""))));
    assert_eq!(html.matches("<img").count(), 3);
    // Each game's board stands there in words too.
    assert_eq!(html.matches(">The board</h2>").count(), 4);
}

#[test]
fn the_same_letter_has_the_same_picture_however_often_it_is_tried() {
    let posted = |fails: bool| {
        let mut club = Club::paris("pictures: true\n");
        club.writes("Ann", "build red G23, Troyes");
        if fails {
            club.pigeon.fails = Some(postrider::mail::transport::PostError::Later("no".to_owned()));
            club.pass();
            club.pigeon.fails = None;
        }
        club.pass();
        pictures(club.last_to("Bob").expect("a letter"))
    };
    assert_eq!(posted(false), posted(true));
}

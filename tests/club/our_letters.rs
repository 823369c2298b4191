//! Our own letters, as mail programs and servers meet them: nothing in them harms anybody.

use crate::rig::tapped::{links, shows_mark};
use crate::rig::{Club, to};
use postrider::mail::Letter;
use postrider::process;

/// A club with a game that Ann has begun, all letters posted.
fn club() -> Club {
    let mut club = Club::paris("");
    club.writes("Ann", "build red G23, Troyes");
    club.pass();
    assert_eq!(club.pigeon.posted.len(), 6);
    club
}

#[test]
fn our_own_letters_fed_back_yield_nothing() {
    let mut club = club();
    club.arrives("From: x@example.net\r\nTo: games@example.org\r\n\r\nhello\r\n");
    club.arrives("rubbish");
    club.pass();
    let all = club.pigeon.posted.clone();
    assert_eq!(all.len(), 8);
    for letter in &all {
        club.arrives(&letter.bytes);
    }
    let (report, letters) = club.pass();
    assert_eq!((report.read, report.carried_out, letters.len()), (8, 0, 0));
}

#[test]
fn a_mark_stands_in_the_reply_address_and_in_links_alone() {
    for settings in ["", "plus_addressing: false\n"] {
        let club = Club::paris(settings);
        for letter in &club.pigeon.posted {
            letter.check();
            let marked = if settings.is_empty() { "Reply-To" } else { "Subject" };
            let in_head = ["Reply-To", "Subject"].map(|name| letter.header(name));
            let marks = in_head.iter().flatten().filter(|value| shows_mark(value)).count();
            assert_eq!(marks, 1);
            assert!(shows_mark(&letter.header(marked).expect("one")), "{}", letter.raw());
            assert!(links(letter).iter().all(|link| shows_mark(&link.href.replace("%5D", "]"))));
            assert!(!links(letter).is_empty(), "{}", letter.raw());
        }
    }
}

#[test]
fn every_letter_has_one_reader_and_the_marks_of_a_program() {
    for letter in club().pigeon.posted {
        let read = Letter::read(&letter.bytes).expect("a letter");
        assert_eq!(read.recipients, [letter.to.as_str()]);
        assert!(read.automatic.is_some());
        for name in ["Auto-Submitted", "X-Postrider", "List-Id"] {
            assert!(letter.header(name).is_some(), "{name}");
        }
        assert!(letter.header("Cc").or(letter.header("Bcc")).is_none());
    }
}

#[test]
fn the_html_of_a_letter_loads_nothing() {
    let illustrated = Club::paris("pictures: true\n");
    for letter in illustrated.pigeon.posted.into_iter().chain(club().pigeon.posted) {
        let whole = String::from_utf8(letter.bytes).expect("text").replace("=\r\n", "");
        let (_, html) = whole.split_once("text/html").expect("there is HTML");
        let (html, parts) = html.split_once("</html>").expect("it ends");
        // But for what is a part of the same letter.
        let mut html = html.to_lowercase();
        while let Some((before, shown)) = html.split_once("<img src=\"cid:") {
            let (id, after) = shown.split_once('"').expect("an id");
            assert!(parts.contains(&format!("Content-ID: <{id}>")), "{id}: {parts}");
            html = format!("{before}{after}");
        }
        for word in ["<script", "<img", "<link", "<iframe", "http:", "https:", "url(", "src="] {
            assert!(!html.contains(word), "{word}: {html}");
        }
    }
}

#[test]
fn the_date_in_a_letter_counts_for_nothing() {
    for date in ["Fri, 1 Jan 1999 00:00:00 +0000", "Fri, 1 Jan 2100 00:00:00 +0000", "never"] {
        let mut club = Club::paris("");
        let letter = club.reply("Ann", "build red G23, Troyes");
        club.arrives(letter.replace("Subject:", &format!("Date: {date}\r\nSubject:")));
        let received = club.now;
        assert_eq!(club.pass().0.carried_out, 1);
        let session = process::open_game(&club.context(), 1).expect("it opens");
        assert_eq!(session.table.records().last().map(|record| record.at), Some(received));
    }
}

#[test]
fn what_a_player_writes_is_never_a_template() {
    let mut club = club();
    club.writes("Bob", "build {{ 6 * 7 }} {% raw %} { $name }");
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 1);
    assert!(to(&letters, "Bob").says("build {{ 6 * 7 }} {% raw %} { $name }"));
    // Nor is it to who reads what he says, in text or HTML.
    club.writes("Bob", "say {{ 6 * 7 }} {% raw %} { $name } <blink>");
    let (_, letters) = club.pass();
    let ann = to(&letters, "Ann");
    assert!(ann.says("{{ 6 * 7 }} {% raw %} { $name } <blink>"), "{}", ann.text());
    assert!(!ann.raw().split_once("text/html").expect("a page").1.contains("<blink>"));
}

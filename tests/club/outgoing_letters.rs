//! The club's own letters as mail programs and servers see them: their headers, reply tokens and
//! HTML are harmless.

use crate::rig::letter_links::{has_reply_token, html_page, links};
use crate::rig::{Club, assert_letter_valid, first_letter_to};
use postrider::mail::Letter;
use postrider::process;

/// Creates a club with a game in which Ann has played her first turn.
fn club_after_one_turn() -> Club {
    let mut club = Club::with_paris_game("");
    club.send_reply("Ann", "build red G23, Troyes");
    club.run_pass();
    assert_eq!(club.transport.posted.len(), 6);
    club
}

#[test]
fn own_letters_fed_back_are_ignored() {
    let mut club = club_after_one_turn();
    club.deliver("From: x@example.net\r\nTo: games@example.org\r\n\r\nhello\r\n");
    club.deliver("rubbish");
    club.run_pass();
    let all = club.transport.posted.clone();
    assert_eq!(all.len(), 8);
    for letter in &all {
        club.deliver(&letter.bytes);
    }
    let (report, letters) = club.run_pass();
    assert_eq!((report.letters_read, report.carried_out, letters.len()), (8, 0, 0));
}

#[test]
fn reply_token_appears_only_in_header_and_links() {
    for settings in ["", "plus_addressing: false\n"] {
        let club = Club::with_paris_game(settings);
        for letter in &club.transport.posted {
            assert_letter_valid(letter);
            let token_header = if settings.is_empty() { "Reply-To" } else { "Subject" };
            let in_head = ["Reply-To", "Subject"].map(|name| letter.header(name));
            let token_count =
                in_head.iter().flatten().filter(|value| has_reply_token(value)).count();
            assert_eq!(token_count, 1);
            assert!(
                has_reply_token(&letter.header(token_header).expect("one")),
                "{}",
                letter.raw()
            );
            assert!(
                links(letter).iter().all(|link| has_reply_token(&link.href.replace("%5D", "]")))
            );
            assert!(!links(letter).is_empty(), "{}", letter.raw());
        }
    }
}

#[test]
fn letters_have_one_recipient_and_automatic_headers() {
    for letter in club_after_one_turn().transport.posted {
        let read = Letter::parse(&letter.bytes).expect("a letter");
        assert_eq!(read.recipients, [letter.to.as_str()]);
        assert!(read.automatic.is_some());
        for name in ["Auto-Submitted", "X-Postrider", "List-Id"] {
            assert!(letter.header(name).is_some(), "{name}");
        }
        assert!(letter.header("Cc").or(letter.header("Bcc")).is_none());
    }
}

#[test]
fn html_part_loads_no_external_content() {
    let illustrated = Club::with_paris_game("pictures: true\n");
    for letter in
        illustrated.transport.posted.into_iter().chain(club_after_one_turn().transport.posted)
    {
        let html = html_page(&letter);
        let parts = String::from_utf8(letter.bytes).expect("text");
        // Images may be parts of the letter itself.
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
fn date_header_is_ignored() {
    for date in ["Fri, 1 Jan 1999 00:00:00 +0000", "Fri, 1 Jan 2100 00:00:00 +0000", "never"] {
        let mut club = Club::with_paris_game("");
        let letter = club.compose_reply("Ann", "build red G23, Troyes");
        club.deliver(letter.replace("Subject:", &format!("Date: {date}\r\nSubject:")));
        let received = club.now;
        assert_eq!(club.run_pass().0.carried_out, 1);
        let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
        assert_eq!(session.table.records().last().map(|record| record.at), Some(received));
    }
}

#[test]
fn player_text_is_never_expanded_as_template() {
    let mut club = club_after_one_turn();
    club.send_reply("Bob", "build {{ 6 * 7 }} {% raw %} { $name }");
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 1);
    assert!(first_letter_to(&letters, "Bob").contains("build {{ 6 * 7 }} {% raw %} { $name }"));
    // Other readers of the player's text also get it unexpanded, in text and HTML.
    club.send_reply("Bob", "say {{ 6 * 7 }} {% raw %} { $name } <blink>");
    let (_, letters) = club.run_pass();
    let ann = first_letter_to(&letters, "Ann");
    assert!(ann.contains("{{ 6 * 7 }} {% raw %} { $name } <blink>"), "{}", ann.body_text());
    assert!(!ann.raw().split_once("text/html").expect("a page").1.contains("<blink>"));
}

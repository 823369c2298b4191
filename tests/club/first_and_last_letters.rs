//! Tests the first letters to a newcomer, and the last letters of a game.

use crate::playthroughs;
use crate::rig::{Club, NAMES, PostedLetter, address, first_letter_to, letter_links};
use chrono::TimeDelta;
use postrider::games::find_kind;

/// Returns the order line that a letter shows under YOUR FIRST TURN.
fn taught_order_line(letter: &PostedLetter) -> Option<String> {
    let text = letter.body_text();
    let (_, taught) = text.split_once("YOUR FIRST TURN\n")?;
    let below = taught.lines().skip_while(|line| !line.ends_with("For example:")).nth(1)?;
    Some(below.trim().to_owned())
}

/// Returns a player who is on turn, and that player's last letter.
fn awaited_player_and_letter(club: &Club) -> (String, PostedLetter) {
    let is_asked = |name: &&&str| club.last_text_to(name).contains("It's your turn.");
    let name = NAMES.iter().find(is_asked).expect("somebody");
    ((*name).to_owned(), club.last_letter_to(name).expect("a letter").clone())
}

#[test]
fn first_turn_letter_shows_usable_order_line() {
    for game in ["paris-connection", "trick-of-the-rails", "off-the-rails"] {
        let mut club = Club::with_game("", game, 3, 2);
        let (name, letter) = awaited_player_and_letter(&club);
        let line = taught_order_line(&letter).unwrap_or_else(|| panic!("{}", letter.body_text()));
        assert!(
            letter.contains("Reply \"help\" for all orders") && letter.contains("mod@example.org")
        );
        for other in NAMES.iter().take(3).filter(|other| ***other != *name) {
            assert_eq!(
                taught_order_line(club.last_letter_to(other).expect("a letter")),
                None,
                "{other} is not on turn"
            );
        }
        // The line is shown once. Answers to a wrong letter suggest corrections instead.
        club.send_reply(&name, "what do I do?");
        club.run_pass();
        assert_eq!(
            taught_order_line(club.last_letter_to(&name).expect("an answer")),
            None,
            "{game}"
        );
        club.send_reply(&name, &format!("preview\n{line}"));
        club.run_pass();
        assert_eq!(club.record_count(), 1);
        club.send_reply(&name, &line);
        assert_eq!(club.run_pass().0.carried_out, 1, "{line}: {}", club.last_text_to(&name));
        assert_eq!(
            taught_order_line(club.last_letter_to(&name).expect("a letter")),
            None,
            "{game}"
        );
    }
}

#[test]
fn third_game_letter_has_no_sample_order() {
    let mut club = Club::with_settings("");
    for _ in 0..3 {
        club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    }
    let (_, letters) = club.run_pass();
    let anns: Vec<bool> = letters
        .iter()
        .filter(|letter| letter.to == address("Ann"))
        .map(|letter| taught_order_line(letter).is_some())
        .collect();
    assert_eq!(anns, [true, true, false]);
}

const PLAY_LINK: &str = "https://plays.example.org/new?item=1&date={date}&players={players}";

/// Plays a recorded game to its end, with pictures in the last letters only, as they are slow.
fn play_playthrough(name: &str) -> Club {
    let (mut club, letters) = playthroughs::load_playthrough(name);
    club.run_pass();
    let waits = letters.len() / 3;
    for (at, (from, body)) in letters.iter().enumerate() {
        if at == waits {
            club.now += TimeDelta::hours(50);
        }
        if at + 6 == letters.len() {
            let settings = club.folder().join("club.yaml");
            let text = std::fs::read_to_string(&settings).expect("settings");
            let text = text.replace("pictures: false", "pictures: true");
            let text = format!("{text}\nlog_plays: {{paris-connection: \"{PLAY_LINK}\"}}\n");
            std::fs::write(&settings, text).expect("settings");
        }
        club.send_reply(from, body);
        club.run_pass();
    }
    club
}

#[test]
fn final_letter_explains_scores_and_next_steps() {
    let mut club = play_playthrough("paris-connection-3");
    let is_last =
        |letter: &&PostedLetter| letter.to == address("Bob") && letter.contains("THE RESULT");
    let letter = club.transport.posted.iter().find(is_last).expect("an end").clone();
    let text = letter.body_text();
    let result = text.split("THE RESULT\n").nth(1).expect("a result");
    let result: String = result.split("\n\n").next().expect("its part").to_owned();
    assert!(letter_links::html_page(&letter).contains("<img"), "the scores are drawn");
    let course = text.split("HOW THE SCORES WENT\n").nth(1).expect("a course");
    let course: String = course.split("\n\nAFTERWARDS").next().expect("its part").to_owned();
    // The course of the scores ends with the result of each seat.
    for who in ["Ann", "You", "Cid"] {
        let scored = |part: &str, sign: char| {
            let flat = part.split_whitespace().collect::<Vec<_>>().join(" ");
            let of = flat.split(&format!("{who}: ")).nth(1).expect(who).to_owned();
            let end = of.find(sign).unwrap_or(of.len());
            of[..end].trim().to_owned()
        };
        let total = scored(&result, '(');
        let last_score = course
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .split(&format!("{who}: "))
            .nth(1)
            .and_then(|of| of.split(" and ").nth(1)?.split(' ').next().map(str::to_owned));
        assert_eq!(last_score, Some(total), "{who}: {text}");
    }
    assert!(letter.contains("The longest wait was 2 days, for "), "{text}");
    assert!(letter.contains("\"postrider export 1\"") && letter.contains("\"postrider verify\""));
    assert!(letter.contains("Reply \"rematch\""));
    let link = "https://plays.example.org/new?item=1&date=2026-01-08&players=3";
    let text = letter.body_text();
    assert!(text.contains(&format!("\n  {link}\n")), "{text}");
    let html = letter_links::html_page(&letter);
    let anchor = format!("<a href=\"{}\">", link.replace('&', "&amp;"));
    assert!(html.replace("&#x2f;", "/").contains(&anchor), "{html}");
    assert_eq!(text.matches("plays.example.org").count(), 1, "{text}");
    club.send_reply("Bob", "rematch");
    let (_, letters) = club.run_pass();
    assert!(
        first_letter_to(&letters, "Bob").contains("is open. It starts"),
        "{}",
        first_letter_to(&letters, "Bob").body_text()
    );
    // Before the end, no letter shows how the scores went.
    let earlier = club.transport.posted.iter().filter(|l| !l.contains("The game is over."));
    assert!(earlier.into_iter().all(|l| !l.contains("HOW THE SCORES WENT")));
}

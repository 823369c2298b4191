//! The first letters of a newcomer, which teach, and the last ones of a game, which sum it up.

use crate::playthroughs;
use crate::rig::{Club, NAMES, Posted, address, tapped, to};
use chrono::TimeDelta;
use postrider::games::kind;

/// The line of orders that a letter teaches.
fn sample(letter: &Posted) -> Option<String> {
    let text = letter.text();
    let (_, taught) = text.split_once("YOUR FIRST TURN\n")?;
    let below = taught.lines().skip_while(|line| !line.ends_with("legal just now:")).nth(1)?;
    Some(below.trim().to_owned())
}

/// Who is asked for orders, with the letter that asks.
fn asked(club: &Club) -> (String, Posted) {
    let is_asked = |name: &&&str| club.last_text(name).contains("It is your turn.");
    let name = NAMES.iter().find(is_asked).expect("somebody");
    ((*name).to_owned(), club.last_to(name).expect("a letter").clone())
}

#[test]
fn a_newcomers_first_turn_shows_a_line_that_can_be_sent_as_it_stands() {
    for game in ["paris-connection", "trick-of-the-rails", "off-the-rails"] {
        let mut club = Club::session("", game, 3, 2);
        let (name, letter) = asked(&club);
        let line = sample(&letter).unwrap_or_else(|| panic!("{}", letter.text()));
        assert!(letter.says("The word \"help\" alone brings") && letter.says("mod@example.org"));
        for other in NAMES.iter().take(3).filter(|other| ***other != *name) {
            assert_eq!(sample(club.last_to(other).expect("a letter")), None, "{other} waits");
        }
        // It is taught once; what was wrong with his letter says itself what would be right.
        club.writes(&name, "what do I do?");
        club.pass();
        assert_eq!(sample(club.last_to(&name).expect("an answer")), None, "{game}");
        club.writes(&name, &format!("preview\n{line}"));
        club.pass();
        assert_eq!(club.head(), 1);
        club.writes(&name, &line);
        assert_eq!(club.pass().0.carried_out, 1, "{line}: {}", club.last_text(&name));
        assert_eq!(sample(club.last_to(&name).expect("a letter")), None, "{game}");
    }
}

#[test]
fn nobody_is_taught_in_his_third_game() {
    let mut club = Club::with("");
    for _ in 0..3 {
        club.found(kind("paris-connection").expect("it ships"), 3, 7);
    }
    let (_, letters) = club.pass();
    let anns: Vec<bool> = letters
        .iter()
        .filter(|letter| letter.to == address("Ann"))
        .map(|letter| sample(letter).is_some())
        .collect();
    assert_eq!(anns, [true, true, false]);
}

/// A whole game as it is written down. Only its last letters have pictures, which take long to
/// draw.
fn played_out(name: &str) -> Club {
    let (mut club, letters) = playthroughs::of_file(name);
    club.pass();
    let waits = letters.len() / 3;
    for (at, (from, body)) in letters.iter().enumerate() {
        if at == waits {
            club.now += TimeDelta::hours(50);
        }
        if at + 6 == letters.len() {
            let settings = club.folder().join("club.yaml");
            let text = std::fs::read_to_string(&settings).expect("settings");
            let text = text.replace("pictures: false", "pictures: true");
            std::fs::write(&settings, text).expect("settings");
        }
        club.writes(from, body);
        club.pass();
    }
    club
}

#[test]
fn the_last_letter_takes_the_scores_apart_and_tells_what_can_be_done_now() {
    let mut club = played_out("paris-connection-3");
    let is_last = |letter: &&Posted| letter.to == address("Bob") && letter.says("THE RESULT");
    let letter = club.pigeon.posted.iter().find(is_last).expect("an end").clone();
    let text = letter.text();
    let result = text.split("THE RESULT\n").nth(1).expect("a result");
    let result: String = result.split("\n\n").next().expect("its part").to_owned();
    assert!(tapped::page(&letter).contains("<img"), "the scores are drawn");
    let course = text.split("HOW THE SCORES WENT\n").nth(1).expect("a course");
    let course: String = course.split("\n\nAFTERWARDS").next().expect("its part").to_owned();
    // The course ends with the result, seat by seat.
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
    assert!(letter.says("The longest wait was 2 days, for "), "{text}");
    assert!(letter.says("\"postrider export 1\"") && letter.says("\"postrider verify\""));
    assert!(letter.says("answer this letter with \"rematch\""));
    club.writes("Bob", "rematch");
    let (_, letters) = club.pass();
    assert!(to(&letters, "Bob").says("is on the table"), "{}", to(&letters, "Bob").text());
    // Before the end nobody is told what others would have scored.
    let earlier = club.pigeon.posted.iter().filter(|l| !l.says("The game is over."));
    assert!(earlier.into_iter().all(|l| !l.says("HOW THE SCORES WENT")));
}

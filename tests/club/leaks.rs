//! Tests that no letter to a player depends on facts that the player cannot know.

use crate::common::sample_or_all;
use crate::rig::{self, Club, PostedLetter, first_letter_to};
use postrider::club::{Intervention, Member, Notes, Question};
use postrider::games::{GAMES, find_kind};
use postrider::process;
use postrider::render::{
    GameLetter, Library, MailtoLinks, Occasion, Page, RenderedLetter, SubjectParts,
};
use postrider::rules::{Dice, GameKind, Message, Seat, Seed, Viewer};
use postrider::table::{
    GameSetup, OrderLine, Preview, QueuedOrders, RehearsalMode, Submission, Table, Verdict,
    rehearse,
};
use std::collections::BTreeMap;

/// The games that have leak tests here and in `twin_clubs.rs`.
const TESTED_GAMES: [&str; 3] = ["off-the-rails", "paris-connection", "trick-of-the-rails"];

type OptionPairs = &'static [(&'static str, &'static str)];

/// Games with options under which they hide other facts than by default.
const OPTION_SETS: [(&str, u8, OptionPairs); 6] = [
    ("off-the-rails", 2, &[("cut", "interactive")]),
    ("off-the-rails", 3, &[("cut", "interactive"), ("drop", "half_up"), ("length", "very_short")]),
    ("off-the-rails", 4, &[("abyss_die", "true"), ("length", "very_short")]),
    ("off-the-rails", 2, &[("bumpers", "true"), ("bumper_head_on", "full"), ("length", "long")]),
    ("trick-of-the-rails", 4, &[("expert_lane", "true"), ("teams", "true")]),
    ("paris-connection", 3, &[("stall_after_trades", "20")]),
];

#[test]
fn every_game_has_leak_tests() {
    let mut games: Vec<_> = GAMES.iter().map(|kind| kind.id()).collect();
    games.sort_unstable();
    assert_eq!(games, TESTED_GAMES);
}

#[test]
fn off_the_rails_letters_hide_secrets() {
    assert_letters_hide_secrets("off-the-rails");
}

#[test]
fn paris_connection_letters_hide_secrets() {
    assert_letters_hide_secrets("paris-connection");
}

#[test]
fn trick_of_the_rails_letters_hide_secrets() {
    assert_letters_hide_secrets("trick-of-the-rails");
}

fn assert_letters_hide_secrets(game: &str) {
    let library = Library::embedded().expect("the words are in the binary");
    let kind = find_kind(game).expect("it ships");
    for seats in kind.allowed_seat_counts() {
        for seed in 0..sample_or_all(1, 2) {
            assert_game_hides_secrets(&library, &rehearse_whole_game(kind, seats, &[], seed));
        }
    }
}

#[test]
fn off_the_rails_options_hide_secrets() {
    assert_options_hide_secrets(|game| game == "off-the-rails");
}

#[test]
fn other_games_options_hide_secrets() {
    assert_options_hide_secrets(|game| game != "off-the-rails");
}

fn assert_options_hide_secrets(is_tested: impl Fn(&str) -> bool) {
    let library = Library::embedded().expect("the words are in the binary");
    for (name, seats, options) in OPTION_SETS.into_iter().filter(|(name, ..)| is_tested(name)) {
        for seed in 5..sample_or_all(6, 7) {
            assert_game_hides_secrets(
                &library,
                &rehearse_whole_game(find_kind(name).expect("it ships"), seats, options, seed),
            );
        }
    }
}

fn rehearse_whole_game(
    kind: &dyn GameKind,
    seats: u8,
    options: &[(&str, &str)],
    seed: u64,
) -> Table {
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let options: BTreeMap<String, String> = options.iter().map(own).collect();
    let setup = GameSetup { kind, definition: kind.shipped_definition(), options: &options, seats };
    rehearse(setup, 1, seed, 20_000, RehearsalMode::SingleOrders).expect("a whole game").table
}

fn assert_game_hides_secrets(library: &Library, whole: &Table) {
    let steps = (whole.last_record_number() / sample_or_all(4, 5)).max(1);
    let mut planned = 0;
    let seats = whole.founding().seats;
    for (position, seq) in (1..whole.last_record_number()).step_by(steps as usize).enumerate() {
        let table = whole.at_record(seq).expect("an earlier position");
        // A sample tests one seat at each position, and the next seat at the next position.
        let is_in_sample = |seat: &Seat| seat.index() == position % usize::from(seats);
        for seat in Seat::all(seats).filter(|seat| sample_or_all(is_in_sample(seat), true)) {
            planned += usize::from(assert_redeal_changes_nothing(library, &table, seat));
        }
    }
    assert!(planned > 0, "{}: no seat had plans", whole.founding().game);
    // A player can also ask for everything after the end.
    render_all_letters(library, whole, Seat::new(1), &QueuedOrders::default());
}

/// Checks that a redeal of what the seat cannot know changes no letter. Returns whether it had
/// plans.
fn assert_redeal_changes_nothing(library: &Library, table: &Table, seat: Seat) -> bool {
    let of =
        format!("{}, record {}, seat {seat}", table.founding().game, table.last_record_number());
    let mut dice = Dice::new(&Seed::from_number(table.last_record_number().into()), 0);
    let letters = possible_letters(table, seat, &mut dice);
    let plans = queued_orders_after(table, seat, &letters);
    let other = table.redeal(Viewer::Seat(seat), &mut dice).expect("redealt");
    let other = other.with_different_dice(&mut dice);
    let answers = |table: &Table| answers_to_letters(table, seat, &letters, &plans);
    assert_eq!(answers(table), answers(&other), "{of}");
    let rendered_letters = |table: &Table| render_all_letters(library, table, seat, &plans);
    let (seen, again) = (rendered_letters(table), rendered_letters(&other));
    assert_eq!(seen.len(), again.len());
    for (a, b) in seen.iter().zip(again) {
        assert_eq!(a.subject, b.subject, "{of}");
        assert_eq!(a.text, b.text, "{of}");
        assert_eq!(a.html, b.html, "{of}");
    }
    plans != QueuedOrders::default()
}

/// Returns the plans that the seat would have after these letters.
fn queued_orders_after(table: &Table, seat: Seat, letters: &[Vec<String>]) -> QueuedOrders {
    let mut plans = QueuedOrders::default();
    for lines in letters {
        let (lines, seen) = (number_lines(lines), table.last_record_number());
        let letter =
            Submission { seat, lines: &lines, seen_record: seen, letter: None, queued: &plans };
        // A record ends the plans made before it, so letters that lead to one are left out.
        match table.submit(&letter, table.founding().at) {
            Verdict::Accepted { table: after, queued: kept, .. }
                if after.last_record_number() == seen =>
            {
                plans = kept;
            }
            _ => {}
        }
    }
    plans
}

fn number_lines(lines: &[String]) -> Vec<OrderLine> {
    (1..).zip(lines).map(|(number, text)| OrderLine::new(number, text.clone())).collect()
}

/// Returns letters that the seat could send now: legal and illegal ones, with orders and plans.
fn possible_letters(table: &Table, seat: Seat, dice: &mut Dice) -> Vec<Vec<String>> {
    let mut letters = vec![vec!["no such order 9".to_owned()], vec!["auto forced on".to_owned()]];
    letters.push(table.game().random_plan_lines(seat, dice));
    for _ in 0..3 {
        let (mut ahead, mut lines) = (table.game().clone_box(), Vec::new());
        let mut thrown = Dice::new(&Seed::from_number(8), 0);
        while let Some((line, _)) = ahead.play_random_line(seat, dice, &mut thrown) {
            lines.push(line);
            if dice.roll_below(3) == 0 {
                break;
            }
        }
        letters.push(lines.clone());
        lines.push(table.game().line_for_absent_player(seat));
        letters.push([lines.clone(), vec!["done".to_owned()]].concat());
        lines.push("no such order 9".to_owned());
        letters.push(lines);
    }
    letters.retain(|lines| !lines.is_empty());
    letters
}

/// Returns the refusals and previews of these letters, and the orders that the game would give.
fn answers_to_letters(
    table: &Table,
    seat: Seat,
    letters: &[Vec<String>],
    plans: &QueuedOrders,
) -> Vec<String> {
    let ask = |lines: &Vec<String>| {
        let lines = number_lines(lines);
        [table.last_record_number(), table.last_record_number().saturating_sub(2)].map(|seen| {
            let letter =
                Submission { seat, lines: &lines, seen_record: seen, letter: None, queued: plans };
            let verdict = match table.submit(&letter, table.founding().at) {
                Verdict::Refused(refused) => format!("{refused:?}"),
                // The result of a record depends on chance. An answer without a record must not.
                Verdict::Accepted { table: after, queued: plans, remarks, .. }
                    if after.last_record_number() == table.last_record_number() =>
                {
                    format!("{plans:?}\n{remarks:?}")
                }
                Verdict::Accepted { .. } => String::new(),
            };
            format!("{:?}\n{verdict}", table.preview(&letter).expect("a preview"))
        })
    };
    let done = [table.game().only_legal_line(seat), table.game().implied_final_line(seat)];
    letters.iter().flat_map(ask).chain(done.map(|line| format!("{line:?}"))).collect()
}

fn new_reader(ascii: bool) -> Member {
    let (name, language) = ("Ann".to_owned(), "en".to_owned());
    Member { id: 1, name, language, ascii, ..Member::default() }
}

/// Returns one occasion of each kind for which the seat could get a letter now, with the number of
/// the last record that its player has seen, and the questions.
fn all_occasions(
    table: &Table,
    seat: Seat,
    plans: &QueuedOrders,
) -> [(Occasion, u32, &'static [Question]); 8] {
    let line = OrderLine::new(1, "no such order".to_owned());
    let lines = std::slice::from_ref(&line);
    let submission = Submission {
        seat,
        lines,
        seen_record: table.last_record_number(),
        letter: None,
        queued: plans,
    };
    let Verdict::Refused(refused) = table.submit(&submission, table.founding().at) else {
        panic!("an order that is none was carried out");
    };
    let (outcome, events) = match table
        .preview(&Submission { lines: &default_order_lines(table, seat), ..submission })
    {
        Ok(Preview::Accepted { outcome, events, .. }) => (outcome, events),
        other => (vec![Message::new("game-over").with("told", format!("{other:?}"))], Vec::new()),
    };
    let (lines, remarks, last) = (lines.to_vec(), Vec::new(), table.last_record_number());
    let accepted = Occasion::Accepted { lines: lines.clone(), remarks: remarks.clone() };
    let planned = Occasion::Planned { lines: lines.clone(), remarks: outcome.clone() };
    [
        (Occasion::Previewed { lines, outcome, remarks, events }, last, &[]),
        (accepted, last.saturating_sub(1), &[]),
        (planned, last, &[]),
        (Occasion::Reminder { days: 3 }, last, &Question::ALL),
        (Occasion::Welcome, 0, &[]),
        (Occasion::News, last.saturating_sub(4), &Question::ALL),
        (Occasion::Refused { refused, preview: false }, last, &[]),
        (Occasion::Answered, last, &Question::ALL),
    ]
}

/// Renders one letter of each kind that the seat could get now.
fn render_all_letters(
    library: &Library,
    table: &Table,
    seat: Seat,
    plans: &QueuedOrders,
) -> Vec<RenderedLetter> {
    let occasions = all_occasions(table, seat, plans);
    let names: Vec<String> = rig::NAMES.iter().map(|name| (*name).to_owned()).collect();
    let mut page = Page::new(table, &names);
    let mut letters = Vec::new();
    for ascii in [true, false] {
        let reader = new_reader(ascii);
        // ASCII and finer characters differ in few letters, so three kinds are rendered with both.
        for (occasion, last_seen, asked) in occasions.iter().skip(if ascii { 0 } else { 5 }) {
            let letter = GameLetter {
                club: "Club",
                reader: &reader,
                seat,
                is_new: true,
                moderator: "mod@example.org",
                last_seen_record: *last_seen,
                occasion,
                questions: asked,
                is_bundled: false,
                has_picture: true,
                subject_parts: SubjectParts::default(),
                queued_orders: plans,
                private_notes: &Notes::default(),
                news_wish: None,
                plan_notes: &[],
                notices: &[],
                talk: &[],
                activity_log: &[],
                clock: &[],
                campaign: None,
                play_link: None,
                mailto_links: MailtoLinks { offers_max: 12, ..MailtoLinks::default() },
            };
            let rendered = page.render_letter(library, &letter).expect("a letter");
            if ascii {
                rig::assert_well_formed(&rendered.text);
            }
            letters.push(rendered);
        }
    }
    letters
}

/// Returns the order that the game gives for an absent player.
fn default_order_lines(table: &Table, seat: Seat) -> Vec<OrderLine> {
    let text = if table.turn().awaits(seat) {
        table.game().line_for_absent_player(seat)
    } else {
        String::new()
    };
    vec![OrderLine::new(1, text)]
}

/// Returns a letter's text under the heading WHAT EACH PLAYER HELD.
fn revealed_section(letter: &PostedLetter) -> String {
    let text = letter.body_text();
    let after = text.split_once("WHAT EACH PLAYER HELD\n").map_or("", |(_, after)| after);
    let lines = after.lines().skip_while(|line| line.is_empty());
    let lines: Vec<&str> = lines.take_while(|line| line.starts_with("  ")).collect();
    lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn hidden_information_is_shown_in_last_letters_only() {
    for (name, shown) in [
        ("paris-connection", "Bob holds"),
        ("trick-of-the-rails", "Bob still has in hand:"),
        ("off-the-rails", "Bob wanted their jewels cut"),
    ] {
        let mut club = Club::with_game("", name, 3, 7);
        club.start_game(find_kind("trick-of-the-rails").expect("it ships"), 4, 9);
        club.run_pass();
        club.send_reply("Dot", "watch 1");
        club.run_pass();
        assert!(
            club.transport.posted.iter().all(|letter| revealed_section(letter).is_empty()),
            "{name}"
        );
        let bobs = club.transport.posted.iter().find(|letter| letter.to == rig::address("Bob"));
        let own = bobs.expect("a letter of game 1").body_text();
        assert!(process::moderate_game(&club.open_context(), 1, &Intervention::End, "x").is_ok());
        let (_, letters) = club.run_pass();
        let [ann, bob, dot] =
            ["Ann", "Bob", "Dot"].map(|who| revealed_section(first_letter_to(&letters, who)));
        // The section is alike for players and observers, except that it calls its reader `you`.
        assert!(ann.contains(shown) && dot.contains(shown), "{name}: {ann} {dot}");
        assert!(!bob.contains("Bob") && bob.contains("Ann"), "{name}: {bob}");
        let numbers =
            |section: &str| section.matches(|c: char| c.is_ascii_digit()).collect::<String>();
        assert_eq!([numbers(&ann), numbers(&bob)], [numbers(&dot), numbers(&dot)], "{name}");
        if name != "paris-connection" {
            continue;
        }
        // The others now read what was in the portfolio of Bob's first letter.
        let held =
            bob.split("You hold ").nth(1).expect("a hand").split('.').next().expect("shares");
        assert!(ann.contains(&format!("Bob holds {held}.")), "{ann}");
        let (_, table) = own.split_once("Company      Shares").expect("a portfolio");
        let rows = table.lines().skip(1).take_while(|line| !line.starts_with("Total"));
        for mut row in rows.map(str::split_whitespace) {
            let (colour, count) = (row.next().expect("one"), row.next().expect("a number"));
            assert!(held.contains(&format!("{count} {colour}")), "{held}: {own}");
        }
    }
}

//! Nothing that is mailed to a player changes when what he cannot know is dealt anew.

use crate::common::sample_or_all;
use crate::rig::{self, Club, Posted, to};
use postrider::club::{Command, Intervention, Member, Notes};
use postrider::games::{GAMES, kind};
use postrider::process;
use postrider::render::{GameLetter, Library, Occasion, Page, Rendered, SubjectParts, Taps};
use postrider::rules::{Dice, Kind, Message, Seat, Seed, Viewer};
use postrider::table::{
    GameSetup, Manner, OrderLine, Preview, StandingOrders, Submission, Table, Verdict, rehearse,
};
use std::collections::BTreeMap;

/// The games that have a test of their own here and in `twins.rs`.
const TESTED: [&str; 3] = ["off-the-rails", "paris-connection", "trick-of-the-rails"];

/// Options by their names.
type Agreed = &'static [(&'static str, &'static str)];

/// Options that hide other things than the rules as they are.
const OPTIONS: [(&str, u8, Agreed); 6] = [
    ("off-the-rails", 2, &[("cut", "interactive")]),
    ("off-the-rails", 3, &[("cut", "interactive"), ("drop", "half_up"), ("length", "very_short")]),
    ("off-the-rails", 4, &[("abyss_die", "true"), ("length", "very_short")]),
    ("off-the-rails", 2, &[("bumpers", "true"), ("bumper_head_on", "full"), ("length", "long")]),
    ("trick-of-the-rails", 4, &[("expert_lane", "true"), ("teams", "true")]),
    ("paris-connection", 3, &[("stall_after_trades", "20")]),
];

#[test]
fn every_game_is_tested_for_leaks() {
    let mut games: Vec<_> = GAMES.iter().map(|kind| kind.id()).collect();
    games.sort_unstable();
    assert_eq!(games, TESTED);
}

#[test]
fn off_the_rails_letters_hide_secrets() {
    letters_hide_secrets("off-the-rails");
}

#[test]
fn paris_connection_letters_hide_secrets() {
    letters_hide_secrets("paris-connection");
}

#[test]
fn trick_of_the_rails_letters_hide_secrets() {
    letters_hide_secrets("trick-of-the-rails");
}

fn letters_hide_secrets(game: &str) {
    let library = Library::embedded().expect("the words are in the binary");
    let kind = kind(game).expect("it ships");
    for seats in kind.seats() {
        for seed in 0..sample_or_all(1, 2) {
            hides(&library, &whole_game(kind, seats, &[], seed));
        }
    }
}

#[test]
fn off_the_rails_options_hide_secrets() {
    options_hide_secrets(|game| game == "off-the-rails");
}

#[test]
fn other_games_options_hide_secrets() {
    options_hide_secrets(|game| game != "off-the-rails");
}

fn options_hide_secrets(is_tested: impl Fn(&str) -> bool) {
    let library = Library::embedded().expect("the words are in the binary");
    for (name, seats, options) in OPTIONS.into_iter().filter(|(name, ..)| is_tested(name)) {
        for seed in 5..sample_or_all(6, 7) {
            hides(&library, &whole_game(kind(name).expect("it ships"), seats, options, seed));
        }
    }
}

fn whole_game(kind: &dyn Kind, seats: u8, options: &[(&str, &str)], seed: u64) -> Table {
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let options: BTreeMap<String, String> = options.iter().map(own).collect();
    let setup = GameSetup { kind, definition: kind.definition(), options: &options, seats };
    rehearse(setup, 1, seed, 20_000, Manner::OneByOne).expect("a whole game").table
}

fn hides(library: &Library, whole: &Table) {
    let steps = (whole.head() / sample_or_all(4, 5)).max(1);
    let mut planned = 0;
    let seats = whole.founding().seats;
    for (position, seq) in (1..whole.head()).step_by(steps as usize).enumerate() {
        let table = whole.at(seq).expect("an earlier position");
        // A sample looks at each position from one seat, and at the next one from the next seat.
        let is_in_sample = |seat: &Seat| seat.index() == position % usize::from(seats);
        for seat in Seat::all(seats).filter(|seat| sample_or_all(is_in_sample(seat), true)) {
            planned += usize::from(looks_the_same(library, &table, seat));
        }
    }
    assert!(planned > 0, "{}: nobody had a plan", whole.founding().game);
    // Whoever asks for everything at the end is answered too.
    everything_mailed(library, whole, Seat::new(1), &StandingOrders::default());
}

/// Whether the seat had something planned besides.
fn looks_the_same(library: &Library, table: &Table, seat: Seat) -> bool {
    let of = format!("{}, record {}, seat {seat}", table.founding().game, table.head());
    let mut dice = Dice::new(&Seed::rehearsal(table.head().into()), 0);
    let letters = letters_of(table, seat, &mut dice);
    let standing = planned(table, seat, &letters);
    let other = table.redeal(Viewer::Seat(seat), &mut dice).expect("reshuffled");
    let other = other.with_other_chance(&mut dice);
    let told = |table: &Table| answers(table, seat, &letters, &standing);
    assert_eq!(told(table), told(&other), "{of}");
    let mailed = |table: &Table| everything_mailed(library, table, seat, &standing);
    let (seen, again) = (mailed(table), mailed(&other));
    assert_eq!(seen.len(), again.len());
    for (a, b) in seen.iter().zip(again) {
        assert_eq!(a.subject, b.subject, "{of}");
        assert_eq!(a.text, b.text, "{of}");
        assert_eq!(a.html, b.html, "{of}");
    }
    standing != StandingOrders::default()
}

/// What this seat would have planned when these letters had come.
fn planned(table: &Table, seat: Seat, letters: &[Vec<String>]) -> StandingOrders {
    let mut standing = StandingOrders::default();
    for lines in letters {
        let (lines, seen) = (numbered(lines), table.head());
        let letter = Submission { seat, lines: &lines, seen, letter: None, standing: &standing };
        // What leads to a record ends what was planned for before it.
        match table.submit(&letter, table.founding().at) {
            Verdict::Accepted { table: after, standing: kept, .. } if after.head() == seen => {
                standing = kept;
            }
            _ => {}
        }
    }
    standing
}

fn numbered(lines: &[String]) -> Vec<OrderLine> {
    (1..).zip(lines).map(|(number, text)| OrderLine::new(number, text.clone())).collect()
}

/// Letters that this seat could write now: what is legal and what is not, one line and several,
/// orders, plans and both.
fn letters_of(table: &Table, seat: Seat, dice: &mut Dice) -> Vec<Vec<String>> {
    let mut letters = vec![vec!["no such order 9".to_owned()], vec!["auto forced on".to_owned()]];
    letters.push(table.game().plans_at_random(seat, dice));
    for _ in 0..3 {
        let (mut ahead, mut lines) = (table.game().copy(), Vec::new());
        let mut thrown = Dice::new(&Seed::rehearsal(8), 0);
        while let Some((line, _)) = ahead.play_at_random(seat, dice, &mut thrown) {
            lines.push(line);
            if dice.below(3) == 0 {
                break;
            }
        }
        letters.push(lines.clone());
        lines.push(table.game().forfeit(seat));
        letters.push([lines.clone(), vec!["done".to_owned()]].concat());
        lines.push("no such order 9".to_owned());
        letters.push(lines);
    }
    letters.retain(|lines| !lines.is_empty());
    letters
}

/// What this seat is answered to each of them when it asks for a preview, or is refused; and what
/// would be done for it.
fn answers(
    table: &Table,
    seat: Seat,
    letters: &[Vec<String>],
    standing: &StandingOrders,
) -> Vec<String> {
    let ask = |lines: &Vec<String>| {
        let lines = numbered(lines);
        [table.head(), table.head().saturating_sub(2)].map(|seen| {
            let letter = Submission { seat, lines: &lines, seen, letter: None, standing };
            let told = match table.submit(&letter, table.founding().at) {
                Verdict::Refused(refused) => format!("{refused:?}"),
                // What chance brings to a record differs; without one nothing does.
                Verdict::Accepted { table: after, standing, remarks }
                    if after.head() == table.head() =>
                {
                    format!("{standing:?}\n{remarks:?}")
                }
                Verdict::Accepted { .. } => String::new(),
            };
            format!("{:?}\n{told}", table.preview(&letter).expect("it is told"))
        })
    };
    let done = [table.game().forced(seat), table.game().closing(seat)];
    letters.iter().flat_map(ask).chain(done.map(|line| format!("{line:?}"))).collect()
}

fn reader(ascii: bool) -> Member {
    let (name, language) = ("Ann".to_owned(), "en".to_owned());
    Member { id: 1, name, language, ascii, ..Member::default() }
}

/// One letter of each sort that this seat could be sent now.
fn everything_mailed(
    library: &Library,
    table: &Table,
    seat: Seat,
    standing: &StandingOrders,
) -> Vec<Rendered> {
    let line = OrderLine::new(1, "no such order".to_owned());
    let lines = std::slice::from_ref(&line);
    let submission = Submission { seat, lines, seen: table.head(), letter: None, standing };
    let Verdict::Refused(refused) = table.submit(&submission, table.founding().at) else {
        panic!("an order that is none was carried out");
    };
    let outcome = match table.preview(&Submission { lines: &last_words(table, seat), ..submission })
    {
        Ok(Preview::Accepted { outcome, .. }) => outcome,
        told => vec![Message::new("game-over").with("told", format!("{told:?}"))],
    };
    let (lines, remarks) = (lines.to_vec(), Vec::new());
    let accepted = Occasion::Accepted { lines: lines.clone(), remarks: remarks.clone() };
    let planned = Occasion::Planned { lines: lines.clone(), remarks: outcome.clone() };
    let occasions: [(Occasion, u32, &[Command]); 8] = [
        (Occasion::Previewed { lines, outcome, remarks }, table.head(), &[]),
        (accepted, table.head().saturating_sub(1), &[]),
        (planned, table.head(), &[]),
        (Occasion::Reminder { days: 3 }, table.head(), &Command::ALL),
        (Occasion::Welcome, 0, &[]),
        (Occasion::News, table.head().saturating_sub(4), &Command::ALL),
        (Occasion::Refused { refused, preview: false }, table.head(), &[]),
        (Occasion::Answered, table.head(), &Command::ALL),
    ];
    let names: Vec<String> = rig::NAMES.iter().map(|name| (*name).to_owned()).collect();
    let mut page = Page::new(table, &names);
    let mut letters = Vec::new();
    for ascii in [true, false] {
        let reader = reader(ascii);
        // What is drawn with finer characters is drawn alike in most of them.
        for (occasion, told, asked) in occasions.iter().skip(if ascii { 0 } else { 5 }) {
            let letter = GameLetter {
                club: "Club",
                reader: &reader,
                seat,
                is_new: true,
                moderator: "mod@example.org",
                told: *told,
                occasion,
                asked,
                among_others: false,
                subject: SubjectParts::default(),
                standing,
                own_notes: &Notes::default(),
                wish: None,
                words: &[],
                notes: &[],
                talk: &[],
                minutes: &[],
                clock: &[],
                campaign: None,
                taps: Taps { most: 12, ..Taps::default() },
            };
            let rendered = page.letter(library, &letter).expect("a letter");
            if ascii {
                rig::well_made(&rendered.text);
            }
            letters.push(rendered);
        }
    }
    letters
}

/// What an absent player would be taken to have written.
fn last_words(table: &Table, seat: Seat) -> Vec<OrderLine> {
    let text = if table.turn().awaits(seat) { table.game().forfeit(seat) } else { String::new() };
    vec![OrderLine::new(1, text)]
}

/// What a letter says under the heading of what was hidden.
fn revealed(letter: &Posted) -> String {
    let text = letter.text();
    let after = text.split_once("WHAT EACH PLAYER HELD\n").map_or("", |(_, after)| after);
    let lines = after.lines().skip_while(|line| line.is_empty());
    let lines: Vec<&str> = lines.take_while(|line| line.starts_with("  ")).collect();
    lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_last_letters_show_to_all_what_was_hidden_and_no_earlier_one_does() {
    for (name, shown) in [
        ("paris-connection", "Bob holds"),
        ("trick-of-the-rails", "Bob still has in hand:"),
        ("off-the-rails", "The jewels of Bob were to be cut"),
    ] {
        let mut club = Club::session("", name, 3, 7);
        club.found(kind("trick-of-the-rails").expect("it ships"), 4, 9);
        club.pass();
        club.writes("Dot", "watch 1");
        club.pass();
        assert!(club.pigeon.posted.iter().all(|letter| revealed(letter).is_empty()), "{name}");
        let bobs = club.pigeon.posted.iter().find(|letter| letter.to == rig::address("Bob"));
        let own = bobs.expect("a letter of game 1").text();
        assert!(process::moderate(&club.context(), 1, &Intervention::End, "x").is_ok());
        let (_, letters) = club.pass();
        let [ann, bob, dot] = ["Ann", "Bob", "Dot"].map(|who| revealed(to(&letters, who)));
        // It is the same for all, who watches too, but for whom it calls you.
        assert!(ann.contains(shown) && dot.contains(shown), "{name}: {ann} {dot}");
        assert!(!bob.contains("Bob") && bob.contains("Ann"), "{name}: {bob}");
        let numbers = |said: &str| said.matches(|c: char| c.is_ascii_digit()).collect::<String>();
        assert_eq!([numbers(&ann), numbers(&bob)], [numbers(&dot), numbers(&dot)], "{name}");
        if name != "paris-connection" {
            continue;
        }
        // What Bob himself has read in his portfolio is what the others read now.
        let held = bob.split("You hold ").nth(1).expect("his").split(';').next().expect("shares");
        assert!(ann.contains(&format!("Bob holds {held};")), "{ann}");
        let (_, table) = own.split_once("Company      Shares").expect("a portfolio");
        let rows = table.lines().skip(1).take_while(|line| !line.starts_with("Together"));
        for mut row in rows.map(str::split_whitespace) {
            let (colour, count) = (row.next().expect("one"), row.next().expect("a number"));
            assert!(held.contains(&format!("{count} {colour}")), "{held}: {own}");
        }
    }
}

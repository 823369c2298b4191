//! A game of one's own: High Card for three, played to its end, with the letters that Ann gets.
//!
//! `cargo run --example high_card` prints them. `game.rs` is all that the game is, `plan.rs` what
//! can be ordered ahead, `templates/` its words; `docs/developers.md` goes through them. Nothing
//! here needs a club: a table, a library of words and a page make a letter.

#![allow(clippy::print_stdout, reason = "it is a command")]

mod game;
mod plan;

use chrono::{DateTime, Utc};
use game::HighCard;
use postrider::club::{LetterStyle, Member, Notes};
use postrider::render::{GameLetter, Library, Occasion, Page, SubjectParts, Taps};
use postrider::rules::{Kind, Seat, Seed, Turn, entry};
use postrider::table::{GameSetup, OrderLine, Refused, StandingOrders, Submission, Table, Verdict};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

/// The game without its types; in the program it stands in `games::GAMES`.
const HIGH_CARD: &dyn Kind = entry::<HighCard>();
/// When all of it happens: nothing in a game asks for the time.
const NOW: DateTime<Utc> = DateTime::UNIX_EPOCH;
/// Whose letters are printed.
const ANN: u8 = 1;

fn main() -> Result<(), Box<dyn Error>> {
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/high_card/templates");
    let library = Library::load(&templates)?;
    let ann = Member {
        name: "Ann".to_owned(),
        language: "en".to_owned(),
        ascii: true,
        letters: LetterStyle { html: false, ..LetterStyle::default() },
        ..Member::default()
    };
    let names = ["Ann", "Bob", "Cid"].map(str::to_owned);
    let options = BTreeMap::new();
    let definition = HIGH_CARD.definition();
    let setup = GameSetup { kind: HIGH_CARD, definition, options: &options, seats: 3 };
    let mut table = Table::found(setup, 1, Seed::rehearsal(3), NOW)?;
    let print = |table: &Table, told, occasion: &Occasion| {
        let (standing, notes) = (StandingOrders::default(), Notes::default());
        let letter = letter_to(&ann, told, occasion, (&standing, &notes));
        let rendered = Page::new(table, &names).letter(&library, &letter)?;
        println!("Subject: {}\n\n{}", rendered.subject, rendered.text);
        Ok::<_, Box<dyn Error>>(())
    };
    print(&table, 0, &Occasion::Welcome)?;
    // A card that nobody has: the answer says what is wrong with it.
    if let Err(refused) = play(&table, Seat::new(ANN), "play 99") {
        let refused = Occasion::Refused { refused: *refused, preview: false };
        print(&table, table.head(), &refused)?;
    }
    let mut told = table.head();
    while let Turn::Awaiting(seats) = table.turn() {
        let Some(&seat) = seats.first() else { break };
        // Everybody plays the first card that the letter suggests.
        let suggested = table.game().suggestions(seat);
        let Some(first) = suggested.first() else { break };
        table = play(&table, seat, &first.line).map_err(|refused| format!("{refused:?}"))?;
        if table.is_over() || table.turn().awaits(Seat::new(ANN)) {
            print(&table, told, &Occasion::News)?;
            told = table.head();
        }
    }
    Ok(())
}

/// The table after a letter with this line, or why there is none.
fn play(table: &Table, seat: Seat, line: &str) -> Result<Table, Box<Refused>> {
    let lines = [OrderLine::new(1, line.to_owned())];
    let standing = StandingOrders::default();
    let (seen, lines) = (table.head(), &lines);
    let submission = Submission { seat, lines, seen, letter: None, standing: &standing };
    match table.submit(&submission, NOW) {
        Verdict::Accepted { table, .. } => Ok(*table),
        Verdict::Refused(refused) => Err(Box::new(refused)),
    }
}

/// A letter to Ann that tells what has happened after a record. A club fills in much more.
fn letter_to<'a>(
    ann: &'a Member,
    told: u32,
    occasion: &'a Occasion,
    (standing, own_notes): (&'a StandingOrders, &'a Notes),
) -> GameLetter<'a> {
    GameLetter {
        club: "The Postal Club",
        reader: ann,
        seat: Seat::new(ANN),
        is_new: false,
        moderator: "mo@example.org",
        told,
        occasion,
        asked: &[],
        among_others: false,
        subject: SubjectParts::default(),
        standing,
        own_notes,
        wish: None,
        words: &[],
        notes: &[],
        talk: &[],
        minutes: &[],
        clock: &[],
        campaign: None,
        taps: Taps::default(),
    }
}

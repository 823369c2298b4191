//! A game of your own: plays High Card for three players to its end, and prints the letters to Ann.
//!
//! Run it with `cargo run --example high_card`. The game is in `game.rs`, its plans are in
//! `plan.rs`, and its texts are in `templates/`. `docs/developers.md` explains them step by step.
//! No club is needed: a table, a library of templates and a page make a letter.

#![allow(clippy::print_stdout, reason = "it is a command")]

mod game;
mod plan;

use chrono::{DateTime, Utc};
use game::HighCard;
use postrider::club::{LetterStyle, Member};
use postrider::render::{GameLetter, Library, Occasion, Page};
use postrider::rules::{GameKind, Seat, Seed, Turn, game_kind};
use postrider::table::{
    GameSetup, LetterRefusal, OrderLine, QueuedOrders, Submission, Table, Verdict,
};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

/// The game as a trait object without its types. A game that ships is listed in `games::GAMES`.
const HIGH_CARD: &dyn GameKind = game_kind::<HighCard>();
/// The fixed time of everything in this example. A game never reads the time.
const NOW: DateTime<Utc> = DateTime::UNIX_EPOCH;
/// The number of the seat whose letters are printed.
const ANN: u8 = 1;

fn main() -> Result<(), Box<dyn Error>> {
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/high_card/templates");
    let library = Library::load(postrider::games::SHIPPED, &templates)?;
    let ann = Member {
        name: "Ann".to_owned(),
        language: "en".to_owned(),
        ascii: true,
        letters: LetterStyle { html: false, ..LetterStyle::default() },
        ..Member::default()
    };
    let names = ["Ann", "Bob", "Cid"].map(str::to_owned);
    let options = BTreeMap::new();
    let definition = HIGH_CARD.shipped_definition();
    let setup = GameSetup { kind: HIGH_CARD, definition, options: &options, seats: 3 };
    let mut table = Table::found_game(setup, 1, Seed::from_number(3), NOW)?;
    let print = |table: &Table, told, occasion: &Occasion| {
        // A real club fills in many more fields.
        let club = ("The Postal Club", "mo@example.org");
        let letter = GameLetter {
            last_seen_record: told,
            ..GameLetter::new(club, &ann, Seat::new(ANN), occasion)
        };
        let rendered = Page::new(table, &names).render_letter(&library, &letter)?;
        println!("Subject: {}\n\n{}", rendered.subject, rendered.text);
        Ok::<_, Box<dyn Error>>(())
    };
    print(&table, 0, &Occasion::Welcome)?;
    // An illegal line: no player holds this card. The printed letter explains what is wrong with
    // it.
    if let Err(refused) = play_line(&table, Seat::new(ANN), "play 99") {
        let refused = Occasion::Refused { refused: *refused, preview: false };
        print(&table, table.last_record_number(), &refused)?;
    }
    let mut told = table.last_record_number();
    while let Turn::Awaiting(seats) = table.turn() {
        let Some(&seat) = seats.first() else { break };
        // Each player sends the first line that is suggested.
        let suggested = table.game().suggest_lines(seat);
        let Some(first) = suggested.first() else { break };
        table = play_line(&table, seat, &first.line).map_err(|refused| format!("{refused:?}"))?;
        if table.is_over() || table.turn().awaits(Seat::new(ANN)) {
            print(&table, told, &Occasion::News)?;
            told = table.last_record_number();
        }
    }
    Ok(())
}

/// Returns the table after a letter with this line, or the refusal of the letter.
fn play_line(table: &Table, seat: Seat, line: &str) -> Result<Table, Box<LetterRefusal>> {
    let lines = [OrderLine::new(1, line.to_owned())];
    let standing = QueuedOrders::default();
    let (seen, lines) = (table.last_record_number(), &lines);
    let submission = Submission { seat, lines, seen_record: seen, letter: None, queued: &standing };
    match table.submit(&submission, NOW) {
        Verdict::Accepted { table, .. } => Ok(*table),
        Verdict::Refused(refused) => Err(Box::new(refused)),
    }
}

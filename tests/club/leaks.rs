//! Nothing that is mailed to a player changes when what he cannot know is dealt anew.

use crate::rig;

use postrider::club::{Command, Member, Notes};
use postrider::games::GAMES;
use postrider::report::{GameLetter, Library, Occasion, Page, Rendered};
use postrider::rules::{Dice, Kind, Seat, Seed, Viewer};
use postrider::table::{
    Manner, OrderLine, StandingOrders, Submission, Table, Verdict, Wish, rehearse,
};
use std::collections::BTreeMap;

const RESHUFFLES: u64 = 2;
const POSITIONS: u32 = 6;

#[test]
fn letters_show_nothing_that_their_reader_cannot_know() {
    let library = Library::embedded().expect("the words are in the binary");
    for kind in GAMES {
        for seats in kind.seats() {
            for seed in 0..1 {
                let whole = whole_game(*kind, seats, seed);
                let steps = (whole.head() / POSITIONS).max(1);
                for seq in (1..whole.head()).step_by(steps as usize) {
                    let table = whole.at(seq).expect("an earlier position");
                    for seat in Seat::all(seats) {
                        looks_the_same(&library, &table, seat, seed);
                    }
                }
            }
        }
    }
}

fn whole_game(kind: &dyn Kind, seats: u8, seed: u64) -> Table {
    let options = BTreeMap::new();
    let wish = Wish { kind, definition: kind.definition(), options: &options, seats };
    rehearse(wish, 1, seed, 20_000, Manner::OneByOne).expect("a whole game").table
}

fn looks_the_same(library: &Library, table: &Table, seat: Seat, seed: u64) {
    let seen = everything_mailed(library, table, seat);
    for shuffle in 0..RESHUFFLES {
        let mut dice = Dice::new(&Seed::rehearsal(1_000 * seed + shuffle), 0);
        let other = table.reshuffle_hidden(Viewer::Seat(seat), &mut dice).expect("reshuffled");
        for (a, b) in seen.iter().zip(everything_mailed(library, &other, seat)) {
            let of = &table.founding().game;
            assert_eq!(a.subject, b.subject, "{of}, record {}, seat {seat}", table.head());
            assert_eq!(a.text, b.text, "{of}, record {}, seat {seat}", table.head());
            assert_eq!(a.html, b.html, "{of}, record {}, seat {seat}", table.head());
        }
    }
}

/// One letter of each sort that this seat could be sent now.
fn everything_mailed(library: &Library, table: &Table, seat: Seat) -> Vec<Rendered> {
    let line = OrderLine { number: 1, text: "no such order".to_owned() };
    let lines = std::slice::from_ref(&line);
    let standing = StandingOrders::default();
    let submission =
        Submission { seat, lines, seen: table.head(), letter: None, standing: &standing };
    let Verdict::Refused(refused) = table.submit(&submission, table.founding().at) else {
        panic!("an order that is none was carried out");
    };
    let commands = Command::ALL.map(|command| command);
    let occasions: [(Occasion<'_>, u32, &[Command]); 4] = [
        (Occasion::Welcome, 0, &[]),
        (Occasion::News, table.head().saturating_sub(4), &commands),
        (Occasion::Refused { refused: &refused, preview: false }, table.head(), &[]),
        (Occasion::Answered, table.head(), &commands),
    ];
    let names: Vec<String> = rig::NAMES.iter().map(|name| (*name).to_owned()).collect();
    let reader = |ascii| Member {
        id: 1,
        name: "Ann".to_owned(),
        addresses: Vec::new(),
        language: "en".to_owned(),
        ascii,
        ..Member::default()
    };
    let mut page = Page::new(table, &names);
    let mut letters = Vec::new();
    for ascii in [true, false] {
        let reader = reader(ascii);
        for (occasion, told, asked) in &occasions {
            let letter = GameLetter {
                club: "Club",
                reader: &reader,
                seat,
                told: *told,
                occasion: *occasion,
                asked,
                subject_tag: None,
                standing: &standing,
                own_notes: &Notes::default(),
                words: &[],
                notes: &[],
                talk: &[],
                minutes: &[],
                clock: &[],
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

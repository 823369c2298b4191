//! What a table does with its log, and tables for the tests of its parts.

mod letters;

use super::*;
use crate::games::kind;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Paris Connection for three.
pub(super) fn founded(seed: u64) -> Table {
    let kind = kind("paris-connection").expect("it ships");
    let options = BTreeMap::new();
    let setup = GameSetup { kind, definition: kind.definition(), options: &options, seats: 3 };
    Table::found(setup, 1, Seed::rehearsal(seed), DateTime::UNIX_EPOCH).expect("a table")
}

/// The table after a line of this seat.
pub(super) fn after(table: &Table, seat: u8, line: &str) -> Table {
    let lines = [OrderLine::new(1, line.to_owned())];
    let standing = &StandingOrders::default();
    let (seat, seen) = (Seat::new(seat), table.head());
    let submission = Submission { seat, lines: &lines, seen, letter: None, standing };
    match table.submit(&submission, DateTime::UNIX_EPOCH) {
        Verdict::Accepted { table, .. } => *table,
        Verdict::Refused(refused) => panic!("{:?}", refused.refusal),
    }
}

/// A table of Off the Rails before and after the first letter that drew chance, and its writer.
pub(super) fn drawing_chance() -> (Table, Table, Seat) {
    let kind = kind("off-the-rails").expect("it ships");
    let options = BTreeMap::new();
    let setup = GameSetup { kind, definition: kind.definition(), options: &options, seats: 3 };
    let founded = Table::found(setup, 1, Seed::rehearsal(7), DateTime::UNIX_EPOCH);
    let (mut table, mut chooser) = (founded.expect("a table"), Dice::new(&Seed::rehearsal(9), 0));
    loop {
        let Turn::Awaiting(seats) = table.turn() else { panic!("no letter drew chance") };
        let played = table.game.copy().play_at_random(seats[0], &mut chooser, &mut table.dice());
        let (line, _) = played.expect("something is legal");
        let next = after(&table, seats[0].number(), &line);
        if next.dice().counter() != table.dice().counter() {
            return (table, next, seats[0]);
        }
        table = next;
    }
}

fn rewound(table: &Table, to: u32) -> Result<Table, &'static str> {
    let after = table.rewind(to, Authority::Players, "", DateTime::UNIX_EPOCH);
    after.map_err(|refusal| refusal.reason.key)
}

#[test]
fn a_game_goes_back_to_what_is_in_force_and_not_the_last_record() {
    let built = after(&after(&founded(7), 1, "build red G23"), 2, "build black F24");
    for nowhere in [3, 4, 0] {
        assert_eq!(rewound(&built, nowhere).err(), Some("rewind-nowhere"), "{nowhere}");
    }
    let back = rewound(&built, 1).expect("the deal");
    assert_eq!((back.head(), back.turn()), (4, Turn::Awaiting(vec![Seat::new(1)])));
    assert_eq!(rewound(&back, 2).err(), Some("rewind-nowhere"), "it was taken back");
    let on = after(&back, 1, "build red G23");
    assert_eq!(rewound(&on, 1).map(|table| table.head()), Ok(6));
    assert_eq!(on.at(3).expect("it folds").game().public(), built.game().public());
    assert_eq!(on.at(4).expect("it folds").game().public(), back.game().public());
}

#[test]
fn turns_are_counted_among_what_is_in_force() {
    let start = founded(7);
    assert_eq!((start.before_last_turn(), start.first_turn_after(0)), (None, None));
    let built = after(&after(&start, 1, "build red G23"), 2, "build black F24");
    let [one, two] = [1, 2].map(Seat::new);
    assert_eq!(built.before_last_turn(), Some(2));
    assert_eq!(
        [0, 1, 2, 3].map(|seq| built.first_turn_after(seq)),
        [Some((2, one)), Some((2, one)), Some((3, two)), None]
    );
    let back = rewound(&built, 2).expect("it is in force");
    assert_eq!((back.before_last_turn(), back.first_turn_after(2)), (Some(1), None));
    assert!(back.went_back_behind(3, 3) && back.went_back_behind(3, 0));
    assert!(!back.went_back_behind(2, 3), "it is in force");
    assert!(!back.went_back_behind(3, 4), "it was known");
    let absent = back.forfeit(two, &[], DateTime::UNIX_EPOCH).expect("it is his turn");
    assert_eq!(absent.before_last_turn(), Some(2));
    assert_eq!(absent.first_turn_after(2), Some((5, two)));
    let ended = absent.end(Authority::Players, "", DateTime::UNIX_EPOCH).expect("it goes on");
    assert_eq!(ended.before_last_turn(), Some(2), "an end is no turn");
    assert!(ended.is_over() && !absent.is_over());
    let again = ended.end(Authority::Players, "", DateTime::UNIX_EPOCH);
    assert_eq!(again.err().map(|refusal| refusal.reason.key), Some("game-over"));
    let resumed = rewound(&ended, 5).expect("before its end");
    assert!(!resumed.is_over());
}

#[test]
fn the_chain_is_what_anybody_can_reckon_from_the_seed() {
    let chain = founded(7).chain;
    let before: Hash = serde_json::from_str("\"before\"").expect("a text");
    // HMAC-SHA256 by another program.
    let link = "0540b5e6cd318aff3eeefb5c5709c8108845e2fe951cec0752825bbd0c4eaca5";
    assert_eq!(chain.link(&before, b"record").to_string(), link);
    assert_eq!(chain.link(&before, b"record").short(), "0540b5e6cd31");
    assert_eq!(chain.draw("what"), 932_302_152);
    let seed = "f5411ec7e51e46159c654bdbdf3cc20785a217b87384810ed2e541dc0016943a";
    assert_eq!(Chain::commitment(&Seed::rehearsal(7)), seed);
}

/// The same JSON, written otherwise.
fn spaced(json: &RawValue) -> Box<RawValue> {
    RawValue::from_string(json.get().replacen(':', ": ", 1)).expect("JSON")
}

#[test]
fn only_games_that_begin_alike_share_an_empty_table() {
    let openings = Openings::default();
    let first = founded(7).founding().clone();
    let blank = openings.open(&first).expect("it opens");
    let shares = |change: fn(&mut Founding)| {
        let mut other = first.clone();
        change(&mut other);
        Arc::ptr_eq(&blank, &openings.open(&other).expect("it opens"))
    };
    assert!(shares(|other| other.number = 2));
    assert!(!shares(|other| other.seats = 4));
    assert!(!shares(|other| other.options = spaced(&other.options)));
    assert!(!shares(|other| other.definition = spaced(&other.definition)));
    let mut later = first;
    later.version += 1;
    assert!(matches!(openings.open(&later), Err(FoldError::UnknownGame { .. })));
}

#[test]
fn a_log_of_a_later_form_is_told_from_one_that_is_damaged() {
    let line = founded(7).founding().line();
    let told = |line: &str| Founding::from_line(line).map(|founding| founding.number);
    assert_eq!(told(&line), Ok(1));
    let later = line.replace(FORMAT, "postrider-game/2");
    let form = || Err(FoldError::Later("postrider-game/2".to_owned()));
    assert_eq!(told(&later), form());
    assert_eq!(told(&later.replace("\"seats\"", "\"chairs\"")), form());
    let damaged = told(&line.replace("\"seats\"", "\"chairs\""));
    assert!(matches!(damaged, Err(FoldError::NoRecord { seq: 0, .. })), "{damaged:?}");
}

#[test]
fn by_whose_will_a_game_went_back_stands_in_its_log_unless_it_is_the_moderators() {
    let built = after(&founded(7), 1, "build red G23");
    let line = |by| {
        let back = built.rewind(1, by, "", DateTime::UNIX_EPOCH).expect("it is in force");
        back.records()[2].line()
    };
    assert!(line(Authority::Players).contains(r#""by":"players""#));
    assert!(!line(Authority::Moderator).contains("by"));
}

#[test]
fn rewind_takes_dice_back() {
    let (before, drawn, _) = drawing_chance();
    let back = rewound(&drawn, before.head()).expect("it is in force");
    assert_eq!(back.dice().counter(), before.dice().counter());
    assert_eq!(back.verify().findings, []);
    let Cause::Orders { seat, lines, .. } = &drawn.records().last().expect("orders").cause else {
        panic!("{:?}", drawn.records().last())
    };
    let again = after(&back, seat.number(), &lines[0]);
    assert_eq!(again.game().public(), drawn.game().public(), "chance brings the same again");
    // Also to before several draws.
    let start = rewound(&drawn, 1).expect("the deal is in force");
    assert_eq!(start.dice().counter(), drawn.at(1).expect("it folds").dice().counter());
}

#[test]
fn an_end_and_an_absence_keep_the_dice() {
    let (_, drawn, _) = drawing_chance();
    let ended = drawn.end(Authority::Moderator, "", DateTime::UNIX_EPOCH).expect("it goes on");
    assert_eq!(ended.dice().counter(), drawn.dice().counter());
    let resumed = rewound(&ended, drawn.head()).expect("it is in force");
    assert_eq!(resumed.dice().counter(), drawn.dice().counter());
    let Turn::Awaiting(seats) = drawn.turn() else { panic!("it goes on") };
    let absent = drawn.forfeit(seats[0], &[], DateTime::UNIX_EPOCH).expect("it is done");
    assert_eq!(absent.verify().findings, [], "the dice go on from where they lay");
}

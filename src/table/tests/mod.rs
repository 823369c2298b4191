//! Tests of a table and its log, and tables for the tests of other modules.

mod plans_in_letters;

use super::*;
use crate::games::SHIPPED;
use crate::games::find_kind;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Returns a game of Paris Connection for three players.
pub(super) fn new_table(seed: u64) -> Table {
    let kind = find_kind("paris-connection").expect("it ships");
    let options = BTreeMap::new();
    let setup =
        GameSetup { kind, definition: kind.shipped_definition(), options: &options, seats: 3 };
    Table::found_game(setup, 1, Seed::from_number(seed), DateTime::UNIX_EPOCH).expect("a table")
}

/// Returns the table after this seat's line. Panics if the line is refused.
pub(super) fn submit_line(table: &Table, seat: u8, line: &str) -> Table {
    let lines = [OrderLine::new(1, line.to_owned())];
    let standing = &QueuedOrders::default();
    let (seat, seen) = (Seat::new(seat), table.last_record_number());
    let submission =
        Submission { seat, lines: &lines, seen_record: seen, letter: None, queued: standing };
    match table.submit(&submission, DateTime::UNIX_EPOCH) {
        Verdict::Accepted { table, .. } => *table,
        Verdict::Refused(refused) => panic!("{:?}", refused.refusal),
    }
}

/// Plays Off the Rails until a letter uses dice. Returns the table before and after that letter,
/// and the seat that sent it.
pub(super) fn tables_around_chance_draw() -> (Table, Table, Seat) {
    let kind = find_kind("off-the-rails").expect("it ships");
    let options = BTreeMap::new();
    let setup =
        GameSetup { kind, definition: kind.shipped_definition(), options: &options, seats: 3 };
    let founded = Table::found_game(setup, 1, Seed::from_number(7), DateTime::UNIX_EPOCH);
    let (mut table, mut chooser) = (founded.expect("a table"), Dice::new(&Seed::from_number(9), 0));
    loop {
        let Turn::Awaiting(seats) = table.turn() else { panic!("no letter drew chance") };
        let played =
            table.game.clone_box().play_random_line(seats[0], &mut chooser, &mut table.dice());
        let (line, _) = played.expect("something is legal");
        let next = submit_line(&table, seats[0].number(), &line);
        if next.dice().used_word_count() != table.dice().used_word_count() {
            return (table, next, seats[0]);
        }
        table = next;
    }
}

fn rewind_to(table: &Table, to: u32) -> Result<Table, &'static str> {
    let after = table.rewind(to, Authority::Players, "", DateTime::UNIX_EPOCH);
    after.map_err(|refusal| refusal.reason.key)
}

#[test]
fn rewind_reaches_only_earlier_records_in_force() {
    let built = submit_line(&submit_line(&new_table(7), 1, "build red G23"), 2, "build black F24");
    for nowhere in [3, 4, 0] {
        assert_eq!(rewind_to(&built, nowhere).err(), Some("rewind-nowhere"), "{nowhere}");
    }
    let back = rewind_to(&built, 1).expect("the deal");
    assert_eq!((back.last_record_number(), back.turn()), (4, Turn::Awaiting(vec![Seat::new(1)])));
    assert_eq!(rewind_to(&back, 2).err(), Some("rewind-nowhere"), "it was taken back");
    let on = submit_line(&back, 1, "build red G23");
    assert_eq!(rewind_to(&on, 1).map(|table| table.last_record_number()), Ok(6));
    assert_eq!(on.at_record(3).expect("it folds").game().public_data(), built.game().public_data());
    assert_eq!(on.at_record(4).expect("it folds").game().public_data(), back.game().public_data());
}

#[test]
fn turn_lookups_use_records_in_force() {
    let start = new_table(7);
    assert_eq!((start.record_before_last_turn(), start.first_turn_after(0)), (None, None));
    let built = submit_line(&submit_line(&start, 1, "build red G23"), 2, "build black F24");
    let [one, two] = [1, 2].map(Seat::new);
    assert_eq!(built.record_before_last_turn(), Some(2));
    assert_eq!(
        [0, 1, 2, 3].map(|seq| built.first_turn_after(seq)),
        [Some((2, one)), Some((2, one)), Some((3, two)), None]
    );
    let back = rewind_to(&built, 2).expect("it is in force");
    assert_eq!((back.record_before_last_turn(), back.first_turn_after(2)), (Some(1), None));
    assert!(back.was_rewound_past(3, 3) && back.was_rewound_past(3, 0));
    assert!(!back.was_rewound_past(2, 3), "it is in force");
    assert!(!back.was_rewound_past(3, 4), "it was known");
    let absent = back.play_turn_for_absent(two, &[], DateTime::UNIX_EPOCH).expect("it is his turn");
    assert_eq!(absent.record_before_last_turn(), Some(2));
    assert_eq!(absent.first_turn_after(2), Some((5, two)));
    let ended = absent.end_game(Authority::Players, "", DateTime::UNIX_EPOCH).expect("it goes on");
    assert_eq!(ended.record_before_last_turn(), Some(2), "an end is no turn");
    assert!(ended.is_over() && !absent.is_over());
    let again = ended.end_game(Authority::Players, "", DateTime::UNIX_EPOCH);
    assert_eq!(again.err().map(|refusal| refusal.reason.key), Some("game-over"));
    let resumed = rewind_to(&ended, 5).expect("before its end");
    assert!(!resumed.is_over());
}

#[test]
fn chain_matches_independent_hmac() {
    let chain = new_table(7).chain;
    let before: Hash = serde_json::from_str("\"before\"").expect("a text");
    // Computed by another program as HMAC-SHA256.
    let link = "0540b5e6cd318aff3eeefb5c5709c8108845e2fe951cec0752825bbd0c4eaca5";
    assert_eq!(chain.next_link(&before, b"record").to_string(), link);
    assert_eq!(chain.next_link(&before, b"record").short(), "0540b5e6cd31");
    assert_eq!(chain.derive_number("what"), 932_302_152);
    let seed = "f5411ec7e51e46159c654bdbdf3cc20785a217b87384810ed2e541dc0016943a";
    assert_eq!(Chain::seed_commitment(&Seed::from_number(7)), seed);
}

/// Returns equal JSON with a space added after the first colon.
fn with_extra_space(json: &RawValue) -> Box<RawValue> {
    RawValue::from_string(json.get().replacen(':', ": ", 1)).expect("JSON")
}

#[test]
fn tables_share_initial_game_only_if_founded_alike() {
    let openings = InitialGameCache::new(SHIPPED);
    let first = new_table(7).founding().clone();
    let blank = openings.get_or_create(&first).expect("it opens");
    let shares = |change: fn(&mut Founding)| {
        let mut other = first.clone();
        change(&mut other);
        Arc::ptr_eq(&blank, &openings.get_or_create(&other).expect("it opens"))
    };
    assert!(shares(|other| other.number = 2));
    assert!(!shares(|other| other.seats = 4));
    assert!(!shares(|other| other.options = with_extra_space(&other.options)));
    assert!(!shares(|other| other.definition = with_extra_space(&other.definition)));
    let mut later = first;
    later.version += 1;
    assert!(matches!(openings.get_or_create(&later), Err(FoldError::UnknownGame { .. })));
}

#[test]
fn later_log_format_is_told_from_damage() {
    let line = new_table(7).founding().to_line();
    let told = |line: &str| Founding::from_line(line).map(|founding| founding.number);
    assert_eq!(told(&line), Ok(1));
    let later = line.replace(FORMAT, "postrider-game/2");
    let form = || Err(FoldError::LaterFormat("postrider-game/2".to_owned()));
    assert_eq!(told(&later), form());
    assert_eq!(told(&later.replace("\"seats\"", "\"chairs\"")), form());
    let damaged = told(&line.replace("\"seats\"", "\"chairs\""));
    assert!(matches!(damaged, Err(FoldError::NoRecord { seq: 0, .. })), "{damaged:?}");
}

#[test]
fn log_says_who_rewound_only_for_players() {
    let built = submit_line(&new_table(7), 1, "build red G23");
    let line = |by| {
        let back = built.rewind(1, by, "", DateTime::UNIX_EPOCH).expect("it is in force");
        back.records()[2].to_line()
    };
    assert!(line(Authority::Players).contains(r#""by":"players""#));
    assert!(!line(Authority::Moderator).contains("by"));
}

#[test]
fn rewind_restores_dice_position() {
    let (before, drawn, _) = tables_around_chance_draw();
    let back = rewind_to(&drawn, before.last_record_number()).expect("it is in force");
    assert_eq!(back.dice().used_word_count(), before.dice().used_word_count());
    assert_eq!(back.verify().findings, []);
    let Cause::Orders { seat, lines, .. } = &drawn.records().last().expect("orders").cause else {
        panic!("{:?}", drawn.records().last())
    };
    let again = submit_line(&back, seat.number(), &lines[0]);
    assert_eq!(
        again.game().public_data(),
        drawn.game().public_data(),
        "chance brings the same again"
    );
    // A rewind past several draws also restores the dice.
    let start = rewind_to(&drawn, 1).expect("the deal is in force");
    assert_eq!(
        start.dice().used_word_count(),
        drawn.at_record(1).expect("it folds").dice().used_word_count()
    );
}

#[test]
fn ending_and_forfeit_keep_dice_position() {
    let (_, drawn, _) = tables_around_chance_draw();
    let ended = drawn.end_game(Authority::Moderator, "", DateTime::UNIX_EPOCH).expect("it goes on");
    assert_eq!(ended.dice().used_word_count(), drawn.dice().used_word_count());
    let resumed = rewind_to(&ended, drawn.last_record_number()).expect("it is in force");
    assert_eq!(resumed.dice().used_word_count(), drawn.dice().used_word_count());
    let Turn::Awaiting(seats) = drawn.turn() else { panic!("it goes on") };
    let absent =
        drawn.play_turn_for_absent(seats[0], &[], DateTime::UNIX_EPOCH).expect("it is done");
    assert_eq!(absent.verify().findings, [], "the dice go on from where they lay");
}

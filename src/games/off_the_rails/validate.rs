//! From a definition to a board, or to the line of the definition that cannot be.

use super::board::{Board, Mark, Numbers, SoloNumbers, Variant};
use super::colour::Colour;
use super::definition::{Definition, EDITION, Options};
use super::grid::{BySquare, SIDE_MAX, Square, SquareSet, Way};
use super::jewel::Jewel;
use crate::rules::{Arg, Fault, Message};
use std::collections::BTreeSet;

/// Makes a board of a definition.
///
/// # Errors
/// What on the board cannot be, and its line.
pub fn validate(definition: &Definition) -> Result<Board, Fault> {
    let (columns, rows) = (definition.columns, definition.rows);
    for (size, name) in [(columns, "columns"), (rows, "rows")] {
        if !(3..=SIDE_MAX).contains(&size) {
            let reason = Message::new("or-fault-size").with("count", size).with("most", SIDE_MAX);
            return Err(Fault::near(reason, name, 0));
        }
    }
    let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let squares: SquareSet = all.filter_map(|(column, row)| Square::new(column, row)).collect();
    let mut marks = BySquare::default();
    let (mut mines, mut quantities) = ([[Square::FIRST; 8]; 4], [[0; 8]; 4]);
    let mut centres = SquareSet::default();
    for colour in Colour::ALL {
        let mine =
            definition.mines.get(&colour).ok_or_else(|| fault_of("or-fault-no-mine", colour))?;
        let sizes = (mine.squares.as_slice().try_into(), mine.jewels.as_slice().try_into());
        let (Ok(numbered), Ok(quantity)) = sizes else {
            return Err(fault_of("or-fault-eight", colour));
        };
        mark(&mut marks, squares, mine.centre, Mark { colour, number: 0 })?;
        for (number, &square) in (1..).zip(&mine.squares) {
            mark(&mut marks, squares, square, Mark { colour, number })?;
        }
        centres.insert(mine.centre);
        (mines[colour.index()], quantities[colour.index()]) = (numbered, quantity);
    }
    let side_colours = sides(definition)?;
    Ok(Board {
        title: definition.title.clone(),
        columns,
        rows,
        side_colours,
        mines,
        quantities,
        squares,
        centres,
        marks,
        homes: homes(definition, side_colours)?,
    })
}

fn fault_of(key: &'static str, colour: Colour) -> Fault {
    let reason = Message::new(key).with("colour", Arg::Term(colour.term()));
    Fault::near(reason, format!("mines.{}", colour.name()), 0)
}

/// Notes what a square is in a mine; it can be one thing only.
fn mark(
    marks: &mut BySquare<Option<Mark>>,
    squares: SquareSet,
    square: Square,
    mark: Mark,
) -> Result<(), Fault> {
    let reason = |key| {
        Message::new(key)
            .with("square", square.to_string())
            .with("colour", Arg::Term(mark.colour.term()))
    };
    if !squares.contains(square) {
        return Err(Fault::near(reason("or-fault-off-board"), square.to_string(), 0));
    }
    // The second of two lines is the one to look at, unless both are one.
    match marks[square].replace(mark) {
        None => Ok(()),
        Some(other) => {
            let nth = usize::from(other.colour != mark.colour);
            Err(Fault::near(reason("or-fault-two-on-square"), square.to_string(), nth))
        }
    }
}

/// The colour of each side: four sides, four colours.
fn sides(definition: &Definition) -> Result<[Colour; 4], Fault> {
    let colours: BTreeSet<Colour> = definition.sides.values().copied().collect();
    if colours.len() != Colour::ALL.len() {
        return Err(Fault::near(Message::new("or-fault-sides"), "sides", 0));
    }
    let colour = |way| definition.sides.get(&way).copied().unwrap_or(Colour::Red);
    Ok(Way::ALL.map(colour))
}

/// The jewel that solo players bring to each side: four sides, the four precious kinds.
fn homes(definition: &Definition, side_colours: [Colour; 4]) -> Result<[Jewel; 4], Fault> {
    let home = &definition.solo.home;
    let kinds: BTreeSet<Jewel> = home.values().copied().collect();
    if home.len() != Colour::ALL.len() || !kinds.into_iter().eq(Jewel::PRECIOUS) {
        return Err(Fault::near(Message::new("or-fault-home"), "solo.home", 0));
    }
    Ok(side_colours.map(|colour| home.get(&colour).copied().unwrap_or(Jewel::Ruby)))
}

/// The numbers for so many players.
///
/// # Errors
/// Which number is missing or cannot be.
pub fn numbers(definition: &Definition, options: &Options, seats: u8) -> Result<Numbers, Fault> {
    check(definition)?;
    let of = |name: &'static str| {
        let reason = Message::new("or-fault-players").with("what", name).with("seats", seats);
        Fault::near(reason, name, 0)
    };
    let is_solo = seats == 1;
    let (length, missions) = if is_solo {
        (0, 0)
    } else {
        let usual = definition.length_by_players.get(&seats);
        let length = options.length.or(usual.copied()).ok_or_else(|| of("length_by_players"))?;
        let cards = *definition.lengths.get(&length).ok_or_else(|| of("lengths"))?;
        (cards, *definition.missions.get(&seats).ok_or_else(|| of("missions"))?)
    };
    let solo = &definition.solo;
    Ok(Numbers {
        seats,
        edition: definition.edition,
        bag: definition.bag,
        values: definition.values,
        tiles: definition.tiles,
        speed: definition.speed,
        actions: definition.actions,
        hold: definition.hold,
        tokens: if is_solo { solo.tokens } else { definition.chasm_tokens },
        cart_points: definition.cart_points,
        mission_points: definition.mission_points,
        ruby_points: definition.ruby_points,
        missions,
        length,
        solo: is_solo.then_some(SoloNumbers {
            jewels: solo.jewels,
            first_cards: solo.first_cards,
            jewel_points: solo.jewel_points,
            right_set_points: solo.right_set_points,
            other_set_points: solo.other_set_points,
        }),
        variant: Variant {
            bumpers: options.bumpers,
            bumper_head_on: options.bumper_head_on,
            abyss_die: options.abyss_die,
            drop: options.drop,
            cart_points: options.cart_points,
            cut: options.cut,
            solo_chasm_card: options.solo_chasm_card,
            solo_end: options.solo_end,
        },
        wishes: wishes(&options.wishes)?,
    })
}

/// The numbers that hold for every game.
fn check(definition: &Definition) -> Result<(), Fault> {
    let fault = |key, near| Err(Fault::near(Message::new(key), near, 0));
    if !(1..=EDITION).contains(&definition.edition) {
        return fault("or-fault-edition", "edition");
    }
    let speed = definition.speed;
    if speed.least == 0 || !(speed.least..=speed.most).contains(&speed.start) || speed.most > 9 {
        return fault("or-fault-speed", "speed");
    }
    if !(1..=9).contains(&definition.hold) {
        return fault("or-fault-hold", "hold");
    }
    if definition.actions > 9 {
        return fault("or-fault-actions", "actions");
    }
    if definition.bag.total() > u32::from(u8::MAX) {
        return fault("or-fault-bag", "bag");
    }
    if definition.values[Jewel::Rock] > 0 {
        return fault("or-fault-values", "values");
    }
    // One card of each colour lies face up and one in the chasm deck; the Chasm card lies in the
    // last pile but one.
    if let Some(length) = definition.lengths.values().find(|length| !(2..=6).contains(*length)) {
        let reason = Message::new("or-fault-length").with("count", *length);
        return Err(Fault::near(reason, "lengths", 0));
    }
    if definition.missions.values().any(|&count| count > 9) {
        return fault("or-fault-missions", "missions");
    }
    if !(1..=7).contains(&definition.chasm_tokens) {
        return fault("or-fault-tokens", "chasm_tokens");
    }
    let solo = &definition.solo;
    let fits = solo.jewels.total() == 32
        && solo.jewels[Jewel::Rock] == 0
        && definition.bag.contains(solo.jewels);
    if !fits {
        return fault("or-fault-solo-jewels", "solo.jewels");
    }
    if !(1..=32).contains(&solo.tokens) || solo.first_cards > solo.tokens {
        return fault("or-fault-solo-tokens", "solo.tokens");
    }
    Ok(())
}

/// The side that each seat wishes; the north where it names none.
fn wishes(text: &str) -> Result<[Way; 4], Fault> {
    let mut wishes = [Way::North; 4];
    for (place, word) in text.split(',').map(str::trim).enumerate() {
        if word.is_empty() {
            continue;
        }
        let side = Way::ALL.into_iter().find(|way| way.name() == word.to_lowercase());
        match (wishes.get_mut(place), side) {
            (Some(wish), Some(side)) => *wish = side,
            _ => return Err(Fault::new(Message::new("or-fault-wish").with("word", word))),
        }
    }
    Ok(wishes)
}

//! All draws by chance: sides, missions, deposit cards, jewels and chasm tokens.
//!
//! A card is drawn at random when it is turned up, among the cards that could lie on top. The odds
//! are those of a shuffled deck, but no deck has to be kept secret.

use super::definition::BumperHeadOnRule;
use super::{
    Card, Colour, Direction, Era, Event, Jewel, JewelCounts, Lookahead, Mission, Square, SquareSet,
    State,
};
use crate::rules::{Dice, Seat};

pub fn setup(state: &State, dice: &mut Dice) -> Vec<Event> {
    let mut ahead = Lookahead::new(state, dice);
    if state.numbers.is_solo() {
        // Seed: "Each mine square starts with one random gem."
        let mut jewels: Vec<Jewel> = state.numbers.solo.jewels.single_jewels().collect();
        ahead.dice.shuffle(&mut jewels);
        let squares = state.board.mines.iter().flatten().copied();
        ahead.apply_and_record(Event::Strewn { jewels: squares.zip(jewels).collect() });
        ahead.apply_and_record(Event::Turn { seat: Seat::new(1) });
        return ahead.events;
    }
    let first = Seat::from_index(ahead.dice.roll_below(state.numbers.seats.into()) as usize);
    let sides = choose_start_sides(state, first, ahead.dice);
    let missions = deal_missions(state, ahead.dice);
    ahead.apply_and_record(Event::Opened { sides, missions });
    for colour in Colour::ALL {
        let card = draw_card_of_colour(&mut ahead, colour);
        let jewels = draw_jewels(&mut ahead, card);
        ahead.apply_and_record(Event::Primed { card, jewels });
    }
    ahead.apply_and_record(Event::Turn { seat: first });
    ahead.events
}

/// Returns the start side of each seat. (Seed: "The first player chooses a side, the second starts
/// opposite, the third takes one of the others at random, the fourth is opposite"; ruling 41.)
fn choose_start_sides(state: &State, first: Seat, dice: &mut Dice) -> Vec<Direction> {
    let wished = state.numbers.side_wishes.get(first.index()).copied().unwrap_or(Direction::North);
    let others: Vec<Direction> = Direction::ALL
        .into_iter()
        .filter(|&way| way != wished && way != wished.opposite())
        .collect();
    let third = dice.pick(&others).copied().unwrap_or(Direction::East);
    let by_turn = [wished, wished.opposite(), third, third.opposite()];
    let count = usize::from(state.numbers.seats);
    let turn = |seat: Seat| (seat.index() + count - first.index()) % count;
    Seat::all(state.numbers.seats).map(|seat| by_turn[turn(seat)]).collect()
}

/// Draws the missions that lie face up. Two missions are left out if bumpers prevent every
/// derailment and drop, because no player could complete them (ruling 39).
fn deal_missions(state: &State, dice: &mut Dice) -> Vec<Mission> {
    let variant = &state.numbers.options;
    let is_soft = variant.bumpers && variant.bumper_head_on == BumperHeadOnRule::Turn;
    let mut missions = Mission::ALL.to_vec();
    if is_soft {
        let is_hard = |mission| matches!(mission, Mission::BumperCarts | Mission::JewelRobbery);
        missions.retain(|&mission| !is_hard(mission));
    }
    dice.shuffle(&mut missions);
    missions.truncate(usize::from(state.numbers.missions));
    missions.sort_unstable();
    missions
}

/// Returns the numbers of a colour's deposit cards that have not been turned up.
fn unseen_card_numbers(state: &State, colour: Colour) -> impl Iterator<Item = u8> + use<> {
    let seen = state.seen_cards[colour.index()];
    (1..=8).filter(move |number| seen & (1 << (number - 1)) == 0)
}

/// Draws a deposit card of a colour among those that have not been turned up.
pub fn draw_card_of_colour(ahead: &mut Lookahead<'_>, colour: Colour) -> Card {
    let numbers: Vec<u8> = unseen_card_numbers(&ahead.state, colour).collect();
    Card { colour, number: ahead.dice.pick(&numbers).copied().unwrap_or(1) }
}

/// Draws the top card of the deposit deck. Returns `None` if it is the Chasm card.
///
/// The deck is a stack of piles with one card of each colour. The Chasm card is shuffled into the
/// last pile but one (B2, ruling 26).
pub fn draw_card(ahead: &mut Lookahead<'_>) -> Option<Card> {
    let (drawn, length) = (ahead.state.drawn, ahead.state.numbers.cards_per_colour);
    let (above, upto) = (4 * length.saturating_sub(2), 4 * length.saturating_sub(1));
    let left = u32::from(upto.saturating_sub(drawn)) + 1;
    if ahead.state.era == Era::Mining && drawn >= above && ahead.dice.roll_below(left) == 0 {
        return None;
    }
    // A colour is still in the topmost pile if no other colour has fewer cards turned up.
    let seen = ahead.state.seen_cards.map(u8::count_ones);
    let is_in_pile = |colour: &Colour| seen.iter().all(|&count| seen[colour.index()] <= count);
    let colours: Vec<Colour> = Colour::ALL.into_iter().filter(is_in_pile).collect();
    let colour = ahead.dice.pick(&colours).copied()?;
    Some(draw_card_of_colour(ahead, colour))
}

/// Draws the number of jewels that a deposit card shows, or as many as the bag still has (ruling
/// 14). (Seed: "Jewels equal to the quantity shown are taken from the supply.")
pub fn draw_jewels(ahead: &mut Lookahead<'_>, card: Card) -> JewelCounts {
    let number = usize::from(card.number.saturating_sub(1));
    let mine = ahead.state.numbers.mines.get(&card.colour);
    let quantity = mine.and_then(|mine| mine.jewels.get(number)).copied();
    let mut bag = ahead.state.bag;
    for _ in 0..quantity.unwrap_or_default() {
        let Some(jewel) = pick_weighted(ahead.dice, &Jewel::ALL, |jewel| bag[jewel].into()) else {
            break;
        };
        bag[jewel] -= 1;
    }
    ahead.state.bag.minus(bag)
}

/// Picks one item at random with a probability in proportion to its weight. Returns `None` if all
/// weights are 0.
pub fn pick_weighted<T: Copy>(dice: &mut Dice, all: &[T], weight: impl Fn(T) -> u32) -> Option<T> {
    let total = all.iter().fold(0, |total: u32, &one| total.saturating_add(weight(one)));
    let mut nth = dice.roll_below(total);
    all.iter().copied().find(|&one| {
        let is_picked = nth < weight(one);
        nth = nth.saturating_sub(weight(one));
        is_picked
    })
}

/// Returns the square of a mine that an eight-sided die shows. If it has collapsed, returns the
/// next square clockwise that has not (ruling 30).
pub fn roll_token_square(ahead: &mut Lookahead<'_>, colour: Colour) -> Option<Square> {
    let (mine, chasm) = (ahead.state.board.mines[colour.index()], ahead.state.collapsed_squares());
    let shown = ahead.dice.roll_below(8) as usize;
    mine.into_iter().cycle().skip(shown).take(8).find(|&square| !chasm.contains(square))
}

/// Returns the squares where a token of this colour may be placed. (Seed: "Any orthogonal space
/// next to a token of the same colour"; ruling 28.)
pub fn legal_token_squares(state: &State, colour: Colour) -> SquareSet {
    state.board.adjacent_squares(state.sunk[colour.index()]).difference(state.collapsed_squares())
}

/// Solo: draws one of the cards that have not been turned up. Returns `None` if it is the Chasm
/// card. `has_chasm_card` is `false` once the Chasm card was turned up in this turn (ruling 46).
pub fn draw_solo_card(ahead: &mut Lookahead<'_>, has_chasm_card: bool) -> Option<Card> {
    let state = &ahead.state;
    let left: Vec<Card> = Colour::ALL
        .into_iter()
        .flat_map(|colour| {
            unseen_card_numbers(state, colour).map(move |number| Card { colour, number })
        })
        .collect();
    let count = u32::try_from(left.len()).unwrap_or(0) + u32::from(has_chasm_card);
    left.get(ahead.dice.roll_below(count) as usize).copied()
}

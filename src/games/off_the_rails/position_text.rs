//! The position in words, for readers who see neither the picture nor wide text. It has the content
//! of the board and of the tables beside it, in the order in which a player looks at them.

use super::board::Mark;
use super::colour::Colour;
use super::draw::cart_code;
use super::event::Event;
use super::grid::{Direction, Square, SquareSet, TileOpenings, column_letter};
use super::jewel::JewelCounts;
use super::narrate::mission_names;
use super::order::{CartId, Split};
use super::refuse::{cart_name_arg, cart_term_key, describe_jewels};
use super::scene::{JEWELS_PICTURED_MAX, cart_colour, colour_ink};
use super::score::{self, Grade};
use super::state::{Era, Phase, Place, Player, State};
use super::travel;
use super::views::current_points;
use crate::rules::{Arg, Message, PositionRow, Seat};

/// Returns the rows of the whole position. The sentences about what `recent` changed say that it is
/// new.
pub fn describe_position(state: &State, recent: &[Event]) -> Vec<PositionRow> {
    let news = RecentChanges::from_events(state, recent);
    let mut rows = turn_rows(state);
    rows.extend(state.all_carts().filter_map(|id| cart_row(state, id, &news)));
    if state.numbers.is_solo() {
        let others = list_off_board_carts(state, &state.all_carts());
        let row = PositionRow::named(Message::new("or-row-other-carts"), others);
        rows.push(row.also_beside_picture());
        rows.extend(Direction::ALL.map(|side| side_row(state, side)));
    } else {
        rows.extend(Seat::all(state.numbers.seats).map(|seat| player_row(state, seat, &news)));
        let row = PositionRow::named(Message::new("or-row-missions"), [describe_missions(state)]);
        rows.push(row.also_beside_picture());
    }
    rows.extend(Colour::ALL.map(|colour| mine_row(state, colour, &news)));
    rows.extend(outside_jewels_row(state, &news));
    rows.push(crowded_squares_row(state));
    rows.extend(chasm_row(state, &news));
    rows.extend([track_row(state, &news), supplies_row(state), board_row(state)]);
    rows.retain(|row| !row.sentences.is_empty() || !row.beside_picture.is_empty());
    rows
}

/// Returns the rows that only the seat's player may see: the standing orders.
pub fn describe_private_position(state: &State, seat: Seat) -> Vec<PositionRow> {
    let Some(player) = state.player(seat).filter(|_| !state.numbers.is_solo()) else {
        return Vec::new();
    };
    let is_cut = state.numbers.options.cut == super::definition::CutRule::Standing;
    let split = || Message::new("or-row-own-split").with_term("split", Split::term(player.split));
    let open = player.claim_ranking.iter().filter(|&&mission| state.missions.contains(mission));
    let open = open.map(|mission| Arg::Term(mission.term()));
    let wishes = Colour::ALL.into_iter().zip(player.token_wishes).filter_map(|(colour, at)| {
        let wish = Message::new("or-row-own-square").with("square", at?.to_string());
        Some(wish.with_term("colour", colour.term()))
    });
    let places = || player.wants_token.then(|| Message::new("or-row-own-places"));
    let mut says: Vec<Message> = is_cut.then(split).into_iter().collect();
    says.extend(Message::from_list("or-row-own-claims", "missions", open));
    says.extend(Message::from_list("or-row-own-chasm", "squares", wishes).or_else(places));
    if says.is_empty() {
        says.push(Message::new("or-row-own-none"));
    }
    says.into_iter().map(PositionRow::from_sentence).collect()
}

/// The parts of the position that recent events have changed.
#[derive(Default)]
struct RecentChanges {
    track: SquareSet,
    /// The squares where jewels were placed, dropped or picked up.
    jewels: SquareSet,
    sunk: SquareSet,
    /// The carts that changed, as a bit set of [`CartId::bit`].
    carts: u8,
    /// The seats whose pile, missions or supply of carts changed.
    seats: Vec<Seat>,
}

impl RecentChanges {
    fn from_events(state: &State, recent: &[Event]) -> Self {
        let mut news = Self::default();
        let (mut last, mut rammed): (Option<Square>, Option<Square>) = (None, None);
        for event in recent {
            let (squares, at) = match *event {
                Event::Laid { at, .. } | Event::Upgraded { at, .. } => (&mut news.track, Some(at)),
                Event::Sank { at, .. } => (&mut news.sunk, Some(at)),
                Event::Deposited { card, .. } => (&mut news.jewels, state.board.card_square(card)),
                Event::Took { .. } => (&mut news.jewels, last),
                Event::Dropped { .. } => (&mut news.jewels, rammed),
                _ => (&mut news.jewels, None),
            };
            at.into_iter().for_each(|at| squares.insert(at));
            match *event {
                Event::Rolled { to, .. } => last = Some(to),
                Event::Collided { at, crash, .. } => {
                    rammed = Some(at);
                    news.carts |= crash.other.bit();
                }
                Event::Claimed { seat, .. } => news.seats.push(seat),
                Event::Left { cart, .. }
                | Event::Returned { cart }
                | Event::Derailed { cart, .. }
                | Event::Fell { cart } => news.seats.push(state.owner(cart)),
                _ => {}
            }
            news.carts |= match *event {
                Event::Entered { cart, .. }
                | Event::Sped { cart, .. }
                | Event::Rolled { cart, .. }
                | Event::Took { cart, .. }
                | Event::Collided { cart, .. }
                | Event::Dropped { cart, .. }
                | Event::Turned { cart, .. }
                | Event::Halted { cart, .. } => cart.bit(),
                _ => 0,
            };
        }
        news
    }
}

/// Returns 1 if the square is in the set, or else 0. The translated sentences choose their wording
/// by this number.
fn one_if_new(new: SquareSet, square: Square) -> u8 {
    u8::from(new.contains(square))
}

/// Returns a row with the active player, the progress of the turn, and the era.
fn turn_rows(state: &State) -> Vec<PositionRow> {
    let active = match state.phase {
        Phase::Turn(seat) => seat,
        Phase::Over(_) => return vec![PositionRow::from_sentence(Message::new("or-row-over"))],
        Phase::Unopened => return Vec::new(),
    };
    let (left, all) = (state.turn_progress.actions_left, state.numbers.actions);
    let turn = Message::new("or-row-turn").with("who", active).with("count", left).with("all", all);
    let moved = |&id: &CartId| state.has_moved(id) && state.cart(id).is_on_board();
    let moved = state.carts_of(active).filter(moved).map(|id| cart_name_arg(state, id));
    let waits = state.current_move.zip(travel::asked_seat(state)).map(|(run, asked)| {
        let waits = Message::new("or-row-waits").with("cart", cart_name_arg(state, run.cart));
        waits.with("who", asked)
    });
    let era = match state.era {
        _ if state.numbers.is_solo() => None,
        Era::Mining => None,
        Era::LastRound(last) => Some(Message::new("or-row-last-round").with("who", last)),
        Era::Abyss => Some(Message::new("or-row-abyss")),
    };
    let moved = Message::from_list("or-row-moved", "carts", moved);
    let says = [turn].into_iter().chain(moved).chain(waits).chain(era);
    vec![PositionRow::from_sentences(says).also_beside_picture()]
}

/// Returns the row of a cart on the board: its square, its jewels, and the track ahead.
fn cart_row(state: &State, id: CartId, news: &RecentChanges) -> Option<PositionRow> {
    let shown = state.cart(id);
    let (key, square) = match shown.place {
        Place::Track(at) => ("or-row-on-track", at),
        Place::Surface(berth) => ("or-row-on-surface", state.board.entry_square(berth)?),
        Place::Supply | Place::Gone => return None,
    };
    let stands = Message::new(key)
        .with("square", square.to_string())
        .with_term("way", shown.facing.term())
        .with("speed", shown.speed)
        .with("new", u8::from(news.carts & id.bit() != 0));
    let holds = Message::new("or-row-holds").with("jewels", describe_jewels(shown.hold));
    let brief = (!shown.hold.is_empty()).then(|| holds.clone());
    let says = [stands, holds, describe_track_ahead(state, id)];
    let row = PositionRow::named(cart_row_name(state, id), says).beside_picture(brief);
    let code: String = cart_code(state, id).into_iter().collect();
    Some(row.with_label(colour_ink(cart_colour(state, id)), code.to_uppercase()))
}

fn cart_row_name(state: &State, id: CartId) -> Message {
    if state.numbers.is_solo() {
        let colour = Colour::ALL[id.index() % 4];
        return Message::new("or-row-solo-cart").with_term("colour", colour.term());
    }
    Message::new("or-row-cart")
        .with("who", state.owner(id))
        .with_term("die", cart_term_key(state, id))
}

/// The highest number of squares ahead of a cart that a row names. Squares farther ahead do not
/// help the player to plan the next turns.
const SQUARES_AHEAD_MAX: usize = 9;

/// Describes the track ahead of a cart up to a junction, an obstacle or its end.
fn describe_track_ahead(state: &State, id: CartId) -> Message {
    let mut way = state.cart(id).facing;
    let mut next = travel::next_square(state, id);
    let mut over: Vec<String> = Vec::new();
    let said =
        |key, over: Vec<String>| Message::new(key).with("count", over.len()).with("squares", over);
    while let Some(to) = next {
        if over.len() >= SQUARES_AHEAD_MAX {
            return said("or-row-ahead-on", over);
        }
        let ends = state.track[to];
        let other = state.cart_on(to).filter(|&other| other != id);
        let obstacle = if state.collapsed_squares().contains(to) {
            Some("or-row-ahead-chasm")
        } else if state.board.centres.contains(to) {
            Some("or-row-ahead-centre")
        } else if other.is_some() {
            Some("or-row-ahead-cart")
        } else if ends == TileOpenings::NONE {
            Some("or-row-ahead-gap")
        } else if !ends.has(way.opposite()) {
            Some("or-row-ahead-closed")
        } else {
            // The loop ends. A closed circle of track without a junction has no entrance, so no
            // cart can be on it.
            ends.is_junction().then_some("or-row-ahead-junction")
        };
        if let Some(key) = obstacle {
            let message = said(key, over).with("square", to.to_string());
            let ways =
                travel::openings_without_entry(ends, way).iter().map(|way| Arg::Term(way.term()));
            return match (key, other) {
                ("or-row-ahead-cart", Some(other)) => {
                    message.with("cart", cart_name_arg(state, other))
                }
                ("or-row-ahead-junction", _) => message.with_list("ways", ways),
                _ => message,
            };
        }
        over.push(to.to_string());
        way = travel::straight_or_first_direction(travel::openings_without_entry(ends, way), way);
        next = state.board.neighbour(to, way);
    }
    said("or-row-ahead-out", over).with_term("way", way.term())
}

/// Returns the carts in the supply and the carts out of the game.
fn list_off_board_carts(
    state: &State,
    carts: &(impl Iterator<Item = CartId> + Clone),
) -> Vec<Message> {
    let at = |(key, place): (&'static str, Place)| {
        let there = carts.clone().filter(|&id| state.cart(id).place == place);
        Message::from_list(key, "carts", there.map(|id| Arg::Term(cart_term_key(state, id))))
    };
    let places = [("or-row-in-supply", Place::Supply), ("or-row-gone", Place::Gone)];
    places.into_iter().filter_map(at).collect()
}

fn player_row(state: &State, seat: Seat, news: &RecentChanges) -> PositionRow {
    let side = state.sides[seat.index() % 4];
    let colour = state.board.side_colours[side.index()];
    let shown = state.player(seat);
    let side_and_points = |key| {
        let said = Message::new(key).with_term("way", side.term());
        said.with_term("colour", colour.term()).with("points", current_points(state, seat))
    };
    let pile = shown.map_or(JewelCounts::NONE, Player::delivered_jewels);
    let claimed = shown.into_iter().flat_map(|player| player.missions.iter());
    let claimed = claimed.map(|mission| Arg::Term(mission.term()));
    let mut brief = vec![side_and_points("or-brief-player")];
    brief.extend(Message::from_list("or-row-claimed", "missions", claimed));
    brief.extend(list_off_board_carts(state, &state.carts_of(seat)));
    let delivered = Message::new("or-row-pile").with("jewels", describe_jewels(pile));
    let mut says = vec![side_and_points("or-row-player-side"), delivered];
    says.extend(brief.iter().skip(1).cloned());
    says.extend(news.seats.contains(&seat).then(|| Message::new("or-row-changed")));
    PositionRow::named(Message::new("or-row-player").with("who", seat), says)
        .with_label(colour_ink(colour), seat.number().to_string())
        .beside_picture(brief)
}

/// Solo: returns the row of a side, with the kind of jewel that belongs there and the jewels
/// delivered there.
fn side_row(state: &State, side: Direction) -> PositionRow {
    let colour = state.board.side_colours[side.index()];
    let pile =
        state.players.first().map_or(JewelCounts::NONE, |player| player.delivered[side.index()]);
    let name = Message::new("or-row-side-name").with_term("way", side.term());
    let home = Message::new("or-row-home")
        .with_term("jewel", state.board.home_jewels[side.index()].term())
        .with("jewels", describe_jewels(pile));
    PositionRow::named(name.with_term("colour", colour.term()), [home])
        .also_beside_picture()
        .with_label(colour_ink(colour), colour.letter())
}

fn describe_missions(state: &State) -> Message {
    Message::new("or-row-open")
        .with("count", state.missions.len())
        .with("missions", mission_names(state.missions.iter()))
}

/// Returns one sentence for each of these squares that has jewels.
fn list_jewels(
    state: &State,
    squares: impl Iterator<Item = Square>,
    news: &RecentChanges,
) -> impl Iterator<Item = Message> {
    let lying = squares.filter(|&at| !state.ground[at].is_empty());
    lying.map(|at| {
        Message::new("or-row-lying")
            .with("square", at.to_string())
            .with("jewels", describe_jewels(state.ground[at]))
            .with("new", one_if_new(news.jewels, at))
    })
}

fn mine_row(state: &State, colour: Colour, news: &RecentChanges) -> PositionRow {
    let lying = list_jewels(state, state.board.mines[colour.index()].into_iter(), news);
    let lying: Vec<Message> = lying.collect();
    let lies = Message::new("or-row-mine-jewels").with("count", lying.len());
    let name = Message::new("or-row-mine").with_term("colour", colour.term());
    PositionRow::named(name, [lies.with("squares", lying)])
        .with_label(colour_ink(colour), colour.letter())
}

/// Returns the centre and the squares of a mine.
fn describe_mine(state: &State, colour: Colour) -> Message {
    let is_centre =
        |at: &Square| state.board.mine_squares[*at].is_some_and(|mark: Mark| mark.colour == colour);
    let centre = state.board.centres.iter().find(is_centre);
    let squares = state.board.mines[colour.index()].iter().map(Square::to_string);
    Message::new("or-row-mine-squares")
        .with_term("colour", colour.term())
        .with("centre", centre.map_or_else(String::new, |at| at.to_string()))
        .with("squares", squares.collect::<Vec<String>>())
}

/// Returns the row of jewels outside the mines. Jewels fall there after collisions.
fn outside_jewels_row(state: &State, news: &RecentChanges) -> Option<PositionRow> {
    let is_outside = |at: &Square| state.board.mine_squares[*at].is_none();
    let lying = list_jewels(state, state.board.squares.iter().filter(is_outside), news);
    let says = Message::from_list("or-row-outside", "squares", lying)?;
    Some(PositionRow::named(Message::new("or-row-jewels"), [says]))
}

/// Returns the row of the squares with more jewels than the picture can show.
fn crowded_squares_row(state: &State) -> PositionRow {
    let is_crowded = |at: &Square| state.ground[*at].total() as usize > JEWELS_PICTURED_MAX;
    let squares = state.board.squares.iter().filter(is_crowded);
    let news = RecentChanges::default();
    let lying = list_jewels(state, squares, &news);
    let says = Message::from_list("or-brief-crowded", "squares", lying);
    PositionRow::from_sentences([]).beside_picture(says)
}

/// Returns the row of collapsed squares, with the number of chasm tokens that are left of each
/// colour.
fn chasm_row(state: &State, news: &RecentChanges) -> Option<PositionRow> {
    let key = if state.numbers.is_solo() { "or-row-sunk-solo" } else { "or-row-sunk-of" };
    let of = |colour: Colour| {
        let squares = state.sunk[colour.index()].iter().map(|at| {
            let square = Message::new("or-row-sunk").with("square", at.to_string());
            square.with("new", one_if_new(news.sunk, at))
        });
        let sunk = Message::from_list(key, "squares", squares)?;
        let sunk = sunk.with("count", state.tokens[colour.index()]);
        Some(sunk.with_term("colour", colour.term()))
    };
    let row =
        PositionRow::named(Message::new("or-row-chasm"), Colour::ALL.into_iter().filter_map(of));
    (!row.sentences.is_empty()).then_some(row)
}

/// Returns the row of track, with one sentence for each row of the board that has tiles.
fn track_row(state: &State, news: &RecentChanges) -> PositionRow {
    let of = |row: u8| {
        let tiles = state.tiled.iter().filter(|at| at.row() == row).map(|at| {
            let tile = Message::new("or-row-tile").with("square", at.to_string());
            let tile = tile.with("ends", state.track[at].to_string());
            tile.with("new", one_if_new(news.track, at))
        });
        Message::from_list("or-row-tiles", "tiles", tiles)
    };
    let is_bare = state.tiled.is_empty();
    let key = Message::new(if is_bare { "or-row-no-track" } else { "or-row-track-key" });
    let says = std::iter::once(key).chain((0..state.board.rows).filter_map(of));
    PositionRow::named(Message::new("or-row-track"), says)
}

/// Returns the row of the supplies: tiles, chasm tokens, the bag and the deck. In the solo game it
/// shows the grade instead of bag and deck.
fn supplies_row(state: &State) -> PositionRow {
    let tiles = Message::new("or-row-tiles-left")
        .with("simple", state.tiles.straight_or_corner)
        .with("junctions", state.tiles.t_or_cross);
    let tokens = Message::new("or-row-tokens-left").with("count", state.chasm_tokens_left());
    let mut says = vec![tiles, tokens];
    let mut brief = Vec::new();
    if state.numbers.is_solo() {
        brief.push(Message::new(match score::solo_grade(state) {
            Grade::Loss => "or-row-grade-loss",
            Grade::Partial => "or-row-grade-partial",
            Grade::Victory => "or-row-grade-victory",
            Grade::Major => "or-row-grade-major",
        }));
    } else {
        let bag = Message::new("or-row-bag").with("count", state.bag.total());
        says.push(bag.with("jewels", describe_jewels(state.bag)));
        let deck = 4 * u32::from(state.numbers.cards_per_colour) + 1;
        brief.push(Message::new("or-row-deck").with("drawn", state.drawn).with("count", deck));
    }
    says.extend(brief.iter().cloned());
    PositionRow::named(Message::new("or-row-left"), says).beside_picture(brief)
}

/// Returns the row of the board itself: its size, the colours of its sides, and its mines.
fn board_row(state: &State) -> PositionRow {
    let (columns, rows) = (state.board.columns, state.board.rows);
    let sides = Direction::ALL.map(|side| {
        let colour = state.board.side_colours[side.index()];
        let said = Message::new("or-row-side").with_term("way", side.term());
        said.with_term("colour", colour.term())
    });
    let says = Message::new("or-row-squares")
        .with("last", column_letter(columns.saturating_sub(1)).to_string())
        .with("rows", rows)
        .with_list("sides", sides);
    let mines = Colour::ALL.map(|colour| describe_mine(state, colour));
    PositionRow::named(Message::new("or-row-board"), std::iter::once(says).chain(mines))
}

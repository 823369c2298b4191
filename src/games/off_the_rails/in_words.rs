//! The position in words, for who sees neither picture nor wide text: what the board and the tables
//! beside it show, in the order in which a player looks at it.

use super::board::Mark;
use super::colour::Colour;
use super::draw::cart_code;
use super::event::Event;
use super::grid::{Ends, Square, SquareSet, Way, column_letter};
use super::jewel::Hoard;
use super::narrate::mission_names;
use super::order::{CartId, Split};
use super::refuse::{cart_name, cart_term, hoard};
use super::scene::{colour_of, ink};
use super::score::{self, Grade};
use super::state::{Era, Phase, Place, Player, State};
use super::travel;
use super::views::points;
use crate::rules::{Arg, Message, Row, Seat};

/// The whole position, with what `recent` changed said to be new.
pub fn in_words(state: &State, recent: &[Event]) -> Vec<Row> {
    let news = News::of(state, recent);
    let mut rows = turn(state);
    rows.extend(state.all_carts().filter_map(|id| cart(state, id, &news)));
    if state.numbers.is_solo() {
        rows.push(Row::of(Message::new("or-row-other-carts"), idle(state, &state.all_carts())));
        rows.extend(Way::ALL.map(|side| delivered(state, side)));
    } else {
        rows.extend(Seat::all(state.numbers.seats).map(|seat| player(state, seat, &news)));
        rows.push(Row::of(Message::new("or-row-missions"), [missions(state)]));
    }
    rows.extend(Colour::ALL.map(|colour| mine(state, colour, &news)));
    rows.extend(elsewhere(state, &news));
    rows.extend(chasm(state, &news));
    rows.extend([track(state, &news), supplies(state), board(state)]);
    rows.retain(|row| !row.says.is_empty());
    rows
}

/// What only this seat may see: what its player wants done when it comes to it.
pub fn private_in_words(state: &State, seat: Seat) -> Vec<Row> {
    let Some(player) = state.player(seat).filter(|_| !state.numbers.is_solo()) else {
        return Vec::new();
    };
    let is_cut = state.numbers.variant.cut == super::definition::Cut::Standing;
    let split = || Message::new("or-row-own-split").with_term("split", Split::term(player.split));
    let open = player.claims.iter().filter(|&&mission| state.missions.contains(mission));
    let open = open.map(|mission| Arg::Term(mission.term()));
    let wishes = Colour::ALL.into_iter().zip(player.chasm).filter_map(|(colour, at)| {
        let wish = Message::new("or-row-own-square").with("square", at?.to_string());
        Some(wish.with_term("colour", colour.term()))
    });
    let places = || player.places.then(|| Message::new("or-row-own-places"));
    let mut says: Vec<Message> = is_cut.then(split).into_iter().collect();
    says.extend(Message::listing("or-row-own-claims", "missions", open));
    says.extend(Message::listing("or-row-own-chasm", "squares", wishes).or_else(places));
    if says.is_empty() {
        says.push(Message::new("or-row-own-none"));
    }
    says.into_iter().map(Row::saying).collect()
}

/// What the last events have changed.
#[derive(Default)]
struct News {
    /// The squares where track was laid or upgraded.
    track: SquareSet,
    /// The squares where jewels came to lie, or were picked up.
    jewels: SquareSet,
    /// The squares that collapsed.
    sunk: SquareSet,
    /// As bits.
    carts: u8,
    /// Whose pile, missions or supply are other than before.
    seats: Vec<Seat>,
}

impl News {
    fn of(state: &State, recent: &[Event]) -> Self {
        let mut news = Self::default();
        let (mut last, mut rammed): (Option<Square>, Option<Square>) = (None, None);
        for event in recent {
            let (squares, at) = match *event {
                Event::Laid { at, .. } | Event::Upgraded { at, .. } => (&mut news.track, Some(at)),
                Event::Sank { at, .. } => (&mut news.sunk, Some(at)),
                Event::Deposited { card, .. } => (&mut news.jewels, state.board.mined(card)),
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

/// A number that a sentence can go by: 1 where the square is among the new ones.
fn is_new(new: SquareSet, square: Square) -> u8 {
    u8::from(new.contains(square))
}

/// Whose turn it is, and what is going on.
fn turn(state: &State) -> Vec<Row> {
    let active = match state.phase {
        Phase::Turn(seat) => seat,
        Phase::Over(_) => return vec![Row::saying(Message::new("or-row-over"))],
        Phase::Unopened => return Vec::new(),
    };
    let (left, all) = (state.stint.actions, state.numbers.actions);
    let turn = Message::new("or-row-turn").with("who", active).with("count", left).with("all", all);
    let moved = |&id: &CartId| state.has_moved(id) && state.cart(id).is_on_board();
    let moved = state.carts_of(active).filter(moved).map(|id| cart_name(state, id));
    let waits = state.run.zip(travel::asked(state)).map(|(run, asked)| {
        let waits = Message::new("or-row-waits").with("cart", cart_name(state, run.cart));
        waits.with("who", asked)
    });
    let era = match state.era {
        _ if state.numbers.is_solo() => None,
        Era::Mining => None,
        Era::LastRound(last) => Some(Message::new("or-row-last-round").with("who", last)),
        Era::Abyss => Some(Message::new("or-row-abyss")),
    };
    let moved = Message::listing("or-row-moved", "carts", moved);
    vec![Row::unnamed([turn].into_iter().chain(moved).chain(waits).chain(era))]
}

/// A cart on the board: where it is, what it holds, where its track leads.
fn cart(state: &State, id: CartId, news: &News) -> Option<Row> {
    let shown = state.cart(id);
    let (key, square) = match shown.place {
        Place::Track(at) => ("or-row-on-track", at),
        Place::Surface(berth) => ("or-row-on-surface", state.board.gate(berth)?),
        Place::Supply | Place::Gone => return None,
    };
    let stands = Message::new(key)
        .with("square", square.to_string())
        .with_term("way", shown.facing.term())
        .with("speed", shown.speed)
        .with("new", u8::from(news.carts & id.bit() != 0));
    let holds = Message::new("or-row-holds").with("jewels", hoard(shown.hold));
    let row = Row::of(cart_row_name(state, id), [stands, holds, ahead(state, id)]);
    let code: String = cart_code(state, id).into_iter().collect();
    Some(row.marked(ink(colour_of(state, id)), code.to_uppercase()))
}

fn cart_row_name(state: &State, id: CartId) -> Message {
    if state.numbers.is_solo() {
        let colour = Colour::ALL[id.index() % 4];
        return Message::new("or-row-solo-cart").with_term("colour", colour.term());
    }
    Message::new("or-row-cart").with("who", state.owner(id)).with_term("die", cart_term(state, id))
}

/// How many squares ahead of a cart are named: more than it can come to in two turns are no help.
const AHEAD_MAX: usize = 9;

/// Where the track ahead of a cart leads, up to where there is a choice or it ends.
fn ahead(state: &State, id: CartId) -> Message {
    let mut way = state.cart(id).facing;
    let mut next = travel::next_square(state, id);
    let mut over: Vec<String> = Vec::new();
    let said =
        |key, over: Vec<String>| Message::new(key).with("count", over.len()).with("squares", over);
    while let Some(to) = next {
        if over.len() >= AHEAD_MAX {
            return said("or-row-ahead-on", over);
        }
        let ends = state.track[to];
        let other = state.cart_on(to).filter(|&other| other != id);
        let obstacle = if state.chasm().contains(to) {
            Some("or-row-ahead-chasm")
        } else if state.board.centres.contains(to) {
            Some("or-row-ahead-centre")
        } else if other.is_some() {
            Some("or-row-ahead-cart")
        } else if ends == Ends::NONE {
            Some("or-row-ahead-gap")
        } else if !ends.has(way.opposite()) {
            Some("or-row-ahead-closed")
        } else {
            // Track without a junction never leads a cart in a circle: it had no way into it.
            ends.is_junction().then_some("or-row-ahead-junction")
        };
        if let Some(key) = obstacle {
            let message = said(key, over).with("square", to.to_string());
            let ways = travel::ways_on(ends, way).iter().map(|way| Arg::Term(way.term()));
            return match (key, other) {
                ("or-row-ahead-cart", Some(other)) => message.with("cart", cart_name(state, other)),
                ("or-row-ahead-junction", _) => message.with_list("ways", ways),
                _ => message,
            };
        }
        over.push(to.to_string());
        way = travel::straight_on(travel::ways_on(ends, way), way);
        next = state.board.step(to, way);
    }
    said("or-row-ahead-out", over).with_term("way", way.term())
}

/// Carts that are not on the board.
fn idle(state: &State, carts: &(impl Iterator<Item = CartId> + Clone)) -> Vec<Message> {
    let at = |(key, place): (&'static str, Place)| {
        let there = carts.clone().filter(|&id| state.cart(id).place == place);
        Message::listing(key, "carts", there.map(|id| Arg::Term(cart_term(state, id))))
    };
    let places = [("or-row-in-supply", Place::Supply), ("or-row-gone", Place::Gone)];
    places.into_iter().filter_map(at).collect()
}

fn player(state: &State, seat: Seat, news: &News) -> Row {
    let side = state.sides[seat.index() % 4];
    let colour = state.board.side_colours[side.index()];
    let shown = state.player(seat);
    let first = Message::new("or-row-player-side")
        .with_term("way", side.term())
        .with_term("colour", colour.term())
        .with("points", points(state, seat));
    let pile = shown.map_or(Hoard::NONE, Player::pile);
    let mut says = vec![first, Message::new("or-row-pile").with("jewels", hoard(pile))];
    let claimed = shown.into_iter().flat_map(|player| player.missions.iter());
    let claimed = claimed.map(|mission| Arg::Term(mission.term()));
    says.extend(Message::listing("or-row-claimed", "missions", claimed));
    says.extend(idle(state, &state.carts_of(seat)));
    says.extend(news.seats.contains(&seat).then(|| Message::new("or-row-changed")));
    Row::of(Message::new("or-row-player").with("who", seat), says)
        .marked(ink(colour), seat.number().to_string())
}

/// Solo: what belongs on a side and what was brought there.
fn delivered(state: &State, side: Way) -> Row {
    let colour = state.board.side_colours[side.index()];
    let pile = state.players.first().map_or(Hoard::NONE, |player| player.delivered[side.index()]);
    let name = Message::new("or-row-side-name").with_term("way", side.term());
    let home = Message::new("or-row-home")
        .with_term("jewel", state.board.homes[side.index()].term())
        .with("jewels", hoard(pile));
    Row::of(name.with_term("colour", colour.term()), [home]).marked(ink(colour), colour.letter())
}

fn missions(state: &State) -> Message {
    Message::new("or-row-open")
        .with("count", state.missions.len())
        .with("missions", mission_names(state.missions.iter()))
}

/// The jewels on these squares.
fn jewels(
    state: &State,
    squares: impl Iterator<Item = Square>,
    news: &News,
) -> impl Iterator<Item = Message> {
    let lying = squares.filter(|&at| !state.ground[at].is_empty());
    lying.map(|at| {
        Message::new("or-row-lying")
            .with("square", at.to_string())
            .with("jewels", hoard(state.ground[at]))
            .with("new", is_new(news.jewels, at))
    })
}

fn mine(state: &State, colour: Colour, news: &News) -> Row {
    let lying = jewels(state, state.board.mines[colour.index()].into_iter(), news);
    let lying: Vec<Message> = lying.collect();
    let lies = Message::new("or-row-mine-jewels").with("count", lying.len());
    let name = Message::new("or-row-mine").with_term("colour", colour.term());
    Row::of(name, [lies.with("squares", lying)]).marked(ink(colour), colour.letter())
}

/// Where a mine lies.
fn layout(state: &State, colour: Colour) -> Message {
    let is_centre =
        |at: &Square| state.board.marks[*at].is_some_and(|mark: Mark| mark.colour == colour);
    let centre = state.board.centres.iter().find(is_centre);
    let squares = state.board.mines[colour.index()].iter().map(Square::to_string);
    Message::new("or-row-mine-squares")
        .with_term("colour", colour.term())
        .with("centre", centre.map_or_else(String::new, |at| at.to_string()))
        .with("squares", squares.collect::<Vec<String>>())
}

/// Jewels outside the mines.
fn elsewhere(state: &State, news: &News) -> Option<Row> {
    let is_outside = |at: &Square| state.board.marks[*at].is_none();
    let lying = jewels(state, state.board.squares.iter().filter(is_outside), news);
    let says = Message::listing("or-row-outside", "squares", lying)?;
    Some(Row::of(Message::new("or-row-jewels"), [says]))
}

/// Where the mines have collapsed, and what is left to collapse.
fn chasm(state: &State, news: &News) -> Option<Row> {
    let key = if state.numbers.is_solo() { "or-row-sunk-solo" } else { "or-row-sunk-of" };
    let of = |colour: Colour| {
        let squares = state.sunk[colour.index()].iter().map(|at| {
            let square = Message::new("or-row-sunk").with("square", at.to_string());
            square.with("new", is_new(news.sunk, at))
        });
        let sunk = Message::listing(key, "squares", squares)?;
        let sunk = sunk.with("count", state.tokens[colour.index()]);
        Some(sunk.with_term("colour", colour.term()))
    };
    let row = Row::of(Message::new("or-row-chasm"), Colour::ALL.into_iter().filter_map(of));
    (!row.says.is_empty()).then_some(row)
}

/// The tiles, row by row of the board.
fn track(state: &State, news: &News) -> Row {
    let of = |row: u8| {
        let tiles = state.tiled.iter().filter(|at| at.row() == row).map(|at| {
            let tile = Message::new("or-row-tile").with("square", at.to_string());
            let tile = tile.with("ends", state.track[at].to_string());
            tile.with("new", is_new(news.track, at))
        });
        Message::listing("or-row-tiles", "tiles", tiles)
    };
    let is_bare = state.tiled.is_empty();
    let key = Message::new(if is_bare { "or-row-no-track" } else { "or-row-track-key" });
    let says = std::iter::once(key).chain((0..state.board.rows).filter_map(of));
    Row::of(Message::new("or-row-track"), says)
}

/// What can still be drawn, laid and placed.
fn supplies(state: &State) -> Row {
    let tiles = Message::new("or-row-tiles-left")
        .with("simple", state.tiles.straight_or_corner)
        .with("junctions", state.tiles.t_or_cross);
    let tokens = Message::new("or-row-tokens-left").with("count", state.tokens_left());
    let mut says = vec![tiles, tokens];
    if state.numbers.is_solo() {
        says.push(Message::new(match score::grade(state) {
            Grade::Loss => "or-row-grade-loss",
            Grade::Partial => "or-row-grade-partial",
            Grade::Victory => "or-row-grade-victory",
            Grade::Major => "or-row-grade-major",
        }));
    } else {
        let bag = Message::new("or-row-bag").with("count", state.bag.total());
        says.push(bag.with("jewels", hoard(state.bag)));
        let deck = 4 * u32::from(state.numbers.length) + 1;
        says.push(Message::new("or-row-deck").with("drawn", state.drawn).with("count", deck));
    }
    Row::of(Message::new("or-row-left"), says)
}

/// How the squares are named, and which colour each side has.
fn board(state: &State) -> Row {
    let (columns, rows) = (state.board.columns, state.board.rows);
    let sides = Way::ALL.map(|side| {
        let colour = state.board.side_colours[side.index()];
        let said = Message::new("or-row-side").with_term("way", side.term());
        said.with_term("colour", colour.term())
    });
    let says = Message::new("or-row-squares")
        .with("last", column_letter(columns.saturating_sub(1)).to_string())
        .with("rows", rows)
        .with_list("sides", sides);
    let mines = Colour::ALL.map(|colour| layout(state, colour));
    Row::of(Message::new("or-row-board"), std::iter::once(says).chain(mines)).aside()
}

//! Orders as lines of a letter: `lay D2 ne`, `enter white C`, `speed w +1`, `move w C1 C2 out`.

use super::OffTheRails;
use super::colour::Colour;
use super::forms::GRAMMAR;
use super::grid::{Ends, Square, Way};
use super::jewel::Jewel;
use super::mission::Mission;
use super::order::{Berth, CartId, Order, Split, Wish};
use super::refuse;
use super::route;
use super::state::{Place, State};
use super::travel;
use super::words;
use crate::rules::words::{first, is_beginning, one_of};
use crate::rules::{Grammar, Message, NoPlan, OrderText, Reading, Refusal, Seat};

type Orders = Result<Vec<Order>, Refusal>;

impl OrderText for OffTheRails {
    type Plan = NoPlan;

    const FILLERS: &'static [&'static str] = &words::FILLERS;
    const GRAMMAR: Grammar<State> = GRAMMAR;

    fn names(_: &State) -> Vec<String> {
        let jewels = Jewel::ALL
            .into_iter()
            .flat_map(|jewel| [jewel.name().to_owned(), format!("{}s", jewel.name())]);
        let colours = Colour::ALL.into_iter().map(Colour::name).chain(["white", "black", "rubies"]);
        colours.map(str::to_owned).chain(jewels).collect()
    }

    fn parse(state: &State, seat: Seat, line: &str) -> Result<Reading<Order>, Refusal> {
        let line = words::small(line);
        let words = words::words(&line);
        let foreign = || GRAMMAR.foreign(state, Message::new("or-unreadable"));
        let (first, rest) = words.split_first().ok_or_else(foreign)?;
        let verb = GRAMMAR.verb(first).ok_or_else(foreign)?;
        let orders = match verb {
            "lay" => lay(state, rest)?,
            "upgrade" => upgrade(state, rest)?,
            "enter" => enter(state, seat, rest)?,
            "speed" | "faster" | "slower" => speed(state, seat, verb, rest)?,
            "chasm" => chasm(state, rest)?,
            "claim" => claim(state, rest)?,
            "split" => split(state, rest)?,
            "stop" => vec![Order::Stop],
            "move" if rest.is_empty() && travel::asked(state).is_none() => vec![Order::End],
            "face" if travel::asked(state).is_none() => face(state, seat, rest)?,
            "done" if rest.is_empty() => vec![Order::End],
            "done" => {
                return Err(GRAMMAR.unreadable(state, Message::new("or-unreadable"), "done"));
            }
            _ => return route::read(state, seat, verb, rest),
        };
        Ok(Reading::plain(orders))
    }

    fn write(state: &State, orders: &[Order]) -> String {
        let lines: Vec<String> = orders.iter().map(|&order| one(state, order)).collect();
        lines.join(" ")
    }

    /// Whether these orders make a whole line: a move goes on until somebody else has to say
    /// something.
    fn is_whole_line(after: &State, orders: &[Order]) -> bool {
        after.run.is_none()
            || matches!(orders.last(), Some(Order::Cut(_)))
            || travel::asked(after) != after.active()
    }
}

/// `corner D2 ne, D3 ns`: each square with its openings.
fn lay(state: &State, words: &[&str]) -> Orders {
    let forms =
        |key, word: &str| GRAMMAR.unreadable(state, Message::new(key).with("word", word), "lay");
    let (mut orders, mut shape, mut at) = (Vec::new(), None, None);
    let mut ends = Ends::NONE;
    for &word in words {
        if matches!(word, "a" | "an") {
            continue;
        }
        if is_beginning(word, "straight") && word.len() > 1 {
            shape = Some(true);
        } else if ["corner", "curve", "bend"].iter().any(|name| is_beginning(word, name)) {
            shape = Some(false);
        } else if word.chars().any(|c| c.is_ascii_digit()) {
            let next = words::square(state, word)?;
            if let Some(before) = at.replace(next) {
                orders.push(tile(state, before, std::mem::take(&mut ends), shape)?);
            }
        } else if let Some(more) = words::ends(word) {
            ends = more.iter().fold(ends, Ends::with);
        } else {
            return Err(forms("or-unknown-word", word));
        }
    }
    let at = at.ok_or_else(|| forms("or-lay-where", ""))?;
    orders.push(tile(state, at, ends, shape)?);
    Ok(orders)
}

fn tile(
    state: &State,
    at: Square,
    ends: Ends,
    is_straight: Option<bool>,
) -> Result<Order, Refusal> {
    let about = |key| {
        let reason =
            Message::new(key).with("square", at.to_string()).with("ends", ends.to_string());
        GRAMMAR.unreadable(state, reason, "lay")
    };
    if ends == Ends::NONE {
        return Err(about("or-lay-ends"));
    }
    if is_straight.is_some_and(|is_straight| is_straight != ends.is_straight()) {
        return Err(about("or-lay-differs"));
    }
    Ok(Order::Lay { at, ends })
}

/// `D2 t nes`, `D2 e`, `D2 cross`: all openings, or only the new ones.
fn upgrade(state: &State, words: &[&str]) -> Orders {
    let (mut at, mut named, mut is_cross) = (None, Ends::NONE, false);
    for &word in words {
        if word.chars().any(|c| c.is_ascii_digit()) {
            at = Some(words::square(state, word)?);
        } else if is_beginning(word, "cross") {
            is_cross = true;
        } else if let Some(more) = words::ends(word) {
            named = more.iter().fold(named, Ends::with);
        } else if !matches!(word, "t" | "tee" | "junction") {
            let reason = Message::new("or-unknown-word").with("word", word);
            return Err(GRAMMAR.unreadable(state, reason, "upgrade"));
        }
    }
    let at = at.ok_or_else(|| GRAMMAR.unreadable(state, Message::new("or-up-where"), "upgrade"))?;
    let ends = state.track[at];
    let is_last = ends.count() == 3 && named == Ends::NONE;
    let wanted = |way: &Way| is_cross || is_last || named.has(*way);
    let added: Vec<Way> =
        Way::ALL.into_iter().filter(|way| wanted(way) && !ends.has(*way)).collect();
    let about = |key| Message::new(key).with("square", at.to_string());
    // All three openings of a T were named, and an old one is not among them.
    if named.count() == 3 && ends.iter().any(|way| !named.has(way)) {
        let refusal = Refusal::illegal(about("or-up-removes").with("ends", ends.to_string()));
        return Err(refusal.or(refuse::openings(state, at)));
    }
    if added.is_empty() {
        if named == Ends::NONE && ends != Ends::NONE && ends.count() < 4 {
            let refusal = Refusal::unreadable(about("or-up-which"));
            return Err(refusal.or(refuse::openings(state, at)));
        }
        // The rules say what is wrong with it.
        let way = named.iter().next().unwrap_or(Way::North);
        return Ok(vec![Order::Upgrade { at, way }]);
    }
    Ok(added.into_iter().map(|way| Order::Upgrade { at, way }).collect())
}

/// `white C north`: the cart may be missing where one is left, the side always.
fn enter(state: &State, seat: Seat, words: &[&str]) -> Orders {
    let form =
        |key, word: &str| GRAMMAR.unreadable(state, Message::new(key).with("word", word), "enter");
    // A letter alone is a column before it is a cart.
    let is_place = |cart| matches!(words, [word] if along(state, state.home(cart), word).is_some());
    let named = |word: &str| words::cart(state, seat, word).filter(|&cart| !is_place(cart));
    let (named, behind) = first(words, named);
    let in_supply = |cart: &CartId| state.cart(*cart).place == Place::Supply;
    let cart = named.or_else(|| state.carts_of(seat).find(in_supply));
    let cart =
        cart.or_else(|| state.carts_of(seat).next()).ok_or_else(|| form("or-enter-which", ""))?;
    let home = state.home(cart);
    let (mut side, mut index) = (home, None);
    for &word in behind {
        if index.is_none()
            && let Some(place) = along(state, home, word)
        {
            index = Some(place);
        } else if let Some(way) = words::way(word) {
            side = way;
        } else {
            let reason = Message::new("or-enter-where").with("word", word);
            return Err(Refusal::unreadable(reason).or(refuse::berths(state, cart)));
        }
    }
    let index = index.ok_or_else(|| {
        Refusal::unreadable(Message::new("or-enter-place")).or(refuse::berths(state, cart))
    })?;
    Ok(vec![Order::Enter { cart, berth: Berth { side, index } }])
}

/// The place along a side: its column or row, or the square of the board beside it.
fn along(state: &State, side: Way, word: &str) -> Option<u8> {
    if let Some(square) = Square::parse(word) {
        let index =
            if matches!(side, Way::North | Way::South) { square.column() } else { square.row() };
        return (state.board.gate(Berth { side, index }) == Some(square)).then_some(index);
    }
    let place = match side {
        Way::North | Way::South => Square::parse(&format!("{word}1"))?.column(),
        Way::East | Way::West => word.parse::<u8>().ok()?.checked_sub(1)?,
    };
    (place < state.board.length(side)).then_some(place)
}

/// `w +1`, `w 5`, `w up`; `faster w`, `slower w`.
fn speed(state: &State, seat: Seat, verb: &str, words: &[&str]) -> Orders {
    let form =
        |key, word: &str| GRAMMAR.unreadable(state, Message::new(key).with("word", word), "speed");
    let (named, rest) = first(words, |word| words::cart(state, seat, word));
    let on_board = |cart: &CartId| state.cart(*cart).is_on_board();
    let cart = match named {
        Some(cart) => cart,
        None => state.carts_of(seat).find(on_board).ok_or_else(|| form("or-speed-which", ""))?,
    };
    let shown = i16::from(state.cart(cart).speed);
    let change = match (verb, rest) {
        ("faster", []) => 1,
        ("slower", []) => -1,
        ("speed", ["up" | "faster"]) => 1,
        ("speed", ["down" | "slower"]) => -1,
        ("speed", [word]) => {
            let number = word.parse::<i16>().map_err(|_| form("or-unknown-word", word))?;
            if word.starts_with(['+', '-']) { number } else { number.saturating_sub(shown) }
        }
        _ => return Err(form("or-speed-what", "")),
    };
    if change == 0 {
        let reason = Message::new("or-speed-same").with("speed", state.cart(cart).speed);
        return Err(Refusal::illegal(reason.with("cart", refuse::cart_name(state, cart))));
    }
    // More than one turn has actions for is refused at the first that is too many.
    let steps = usize::from(change.unsigned_abs().min(10));
    Ok(vec![Order::Speed { cart, up: change > 0 }; steps])
}

/// `white east`: another facing for a cart that has stopped on a junction in this turn.
fn face(state: &State, seat: Seat, words: &[&str]) -> Orders {
    let form = || GRAMMAR.unreadable(state, Message::new("or-face-how"), "face");
    let (cart, word) = match words {
        [word] => (state.carts_of(seat).find(|&cart| state.has_moved(cart)), word),
        [cart, word] => (words::cart(state, seat, cart), word),
        _ => return Err(form()),
    };
    let (cart, way) = (cart.ok_or_else(form)?, words::way(word).ok_or_else(form)?);
    Ok(vec![Order::Turn { cart, way }])
}

/// `red D4, blue C6`, `yes`, `none`.
fn chasm(state: &State, words: &[&str]) -> Orders {
    match words {
        ["yes" | "any"] => return Ok(vec![Order::Wish(Wish::Place(true))]),
        ["no" | "none"] => return Ok(vec![Order::Wish(Wish::Place(false))]),
        _ => {}
    }
    let form = || GRAMMAR.unreadable(state, Message::new("or-chasm-how"), "chasm");
    let (pairs, rest) = words.as_chunks::<2>();
    if pairs.is_empty() || !rest.is_empty() {
        return Err(form());
    }
    let wish = |&[colour, square]: &[&str; 2]| {
        let colour = words::colour(colour).ok_or_else(form)?;
        Ok(Order::Wish(Wish::Chasm(colour, words::square(state, square)?)))
    };
    pairs.iter().map(wish).collect()
}

/// `Red Leader, Spice of Life`: the first named is claimed first.
fn claim(state: &State, words: &[&str]) -> Orders {
    let form = |word: &str| {
        GRAMMAR.unreadable(state, Message::new("or-claim-which").with("word", word), "claim")
    };
    let mut missions = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let mission = one_of(&Mission::ALL, Mission::name, word).ok_or_else(|| form(word))?;
        // The first words differ; the others may follow.
        for name in mission
            .name()
            .split(' ')
            .filter(|name| *name != "of" && *name != "in" && *name != "to")
            .skip(1)
        {
            words.next_if(|word| **word == name);
        }
        missions.push(mission);
    }
    if missions.is_empty() {
        return Err(form(""));
    }
    // Each is put in front of the others.
    Ok(missions.into_iter().rev().map(|mission| Order::Wish(Wish::Claim(mission))).collect())
}

/// `rocks together`, `best alone`, `balanced`.
fn split(state: &State, words: &[&str]) -> Orders {
    let split = words.iter().find_map(|word| match *word {
        "even" | "equal" => Some(Split::Balanced),
        word => one_of(&Split::ALL, Split::name, word),
    });
    match split {
        Some(split) => Ok(vec![Order::Wish(Wish::Split(split))]),
        None => Err(GRAMMAR.unreadable(state, Message::new("or-split-how"), "split")),
    }
}

fn one(state: &State, order: Order) -> String {
    let word = |cart| refuse::cart_word(state, cart);
    match order {
        Order::Lay { at, ends } => format!("lay {at} {ends}"),
        Order::Upgrade { at, way } => format!("upgrade {at} {}", way.name()),
        Order::Enter { cart, berth: Berth { side, index } } => {
            format!("enter {} {} {}", word(cart), refuse::berth_word(side, index), side.name())
        }
        Order::Speed { cart, up } => {
            format!("speed {} {}", word(cart), if up { "+1" } else { "-1" })
        }
        Order::Move { cart } => format!("move {}", word(cart)),
        Order::Go(way) => format!("go {}", way.name()),
        Order::Take(jewel) => format!("take {}", jewel.name()),
        Order::Face(way) => format!("face {}", way.name()),
        Order::Turn { cart, way } => format!("face {} {}", word(cart), way.name()),
        Order::Drop(jewels) => format!("drop {}", route::pieces(jewels)),
        Order::Cut(first) => format!("cut {}", route::pieces(first)),
        Order::Pick { first } => format!("pick {}", if first { "first" } else { "second" }),
        Order::Wish(Wish::Split(split)) => format!("split {}", split.name()),
        Order::Wish(Wish::Claim(mission)) => format!("claim {}", mission.name()),
        Order::Wish(Wish::Chasm(colour, at)) => format!("chasm {} {at}", colour.name()),
        Order::Wish(Wish::Place(places)) => {
            format!("chasm {}", if places { "yes" } else { "none" })
        }
        Order::End => "done".to_owned(),
        Order::Stop => "stop".to_owned(),
    }
}

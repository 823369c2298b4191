//! Orders as lines of a letter: `lay D2 ne`, `enter white C`, `speed w +1`, `move w C1 C2 out`.

use super::OffTheRails;
use super::colour::Colour;
use super::doubt;
use super::forms::GRAMMAR;
use super::grid::{Ends, Square, Way};
use super::jewel::Jewel;
use super::joined;
use super::order::{Berth, CartId, Order, Wish};
use super::plan::Then;
use super::refuse::{self, unread};
use super::route;
use super::state::{Place, State};
use super::travel;
use super::wishes;
use super::words;
use crate::rules::line_words::{first, is_beginning};
use crate::rules::{Grammar, Message, OrderText, Reading, Refusal, Seat};

type Orders = Result<Vec<Order>, Refusal>;

impl OrderText for OffTheRails {
    type Plan = Then;

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
        let mut reading = read_one(state, seat, &line)
            .or_else(|refusal| joined::read(state, seat, &line).unwrap_or(Err(refusal)))?;
        let says_derail = words::words(&line).into_iter().any(words::means_derail);
        if says_derail && !doubt::derails(state, seat, &reading.orders) {
            reading.remarks.push(Message::new("or-no-derail"));
        }
        Ok(reading)
    }

    fn write(state: &State, orders: &[Order]) -> String {
        let mover = travel::asked(state).or(state.active());
        let derails = mover.is_some_and(|seat| doubt::derails(state, seat, orders));
        let mut line = String::new();
        for (place, &order) in orders.iter().enumerate() {
            let before = place.checked_sub(1).and_then(|before| orders.get(before));
            line += before.map_or("", |before| joined::between(before, &order));
            line += &one(state, order);
        }
        if derails { line + " derail" } else { line }
    }

    fn doubt(state: &State, seat: Seat, lines: &[&str]) -> Option<(Option<usize>, Refusal)> {
        doubt::doubt(state, seat, lines)
    }

    /// Whether these orders make a whole line: a move goes on until somebody else has to say
    /// something.
    fn is_whole_line(after: &State, orders: &[Order]) -> bool {
        after.run.is_none()
            || matches!(orders.last(), Some(Order::Cut(_)))
            || travel::asked(after) != after.active()
    }
}

/// What one line orders, read as a whole.
pub fn read_one(state: &State, seat: Seat, small: &str) -> Result<Reading<Order>, Refusal> {
    let mut words = words::words(small);
    words.retain(|word| !words::means_derail(word));
    read(state, seat, small, &words)
}

/// What the words of a line order.
fn read(state: &State, seat: Seat, line: &str, words: &[&str]) -> Result<Reading<Order>, Refusal> {
    let foreign = || GRAMMAR.foreign((state, Some(seat)), Message::new("or-unreadable"));
    let (first, rest) = words.split_first().ok_or_else(foreign)?;
    let Some(verb) = GRAMMAR.verb(first) else {
        return of_a_cart(state, seat, line, words).ok_or_else(foreign);
    };
    let takes_cart =
        matches!(verb, "enter" | "speed" | "faster" | "slower" | "move" | "face" | "lay");
    if takes_cart && rest.iter().any(|word| words::is_foreign_cart(state, seat, word)) {
        return Err(refuse::not_yours(state, seat));
    }
    let is_cart = |word: &&str| word.len() > 1 && words::cart(state, seat, word).is_some();
    let is_pending = travel::asked(state).is_some();
    let orders = match verb {
        "lay" if rest.first().is_some_and(is_cart) => enter(state, seat, rest)?,
        "lay" => lay(state, behind(&words::pieces(line), first))?,
        "upgrade" => upgrade(state, rest)?,
        "enter" => enter(state, seat, rest)?,
        "speed" | "faster" | "slower" => speed(state, seat, verb, rest)?,
        "chasm" => wishes::chasm(state, rest)?,
        "claim" => wishes::claim(state, rest)?,
        "split" => wishes::split(state, rest)?,
        "stop" => alone(state, verb, rest, &["game", "here", "now"], Order::Stop)?,
        "done" => alone(state, verb, rest, &["turn", "now"], Order::End)?,
        "move" if !is_pending && is_all(rest) => vec![Order::End],
        "face" if !is_pending => face(state, seat, rest)?,
        _ => return route::read(state, seat, verb, rest),
    };
    Ok(Reading::plain(orders))
}

/// Whether a move is of every cart, as each must.
fn is_all(words: &[&str]) -> bool {
    matches!(words, [] | ["both" | "all" | "everything"])
}

/// A verb that needs no more words; these may follow.
fn alone(state: &State, verb: &str, words: &[&str], also: &[&str], order: Order) -> Orders {
    match words.iter().find(|word| !also.contains(word)) {
        Some(word) => Err(unread(state, "or-unknown-word", word, verb)),
        None => Ok(vec![order]),
    }
}

/// A line that begins with a cart, as people write: `black +2`, `white move D2`, `white C1 C2`. One
/// that cannot be read to its end is meant for people.
fn of_a_cart(state: &State, seat: Seat, line: &str, words: &[&str]) -> Option<Reading<Order>> {
    let (&first, rest) = words.split_first()?;
    words::cart(state, seat, first)?;
    let (&second, more) = rest.split_first()?;
    let speed = |verb| speed(state, seat, verb, words).ok().map(Reading::plain);
    match second {
        "up" | "down" | "faster" | "slower" => return speed("speed"),
        _ if second.starts_with(['+', '-']) => return speed("speed"),
        "enter" | "speed" | "move" | "face" => {
            let turned: Vec<&str> = [second, first].iter().chain(more).copied().collect();
            return read(state, seat, line, &turned).ok();
        }
        _ => {}
    }
    let is_way = |word: &&str| {
        let names_square = words::square(state, word).is_ok();
        names_square || matches!(*word, "out" | "exit") || words::way(word).is_some()
    };
    (first.len() > 1 && rest.iter().all(is_way) && state.run.is_none())
        .then(|| route::read(state, seat, "move", words).ok())?
}

/// The pieces of a line behind the first of them that is this word.
fn behind<'a, 'b>(pieces: &'a [&'b str], word: &str) -> &'a [&'b str] {
    let place = pieces.iter().position(|piece| *piece == word);
    place.and_then(|place| pieces.get(place + 1..)).unwrap_or_default()
}

/// `corner D2 ne, D3 ns`: each square with its openings; squares that are named together have the
/// same, and so have all between the two of `A2-D2`.
fn lay(state: &State, words: &[&str]) -> Orders {
    let (mut orders, mut tiles) = (Vec::new(), Tiles::default());
    let mut is_range = false;
    for &word in words {
        let joins = matches!(word, "to" | "-" | "through" | "until");
        if joins && tiles.ends == Ends::NONE && !tiles.squares.is_empty() {
            is_range = true;
        } else if words::is_filler(word) || matches!(word, "a" | "an" | "-") {
            // It says nothing.
        } else if words::means_derail(word) {
            // It was taken note of.
        } else if is_beginning(word, "straight") && word.len() > 1 {
            tiles.is_straight = Some(true);
        } else if ["corner", "curve", "bend"].iter().any(|name| is_beginning(word, name)) {
            tiles.is_straight = Some(false);
        } else if word.chars().any(|c| c.is_ascii_digit()) {
            if tiles.ends != Ends::NONE && !tiles.squares.is_empty() {
                orders.extend(std::mem::take(&mut tiles).orders(state)?);
            }
            let (first, last) = words::range(word).map_or((word, None), |(a, b)| (a, Some(b)));
            tiles.name(state, words::square(state, first)?, std::mem::take(&mut is_range))?;
            if let Some(last) = last {
                tiles.name(state, words::square(state, last)?, true)?;
            }
        } else if let Some(more) = words::ends(word) {
            tiles.again = more.iter().filter(|w| tiles.ends.has(*w)).fold(tiles.again, Ends::with);
            tiles.ends = more.iter().fold(tiles.ends, Ends::with);
        } else if tiles.ends != Ends::NONE && word.len() > 1 && GRAMMAR.verb(word) == Some("lay") {
            // `lay D2 ne; lay D3 ns`
            orders.extend(std::mem::take(&mut tiles).orders(state)?);
        } else {
            return Err(unread(state, "or-unknown-word", word, "lay"));
        }
    }
    if is_range || tiles.squares.is_empty() {
        return Err(unread(state, "or-lay-where", "", "lay"));
    }
    orders.extend(tiles.orders(state)?);
    Ok(orders)
}

/// Tiles that open alike.
#[derive(Default)]
struct Tiles {
    squares: Vec<Square>,
    ends: Ends,
    /// Those of them that were named twice.
    again: Ends,
    /// What the line calls them, if anything.
    is_straight: Option<bool>,
}

impl Tiles {
    /// One more square; with all between it and the last one where they make a range.
    fn name(&mut self, state: &State, at: Square, is_range: bool) -> Result<(), Refusal> {
        match self.squares.last() {
            Some(&last) if is_range => {
                let line = Way::ALL.into_iter().find_map(|way| between(last, at, way));
                let line = line.ok_or_else(|| unread(state, "or-lay-range", "", "lay"))?;
                self.squares.extend(line);
            }
            _ => self.squares.push(at),
        }
        Ok(())
    }

    fn orders(self, state: &State) -> Orders {
        // "en norte" is no east: who names one opening again has named another by mistake.
        let is_sure = self.again == Ends::NONE || self.again == self.ends;
        let ends = if is_sure { self.ends } else { Ends::NONE };
        let tile = |at: Square| tile(state, at, ends, self.is_straight);
        self.squares.iter().map(|&at| tile(at)).collect()
    }
}

/// The squares behind the first up to the last, where this way leads to it.
fn between(first: Square, last: Square, way: Way) -> Option<Vec<Square>> {
    let line: Vec<Square> = std::iter::successors(first.step(way), |at| at.step(way)).collect();
    let end = line.iter().position(|&at| at == last)?;
    line.get(..=end).map(<[Square]>::to_vec)
}

fn tile(
    state: &State,
    at: Square,
    ends: Ends,
    is_straight: Option<bool>,
) -> Result<Order, Refusal> {
    let about = |key| {
        let reason = Message::new(key).with("square", at.to_string());
        let reason = reason.with("ends", ends.to_string()).with("shape", refuse::shape(ends));
        GRAMMAR.unreadable((state, None), reason, "lay")
    };
    if ends == Ends::NONE {
        return Err(about("or-lay-ends"));
    }
    // A tile that opens in another number of ways is refused by the rules.
    if ends.count() == 2 && is_straight.is_some_and(|named| named != ends.is_straight()) {
        return Err(about("or-lay-differs"));
    }
    Ok(Order::Lay { at, ends })
}

/// `D2 t nes`, `D2 e`, `D2 cross`: all openings, or only the new ones; one square after the other.
fn upgrade(state: &State, words: &[&str]) -> Orders {
    let is_square = |word: &&str| word.chars().any(|c| c.is_ascii_digit());
    let mut starts: Vec<usize> = (0..words.len()).filter(|&i| is_square(&words[i])).collect();
    // What stands before the first square belongs to it.
    if let Some(first) = starts.first_mut() {
        *first = 0;
    }
    if starts.is_empty() {
        return Err(unread(state, "or-up-where", "", "upgrade"));
    }
    let ends = starts.iter().skip(1).copied().chain([words.len()]);
    let tiles = starts.iter().zip(ends).map(|(&start, end)| words.get(start..end));
    let orders: Result<Vec<_>, _> =
        tiles.map(|words| upgrade_one(state, words.unwrap_or_default())).collect();
    Ok(orders?.concat())
}

fn upgrade_one(state: &State, words: &[&str]) -> Orders {
    let (mut at, mut is_cross, mut is_t) = (None, false, false);
    let (mut named, mut again) = (Ends::NONE, Ends::NONE);
    for &word in words {
        if word.chars().any(|c| c.is_ascii_digit()) {
            at = Some(words::square(state, word)?);
        } else if is_beginning(word, "cross") {
            is_cross = true;
        } else if matches!(word, "t" | "tee") {
            is_t = true;
        } else if let Some(more) = words::ends(word) {
            again = more.iter().filter(|way| named.has(*way)).fold(again, Ends::with);
            named = more.iter().fold(named, Ends::with);
        } else if word != "junction" {
            return Err(unread(state, "or-unknown-word", word, "upgrade"));
        }
    }
    let at = at.ok_or_else(|| unread(state, "or-up-where", "", "upgrade"))?;
    let ends = state.track[at];
    let is_last = ends.count() == 3 && named == Ends::NONE;
    let wanted = |way: &Way| is_cross || is_last || named.has(*way);
    let added: Vec<Way> =
        Way::ALL.into_iter().filter(|way| wanted(way) && !ends.has(*way)).collect();
    let about = |key| Message::new(key).with("square", at.to_string());
    if again != Ends::NONE && again != named {
        return Err(Refusal::unreadable(about("or-up-which")).or(refuse::openings(state, at)));
    }
    // All three openings of a T were named, and an old one is not among them.
    if named.count() == 3 && ends.iter().any(|way| !named.has(way)) {
        let refusal = Refusal::illegal(about("or-up-removes").with("ends", ends.to_string()));
        return Err(refusal.or(refuse::openings(state, at)));
    }
    let becomes = added.iter().copied().fold(ends, Ends::with);
    if is_t && !added.is_empty() && becomes.count() != 3 {
        let reason = about("or-lay-differs").with("ends", becomes.to_string());
        let reason = reason.with("shape", refuse::shape(becomes));
        return Err(Refusal::unreadable(reason).or(refuse::openings(state, at)));
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
    // A letter alone is a column before it is a cart.
    let is_place = |cart| matches!(words, [word] if along(state, state.home(cart), word).is_some());
    let named = |word: &str| words::cart(state, seat, word).filter(|&cart| !is_place(cart));
    let (named, behind) = first(words, named);
    let in_supply = |cart: &CartId| state.cart(*cart).place == Place::Supply;
    let is_open = |cart: &CartId| {
        let home = state.home(*cart);
        let fits = |word: &&str| match words::way(word) {
            Some(way) if word.len() > 1 => way == home,
            _ => along(state, home, word).is_some(),
        };
        in_supply(cart) && behind.iter().all(fits)
    };
    let open: Vec<CartId> = state.carts_of(seat).filter(is_open).collect();
    let first = open.first().copied();
    let is_of_first = |cart| first.is_some_and(|first| state.home(first) == state.home(cart));
    if named.is_none() && !open.iter().copied().all(is_of_first) {
        return Err(either(state, seat, &open, behind));
    }
    let none_left =
        || Refusal::illegal(Message::new("or-enter-which")).or(refuse::your_carts(state, seat));
    let cart = named.or(first).or_else(|| state.carts_of(seat).find(in_supply));
    let cart = cart.or_else(|| state.carts_of(seat).next()).ok_or_else(none_left)?;
    let home = state.home(cart);
    let (mut side, mut index) = (None, None);
    for &word in behind {
        if index.is_none()
            && let Some(place) = along(state, home, word)
        {
            index = Some(place);
        } else if let (None, Some(way)) = (side, words::way(word)) {
            side = Some(way);
        } else {
            let reason = Message::new("or-enter-where").with("word", word);
            return Err(Refusal::unreadable(reason).or(refuse::berths(state, cart)));
        }
    }
    let index = index.ok_or_else(|| {
        Refusal::unreadable(Message::new("or-enter-place")).or(refuse::berths(state, cart))
    })?;
    if named.is_none() && !in_supply(&cart) {
        return Err(none_left());
    }
    Ok(vec![Order::Enter { cart, berth: Berth { side: side.unwrap_or(home), index } }])
}

/// These carts could enter from several sides.
fn either(state: &State, seat: Seat, carts: &[CartId], words: &[&str]) -> Refusal {
    let line = |&cart: &CartId| {
        let side = state.home(cart);
        let index = words.iter().find_map(|word| along(state, side, word))?;
        Some(OffTheRails::write(state, &[Order::Enter { cart, berth: Berth { side, index } }]))
    };
    let lines: Vec<String> = carts.iter().filter_map(line).collect();
    if lines.is_empty() {
        return GRAMMAR.unreadable((state, Some(seat)), Message::new("or-enter-place"), "enter");
    }
    let reason = Message::new("or-enter-either");
    Refusal::unreadable(reason).or(Message::new("or-lines").with("lines", lines))
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

/// `w +1`, `w 5`, `w up`; `faster w`, `slower w 2`.
fn speed(state: &State, seat: Seat, verb: &str, words: &[&str]) -> Orders {
    let form = |key, word: &str| unread(state, key, word, "speed");
    let (named, rest) = first(words, |word| words::cart(state, seat, word));
    let on_board = |cart: &CartId| state.cart(*cart).is_on_board();
    let cart = match named {
        Some(cart) => cart,
        None => state.carts_of(seat).find(on_board).ok_or_else(|| form("or-speed-which", ""))?,
    };
    let shown = i16::from(state.cart(cart).speed);
    let number = |word: &str| word.parse::<i16>().map_err(|_| form("or-unknown-word", word));
    // `faster -1` says two things.
    let by = |word: &str, never| match number(word)? {
        _ if word.starts_with::<char>(never) => Err(form("or-unknown-word", word)),
        number => Ok(number.saturating_abs()),
    };
    let change = match (verb, rest) {
        ("faster", []) | ("speed", ["up" | "faster"]) => 1,
        ("slower", []) | ("speed", ["down" | "slower"]) => -1,
        ("faster", [word]) | ("speed", ["up" | "faster", word]) => by(word, '-')?,
        ("slower", [word]) | ("speed", ["down" | "slower", word]) => -by(word, '+')?,
        ("speed", [word]) if word.starts_with(['+', '-']) => number(word)?,
        ("speed", [word]) => number(word)?.saturating_sub(shown),
        (_, [_, word, ..]) => return Err(form("or-unknown-word", word)),
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
    let form = || unread(state, "or-face-how", "", "face");
    let (cart, word) = match words {
        [word] => (state.carts_of(seat).find(|&cart| state.has_moved(cart)), word),
        [cart, word] => (words::cart(state, seat, cart), word),
        _ => return Err(form()),
    };
    let (cart, way) = (cart.ok_or_else(form)?, words::way(word).ok_or_else(form)?);
    Ok(vec![Order::Turn { cart, way }])
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
        Order::PickAny => "pick any".to_owned(),
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

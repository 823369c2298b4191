//! The orders of the game as lines of a letter, for example `lay D2 ne`, `enter white C`, `speed w
//! +1`, `move w C1 C2 out`.

use super::OffTheRails;
use super::colour::Colour;
use super::compound_line;
use super::confirmation;
use super::forms::GRAMMAR;
use super::grid::{Direction, Square};
use super::jewel::Jewel;
use super::order::{CartId, Order, SurfaceSquare, Wish};
use super::plan::Plan;
use super::refuse::{self, refuse_unreadable};
use super::route;
use super::state::{Place, State};
use super::track_lines::{parse_lay, parse_upgrade};
use super::travel;
use super::wish_lines;
use super::word_parser;
use crate::rules::line_words::parse_first_word;
use crate::rules::{Grammar, Message, OrderText, ParsedLine, Refusal, Seat};

pub(super) type ParsedOrders = Result<Vec<Order>, Refusal>;

impl OrderText for OffTheRails {
    type Plan = Plan;

    const FILLERS: &'static [&'static str] = &word_parser::FILLERS;
    const GRAMMAR: Grammar<State> = GRAMMAR;

    fn names_in_orders(_: &State) -> Vec<String> {
        let jewels = Jewel::ALL
            .into_iter()
            .flat_map(|jewel| [jewel.name().to_owned(), format!("{}s", jewel.name())]);
        let colours = Colour::ALL.into_iter().map(Colour::name).chain(["white", "black", "rubies"]);
        colours.map(str::to_owned).chain(jewels).collect()
    }

    fn parse_line(state: &State, seat: Seat, line: &str) -> Result<ParsedLine<Order>, Refusal> {
        let line = word_parser::normalize_line(line);
        let mut reading = parse_line_without_semicolon(state, seat, &line)
            .or_else(|refusal| compound_line::parse(state, seat, &line).unwrap_or(Err(refusal)))?;
        let says_derail =
            word_parser::split_words(&line).into_iter().any(word_parser::confirms_derailment);
        if says_derail && !confirmation::would_derail(state, seat, &reading.orders) {
            reading.remarks.push(Message::new("or-no-derail"));
        }
        Ok(reading)
    }

    fn write_line(state: &State, orders: &[Order]) -> String {
        let mover = travel::asked_seat(state).or(state.active_seat());
        let derails = mover.is_some_and(|seat| confirmation::would_derail(state, seat, orders));
        let mut line = String::new();
        for (place, &order) in orders.iter().enumerate() {
            let before = place.checked_sub(1).and_then(|before| orders.get(before));
            line += before.map_or("", |before| compound_line::separator_between(before, &order));
            line += &write_order(state, order);
        }
        if derails { line + " derail" } else { line }
    }

    fn find_confirmation_question(
        state: &State,
        seat: Seat,
        lines: &[&str],
    ) -> Option<(Option<usize>, Refusal)> {
        confirmation::find_question(state, seat, lines)
    }

    /// Whether these orders make a complete line. The orders of a move belong to one line until the
    /// cart has stopped, a cut is given, or another player must answer.
    fn is_complete_line(after: &State, orders: &[Order]) -> bool {
        after.current_move.is_none()
            || matches!(orders.last(), Some(Order::Cut(_)))
            || travel::asked_seat(after) != after.active_seat()
    }
}

/// Parses a line without `;`. The word `derail` is ignored here, because `parse_line` handles it.
pub fn parse_line_without_semicolon(
    state: &State,
    seat: Seat,
    small: &str,
) -> Result<ParsedLine<Order>, Refusal> {
    let mut words = word_parser::split_words(small);
    words.retain(|word| !word_parser::confirms_derailment(word));
    parse_words(state, seat, small, &words)
}

/// Parses a line that was split into words. `line` is the unsplit text, which lines of `lay`
/// need.
fn parse_words(
    state: &State,
    seat: Seat,
    line: &str,
    words: &[&str],
) -> Result<ParsedLine<Order>, Refusal> {
    let foreign =
        || GRAMMAR.refuse_unknown_start((state, Some(seat)), Message::new("or-unreadable"));
    let (first, rest) = words.split_first().ok_or_else(foreign)?;
    let Some(verb) = GRAMMAR.expand_verb(first) else {
        return parse_line_starting_with_cart(state, seat, line, words).ok_or_else(foreign);
    };
    let takes_cart =
        matches!(verb, "enter" | "speed" | "faster" | "slower" | "move" | "face" | "lay");
    if takes_cart && rest.iter().any(|word| word_parser::is_foreign_cart(state, seat, word)) {
        return Err(refuse::refuse_foreign_cart(state, seat));
    }
    let is_cart =
        |word: &&str| word.len() > 1 && word_parser::parse_cart(state, seat, word).is_some();
    let is_pending = travel::asked_seat(state).is_some();
    let orders = match verb {
        "lay" if rest.first().is_some_and(is_cart) => parse_enter(state, seat, rest)?,
        "lay" => parse_lay(state, pieces_after(&word_parser::split_pieces(line), first))?,
        "upgrade" => parse_upgrade(state, rest)?,
        "enter" => parse_enter(state, seat, rest)?,
        "speed" | "faster" | "slower" => parse_speed(state, seat, verb, rest)?,
        "chasm" => wish_lines::parse_chasm(state, rest)?,
        "claim" => wish_lines::parse_claim(state, rest)?,
        "split" => wish_lines::parse_split(state, rest)?,
        "stop" => parse_bare_verb(state, verb, rest, &["game", "here", "now"], Order::StopGame)?,
        "done" => parse_bare_verb(state, verb, rest, &["turn", "now"], Order::EndTurn)?,
        "move" if !is_pending && names_all_carts(rest) => vec![Order::EndTurn],
        "face" if !is_pending => parse_face(state, seat, rest)?,
        _ => return route::parse_move(state, seat, verb, rest),
    };
    Ok(ParsedLine::without_remarks(orders))
}

/// Whether the words behind `move` mean all carts. `move` alone means all carts too, because every
/// cart must move.
fn names_all_carts(words: &[&str]) -> bool {
    matches!(words, [] | ["both" | "all" | "everything"])
}

/// Parses a verb that takes no arguments. `also` lists words that are accepted behind it.
fn parse_bare_verb(
    state: &State,
    verb: &str,
    words: &[&str],
    also: &[&str],
    order: Order,
) -> ParsedOrders {
    match words.iter().find(|word| !also.contains(word)) {
        Some(word) => Err(refuse_unreadable(state, "or-unknown-word", word, verb)),
        None => Ok(vec![order]),
    }
}

/// Parses a line that begins with a cart instead of a verb: `black +2`, `white move D2`, `white C1
/// C2`. Returns `None` if a word cannot be parsed, because the line may then be a message to
/// people.
fn parse_line_starting_with_cart(
    state: &State,
    seat: Seat,
    line: &str,
    words: &[&str],
) -> Option<ParsedLine<Order>> {
    let (&first, rest) = words.split_first()?;
    word_parser::parse_cart(state, seat, first)?;
    let (&second, more) = rest.split_first()?;
    let speed = |verb| parse_speed(state, seat, verb, words).ok().map(ParsedLine::without_remarks);
    match second {
        "up" | "down" | "faster" | "slower" => return speed("speed"),
        _ if second.starts_with(['+', '-']) => return speed("speed"),
        "enter" | "speed" | "move" | "face" => {
            let turned: Vec<&str> = [second, first].iter().chain(more).copied().collect();
            return parse_words(state, seat, line, &turned).ok();
        }
        _ => {}
    }
    let is_way = |word: &&str| {
        let names_square = word_parser::parse_square(state, word).is_ok();
        names_square
            || matches!(*word, "out" | "exit")
            || word_parser::parse_direction(word).is_some()
    };
    (first.len() > 1 && rest.iter().all(is_way) && state.current_move.is_none())
        .then(|| route::parse_move(state, seat, "move", words).ok())?
}

/// Returns the pieces behind the first occurrence of `word`.
fn pieces_after<'a, 'b>(pieces: &'a [&'b str], word: &str) -> &'a [&'b str] {
    let place = pieces.iter().position(|piece| *piece == word);
    place.and_then(|place| pieces.get(place + 1..)).unwrap_or_default()
}

/// Parses the words behind `enter`, such as `white C north`. The cart may be omitted if the rest of
/// the line fits the carts of one side only. The side may always be omitted.
fn parse_enter(state: &State, seat: Seat, words: &[&str]) -> ParsedOrders {
    // A single letter means a column if it can, and a cart only otherwise.
    let is_place = |cart| {
        let column = |word| parse_surface_index(state, state.home_side(cart), word);
        matches!(words, [word] if column(word).is_some())
    };
    let named =
        |word: &str| word_parser::parse_cart(state, seat, word).filter(|&cart| !is_place(cart));
    let (named, behind) = parse_first_word(words, named);
    let in_supply = |cart: &CartId| state.cart(*cart).place == Place::Supply;
    let is_open = |cart: &CartId| {
        let home = state.home_side(*cart);
        let fits = |word: &&str| match word_parser::parse_direction(word) {
            Some(way) if word.len() > 1 => way == home,
            _ => parse_surface_index(state, home, word).is_some(),
        };
        in_supply(cart) && behind.iter().all(fits)
    };
    let open: Vec<CartId> = state.carts_of(seat).filter(is_open).collect();
    let first = open.first().copied();
    let is_of_first =
        |cart| first.is_some_and(|first| state.home_side(first) == state.home_side(cart));
    if named.is_none() && !open.iter().copied().all(is_of_first) {
        return Err(refuse_ambiguous_side(state, seat, &open, behind));
    }
    let none_left = || {
        Refusal::illegal(Message::new("or-enter-which"))
            .with_alternative(refuse::list_own_carts(state, seat))
    };
    let cart = named.or(first).or_else(|| state.carts_of(seat).find(in_supply));
    let cart = cart.or_else(|| state.carts_of(seat).next()).ok_or_else(none_left)?;
    let home = state.home_side(cart);
    let (mut side, mut index) = (None, None);
    for &word in behind {
        if index.is_none()
            && let Some(place) = parse_surface_index(state, home, word)
        {
            index = Some(place);
        } else if let (None, Some(way)) = (side, word_parser::parse_direction(word)) {
            side = Some(way);
        } else {
            let reason = Message::new("or-enter-where").with("word", word);
            return Err(Refusal::unreadable(reason)
                .with_alternative(refuse::describe_surface_squares(state, cart)));
        }
    }
    let index = index.ok_or_else(|| {
        Refusal::unreadable(Message::new("or-enter-place"))
            .with_alternative(refuse::describe_surface_squares(state, cart))
    })?;
    if named.is_none() && !in_supply(&cart) {
        return Err(none_left());
    }
    Ok(vec![Order::Enter { cart, berth: SurfaceSquare { side: side.unwrap_or(home), index } }])
}

/// Refuses a line whose cart is missing although these carts enter from different sides. Offers a
/// line for each of them.
fn refuse_ambiguous_side(state: &State, seat: Seat, carts: &[CartId], words: &[&str]) -> Refusal {
    let line = |&cart: &CartId| {
        let side = state.home_side(cart);
        let index = words.iter().find_map(|word| parse_surface_index(state, side, word))?;
        Some(OffTheRails::write_line(
            state,
            &[Order::Enter { cart, berth: SurfaceSquare { side, index } }],
        ))
    };
    let lines: Vec<String> = carts.iter().filter_map(line).collect();
    if lines.is_empty() {
        return GRAMMAR.refuse_unreadable(
            (state, Some(seat)),
            Message::new("or-enter-place"),
            "enter",
        );
    }
    let reason = Message::new("or-enter-either");
    Refusal::unreadable(reason).with_alternative(Message::new("or-lines").with("lines", lines))
}

/// Parses a position along a side: its column letter, its row number, or the adjacent square of the
/// grid.
fn parse_surface_index(state: &State, side: Direction, word: &str) -> Option<u8> {
    if let Some(square) = Square::parse(word) {
        let index = if matches!(side, Direction::North | Direction::South) {
            square.column()
        } else {
            square.row()
        };
        return (state.board.entry_square(SurfaceSquare { side, index }) == Some(square))
            .then_some(index);
    }
    let place = match side {
        Direction::North | Direction::South => Square::parse(&format!("{word}1"))?.column(),
        Direction::East | Direction::West => word.parse::<u8>().ok()?.checked_sub(1)?,
    };
    (place < state.board.side_length(side)).then_some(place)
}

/// Parses a change of speed: `w +1`, `w 5` and `w up` behind `speed`, or the words behind `faster`
/// and `slower`. Returns one order per step.
fn parse_speed(state: &State, seat: Seat, verb: &str, words: &[&str]) -> ParsedOrders {
    let form = |key, word: &str| refuse_unreadable(state, key, word, "speed");
    let (named, rest) = parse_first_word(words, |word| word_parser::parse_cart(state, seat, word));
    let on_board = |cart: &CartId| state.cart(*cart).is_on_board();
    let cart = match named {
        Some(cart) => cart,
        None => state.carts_of(seat).find(on_board).ok_or_else(|| form("or-speed-which", ""))?,
    };
    let shown = i16::from(state.cart(cart).speed);
    let number = |word: &str| word.parse::<i16>().map_err(|_| form("or-unknown-word", word));
    // A line such as `faster -1` contradicts itself.
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
        return Err(Refusal::illegal(reason.with("cart", refuse::cart_name_arg(state, cart))));
    }
    // More steps than a turn has actions are refused by the rules, so ten steps are enough.
    let steps = usize::from(change.unsigned_abs().min(10));
    Ok(vec![Order::Speed { cart, up: change > 0 }; steps])
}

/// Parses the words behind `face`, such as `white east`, for a cart whose move has ended in this
/// turn.
fn parse_face(state: &State, seat: Seat, words: &[&str]) -> ParsedOrders {
    let form = || refuse_unreadable(state, "or-face-how", "", "face");
    let (cart, word) = match words {
        [word] => (state.carts_of(seat).find(|&cart| state.has_moved(cart)), word),
        [cart, word] => (word_parser::parse_cart(state, seat, cart), word),
        _ => return Err(form()),
    };
    let (cart, way) =
        (cart.ok_or_else(form)?, word_parser::parse_direction(word).ok_or_else(form)?);
    Ok(vec![Order::TurnCart { cart, way }])
}

fn write_order(state: &State, order: Order) -> String {
    let word = |cart| refuse::cart_order_word(state, cart);
    match order {
        Order::Lay { at, ends } => format!("lay {at} {ends}"),
        Order::Upgrade { at, way } => format!("upgrade {at} {}", way.name()),
        Order::Enter { cart, berth: SurfaceSquare { side, index } } => {
            format!(
                "enter {} {} {}",
                word(cart),
                refuse::column_or_row_label(side, index),
                side.name()
            )
        }
        Order::Speed { cart, up } => {
            format!("speed {} {}", word(cart), if up { "+1" } else { "-1" })
        }
        Order::Move { cart } => format!("move {}", word(cart)),
        Order::Go(way) => format!("go {}", way.name()),
        Order::Take(jewel) => format!("take {}", jewel.name()),
        Order::Face(way) => format!("face {}", way.name()),
        Order::TurnCart { cart, way } => format!("face {} {}", word(cart), way.name()),
        Order::Drop(jewels) => format!("drop {}", route::jewel_words(jewels)),
        Order::Cut(first) => format!("cut {}", route::jewel_words(first)),
        Order::Pick { first } => format!("pick {}", if first { "first" } else { "second" }),
        Order::PickAny => "pick any".to_owned(),
        Order::Wish(Wish::Split(split)) => format!("split {}", split.name()),
        Order::Wish(Wish::Claim(mission)) => format!("claim {}", mission.name()),
        Order::Wish(Wish::Chasm(colour, at)) => format!("chasm {} {at}", colour.name()),
        Order::Wish(Wish::Place(places)) => {
            format!("chasm {}", if places { "yes" } else { "none" })
        }
        Order::EndTurn => "done".to_owned(),
        Order::StopGame => "stop".to_owned(),
    }
}

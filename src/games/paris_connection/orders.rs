//! Parses and writes orders as lines of a letter: `build red G23 Lyon`, `trade red for 2 blue`.

use super::colour::Colour;
use super::forms::{GRAMMAR, can_build_all, with_seat_on_turn};
use super::hex::Hex;
use super::order_words::{self, FILLERS, Word, WordLink, is_filler};
use super::places::{self, Place};
use super::refuse;
use super::state::{Ending, Order, Phase, State};
use super::{ParisConnection, Plan};
use crate::rules::line_words::{is_prefix, items_with_prefix, parse_small_number};
use crate::rules::{
    Arg, Grammar, Message, OrderText, ParsedLine, Refusal, RefusalKind, Rules, Seat, throwaway_dice,
};

/// The words between the share that a trade gives and the shares that it takes.
const TRADE_SEPARATORS: [&str; 6] = ["against", "buy", "for", "get", "receive", "take"];

type ParseResult = Result<ParsedLine<Order>, Refusal>;

impl OrderText for ParisConnection {
    type Plan = Plan;

    const FILLERS: &'static [&'static str] = &FILLERS;
    const GRAMMAR: Grammar<State> = GRAMMAR;

    fn names_in_orders(state: &State) -> Vec<String> {
        let colours = Colour::ALL.into_iter().map(|colour| colour.name().to_owned());
        let cities = state.board.map.cities.iter();
        colours.chain(cities.flat_map(|city| [city.name.clone(), city.code.clone()])).collect()
    }

    /// Parses one line as the steps of a build, or as a trade. A line with a question mark is
    /// refused, because it may be a question.
    fn parse_line(state: &State, seat: Seat, line: &str) -> ParseResult {
        let asker = LineReader { state, seat };
        let small = order_words::small(line);
        let words = order_words::split_words(&small);
        let reading = asker.read_line(&words)?;
        if line.contains('?') {
            return Err(Refusal::unreadable(Message::new("pc-asked")));
        }
        Ok(reading)
    }

    fn write_line(_: &State, orders: &[Order]) -> String {
        let hexes: String = orders
            .iter()
            .filter_map(|order| match order {
                Order::Place { hex, .. } => Some(format!(" {hex}")),
                Order::Stop | Order::Trade { .. } => None,
            })
            .collect();
        match orders.first() {
            Some(Order::Place { colour, .. }) => format!("build {}{hexes}", colour.name()),
            Some(Order::Trade { give, take, count }) => {
                format!("trade {} for {count} {}", give.name(), take.name())
            }
            Some(Order::Stop) => "stop".to_owned(),
            None => String::new(),
        }
    }

    fn is_complete_line(state_after: &State, _: &[Order]) -> bool {
        state_after.build.is_none()
    }
}

/// The parser of lines, with the seat that wrote them and the position.
#[derive(Clone, Copy)]
struct LineReader<'a> {
    state: &'a State,
    seat: Seat,
}

impl LineReader<'_> {
    fn read_line(self, words: &[Word<'_>]) -> ParseResult {
        let says = |word: &Word<'_>| !is_filler(word.text);
        let at = words.iter().position(says).unwrap_or_default();
        let first = words.get(at).map_or("", |word| word.text);
        let rest = words.get(at + 1..).unwrap_or_default();
        let is_plain = GRAMMAR.verbs.iter().any(|verb| is_prefix(first, verb));
        // Sentences such as "Place your bets" and "Take care" are talk. So a synonym is a verb only
        // if a colour follows.
        let is_meant = is_plain || rest.iter().any(|word| colour_by_full_name(word.text).is_some());
        match GRAMMAR.expand_verb(first).filter(|_| is_meant || first == "stop") {
            Some("build") => self.read_build(rest),
            Some("trade") => self.read_trade(rest, false),
            Some("take") => self.read_trade(rest, true),
            Some("stop") if rest.is_empty() => self.read_stop(),
            _ => self.read_without_verb(words),
        }
    }

    /// Parses `stop`. A build ends with its line, so a line that consists of `stop` alone is
    /// refused unless a build has begun.
    fn read_stop(self) -> ParseResult {
        match self.state.build {
            Some(_) => Ok(ParsedLine::without_remarks(vec![Order::Stop])),
            None => Err(Refusal::unreadable(Message::new("pc-nothing-begun"))),
        }
    }

    /// Parses a line without a verb, such as `blue H20` or `red for 2 blue`. The line is an order
    /// only if every word of it can be read.
    fn read_without_verb(self, words: &[Word<'_>]) -> ParseResult {
        let foreign = || {
            GRAMMAR
                .refuse_unknown_start((self.state, Some(self.seat)), Message::new("pc-unreadable"))
        };
        let telling = order_words::without_fillers(words);
        let (first, second) = (telling.first(), telling.get(1));
        let behind = first.filter(|word| parse_small_number(word.text).is_some()).and(second);
        // A single letter is a colour only directly before a hex: `r G23`.
        let letter = |word: &Word<'_>| {
            let begins = word.text.len() == 1 && second.is_some_and(|hex| is_hex_like(hex.text));
            begins.then(|| self.read_colour(Some(word.text)).ok()).flatten()
        };
        let named = behind.or(first);
        let colour = named
            .and_then(|word| colour_by_name_or_prefix(word.text))
            .or_else(|| first.and_then(letter));
        let is_two =
            telling.iter().filter(|word| colour_by_full_name(word.text).is_some()).count() == 2;
        let is_trade = |word: &&Word<'_>| {
            is_two && word.link == WordLink::Dash || TRADE_SEPARATORS.contains(&word.text)
        };
        let read = match (colour, telling.iter().find(is_trade)) {
            (None, _) => return Err(foreign()),
            (Some(_), Some(_)) => self.read_trade(words, false),
            (Some(_), None) => self.read_build(words),
        };
        read.map_err(|refusal| match refusal.kind {
            RefusalKind::Illegal if refusal.reason.key != "pc-colours-mixed" => refusal,
            _ => foreign(),
        })
    }

    /// Refuses a line that cannot be read, and offers the forms that begin with `begins`.
    fn refuse_unreadable(self, reason: Message, begins: &str) -> Refusal {
        GRAMMAR.refuse_unreadable((self.state, Some(self.seat)), reason, begins)
    }

    /// Parses a colour: its letter on the board, or a prefix of its name that is unique.
    fn read_colour(self, word: Option<&str>) -> Result<Colour, Refusal> {
        let word = word.unwrap_or_default();
        if let Some(colour) =
            self.state.board.colour_by_letter(word).or_else(|| colour_by_full_name(word))
        {
            return Ok(colour);
        }
        match *items_with_prefix(&Colour::ALL, Colour::name, word) {
            [colour] => Ok(colour),
            [] if is_number_like(word) => {
                Err(self.refuse_unreadable(Message::new("pc-no-number").with("word", word), ""))
            }
            [] => {
                let key = if word.is_empty() { "pc-colour-missing" } else { "pc-no-colour" };
                let all = self.describe_colours(&Colour::ALL);
                Err(Refusal::unreadable(Message::new(key).with("word", word)).with_alternative(all))
            }
            ref fitting => {
                let reason = Message::new("pc-two-colours").with("word", word);
                Err(Refusal::unreadable(reason).with_alternative(self.describe_colours(fitting)))
            }
        }
    }

    fn describe_colours(self, colours: &[Colour]) -> Message {
        let named = colours.iter().map(|&colour| {
            let letter = self.state.board.letters[colour].to_string();
            refuse::company_message("pc-colour-by", colour)
                .with("word", colour.name())
                .with("letter", letter)
        });
        Message::new("pc-colours").with_list("colours", named)
    }

    fn read_build(self, words: &[Word<'_>]) -> ParseResult {
        let (colours, words) = self.split_full_colours(words);
        if colours.iter().any(|colour| Some(colour) != colours.first()) {
            return Err(refuse::mixed_colours(&colours));
        }
        let (colour, announced, words) =
            self.parse_count_and_colour(colours.first().copied(), &words)?;
        let mut ways = places::read_places(self.state, words)
            .map_err(|word| self.refuse_unknown_place(word))?;
        if let Some(count) = announced.map(usize::from)
            && ways.iter().any(|way| way.len() == count)
        {
            ways.retain(|way| way.len() == count);
        }
        let hexes = self.resolve_places(colour, &ways)?;
        if hexes.is_empty() && self.state.supply[colour] == 0 {
            let empty = refuse::empty_board(self.state, colour);
            return Err(Refusal { kind: RefusalKind::Unreadable, ..empty });
        }
        if hexes.is_empty() {
            let reason = refuse::company_message("pc-hexes-missing", colour);
            let open = refuse::describe_open_hexes(self.state, colour);
            return Err(Refusal::unreadable(reason).with_alternative(open));
        }
        if announced.is_some_and(|count| usize::from(count) != hexes.len()) {
            let reason = Message::new("pc-count-differs").with("count", hexes.len());
            let reason = reason.with("announced", announced.unwrap_or_default());
            return Err(self.refuse_unreadable(reason, "build"));
        }
        let most = self.state.numbers.build_most;
        if hexes.len() > usize::from(most) {
            let reason = Message::new("pc-too-many").with("count", hexes.len());
            return Err(Refusal::illegal(reason.with("most", most)));
        }
        self.build_orders(colour, &hexes)
    }

    /// Separates the colours that are written in full, at any position, from the other words. A
    /// colour within the name of a city is not one.
    fn split_full_colours<'a>(self, words: &[Word<'a>]) -> (Vec<Colour>, Vec<Word<'a>>) {
        let (mut colours, mut left, mut words) = (Vec::new(), Vec::new(), words);
        while let Some(word) = words.first() {
            let length =
                places::match_name(&self.state.board, words).map_or(1, |(_, length)| length);
            let (named, behind) = words.split_at_checked(length).unwrap_or((words, &[]));
            match colour_by_full_name(word.text).filter(|_| length == 1) {
                Some(colour) => colours.push(colour),
                None => left.extend(named),
            }
            words = behind;
        }
        (colours, left)
    }

    /// Parses the words before the places: the number of locomotives, and the colour if it is not
    /// written in full. The number is optional. If it is there, the caller checks it against the
    /// places.
    fn parse_count_and_colour<'a, 'b>(
        self,
        named: Option<Colour>,
        words: &'a [Word<'b>],
    ) -> Result<(Colour, Option<u8>, &'a [Word<'b>]), Refusal> {
        let (mut colour, mut announced, mut words) = (named, None, words);
        while let Some((word, behind)) = words.split_first() {
            let may_be_place = places::place_at_start(self.state, words).is_some();
            let says_nothing = is_filler(word.text) && !may_be_place;
            if let (None, Some(count)) = (announced, parse_small_number(word.text)) {
                announced = Some(count);
            } else if !says_nothing && colour.is_none() {
                let missing =
                    |refusal| if may_be_place { self.read_colour(None) } else { Err(refusal) };
                colour = Some(self.read_colour(Some(word.text)).or_else(missing)?);
            } else if is_number_like(word.text) {
                let reason = Message::new("pc-no-number").with("word", word.text);
                return Err(self.refuse_unreadable(reason, ""));
            } else if !says_nothing {
                break;
            }
            words = behind;
        }
        Ok((colour.map_or_else(|| self.read_colour(None), Ok)?, announced, words))
    }

    /// Chooses the reading of the places that is legal. If several readings are legal, the line is
    /// refused with the question which one is meant. If none is legal, returns the first reading,
    /// so that its refusal states the broken rule.
    fn resolve_places(self, colour: Colour, ways: &[Vec<Place>]) -> Result<Vec<Hex>, Refusal> {
        let state = with_seat_on_turn(self.state, self.seat);
        let hexes = |way: &[Place]| -> Vec<Hex> { way.iter().map(|place| place.hex).collect() };
        let either = ways.iter().find_map(|way| {
            let at = way.iter().position(|place| place.link == WordLink::Or)?;
            let without = |left: usize| {
                let kept = hexes(way).into_iter().enumerate().filter(|&(at, _)| at != left);
                kept.map(|(_, hex)| hex).collect::<Vec<Hex>>()
            };
            Some(vec![without(at), without(at - 1)])
        });
        if let Some(either) = either {
            return Err(self.refuse_ambiguous_line("pc-or", colour, &either));
        }
        let mut fit: Vec<Vec<Hex>> = Vec::new();
        for way in ways.iter().filter(|way| self.find_nonadjacent_pair(way).is_none()) {
            let hexes = hexes(way);
            if can_build_all(&state, colour, &hexes) && !fit.contains(&hexes) {
                fit.push(hexes);
            }
        }
        match (fit.as_slice(), ways.first()) {
            ([one], _) => Ok(one.clone()),
            ([], Some(way)) => match self.find_nonadjacent_pair(way) {
                None => Ok(hexes(way)),
                Some((from, to)) => {
                    let reason = Message::new("pc-gap")
                        .with("from", refuse::describe_hex(&state, from))
                        .with("to", refuse::describe_hex(&state, to));
                    Err(self.refuse_unreadable(reason, "build"))
                }
            },
            ([], None) => Ok(Vec::new()),
            (several, _) => Err(self.refuse_ambiguous_line("pc-which", colour, several)),
        }
    }

    /// Finds two places that the line joins by a dash or `to`, but that are not adjacent.
    fn find_nonadjacent_pair(self, way: &[Place]) -> Option<(Hex, Hex)> {
        way.array_windows().find_map(|&[from, to]: &[Place; 2]| {
            let touch = from.hex.adjacent_hexes().any(|hex| hex == to.hex);
            (to.link == WordLink::Dash && !touch && from.hex != to.hex)
                .then_some((from.hex, to.hex))
        })
    }

    /// Refuses an ambiguous line, and offers a line for each reading that is legal.
    fn refuse_ambiguous_line(
        self,
        key: &'static str,
        colour: Colour,
        ways: &[Vec<Hex>],
    ) -> Refusal {
        let state = with_seat_on_turn(self.state, self.seat);
        let open = ways.iter().filter(|way| can_build_all(&state, colour, way));
        let refusal = open.fold(Refusal::unreadable(Message::new(key)), |refusal, way| {
            let places: Vec<Order> = way.iter().map(|&hex| Order::Place { colour, hex }).collect();
            let line = ParisConnection::write_line(&state, &places);
            refusal.with_alternative(Message::new("pc-write").with("line", line))
        });
        if refusal.alternatives.is_empty() {
            self.refuse_unreadable(refusal.reason, "build")
        } else {
            refusal
        }
    }

    /// Makes the steps of a build. It plays them ahead, because a build that does not end by itself
    /// needs a final [`Order::Stop`].
    fn build_orders(self, colour: Colour, hexes: &[Hex]) -> ParseResult {
        let state = self.state;
        let place = |&hex: &Hex| Order::Place { colour, hex };
        let mut reading = ParsedLine::without_remarks(Vec::new());
        let mut ahead = state.clone();
        for (at, hex) in hexes.iter().enumerate() {
            let rest = hexes.get(at + 1..).unwrap_or_default();
            reading.orders.push(place(hex));
            let placed = ParisConnection::decide_and_apply(
                &mut ahead,
                self.seat,
                &place(hex),
                &mut throwaway_dice(),
            );
            if placed.is_err() {
                // Judging the order will refuse it and state the reason.
                reading.orders.extend(rest.iter().map(place));
                break;
            }
            if ahead.build.is_some() {
                continue;
            }
            if ahead.phase == Phase::Over(Ending::Marseille) && !rest.is_empty() {
                // Our ruling: the build ends there, and the remaining locomotives stay on the
                // storing board.
                let names = rest.iter().map(|&hex| refuse::describe_hex(state, hex));
                reading.remarks.push(
                    refuse::company_message("pc-rest-stays", colour).with_list("hexes", names),
                );
            } else if !rest.is_empty() {
                let reason = refuse::company_message("pc-no-more", colour).with("count", at + 1);
                return Err(Refusal::illegal(reason.with("named", hexes.len())));
            }
            return Ok(reading);
        }
        reading.orders.push(Order::Stop);
        Ok(reading)
    }

    fn refuse_unknown_place(self, word: &str) -> Refusal {
        let begin: String = word.chars().take(2).collect();
        let begins = |name: &str| order_words::small(name).starts_with(&begin);
        let cities = self.state.board.map.cities.iter();
        let like = cities.filter(|city| begins(&city.name) || begins(&city.code));
        let like: Vec<Arg> = like.map(|city| refuse::describe_hex(self.state, city.hex)).collect();
        let reason = Message::new("pc-no-place").with("word", word);
        if like.is_empty() {
            self.refuse_unreadable(reason, "build")
        } else {
            Refusal::unreadable(reason)
                .with_alternative(Message::new("pc-perhaps").with("places", like))
        }
    }

    /// Parses a trade: `red for 2 blue`, where `for` is optional. If `takes_first`, the line names
    /// the shares that are taken first: `2 blue for red`. Without a number, one share is taken.
    fn read_trade(self, words: &[Word<'_>], takes_first: bool) -> ParseResult {
        let (one, other) = self.read_trade_sides(words)?;
        let ((given, give), (count, take)) = if takes_first { (other, one) } else { (one, other) };
        if given.is_some_and(|count| count != 1) {
            return Err(Refusal::illegal(Message::new("pc-give-one")));
        }
        let order = Order::Trade { give, take, count: count.unwrap_or(1) };
        let mut reading = ParsedLine::without_remarks(vec![order]);
        if count.is_none() && self.state.supply[take] > 1 {
            let two =
                ParisConnection::write_line(self.state, &[Order::Trade { give, take, count: 2 }]);
            reading.remarks.push(refuse::company_message("pc-took-one", take).with("line", two));
        }
        Ok(reading)
    }

    /// Parses both sides of a trade, in the order of the line.
    fn read_trade_sides(
        self,
        words: &[Word<'_>],
    ) -> Result<(CountedColour, CountedColour), Refusal> {
        if words.iter().any(|word| word.link == WordLink::Or || word.text == "or") {
            return Err(self.refuse_unreadable(Message::new("pc-or"), "trade"));
        }
        let telling = order_words::without_fillers(words);
        let (one, rest) = self.read_counted_colour(&telling)?;
        let between = rest.iter().take_while(|word| TRADE_SEPARATORS.contains(&word.text)).count();
        let (other, rest) = self.read_counted_colour(rest.get(between..).unwrap_or_default())?;
        match rest.first() {
            None => Ok((one, other)),
            Some(word) => Err(self
                .refuse_unreadable(Message::new("pc-too-long").with("word", word.text), "trade")),
        }
    }

    fn read_counted_colour<'a, 'b>(
        self,
        words: &'a [Word<'b>],
    ) -> Result<(CountedColour, &'a [Word<'b>]), Refusal> {
        let count = words.first().and_then(|word| parse_small_number(word.text));
        let words = words.get(usize::from(count.is_some())..).unwrap_or_default();
        let colour = self.read_colour(words.first().map(|word| word.text))?;
        Ok(((count, colour), words.get(1..).unwrap_or_default()))
    }
}

/// A colour, and its number of shares if the line states one.
type CountedColour = (Option<u8>, Colour);

/// Returns the colour whose full name this word is, in singular or plural.
fn colour_by_full_name(word: &str) -> Option<Colour> {
    let is_name = |colour: &Colour| [word, word.trim_end_matches('s')].contains(&colour.name());
    Colour::ALL.into_iter().find(is_name)
}

/// Returns the colour whose full name this word is, or a unique prefix of at least three letters.
fn colour_by_name_or_prefix(word: &str) -> Option<Colour> {
    let fits = items_with_prefix(&Colour::ALL, Colour::name, word);
    colour_by_full_name(word)
        .or_else(|| fits.first().copied().filter(|_| fits.len() == 1 && word.len() > 2))
}

/// Whether a word has the form of a hex: a letter and digits.
fn is_hex_like(word: &str) -> bool {
    let digits = word.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a word looks like a number but is not a valid one.
fn is_number_like(word: &str) -> bool {
    parse_small_number(word).is_none()
        && word.starts_with(|c: char| c.is_numeric() || matches!(c, '+' | '-'))
}

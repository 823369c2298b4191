//! Orders as lines of a letter: `build red G23 Lyon`, `trade red for 2 blue`.

use super::colour::Colour;
use super::forms::{GRAMMAR, can_go, on_turn};
use super::hex::Hex;
use super::places::{self, Place};
use super::refuse;
use super::state::{Ending, Order, Phase, State};
use super::words::{self, FILLERS, Link, Word, is_filler};
use super::{ParisConnection, Plan};
use crate::rules::line_words::{fitting, is_beginning, number};
use crate::rules::{
    Arg, Grammar, Message, OrderText, Reading, Refusal, RefusalKind, Rules, Seat, unused_dice,
};

/// Words between what a trade gives and what it takes.
const TRADE_LINKS: [&str; 6] = ["against", "buy", "for", "get", "receive", "take"];

type Read = Result<Reading<Order>, Refusal>;

impl OrderText for ParisConnection {
    type Plan = Plan;

    const FILLERS: &'static [&'static str] = &FILLERS;
    const GRAMMAR: Grammar<State> = GRAMMAR;

    fn names(state: &State) -> Vec<String> {
        let colours = Colour::ALL.into_iter().map(|colour| colour.name().to_owned());
        let cities = state.board.map.cities.iter();
        colours.chain(cities.flat_map(|city| [city.name.clone(), city.code.clone()])).collect()
    }

    /// Reads one line as the steps of a build, or as a trade.
    fn parse(state: &State, seat: Seat, line: &str) -> Read {
        let asker = Asker { state, seat };
        let small = words::small(line);
        let words = words::read(&small);
        let reading = asker.line(&words)?;
        if line.contains('?') {
            return Err(Refusal::unreadable(Message::new("pc-asked")));
        }
        Ok(reading)
    }

    fn write(_: &State, orders: &[Order]) -> String {
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

    fn is_whole_line(state_after: &State, _: &[Order]) -> bool {
        state_after.build.is_none()
    }
}

/// Whose line it is, and where it is read.
#[derive(Clone, Copy)]
struct Asker<'a> {
    state: &'a State,
    seat: Seat,
}

impl Asker<'_> {
    fn line(self, words: &[Word<'_>]) -> Read {
        let says = |word: &Word<'_>| !is_filler(word.text);
        let at = words.iter().position(says).unwrap_or_default();
        let first = words.get(at).map_or("", |word| word.text);
        let rest = words.get(at + 1..).unwrap_or_default();
        let is_plain = GRAMMAR.verbs.iter().any(|verb| is_beginning(first, verb));
        // "Place your bets" and "Take care" are said to people.
        let is_meant = is_plain || rest.iter().any(|word| whole_colour(word.text).is_some());
        match GRAMMAR.verb(first).filter(|_| is_meant || first == "stop") {
            Some("build") => self.build(rest),
            Some("trade") => self.trade(rest, false),
            Some("take") => self.trade(rest, true),
            Some("stop") if rest.is_empty() => self.stop(),
            _ => self.without_verb(words),
        }
    }

    /// A build ends with its line, so a line that only stops finds nothing to stop.
    fn stop(self) -> Read {
        match self.state.build {
            Some(_) => Ok(Reading::plain(vec![Order::Stop])),
            None => Err(Refusal::unreadable(Message::new("pc-nothing-begun"))),
        }
    }

    /// `blue H20`, `red for 2 blue`: what cannot be meant otherwise, if all of it can be read.
    fn without_verb(self, words: &[Word<'_>]) -> Read {
        let foreign =
            || GRAMMAR.foreign((self.state, Some(self.seat)), Message::new("pc-unreadable"));
        let telling = words::telling(words);
        let (first, second) = (telling.first(), telling.get(1));
        let behind = first.filter(|word| number(word.text).is_some()).and(second);
        // A letter alone is a colour right before a hex only: `r G23`.
        let letter = |word: &Word<'_>| {
            let begins = word.text.len() == 1 && second.is_some_and(|hex| is_hex_like(hex.text));
            begins.then(|| self.colour(Some(word.text)).ok()).flatten()
        };
        let named = behind.or(first);
        let colour =
            named.and_then(|word| long_colour(word.text)).or_else(|| first.and_then(letter));
        let is_two = telling.iter().filter(|word| whole_colour(word.text).is_some()).count() == 2;
        let is_trade = |word: &&Word<'_>| {
            is_two && word.link == Link::Dash || TRADE_LINKS.contains(&word.text)
        };
        let read = match (colour, telling.iter().find(is_trade)) {
            (None, _) => return Err(foreign()),
            (Some(_), Some(_)) => self.trade(words, false),
            (Some(_), None) => self.build(words),
        };
        read.map_err(|refusal| match refusal.kind {
            RefusalKind::Illegal if refusal.reason.key != "pc-colours-mixed" => refusal,
            _ => foreign(),
        })
    }

    /// Refuses a line that cannot be read, and offers the forms that begin like this.
    fn unread(self, reason: Message, begins: &str) -> Refusal {
        GRAMMAR.unreadable((self.state, Some(self.seat)), reason, begins)
    }

    /// A colour by its letter on the board, or by any beginning of its name that fits no other.
    fn colour(self, word: Option<&str>) -> Result<Colour, Refusal> {
        let word = word.unwrap_or_default();
        if let Some(colour) = self.state.board.colour(word).or_else(|| whole_colour(word)) {
            return Ok(colour);
        }
        match *fitting(&Colour::ALL, Colour::name, word) {
            [colour] => Ok(colour),
            [] if is_number_like(word) => {
                Err(self.unread(Message::new("pc-no-number").with("word", word), ""))
            }
            [] => {
                let key = if word.is_empty() { "pc-colour-missing" } else { "pc-no-colour" };
                let all = self.colours(&Colour::ALL);
                Err(Refusal::unreadable(Message::new(key).with("word", word)).or(all))
            }
            ref fitting => {
                let reason = Message::new("pc-two-colours").with("word", word);
                Err(Refusal::unreadable(reason).or(self.colours(fitting)))
            }
        }
    }

    /// How to name these colours.
    fn colours(self, colours: &[Colour]) -> Message {
        let named = colours.iter().map(|&colour| {
            let letter = self.state.board.letters[colour].to_string();
            refuse::about("pc-colour-by", colour).with("word", colour.name()).with("letter", letter)
        });
        Message::new("pc-colours").with_list("colours", named)
    }

    fn build(self, words: &[Word<'_>]) -> Read {
        let (colours, words) = self.whole_colours(words);
        if colours.iter().any(|colour| Some(colour) != colours.first()) {
            return Err(refuse::mixed(&colours));
        }
        let (colour, announced, words) = self.head(colours.first().copied(), &words)?;
        let mut ways = places::read(self.state, words).map_err(|word| self.no_place(word))?;
        if let Some(count) = announced.map(usize::from)
            && ways.iter().any(|way| way.len() == count)
        {
            ways.retain(|way| way.len() == count);
        }
        let hexes = self.one_way(colour, &ways)?;
        if hexes.is_empty() && self.state.supply[colour] == 0 {
            let empty = refuse::board_empty(self.state, colour);
            return Err(Refusal { kind: RefusalKind::Unreadable, ..empty });
        }
        if hexes.is_empty() {
            let reason = refuse::about("pc-hexes-missing", colour);
            let open = refuse::open_hexes(self.state, colour);
            return Err(Refusal::unreadable(reason).or(open));
        }
        if announced.is_some_and(|count| usize::from(count) != hexes.len()) {
            let reason = Message::new("pc-count-differs").with("count", hexes.len());
            let reason = reason.with("announced", announced.unwrap_or_default());
            return Err(self.unread(reason, "build"));
        }
        let most = self.state.numbers.build_most;
        if hexes.len() > usize::from(most) {
            let reason = Message::new("pc-too-many").with("count", hexes.len());
            return Err(Refusal::illegal(reason.with("most", most)));
        }
        self.steps(colour, &hexes)
    }

    /// The colours that are written out, wherever they stand, and the words that are left. A colour
    /// inside the name of a city is none.
    fn whole_colours<'a>(self, words: &[Word<'a>]) -> (Vec<Colour>, Vec<Word<'a>>) {
        let (mut colours, mut left, mut words) = (Vec::new(), Vec::new(), words);
        while let Some(word) = words.first() {
            let length = places::by_name(&self.state.board, words).map_or(1, |(_, length)| length);
            let (named, behind) = words.split_at_checked(length).unwrap_or((words, &[]));
            match whole_colour(word.text).filter(|_| length == 1) {
                Some(colour) => colours.push(colour),
                None => left.extend(named),
            }
            words = behind;
        }
        (colours, left)
    }

    /// What stands before the places: how many, which says nothing new but must be true, and the
    /// colour, where it is not written out.
    fn head<'a, 'b>(
        self,
        named: Option<Colour>,
        words: &'a [Word<'b>],
    ) -> Result<(Colour, Option<u8>, &'a [Word<'b>]), Refusal> {
        let (mut colour, mut announced, mut words) = (named, None, words);
        while let Some((word, behind)) = words.split_first() {
            let may_be_place = places::named(self.state, words).is_some();
            let says_nothing = is_filler(word.text) && !may_be_place;
            if let (None, Some(count)) = (announced, number(word.text)) {
                announced = Some(count);
            } else if !says_nothing && colour.is_none() {
                let missing = |refusal| if may_be_place { self.colour(None) } else { Err(refusal) };
                colour = Some(self.colour(Some(word.text)).or_else(missing)?);
            } else if is_number_like(word.text) {
                let reason = Message::new("pc-no-number").with("word", word.text);
                return Err(self.unread(reason, ""));
            } else if !says_nothing {
                break;
            }
            words = behind;
        }
        Ok((colour.map_or_else(|| self.colour(None), Ok)?, announced, words))
    }

    /// The one way of reading the places that is meant: where several would do, the line asks.
    fn one_way(self, colour: Colour, ways: &[Vec<Place>]) -> Result<Vec<Hex>, Refusal> {
        let state = on_turn(self.state, self.seat);
        let hexes = |way: &[Place]| -> Vec<Hex> { way.iter().map(|place| place.hex).collect() };
        let either = ways.iter().find_map(|way| {
            let at = way.iter().position(|place| place.link == Link::Or)?;
            let without = |left: usize| {
                let kept = hexes(way).into_iter().enumerate().filter(|&(at, _)| at != left);
                kept.map(|(_, hex)| hex).collect::<Vec<Hex>>()
            };
            Some(vec![without(at), without(at - 1)])
        });
        if let Some(either) = either {
            return Err(self.which("pc-or", colour, &either));
        }
        let mut fit: Vec<Vec<Hex>> = Vec::new();
        for way in ways.iter().filter(|way| self.gap(way).is_none()) {
            let hexes = hexes(way);
            if can_go(&state, colour, &hexes) && !fit.contains(&hexes) {
                fit.push(hexes);
            }
        }
        match (fit.as_slice(), ways.first()) {
            ([one], _) => Ok(one.clone()),
            ([], Some(way)) => match self.gap(way) {
                None => Ok(hexes(way)),
                Some((from, to)) => {
                    let reason = Message::new("pc-gap")
                        .with("from", refuse::place_name(&state, from))
                        .with("to", refuse::place_name(&state, to));
                    Err(self.unread(reason, "build"))
                }
            },
            ([], None) => Ok(Vec::new()),
            (several, _) => Err(self.which("pc-which", colour, several)),
        }
    }

    /// Two places of which the line says "from here to there", and that do not touch.
    fn gap(self, way: &[Place]) -> Option<(Hex, Hex)> {
        way.array_windows().find_map(|&[from, to]: &[Place; 2]| {
            let touch = from.hex.around().any(|hex| hex == to.hex);
            (to.link == Link::Dash && !touch && from.hex != to.hex).then_some((from.hex, to.hex))
        })
    }

    /// The line can be meant in these ways.
    fn which(self, key: &'static str, colour: Colour, ways: &[Vec<Hex>]) -> Refusal {
        let state = on_turn(self.state, self.seat);
        let open = ways.iter().filter(|way| can_go(&state, colour, way));
        let refusal = open.fold(Refusal::unreadable(Message::new(key)), |refusal, way| {
            let places: Vec<Order> = way.iter().map(|&hex| Order::Place { colour, hex }).collect();
            let line = ParisConnection::write(&state, &places);
            refusal.or(Message::new("pc-write").with("line", line))
        });
        if refusal.instead.is_empty() { self.unread(refusal.reason, "build") } else { refusal }
    }

    /// The steps of a build, played ahead to tell whether it ends by itself or must be stopped.
    fn steps(self, colour: Colour, hexes: &[Hex]) -> Read {
        let state = self.state;
        let place = |&hex: &Hex| Order::Place { colour, hex };
        let mut reading = Reading::plain(Vec::new());
        let mut ahead = state.clone();
        for (at, hex) in hexes.iter().enumerate() {
            let rest = hexes.get(at + 1..).unwrap_or_default();
            reading.orders.push(place(hex));
            let placed =
                ParisConnection::advance(&mut ahead, self.seat, &place(hex), &mut unused_dice());
            if placed.is_err() {
                // It is refused with its reason when it is carried out.
                reading.orders.extend(rest.iter().map(place));
                break;
            }
            if ahead.build.is_some() {
                continue;
            }
            if ahead.phase == Phase::Over(Ending::Marseille) && !rest.is_empty() {
                // A ruling of ours: the build stops there, and the rest stay on the storing board.
                let names = rest.iter().map(|&hex| refuse::place_name(state, hex));
                reading
                    .remarks
                    .push(refuse::about("pc-rest-stays", colour).with_list("hexes", names));
            } else if !rest.is_empty() {
                let reason = refuse::about("pc-no-more", colour).with("count", at + 1);
                return Err(Refusal::illegal(reason.with("named", hexes.len())));
            }
            return Ok(reading);
        }
        reading.orders.push(Order::Stop);
        Ok(reading)
    }

    fn no_place(self, word: &str) -> Refusal {
        let begin: String = word.chars().take(2).collect();
        let begins = |name: &str| words::small(name).starts_with(&begin);
        let cities = self.state.board.map.cities.iter();
        let like = cities.filter(|city| begins(&city.name) || begins(&city.code));
        let like: Vec<Arg> = like.map(|city| refuse::place_name(self.state, city.hex)).collect();
        let reason = Message::new("pc-no-place").with("word", word);
        if like.is_empty() {
            self.unread(reason, "build")
        } else {
            Refusal::unreadable(reason).or(Message::new("pc-perhaps").with("places", like))
        }
    }

    /// `red for 2 blue`, with `for` or not, or `2 blue for red` if what is taken comes first.
    /// Without a number one share is taken.
    fn trade(self, words: &[Word<'_>], takes_first: bool) -> Read {
        let (one, other) = self.sides(words)?;
        let ((given, give), (count, take)) = if takes_first { (other, one) } else { (one, other) };
        if given.is_some_and(|count| count != 1) {
            return Err(Refusal::illegal(Message::new("pc-give-one")));
        }
        let order = Order::Trade { give, take, count: count.unwrap_or(1) };
        let mut reading = Reading::plain(vec![order]);
        if count.is_none() && self.state.supply[take] > 1 {
            let two = ParisConnection::write(self.state, &[Order::Trade { give, take, count: 2 }]);
            reading.remarks.push(refuse::about("pc-took-one", take).with("line", two));
        }
        Ok(reading)
    }

    /// The two sides of a trade, in the order of the line.
    fn sides(self, words: &[Word<'_>]) -> Result<(Counted, Counted), Refusal> {
        if words.iter().any(|word| word.link == Link::Or || word.text == "or") {
            return Err(self.unread(Message::new("pc-or"), "trade"));
        }
        let telling = words::telling(words);
        let (one, rest) = self.counted(&telling)?;
        let between = rest.iter().take_while(|word| TRADE_LINKS.contains(&word.text)).count();
        let (other, rest) = self.counted(rest.get(between..).unwrap_or_default())?;
        match rest.first() {
            None => Ok((one, other)),
            Some(word) => {
                Err(self.unread(Message::new("pc-too-long").with("word", word.text), "trade"))
            }
        }
    }

    fn counted<'a, 'b>(self, words: &'a [Word<'b>]) -> Result<(Counted, &'a [Word<'b>]), Refusal> {
        let count = words.first().and_then(|word| number(word.text));
        let words = words.get(usize::from(count.is_some())..).unwrap_or_default();
        let colour = self.colour(words.first().map(|word| word.text))?;
        Ok(((count, colour), words.get(1..).unwrap_or_default()))
    }
}

/// So many of a colour, as far as the line says it.
type Counted = (Option<u8>, Colour);

/// A colour whose name is written out, in singular or plural.
fn whole_colour(word: &str) -> Option<Colour> {
    let is_name = |colour: &Colour| [word, word.trim_end_matches('s')].contains(&colour.name());
    Colour::ALL.into_iter().find(is_name)
}

/// A colour whose name is written out, or as good as that.
fn long_colour(word: &str) -> Option<Colour> {
    let fits = fitting(&Colour::ALL, Colour::name, word);
    whole_colour(word)
        .or_else(|| fits.first().copied().filter(|_| fits.len() == 1 && word.len() > 2))
}

/// Whether a word is written as a hex is.
fn is_hex_like(word: &str) -> bool {
    let digits = word.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a word is meant for a number, and is none.
fn is_number_like(word: &str) -> bool {
    number(word).is_none() && word.starts_with(|c: char| c.is_numeric() || matches!(c, '+' | '-'))
}

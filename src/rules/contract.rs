//! The trait that a game implements, and the few types that it speaks in.

use super::{Dice, Message, Seat};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::fmt::Debug;
use std::ops::RangeInclusive;

/// A game: its data, its rules, and what each person may see of it.
///
/// `decide` holds every rule and changes nothing; `apply` changes the state and holds no rule.
/// Chance is drawn in `setup` and `decide` only and its outcome stands in the events, so a game's
/// state is the fold of its events. What must hold for every game is tested once, in
/// `tests/parts/contract.rs`.
pub trait Rules: Sized + 'static {
    /// The name in orders, file names and exports, such as `paris-connection`.
    const ID: &'static str;
    /// Raised whenever a change of the rules could judge an old log otherwise.
    const VERSION: u32;
    /// How many can play.
    const SEATS: RangeInclusive<u8>;
    /// The definition that ships with the program: the text of `games/<ID>.yaml`.
    const DEFINITION: &'static str;

    /// The game's data as a moderator writes it.
    type Definition: Serialize + DeserializeOwned;
    /// What can be chosen when a game is founded; the default is the game as its rules have it.
    type Options: Serialize + DeserializeOwned + Default;
    /// Everything about one game being played.
    type State: Clone + PartialEq + Debug + Send + Sync;
    /// One small step, so that all legal ones can be listed. A line of a letter may be several.
    type Order: Clone + PartialEq + Debug;
    /// One thing that happened.
    type Event: Clone + PartialEq + Debug + Serialize + DeserializeOwned;
    /// What a seat wants done later, and in which case; a game that plays well without plans has
    /// `()`.
    type Plan: Clone + PartialEq + Debug + Serialize + DeserializeOwned;
    /// What everyone may see, built field by field.
    type PublicView: Serialize;
    /// What only one seat may see, built field by field.
    type PrivateView: Serialize;

    /// The table before anything has been dealt.
    ///
    /// # Errors
    /// What is wrong with the definition or with the options.
    fn open(
        definition: &Self::Definition,
        options: &Self::Options,
        seats: u8,
    ) -> Result<Self::State, Fault>;

    /// Deals the game.
    fn setup(state: &Self::State, dice: &mut Dice) -> Vec<Self::Event>;

    /// Lets something happen. Total and silent: any event of any log must pass without a panic.
    fn apply(state: &mut Self::State, event: &Self::Event);

    /// Who must act now.
    fn turn(state: &Self::State) -> Turn;

    /// Reads one line of a letter as one or more orders; the line has been folded to plain
    /// characters.
    ///
    /// # Errors
    /// What was expected instead ([`RefusalKind::Foreign`] or [`RefusalKind::Unreadable`]), or the
    /// rule that a readable line breaks as a whole.
    fn parse(state: &Self::State, seat: Seat, line: &str) -> Result<Reading<Self::Order>, Refusal>;

    /// The line that `parse` reads as these orders. The orders are one seat's, from where `state`
    /// stands, and belong to one line.
    fn write(state: &Self::State, orders: &[Self::Order]) -> String;

    /// Whether these orders make a whole line, after which another line may follow.
    fn is_whole_line(state_after: &Self::State, orders: &[Self::Order]) -> bool;

    /// Every order that `decide` accepts now from this seat; none when nobody waits for it.
    fn legal(state: &Self::State, seat: Seat) -> Vec<Self::Order>;

    /// The only order that is legal for this seat now, where the public view alone shows that there
    /// is no other. A seat that answers by itself in any other case would show its hand.
    fn openly_forced(state: &Self::State, seat: Seat) -> Option<Self::Order>;

    /// Whether an order changes only what its own player may know, and draws no chance. Whatever it
    /// sets stays set until another one sets it, so that of two that are written alike the later
    /// alone counts.
    fn is_secret(order: &Self::Order) -> bool;

    /// What is legal now, said to the seat's player.
    fn choices(state: &Self::State, seat: Seat) -> Vec<Message>;

    /// Judges one order. All rules are here.
    ///
    /// # Errors
    /// The rule that forbids it and what is legal instead.
    fn decide(
        state: &Self::State,
        seat: Seat,
        order: &Self::Order,
        dice: &mut Dice,
    ) -> Result<Vec<Self::Event>, Refusal>;

    /// Whether an event that this seat's order leads to, where `state` stands before it, tells the
    /// seat something that it could not have told itself: what chance brought, or what rests on
    /// what another seat holds or wants. What comes before the first such event must follow from
    /// what the seat knows; of a line whose order has led to one, no later order is refused.
    fn discloses(state: &Self::State, event: &Self::Event, seat: Seat) -> bool;

    /// Whether the event changed something that the order names. An order written before such an
    /// event, by someone who had not seen it, is not carried out.
    fn overtakes(event: &Self::Event, order: &Self::Order) -> bool;

    /// Reads a line as plans for later, most wanted first. `None`: the line is no plan, and an
    /// order for now if it is anything.
    fn plan(
        state: &Self::State,
        seat: Seat,
        line: &str,
    ) -> Option<Result<Vec<Self::Plan>, Refusal>>;

    /// Whether a plan's case has come. A plan is for one turn and never outlives it.
    fn follow(state: &Self::State, seat: Seat, plan: &Self::Plan) -> Follow;

    /// The plan, said back to its writer.
    fn say_plan(state: &Self::State, plan: &Self::Plan) -> Message;

    /// Lines that `plan` reads, as a player of a rehearsal might add them to a letter now.
    fn plans_at_random(state: &Self::State, seat: Seat, chooser: &mut Dice) -> Vec<String>;

    /// What an absent player does. It rests on what all can see, as far as the rules allow.
    fn forfeit(state: &Self::State, seat: Seat) -> Self::Order;

    /// What a letter is taken to end with whose orders stop before its writer's turn does; none
    /// where the game waits for more.
    fn closing(_: &Self::State, _: Seat) -> Option<Self::Order> {
        None
    }

    /// Who stands where, best first; final once the game is over.
    fn standings(state: &Self::State) -> Vec<Standing>;

    /// How much of the game is likely to lie behind, in hundredths, by what everyone can see: 100
    /// once it is over and not before. An estimate for who wonders how long a game will go on; no
    /// rule rests on it.
    fn progress(state: &Self::State) -> u8;

    /// What everyone may see.
    fn public(state: &Self::State) -> Self::PublicView;

    /// What only this seat may see.
    fn private(state: &Self::State, seat: Seat) -> Self::PrivateView;

    /// The board as text of at most 76 columns, with what `recent` changed marked.
    fn board(state: &Self::State, recent: &[Self::Event], charset: Charset) -> Vec<String>;

    /// What one record's events mean to this viewer. `state` is any later state of the same game
    /// and serves to look up what never changes.
    fn narrate(state: &Self::State, events: &[Self::Event], viewer: Viewer) -> Vec<Message>;

    /// Whether every piece is where it can be.
    ///
    /// # Errors
    /// What is missing or double, for the developer.
    fn audit(state: &Self::State) -> Result<(), String>;

    /// A world that this viewer could not tell from `state`, each as likely as it is after all that
    /// the viewer has seen. It rests on what the viewer knows and on the dice alone: two states
    /// that look the same to the viewer give the same world by the same dice. So whatever is told
    /// of such a world tells nothing of `state` that the viewer does not know.
    fn reshuffle_hidden(state: &Self::State, viewer: Viewer, dice: &mut Dice) -> Self::State;

    /// The event as this viewer could not tell it from `event`, and as it may have been where
    /// `world`, which `reshuffle_hidden` gave the viewer, is how things stand.
    fn reshuffle_event(
        world: &Self::State,
        event: &Self::Event,
        viewer: Viewer,
        dice: &mut Dice,
    ) -> Self::Event;
}

/// Who must act now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// These seats, perhaps several at once.
    Awaiting(Vec<Seat>),
    /// Nobody: the game has ended.
    Over,
}

impl Turn {
    /// Whether the game waits for this seat.
    pub fn awaits(&self, seat: Seat) -> bool {
        matches!(self, Self::Awaiting(seats) if seats.contains(&seat))
    }
}

/// The plans of a game that has none: what to do depends too much on what the others have done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoPlan {}

/// Whether a plan's case has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Follow {
    /// Yes: these lines would meet it, most wanted first.
    Now(Vec<String>),
    /// It may still come.
    NotYet,
    /// It cannot come any more.
    Never,
}

/// Whose eyes something is shown to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// Anyone.
    Public,
    /// The player of a seat.
    Seat(Seat),
}

/// Which characters a reader's mail program shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Charset {
    /// Only the 95 printable characters of ASCII.
    #[default]
    Ascii,
    /// Box drawing and arrows as well.
    Unicode,
}

/// A line of a letter, understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading<Order> {
    /// The steps that the line asks for, in order; at least one.
    pub orders: Vec<Order>,
    /// What the player should know about how the line was read.
    pub remarks: Vec<Message>,
}

impl<Order> Reading<Order> {
    /// A line that means just these orders.
    pub const fn plain(orders: Vec<Order>) -> Self {
        Self { orders, remarks: Vec::new() }
    }
}

/// Which kind of "no".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalKind {
    /// The line does not begin like any order of this game: it may be meant for people.
    Foreign,
    /// The line begins like an order and goes on otherwise.
    Unreadable,
    /// The line is an order, and a rule forbids it now.
    Illegal,
}

/// Why an order was not carried out, and what to do instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Which kind of "no".
    pub kind: RefusalKind,
    /// The reason.
    pub reason: Message,
    /// What would be read, or what is legal.
    pub instead: Vec<Message>,
}

impl Refusal {
    /// The line could not be read.
    pub const fn unreadable(reason: Message) -> Self {
        Self { kind: RefusalKind::Unreadable, reason, instead: Vec::new() }
    }

    /// The line does not begin like any order.
    pub const fn foreign(reason: Message) -> Self {
        Self { kind: RefusalKind::Foreign, reason, instead: Vec::new() }
    }

    /// A rule forbids it.
    pub const fn illegal(reason: Message) -> Self {
        Self { kind: RefusalKind::Illegal, reason, instead: Vec::new() }
    }

    /// The same refusal with one more thing that the player could do.
    #[must_use]
    pub fn or(mut self, instead: Message) -> Self {
        self.instead.push(instead);
        self
    }
}

/// How a seat stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Whose.
    pub seat: Seat,
    /// 1 is best; equals share a rank. Who plays alone and loses is second to the game.
    pub rank: u32,
    /// The game's own points.
    pub score: i64,
    /// What the score is made of.
    pub breakdown: Vec<Score>,
}

/// One part of a score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Score {
    /// What the points are for.
    #[serde(serialize_with = "super::message::as_shown")]
    pub item: Message,
    /// The points, perhaps negative.
    pub points: i64,
}

/// Sorts seats by `merit`, best first, and gives equals the same rank (1, 2, 2, 4).
pub fn rank<M: Ord>(mut seats: Vec<(Standing, M)>) -> Vec<Standing> {
    seats.sort_by(|(a, merit_a), (b, merit_b)| merit_b.cmp(merit_a).then(a.seat.cmp(&b.seat)));
    let mut ranked: Vec<(Standing, M)> = Vec::with_capacity(seats.len());
    for (place, (mut standing, merit)) in seats.into_iter().enumerate() {
        standing.rank = match ranked.last() {
            Some((above, equal)) if *equal == merit => above.rank,
            _ => u32::try_from(place + 1).unwrap_or(u32::MAX),
        };
        ranked.push((standing, merit));
    }
    ranked.into_iter().map(|(standing, _)| standing).collect()
}

/// What is wrong with a game's definition or options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub reason: Message,
    /// Where to look in the file.
    pub near: Option<Near>,
}

/// A place in a definition, by what stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    /// The text that stands on the faulty line.
    pub text: String,
    /// Which line that holds it, from 0.
    pub nth: usize,
}

impl Fault {
    /// A fault of the whole.
    pub const fn new(reason: Message) -> Self {
        Self { reason, near: None }
    }

    /// A fault on the `nth` line (from 0) that holds `text`.
    pub fn near(reason: Message, text: impl Into<String>, nth: usize) -> Self {
        Self { reason, near: Some(Near { text: text.into(), nth }) }
    }
}

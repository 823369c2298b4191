//! A game's orders as lines of a letter, and its plans.

use super::{Dice, Grammar, Message, Refusal, Rules, Seat};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::fmt::Debug;

/// A game's orders as text. Whoever reads letters reads this: every line that somebody writes is
/// `parse`d, and every line that the program writes for somebody is `write`n.
pub trait OrderText: Rules {
    /// What a seat wants done later, and in which case; [`NoPlan`] for a game that plays well
    /// without.
    type Plan: ConditionalPlan<Self>;

    /// The ways of writing an order: what `parse` goes by, a refusal offers and the card shows.
    const GRAMMAR: Grammar<Self::State>;
    /// Words that may stand in a line and say nothing. None of them is the name of anything, or
    /// `parse` tells by its place which of the two it is.
    const FILLERS: &'static [&'static str];

    /// The names that orders give to pieces, companies and places, in any case: a line that holds
    /// one may be an order with a slip in it. Places of a letter and a number are known without.
    fn known_names(state: &Self::State) -> Vec<String>;

    /// Reads one line of a letter as one or more orders; the line has been folded to plain
    /// characters.
    ///
    /// # Errors
    /// What was expected instead ([`NotAnOrder`] or [`Unreadable`]), or the rule that a readable line
    /// breaks as a whole.
    ///
    /// [`NotAnOrder`]: super::RefusalKind::NotAnOrder
    /// [`Unreadable`]: super::RefusalKind::Unreadable
    fn parse_line(
        state: &Self::State,
        seat: Seat,
        line: &str,
    ) -> Result<ParsedLine<Self::Order>, Refusal>;

    /// The line that `parse` reads as these orders. The orders are one seat's, from where `state`
    /// stands, and belong to one line.
    fn write_line(state: &Self::State, orders: &[Self::Order]) -> String;

    /// What a letter of these lines would cost its writer that he may not have meant, where none of
    /// its words says that he does: which line would, unless it is what they leave unsaid, and what
    /// he is asked. Of letters only: what stands in a log, what was planned and what is done for
    /// somebody is carried out as it is.
    fn find_confirmation(_: &Self::State, _: Seat, _: &[&str]) -> Option<(Option<usize>, Refusal)> {
        None
    }

    /// Whether these orders, which led to this state, make a whole line, after which another line
    /// may follow.
    fn is_complete_line(_: &Self::State, _: &[Self::Order]) -> bool {
        true
    }
}

/// What a seat of a game wants done later, and in which case. The conditions belong to the game;
/// the table keeps plans in a queue, and reads this.
pub trait ConditionalPlan<G: Rules>:
    Clone + PartialEq + Debug + Serialize + DeserializeOwned
{
    /// The ways of writing a plan.
    const GRAMMAR: Grammar<G::State>;

    /// Reads a line as plans, most wanted first. `None`: the line is no plan, and an order for now
    /// if it is anything.
    fn parse_plans(state: &G::State, seat: Seat, line: &str) -> Option<Result<Vec<Self>, Refusal>>;

    /// Adds the plan to those that stand before it in its letter. Each of them may change what it
    /// means.
    ///
    /// # Errors
    /// Why it can never be used beside one of them.
    fn merge_into(self, _: &G::State, letter: &mut Vec<Self>) -> Result<(), Refusal> {
        letter.push(self);
        Ok(())
    }

    /// Whether the plan's case has come. A plan is for one turn and never outlives it.
    fn status(&self, state: &G::State, seat: Seat) -> PlanStatus;

    /// The plan, said back to its writer.
    fn describe(&self, state: &G::State) -> Message;

    /// Returns lines that `read` reads, as a player of a rehearsal might add them to a letter now.
    fn random_lines(_: &G::State, _: Seat, _: &mut Dice) -> Vec<String> {
        Vec::new()
    }
}

/// The plans of a game that has none: what to do depends too much on what the others have done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoPlan {}

impl<G: Rules> ConditionalPlan<G> for NoPlan {
    const GRAMMAR: Grammar<G::State> = Grammar::EMPTY;

    fn parse_plans(_: &G::State, _: Seat, _: &str) -> Option<Result<Vec<Self>, Refusal>> {
        None
    }

    fn status(&self, _: &G::State, _: Seat) -> PlanStatus {
        match *self {}
    }

    fn describe(&self, _: &G::State) -> Message {
        match *self {}
    }
}

/// Whether a plan's case has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanStatus {
    /// Yes: these lines would meet it, most wanted first.
    Due(Vec<String>),
    /// It may still come.
    Pending,
    /// It cannot come any more, for this reason. The reason rests on nothing but what the plan's
    /// own player sees.
    Impossible(Message),
}

/// A line of a letter, understood.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedLine<Order> {
    /// The steps that the line asks for, in order; at least one.
    pub orders: Vec<Order>,
    /// What the player should know about how the line was read.
    pub remarks: Vec<Message>,
}

impl<Order> ParsedLine<Order> {
    /// A line that means just these orders.
    pub const fn without_remarks(orders: Vec<Order>) -> Self {
        Self { orders, remarks: Vec::new() }
    }
}

//! Orders and plans as lines of a letter.

use super::{Dice, Grammar, Message, Refusal, Rules, Seat};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::fmt::Debug;

/// The text form of a game's orders. The code that reads letters calls `parse_line` for each line
/// of a player, and `write_line` for each line that the program writes for a player.
pub trait OrderText: Rules {
    /// The type of orders for a later turn. [`NoPlan`] for a game without plans.
    type Plan: ConditionalPlan<Self>;

    /// The accepted forms of an order line. `parse_line` expands verbs by it, a refusal offers its
    /// forms, and the card of orders lists them.
    const GRAMMAR: Grammar<Self::State>;
    /// Words without meaning that a line may contain, such as `the`. If a filler is also the name
    /// of a piece or a place, `parse_line` must decide by its position in the line.
    const FILLERS: &'static [&'static str];

    /// Returns the names that orders give to pieces, companies and places, in upper or lower case.
    /// A line with one of them may be an order with a typo. Places of a letter and a number, such
    /// as `G23`, need not be listed.
    fn names_in_orders(state: &Self::State) -> Vec<String>;

    /// Reads one line of a letter as one or more orders. The caller has already replaced
    /// typographic characters (such as curly quotes) by plain ones.
    ///
    /// # Errors
    /// The expected forms, as [`NotAnOrder`] or [`Unreadable`], or the rule that the line breaks as
    /// a whole.
    ///
    /// [`NotAnOrder`]: super::RefusalKind::NotAnOrder
    /// [`Unreadable`]: super::RefusalKind::Unreadable
    fn parse_line(
        state: &Self::State,
        seat: Seat,
        line: &str,
    ) -> Result<ParsedLine<Self::Order>, Refusal>;

    /// Writes the line that `parse_line` reads as these orders. The orders belong to one seat and
    /// to one line, and the first of them starts from `state`.
    fn write_line(state: &Self::State, orders: &[Self::Order]) -> String;

    /// Returns a question if these lines of a letter could cost the player something by mistake,
    /// and no word of them confirms it. The question comes with the index of the doubtful line, or
    /// `None` if it is about something that the letter leaves out.
    ///
    /// It is asked about letters only. Lines from a log, from plans, or from the program itself are
    /// carried out without a question. The default asks nothing.
    fn find_confirmation_question(
        _: &Self::State,
        _: Seat,
        _: &[&str],
    ) -> Option<(Option<usize>, Refusal)> {
        None
    }

    /// Whether these orders form a complete line, so that another order would start a new line. The
    /// state is the one after the orders. The default is `true`: each order is a line.
    fn is_complete_line(_: &Self::State, _: &[Self::Order]) -> bool {
        true
    }
}

/// An order for a later turn, with the condition under which it applies. The game defines the
/// conditions. The table keeps the queue of plans.
pub trait ConditionalPlan<G: Rules>:
    Clone + PartialEq + Debug + Serialize + DeserializeOwned
{
    /// The accepted forms of a plan line.
    const GRAMMAR: Grammar<G::State>;

    /// Reads a line as plans, most wanted first. Returns `None` if the line is not a plan. The line
    /// may then be an order for now.
    fn parse_plans(state: &G::State, seat: Seat, line: &str) -> Option<Result<Vec<Self>, Refusal>>;

    /// Moves the plans of one letter to the same turn if they belong together. Runs before the
    /// plans are judged. The default changes nothing.
    fn align(_: &G::State, _: Seat, _letter: &mut [Self]) {}

    /// Adds this plan to the earlier plans of its letter. The plans may change each other: a plan
    /// for "all other cases" must exclude the cases that the other plans name. The default only
    /// appends.
    ///
    /// # Errors
    /// The reason why this plan and an earlier one can never be used together.
    fn merge_into(self, _: &G::State, letter: &mut Vec<Self>) -> Result<(), Refusal> {
        letter.push(self);
        Ok(())
    }

    /// Whether the plan belongs to the turn in which it was written, and so may have the form of an
    /// order beside others. The default is `false`: such a line is refused, so that no order
    /// becomes a plan for a later turn by accident.
    fn continues_turn(&self) -> bool {
        false
    }

    /// Returns whether the plan's condition is met in `state`. A plan is for one turn and must
    /// become `Impossible` when that turn is over.
    fn status(&self, state: &G::State, seat: Seat) -> PlanStatus;

    /// Describes the plan to the player who wrote it.
    fn describe(&self, state: &G::State) -> Message;

    /// Returns lines that `parse_plans` can read, for a random player in a rehearsal (see
    /// [`rehearse`](crate::table::rehearse)). The default is none.
    fn random_plan_lines(_: &G::State, _: Seat, _: &mut Dice) -> Vec<String> {
        Vec::new()
    }
}

/// The plan type of a game without plans, such as one in which a good order depends too much on the
/// moves of the others.
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

/// Whether a plan's condition is met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanStatus {
    /// The condition is met. These lines carry the plan out, most wanted first.
    Due(Vec<String>),
    /// The condition may still be met.
    Pending,
    /// The condition can no longer be met, for this reason. The reason may depend only on
    /// information that the plan's own player sees.
    Impossible(Message),
}

/// The orders that a line of a letter contains.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedLine<Order> {
    /// The orders in the sequence in which they are carried out; at least one.
    pub orders: Vec<Order>,
    /// Notes to the player about how the line was read.
    pub remarks: Vec<Message>,
}

impl<Order> ParsedLine<Order> {
    /// Returns a parsed line with these orders and no remarks.
    pub const fn without_remarks(orders: Vec<Order>) -> Self {
        Self { orders, remarks: Vec::new() }
    }
}

//! Plans: `if led ERIE play ERIE 9, ERIE 3`, `otherwise NYC 1`, `lead B&O 4`, `if win city NYC
//! right`, and plain orders that are written before their step is due.
//!
//! A trick has up to eleven steps, and players can decide most of them in advance. Each plan
//! belongs to one trick: the one that it names, or the first in which it can apply. It never
//! applies to another trick. The plans of one letter for a led company are for the same trick.

use super::card::CardSet;
use super::definition::Locomotive;
use super::state::{LaneCard, Order, Phase, State, Step};
use super::trick_prospects::{self, can_still_win_trick, has_played, known_leader};
use super::{Company, TrickOfTheRails, examples, plan_lines, refuse};
use crate::rules::{
    Arg, ConditionalPlan, Dice, Grammar, LineForm, Message, OrderText, PlanStatus, Refusal, Seat,
};
use serde::{Deserialize, Serialize};

/// A plan: the orders of a seat for one case of one trick.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The index of the trick, which is its place in the lane, from 0.
    pub(super) trick: usize,
    pub(super) case: Case,
    /// The orders by preference. The first legal one is carried out.
    pub(super) orders: Vec<Order>,
    /// The companies for which the same letter has plans of their own, if this plan is for all
    /// other companies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "but")]
    pub(super) excluded_companies: Vec<Company>,
    /// Whether the line names the trick.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde(rename = "named")]
    pub(super) is_trick_named: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Case {
    /// The seat leads the trick.
    Lead,
    /// Another seat has led this company.
    Led(Company),
    /// Another seat has led a company for which the letter has no plan of its own.
    Otherwise,
    /// The seat must play a card, as leader or as follower.
    Play,
    /// The seat has won the trick, and must place the City or locomotive.
    Win,
    /// The seat must place `[inf]`, which came with the locomotive that it won.
    Infinite,
    /// The seat must choose the end of its railway for its played card.
    End,
}

impl ConditionalPlan<TrickOfTheRails> for Plan {
    const GRAMMAR: Grammar<State> = Grammar {
        verbs: &[],
        min_letters: 1,
        synonyms: &[
            ("if", &["if", "when"]),
            ("otherwise", &["otherwise", "else"]),
            ("whatever", &["whatever"]),
            ("lead", &["lead"]),
            ("trick", &["trick"]),
        ],
        forms: &[
            LineForm::with_dynamic_example("later", "tr-plan-form-led", examples::if_led_line),
            LineForm::with_dynamic_example(
                "later",
                "tr-plan-form-otherwise",
                examples::otherwise_line,
            ),
            LineForm::with_dynamic_example("later", "tr-plan-form-lead", examples::lead_line),
            LineForm::with_dynamic_example(
                "later",
                "tr-plan-form-city",
                examples::if_win_city_line,
            ),
            LineForm::with_dynamic_example(
                "later",
                "tr-plan-form-locomotive",
                examples::if_win_locomotive_line,
            ),
            LineForm::with_dynamic_example("later", "tr-plan-form-end", examples::end_plan_line),
        ],
    };

    /// Parses a line as a plan. Returns `None` if the line is an order for now.
    fn parse_plans(state: &State, seat: Seat, line: &str) -> Option<Result<Vec<Self>, Refusal>> {
        plan_lines::read_plan(state, seat, line).map(|plan| plan.map(|plan| vec![plan]))
    }

    /// Moves the letter's plans for a company that another seat leads to one trick: the last that
    /// any of them is for. If one of them is for a later trick, because another company was led in
    /// the current one, the player means all of them for that trick.
    ///
    /// A plan keeps its trick if the line names it, or if it cannot apply to the later one. During
    /// the seat's own turn to play, all plans keep their tricks, because one of them may be the
    /// card for now.
    fn align(state: &State, seat: Seat, letter: &mut [Self]) {
        let is_free = |plan: &Self| {
            matches!(plan.case, Case::Led(_) | Case::Otherwise) && !plan.is_trick_named
        };
        let last = letter.iter().filter(|plan| is_free(plan)).map(|plan| plan.trick).max();
        let Some(trick) = last.filter(|_| state.step_of(seat) != Some(Step::Play)) else { return };
        for plan in letter.iter_mut().filter(|plan| is_free(plan)) {
            let moved = Self { trick, ..plan.clone() };
            if moved.impossibility_reason(state, seat).is_none() {
                *plan = moved;
            }
        }
    }

    /// Adds a plan to the other plans of a letter. A plan for all other companies learns the
    /// companies of the letter's other plans, whichever line comes first. Two exclusive plans for
    /// the same case are refused, because the program must not guess which one is meant.
    fn merge_into(mut self, state: &State, letter: &mut Vec<Self>) -> Result<(), Refusal> {
        let same_trick = |other: &&mut Self| other.trick == self.trick;
        for other in letter.iter_mut().filter(same_trick) {
            match (self.case, other.case) {
                (Case::Led(led), Case::Otherwise) => other.excluded_companies.push(led),
                (Case::Otherwise, Case::Led(led)) => self.excluded_companies.push(led),
                (case, same) if case == same && self.contradicts_same_case_plan() => {
                    let reason = Message::new("tr-plan-twice").with("plan", other.describe(state));
                    return Err(Refusal::illegal(reason));
                }
                _ => {}
            }
        }
        letter.push(self);
        letter.iter_mut().for_each(Self::sort_excluded_companies);
        Ok(())
    }

    fn status(&self, state: &State, seat: Seat) -> PlanStatus {
        match self.impossibility_reason(state, seat) {
            Some(why) => PlanStatus::Impossible(why.with("trick", self.trick.saturating_add(1))),
            None if self.has_reached_step(state, seat) => PlanStatus::Due(self.order_lines(state)),
            None => PlanStatus::Pending,
        }
    }

    fn describe(&self, state: &State) -> Message {
        let key = match self.case {
            Case::Lead => "tr-plan-lead",
            Case::Led(_) => "tr-plan-led",
            Case::Otherwise if self.excluded_companies.is_empty() => "tr-plan-whatever",
            Case::Otherwise => "tr-plan-otherwise",
            Case::Play => "tr-plan-play",
            Case::Win | Case::Infinite => "tr-plan-if-win",
            Case::End => "tr-plan-end",
        };
        let name = |company| Arg::from(state.edition.company_name(company));
        let led = match self.case {
            Case::Led(company) => name(company),
            _ => self.excluded_companies.iter().map(|&company| name(company)).collect(),
        };
        Message::new(key)
            .with("trick", self.trick.saturating_add(1))
            .with("led", led)
            .with("lines", self.order_lines(state).join(", "))
    }

    fn random_plan_lines(state: &State, seat: Seat, chooser: &mut Dice) -> Vec<String> {
        plan_lines::random_plan_lines(state, seat, chooser)
    }
}

impl Plan {
    pub(super) fn sort_excluded_companies(&mut self) {
        self.excluded_companies.sort_unstable();
        self.excluded_companies.dedup();
    }

    fn order_lines(&self, state: &State) -> Vec<String> {
        let line = |order: &Order| match (self.case, order) {
            (Case::Infinite, Order::Locomotive { company }) => {
                format!("locomotive {} {}", Locomotive::Infinite.name(), company.id())
            }
            _ => TrickOfTheRails::write_line(state, &[*order]),
        };
        self.orders.iter().map(line).collect()
    }

    /// Whether a second plan for the same case would contradict this one. If not, the second plan
    /// is an alternative for the case that the first is illegal.
    fn contradicts_same_case_plan(&self) -> bool {
        match self.case {
            Case::Lead | Case::Play | Case::End => true,
            Case::Win => self.orders.iter().any(|order| matches!(order, Order::City { .. })),
            Case::Led(_) | Case::Otherwise | Case::Infinite => false,
        }
    }

    /// Whether the plan can apply to this trick.
    pub(super) fn can_apply_to(&self, state: &State, seat: Seat, trick: usize) -> bool {
        match self.case {
            Case::Lead => trick_prospects::can_still_lead_trick(state, seat, trick),
            Case::Led(company) => {
                let led = state.led_company().filter(|_| trick == state.trick);
                trick_prospects::can_still_follow(state, seat, trick)
                    && led.is_none_or(|led| led == company)
            }
            Case::Otherwise => trick_prospects::can_still_follow(state, seat, trick),
            Case::Play => trick_prospects::has_yet_to_play(state, seat, trick),
            Case::Win => trick_prospects::can_still_place_prize(state, seat, trick, |card| {
                self.is_for_lane_card(card)
            }),
            Case::Infinite => {
                let due = Step::Locomotive(Locomotive::Infinite);
                let is_asked = trick == state.trick && state.step_of(seat) == Some(due);
                let six = |card| card == LaneCard::Locomotive(Locomotive::Six);
                // Without an expert lane, [inf] goes to the last company without a locomotive, and
                // no player is asked.
                let is_won = || trick_prospects::can_still_place_prize(state, seat, trick, six);
                is_asked || state.edition.options.expert_lane && is_won()
            }
            Case::End => trick_prospects::can_still_choose_end(state, seat, trick),
        }
    }

    fn is_for_lane_card(&self, card: LaneCard) -> bool {
        self.orders.iter().any(|order| match order {
            Order::City { .. } => matches!(card, LaneCard::City(_)),
            Order::Locomotive { .. } => matches!(card, LaneCard::Locomotive(_)),
            Order::Play(_) | Order::End(_) => false,
        })
    }

    /// Whether the seat has reached the plan's step. The caller has checked that the case is still
    /// possible.
    fn has_reached_step(&self, state: &State, seat: Seat) -> bool {
        if state.trick != self.trick {
            return false;
        }
        match (self.case, state.step_of(seat)) {
            (Case::Play, Some(Step::Play)) => true,
            (Case::Lead, Some(Step::Play)) => state.trick_cards.is_empty(),
            (Case::Led(_) | Case::Otherwise, Some(Step::Play)) => state.led_company().is_some(),
            (Case::Win, Some(Step::City(city))) => self.is_for_lane_card(LaneCard::City(city)),
            (Case::Infinite, Some(Step::Locomotive(due))) => due == Locomotive::Infinite,
            (Case::Win, Some(Step::Locomotive(due))) => {
                due != Locomotive::Infinite && self.is_for_lane_card(LaneCard::Locomotive(due))
            }
            (Case::End, Some(Step::End(_))) => true,
            _ => false,
        }
    }

    /// Returns the reason why the plan cannot apply any more, or `None` if it can.
    pub(super) fn impossibility_reason(&self, state: &State, seat: Seat) -> Option<Message> {
        if state.phase == Phase::Over {
            return Some(Message::new("tr-plan-game-over"));
        }
        if state.trick > self.trick {
            return Some(Message::new("tr-plan-trick-over"));
        }
        let now = state.trick == self.trick;
        now.then(|| self.reason_case_is_past(state, seat))
            .flatten()
            .or_else(|| self.reason_no_card_playable(state, seat))
            .or_else(|| self.reason_not_placeable(state, seat))
    }

    /// Returns the reason why the plan's case has not occurred in the current trick, or `None` if
    /// it still may.
    fn reason_case_is_past(&self, state: &State, seat: Seat) -> Option<Message> {
        let named =
            |key, company| Message::new(key).with("led", state.edition.company_name(company));
        let played = || has_played(state, seat).then(|| Message::new("tr-plan-played"));
        let leads = known_leader(state, state.trick);
        match (self.case, state.led_company()) {
            (Case::Lead, _) => match leads {
                Some(other) if other != seat => {
                    Some(Message::new("tr-plan-leads").with("who", other))
                }
                _ => played(),
            },
            (Case::Led(_) | Case::Otherwise, _) if leads == Some(seat) => {
                Some(Message::new("tr-plan-you-lead"))
            }
            (Case::Led(company), Some(led)) if led != company => {
                Some(named("tr-plan-was-led", led))
            }
            (Case::Otherwise, Some(led)) if self.excluded_companies.contains(&led) => {
                Some(named("tr-plan-was-named", led))
            }
            (Case::Led(_) | Case::Otherwise | Case::Play, _) => played(),
            (Case::Win | Case::Infinite, _) if !can_still_win_trick(state, seat) => {
                Some(Message::new("tr-plan-not-won"))
            }
            (Case::Win | Case::Infinite, _) if !self.can_apply_to(state, seat, self.trick) => {
                let is_there = state.current_prize().is_some();
                Some(Message::new(if is_there { "tr-plan-other-prize" } else { "tr-plan-placed" }))
            }
            (Case::End, _) if !self.can_apply_to(state, seat, self.trick) => {
                let operates = trick_prospects::is_operating_round(state, self.trick);
                Some(Message::new(if operates { "tr-plan-laid" } else { "tr-plan-stock" }))
            }
            (Case::Win | Case::Infinite | Case::End, _) => None,
        }
    }

    /// Returns the reason why none of the plan's cards can be played in its case, if so. The cards
    /// may have left the hand, no other seat may be able to lead the company, or the hand may have
    /// to follow suit.
    fn reason_no_card_playable(&self, state: &State, seat: Seat) -> Option<Message> {
        let card = |order: &Order| match order {
            Order::Play(card) => Some(*card),
            _ => None,
        };
        let hand = state.hand_of(seat);
        let all: CardSet = self.orders.iter().filter_map(card).collect();
        let held: CardSet = all.iter().filter(|&card| hand.contains(card)).collect();
        let is_for_cards = !matches!(self.case, Case::Win | Case::Infinite | Case::End);
        if is_for_cards && held.is_empty() {
            let cards = refuse::card_list(&state.edition, all);
            return Some(Message::new("tr-plan-cards-gone").with("cards", cards));
        }
        if self.has_reached_step(state, seat) {
            // Judging the order will state the broken rule.
            return None;
        }
        // The seat plays this many cards before the trick, which may be of any company.
        let before = self.trick.saturating_sub(state.trick + usize::from(has_played(state, seat)));
        let fits = |led: &Company| {
            let own = usize::try_from(hand.of_company(*led).len()).unwrap_or(usize::MAX);
            own <= before || !held.of_company(*led).is_empty()
        };
        let known = state.led_company().filter(|_| state.trick == self.trick);
        let is_led = |led: &Company| match known {
            Some(known) => known == *led,
            None => trick_prospects::can_others_hold_company(state, seat, *led),
        };
        let name = |key, led| Some(Message::new(key).with("led", state.edition.company_name(led)));
        match (self.case, known) {
            (Case::Led(led), _) if !is_led(&led) => name("tr-plan-not-led", led),
            (Case::Led(led), _) | (Case::Otherwise | Case::Play, Some(led)) if !fits(&led) => {
                name("tr-plan-must-follow", led)
            }
            (Case::Otherwise, None) => {
                let other = |led: &Company| !self.excluded_companies.contains(led) && is_led(led);
                let none = !Company::ALL.into_iter().filter(other).any(|led| fits(&led));
                none.then(|| Message::new("tr-plan-no-case"))
            }
            _ => None,
        }
    }

    /// Returns the reason why the plan's City or locomotive cannot be placed as planned, or why its
    /// end cannot be chosen, if so.
    fn reason_not_placeable(&self, state: &State, seat: Seat) -> Option<Message> {
        let taken = |order: &Order| match *order {
            Order::Locomotive { company } => state.railways[company].locomotive.is_some(),
            _ => false,
        };
        let is_late = self.trick > state.trick && !self.can_apply_to(state, seat, self.trick);
        match self.case {
            Case::Win | Case::Infinite if self.orders.iter().all(taken) => {
                Some(Message::new("tr-plan-no-railway"))
            }
            Case::Win | Case::Infinite if is_late => Some(Message::new("tr-plan-other-prize")),
            Case::End if is_late => Some(Message::new("tr-plan-stock")),
            _ => None,
        }
    }
}

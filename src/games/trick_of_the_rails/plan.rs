//! Plans: `if led ERIE play ERIE 9, ERIE 3`, `otherwise NYC 1`, `lead B&O 4`, `if win city NYC
//! right`, and plain orders that are written before their time.
//!
//! A trick is played in up to eleven steps, and most of them can be decided before they come. A
//! plan is for one trick, the one that its writer was looking at, or the next one when he had done
//! with that.

use super::orders;
use super::state::{LaneCard, Order, Phase, State, Step};
use super::{Company, TrickOfTheRails, decide};
use crate::rules::{Dice, Follow, Form, Grammar, Message, OrderText, Plans, Refusal, Seat};
use serde::{Deserialize, Serialize};

/// What a seat wants done in one case of one trick.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The trick's place in the lane, from 0.
    trick: usize,
    /// In which case.
    case: Case,
    /// The orders, most wanted first.
    orders: Vec<Order>,
}

/// When a plan is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Case {
    /// When the seat leads.
    Lead,
    /// When this company was led.
    Led(Company),
    /// Whenever the seat has to play a card.
    Play,
    /// When the seat has won the lane's City or locomotive.
    Win,
    /// When the seat's card goes to its railway.
    End,
}

impl Plan {
    /// The orders, as lines of a letter.
    fn lines(&self, state: &State) -> Vec<String> {
        self.orders.iter().map(|order| TrickOfTheRails::write(state, &[*order])).collect()
    }
}

impl Plans<TrickOfTheRails> for Plan {
    const GRAMMAR: Grammar<State> = Grammar {
        verbs: &[],
        least: 1,
        whole: &[
            ("if", "if"),
            ("when", "if"),
            ("otherwise", "otherwise"),
            ("else", "otherwise"),
            ("lead", "lead"),
        ],
        forms: &[
            Form::always("later", "if led ERIE play ERIE 9, ERIE 3", "tr-plan-form-led"),
            Form::always("later", "otherwise NYC 1, PRR 2", "tr-plan-form-otherwise"),
            Form::always("later", "lead B&O 4", "tr-plan-form-lead"),
            Form::always("later", "if win city NYC right", "tr-plan-form-city"),
            Form::always("later", "if win locomotive NYC", "tr-plan-form-locomotive"),
            Form::always("later", "end left", "tr-plan-form-end"),
        ],
    };

    /// Reads a line as a plan; none when it is an order for now.
    fn read(state: &State, seat: Seat, line: &str) -> Option<Result<Vec<Self>, Refusal>> {
        let line = line.trim();
        let (first, rest) = line.split_once([' ', ':', ',']).unwrap_or((line, ""));
        let rest = rest.trim_start_matches([' ', ':', ',']);
        let plans = match Self::GRAMMAR.verb(&first.to_lowercase()) {
            Some("if") => conditional(state, seat, rest),
            Some("otherwise") => cards(state, seat, Case::Play, without(rest, "play")),
            Some(_) if leads_now(state, seat) => return None,
            Some(_) => cards(state, seat, Case::Lead, rest),
            None if state.step(seat).is_some() => return None,
            None => plain(state, seat, line)?,
        };
        Some(plans)
    }

    fn follow(&self, state: &State, seat: Seat) -> Follow {
        if state.phase == Phase::Over || state.trick > self.trick {
            return Follow::Never;
        }
        if state.trick < self.trick {
            return Follow::NotYet;
        }
        let has_come = match (state.step(seat), self.case) {
            (Some(Step::Play), Case::Play) => true,
            (Some(Step::Play), Case::Lead) => state.table.is_empty(),
            (Some(Step::Play), Case::Led(company)) => state.led() == Some(company),
            (Some(Step::City(_) | Step::Locomotive(_)), Case::Win) => true,
            (Some(Step::End(_)), Case::End) => true,
            _ => false,
        };
        if has_come {
            Follow::Now(self.lines(state))
        } else if cannot_come(state, seat, self.case) {
            Follow::Never
        } else {
            Follow::NotYet
        }
    }

    fn say(&self, state: &State) -> Message {
        let key = match self.case {
            Case::Lead => "tr-plan-lead",
            Case::Led(_) => "tr-plan-led",
            Case::Play => "tr-plan-play",
            Case::Win => "tr-plan-if-win",
            Case::End => "tr-plan-end",
        };
        let led = match self.case {
            Case::Led(company) => state.edition.name(company).to_owned(),
            _ => String::new(),
        };
        Message::new(key)
            .with("trick", self.trick.saturating_add(1))
            .with("led", led)
            .with("lines", self.lines(state).join(", "))
    }

    /// Plans for every case of the trick at hand, or of the next one, as a careful player might
    /// write.
    fn at_random(state: &State, seat: Seat, chooser: &mut Dice) -> Vec<String> {
        let hand: Vec<_> = state.hand(seat).iter().collect();
        let name = |card: &super::Card| format!("{} {}", card.company().id(), card.number());
        let mut lines = Vec::new();
        for company in Company::ALL {
            let of: Vec<_> = hand.iter().filter(|card| card.company() == company).collect();
            if let Some(card) = chooser.pick(&of) {
                lines.push(format!("if led {} play {}", company.id(), name(card)));
            }
        }
        if !hand.is_empty() {
            let mut any = hand.clone();
            chooser.shuffle(&mut any);
            let all: Vec<String> = any.iter().map(name).collect();
            lines.push(format!("lead {}", all.first().cloned().unwrap_or_default()));
            lines.push(format!("otherwise {}", all.join(", ")));
        }
        let company = Company::ALL[chooser.below(5) as usize];
        lines.push("end right".to_owned());
        // Who has played to the trick plans for the next one.
        let ahead = usize::from(state.played(seat).is_some() || state.winner.is_some());
        match state.lane.get(state.trick + ahead).copied().flatten() {
            Some(LaneCard::City(_)) => lines.push(format!("if win city {} left", company.id())),
            Some(LaneCard::Locomotive(_)) => {
                let free: Vec<Company> = decide::without_locomotive(state).collect();
                let free = chooser.pick(&free).copied().unwrap_or(company);
                lines.push(format!("if win locomotive {}", free.id()));
            }
            _ => {}
        }
        lines.retain(|line| Self::read(state, seat, line).is_some());
        lines
    }
}

/// Whether the seat is to lead now, so that `lead B&O 4` is an order.
fn leads_now(state: &State, seat: Seat) -> bool {
    state.step(seat) == Some(Step::Play) && state.table.is_empty()
}

/// What stands behind `if`.
fn conditional(state: &State, seat: Seat, line: &str) -> Result<Vec<Plan>, Refusal> {
    let (case, rest) = line.split_once(' ').unwrap_or((line, ""));
    match case.to_lowercase().as_str() {
        "led" => {
            let (led, rest) = orders::company_and_rest(state, rest)?;
            cards(state, seat, Case::Led(led), without(&rest, "play"))
        }
        "lead" | "leading" => cards(state, seat, Case::Lead, without(rest, "play")),
        "win" | "winning" => {
            let order = orders::read_ahead(state, seat, rest.trim_start_matches([',', ' ']))?;
            match order {
                Order::City { .. } | Order::Locomotive { .. } => {
                    Ok(vec![plan(state, seat, Case::Win, vec![order])])
                }
                Order::Play(_) | Order::End(_) => Err(forms(state, "tr-plan-win")),
            }
        }
        _ => Err(forms(state, "tr-plan-unreadable")),
    }
}

/// An order that is written before its time.
fn plain(state: &State, seat: Seat, line: &str) -> Option<Result<Vec<Plan>, Refusal>> {
    // What cannot be read is refused as an order is, with the forms of orders.
    let order = orders::read_ahead(state, seat, line).ok()?;
    let case = match order {
        Order::Play(_) => Case::Play,
        Order::City { .. } | Order::Locomotive { .. } => Case::Win,
        Order::End(_) => Case::End,
    };
    Some(Ok(vec![plan(state, seat, case, vec![order])]))
}

/// A list of cards, in the order of preference.
fn cards(state: &State, seat: Seat, case: Case, list: &str) -> Result<Vec<Plan>, Refusal> {
    let mut orders = Vec::new();
    for item in list.split([',', ';']).map(str::trim).filter(|item| !item.is_empty()) {
        match orders::read_ahead(state, seat, item)? {
            order @ Order::Play(card) => {
                if !state.hand(seat).contains(card) {
                    let card = super::refuse::card_name(&state.edition, card);
                    return Err(Refusal::illegal(
                        Message::new("tr-plan-not-held").with("card", card),
                    ));
                }
                orders.push(order);
            }
            _ => return Err(forms(state, "tr-plan-card")),
        }
    }
    if orders.is_empty() {
        Err(forms(state, "tr-plan-card"))
    } else {
        Ok(vec![plan(state, seat, case, orders)])
    }
}

fn forms(state: &State, reason: &'static str) -> Refusal {
    Plan::GRAMMAR.unreadable(state, Message::new(reason), "")
}

fn without<'a>(line: &'a str, word: &str) -> &'a str {
    match line.split_once(' ') {
        Some((first, rest)) if first.eq_ignore_ascii_case(word) => rest,
        _ => line,
    }
}

/// A plan for the trick that it must mean.
fn plan(state: &State, seat: Seat, case: Case, orders: Vec<Order>) -> Plan {
    let done = match case {
        // Who leads a trick is known before its first card is played, so to lead means the next one
        // for everybody but the leader.
        Case::Lead => state.phase != Phase::Turn(seat, Step::Play) || !state.table.is_empty(),
        Case::Led(_) | Case::Play => state.played(seat).is_some() || state.winner.is_some(),
        Case::Win => state.winner.is_some_and(|winner| winner != seat) || state.prize().is_none(),
        Case::End => state.winner.is_some() && state.played(seat).is_none(),
    };
    Plan { trick: state.trick + usize::from(done), case, orders }
}

/// Whether a case of the present trick is past for this seat.
fn cannot_come(state: &State, seat: Seat, case: Case) -> bool {
    let played = state.played(seat).is_some() || state.winner.is_some();
    match case {
        Case::Lead => !state.table.is_empty() || state.phase != Phase::Turn(seat, Step::Play),
        Case::Led(company) => played || state.led().is_some_and(|led| led != company),
        Case::Play => played,
        Case::Win => state.winner.is_some_and(|winner| winner != seat),
        Case::End => false,
    }
}

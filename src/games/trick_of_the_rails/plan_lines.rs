//! Parses lines of a letter as plans, and assigns each plan to a trick.

use super::definition::Locomotive;
use super::plan::{Case, Plan};
use super::railway::End;
use super::state::{LaneCard, Order, State, Step};
use super::{Card, Company, decide, examples, orders, refuse, trick_prospects};
use crate::rules::{ConditionalPlan, Dice, Message, Refusal, RefusalKind, Seat};

/// Characters that may separate a case from the order for it.
const SEPARATORS: [char; 3] = [' ', ':', ','];

/// The locomotive `[inf]`, which comes with `[6]`.
const INFINITE_LOCOMOTIVE: Option<LaneCard> = Some(LaneCard::Locomotive(Locomotive::Infinite));

type ParseResult = Result<Plan, Refusal>;

/// The parser of plans, with the seat that wrote them and the position. `trick` is the index of the
/// trick that the line names, if it names one.
#[derive(Clone, Copy)]
struct PlanReader<'a> {
    state: &'a State,
    seat: Seat,
    trick: Option<usize>,
}

/// Parses a line as a plan. Returns `None` if the line is an order for now.
pub fn read_plan(state: &State, seat: Seat, line: &str) -> Option<ParseResult> {
    let line = line.trim().to_lowercase();
    let named = split_trick_number(&line);
    let (trick, rest) = named.map_or((None, &*line), |(trick, rest)| (Some(trick), rest));
    let writer = PlanReader { state, seat, trick };
    let (first, behind) = split_first_word(rest);
    match Plan::GRAMMAR.expand_verb(first) {
        Some("if") => Some(writer.parse_after_if(behind)),
        Some("otherwise") => Some(writer.read_play(Case::Otherwise, behind)),
        Some("whatever") => Some(writer.parse_after_whatever(behind)),
        Some("lead") if trick.is_none() && is_leading_now(state, seat) => None,
        Some("lead") => Some(writer.read_cards(Case::Lead, strip_word_if_first(behind, "with"))),
        _ => writer.read_early_order(rest),
    }
}

/// Splits `trick 3: ...` into the index of the trick, which is 2 here, and the rest.
fn split_trick_number(line: &str) -> Option<(usize, &str)> {
    let rest = line.strip_prefix("trick")?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit())?;
    let (number, rest) = rest.split_at(end);
    let trick: usize = number.parse().ok()?;
    Some((trick.checked_sub(1)?, rest.trim_start_matches(SEPARATORS)))
}

fn split_first_word(line: &str) -> (&str, &str) {
    let (first, rest) = line.split_once(SEPARATORS).unwrap_or((line, ""));
    (first, rest.trim_start_matches(SEPARATORS))
}

/// Removes this word from the start of the line, if it is there.
fn strip_word_if_first<'a>(line: &'a str, word: &str) -> &'a str {
    match split_first_word(line) {
        (first, rest) if first == word => rest,
        _ => line,
    }
}

/// Whether the seat leads now, so that `lead B&O 4` is an order and not a plan.
fn is_leading_now(state: &State, seat: Seat) -> bool {
    state.step_of(seat) == Some(Step::Play) && state.trick_cards.is_empty()
}

impl PlanReader<'_> {
    /// Parses the rest of a plan after `if`, such as `led ERIE play ERIE 9`.
    fn parse_after_if(self, line: &str) -> ParseResult {
        let line = ["i", "you", "we", "the"]
            .iter()
            .fold(line, |line, word| strip_word_if_first(line, word));
        match split_first_word(line) {
            ("led", rest) => {
                let (led, rest) = orders::split_company(self.state, rest)?;
                self.read_play(Case::Led(led), &rest)
            }
            ("lead" | "leading", rest) => self.read_play(Case::Lead, rest),
            ("win" | "winning" | "won", rest) => self.parse_after_if_win(rest),
            ("anything", rest) => self.parse_after_if_anything(rest),
            _ => match line.split_once(" is led").or_else(|| line.split_once(" led")) {
                Some((named, rest)) => {
                    let led = orders::read_company(self.state, named)?;
                    self.read_play(Case::Led(led), rest.trim_start_matches(SEPARATORS))
                }
                None => Err(self.refuse_with_forms("tr-plan-unreadable")),
            },
        }
    }

    /// Parses the rest of a line after `whatever`: `is led: play NYC 1`, optionally preceded by
    /// `else`.
    fn parse_after_whatever(self, line: &str) -> ParseResult {
        let rest = strip_word_if_first(strip_word_if_first(line, "else"), "is");
        match split_first_word(rest) {
            ("led", rest) => self.read_play(Case::Otherwise, rest),
            _ => Err(self.refuse_with_forms("tr-plan-unreadable")),
        }
    }

    /// Parses the rest of a line after `if anything`: `but Erie and PRR is led: play NYC 1`.
    fn parse_after_if_anything(self, line: &str) -> ParseResult {
        let line = ["else", "but", "except", "than"]
            .iter()
            .fold(line, |line, w| strip_word_if_first(line, w));
        let parted = line.split_once("is led").or_else(|| line.split_once("led"));
        let Some((named, rest)) = parted else {
            return Err(self.refuse_with_forms("tr-plan-unreadable"));
        };
        let mut plan = self.read_play(Case::Otherwise, rest.trim_start_matches(SEPARATORS))?;
        let named = named.trim().replace(" and ", ",").replace(" or ", ",");
        for name in named.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            plan.excluded_companies.push(orders::read_company(self.state, name)?);
        }
        plan.sort_excluded_companies();
        Ok(plan)
    }

    /// Parses the rest of a line after `if win`: where the City or locomotive goes, by preference.
    fn parse_after_if_win(self, line: &str) -> ParseResult {
        let orders = self.read_order_list(line, None)?;
        let all_are = |is: fn(&Order) -> bool| orders.iter().all(is);
        let is_city = all_are(|order| matches!(order, Order::City { .. }));
        if !is_city && !all_are(|order| matches!(order, Order::Locomotive { .. })) {
            return Err(self.refuse_with_forms("tr-plan-win"));
        }
        self.assign_trick(orders::find_named_prize(self.state, line), Case::Win, orders)
    }

    /// Parses an order that is written before its step is due. Returns `None` if the order is for
    /// now, or if the line cannot be a plan.
    fn read_early_order(self, line: &str) -> Option<ParseResult> {
        let step = self.state.step_of(self.seat);
        let orders = match self.read_order_list(line, None) {
            Ok(orders) => orders,
            // If it is the seat's turn, the unreadable line is refused as an order.
            Err(_) if step.is_some() && self.trick.is_none() => return None,
            Err(refusal) if refusal.kind == RefusalKind::NotAnOrder => return None,
            Err(refusal) => return Some(Err(refusal)),
        };
        let (prize, case) = match orders.first()? {
            Order::Play(_) => (None, Case::Play),
            Order::City { .. } | Order::Locomotive { .. } => {
                (orders::find_named_prize(self.state, line), Case::Win)
            }
            Order::End(_) => (None, Case::End),
        };
        let is_later = match (step, case) {
            (None, _) | (Some(Step::Play), Case::Win | Case::End) => true,
            (Some(Step::City(_) | Step::Locomotive(_)), Case::End) => true,
            (Some(Step::Locomotive(due)), Case::Win) => {
                due != Locomotive::Infinite && prize == INFINITE_LOCOMOTIVE
            }
            (Some(_), _) => self.trick.is_some(),
        };
        is_later.then(|| {
            self.check_cards_held(&orders)?;
            self.assign_trick(prize, case, orders)
        })
    }

    fn read_play(self, case: Case, list: &str) -> ParseResult {
        self.read_cards(case, strip_word_if_first(list, "play"))
    }

    /// Parses a list of cards, the most preferred first, as a plan for this case.
    fn read_cards(self, case: Case, list: &str) -> ParseResult {
        let led = match case {
            Case::Led(company) => Some(company),
            _ => None,
        };
        let orders = self.read_order_list(list, led)?;
        if !orders.iter().all(|order| matches!(order, Order::Play(_))) {
            return Err(self.refuse_with_forms("tr-plan-card"));
        }
        self.check_cards_held(&orders)?;
        self.assign_trick(None, case, orders)
    }

    /// Parses a list of orders by preference. A bare number is a card of the company before it. A
    /// bare company after the placement of a locomotive is another placement of it.
    fn read_order_list(self, list: &str, led: Option<Company>) -> Result<Vec<Order>, Refusal> {
        let mut items = list.split([',', ';']).map(str::trim).filter(|item| !item.is_empty());
        let is_one = items.clone().count() < 2 && led.is_none();
        // `city NYC, right` is one order.
        if is_one || End::ALL.iter().any(|end| list.contains(end.name())) {
            return orders::read_future_order(self.state, self.seat, list).map(|order| vec![order]);
        }
        let (mut orders, mut before): (Vec<Order>, Option<String>) =
            (Vec::new(), led.map(|led| led.id().to_lowercase()));
        items.try_for_each(|item| {
            let is_bare = item.bytes().all(|byte| byte.is_ascii_digit());
            let full = match (&before, orders.last()) {
                (Some(company), _) if is_bare => format!("{company} {item}"),
                (_, Some(Order::Locomotive { .. })) if !item.contains(' ') => {
                    format!("locomotive {item}")
                }
                _ => item.to_owned(),
            };
            let order = orders::read_future_order(self.state, self.seat, &full)?;
            if let Order::Play(card) = order {
                before = Some(card.company().id().to_lowercase());
            }
            orders.push(order);
            Ok(())
        })?;
        if orders.is_empty() { Err(self.refuse_with_forms("tr-plan-card")) } else { Ok(orders) }
    }

    fn check_cards_held(self, orders: &[Order]) -> Result<(), Refusal> {
        let hand = self.state.hand_of(self.seat);
        let strange = orders.iter().find_map(|order| match order {
            Order::Play(card) if !hand.contains(*card) => Some(*card),
            _ => None,
        });
        let Some(card) = strange else { return Ok(()) };
        let card = refuse::card_name(&self.state.edition, card);
        let refusal = Refusal::illegal(Message::new("tr-plan-not-held").with("card", card));
        Err(refusal.with_alternative(refuse::describe_hand(self.state, self.seat)))
    }

    /// Assigns the plan to the trick that it names, or to the first trick in which it can apply. If
    /// the plan names a City or locomotive, that is the trick in which this card is the prize.
    fn assign_trick(self, prize: Option<LaneCard>, case: Case, orders: Vec<Order>) -> ParseResult {
        let case = if prize == INFINITE_LOCOMOTIVE { Case::Infinite } else { case };
        let prize = prize.filter(|_| prize != INFINITE_LOCOMOTIVE);
        let (excluded_companies, is_trick_named) = (Vec::new(), self.trick.is_some());
        let mut plan = Plan { trick: 0, case, orders, excluded_companies, is_trick_named };
        let comes = |trick| {
            let is_named =
                prize.is_none() || trick_prospects::prize_of_trick(self.state, trick) == prize;
            is_named && plan.can_apply_to(self.state, self.seat, trick)
        };
        let first = match self.trick {
            // If the plan cannot apply to the named trick, its status reports the reason later.
            Some(named) => Some(named).filter(|&trick| trick < self.state.lane.len()),
            None => trick_prospects::first_trick(self.state, comes),
        };
        let none = match (case, plan.orders.first()) {
            (Case::Lead, _) => "tr-plan-none-to-lead",
            (Case::Win, Some(Order::City { .. })) => "tr-plan-no-city",
            (Case::Win, _) => "tr-plan-no-locomotive",
            (Case::Infinite, _) => "tr-plan-no-infinite",
            (Case::End, _) => "tr-plan-no-end",
            (Case::Led(_) | Case::Otherwise | Case::Play, _) => "tr-plan-none-to-play",
        };
        plan.trick = first.ok_or_else(|| Refusal::illegal(Message::new(none)))?;
        Ok(plan)
    }

    fn refuse_with_forms(self, reason: &'static str) -> Refusal {
        Plan::GRAMMAR.refuse_unreadable((self.state, Some(self.seat)), Message::new(reason), "")
    }
}

/// Returns random plans for rehearsals: one for every case for which a careful player might write
/// one.
pub fn random_plan_lines(state: &State, seat: Seat, chooser: &mut Dice) -> Vec<String> {
    let hand: Vec<Card> = state.hand_of(seat).iter().collect();
    let mut lines = Vec::new();
    for company in Company::ALL {
        let of: Vec<&Card> = hand.iter().filter(|card| card.company() == company).collect();
        if let Some(card) = chooser.pick(&of) {
            lines.push(format!("if led {} play {}", company.id(), examples::card_text(**card)));
        }
    }
    let mut any = hand;
    chooser.shuffle(&mut any);
    let all: Vec<String> = any.into_iter().map(examples::card_text).collect();
    lines.extend(all.first().map(|card| format!("lead {card}")));
    // Plans for all other cases may come before the plans for named cases.
    if !all.is_empty() {
        lines.insert(0, format!("otherwise {}", all.join(", ")));
    }
    let free: Vec<Company> = decide::companies_without_locomotive(state).collect();
    let company = Company::ALL[chooser.roll_below(5) as usize];
    lines.push("end right".to_owned());
    let is_city =
        |trick| matches!(trick_prospects::prize_of_trick(state, trick), Some(LaneCard::City(_)));
    if trick_prospects::first_trick(state, is_city).is_some() {
        lines.push(format!("if win city {} left", company.id()));
    }
    for locomotive in ["", "", "inf "] {
        let free = chooser.pick(&free).map(|free| free.id());
        lines.extend(free.map(|free| format!("if win locomotive {locomotive}{free}")));
    }
    // A plan that can never apply is left out, because it would be refused.
    let mut letter: Vec<Plan> = Vec::new();
    lines.retain(|line| match Plan::parse_plans(state, seat, line) {
        Some(Ok(plans)) => plans.into_iter().all(|plan| {
            plan.impossibility_reason(state, seat).is_none()
                && plan.merge_into(state, &mut letter).is_ok()
        }),
        _ => false,
    });
    lines
}

//! Plans as lines of a letter, and at which trick each is filed.

use super::definition::Locomotive;
use super::plan::{Case, Plan};
use super::railway::End;
use super::state::{LaneCard, Order, State, Step};
use super::{Card, Company, coming, decide, examples, orders, refuse};
use crate::rules::{Dice, Message, Plans, Refusal, RefusalKind, Seat};

/// Marks that may stand between a case and what is to be done in it.
const MARKS: [char; 3] = [' ', ':', ','];

/// What comes with the locomotive [6].
const INF: Option<LaneCard> = Some(LaneCard::Locomotive(Locomotive::Infinite));

type Read = Result<Plan, Refusal>;

/// Who wrote a line, where, and for which trick if he said so.
#[derive(Clone, Copy)]
struct Writer<'a> {
    state: &'a State,
    seat: Seat,
    trick: Option<usize>,
}

/// Reads a line as a plan; none when it is an order for now.
pub fn read(state: &State, seat: Seat, line: &str) -> Option<Read> {
    let line = line.trim().to_lowercase();
    let named = of_trick(&line);
    let (trick, rest) = named.map_or((None, &*line), |(trick, rest)| (Some(trick), rest));
    let writer = Writer { state, seat, trick };
    let (first, behind) = first_word(rest);
    match Plan::GRAMMAR.verb(first) {
        Some("if") => Some(writer.conditional(behind)),
        Some("otherwise") => Some(writer.play(Case::Otherwise, behind)),
        Some("whatever") => Some(writer.whatever(behind)),
        Some("lead") if trick.is_none() && leads_now(state, seat) => None,
        Some("lead") => Some(writer.cards(Case::Lead, after(behind, "with"))),
        _ => writer.plain(rest),
    }
}

/// `trick 3: ...`, the number counted from 1.
fn of_trick(line: &str) -> Option<(usize, &str)> {
    let rest = line.strip_prefix("trick")?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit())?;
    let (number, rest) = rest.split_at(end);
    let trick: usize = number.parse().ok()?;
    Some((trick.checked_sub(1)?, rest.trim_start_matches(MARKS)))
}

fn first_word(line: &str) -> (&str, &str) {
    let (first, rest) = line.split_once(MARKS).unwrap_or((line, ""));
    (first, rest.trim_start_matches(MARKS))
}

/// The line behind this word, where it begins with it.
fn after<'a>(line: &'a str, word: &str) -> &'a str {
    match first_word(line) {
        (first, rest) if first == word => rest,
        _ => line,
    }
}

/// Whether the seat is to lead now, so that `lead B&O 4` is an order.
fn leads_now(state: &State, seat: Seat) -> bool {
    state.step(seat) == Some(Step::Play) && state.table.is_empty()
}

impl Writer<'_> {
    /// What stands behind `if`.
    fn conditional(self, line: &str) -> Read {
        let line = ["i", "you", "we", "the"].iter().fold(line, |line, word| after(line, word));
        match first_word(line) {
            ("led", rest) => {
                let (led, rest) = orders::company_and_rest(self.state, rest)?;
                self.play(Case::Led(led), &rest)
            }
            ("lead" | "leading", rest) => self.play(Case::Lead, rest),
            ("win" | "winning" | "won", rest) => self.win(rest),
            ("anything", rest) => self.but(rest),
            _ => match line.split_once(" is led").or_else(|| line.split_once(" led")) {
                Some((named, rest)) => {
                    let led = orders::company_alone(self.state, named)?;
                    self.play(Case::Led(led), rest.trim_start_matches(MARKS))
                }
                None => Err(self.forms("tr-plan-unreadable")),
            },
        }
    }

    /// What stands behind `whatever`: `is led: play NYC 1`, and perhaps `else` first.
    fn whatever(self, line: &str) -> Read {
        let rest = after(after(line, "else"), "is");
        match first_word(rest) {
            ("led", rest) => self.play(Case::Otherwise, rest),
            _ => Err(self.forms("tr-plan-unreadable")),
        }
    }

    /// What stands behind `if anything`: `but Erie and PRR is led: play NYC 1`.
    fn but(self, line: &str) -> Read {
        let line = ["else", "but", "except", "than"].iter().fold(line, |line, w| after(line, w));
        let parted = line.split_once("is led").or_else(|| line.split_once("led"));
        let Some((named, rest)) = parted else { return Err(self.forms("tr-plan-unreadable")) };
        let mut plan = self.play(Case::Otherwise, rest.trim_start_matches(MARKS))?;
        let named = named.trim().replace(" and ", ",").replace(" or ", ",");
        for name in named.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            plan.but.push(orders::company_alone(self.state, name)?);
        }
        plan.sort();
        Ok(plan)
    }

    /// What stands behind `if win`: where the City or the locomotive goes, most wanted first.
    fn win(self, line: &str) -> Read {
        let orders = self.list(line, None)?;
        let all_are = |is: fn(&Order) -> bool| orders.iter().all(is);
        let is_city = all_are(|order| matches!(order, Order::City { .. }));
        if !is_city && !all_are(|order| matches!(order, Order::Locomotive { .. })) {
            return Err(self.forms("tr-plan-win"));
        }
        self.file(orders::named_prize(self.state, line), Case::Win, orders)
    }

    /// An order that is written before its time; none when it is for now, or nothing that a plan
    /// could be.
    fn plain(self, line: &str) -> Option<Read> {
        let step = self.state.step(self.seat);
        let orders = match self.list(line, None) {
            Ok(orders) => orders,
            // Whose turn it is gets the forms of orders.
            Err(_) if step.is_some() && self.trick.is_none() => return None,
            Err(refusal) if refusal.kind == RefusalKind::Foreign => return None,
            Err(refusal) => return Some(Err(refusal)),
        };
        let (prize, case) = match orders.first()? {
            Order::Play(_) => (None, Case::Play),
            Order::City { .. } | Order::Locomotive { .. } => {
                (orders::named_prize(self.state, line), Case::Win)
            }
            Order::End(_) => (None, Case::End),
        };
        let is_later = match (step, case) {
            (None, _) | (Some(Step::Play), Case::Win | Case::End) => true,
            (Some(Step::City(_) | Step::Locomotive(_)), Case::End) => true,
            (Some(Step::Locomotive(due)), Case::Win) => due != Locomotive::Infinite && prize == INF,
            (Some(_), _) => self.trick.is_some(),
        };
        is_later.then(|| {
            self.held(&orders)?;
            self.file(prize, case, orders)
        })
    }

    /// Reads a list of cards, with or without `play` before it.
    fn play(self, case: Case, list: &str) -> Read {
        self.cards(case, after(list, "play"))
    }

    /// A list of cards, in the order of preference.
    fn cards(self, case: Case, list: &str) -> Read {
        let led = match case {
            Case::Led(company) => Some(company),
            _ => None,
        };
        let orders = self.list(list, led)?;
        if !orders.iter().all(|order| matches!(order, Order::Play(_))) {
            return Err(self.forms("tr-plan-card"));
        }
        self.held(&orders)?;
        self.file(None, case, orders)
    }

    /// Orders in the order of preference. A number alone is one of the company before it, and a
    /// company alone is for what the order before it places.
    fn list(self, list: &str, led: Option<Company>) -> Result<Vec<Order>, Refusal> {
        let mut items = list.split([',', ';']).map(str::trim).filter(|item| !item.is_empty());
        let is_one = items.clone().count() < 2 && led.is_none();
        // `city NYC, right` is one order.
        if is_one || End::ALL.iter().any(|end| list.contains(end.name())) {
            return orders::read_ahead(self.state, self.seat, list).map(|order| vec![order]);
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
            let order = orders::read_ahead(self.state, self.seat, &full)?;
            if let Order::Play(card) = order {
                before = Some(card.company().id().to_lowercase());
            }
            orders.push(order);
            Ok(())
        })?;
        if orders.is_empty() { Err(self.forms("tr-plan-card")) } else { Ok(orders) }
    }

    /// Refuses a card that the seat does not hold.
    fn held(self, orders: &[Order]) -> Result<(), Refusal> {
        let hand = self.state.hand(self.seat);
        let strange = orders.iter().find_map(|order| match order {
            Order::Play(card) if !hand.contains(*card) => Some(*card),
            _ => None,
        });
        let Some(card) = strange else { return Ok(()) };
        let card = refuse::card_name(&self.state.edition, card);
        let refusal = Refusal::illegal(Message::new("tr-plan-not-held").with("card", card));
        Err(refusal.or(refuse::hand(self.state, self.seat)))
    }

    /// Files the plan at the trick that it names, or the first at which it can come true; for the
    /// card of the lane that it names, if it does.
    fn file(self, prize: Option<LaneCard>, case: Case, orders: Vec<Order>) -> Read {
        let case = if prize == INF { Case::Infinite } else { case };
        let prize = prize.filter(|_| prize != INF);
        let mut plan = Plan { trick: 0, case, orders, but: Vec::new() };
        let comes = |trick| {
            let is_named = prize.is_none() || coming::prize(self.state, trick) == prize;
            is_named && plan.can_come(self.state, self.seat, trick)
        };
        let first = match self.trick {
            // What stands against the trick that is named is told as of any plan.
            Some(named) => Some(named).filter(|&trick| trick < self.state.lane.len()),
            None => coming::first(self.state, comes),
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

    fn forms(self, reason: &'static str) -> Refusal {
        Plan::GRAMMAR.unreadable((self.state, Some(self.seat)), Message::new(reason), "")
    }
}

/// Plans for every case that a careful player might write of, now or once the seat has played.
pub fn at_random(state: &State, seat: Seat, chooser: &mut Dice) -> Vec<String> {
    let hand: Vec<Card> = state.hand(seat).iter().collect();
    let mut lines = Vec::new();
    for company in Company::ALL {
        let of: Vec<&Card> = hand.iter().filter(|card| card.company() == company).collect();
        if let Some(card) = chooser.pick(&of) {
            lines.push(format!("if led {} play {}", company.id(), examples::name(**card)));
        }
    }
    let mut any = hand;
    chooser.shuffle(&mut any);
    let all: Vec<String> = any.into_iter().map(examples::name).collect();
    lines.extend(all.first().map(|card| format!("lead {card}")));
    // Fallbacks, wherever they stand.
    if !all.is_empty() {
        lines.insert(0, format!("otherwise {}", all.join(", ")));
    }
    let free: Vec<Company> = decide::without_locomotive(state).collect();
    let company = Company::ALL[chooser.below(5) as usize];
    lines.push("end right".to_owned());
    let is_city = |trick| matches!(coming::prize(state, trick), Some(LaneCard::City(_)));
    if coming::first(state, is_city).is_some() {
        lines.push(format!("if win city {} left", company.id()));
    }
    for locomotive in ["", "", "inf "] {
        let free = chooser.pick(&free).map(|free| free.id());
        lines.extend(free.map(|free| format!("if win locomotive {locomotive}{free}")));
    }
    // What can never be used would be refused, and is not what a careful player writes.
    let mut letter: Vec<Plan> = Vec::new();
    lines.retain(|line| match Plan::read(state, seat, line) {
        Some(Ok(plans)) => plans.into_iter().all(|plan| {
            plan.why_never(state, seat).is_none() && plan.join(state, &mut letter).is_ok()
        }),
        _ => false,
    });
    lines
}

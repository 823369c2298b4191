//! A game that the contract plays step by step, with the checks of each position.

use super::GameExpectations;
use super::assert_bounded;
use super::coverage::Coverage;
use super::players::{Strategy, order_kind};
use super::searching::check_search;
use super::worlds::{assert_silent_order_stays_legal, check_hidden_information};
use crate::rules::{
    ConditionalPlan, Dice, Game, PlanStatus, Rules, Seat, Seed, Suggestion, Viewer, yaml,
};
use crate::testing::sample_or_all;
use std::collections::BTreeMap;

/// The least growth of the average progress from the first to the last third of a game, in
/// percentage points.
const PROGRESS_GROWTH_MIN: i64 = 15;
/// The number of positions at the beginning of a game that are all checked: in a usual run, and in
/// a full one.
const EARLY_STEPS: (usize, usize) = (10, 100);
/// After the beginning, one in this many positions is checked: in a usual run, and in a full one.
const LATE_INTERVAL: (u32, u32) = (40, 4);
/// Suggestions and wrong lines are tried in one of this many checks: in a usual run, which makes
/// few checks, and in a full one.
const LINE_CHECK_INTERVAL: (u32, u32) = (3, 8);
/// Slow checks run in one of this many steps.
const SLOW_CHECK_INTERVAL: usize = 8;
/// The number of legal orders that are compared with each other.
const COMPARED_ORDERS: usize = 6;
/// The number of latest events that are treated as new.
const RECENT_EVENTS: usize = 12;
/// The number of determinizations that are drawn to find one that differs from the state.
const REDEALS_MAX: u32 = 400;

pub struct PlayedOrder<G: Rules> {
    /// The number of events before the order.
    pub events_before: usize,
    pub seat: Seat,
    pub order: G::Order,
    /// The dice before the order.
    pub dice: Dice,
}

/// A line of which only some orders were carried out, with the state in which it began.
struct OpenLine<G: Rules> {
    start_state: G::State,
    seat: Seat,
    orders: Vec<G::Order>,
}

/// A game that is played by legal orders.
pub struct RandomGame<G: Game> {
    seed: u64,
    pub seats: u8,
    options: String,
    pub strategy: Strategy,
    pub blank: G::State,
    pub state: G::State,
    pub events: Vec<G::Event>,
    pub orders: Vec<PlayedOrder<G>>,
    /// The number of orders of each kind so far.
    pub order_counts: BTreeMap<String, u32>,
    pub(super) dice: Dice,
    pub chooser: Dice,
    pub steps: usize,
    line: Option<OpenLine<G>>,
    /// The orders that remain of the line of [`Strategy::Searching`].
    pub searched: Vec<G::Order>,
    /// The plans of the seats that are still possible.
    pub plans: Vec<(Seat, G::Plan)>,
    /// The progress before each step, in percent.
    progress: Vec<u8>,
    /// The coverage of this game and of the games before it.
    pub coverage: Coverage<G>,
    /// See [`GameExpectations::can_differ`].
    can_differ: fn(&G::State, Viewer) -> bool,
}

impl<G: Game> std::fmt::Display for RandomGame<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { seats, seed, options, steps, strategy: player, .. } = self;
        let played = format!("{options}, {player:?}, seed {seed}, step {steps}");
        write!(f, "{} with {seats} seats and {played}", G::ID)
    }
}

impl<G: Game> RandomGame<G> {
    /// Creates a game and deals it.
    pub fn new(seats: u8, seed: u64, options: &str) -> Self {
        let definition: G::Definition = yaml::parse(G::DEFINITION).expect("the shipped definition");
        let chosen: G::Options = serde_json::from_str(options).expect("options of this game");
        let blank = G::initial_state(&definition, &chosen, seats).expect("it opens");
        Self::deal(blank, seats, seed, options)
    }

    /// Deals a game whose initial state is `blank`.
    pub fn deal(blank: G::State, seats: u8, seed: u64, options: &str) -> Self {
        let mut dice = Dice::new(&Seed::from_number(seed), 0);
        let events = G::setup(&blank, &mut dice);
        let again = G::setup(&blank, &mut Dice::new(&Seed::from_number(seed), 0));
        assert_eq!(events, again, "{}: it is dealt otherwise again by the same dice", G::ID);
        let mut walk = Self {
            seed,
            seats,
            options: options.to_owned(),
            strategy: Strategy::Random,
            state: blank.clone(),
            blank,
            events: Vec::new(),
            orders: Vec::new(),
            order_counts: BTreeMap::new(),
            dice,
            chooser: Dice::new(&Seed::from_number(!seed), 0),
            steps: 0,
            line: None,
            searched: Vec::new(),
            plans: Vec::new(),
            progress: Vec::new(),
            coverage: Coverage::default(),
            can_differ: |_, _| false,
        };
        walk.apply_events(events);
        walk
    }

    /// Sets the strategy, and continues the coverage of earlier games.
    pub fn with_strategy(
        mut self,
        player: Strategy,
        seen: Coverage<G>,
        expectations: &GameExpectations<G>,
    ) -> Self {
        (self.strategy, self.coverage, self.can_differ) = (player, seen, expectations.can_differ);
        self
    }

    /// Returns a copy of the dice, so that a question does not change the game's chance.
    pub fn copy_dice(&self) -> Dice {
        self.dice.clone()
    }

    /// Returns the orders of the unfinished line.
    pub fn line_so_far(&self) -> &[G::Order] {
        self.line.as_ref().map_or(&[], |line| &line.orders)
    }

    /// Whether the game has just begun, so that a usual run checks as much as a full one.
    pub fn is_early(&self) -> bool {
        self.steps < EARLY_STEPS.0
    }

    /// Whether a new line can begin here.
    pub fn is_between_lines(&self) -> bool {
        self.line.is_none()
    }

    fn apply_events(&mut self, events: Vec<G::Event>) {
        for event in events {
            let json = serde_json::to_string(&event).expect("an event has a form");
            let back: G::Event = serde_json::from_str(&json).expect("and comes back from it");
            assert_eq!(back, event, "{self}: an event comes back otherwise: {json}");
            let before = self.state.clone();
            G::apply(&mut self.state, &event);
            if let Err(what) = G::check_every_piece_placed(&self.state) {
                panic!("{self}: after {json} the audit says: {what}");
            }
            self.coverage.check_doubled_event(&before, &self.state, &event);
            self.events.push(event);
        }
    }

    /// Asserts that each legal order can be sent as a line of its own. The game fills in what the
    /// line leaves out.
    fn assert_can_be_sent(&mut self, seat: Seat, legal: &[G::Order]) {
        let Some(order) = self.chooser.pick(legal) else { return };
        let line = G::write_line(&self.state, std::slice::from_ref(order));
        let read = self.parse_or_panic(seat, &line, "what is legal");
        assert_eq!(read.first(), Some(order), "{self}: {line} is read as another order");
        self.assert_carried_out(seat, &line, &read, "what is legal");
    }

    /// Asserts that suggested lines are few and can be sent unchanged.
    fn assert_suggestions_work(&mut self, seat: Seat, awaited: bool) {
        let suggested: Vec<Suggestion> = G::suggest_lines(&self.state, seat);
        assert!(awaited || suggested.is_empty(), "{self}: seat {seat} is suggested what to do");
        assert_bounded(&suggested);
        for one in suggested {
            let read = self.parse_or_panic(seat, &one.line, "what is suggested");
            self.assert_carried_out(seat, &one.line, &read, "what is suggested");
        }
    }

    fn parse_or_panic(&self, seat: Seat, line: &str, what: &str) -> Vec<G::Order> {
        match G::parse_line(&self.state, seat, line) {
            Ok(read) => read.orders,
            Err(refusal) => panic!("{self}, seat {seat}: {what} is not read: {line}: {refusal:?}"),
        }
    }

    fn assert_carried_out(&self, seat: Seat, line: &str, orders: &[G::Order], what: &str) {
        let (mut ahead, mut dice) = (self.state.clone(), self.copy_dice());
        for order in orders {
            match G::decide(&ahead, seat, order, &mut dice) {
                Ok(events) => events.iter().for_each(|event| G::apply(&mut ahead, event)),
                Err(refusal) => {
                    panic!("{self}, seat {seat}: {what} is refused: {line}: {order:?}: {refusal:?}")
                }
            }
        }
    }

    /// Asserts that everyone knew a forced order before the game carries it out by itself.
    /// Otherwise the order would disclose a hidden hand.
    fn assert_forced_move_is_public(&mut self, seat: Seat, legal: &[G::Order]) {
        let Some(forced) = G::publicly_only_legal_order(&self.state, seat) else { return };
        assert_eq!(legal, [forced], "{self}, seat {seat} is forced to something else");
        for _ in 0..4 {
            let other = G::redeal(&self.state, Viewer::Public, &mut self.chooser);
            let is_forced = G::publicly_only_legal_order(&other, seat).is_some();
            let leak = "being forced to an order tells what it holds";
            assert!(
                is_forced && G::legal_orders(&other, seat).len() == 1,
                "{self}, seat {seat}: {leak}"
            );
        }
    }

    /// Whether this position is checked: each position at the beginning, and later a sample.
    pub fn should_check(&mut self) -> bool {
        let often = sample_or_all(EARLY_STEPS.0, EARLY_STEPS.1);
        self.steps < often
            || self.chooser.roll_below(sample_or_all(LATE_INTERVAL.0, LATE_INTERVAL.1)) == 0
    }

    /// Checks the position for each seat and for an observer.
    pub fn check_position(&mut self, awaited: &[Seat]) {
        for seat in Seat::all(self.seats) {
            let legal = G::legal_orders(&self.state, seat);
            let is_awaited = awaited.contains(&seat);
            assert_eq!(
                !legal.is_empty(),
                is_awaited,
                "{self}: what seat {seat} can do, and whose turn"
            );
            for order in self.pick_orders_to_judge(&legal) {
                self.assert_verdict(seat, &order, legal.contains(&order));
            }
            if is_awaited {
                self.check_turn(seat, &legal);
            }
            let rarely = sample_or_all(LINE_CHECK_INTERVAL.0, LINE_CHECK_INTERVAL.1);
            if self.is_between_lines() && self.chooser.roll_below(rarely) == 0 {
                self.assert_suggestions_work(seat, is_awaited);
                self.assert_wrong_lines_are_refused(seat, &legal);
            }
            self.check_plans(seat);
        }
        for seat in Seat::all(self.seats) {
            check_hidden_information(self, Viewer::Seat(seat), awaited.contains(&seat));
        }
        check_hidden_information(self, Viewer::Public, false);
        for seat in Seat::all(self.seats) {
            check_search(self, seat, awaited.contains(&seat));
        }
    }

    /// Words everything that a letter to this seat says about the position.
    fn word_position(&mut self, seat: Seat) {
        let state = &self.state;
        let recent = &self.events[self.events.len().saturating_sub(RECENT_EVENTS)..];
        let mut rows = G::describe_position(state, recent);
        rows.extend(G::describe_private_position(state, seat));
        let rows = rows.into_iter().flat_map(|row| row.name.into_iter().chain(row.sentences));
        let suggested = G::suggest_lines(state, seat).into_iter().map(|one| one.group);
        let plans = self.plans.iter().map(|(_, plan)| plan.describe(state));
        let said = rows.chain(G::describe_choices(state, seat)).chain(suggested).chain(plans);
        said.collect::<Vec<_>>().iter().for_each(|said| self.coverage.words.check_message(said));
    }

    /// Checks the orders of an awaited seat.
    fn check_turn(&mut self, seat: Seat, legal: &[G::Order]) {
        for _ in 0..4 {
            if let Some(order) = self.chooser.pick(legal).cloned() {
                assert_silent_order_stays_legal(self, seat, &order);
                self.coverage.keep_order(&order);
            }
        }
        if self.steps.is_multiple_of(SLOW_CHECK_INTERVAL) {
            self.word_position(seat);
            let mut chooser = self.chooser.clone();
            let compared = (0..COMPARED_ORDERS).filter_map(|_| chooser.pick(legal));
            self.assert_lookalikes_are_hidden(seat, &compared.collect::<Vec<_>>());
        }
        if self.is_between_lines() {
            self.assert_can_be_sent(seat, legal);
        }
        let absent = G::order_for_absent_player(&self.state, seat);
        assert!(legal.contains(&absent), "{self}: {absent:?} is forfeit and illegal");
        let closing = G::implied_final_order(&self.state, seat);
        assert!(closing.is_none_or(|order| legal.contains(&order)), "{self}: closing is illegal");
        assert!(!G::describe_choices(&self.state, seat).is_empty(), "{self}: no choices are said");
        self.assert_forced_move_is_public(seat, legal);
    }

    /// Asserts that `redeal` can return another state if the viewer's knowledge allows one.
    pub fn assert_redeal_differs(&mut self, viewer: Viewer) {
        if (self.can_differ)(&self.state, viewer) {
            let is_other = |_| G::redeal(&self.state, viewer, &mut self.chooser) != self.state;
            let is_other = (0..REDEALS_MAX).any(is_other);
            assert!(
                is_other,
                "{self}: redeal never changes the state for {viewer:?}, although it could"
            );
        }
    }

    /// Asserts that the game reads, stores and describes the plans that it writes itself. Drops
    /// plans that have become impossible.
    fn check_plans(&mut self, seat: Seat) {
        for line in G::Plan::random_plan_lines(&self.state, seat, &mut self.chooser) {
            let plans = match G::Plan::parse_plans(&self.state, seat, &line) {
                Some(Ok(plans)) => plans,
                other => panic!("{self}: a plan of its own is not read: {line}: {other:?}"),
            };
            assert!(!plans.is_empty(), "{self}: {line} plans nothing");
            for plan in plans {
                let json = serde_json::to_value(&plan).expect("a plan has a form");
                let back: G::Plan = serde_json::from_value(json).expect("and comes back from it");
                assert_eq!(back, plan, "{self}: {line}");
                plan.describe(&self.state);
                self.plans.push((seat, plan));
            }
        }
        let state = &self.state;
        let lives = |(seat, plan): &(Seat, G::Plan)| {
            !matches!(plan.status(state, *seat), PlanStatus::Impossible(_))
        };
        self.plans.retain(lives);
        self.plans.truncate(200);
    }

    /// Carries out one order that the strategy chooses.
    pub fn play_step(&mut self, awaited: &[Seat]) {
        let seat = match &self.line {
            Some(line) => line.seat,
            None => *self.chooser.pick(awaited).expect("somebody is awaited"),
        };
        let progress = G::progress_percent(&self.state);
        assert!(progress < 100, "{self}: progress is 100 and it is not over");
        self.progress.push(progress);
        let legal = G::legal_orders(&self.state, seat);
        let order = self.strategy.choose_order(self, seat, &legal);
        let (before, dice_before) = (self.state.clone(), self.copy_dice());
        let events = G::decide(&self.state, seat, &order, &mut self.dice).expect("it is legal");
        assert_eq!(before, self.state, "{self}: deciding changes nothing");
        if self.dice.used_word_count() != dice_before.used_word_count() {
            let other = G::decide(&self.state, seat, &order, &mut self.chooser.clone());
            self.assert_chance_is_visible(&events, &other.expect("chance forbids nothing"));
        }
        if G::is_secret(&order) {
            self.assert_secret_is_kept(
                seat,
                &order,
                &events,
                self.dice.used_word_count() == dice_before.used_word_count(),
            );
        }
        *self.order_counts.entry(order_kind(&order)).or_default() += 1;
        let began = self.events.len();
        self.orders.push(PlayedOrder {
            events_before: began,
            seat,
            order: order.clone(),
            dice: dice_before,
        });
        self.apply_events(events);
        self.steps += 1;
        self.record_order(before, seat, order);
    }

    /// Adds an order to the unfinished line. Once the line is complete, asserts that it is read as
    /// the orders that it was written from.
    fn record_order(&mut self, began: G::State, seat: Seat, order: G::Order) {
        let line =
            self.line.get_or_insert(OpenLine { start_state: began, seat, orders: Vec::new() });
        line.orders.push(order);
        if G::is_complete_line(&self.state, &line.orders) {
            let OpenLine { start_state: began, seat, orders } =
                self.line.take().expect("it was just there");
            let text = G::write_line(&began, &orders);
            let read = G::parse_line(&began, seat, &text).map(|read| read.orders);
            assert_eq!(read, Ok(orders), "{self}: {text} is read otherwise than it is written");
            self.coverage.keep_line(text);
        }
    }

    /// Asserts that progress grows with the steps. People do not play at random, so an average
    /// error of up to 33 percentage points is allowed.
    fn assert_progress_grows(&self) {
        let all = i64::try_from(self.progress.len()).expect("few");
        let off = |(step, progress): (i64, &u8)| (i64::from(*progress) - step * 100 / all).abs();
        let off = (0..).zip(&self.progress).map(off).sum::<i64>() / all;
        assert!(off < 34, "{self}: progress is off by {off} of 100 on the whole");
        let third = self.progress.len().div_ceil(3);
        let mean = |part: &[u8]| {
            part.iter().copied().map(i64::from).sum::<i64>() / i64::try_from(third).expect("few")
        };
        let first = mean(&self.progress[..third]);
        let last = mean(&self.progress[self.progress.len() - third..]);
        assert!(
            last >= first + PROGRESS_GROWTH_MIN,
            "{self}: progress does not grow: from {first} to {last}"
        );
    }

    /// Checks a game that is over.
    pub fn check_end(&mut self) {
        let narrated = G::narrate_events(&self.state, &self.events, Viewer::Public);
        self.coverage.count_sentences(&serde_json::to_value(narrated).expect("it has a form"));
        for viewer in Seat::all(self.seats).map(Viewer::Seat).chain([Viewer::Public]) {
            let narrated = G::narrate_events(&self.state, &self.events, viewer);
            narrated.iter().for_each(|said| self.coverage.words.check_message(said));
        }
        for seat in Seat::all(self.seats) {
            let revealed = G::describe_revealed_secrets(&self.state, seat);
            revealed.iter().for_each(|said| self.coverage.words.check_message(said));
        }
        for order in self.coverage.pool.clone().iter().take(3) {
            Seat::all(self.seats).for_each(|seat| self.assert_verdict(seat, order, false));
        }
        for (seat, plan) in &self.plans {
            let follow = plan.status(&self.state, *seat);
            if let PlanStatus::Impossible(why) = &follow {
                self.coverage.words.check_message(why);
            }
            assert!(
                matches!(follow, PlanStatus::Impossible(_)),
                "{self}: {plan:?} outlives the game"
            );
        }
        let mut again = self.blank.clone();
        self.events.iter().for_each(|event| G::apply(&mut again, event));
        assert_eq!(again, self.state, "{self}: the log does not fold to the position");
        for seat in Seat::all(self.seats) {
            assert!(
                G::legal_orders(&self.state, seat).is_empty(),
                "{self}: something is legal still"
            );
        }
        assert_eq!(
            G::progress_percent(&self.state),
            100,
            "{self}: it is over and progress is not 100"
        );
        // Biased strategies and other options may make a game much shorter or longer than usual.
        if self.options == "{}" && self.strategy == Strategy::Random {
            self.assert_progress_grows();
        }
        self.check_standings();
    }

    fn check_standings(&mut self) {
        let standings = G::rankings(&self.state);
        let mut seats: Vec<Seat> = standings.iter().map(|standing| standing.seat).collect();
        seats.sort_unstable();
        let all = Seat::all(self.seats);
        assert!(seats.into_iter().eq(all), "{self}: standings name each seat once: {standings:?}");
        let ranks: Vec<u32> = standings.iter().map(|standing| standing.rank).collect();
        assert!(ranks.is_sorted(), "{self}: standings are not best first: {ranks:?}");
        let best = standings.first().map(|standing| standing.rank);
        assert!(best == Some(1) || self.seats == 1 && best == Some(2), "{self}: best is {best:?}");
        for standing in &standings {
            standing
                .breakdown
                .iter()
                .for_each(|part| self.coverage.words.check_message(&part.item));
            let parts: i64 = standing.breakdown.iter().map(|part| part.points).sum();
            assert_eq!(
                parts, standing.score,
                "{self}: what seat {}'s score is made of",
                standing.seat
            );
        }
    }
}

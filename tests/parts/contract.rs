//! What must hold for every game, tested once: whoever adds a game adds one line here.

use crate::forms::{Forms, first_word};
use crate::worlds::{hides_from, turns_up_or_is_possible_for_all};
use postrider::games::{self, GAMES};
use postrider::rules::{Dice, Follow, Game, Plans, Seat, Seed, Suggestion, Turn, Viewer, yaml};
use std::collections::BTreeMap;

const GAMES_A_SEAT_COUNT: u64 = 6;
const GAMES_AN_OPTION: u64 = 1;
const STEPS_MAX: usize = 50_000;

#[test]
fn paris_connection() {
    contract::<games::ParisConnection>(&[r#"{"stall_after_trades": 6}"#], &[]);
}

#[test]
fn off_the_rails() {
    let options = [
        r#"{"cut": "interactive", "length": "very_short"}"#,
        r#"{"cut": "interactive", "drop": "half_up", "cart_points": "not_derailed"}"#,
        r#"{"drop": "half_up", "abyss_die": true, "length": "very_short"}"#,
        r#"{"bumpers": true, "bumper_head_on": "full", "length": "long"}"#,
        r#"{"bumpers": true, "solo_chasm_card": "turn", "solo_end": "left", "length": "medium"}"#,
        r#"{"solo_end": "loss", "length": "short", "wishes": "west, east"}"#,
    ];
    // Random play hardly ever rams a full cart: the game's own tests ask for these.
    contract::<games::OffTheRails>(&options, &["cut ruby rock", "pick first"]);
}

#[test]
fn trick_of_the_rails() {
    contract::<games::TrickOfTheRails>(&[r#"{"expert_lane": true}"#], &[]);
}

#[test]
fn no_game_is_forgotten() {
    let source = include_str!("contract.rs");
    for kind in GAMES {
        let id = kind.id();
        let snake = id.replace('-', "_");
        assert!(source.contains(&format!("fn {snake}()")), "{id} has no contract test");
        let root = env!("CARGO_MANIFEST_DIR");
        for file in ["public.txt", "private.txt", "rules.txt", "orders.txt"] {
            let path = format!("{root}/templates/en/{id}/{file}");
            assert!(std::path::Path::new(&path).exists(), "{path} is missing");
        }
        let shipped = std::fs::read_to_string(format!("{root}/games/{id}.yaml")).unwrap();
        assert_eq!(shipped, kind.definition(), "the registry and games/{id}.yaml differ");
        let playthrough = format!("{root}/tests/playthroughs/{id}-{}.txt", kind.seats().start());
        assert!(std::path::Path::new(&playthrough).exists(), "{playthrough} is missing");
    }
}

#[test]
fn every_line_that_the_shell_lists_can_be_sent() {
    for kind in GAMES {
        let (options, seats) = (BTreeMap::new(), *kind.seats().start());
        let (definition, options) =
            kind.validate(kind.definition(), &options, seats).expect("as it ships");
        let mut game = kind.open(&definition, &options, seats).expect("it opens");
        let mut dice = Dice::new(&Seed::rehearsal(3), 0);
        let mut chooser = Dice::new(&Seed::rehearsal(4), 0);
        game.setup(&mut dice);
        for _ in 0..12 {
            let Turn::Awaiting(seats) = game.turn() else { break };
            for seat in seats {
                let lines = game.legal(seat);
                assert!(!lines.is_empty(), "{}: seat {seat} is awaited", kind.id());
                let suggested = game.suggestions(seat);
                is_bounded(&suggested);
                for line in lines.iter().chain(suggested.iter().map(|one| &one.line)) {
                    let sent = game.copy().play(seat, line, &[], &mut dice.clone());
                    sent.unwrap_or_else(|refusal| panic!("{}: {line}: {refusal:?}", kind.id()));
                }
                let line = chooser.pick(&lines).expect("there is one");
                game.play(seat, line, &[], &mut dice).expect("it was just played");
            }
        }
    }
}

/// Suggestions fit a letter, and a link each.
fn is_bounded(suggested: &[Suggestion]) {
    assert!(suggested.len() <= Suggestion::MAX, "{suggested:?}");
    for one in suggested {
        let alike = suggested.iter().filter(|other| other.group == one.group).count();
        assert!(alike <= Suggestion::GROUP_MAX, "{suggested:?}");
        assert!(one.line.len() < 200 && !one.line.contains(['\r', '\n']), "{one:?}");
    }
}

/// Plays whole games by random legal orders and looks at every position on the way; a few with each
/// of these options too. Every way of writing a line is read somewhere, but for the `rare` ones.
pub fn contract<G: Game>(options: &[&str], rare: &[&str]) {
    let mut forms = Forms::default();
    for seats in G::SEATS {
        for seed in 0..GAMES_A_SEAT_COUNT {
            play_through(Walk::<G>::found(seats, seed, "{}"), &mut forms);
        }
        for options in options {
            for seed in 0..GAMES_AN_OPTION {
                play_through(Walk::<G>::found(seats, seed, options), &mut forms);
            }
        }
    }
    forms.hold::<G>(rare);
}

fn play_through<G: Game>(mut walk: Walk<G>, forms: &mut Forms) {
    while let Turn::Awaiting(awaited) = G::turn(&walk.state) {
        assert!(!awaited.is_empty(), "{walk} waits for nobody");
        walk.look(&awaited);
        if walk.line.is_none() {
            forms.look::<G>(&walk.state, &awaited);
        }
        walk.step(&awaited);
        assert!(walk.steps < STEPS_MAX, "{walk} does not end");
    }
    forms.written.extend(walk.lines.iter().map(|line| first_word(line).to_owned()));
    walk.looks_over();
}

/// A game that is played by random legal orders.
pub struct Walk<G: Game> {
    seed: u64,
    pub seats: u8,
    options: String,
    pub blank: G::State,
    pub state: G::State,
    pub events: Vec<G::Event>,
    /// Every order that was carried out, and how many events there were before it.
    pub orders: Vec<(usize, Seat, G::Order)>,
    dice: Dice,
    pub chooser: Dice,
    pub steps: usize,
    /// The line that is being written: where it began, whose it is, and its orders so far.
    line: Option<(G::State, Seat, Vec<G::Order>)>,
    /// Orders that were legal somewhere, and so are worth trying where they may not be.
    pub pool: Vec<G::Order>,
    /// Lines that were read somewhere.
    pub lines: Vec<String>,
    /// What the seats have planned and what can still come.
    pub plans: Vec<(Seat, G::Plan)>,
    /// How much seemed to lie behind, step by step.
    progress: Vec<u8>,
}

impl<G: Game> std::fmt::Display for Walk<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { seats, seed, options, steps, .. } = self;
        write!(f, "{} with {seats} seats and {options}, seed {seed}, step {steps}", G::ID)
    }
}

impl<G: Game> Walk<G> {
    fn found(seats: u8, seed: u64, options: &str) -> Self {
        let definition: G::Definition = yaml::read(G::DEFINITION).expect("the shipped definition");
        let chosen: G::Options = serde_json::from_str(options).expect("options of this game");
        let blank = G::open(&definition, &chosen, seats).expect("it opens");
        let mut dice = Dice::new(&Seed::rehearsal(seed), 0);
        let events = G::setup(&blank, &mut dice);
        let mut walk = Self {
            seed,
            seats,
            options: options.to_owned(),
            state: blank.clone(),
            blank,
            events: Vec::new(),
            orders: Vec::new(),
            dice,
            chooser: Dice::new(&Seed::rehearsal(!seed), 0),
            steps: 0,
            line: None,
            pool: Vec::new(),
            lines: Vec::new(),
            plans: Vec::new(),
            progress: Vec::new(),
        };
        walk.happen(events);
        walk
    }

    fn happen(&mut self, events: Vec<G::Event>) {
        for event in events {
            let json = serde_json::to_string(&event).expect("an event has a form");
            let back: G::Event = serde_json::from_str(&json).expect("and comes back from it");
            assert_eq!(back, event, "{self}: {json}");
            G::apply(&mut self.state, &event);
            if let Err(what) = G::audit(&self.state) {
                panic!("{self}: after {json}: {what}");
            }
            self.events.push(event);
        }
    }

    /// Whatever is legal can be sent as a line of its own: what that line leaves unsaid holds by
    /// default.
    fn can_be_sent(&mut self, seat: Seat, legal: &[G::Order]) {
        let Some(order) = self.chooser.pick(legal) else { return };
        let line = G::write(&self.state, std::slice::from_ref(order));
        let read = G::parse(&self.state, seat, &line);
        let read =
            read.unwrap_or_else(|refusal| panic!("{self}, seat {seat}: {line}: {refusal:?}"));
        assert_eq!(read.orders.first(), Some(order), "{self}, seat {seat}: {line}");
        let (mut ahead, mut dice) = (self.state.clone(), self.dice.clone());
        for order in &read.orders {
            match G::decide(&ahead, seat, order, &mut dice) {
                Ok(events) => events.iter().for_each(|event| G::apply(&mut ahead, event)),
                Err(refusal) => panic!("{self}, seat {seat}: {line}: {order:?}: {refusal:?}"),
            }
        }
    }

    /// What is done for a seat at once, because it has no choice, is what everyone knows anyway.
    fn is_forced_for_all_to_see(&mut self, seat: Seat, legal: &[G::Order]) {
        let Some(forced) = G::openly_forced(&self.state, seat) else { return };
        assert_eq!(legal, [forced], "{self}, seat {seat}");
        for _ in 0..4 {
            let other = G::redeal(&self.state, Viewer::Public, &mut self.chooser);
            assert!(G::openly_forced(&other, seat).is_some(), "{self}, seat {seat}");
            assert_eq!(G::legal(&other, seat).len(), 1, "{self}, seat {seat}");
        }
    }

    fn look(&mut self, awaited: &[Seat]) {
        for seat in Seat::all(self.seats) {
            let legal = G::legal(&self.state, seat);
            assert_eq!(!legal.is_empty(), awaited.contains(&seat), "{self}, seat {seat}");
            // A few of the legal ones, and a few that need not be.
            for _ in 0..4 {
                if let Some(order) = self.chooser.pick(&legal).cloned() {
                    self.judge(seat, &order, true);
                    turns_up_or_is_possible_for_all(self, seat, &order);
                    self.pool.push(order);
                }
                if let Some(order) = self.chooser.pick(&self.pool).cloned() {
                    self.judge(seat, &order, legal.contains(&order));
                }
            }
            if !legal.is_empty() && self.line.is_none() {
                self.can_be_sent(seat, &legal);
            }
            if !legal.is_empty() {
                let absent = G::forfeit(&self.state, seat);
                assert!(legal.contains(&absent), "{self}: {absent:?} is forfeit and illegal");
                let closing = G::closing(&self.state, seat);
                assert!(closing.is_none_or(|order| legal.contains(&order)), "{self}: closing");
                assert!(!G::choices(&self.state, seat).is_empty(), "{self}: no choices are said");
                self.is_forced_for_all_to_see(seat, &legal);
            }
            self.plans(seat);
            hides_from(self, Viewer::Seat(seat));
        }
        hides_from(self, Viewer::Public);
        assert!(G::progress(&self.state) < 100, "{self}: it is not over");
        self.progress.push(G::progress(&self.state));
    }

    /// A plan that the game itself would write is read, kept and said back; it never acts by
    /// itself.
    fn plans(&mut self, seat: Seat) {
        for line in G::Plan::at_random(&self.state, seat, &mut self.chooser) {
            let plans = match G::Plan::read(&self.state, seat, &line) {
                Some(Ok(plans)) => plans,
                other => panic!("{self}, seat {seat}: {line}: {other:?}"),
            };
            assert!(!plans.is_empty(), "{self}: {line}");
            for plan in plans {
                let json = serde_json::to_value(&plan).expect("a plan has a form");
                let back: G::Plan = serde_json::from_value(json).expect("and comes back from it");
                assert_eq!(back, plan, "{self}: {line}");
                plan.say(&self.state);
                self.plans.push((seat, plan));
            }
        }
        let state = &self.state;
        let lives =
            |(seat, plan): &(Seat, G::Plan)| !matches!(plan.follow(state, *seat), Follow::Never(_));
        self.plans.retain(lives);
        self.plans.truncate(200);
    }

    fn judge(&self, seat: Seat, order: &G::Order, legal: bool) {
        let verdict = G::decide(&self.state, seat, order, &mut self.dice.clone());
        assert_eq!(verdict.is_ok(), legal, "{self}, seat {seat}: {order:?}: {verdict:?}");
    }

    fn step(&mut self, awaited: &[Seat]) {
        let seat = match &self.line {
            Some((_, seat, _)) => *seat,
            None => *self.chooser.pick(awaited).expect("somebody is awaited"),
        };
        let legal = G::legal(&self.state, seat);
        let order = self.chooser.pick(&legal).cloned().expect("the line can go on");
        let before = self.state.clone();
        let events = G::decide(&self.state, seat, &order, &mut self.dice).expect("it is legal");
        assert_eq!(before, self.state, "{self}: deciding changes nothing");
        self.orders.push((self.events.len(), seat, order.clone()));
        self.happen(events);
        self.steps += 1;
        let line = self.line.get_or_insert((before, seat, Vec::new()));
        line.2.push(order);
        if G::is_whole_line(&self.state, &line.2) {
            let (began, seat, orders) = self.line.take().expect("it was just there");
            let text = G::write(&began, &orders);
            let read = G::parse(&began, seat, &text);
            assert_eq!(read.map(|read| read.orders), Ok(orders), "{self}: {text}");
            self.lines.push(text);
        }
    }

    /// What is likely to lie behind grows with what does: by random play, which is not how people
    /// play, it is off by less than a third of the game on the whole.
    fn came_on(&self) {
        assert_eq!(G::progress(&self.state), 100, "{self}");
        let all = i64::try_from(self.progress.len()).expect("few");
        let off = |(step, progress): (i64, &u8)| (i64::from(*progress) - step * 100 / all).abs();
        let off = (0..).zip(&self.progress).map(off).sum::<i64>() / all;
        assert!(off < 34, "{self}: off by {off} of 100 on the whole");
    }

    fn looks_over(&self) {
        for (seat, plan) in &self.plans {
            let follow = plan.follow(&self.state, *seat);
            assert!(matches!(follow, Follow::Never(_)), "{self}: {plan:?} outlives the game");
        }
        let mut again = self.blank.clone();
        self.events.iter().for_each(|event| G::apply(&mut again, event));
        assert_eq!(again, self.state, "{self}: the log does not fold to the position");
        for seat in Seat::all(self.seats) {
            assert!(G::legal(&self.state, seat).is_empty(), "{self}: something is legal still");
        }
        // What is agreed besides may end a game sooner or later than is usual.
        if self.options == "{}" {
            self.came_on();
        }
        let standings = G::standings(&self.state);
        assert_eq!(standings.len(), usize::from(self.seats), "{self}");
        let best = standings.first().map(|standing| standing.rank);
        assert!(best == Some(1) || self.seats == 1 && best == Some(2), "{self}: best is {best:?}");
        for standing in &standings {
            let parts: i64 = standing.breakdown.iter().map(|part| part.points).sum();
            assert_eq!(parts, standing.score, "{self}: seat {}'s score", standing.seat);
        }
    }
}

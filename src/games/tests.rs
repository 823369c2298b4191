//! Every game without its types: what the shell is told of it is what the game says.

use super::{OffTheRails, ParisConnection, TrickOfTheRails};
use crate::rules::{
    Charset, Dice, DynGame, EventText, Follow, Game, NoPlan, PictureStyle, Plans, Refusal, Seat,
    Seed, Turn, Viewer, entry, yaml,
};
use std::collections::BTreeMap;

/// A game with its types, and the same game without them.
struct Twins<G: Game> {
    state: G::State,
    game: Box<dyn DynGame>,
    seats: u8,
    /// What happened last, and the same as the log keeps it.
    events: Vec<G::Event>,
    texts: Vec<EventText>,
    /// Where the dice of both stand.
    dice: Dice,
    /// How often a line hid something, disclosed something, was in doubt or was forced.
    seen: [u32; 4],
}

fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("it has a form")
}

fn raw(texts: &[EventText]) -> Vec<&str> {
    texts.iter().map(|text| text.get()).collect()
}

impl<G: Game> Twins<G> {
    fn dealt(seats: u8) -> Self {
        let kind = entry::<G>();
        let kept = kind.validate(G::DEFINITION, &BTreeMap::new(), seats);
        let (definition, options) = kept.unwrap_or_else(|error| panic!("{error:?}"));
        let game = kind.open(&definition, &options, seats);
        let game = game.unwrap_or_else(|error| panic!("{error:?}"));
        let read = yaml::read(G::DEFINITION).unwrap_or_else(|error| panic!("{error}"));
        let state = G::open(&read, &G::Options::default(), seats);
        let state = state.unwrap_or_else(|fault| panic!("{fault:?}"));
        let dice = Dice::new(&Seed::rehearsal(5), 0);
        let (events, texts) = (Vec::new(), Vec::new());
        let mut twins = Self { state, game, seats, events, texts, dice, seen: [0; 4] };
        twins.events = G::setup(&twins.state, &mut twins.dice.clone());
        twins.events.iter().for_each(|event| G::apply(&mut twins.state, event));
        twins.texts = twins.game.setup(&mut twins.dice);
        assert_eq!(raw(&twins.texts), twins.events.iter().map(json).collect::<Vec<_>>());
        twins
    }

    fn is_shown_alike(&self) {
        let (state, game) = (&self.state, &self.game);
        let (events, texts) = (self.events.as_slice(), self.texts.as_slice());
        assert_eq!(game.turn(), G::turn(state));
        assert_eq!(game.progress(), G::progress(state));
        assert_eq!(game.standings(), G::standings(state));
        assert_eq!(game.public(), G::public(state));
        for charset in [Charset::Ascii, Charset::Unicode] {
            assert_eq!(game.board(texts, charset).ok(), Some(G::board(state, events, charset)));
        }
        let style = PictureStyle::default();
        assert_eq!(game.scene(texts, style).ok(), Some(G::scene(state, events, style)));
        assert_eq!(game.in_words(texts).ok(), Some(G::in_words(state, events)));
        let said = game.narrate(texts, Viewer::Public).ok();
        assert_eq!(said, Some(G::narrate(state, events, Viewer::Public)));
        assert_eq!((game.audit(), G::audit(state)), (Ok(()), Ok(())));
    }

    fn is_shown_alike_to(&mut self, seat: Seat) {
        let (state, game) = (&self.state, &self.game);
        let viewer = Viewer::Seat(seat);
        assert_eq!(game.private(seat), G::private(state, seat));
        assert_eq!(game.private_in_words(seat), G::private_in_words(state, seat));
        assert_eq!(game.suggestions(seat), G::suggestions(state, seat));
        assert_eq!(game.choices(seat), G::choices(state, seat));
        assert_eq!(game.revealed(seat), G::revealed(state, seat));
        let said = game.narrate(&self.texts, viewer).ok();
        assert_eq!(said, Some(G::narrate(state, &self.events, viewer)));
        let legal = G::legal(state, seat);
        let lines: Vec<String> =
            legal.iter().map(|order| G::write(state, std::slice::from_ref(order))).collect();
        assert_eq!(game.legal(seat), lines);
        for line in lines.iter().take(6) {
            let read = G::parse(state, seat, line).map(|read| G::write(state, &read.orders));
            assert_eq!(game.read(seat, line), read, "{line}");
            let doubt = G::doubt(state, seat, &[line]);
            assert_eq!(game.doubt(seat, &[line]), doubt, "{line}");
            self.seen[2] += u32::from(doubt.is_some());
        }
        let words = game.vocabulary(seat);
        assert!(G::GRAMMAR.words().all(|verb| words.verbs.contains(verb)));
        // In another world of this viewer everything happened that could have.
        let mut dice = (self.dice.clone(), self.dice.clone());
        let world = G::redeal(state, viewer, &mut dice.0);
        let other = game.redeal(viewer, &mut dice.1);
        assert_eq!(other.public(), G::public(&world));
        for (event, text) in self.events.iter().zip(&self.texts) {
            let there = G::redeal_event(&world, event, viewer, &mut dice.0);
            let said = other.redeal_event(text, viewer, &mut dice.1).ok();
            assert_eq!(said.map(|text| text.get().to_owned()), Some(json(&there)));
        }
        if let [order] = legal.as_slice() {
            let mut after = state.clone();
            let happens = G::decide(state, seat, order, &mut self.dice.clone()).ok();
            happens.into_iter().flatten().for_each(|event| G::apply(&mut after, &event));
            let order = std::slice::from_ref(order);
            if G::is_whole_line(&after, order) {
                assert_eq!(game.forced(seat), Some(G::write(state, order)));
                self.seen[3] += 1;
                let open = G::openly_forced(state, seat).map(|order| G::write(state, &[order]));
                assert_eq!(game.openly_forced(seat), open);
            }
        } else {
            assert_eq!((game.forced(seat), game.openly_forced(seat)), (None, None));
        }
    }

    fn plans_alike(&self, seat: Seat) {
        let (state, game) = (&self.state, &self.game);
        let lines = G::Plan::at_random(state, seat, &mut self.dice.clone());
        assert_eq!(game.plans_at_random(seat, &mut self.dice.clone()), lines);
        for line in lines {
            let Some(Ok(typed)) = G::Plan::read(state, seat, &line) else { panic!("{line}") };
            let Some(Ok(kept)) = game.plan(seat, &line) else { panic!("{line}") };
            for (plan, kept) in typed.iter().zip(&kept) {
                assert_eq!(game.say_plan(kept), Some(plan.say(state)), "{line}");
                assert_eq!(game.follow(seat, kept), plan.follow(state, seat), "{line}");
            }
            assert_eq!(typed.len(), kept.len());
        }
        let strange = serde_json::json!({"of": "another game"});
        assert_eq!(game.say_plan(&strange), None);
        assert!(matches!(game.follow(seat, &strange), Follow::Never(_)));
    }

    /// Lets the seat send a line by lot, and looks at all that is known of what came of it.
    fn goes_on_alike(&mut self, seat: Seat, chooser: &mut Dice) {
        let mut ahead = self.game.copy();
        let line = ahead.play_at_random(seat, chooser, &mut self.dice.clone());
        let (line, _) = line.unwrap_or_else(|| panic!("{:?} is stuck", self.state));
        let before = self.game.copy();
        let orders = G::parse(&self.state, seat, &line).map(|read| read.orders);
        let orders = orders.unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"));
        let (mut dice, mut disclosed) = (self.dice.clone(), None);
        self.events.clear();
        for order in &orders {
            let (began, drawn) = (self.events.len(), dice.counter());
            let happens = G::decide(&self.state, seat, order, &mut dice);
            for event in happens.unwrap_or_else(|refusal| panic!("{line}: {refusal:?}")) {
                if G::discloses(&self.state, &event, seat) {
                    disclosed = disclosed.or(Some(self.events.len()));
                }
                G::apply(&mut self.state, &event);
                self.events.push(event);
            }
            if dice.counter() > drawn {
                disclosed = disclosed.or(Some(began));
            }
        }
        let done = self.game.play(seat, &line, &[], &mut self.dice);
        let done = done.unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"));
        assert_eq!(self.dice.counter(), dice.counter(), "{line}");
        assert_eq!(raw(&done.events), self.events.iter().map(json).collect::<Vec<_>>(), "{line}");
        assert_eq!(done.disclosed, disclosed, "{line}");
        let secret = orders.iter().filter(|order| G::is_secret(order)).count();
        let covert = orders.iter().filter(|order| G::is_covert(order)).count();
        assert_eq!(done.secret.is_some(), secret == orders.len(), "{line}");
        assert_eq!(done.hides, secret + covert > 0, "{line}");
        self.seen[0] += u32::from(done.hides);
        self.seen[1] += u32::from(disclosed.is_some());
        // Who had not seen what has just happened is told so, where it matters.
        let is_touched = |order| self.events.iter().any(|event| G::overtakes(event, order));
        let unseen = before.copy().play(seat, &line, &done.events, &mut self.dice.clone());
        let is_overtaken = |refusal: Refusal| refusal.reason.key == "overtaken";
        assert_eq!(unseen.is_err_and(is_overtaken), orders.iter().any(is_touched), "{line}");
        self.texts = done.events;
    }
}

/// Plays the game by lot for so many lines at most; gives what was seen on the way.
fn played<G: Game>(seats: u8, lines: u32) -> [u32; 4] {
    let mut twins = Twins::<G>::dealt(seats);
    let mut chooser = Dice::new(&Seed::rehearsal(9), 0);
    for _ in 0..lines {
        twins.is_shown_alike();
        for seat in Seat::all(twins.seats) {
            twins.is_shown_alike_to(seat);
            twins.plans_alike(seat);
        }
        let Turn::Awaiting(awaited) = G::turn(&twins.state) else { break };
        twins.goes_on_alike(awaited[0], &mut chooser);
    }
    twins.seen
}

#[test]
fn paris_connection_is_the_same_without_its_types() {
    let [hides, disclosed, doubts, _] = played::<ParisConnection>(3, 30);
    assert_eq!([hides, disclosed, doubts], [0; 3]);
}

#[test]
fn trick_of_the_rails_is_the_same_without_its_types() {
    let [hides, disclosed, doubts, forced] = played::<TrickOfTheRails>(3, 100);
    assert_eq!([hides, disclosed, doubts], [0; 3]);
    assert!(forced > 2, "{forced}");
}

#[test]
fn off_the_rails_is_the_same_without_its_types() {
    let seen = played::<OffTheRails>(3, 60);
    assert!(seen.iter().take(3).all(|&often| often > 0), "{seen:?}");
}

#[test]
fn what_no_orders_lead_to_is_found_without_a_games_types_too() {
    let mut twins = Twins::<ParisConnection>::dealt(3);
    let twice = r#"{"placed": {"seat": 1, "colour": "red", "hex": "M27"}}"#;
    let twice: EventText = serde_json::from_str(twice).expect("it is JSON");
    for _ in 0..2 {
        assert_eq!(twins.game.apply(&twice).ok(), Some(()));
    }
    assert!(twins.game.audit().is_err());
}

#[test]
fn a_game_without_plans_reads_none() {
    let state = Twins::<ParisConnection>::dealt(3).state;
    let (one, line) = (Seat::new(1), "next: trade red for 2 blue");
    assert_eq!(<NoPlan as Plans<ParisConnection>>::read(&state, one, line), None);
    let mut chooser = Dice::new(&Seed::rehearsal(1), 0);
    let lines = <NoPlan as Plans<ParisConnection>>::at_random(&state, one, &mut chooser);
    assert_eq!(lines, [""; 0]);
}

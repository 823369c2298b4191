//! Checks for every shipped game that its [`DynGame`] gives the same results as its typed
//! functions.

use super::{OffTheRails, ParisConnection, TrickOfTheRails};
use crate::rules::{
    Charset, ConditionalPlan, Dice, DynGame, EventText, Game, NoPlan, PictureStyle, PlanStatus,
    Refusal, Seat, Seed, Turn, Viewer, game_kind, yaml,
};
use std::collections::BTreeMap;

/// A game with its types and the same game without them, kept in step.
struct TypedAndDyn<G: Game> {
    state: G::State,
    game: Box<dyn DynGame>,
    seats: u8,
    /// The last events, typed and as the log stores them.
    events: Vec<G::Event>,
    texts: Vec<EventText>,
    /// The dice of both games.
    dice: Dice,
    /// The numbers of lines with hidden orders, of lines with a disclosure, of questions, and of
    /// forced lines.
    counts: [u32; 4],
}

fn to_json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("it has a form")
}

fn json_texts(texts: &[EventText]) -> Vec<&str> {
    texts.iter().map(|text| text.get()).collect()
}

impl<G: Game> TypedAndDyn<G> {
    fn deal(seats: u8) -> Self {
        let kind = game_kind::<G>();
        let kept = kind.validate_and_convert_to_json(G::DEFINITION, &BTreeMap::new(), seats);
        let (definition, options) = kept.unwrap_or_else(|error| panic!("{error:?}"));
        let game = kind.new_game(&definition, &options, seats);
        let game = game.unwrap_or_else(|error| panic!("{error:?}"));
        let read = yaml::parse(G::DEFINITION).unwrap_or_else(|error| panic!("{error}"));
        let state = G::initial_state(&read, &G::Options::default(), seats);
        let state = state.unwrap_or_else(|fault| panic!("{fault:?}"));
        let dice = Dice::new(&Seed::from_number(5), 0);
        let (events, texts) = (Vec::new(), Vec::new());
        let mut twins = Self { state, game, seats, events, texts, dice, counts: [0; 4] };
        twins.events = G::setup(&twins.state, &mut twins.dice.clone());
        twins.events.iter().for_each(|event| G::apply(&mut twins.state, event));
        twins.texts = twins.game.setup(&mut twins.dice);
        assert_eq!(json_texts(&twins.texts), twins.events.iter().map(to_json).collect::<Vec<_>>());
        twins
    }

    fn assert_public_views_equal(&self) {
        let (state, game) = (&self.state, &self.game);
        let (events, texts) = (self.events.as_slice(), self.texts.as_slice());
        assert_eq!(game.turn(), G::turn(state));
        assert_eq!(game.progress_percent(), G::progress_percent(state));
        assert_eq!(game.rankings(), G::rankings(state));
        assert_eq!(game.public_data(), G::public_data(state));
        for charset in [Charset::Ascii, Charset::Unicode] {
            assert_eq!(
                game.draw_board_text(texts, charset).ok(),
                Some(G::draw_board_text(state, events, charset))
            );
        }
        let style = PictureStyle::default();
        assert_eq!(
            game.draw_board_picture(texts, style).ok(),
            Some(G::draw_board_picture(state, events, style))
        );
        assert_eq!(game.describe_position(texts).ok(), Some(G::describe_position(state, events)));
        let said = game.narrate_events(texts, Viewer::Public).ok();
        assert_eq!(said, Some(G::narrate_events(state, events, Viewer::Public)));
        assert_eq!(
            (game.check_every_piece_placed(), G::check_every_piece_placed(state)),
            (Ok(()), Ok(()))
        );
    }

    fn assert_seat_views_equal(&mut self, seat: Seat) {
        let (state, game) = (&self.state, &self.game);
        let viewer = Viewer::Seat(seat);
        assert_eq!(game.private_data(seat), G::private_data(state, seat));
        assert_eq!(game.describe_private_position(seat), G::describe_private_position(state, seat));
        assert_eq!(game.suggest_lines(seat), G::suggest_lines(state, seat));
        assert_eq!(game.describe_choices(seat), G::describe_choices(state, seat));
        assert_eq!(game.describe_revealed_secrets(seat), G::describe_revealed_secrets(state, seat));
        let said = game.narrate_events(&self.texts, viewer).ok();
        assert_eq!(said, Some(G::narrate_events(state, &self.events, viewer)));
        let legal = G::legal_orders(state, seat);
        let lines: Vec<String> =
            legal.iter().map(|order| G::write_line(state, std::slice::from_ref(order))).collect();
        assert_eq!(game.legal_lines(seat), lines);
        for line in lines.iter().take(6) {
            let read =
                G::parse_line(state, seat, line).map(|read| G::write_line(state, &read.orders));
            assert_eq!(game.normalize_line(seat, line), read, "{line}");
            let doubt = G::find_confirmation_question(state, seat, &[line]);
            assert_eq!(game.find_confirmation_question(seat, &[line]), doubt, "{line}");
            self.counts[2] += u32::from(doubt.is_some());
        }
        let words = game.vocabulary(seat);
        assert!(G::GRAMMAR.verbs_and_synonyms().all(|verb| words.verbs.contains(verb)));
        // Both forms are redealt with equal dice, so the hidden states must be equal too.
        let mut dice = (self.dice.clone(), self.dice.clone());
        let determinization = G::redeal(state, viewer, &mut dice.0);
        let other = game.redeal(viewer, &mut dice.1);
        assert_eq!(other.public_data(), G::public_data(&determinization));
        for (event, text) in self.events.iter().zip(&self.texts) {
            let there = G::event_in_determinization(&determinization, event, viewer, &mut dice.0);
            let said = other.event_in_determinization(text, viewer, &mut dice.1).ok();
            assert_eq!(said.map(|text| text.get().to_owned()), Some(to_json(&there)));
        }
        if let [order] = legal.as_slice() {
            let mut after = state.clone();
            let happens = G::decide(state, seat, order, &mut self.dice.clone()).ok();
            happens.into_iter().flatten().for_each(|event| G::apply(&mut after, &event));
            let order = std::slice::from_ref(order);
            if G::is_complete_line(&after, order) {
                assert_eq!(game.only_legal_line(seat), Some(G::write_line(state, order)));
                self.counts[3] += 1;
                let open = G::publicly_only_legal_order(state, seat)
                    .map(|order| G::write_line(state, &[order]));
                assert_eq!(game.publicly_only_legal_line(seat), open);
            }
        } else {
            assert_eq!(
                (game.only_legal_line(seat), game.publicly_only_legal_line(seat)),
                (None, None)
            );
        }
    }

    fn assert_plans_equal(&self, seat: Seat) {
        let (state, game) = (&self.state, &self.game);
        let lines = G::Plan::random_plan_lines(state, seat, &mut self.dice.clone());
        assert_eq!(game.random_plan_lines(seat, &mut self.dice.clone()), lines);
        for line in lines {
            let Some(Ok(typed)) = G::Plan::parse_plans(state, seat, &line) else {
                panic!("{line}")
            };
            let Some(Ok(kept)) = game.parse_plan(seat, &line) else { panic!("{line}") };
            for (plan, kept) in typed.iter().zip(&kept) {
                assert_eq!(game.describe_plan(kept), Some(plan.describe(state)), "{line}");
                assert_eq!(game.plan_status(seat, kept), plan.status(state, seat), "{line}");
            }
            assert_eq!(typed.len(), kept.len());
        }
        let strange = serde_json::json!({"of": "another game"});
        assert_eq!(game.describe_plan(&strange), None);
        assert!(matches!(game.plan_status(seat, &strange), PlanStatus::Impossible(_)));
    }

    /// Plays a random line of this seat in both games, and compares everything that is known of it.
    fn play_and_compare(&mut self, seat: Seat, chooser: &mut Dice) {
        let mut ahead = self.game.clone_box();
        let line = ahead.play_random_line(seat, chooser, &mut self.dice.clone());
        let (line, _) = line.unwrap_or_else(|| panic!("{:?} is stuck", self.state));
        let before = self.game.clone_box();
        let orders = G::parse_line(&self.state, seat, &line).map(|read| read.orders);
        let orders = orders.unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"));
        let (mut dice, mut disclosed) = (self.dice.clone(), None);
        self.events.clear();
        for order in &orders {
            let (began, drawn) = (self.events.len(), dice.used_word_count());
            let happens = G::decide(&self.state, seat, order, &mut dice);
            for event in happens.unwrap_or_else(|refusal| panic!("{line}: {refusal:?}")) {
                if G::discloses(&self.state, &event, seat) {
                    disclosed = disclosed.or(Some(self.events.len()));
                }
                G::apply(&mut self.state, &event);
                self.events.push(event);
            }
            if dice.used_word_count() > drawn {
                disclosed = disclosed.or(Some(began));
            }
        }
        let done = self.game.judge_and_play_line(seat, &line, &[], &mut self.dice);
        let done = done.unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"));
        assert_eq!(self.dice.used_word_count(), dice.used_word_count(), "{line}");
        assert_eq!(
            json_texts(&done.events),
            self.events.iter().map(to_json).collect::<Vec<_>>(),
            "{line}"
        );
        assert_eq!(done.first_disclosure, disclosed, "{line}");
        let secret = orders.iter().filter(|order| G::is_secret(order)).count();
        let covert = orders.iter().filter(|order| G::has_hidden_content(order)).count();
        assert_eq!(done.secret_line.is_some(), secret == orders.len(), "{line}");
        assert_eq!(done.has_hidden_orders, secret + covert > 0, "{line}");
        self.counts[0] += u32::from(done.has_hidden_orders);
        self.counts[1] += u32::from(disclosed.is_some());
        // A player who had not seen these events gets a refusal if the events changed something
        // that the line names.
        let is_touched = |order| self.events.iter().any(|event| G::invalidates(event, order));
        let unseen = before.clone_box().judge_and_play_line(
            seat,
            &line,
            &done.events,
            &mut self.dice.clone(),
        );
        let is_overtaken = |refusal: Refusal| refusal.reason.key == "overtaken";
        assert_eq!(unseen.is_err_and(is_overtaken), orders.iter().any(is_touched), "{line}");
        self.texts = done.events;
    }
}

/// Plays a random game of at most `lines` lines and compares both forms before each line. Returns
/// the counts.
fn play_and_count<G: Game>(seats: u8, lines: u32) -> [u32; 4] {
    let mut twins = TypedAndDyn::<G>::deal(seats);
    let mut chooser = Dice::new(&Seed::from_number(9), 0);
    for _ in 0..lines {
        twins.assert_public_views_equal();
        for seat in Seat::all(twins.seats) {
            twins.assert_seat_views_equal(seat);
            twins.assert_plans_equal(seat);
        }
        let Turn::Awaiting(awaited) = G::turn(&twins.state) else { break };
        twins.play_and_compare(awaited[0], &mut chooser);
    }
    twins.counts
}

#[test]
fn paris_connection_adapter_matches_typed_game() {
    let [hides, disclosed, doubts, _] = play_and_count::<ParisConnection>(3, 30);
    assert_eq!([hides, disclosed, doubts], [0; 3]);
}

#[test]
fn trick_of_the_rails_adapter_matches_typed_game() {
    let [hides, disclosed, doubts, forced] = play_and_count::<TrickOfTheRails>(3, 100);
    assert_eq!([hides, disclosed, doubts], [0; 3]);
    assert!(forced > 2, "{forced}");
}

#[test]
fn off_the_rails_adapter_matches_typed_game() {
    let seen = play_and_count::<OffTheRails>(3, 60);
    assert!(seen.iter().take(3).all(|&often| often > 0), "{seen:?}");
}

#[test]
fn audit_fails_after_impossible_events() {
    let mut twins = TypedAndDyn::<ParisConnection>::deal(3);
    let twice = r#"{"placed": {"seat": 1, "colour": "red", "hex": "M27"}}"#;
    let twice: EventText = serde_json::from_str(twice).expect("it is JSON");
    for _ in 0..2 {
        assert_eq!(twins.game.apply(&twice).ok(), Some(()));
    }
    assert!(twins.game.check_every_piece_placed().is_err());
}

#[test]
fn game_without_plans_parses_none() {
    let state = TypedAndDyn::<ParisConnection>::deal(3).state;
    let (one, line) = (Seat::new(1), "next: trade red for 2 blue");
    assert_eq!(<NoPlan as ConditionalPlan<ParisConnection>>::parse_plans(&state, one, line), None);
    let mut chooser = Dice::new(&Seed::from_number(1), 0);
    let lines =
        <NoPlan as ConditionalPlan<ParisConnection>>::random_plan_lines(&state, one, &mut chooser);
    assert_eq!(lines, [""; 0]);
}

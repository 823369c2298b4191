//! The adapter that turns every [`Game`] into a [`GameKind`] and a [`DynGame`]. It is the only code
//! that converts between a game's types and JSON.

use super::tree_search::{TREE_BYTES_MAX, TreeSearch, choose_orders, lead_over_others};
use super::written_lines::{write_bot_lines, write_readable_line};
use super::{
    BotLevel, Charset, ConditionalPlan, DefinitionFault, Dice, DynGame, Effort, EventText,
    FormExample, Game, GameKind, LineOutcome, Message, NewGameError, ParsedLine, PictureStyle,
    PlanStatus, PositionRow, Ranking, Refusal, Scene, Seat, Suggestion, Turn, UnreadableData,
    Viewer, Vocabulary, WeighedLine, throwaway_dice, yaml,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Returns the registry entry of a game, without its types.
pub const fn game_kind<G: Game>() -> &'static dyn GameKind {
    &RegisteredGame::<G>(std::marker::PhantomData)
}

struct RegisteredGame<G>(std::marker::PhantomData<fn() -> G>);

struct GameAdapter<G: Game> {
    state: G::State,
}

fn to_json<T: serde::Serialize>(value: &T) -> Box<RawValue> {
    // Events, definitions and options are plain derived data with string keys, so serializing them
    // cannot fail.
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

fn from_json<T: DeserializeOwned>(raw: &RawValue) -> Result<T, UnreadableData> {
    serde_json::from_str(raw.get()).map_err(|error| UnreadableData::new(&error, raw))
}

/// Converts options to JSON. They come from a command line or a letter as words, so numbers and
/// `true`/`false` are recognized here.
fn parse_option_words(options: &BTreeMap<String, String>) -> serde_json::Value {
    options
        .iter()
        .map(|(name, word)| {
            let value = serde_json::from_str(word)
                .ok()
                .filter(|value: &serde_json::Value| value.is_number() || value.is_boolean())
                .unwrap_or_else(|| word.clone().into());
            (name.clone(), value)
        })
        .collect::<serde_json::Map<_, _>>()
        .into()
}

impl<G: Game> GameKind for RegisteredGame<G> {
    fn id(&self) -> &'static str {
        G::ID
    }

    fn version(&self) -> u32 {
        G::VERSION
    }

    fn allowed_seat_counts(&self) -> RangeInclusive<u8> {
        G::SEATS
    }

    fn shipped_definition(&self) -> &'static str {
        G::DEFINITION
    }

    fn texts(&self) -> &'static [(&'static str, &'static str)] {
        G::TEXTS
    }

    fn validate_and_convert_to_json(
        &self,
        definition: &str,
        options: &BTreeMap<String, String>,
        seats: u8,
    ) -> Result<(Box<RawValue>, Box<RawValue>), NewGameError> {
        if !G::SEATS.contains(&seats) {
            let (least, most) = (*G::SEATS.start(), *G::SEATS.end());
            return Err(NewGameError::Seats { kind: G::ID, least, most });
        }
        let read: G::Definition = yaml::parse(definition)?;
        let options: G::Options =
            serde_json::from_value(parse_option_words(options)).map_err(|error| {
                let error = error.to_string();
                NewGameError::Option {
                    said: yaml::explain_shape_error(&error),
                    message: yaml::explain_option_error(&error),
                }
            })?;
        G::initial_state(&read, &options, seats).map_err(
            |DefinitionFault { reason, place: near }| {
                let line =
                    near.map_or(0, |(text, nth)| yaml::line_number_of_text(definition, &text, nth));
                NewGameError::Definition { reason, line }
            },
        )?;
        Ok((to_json(&read), to_json(&options)))
    }

    fn new_game(
        &self,
        definition: &RawValue,
        options: &RawValue,
        seats: u8,
    ) -> Result<Box<dyn DynGame>, NewGameError> {
        let state = G::initial_state(&from_json(definition)?, &from_json(options)?, seats)
            .map_err(|fault| NewGameError::Definition { reason: fault.reason, line: 0 })?;
        Ok(Box::new(GameAdapter::<G> { state }))
    }
}

impl<G: Game> GameAdapter<G> {
    fn parse_events(raw: &[EventText]) -> Result<Vec<G::Event>, UnreadableData> {
        raw.iter().map(|event| from_json(event)).collect()
    }

    fn apply_events(&mut self, events: Vec<G::Event>, applied: &mut Vec<EventText>) {
        for event in events {
            G::apply(&mut self.state, &event);
            applied.push(to_json(&event));
        }
    }

    /// Builds a line of orders from `next`, which picks each order at the position after the
    /// earlier ones. Stops at a complete line, or when `next` returns `None` or an illegal order.
    /// Returns the line and whether it is complete.
    fn build_line(
        &self,
        seat: Seat,
        mut next: impl FnMut(&G::State) -> Option<G::Order>,
    ) -> (String, bool) {
        let mut ahead = self.state.clone();
        let mut orders = Vec::new();
        let (mut dice, mut is_whole) = (throwaway_dice(), false);
        while !is_whole
            && let Some(order) = next(&ahead)
            && G::decide_and_apply(&mut ahead, seat, &order, &mut dice).is_ok()
        {
            orders.push(order);
            is_whole = G::is_complete_line(&ahead, &orders);
        }
        (G::write_line(&self.state, &orders), is_whole)
    }

    fn refuse_if_invalidated_by_unseen(
        unseen: &[EventText],
        orders: &[G::Order],
    ) -> Result<(), Refusal> {
        // An unreadable event might conflict with the orders, so it counts as a conflict.
        let overtaken = Self::parse_events(unseen).map_or(true, |events| {
            events.iter().any(|event| orders.iter().any(|order| G::invalidates(event, order)))
        });
        if overtaken { Err(Refusal::illegal(Message::new("overtaken"))) } else { Ok(()) }
    }
}

const fn effort_of<G: Game>(level: BotLevel) -> Effort {
    let [easy, fair, strong] = G::EFFORTS;
    match level {
        BotLevel::Easy => easy,
        BotLevel::Fair => fair,
        BotLevel::Strong => strong,
    }
}

fn plans_to_json<P: serde::Serialize>(plans: &[P]) -> Vec<serde_json::Value> {
    // Plans are plain derived data with string keys, so serializing them cannot fail.
    plans.iter().filter_map(|plan| serde_json::to_value(plan).ok()).collect()
}

impl<G: Game> DynGame for GameAdapter<G> {
    fn clone_box(&self) -> Box<dyn DynGame> {
        Box::new(Self { state: self.state.clone() })
    }

    fn setup(&mut self, dice: &mut Dice) -> Vec<EventText> {
        let mut applied = Vec::new();
        let events = G::setup(&self.state, dice);
        self.apply_events(events, &mut applied);
        applied
    }

    fn apply(&mut self, event: &RawValue) -> Result<(), UnreadableData> {
        G::apply(&mut self.state, &from_json(event)?);
        Ok(())
    }

    fn turn(&self) -> Turn {
        G::turn(&self.state)
    }

    fn judge_and_play_line(
        &mut self,
        seat: Seat,
        line: &str,
        unseen: &[EventText],
        dice: &mut Dice,
    ) -> Result<LineOutcome, Refusal> {
        let ParsedLine { orders, remarks } = G::parse_line(&self.state, seat, line)?;
        if !unseen.is_empty() {
            Self::refuse_if_invalidated_by_unseen(unseen, &orders)?;
        }
        let secret = (!orders.is_empty() && orders.iter().all(G::is_secret))
            .then(|| G::write_line(&self.state, &orders));
        let hides = orders.iter().any(|order| G::is_secret(order) || G::has_hidden_content(order));
        let mut done = LineOutcome {
            events: Vec::new(),
            first_disclosure: None,
            remarks,
            secret_line: secret,
            has_hidden_orders: hides,
        };
        for order in &orders {
            let (began, drawn) = (done.events.len(), dice.used_word_count());
            for event in G::decide(&self.state, seat, order, dice)? {
                if done.first_disclosure.is_none() && G::discloses(&self.state, &event, seat) {
                    done.first_disclosure = Some(done.events.len());
                }
                self.apply_events(vec![event], &mut done.events);
            }
            // The order used dice, but no event was declared as a disclosure. To be safe, all its
            // events count as disclosing.
            if done.first_disclosure.is_none() && dice.used_word_count() != drawn {
                done.first_disclosure = Some(began);
            }
        }
        Ok(done)
    }

    fn find_confirmation_question(
        &self,
        seat: Seat,
        lines: &[&str],
    ) -> Option<(Option<usize>, Refusal)> {
        G::find_confirmation_question(&self.state, seat, lines)
    }

    fn normalize_line(&self, seat: Seat, line: &str) -> Result<String, Refusal> {
        let reading = G::parse_line(&self.state, seat, line)?;
        Ok(G::write_line(&self.state, &reading.orders))
    }

    fn vocabulary(&self, seat: Seat) -> Vocabulary {
        let plans = G::Plan::GRAMMAR.verbs_and_synonyms();
        Vocabulary::new(
            G::GRAMMAR.verbs_and_synonyms(),
            plans,
            &G::names_in_orders(&self.state),
            &self.forms(seat),
        )
    }

    fn play_random_line(
        &mut self,
        seat: Seat,
        chooser: &mut Dice,
        dice: &mut Dice,
    ) -> Option<(String, Vec<EventText>)> {
        let before = self.state.clone();
        let (mut orders, mut applied) = (Vec::new(), Vec::new());
        loop {
            let order = chooser.pick(&G::legal_orders(&self.state, seat))?.clone();
            let events = G::decide(&self.state, seat, &order, dice).ok()?;
            self.apply_events(events, &mut applied);
            orders.push(order);
            if G::is_complete_line(&self.state, &orders) {
                return Some((G::write_line(&before, &orders), applied));
            }
        }
    }

    fn legal_lines(&self, seat: Seat) -> Vec<String> {
        let orders = G::legal_orders(&self.state, seat);
        orders.into_iter().map(|order| G::write_line(&self.state, &[order])).collect()
    }

    fn forms(&self, seat: Seat) -> Vec<FormExample> {
        let mut forms = G::GRAMMAR.examples(&self.state, Some(seat));
        forms.extend(G::Plan::GRAMMAR.examples(&self.state, Some(seat)));
        forms
    }

    fn parse_plan(
        &self,
        seat: Seat,
        line: &str,
    ) -> Option<Result<Vec<serde_json::Value>, Refusal>> {
        let plans = G::Plan::parse_plans(&self.state, seat, line)?;
        Some(plans.map(|plans| plans_to_json(&plans)))
    }

    fn align_plans(&self, seat: Seat, letter: Vec<serde_json::Value>) -> Vec<serde_json::Value> {
        let typed: Result<Vec<G::Plan>, _> = letter.iter().map(G::Plan::deserialize).collect();
        match typed {
            Ok(mut plans) => {
                G::Plan::align(&self.state, seat, &mut plans);
                plans_to_json(&plans)
            }
            Err(_) => letter,
        }
    }

    fn merge_plans(
        &self,
        letter: &[serde_json::Value],
        more: &[serde_json::Value],
    ) -> Result<Vec<serde_json::Value>, Refusal> {
        let typed = |plans: &[serde_json::Value]| -> Vec<G::Plan> {
            plans.iter().filter_map(|plan| G::Plan::deserialize(plan).ok()).collect()
        };
        let mut letter = typed(letter);
        for plan in typed(more) {
            plan.merge_into(&self.state, &mut letter)?;
        }
        Ok(plans_to_json(&letter))
    }

    fn plan_status(&self, seat: Seat, plan: &serde_json::Value) -> PlanStatus {
        match G::Plan::deserialize(plan) {
            Ok(plan) => plan.status(&self.state, seat),
            Err(_) => PlanStatus::Impossible(Message::new("plan-unreadable")),
        }
    }

    fn plan_continues_turn(&self, plan: &serde_json::Value) -> bool {
        G::Plan::deserialize(plan).is_ok_and(|plan| plan.continues_turn())
    }

    fn describe_plan(&self, plan: &serde_json::Value) -> Option<Message> {
        let plan = G::Plan::deserialize(plan).ok()?;
        Some(plan.describe(&self.state))
    }

    fn random_plan_lines(&self, seat: Seat, chooser: &mut Dice) -> Vec<String> {
        G::Plan::random_plan_lines(&self.state, seat, chooser)
    }

    fn only_legal_line(&self, seat: Seat) -> Option<String> {
        let (line, whole) =
            self.build_line(seat, |ahead| match G::legal_orders(ahead, seat).as_slice() {
                [order] => Some(order.clone()),
                _ => None,
            });
        whole.then_some(line)
    }

    fn publicly_only_legal_line(&self, seat: Seat) -> Option<String> {
        let (line, whole) =
            self.build_line(seat, |ahead| G::publicly_only_legal_order(ahead, seat));
        whole.then_some(line)
    }

    fn line_for_absent_player(&self, seat: Seat) -> String {
        let forfeit = |ahead: &_| {
            G::turn(ahead).awaits(seat).then(|| G::order_for_absent_player(ahead, seat))
        };
        self.build_line(seat, forfeit).0
    }

    fn implied_final_line(&self, seat: Seat) -> Option<String> {
        G::implied_final_order(&self.state, seat).map(|order| G::write_line(&self.state, &[order]))
    }

    fn describe_choices(&self, seat: Seat) -> Vec<Message> {
        G::describe_choices(&self.state, seat)
    }

    fn rankings(&self) -> Vec<Ranking> {
        G::rankings(&self.state)
    }

    fn progress_percent(&self) -> u8 {
        G::progress_percent(&self.state)
    }

    fn public_data(&self) -> serde_json::Value {
        G::public_data(&self.state)
    }

    fn private_data(&self, seat: Seat) -> serde_json::Value {
        G::private_data(&self.state, seat)
    }

    fn draw_board_text(
        &self,
        recent: &[EventText],
        charset: Charset,
    ) -> Result<Vec<String>, UnreadableData> {
        Ok(G::draw_board_text(&self.state, &Self::parse_events(recent)?, charset))
    }

    fn draw_board_picture(
        &self,
        recent: &[EventText],
        style: PictureStyle,
    ) -> Result<Scene, UnreadableData> {
        Ok(G::draw_board_picture(&self.state, &Self::parse_events(recent)?, style))
    }

    fn describe_position(&self, recent: &[EventText]) -> Result<Vec<PositionRow>, UnreadableData> {
        Ok(G::describe_position(&self.state, &Self::parse_events(recent)?))
    }

    fn describe_private_position(&self, seat: Seat) -> Vec<PositionRow> {
        G::describe_private_position(&self.state, seat)
    }

    fn suggest_lines(&self, seat: Seat) -> Vec<Suggestion> {
        G::suggest_lines(&self.state, seat)
    }

    fn narrate_events(
        &self,
        events: &[EventText],
        viewer: Viewer,
    ) -> Result<Vec<Message>, UnreadableData> {
        Ok(G::narrate_events(&self.state, &Self::parse_events(events)?, viewer))
    }

    fn describe_revealed_secrets(&self, seat: Seat) -> Vec<Message> {
        G::describe_revealed_secrets(&self.state, seat)
    }

    fn check_every_piece_placed(&self) -> Result<(), String> {
        G::check_every_piece_placed(&self.state)
    }

    fn reveals_hidden(&self, event: &RawValue, seat: Seat) -> Result<bool, UnreadableData> {
        let event = from_json(event)?;
        Ok(G::discloses(&self.state, &event, seat) || G::reveals_to_others(&self.state, &event))
    }

    fn choose_lines(&self, seat: Seat, level: BotLevel, dice: &mut Dice) -> Vec<String> {
        if !G::turn(&self.state).awaits(seat) {
            return Vec::new();
        }
        let known = G::redeal(&self.state, Viewer::Seat(seat), dice);
        let orders = choose_orders::<G>(&self.state, seat, effort_of::<G>(level), dice);
        let lines = write_bot_lines::<G>(&known, seat, &orders);
        if lines.is_empty() { vec![self.line_for_absent_player(seat)] } else { lines }
    }

    fn weigh_lines(&self, seat: Seat, level: BotLevel, dice: &mut Dice) -> Vec<WeighedLine> {
        if !G::turn(&self.state).awaits(seat) {
            return Vec::new();
        }
        let known = G::redeal(&self.state, Viewer::Seat(seat), dice);
        let mut search = TreeSearch::<G>::new(effort_of::<G>(level), TREE_BYTES_MAX, dice);
        let mut weighed: Vec<WeighedLine> = Vec::new();
        for found in search.run(&self.state, seat) {
            let percent = found.wins / 10 / u64::from(found.visits.max(1));
            let wins_percent = u8::try_from(percent).unwrap_or(100);
            let line = write_bot_lines::<G>(&known, seat, &found.orders).into_iter().next();
            let line = line.filter(|line| weighed.iter().all(|better| better.line != *line));
            weighed.extend(line.map(|line| WeighedLine { line, wins_percent }));
        }
        weighed
    }

    fn greedy_line(&self, seat: Seat, dice: &mut Dice) -> Option<String> {
        let known = G::redeal(&self.state, Viewer::Seat(seat), dice);
        let lead_after = |orders: &Vec<G::Order>| {
            let mut ahead = known.clone();
            for order in orders {
                G::decide_and_apply(&mut ahead, seat, order, &mut throwaway_dice()).ok()?;
            }
            Some(lead_over_others(&G::merits(&ahead), seat))
        };
        let candidates = G::candidates(&known, seat, usize::MAX);
        let best = candidates.iter().rev().max_by_key(|orders| lead_after(orders))?;
        write_readable_line::<G>(&known, seat, best)
    }

    fn redeal(&self, viewer: Viewer, dice: &mut Dice) -> Box<dyn DynGame> {
        Box::new(Self { state: G::redeal(&self.state, viewer, dice) })
    }

    fn event_in_determinization(
        &self,
        event: &RawValue,
        viewer: Viewer,
        dice: &mut Dice,
    ) -> Result<EventText, UnreadableData> {
        Ok(to_json(&G::event_in_determinization(&self.state, &from_json(event)?, viewer, dice)))
    }
}

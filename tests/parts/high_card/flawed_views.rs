//! High Card with one planted mistake: its lines, its plans and its views.

use super::flawed_game::{FlawedEvent, FlawedGame, Position, real_events, top_card_of_next};
use super::plan::NextCardPlan;
use super::planted_mistakes::{Mistake, is_planted};
use super::{HighCard, Play};
use postrider::rules::{
    Charset, ConditionalPlan, Dice, Grammar, Ink, LineForm, Message, OrderText, ParsedLine,
    PictureStyle, PlanStatus, PositionRow, Refusal, Rules, Scene, Seat, Suggestion, Viewer, Views,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A plan of High Card, with the planted mistake.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlawedPlan(NextCardPlan);

impl ConditionalPlan<FlawedGame> for FlawedPlan {
    const GRAMMAR: Grammar<Position> = Grammar {
        verbs: &["next"],
        min_letters: 1,
        synonyms: &[],
        forms: &[LineForm::for_every_game("later", "next: play 3", "hc-form-next")],
    };

    fn parse_plans(state: &Position, seat: Seat, line: &str) -> Option<Result<Vec<Self>, Refusal>> {
        let read = NextCardPlan::parse_plans(&state.at, seat, line)?;
        Some(read.map(|plans| plans.into_iter().map(Self).collect()))
    }

    fn status(&self, state: &Position, seat: Seat) -> PlanStatus {
        match self.0.status(&state.at, seat) {
            PlanStatus::Impossible(_) if is_planted(Mistake::PlanOutlivesGame) => {
                PlanStatus::Pending
            }
            PlanStatus::Pending
                if is_planted(Mistake::PlanLeaks) && top_card_of_next(&state.at, seat) > 3 =>
            {
                PlanStatus::Impossible(Message::new("hc-plan-past"))
            }
            follow => follow,
        }
    }

    fn describe(&self, state: &Position) -> Message {
        self.0.describe(&state.at)
    }

    fn random_plan_lines(state: &Position, seat: Seat, chooser: &mut Dice) -> Vec<String> {
        let lines = NextCardPlan::random_plan_lines(&state.at, seat, chooser);
        let unread = |line: String| line.replace("play", "plan");
        if is_planted(Mistake::PlanUnreadable) {
            lines.into_iter().map(unread).collect()
        } else {
            lines
        }
    }
}

impl OrderText for FlawedGame {
    type Plan = FlawedPlan;

    const FILLERS: &'static [&'static str] = HighCard::FILLERS;
    const GRAMMAR: Grammar<Position> = Grammar {
        verbs: &["play"],
        min_letters: 1,
        synonyms: &[],
        forms: &[LineForm::for_every_game("now", "play 3", "hc-form-play")],
    };

    fn names_in_orders(state: &Position) -> Vec<String> {
        HighCard::names_in_orders(&state.at)
    }

    fn parse_line(state: &Position, seat: Seat, line: &str) -> Result<ParsedLine<Play>, Refusal> {
        let mut read = HighCard::parse_line(&state.at, seat, line);
        match &mut read {
            Ok(reading)
                if is_planted(Mistake::ReadAsOtherOrder) && state.at.hand(seat).len() == 1 =>
            {
                reading.orders[0].0 += 1;
            }
            Ok(reading) if is_planted(Mistake::ReadingLeaks) => {
                let top = top_card_of_next(&state.at, seat);
                reading.remarks.push(Message::new("hc-not-held").with("card", top));
            }
            Err(refusal) if is_planted(Mistake::RefusalWithoutSuggestion) => {
                let bare = serde_json::json!({
                    "kind": refusal.kind, "reason": refusal.reason, "instead": [],
                });
                *refusal = serde_json::from_value(bare).expect("a refusal");
            }
            _ => {}
        }
        read
    }

    fn write_line(state: &Position, orders: &[Play]) -> String {
        let line = HighCard::write_line(&state.at, orders);
        if is_planted(Mistake::WrittenUnreadably) { line.replace("play", "put") } else { line }
    }

    fn is_complete_line(state: &Position, orders: &[Play]) -> bool {
        HighCard::is_complete_line(&state.at, orders)
    }
}

/// Returns the card that a leak would show: the highest card of the seat that plays after this one.
fn leak(state: &Position, mistake: Mistake, seat: Seat) -> Option<u8> {
    is_planted(mistake).then(|| top_card_of_next(&state.at, seat))
}

/// Returns the card that a leak would show to everyone.
fn public_leak(state: &Position, mistake: Mistake) -> Option<u8> {
    leak(state, mistake, Seat::new(1))
}

/// Appends a leaked card to a view that is a list.
fn with_leak(mut view: Value, leak: Option<u8>) -> Value {
    view.as_array_mut().expect("a list").extend(leak.map(Value::from));
    view
}

impl Views for FlawedGame {
    fn public_data(state: &Position) -> Value {
        with_leak(HighCard::public_data(&state.at), public_leak(state, Mistake::PublicViewLeaks))
    }

    fn private_data(state: &Position, seat: Seat) -> Value {
        with_leak(
            HighCard::private_data(&state.at, seat),
            leak(state, Mistake::PrivateViewLeaks, seat),
        )
    }

    fn draw_board_text(state: &Position, recent: &[FlawedEvent], charset: Charset) -> Vec<String> {
        let mut lines = HighCard::draw_board_text(&state.at, &real_events(recent), charset);
        lines.extend(public_leak(state, Mistake::BoardLeaks).map(|card| card.to_string()));
        lines
    }

    fn draw_board_picture(state: &Position, recent: &[FlawedEvent], style: PictureStyle) -> Scene {
        let mut scene = HighCard::draw_board_picture(&state.at, &real_events(recent), style);
        if let Some(card) = public_leak(state, Mistake::PictureLeaks) {
            scene.add_centred_text((390, 50), 24, Ink::DARK, card.to_string());
        }
        scene
    }

    fn describe_position(state: &Position, recent: &[FlawedEvent]) -> Vec<PositionRow> {
        let mut rows = HighCard::describe_position(&state.at, &real_events(recent));
        let leak = public_leak(state, Mistake::WordsLeak);
        rows.extend(leak.map(|card| {
            PositionRow::from_sentence(Message::new("hc-not-held").with("card", card))
        }));
        rows
    }

    fn describe_private_position(state: &Position, seat: Seat) -> Vec<PositionRow> {
        let mut rows = HighCard::describe_private_position(&state.at, seat);
        let leak = leak(state, Mistake::PrivateWordsLeak, seat);
        rows.extend(leak.map(|card| {
            PositionRow::from_sentence(Message::new("hc-not-held").with("card", card))
        }));
        rows
    }

    fn suggest_lines(state: &Position, seat: Seat) -> Vec<Suggestion> {
        let mut suggested = HighCard::suggest_lines(&state.at, seat);
        let group = || Message::new("hc-play");
        if is_planted(Mistake::SuggestsIllegal) && suggested.len() == 1 {
            suggested.push(Suggestion { group: group(), line: "play 0".to_owned() });
        }
        if is_planted(Mistake::SuggestsOutOfTurn) && suggested.is_empty() {
            suggested.push(Suggestion { group: group(), line: "play 1".to_owned() });
        }
        if is_planted(Mistake::SuggestsTooMany) && suggested.len() > 3 {
            suggested = vec![suggested; 4].concat();
        }
        if is_planted(Mistake::LegalDependsOnHidden) {
            let legal = Self::legal_orders(state, seat);
            suggested.retain(|one| legal.iter().any(|play| one.line == format!("play {}", play.0)));
        }
        let tells = leak(state, Mistake::SuggestionsLeak, seat);
        suggested.truncate(if tells.is_some_and(|card| card > 6) { 1 } else { usize::MAX });
        suggested
    }

    fn narrate_group(state: &Position, events: &[FlawedEvent], viewer: Viewer) -> Vec<Message> {
        let events = real_events(events);
        let mut narrated = HighCard::narrate_events(&state.at, &events, viewer);
        if is_planted(Mistake::LogLeaks) {
            narrated.extend(HighCard::narrate_events(
                &state.at,
                &events,
                Viewer::Seat(Seat::new(2)),
            ));
        }
        let is_taken = |message: &Message| message.key == "hc-taken";
        for message in narrated.iter_mut().filter(|message| is_taken(message)) {
            if is_planted(Mistake::SentenceIsMissing) {
                *message = Message::new("hc-take");
            } else if is_planted(Mistake::ArgumentIsMissing) {
                *message = Message::new("hc-taken").with("prize", 1_u8);
            }
        }
        narrated.retain(|message| {
            !(is_planted(Mistake::EndIsNeverSaid) && message.key == "hc-ended-early")
        });
        narrated
    }

    fn describe_revealed_secrets(state: &Position, seat: Seat) -> Vec<Message> {
        HighCard::describe_revealed_secrets(&state.at, seat)
    }

    fn describe_choices(state: &Position, seat: Seat) -> Vec<Message> {
        let mut choices = HighCard::describe_choices(&state.at, seat);
        let leak = leak(state, Mistake::ChoicesLeak, seat);
        choices.extend(leak.map(|card| Message::new("hc-not-held").with("card", card)));
        let is_silent = is_planted(Mistake::NoChoices) && state.at.hand(seat).len() == 1;
        choices.truncate(if is_silent { 0 } else { usize::MAX });
        choices
    }

    fn estimate_progress(state: &Position) -> (usize, usize) {
        HighCard::estimate_progress(&state.at)
    }

    fn progress_percent(state: &Position) -> u8 {
        let progress = HighCard::progress_percent(&state.at);
        let is_over = state.at.turn.is_none();
        if is_over && is_planted(Mistake::ProgressNeverFull) {
            99
        } else if !is_over && is_planted(Mistake::ProgressStandsStill) {
            50
        } else if progress > 80 && is_planted(Mistake::ProgressFullTooEarly) {
            100
        } else if let Some(card) = public_leak(state, Mistake::ProgressLeaks).filter(|_| !is_over) {
            (progress + card % 2).min(99)
        } else {
            progress
        }
    }
}

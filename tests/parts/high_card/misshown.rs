//! The tests' own game with one mistake planted in it: its lines, its plans, and what is shown.

use super::mistaken::{Mistaken, Position, Told, happened, top_of_next};
use super::mistakes::{Mistake, makes};
use super::plan::Later;
use super::{HighCard, Play};
use postrider::rules::{
    Charset, Dice, Follow, Form, Grammar, Ink, Message, OrderText, PictureStyle, Plans, Reading,
    Refusal, Row, Rules, Scene, Seat, Suggestion, Viewer, Views,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A plan that the game keeps as it should, but for a mistake.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Overdue(Later);

impl Plans<Mistaken> for Overdue {
    const GRAMMAR: Grammar<Position> = Grammar {
        verbs: &["next"],
        least: 1,
        synonyms: &[],
        forms: &[Form::always("later", "next: play 3", "hc-form-next")],
    };

    fn read(state: &Position, seat: Seat, line: &str) -> Option<Result<Vec<Self>, Refusal>> {
        let read = Later::read(&state.at, seat, line)?;
        Some(read.map(|plans| plans.into_iter().map(Self).collect()))
    }

    fn follow(&self, state: &Position, seat: Seat) -> Follow {
        match self.0.follow(&state.at, seat) {
            Follow::Never(_) if makes(Mistake::PlanOutlives) => Follow::NotYet,
            Follow::NotYet if makes(Mistake::PlanTells) && top_of_next(&state.at, seat) > 3 => {
                Follow::Never(Message::new("hc-plan-past"))
            }
            follow => follow,
        }
    }

    fn say(&self, state: &Position) -> Message {
        self.0.say(&state.at)
    }

    fn at_random(state: &Position, seat: Seat, chooser: &mut Dice) -> Vec<String> {
        let lines = Later::at_random(&state.at, seat, chooser);
        let unread = |line: String| line.replace("play", "plan");
        if makes(Mistake::PlanIsNotRead) { lines.into_iter().map(unread).collect() } else { lines }
    }
}

impl OrderText for Mistaken {
    type Plan = Overdue;

    const FILLERS: &'static [&'static str] = HighCard::FILLERS;
    const GRAMMAR: Grammar<Position> = Grammar {
        verbs: &["play"],
        least: 1,
        synonyms: &[],
        forms: &[Form::always("now", "play 3", "hc-form-play")],
    };

    fn names(state: &Position) -> Vec<String> {
        HighCard::names(&state.at)
    }

    fn parse(state: &Position, seat: Seat, line: &str) -> Result<Reading<Play>, Refusal> {
        let mut read = HighCard::parse(&state.at, seat, line);
        match &mut read {
            Ok(reading) if makes(Mistake::ReadOtherwise) && state.at.hand(seat).len() == 1 => {
                reading.orders[0].0 += 1;
            }
            Ok(reading) if makes(Mistake::ReadingTells) => {
                let top = top_of_next(&state.at, seat);
                reading.remarks.push(Message::new("hc-not-held").with("card", top));
            }
            Err(refusal) if makes(Mistake::NothingIsOffered) => {
                let bare = serde_json::json!({
                    "kind": refusal.kind, "reason": refusal.reason, "instead": [],
                });
                *refusal = serde_json::from_value(bare).expect("a refusal");
            }
            _ => {}
        }
        read
    }

    fn write(state: &Position, orders: &[Play]) -> String {
        let line = HighCard::write(&state.at, orders);
        if makes(Mistake::WrittenUnreadably) { line.replace("play", "put") } else { line }
    }

    fn is_whole_line(state: &Position, orders: &[Play]) -> bool {
        HighCard::is_whole_line(&state.at, orders)
    }
}

/// What a leak would show: the highest card of the seat that plays after this one.
fn leak(state: &Position, mistake: Mistake, seat: Seat) -> Option<u8> {
    makes(mistake).then(|| top_of_next(&state.at, seat))
}

/// The same where all see it.
fn open_leak(state: &Position, mistake: Mistake) -> Option<u8> {
    leak(state, mistake, Seat::new(1))
}

/// A view that is a list, with what it leaks at its end.
fn with_leak(mut view: Value, leak: Option<u8>) -> Value {
    view.as_array_mut().expect("a list").extend(leak.map(Value::from));
    view
}

impl Views for Mistaken {
    fn public(state: &Position) -> Value {
        with_leak(HighCard::public(&state.at), open_leak(state, Mistake::PublicTells))
    }

    fn private(state: &Position, seat: Seat) -> Value {
        with_leak(HighCard::private(&state.at, seat), leak(state, Mistake::PrivateTells, seat))
    }

    fn board(state: &Position, recent: &[Told], charset: Charset) -> Vec<String> {
        let mut lines = HighCard::board(&state.at, &happened(recent), charset);
        lines.extend(open_leak(state, Mistake::BoardTells).map(|card| card.to_string()));
        lines
    }

    fn scene(state: &Position, recent: &[Told], style: PictureStyle) -> Scene {
        let mut scene = HighCard::scene(&state.at, &happened(recent), style);
        if let Some(card) = open_leak(state, Mistake::PictureTells) {
            scene.name((390, 50), 24, Ink::DARK, card.to_string());
        }
        scene
    }

    fn in_words(state: &Position, recent: &[Told]) -> Vec<Row> {
        let mut rows = HighCard::in_words(&state.at, &happened(recent));
        let leak = open_leak(state, Mistake::WordsTell);
        rows.extend(leak.map(|card| Row::saying(Message::new("hc-not-held").with("card", card))));
        rows
    }

    fn private_in_words(state: &Position, seat: Seat) -> Vec<Row> {
        let mut rows = HighCard::private_in_words(&state.at, seat);
        let leak = leak(state, Mistake::OwnWordsTell, seat);
        rows.extend(leak.map(|card| Row::saying(Message::new("hc-not-held").with("card", card))));
        rows
    }

    fn suggestions(state: &Position, seat: Seat) -> Vec<Suggestion> {
        let mut suggested = HighCard::suggestions(&state.at, seat);
        let group = || Message::new("hc-play");
        if makes(Mistake::SuggestsIllegal) && suggested.len() == 1 {
            suggested.push(Suggestion { group: group(), line: "play 0".to_owned() });
        }
        if makes(Mistake::SuggestsToAll) && suggested.is_empty() {
            suggested.push(Suggestion { group: group(), line: "play 1".to_owned() });
        }
        if makes(Mistake::SuggestsTooMany) && suggested.len() > 3 {
            suggested = vec![suggested; 4].concat();
        }
        if makes(Mistake::LegalRestsOnHidden) {
            let legal = Self::legal(state, seat);
            suggested.retain(|one| legal.iter().any(|play| one.line == format!("play {}", play.0)));
        }
        let tells = leak(state, Mistake::SuggestionsTell, seat);
        suggested.truncate(if tells.is_some_and(|card| card > 6) { 1 } else { usize::MAX });
        suggested
    }

    fn tell(state: &Position, events: &[Told], viewer: Viewer) -> Vec<Message> {
        let events = happened(events);
        let mut told = HighCard::narrate(&state.at, &events, viewer);
        if makes(Mistake::LogTells) {
            told.extend(HighCard::narrate(&state.at, &events, Viewer::Seat(Seat::new(2))));
        }
        let is_taken = |said: &Message| said.key == "hc-taken";
        for said in told.iter_mut().filter(|said| is_taken(said)) {
            if makes(Mistake::SentenceIsMissing) {
                *said = Message::new("hc-take");
            } else if makes(Mistake::ArgumentIsMissing) {
                *said = Message::new("hc-taken").with("prize", 1_u8);
            }
        }
        told.retain(|said| !(makes(Mistake::EndIsNeverSaid) && said.key == "hc-ended-early"));
        told
    }

    fn revealed(state: &Position, seat: Seat) -> Vec<Message> {
        HighCard::revealed(&state.at, seat)
    }

    fn choices(state: &Position, seat: Seat) -> Vec<Message> {
        let mut choices = HighCard::choices(&state.at, seat);
        let leak = leak(state, Mistake::ChoicesTell, seat);
        choices.extend(leak.map(|card| Message::new("hc-not-held").with("card", card)));
        let is_silent = makes(Mistake::NoChoices) && state.at.hand(seat).len() == 1;
        choices.truncate(if is_silent { 0 } else { usize::MAX });
        choices
    }

    fn played(state: &Position) -> (usize, usize) {
        HighCard::played(&state.at)
    }

    fn progress(state: &Position) -> u8 {
        let progress = HighCard::progress(&state.at);
        let is_over = state.at.turn.is_none();
        if is_over && makes(Mistake::ProgressIsNeverWhole) {
            99
        } else if !is_over && makes(Mistake::ProgressStandsStill) {
            50
        } else if progress > 80 && makes(Mistake::ProgressIsWholeTooEarly) {
            100
        } else if let Some(card) = open_leak(state, Mistake::ProgressTells).filter(|_| !is_over) {
            (progress + card % 2).min(99)
        } else {
            progress
        }
    }
}

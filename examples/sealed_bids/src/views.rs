//! The views: what all players see, and what only one player sees.

use super::{Event, SealedBids, State};
use postrider::rules::{
    Charset, Ink, Message, OrderText, PictureStyle, PositionRow, Rules, Scene, Seat, Suggestion,
    Viewer, Views,
};
use serde_json::{Value, json};

fn list_cards(cards: impl IntoIterator<Item = u8>) -> String {
    cards.into_iter().map(|card| card.to_string()).collect::<Vec<_>>().join(" ")
}

impl Views for SealedBids {
    // A sealed bid is still in its hand, so the hands do not show it.
    fn public_data(state: &State) -> Value {
        json!({"round": state.round, "points": state.points, "hands": state.hands})
    }

    fn private_data(state: &State, seat: Seat) -> Value {
        json!(state.sealed_bid(seat))
    }

    fn draw_board_text(state: &State, _: &[Event], _: Charset) -> Vec<String> {
        let hands = Seat::all(state.seat_count());
        hands.map(|seat| format!("{seat}: {}", list_cards(state.hand(seat)))).collect()
    }

    fn draw_board_picture(state: &State, _: &[Event], _: PictureStyle) -> Scene {
        let mut scene = Scene::new(40 * u16::from(state.seat_count()), Ink::PAPER);
        let lines = Self::draw_board_text(state, &[], Charset::Ascii);
        for (row, line) in (0..).zip(lines) {
            scene.add_centred_text((390, 30 + 40 * row), 24, Ink::DARK, line);
        }
        scene
    }

    fn describe_position(state: &State, _: &[Event]) -> Vec<PositionRow> {
        let row = |seat: Seat| {
            let hand: Vec<u8> = state.hand(seat).into_iter().collect();
            let held = Message::new("sb-holds").with("who", seat).with("cards", hand);
            PositionRow::from_sentence(held)
        };
        Seat::all(state.seat_count()).map(row).collect()
    }

    fn describe_private_position(state: &State, seat: Seat) -> Vec<PositionRow> {
        let sealed = state.sealed_bid(seat);
        let told = sealed.map(|card| Message::new("sb-sealed").with("card", card));
        told.into_iter().map(PositionRow::from_sentence).collect()
    }

    fn suggest_lines(state: &State, seat: Seat) -> Vec<Suggestion> {
        let line = |bid| Suggestion {
            group: Message::new("sb-bid"),
            line: Self::write_line(state, std::slice::from_ref(bid)),
        };
        Self::legal_orders(state, seat).iter().take(Suggestion::GROUP_MAX).map(line).collect()
    }

    fn narrate_group(state: &State, events: &[Event], viewer: Viewer) -> Vec<Message> {
        let mut told = Vec::new();
        for event in events {
            match event {
                Event::Begun => told.push(Message::new("sb-begun")),
                Event::Sealed { seat, card } if viewer == Viewer::Seat(*seat) => {
                    told.push(Message::new("sb-sealed").with("card", *card));
                }
                Event::Sealed { .. } => {}
                Event::Opened { bids, winner } => {
                    let bid = |(seat, bid): (u8, &u8)| {
                        Message::new("sb-opened").with("who", Seat::new(seat)).with("card", *bid)
                    };
                    told.extend((1..).zip(bids).map(bid));
                    told.push(match winner {
                        Some(seat) => Message::new("sb-won").with("who", *seat),
                        None => Message::new("sb-nobody"),
                    });
                    told.extend(state.is_over().then(|| Message::new("sb-ended")));
                }
            }
        }
        told
    }

    fn describe_revealed_secrets(_: &State, _: Seat) -> Vec<Message> {
        Vec::new()
    }

    fn describe_choices(state: &State, seat: Seat) -> Vec<Message> {
        let cards: Vec<u8> = Self::legal_orders(state, seat).iter().map(|bid| bid.0).collect();
        match cards.is_empty() {
            true => Vec::new(),
            false => {
                vec![Message::new("sb-choice").with("cards", cards).with("points", state.round)]
            }
        }
    }

    fn estimate_progress(state: &State) -> (usize, usize) {
        (usize::from(state.round.saturating_sub(1)), usize::from(state.cards))
    }
}

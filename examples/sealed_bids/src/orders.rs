//! The orders as lines of a letter, and the information that is hidden.

use super::{Bid, Event, SealedBids, State};
use postrider::rules::{
    Dice, Grammar, HiddenInfo, LineForm, Message, NoPlan, OrderText, ParsedLine, Refusal, Seat,
    Viewer, line_words,
};

impl OrderText for SealedBids {
    type Plan = NoPlan;

    const FILLERS: &'static [&'static str] = &[];
    const GRAMMAR: Grammar<State> = Grammar {
        verbs: &["bid"],
        min_letters: 1,
        synonyms: &[],
        forms: &[LineForm::for_every_game("now", "bid 3", "sb-form-bid")],
    };

    fn names_in_orders(_: &State) -> Vec<String> {
        Vec::new()
    }

    fn parse_line(state: &State, _: Seat, line: &str) -> Result<ParsedLine<Bid>, Refusal> {
        let line = line_words::lowercase_without(line, &[]);
        let words: Vec<&str> = line_words::split_words(&line).collect();
        let verb = words.first().and_then(|word| Self::GRAMMAR.expand_verb(word));
        let Some(verb) = verb else {
            let why = Message::new("sb-unreadable");
            return Err(Self::GRAMMAR.refuse_unknown_start((state, None), why));
        };
        match words.get(1..) {
            Some(&[card]) if let Some(card) = line_words::parse_small_number(card) => {
                Ok(ParsedLine::without_remarks(vec![Bid(card)]))
            }
            _ => {
                let why = Message::new("sb-which-card");
                Err(Self::GRAMMAR.refuse_unreadable((state, None), why, verb))
            }
        }
    }

    fn write_line(_: &State, orders: &[Bid]) -> String {
        orders.iter().map(|Bid(card)| format!("bid {card}")).collect()
    }
}

impl HiddenInfo for SealedBids {
    // A bid changes only what its own player knows, and completes that player's part of the turn.
    fn is_secret(_: &Bid) -> bool {
        true
    }

    fn has_hidden_content(_: &Bid) -> bool {
        false
    }

    // The opened bids are the hidden information of the others.
    fn discloses(_: &State, event: &Event, _: Seat) -> bool {
        matches!(event, Event::Opened { .. })
    }

    fn reveals_to_others(_: &State, event: &Event) -> bool {
        matches!(event, Event::Opened { .. })
    }

    // A sealed bid of another seat may be any card of its hand, which is public.
    fn redeal(state: &State, viewer: Viewer, dice: &mut Dice) -> State {
        let mut other = state.clone();
        for seat in Seat::all(state.seat_count()) {
            let hand: Vec<u8> = state.hand(seat).into_iter().collect();
            if viewer != Viewer::Seat(seat)
                && let Some(Some(sealed)) = other.sealed.get_mut(seat.index())
                && let Some(card) = dice.pick(&hand)
            {
                *sealed = *card;
            }
        }
        other
    }

    fn event_in_determinization(
        determinization: &State,
        event: &Event,
        _: Viewer,
        _: &mut Dice,
    ) -> Event {
        match event {
            // A card that is still in the hand is the sealed bid of this round.
            Event::Sealed { seat, card } if determinization.hand(*seat).contains(card) => {
                let card = determinization.sealed_bid(*seat).unwrap_or(*card);
                Event::Sealed { seat: *seat, card }
            }
            _ => event.clone(),
        }
    }

    fn check_every_piece_placed(state: &State) -> Result<(), String> {
        let left = usize::from(state.cards) + 1 - usize::from(state.round.max(1));
        match state.hands.iter().position(|hand| hand.len() != left) {
            Some(seat) => Err(format!("seat {} does not hold {left} cards", seat + 1)),
            None => Ok(()),
        }
    }
}

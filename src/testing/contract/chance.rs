//! Checks of chance and secrecy. Chance must be drawn when its result becomes visible. A deck that
//! is shuffled at setup would be a secret in the state, and its cards would come in the old order
//! again after an undo.

use super::to_json;
use super::walk::RandomGame;
use crate::rules::{Dice, Game, Seat, Seed, Viewer};
use crate::testing::sample_or_all;

/// The number of other seeds with which each deal is compared: in a usual run, and in a full one.
const DEALS: (u64, u64) = (1, 3);
const NOBODY_SEES: &str = "nobody sees what chance brought";

/// The result of an order.
struct Outcome<G: Game> {
    order: G::Order,
    events: Vec<G::Event>,
    state: G::State,
    /// Everything that all viewers can see of the result.
    open: String,
}

impl<G: Game> RandomGame<G> {
    /// Asserts that each event of the deal is visible: another result of it changes a view of some
    /// seat or of all.
    pub fn assert_deal_is_visible(&self) {
        for number in 0..sample_or_all(DEALS.0, DEALS.1) {
            let mut dice = Dice::new(&Seed::from_number(1_000 + number), 0);
            let other = G::setup(&self.blank, &mut dice);
            assert_eq!(other.len(), self.events.len(), "{self}: a deal is as long as another");
            for (place, event) in self.events.iter().enumerate() {
                let mut instead = self.events.clone();
                instead[place] = other[place].clone();
                let is_seen = || {
                    self.collect_views(&self.blank, &self.events)
                        != self.collect_views(&self.blank, &instead)
                };
                let other = &other[place];
                assert!(
                    event == other || is_seen(),
                    "{self}: {NOBODY_SEES}: {event:?}, not {other:?}"
                );
            }
        }
    }

    /// Asserts that another result of an order's chance changes some view.
    pub fn assert_chance_is_visible(&self, events: &[G::Event], other: &[G::Event]) {
        if events != other {
            let (one, two) =
                (self.collect_views(&self.state, events), self.collect_views(&self.state, other));
            assert!(one != two, "{self}: {NOBODY_SEES}: {events:?}, not {other:?}");
        }
    }

    /// Asserts that a secret order draws no chance and changes nothing that other viewers see or
    /// read. An order that completes a turn of all seats opens the sealed orders, so it may show
    /// them.
    pub fn assert_secret_is_kept(
        &self,
        seat: Seat,
        order: &G::Order,
        events: &[G::Event],
        is_certain: bool,
    ) {
        let mut after = self.state.clone();
        events.iter().for_each(|event| G::apply(&mut after, event));
        if G::turn(&after).begins_after(&G::turn(&self.state)) {
            return;
        }
        let others = Seat::all(self.seats).filter(|other| *other != seat);
        let is_same = |other| {
            to_json(&G::private_data(&self.state, other))
                == to_json(&G::private_data(&after, other))
        };
        let mut viewers = others.clone().map(Viewer::Seat).chain([Viewer::Public]);
        let is_silent = |viewer| G::narrate_events(&after, events, viewer).is_empty();
        let is_open = to_json(&G::public_data(&self.state)) == to_json(&G::public_data(&after));
        let is_kept =
            is_certain && is_open && others.clone().all(is_same) && viewers.all(is_silent);
        assert!(is_kept, "{self}: {order:?} is called secret and shows: {events:?}");
    }

    /// Asserts that orders with indistinguishable results are declared as secret or as having
    /// hidden content. Otherwise the log would show which of them was given.
    pub fn assert_lookalikes_are_hidden(&self, seat: Seat, orders: &[&G::Order]) {
        let led_to = |order: &&G::Order| {
            let events = G::decide(&self.state, seat, order, &mut self.copy_dice()).ok()?;
            let mut state = self.state.clone();
            events.iter().for_each(|event| G::apply(&mut state, event));
            let open = format!("{:?}{}", G::turn(&state), to_json(&G::public_data(&state)));
            Some(Outcome { order: (*order).clone(), events, state, open })
        };
        let led_to: Vec<Outcome<G>> = orders.iter().filter_map(led_to).collect();
        let hides = |order: &G::Order| G::is_secret(order) || G::has_hidden_content(order);
        for (place, one) in led_to.iter().enumerate() {
            for other in &led_to[place + 1..] {
                assert!(
                    hides(&one.order) && hides(&other.order)
                        || !self.is_indistinguishable(seat, one, other),
                    "{self}: {:?} and {:?} look alike and are not called secret or hidden",
                    one.order,
                    other.order
                );
            }
        }
    }

    /// Returns whether some other viewer cannot tell the results of two orders apart.
    fn is_indistinguishable(&self, seat: Seat, one: &Outcome<G>, other: &Outcome<G>) -> bool {
        let in_words = |outcome: &Outcome<G>| G::describe_position(&outcome.state, &outcome.events);
        let is_seen = one.open != other.open || in_words(one) != in_words(other);
        if one.events == other.events || is_seen {
            return false;
        }
        let held = |outcome: &Outcome<G>, viewer| match viewer {
            Viewer::Seat(seat) => to_json(&G::private_data(&outcome.state, seat)),
            Viewer::Public => String::new(),
        };
        let narrated = |outcome: &Outcome<G>, viewer| {
            G::narrate_events(&outcome.state, &outcome.events, viewer)
        };
        let others = Seat::all(self.seats).filter(|other| *other != seat).map(Viewer::Seat);
        let mut viewers = others.chain([Viewer::Public]);
        viewers.any(|viewer| {
            held(one, viewer) == held(other, viewer)
                && narrated(one, viewer) == narrated(other, viewer)
        })
    }

    /// Returns everything that all viewers see and read after these events.
    fn collect_views(&self, from: &G::State, events: &[G::Event]) -> Vec<String> {
        let mut state = from.clone();
        events.iter().for_each(|event| G::apply(&mut state, event));
        let seats = Seat::all(self.seats);
        let viewers = seats.clone().map(Viewer::Seat).chain([Viewer::Public]);
        let narrated =
            viewers.map(|viewer| format!("{:?}", G::narrate_events(&state, events, viewer)));
        let held = seats.map(|seat| to_json(&G::private_data(&state, seat)));
        let position = format!("{:?} {:?}", G::describe_position(&state, events), G::turn(&state));
        narrated.chain(held).chain([to_json(&G::public_data(&state)), position]).collect()
    }
}

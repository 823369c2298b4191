//! Checks of hidden information. A determinization ("world" in this code) must be possible, look
//! the same to the viewer, and depend only on the viewer's knowledge. Everything that a game says
//! before it happens must be the same in all worlds of one viewer.

use super::{PlayedOrder, RandomGame, to_json};
use crate::rules::{
    Charset, ConditionalPlan, Dice, Game, Message, PictureStyle, Refusal, Rules, Seat, Seed, Viewer,
};
use crate::testing::sample_or_all;
use std::fmt::Debug;

/// The whole log is compared in one of this many checks of a short log: in a usual run, which makes
/// few checks, and in a full one.
const LOG_CHECK_INTERVAL: (u32, u32) = (1, 4);
/// The number of latest events that are treated as new.
const RECENT_EVENTS: usize = 12;
/// The number of worlds in which each order and line is judged.
const WORLDS_PER_ORDER: u64 = 2;
/// A viewer checks one in this many positions: first while awaited, then while not awaited. Each
/// pair is for a usual run (except at the beginning of a game) and for a full one. Positions are
/// chosen at random. If they were chosen by step numbers, some seats would check only during other
/// seats' turns.
const CHECK_INTERVALS: [(u32, u32); 2] = [(4, 2), (8, 4)];

/// Checks the position for one viewer, if it is in the sample.
pub fn check_hidden_information<G: Game>(
    walk: &mut RandomGame<G>,
    viewer: Viewer,
    is_awaited: bool,
) {
    let (sample, all) = CHECK_INTERVALS[usize::from(!is_awaited)];
    let often = if walk.is_early() { all } else { sample_or_all(sample, all) };
    if walk.chooser.roll_below(often) != 0 {
        return;
    }
    walk.assert_redeal_differs(viewer);
    check_worlds(walk, viewer);
    // Comparing a log takes time proportional to its length, so long logs are compared less often.
    let rarely = sample_or_all(LOG_CHECK_INTERVAL.0, LOG_CHECK_INTERVAL.1)
        + u32::try_from(walk.steps / 4).expect("few");
    if walk.chooser.roll_below(rarely) == 0 {
        let world = G::redeal(&walk.state, viewer, &mut walk.chooser);
        WorldComparison::new(walk, &world, viewer).assert_log_same();
    }
}

fn check_worlds<G: Game>(walk: &mut RandomGame<G>, viewer: Viewer) {
    let world = G::redeal(&walk.state, viewer, &mut walk.chooser);
    let comparison = WorldComparison::new(walk, &world, viewer);
    comparison.assert_possible();
    comparison.assert_deal_depends_on_known();
    comparison.assert_views_same();
    if let Viewer::Seat(seat) = viewer {
        comparison.assert_seat_views_same(seat);
        let chooser = &mut walk.chooser;
        let any = |chooser: &mut Dice, from: &[G::Order]| chooser.pick(from).cloned();
        let legal = G::legal_orders(&walk.state, seat);
        let tried: [&[G::Order]; 6] = [
            &legal,
            &legal,
            &walk.coverage.pool,
            &walk.coverage.pool,
            &walk.coverage.pool,
            &walk.coverage.pool,
        ];
        let orders: Vec<G::Order> =
            tried.into_iter().filter_map(|from| any(chooser, from)).collect();
        let line = chooser.pick(&walk.coverage.lines).cloned();
        for number in 0..WORLDS_PER_ORDER {
            let world = G::redeal(&walk.state, viewer, &mut walk.chooser);
            let comparison = WorldComparison::new(walk, &world, viewer);
            orders.iter().for_each(|order| comparison.assert_preview_same(seat, order, number));
            line.iter().for_each(|line| comparison.assert_reading_same(seat, line));
        }
    }
}

/// A game, another world of it, and the viewer who must not be able to tell them apart.
struct WorldComparison<'a, G: Game> {
    walk: &'a RandomGame<G>,
    world: &'a G::State,
    /// Whether the other world differs from the real state.
    differs: bool,
    viewer: Viewer,
}

impl<'a, G: Game> WorldComparison<'a, G> {
    fn new(walk: &'a RandomGame<G>, world: &'a G::State, viewer: Viewer) -> Self {
        Self { walk, world, differs: *world != walk.state, viewer }
    }

    fn assert_same<T: PartialEq + Debug>(&self, what: &str, show: impl Fn(&G::State) -> T) {
        let shown = show(&self.walk.state);
        // A redeal that changed nothing makes the comparison pointless.
        if !self.differs {
            return;
        }
        let other = show(self.world);
        assert_eq!(shown, other, "{}: {what} tells {:?} something", self.walk, self.viewer);
    }

    fn assert_possible(&self) {
        if let Err(what) = G::check_every_piece_placed(self.world) {
            panic!("{}: redeal for {:?} made an impossible state: {what}", self.walk, self.viewer);
        }
    }

    /// Asserts that redealing with the same dice gives the same world from both states.
    fn assert_deal_depends_on_known(&self) {
        self.assert_same("the deal itself", |state| self.redeal_with_fixed_dice(state));
    }

    fn redeal_with_fixed_dice(&self, state: &G::State) -> G::State {
        G::redeal(state, self.viewer, &mut Dice::new(&Seed::from_number(77), 0))
    }

    fn assert_views_same(&self) {
        self.assert_same("the public view", |state| to_json(&G::public_data(state)));
        self.assert_same("progress", G::progress_percent);
        self.assert_same("whose turn it is", G::turn);
        // Only the latest events are drawn as new, because a whole log would take too long.
        let events = self.walk.events.as_slice();
        let events = &events[events.len().saturating_sub(RECENT_EVENTS)..];
        self.assert_same("the board", |state| G::draw_board_text(state, events, Charset::Unicode));
        self.assert_same("the board", |state| G::draw_board_text(state, &[], Charset::Ascii));
        self.assert_same("the board in words", |state| G::describe_position(state, events));
        self.assert_same("the picture", |state| {
            G::draw_board_picture(state, events, PictureStyle::default())
        });
    }

    /// Asserts that everything that a letter shows only to this seat is the same, and every answer
    /// to its questions.
    fn assert_seat_views_same(&self, seat: Seat) {
        self.assert_same("what is legal", |state| G::legal_orders(state, seat));
        self.assert_same("the private view", |state| to_json(&G::private_data(state, seat)));
        self.assert_same("the private view in words", |state| {
            G::describe_private_position(state, seat)
        });
        self.assert_same("what is suggested", |state| G::suggest_lines(state, seat));
        self.assert_same("what can be done", |state| G::describe_choices(state, seat));
        self.assert_same("the closing order", |state| G::implied_final_order(state, seat));
        if G::turn(&self.walk.state).awaits(seat) {
            self.assert_same("an absent player", |state| G::order_for_absent_player(state, seat));
        }
        for line in ["", "next: what", "if led", "otherwise play", "move w A1", "no such order"] {
            self.assert_reading_same(seat, line);
        }
        for (_, plan) in self.walk.plans.iter().filter(|(other, _)| *other == seat).take(8) {
            self.assert_same("a plan", |state| (plan.status(state, seat), plan.describe(state)));
        }
    }

    fn assert_reading_same(&self, seat: Seat, line: &str) {
        let read = |state: &G::State| {
            G::parse_line(state, seat, line).map(|reading| (reading.orders, reading.remarks))
        };
        self.assert_same(&format!("how {line:?} is read"), read);
        self.assert_same(&format!("how {line:?} is read"), |state| {
            G::Plan::parse_plans(state, seat, line)
        });
    }

    /// Asserts that both worlds refuse an order with the same words, or that both lead to the same
    /// events up to the first one that discloses something. The dice of the worlds differ.
    fn assert_preview_same(&self, seat: Seat, order: &G::Order, number: u64) {
        let preview = |state: &G::State, seed: u64| {
            preview_order::<G>(state, seat, order, &mut Dice::new(&Seed::from_number(seed), 0))
        };
        let (one, other) = (preview(&self.walk.state, number), preview(self.world, number + 1_000));
        let walk = self.walk;
        assert_eq!(
            one, other,
            "{walk}, seat {seat}: what is foretold of {order:?} tells something"
        );
    }

    /// Asserts that the log, rewritten for the other world, is narrated in the same words and folds
    /// to an equivalent position. The orders that the viewer saw must be legal in that world.
    fn assert_log_same(&self) {
        let Self { walk, world, viewer, .. } = *self;
        let mut dice = Dice::new(&Seed::from_number(5), 0);
        let retell = |event| G::event_in_determinization(world, event, viewer, &mut dice);
        let retold: Vec<G::Event> = walk.events.iter().map(retell).collect();
        let narrate = |events: &[G::Event]| G::narrate_events(&walk.state, events, viewer);
        assert_eq!(narrate(&walk.events), narrate(&retold), "{walk}: the log tells {viewer:?}");
        for (event, other) in walk.events.iter().zip(&retold) {
            let overtakes = |event| {
                walk.coverage
                    .pool
                    .iter()
                    .take(20)
                    .map(|order| G::invalidates(event, order))
                    .collect::<Vec<_>>()
            };
            let (one, other) = (overtakes(event), overtakes(other));
            assert_eq!(one, other, "{walk}: what {event:?} overtakes tells {viewer:?} something");
        }
        let dealt = walk.orders.first().map_or(walk.events.len(), |done| done.events_before);
        // If only the deal is hidden, the rewritten log must be exactly that of the other world.
        let is_dealt_once =
            walk.events[..dealt] != retold[..dealt] && walk.events[dealt..] == retold[dealt..];
        let mut state = walk.blank.clone();
        retold[..dealt].iter().for_each(|event| G::apply(&mut state, event));
        for (place, PlayedOrder { events_before: began, seat, order, dice }) in
            walk.orders.iter().enumerate()
        {
            let ended =
                walk.orders.get(place + 1).map_or(walk.events.len(), |done| done.events_before);
            let (seen, happened) = (&walk.events[*began..ended], &retold[*began..ended]);
            if seen == happened {
                let verdict = G::decide(&state, *seat, order, &mut dice.clone());
                assert!(
                    verdict.is_ok(),
                    "{walk}: for all that was seen by {viewer:?} {order:?} cannot be: {verdict:?}"
                );
                let is_alike = verdict.is_ok_and(|events| events == happened);
                let other = "leads to something else in another world";
                assert!(is_alike || !is_dealt_once, "{walk}: for {viewer:?} {order:?} {other}");
            }
            happened.iter().for_each(|event| G::apply(&mut state, event));
        }
        if let Err(what) = G::check_every_piece_placed(&state) {
            panic!("{walk}: the log of another world for {viewer:?}: {what}");
        }
        let (one, other) =
            (self.redeal_with_fixed_dice(&state), self.redeal_with_fixed_dice(&walk.state));
        assert_eq!(one, other, "{walk}: the log of another world folds otherwise for {viewer:?}");
        if is_dealt_once {
            assert_eq!(state, *world, "{walk}: the log is not that of the world, {viewer:?}");
        }
    }
}

/// Asserts that an order without revelations and chance is legal in every world of an observer. An
/// undo can take back such an order, because others have learned only that it was given.
pub fn assert_silent_order_stays_legal<G: Game>(
    walk: &mut RandomGame<G>,
    seat: Seat,
    order: &G::Order,
) {
    let mut dice = Dice::new(&Seed::from_number(5), 0);
    let Ok(events) = G::decide(&walk.state, seat, order, &mut dice) else { return };
    let mut ahead = walk.state.clone();
    let mut shows = dice.used_word_count() != 0;
    for event in &events {
        shows |= G::reveals_to_others(&ahead, event) || G::discloses(&ahead, event, seat);
        G::apply(&mut ahead, event);
    }
    if !shows {
        let world = G::redeal(&walk.state, Viewer::Public, &mut walk.chooser);
        let again = G::decide(&world, seat, order, &mut Dice::new(&Seed::from_number(5), 0));
        assert!(again.is_ok(), "{walk}, seat {seat}: {order:?} tells what {seat} holds: {again:?}");
    }
}

/// The certain events of an order, their narration, and whether an uncertain event follows them.
type PreviewResult<G> = (Vec<<G as Rules>::Event>, Vec<Message>, bool);

/// Returns what a preview of an order may tell its player.
fn preview_order<G: Game>(
    state: &G::State,
    seat: Seat,
    order: &G::Order,
    dice: &mut Dice,
) -> Result<PreviewResult<G>, Refusal> {
    let events = G::decide(state, seat, order, dice)?;
    let mut ahead = state.clone();
    let discloses = |event: &G::Event| {
        let discloses = G::discloses(&ahead, event, seat);
        G::apply(&mut ahead, event);
        discloses
    };
    let open = events.iter().position(discloses);
    assert!(
        open.is_some() || dice.used_word_count() == 0,
        "{order:?}: no event discloses the dice: {events:?}"
    );
    let certain = events[..open.unwrap_or(events.len())].to_vec();
    let narration = G::narrate_events(state, &certain, Viewer::Seat(seat));
    Ok((certain, narration, open.is_some()))
}

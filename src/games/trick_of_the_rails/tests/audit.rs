//! What the audit finds in a position that no orders lead to, and what the others are not told.

use super::*;
use crate::games::trick_of_the_rails::state::Phase;
use crate::rules::Viewer;

/// What the audit says of a game for three that went like this.
fn audited(breaks: impl Fn(&mut State)) -> Result<(), String> {
    let mut state = dealt(3, Options::default(), 1);
    breaks(&mut state);
    TrickOfTheRails::audit(&state)
}

fn found(text: &str) -> Result<(), String> {
    Err(text.to_owned())
}

/// A card of seat 1's hand, taken out of it.
fn drop_one(state: &mut State) -> Card {
    let card = state.hands[0].iter().next().expect("a hand");
    state.hands[0] = state.hands[0].minus([card].into_iter().collect());
    card
}

#[test]
fn the_audit_wants_every_railway_card_in_one_place_and_on_no_strange_railway() {
    assert_eq!(audited(|_| {}), Ok(()));
    let lost = audited(|state| {
        drop_one(state);
    });
    assert!(lost.is_err_and(|said| said.ends_with("are nowhere")));
    let twice = audited(|state| {
        let card = state.hands[0].iter().next().expect("a hand");
        state.shares[1].cards.insert(card);
    });
    assert!(twice.is_err_and(|said| said.ends_with("is in two places")));
    let lay = |on_its_own: bool| {
        audited(move |state| {
            let card = drop_one(state);
            let is_meant = |company: &Company| (card.company() == *company) == on_its_own;
            let company = Company::ALL.into_iter().find(is_meant).expect("one");
            state.railways[company].track.push(Track::Card(card));
        })
    };
    assert_eq!(lay(true), Ok(()));
    assert!(lay(false).is_err_and(|said| said.ends_with("is on a strange railway")));
    let station = |state: &mut State| state.railways[Company::Prr].track.push(Track::Station);
    assert_eq!(audited(station), found("PRR has 2 Stations"));
}

#[test]
fn the_audit_wants_every_card_of_the_lane_there_or_where_it_was_taken_to() {
    let place = |state: &State, card| state.lane.iter().position(|&there| there == Some(card));
    let exchange = LaneCard::Exchange(Company::Nyc);
    let gone = |state: &mut State| {
        let at = place(state, exchange).expect("it is there");
        state.lane[at] = None;
    };
    assert_eq!(audited(gone), found("there are 0 Exchange cards of NYC"));
    let held = |state: &mut State| state.shares[0].exchanges[Company::Nyc] = true;
    assert_eq!(audited(held), found("there are 2 Exchange cards of NYC"));
    // Three play with every City and every locomotive.
    let build = |state: &mut State| state.railways[Company::Bo].track.push(Track::City(2));
    assert_eq!(audited(build), found("city 2 is in two places"));
    let mount =
        |state: &mut State| state.railways[Company::Bo].locomotive = Some(Locomotive::Three);
    assert_eq!(audited(mount), found("[3] is in two places"));
}

#[test]
fn the_audit_finds_a_trick_that_has_left_something_behind() {
    let reserved = |state: &mut State| {
        let reservation = Some(LaneCard::Reservation);
        state.trick = state.lane.iter().position(|&card| card == reservation).expect("one");
    };
    assert_eq!(audited(reserved), found("a Reservation is leftmost"));
    assert_eq!(audited(|state| state.trick = 1), found("a card was left behind in the lane"));
    let over = |state: &mut State| state.phase = Phase::Over;
    assert_eq!(audited(over), found("the game ended before all cards were played"));
}

#[test]
fn nothing_that_is_ordered_is_kept_from_the_others_and_only_a_card_played_turns_up() {
    let state = table(&["PRR3", "PRR7", "NYC10"], &[EXCHANGE]);
    let play = Order::Play(card("PRR3"));
    assert!(!TrickOfTheRails::is_secret(&play) && !TrickOfTheRails::is_covert(&play));
    let played = Event::Played { seat: ONE, card: card("PRR3") };
    assert!(TrickOfTheRails::turns_up(&state, &played));
    assert!(!TrickOfTheRails::discloses(&state, &played, ONE));
    let laid = Event::Laid { seat: ONE, card: card("PRR3"), end: End::Left };
    assert!(!TrickOfTheRails::turns_up(&state, &laid));
}

#[test]
fn in_another_world_the_others_were_dealt_what_they_hold_there() {
    let state = table(&["PRR3", "PRR7", "NYC10"], &[EXCHANGE]);
    let world = table(&["PRR3", "NYC10", "PRR7"], &[EXCHANGE]);
    let mut dice = Dice::new(&Seed::rehearsal(1), 0);
    let dealt = |state: &State| Event::Dealt { seat: TWO, cards: state.dealt[1] };
    let mut as_seen =
        |event: &Event, viewer| TrickOfTheRails::redeal_event(&world, event, viewer, &mut dice);
    for viewer in [Viewer::Public, Viewer::Seat(ONE)] {
        assert_eq!(as_seen(&dealt(&state), viewer), dealt(&world));
    }
    assert_eq!(as_seen(&dealt(&state), Viewer::Seat(TWO)), dealt(&state));
    let open = Event::Leads { seat: ONE };
    assert_eq!(as_seen(&open, Viewer::Public), open);
}

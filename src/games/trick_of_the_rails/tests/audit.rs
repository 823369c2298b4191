//! Tests of the audit in positions that no orders lead to, and of the hidden information.

use super::*;
use crate::games::trick_of_the_rails::state::Phase;
use crate::rules::Viewer;

/// Returns the audit's result for a game for three that `breaks` has corrupted.
fn audit_after(breaks: impl Fn(&mut State)) -> Result<(), String> {
    let mut state = random_game(3, Options::default(), 1);
    breaks(&mut state);
    TrickOfTheRails::check_every_piece_placed(&state)
}

fn audit_error(text: &str) -> Result<(), String> {
    Err(text.to_owned())
}

fn remove_card_from_hand(state: &mut State) -> Card {
    let card = state.hands[0].iter().next().expect("a hand");
    state.hands[0] = state.hands[0].minus([card].into_iter().collect());
    card
}

#[test]
fn audit_finds_misplaced_railway_cards() {
    assert_eq!(audit_after(|_| {}), Ok(()));
    let lost = audit_after(|state| {
        remove_card_from_hand(state);
    });
    assert!(lost.is_err_and(|said| said.ends_with("are nowhere")));
    let twice = audit_after(|state| {
        let card = state.hands[0].iter().next().expect("a hand");
        state.shares[1].cards.insert(card);
    });
    assert!(twice.is_err_and(|said| said.ends_with("is in two places")));
    let lay = |on_its_own: bool| {
        audit_after(move |state| {
            let card = remove_card_from_hand(state);
            let is_meant = |company: &Company| (card.company() == *company) == on_its_own;
            let company = Company::ALL.into_iter().find(is_meant).expect("one");
            state.railways[company].track.push(Track::Card(card));
        })
    };
    assert_eq!(lay(true), Ok(()));
    assert!(lay(false).is_err_and(|said| said.ends_with("is on a strange railway")));
    let station = |state: &mut State| state.railways[Company::Prr].track.push(Track::Station);
    assert_eq!(audit_after(station), audit_error("PRR has 2 Stations"));
}

#[test]
fn audit_finds_misplaced_lane_cards() {
    let place = |state: &State, card| state.lane.iter().position(|&there| there == Some(card));
    let exchange = LaneCard::Exchange(Company::Nyc);
    let gone = |state: &mut State| {
        let at = place(state, exchange).expect("it is there");
        state.lane[at] = None;
    };
    assert_eq!(audit_after(gone), audit_error("there are 0 Exchange cards of NYC"));
    let held = |state: &mut State| state.shares[0].exchanges[Company::Nyc] = true;
    assert_eq!(audit_after(held), audit_error("there are 2 Exchange cards of NYC"));
    // A game for three uses every City and every locomotive.
    let build = |state: &mut State| state.railways[Company::Bo].track.push(Track::City(2));
    assert_eq!(audit_after(build), audit_error("city 2 is in two places"));
    let mount =
        |state: &mut State| state.railways[Company::Bo].locomotive = Some(Locomotive::Three);
    assert_eq!(audit_after(mount), audit_error("[3] is in two places"));
}

#[test]
fn audit_finds_leftovers_of_a_trick() {
    let reserved = |state: &mut State| {
        let reservation = Some(LaneCard::Reservation);
        state.trick = state.lane.iter().position(|&card| card == reservation).expect("one");
    };
    assert_eq!(audit_after(reserved), audit_error("a Reservation is leftmost"));
    assert_eq!(
        audit_after(|state| state.trick = 1),
        audit_error("a card was left behind in the lane")
    );
    let over = |state: &mut State| state.phase = Phase::Over;
    assert_eq!(audit_after(over), audit_error("the game ended before all cards were played"));
}

#[test]
fn only_played_card_reveals_hidden_information() {
    let state = game_with_hands(&["PRR3", "PRR7", "NYC10"], &[EXCHANGE]);
    let play = Order::Play(card("PRR3"));
    assert!(!TrickOfTheRails::is_secret(&play) && !TrickOfTheRails::has_hidden_content(&play));
    let played = Event::Played { seat: ONE, card: card("PRR3") };
    assert!(TrickOfTheRails::reveals_to_others(&state, &played));
    assert!(!TrickOfTheRails::discloses(&state, &played, ONE));
    let laid = Event::Laid { seat: ONE, card: card("PRR3"), end: End::Left };
    assert!(!TrickOfTheRails::reveals_to_others(&state, &laid));
}

#[test]
fn redealt_event_shows_redealt_hand() {
    let state = game_with_hands(&["PRR3", "PRR7", "NYC10"], &[EXCHANGE]);
    let determinization = game_with_hands(&["PRR3", "NYC10", "PRR7"], &[EXCHANGE]);
    let mut dice = Dice::new(&Seed::from_number(1), 0);
    let dealt = |state: &State| Event::Dealt { seat: TWO, cards: state.dealt[1] };
    let mut as_seen = |event: &Event, viewer| {
        TrickOfTheRails::event_in_determinization(&determinization, event, viewer, &mut dice)
    };
    for viewer in [Viewer::Public, Viewer::Seat(ONE)] {
        assert_eq!(as_seen(&dealt(&state), viewer), dealt(&determinization));
    }
    assert_eq!(as_seen(&dealt(&state), Viewer::Seat(TWO)), dealt(&state));
    let open = Event::Leads { seat: ONE };
    assert_eq!(as_seen(&open, Viewer::Public), open);
}

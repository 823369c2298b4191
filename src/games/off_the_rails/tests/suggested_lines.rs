//! Tests of suggestions: each can be sent without a question, and playing by them leads to good
//! games.

use super::*;
use crate::games::off_the_rails::definition::{CutRule, GameLength};
use crate::games::off_the_rails::event::DerailReason;
use crate::rules::{RefusalKind, Suggestion, Turn, Viewer};

/// Returns the lines suggested to a seat with their groups. Checks the limits of number and length.
pub fn suggested_lines(state: &State, seat: Seat) -> Vec<(&'static str, String)> {
    let suggested = OffTheRails::suggest_lines(state, seat);
    assert!(suggested.len() <= Suggestion::MAX, "{suggested:?}");
    for one in &suggested {
        let alike = suggested.iter().filter(|other| other.group == one.group).count();
        let twice = suggested.iter().filter(|other| other.line == one.line).count();
        assert!(alike <= Suggestion::GROUP_MAX && twice == 1, "{suggested:?}");
        assert!(one.line.len() < 200, "{one:?}");
    }
    suggested.into_iter().map(|one| (one.group.key, one.line)).collect()
}

pub fn lines_of_group(state: &State, group: &str) -> Vec<String> {
    suggested_lines(state, SEAT_ONE)
        .into_iter()
        .filter(|(key, _)| *key == group)
        .map(|(_, line)| line)
        .collect()
}

/// Plays a letter of one line as the processor does. Fails if the letter would lead to a question,
/// and ends the turn if the letter implies it.
fn send_line(state: &mut State, seat: Seat, line: &str, dice: &mut Dice) -> Vec<Event> {
    assert_eq!(OffTheRails::find_confirmation_question(state, seat, &[line]), None, "{line}");
    let reading = OffTheRails::parse_line(state, seat, line);
    let reading = reading.unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"));
    assert!(reading.remarks.is_empty() || !line.contains("derail"), "{line}: {reading:?}");
    let mut told = Vec::new();
    let mut play = |state: &mut State, order: &Order| {
        let events = OffTheRails::decide(state, seat, order, dice);
        for event in events.unwrap_or_else(|refusal| panic!("{line}: {refusal:?}")) {
            state.apply(&event);
            OffTheRails::check_every_piece_placed(state)
                .unwrap_or_else(|what| panic!("{line}: {what}"));
            told.push(event);
        }
    };
    reading.orders.iter().for_each(|order| play(state, order));
    let is_secret = reading.orders.iter().all(OffTheRails::is_secret);
    if let Some(order) = OffTheRails::implied_final_order(state, seat).filter(|_| !is_secret) {
        play(state, &order);
    }
    told
}

/// Whether a cart of the seat derailed before the end of the game.
fn loses_own_cart(before: &State, seat: Seat, told: &[Event]) -> bool {
    told.iter().any(|event| {
        matches!(*event, Event::Derailed { cart, why, .. }
            if before.owner(cart) == seat && why != Some(DerailReason::Over))
    })
}

/// Checks the suggestions for all seats in this position, and returns the line that the awaited
/// seat sends.
fn check_and_choose_line(state: &State, seat: Seat, seats: u8, chooser: &mut Dice) -> String {
    for other in Seat::all(seats).filter(|&other| other != seat) {
        assert_eq!(suggested_lines(state, other), [], "seat {other} is not awaited");
    }
    let taps = suggested_lines(state, seat);
    let determinization = OffTheRails::redeal(state, Viewer::Seat(seat), chooser);
    assert_eq!(
        taps,
        self::suggested_lines(&determinization, seat),
        "they rest on what the seat sees"
    );
    let is_lost = taps.iter().any(|(group, _)| *group == "or-tap-lost");
    let mut whole = Vec::new();
    for (group, line) in &taps {
        let mut after = state.clone();
        let told = send_line(&mut after, seat, line, &mut chooser.clone());
        assert_eq!(line.contains("derail"), *group == "or-tap-lost", "{line}");
        assert!(is_lost || !loses_own_cart(state, seat, &told), "{line}: {told:?}");
        let is_open =
            after.active_seat() == Some(seat) && after.current_move.is_none() && !told.is_empty();
        let has_turned = told.iter().any(|event| matches!(event, Event::Turn { .. }));
        match *group {
            "or-tap-step" => assert!(is_open && !has_turned, "{line}: {told:?}"),
            "or-tap-turn" | "or-tap-move" | "or-tap-lost" => {
                assert!(has_turned || !is_open, "{line}: {told:?}");
                whole.push(line.clone());
            }
            "or-tap-answer" | "or-tap-cut-even" | "or-tap-stop" => whole.push(line.clone()),
            _ => {}
        }
    }
    assert!(!whole.is_empty(), "nothing is suggested: {taps:?}");
    let best = usize::try_from(chooser.roll_below(8)).unwrap_or(0);
    whole.get(best).or_else(|| whole.first()).or_fail().clone()
}

/// Plays whole games in which the players send suggested lines, mostly the first. Calls `look` with
/// each position and the events that led to it.
pub fn play_suggested_games(look: &mut dyn FnMut(&State, &[Event])) {
    let plain = Options::default;
    let asked =
        Options { cut: CutRule::Interactive, length: Some(GameLength::VeryShort), ..plain() };
    let bumpers = Options { bumpers: true, abyss_die: true, ..plain() };
    let games = [(plain(), [1, 3]), (asked, [2, 4]), (bumpers, [1, 2])];
    let definition = yaml::parse(OffTheRails::DEFINITION).or_fail();
    for (number, (options, seats)) in (0_u64..).zip(&games) {
        for &seats in seats {
            let mut state = OffTheRails::initial_state(&definition, options, seats).or_fail();
            let mut dice = Dice::new(&Seed::from_number(number), 0);
            let mut chooser = Dice::new(&Seed::from_number(9 + number), 0);
            let setup = OffTheRails::setup(&state.clone(), &mut dice);
            setup.iter().for_each(|event| state.apply(event));
            look(&state, &setup);
            let mut letters = 0;
            while let Turn::Awaiting(awaited) = OffTheRails::turn(&state) {
                let line = check_and_choose_line(&state, awaited[0], seats, &mut chooser);
                let told = send_line(&mut state, awaited[0], &line, &mut dice);
                look(&state, &told);
                letters += 1;
                assert!(letters < 400, "it does not end");
            }
        }
    }
}

#[test]
fn games_played_by_suggestions_deliver_jewels_and_end() {
    let (mut ended, mut brought) = (0, 0);
    play_suggested_games(&mut |state, _| {
        if OffTheRails::turn(state) == Turn::Over {
            ended += 1;
            brought += state
                .players
                .iter()
                .map(|player| player.delivered_jewels().precious_total())
                .sum::<u32>();
        }
    });
    assert_eq!(ended, 6);
    assert!(brought > 6 * 6, "{brought} jewels in {ended} games");
}

#[test]
fn whole_first_turn_is_suggested_on_one_line() {
    for state in [default_game(), solo::new_solo_game()] {
        let turns = lines_of_group(&state, "or-tap-turn");
        assert!(turns.len() >= 2, "{:?}", suggested_lines(&state, SEAT_ONE));
        for line in turns {
            let parts: Vec<&str> = line.split("; ").collect();
            let [lay, enter, "move"] = parts[..] else { panic!("{line}") };
            assert!(lay.starts_with("lay ") && enter.starts_with("enter "), "{line}");
        }
    }
}

#[test]
fn track_is_suggested_if_cart_would_derail() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    set_speed(&mut state, 0, 2);
    let taps = suggested_lines(&state, SEAT_ONE);
    assert!(taps.iter().all(|(_, line)| !line.contains("derail")), "{taps:?}");
    let saves = |line: &&(_, String)| line.1.contains("lay") && line.1.contains("D3");
    assert!(taps.iter().filter(saves).count() >= 2, "{taps:?}");
    let slows = |line: &(_, String)| line.1 == "speed white 1; move";
    assert!(taps.iter().any(slows), "{taps:?}");
    // A step leaves the rest of the turn to a later letter.
    let steps = lines_of_group(&state, "or-tap-step");
    assert!(steps.iter().any(|line| line.starts_with("lay D3")), "{steps:?}");
    // If no line saves the cart, the only suggestion says so.
    state.turn_progress.actions_left = 0;
    let lost = self::suggested_lines(&state, SEAT_ONE);
    assert_eq!(lost, [("or-tap-lost", "done derail".to_owned())]);
}

#[test]
fn junction_routes_and_exit_moves_are_suggested() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 nsew, C2 ew, B2 ew, E2 ew, F2 ew, D3 ns, D4 ns");
    lay_tiles(&mut state, "H8 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    set_speed(&mut state, 0, 2);
    let moves = lines_of_group(&state, "or-tap-move");
    assert_eq!(moves.len(), 3, "{moves:?}");
    for line in ["move white D2 C2", "move white D2 E2"] {
        assert!(moves.iter().any(|one| one == line), "{moves:?}");
    }
    state.carts[0].facing = Direction::North;
    assert_eq!(
        lines_of_group(&state, "or-tap-move")[0],
        "move",
        "{:?}",
        suggested_lines(&state, SEAT_ONE)
    );
    let out = play_lines(&state, "move");
    assert_eq!(out.players[0].delivered_jewels(), jewels("r"));
}

#[test]
fn every_cut_and_pick_answer_is_suggested() {
    let mut state = new_game(2, &Options { cut: CutRule::Interactive, ..Options::default() });
    lay_tiles(&mut state, "D1 ns, D2 ns, D3 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    place_cart(&mut state, 2, "D2", Direction::South, "ordge");
    let (rammed, _) = play_with_events(&state, "move w");
    assert_eq!(suggested_lines(&rammed, SEAT_ONE), []);
    let cuts = suggested_lines(&rammed, SEAT_TWO);
    // There are ten ways to choose two of five different jewels.
    assert_eq!(cuts.len(), 10, "{cuts:?}");
    let (cut, _) = try_lines(&rammed, SEAT_TWO, &cuts[0].1).or_fail();
    let picks: Vec<String> =
        suggested_lines(&cut, SEAT_ONE).into_iter().map(|(_, line)| line).collect();
    assert_eq!(picks, ["pick first", "pick second", "pick any"]);
}

#[test]
fn chasm_squares_and_solo_stop_order_are_suggested() {
    let mut state = default_game();
    open_abyss(&mut state);
    lay_tiles(&mut state, "C3 ns, B3 ns");
    place_cart(&mut state, 2, "B3", Direction::South, "d");
    let chasms = lines_of_group(&state, "or-tap-chasm");
    assert_eq!(chasms[0], "chasm yes", "{chasms:?}");
    place_cart(&mut state, 0, "H8", Direction::East, "");
    lay_tiles(&mut state, "H8 ew");
    let chasms = lines_of_group(&state, "or-tap-chasm");
    assert!(chasms[0].starts_with("chasm red B3, yellow "), "{chasms:?}");
    let mut alone = solo::new_solo_game();
    assert_eq!(lines_of_group(&alone, "or-tap-stop").len(), 0);
    let pile = jewels("rged");
    alone.players[0].delivered[0] = pile;
    alone.bag = alone.bag.minus(pile);
    assert_eq!(lines_of_group(&alone, "or-tap-stop"), ["stop"]);
}

#[test]
fn one_line_can_hold_several_actions() {
    let state = default_game();
    let whole = "lay D1 ns, D2 ns, D3 ns; enter white D; move";
    let after = play_lines(&state, whole.split_once("; move").or_fail().0);
    let sent = OffTheRails::parse_line(&state, SEAT_ONE, whole).or_fail().orders;
    assert_eq!((sent.len(), sent.last()), (5, Some(&Order::EndTurn)));
    let line = OffTheRails::write_line(&state, &sent);
    assert_eq!(
        OffTheRails::parse_line(&state, SEAT_ONE, &line).map(|read| read.orders),
        Ok(sent),
        "{line}"
    );
    assert_eq!(after.turn_progress.actions_left, 0);
    let loose = "lay D1 ns ; ENTER white d; speed white 4; move white D1 derail;";
    let sent = OffTheRails::parse_line(&state, SEAT_ONE, loose).or_fail().orders;
    assert!(matches!(sent[2..4], [Order::Speed { .. }, Order::Move { .. }]), "{sent:?}");
    // Two `lay` orders may also be separated by `;`. A part that is no order makes the line
    // unreadable.
    assert_eq!(
        OffTheRails::parse_line(&state, SEAT_ONE, "lay D2 ne; lay D3 ns").or_fail().orders.len(),
        2
    );
    let kind = |line: &str| {
        OffTheRails::parse_line(&state, SEAT_ONE, line).map_err(|refusal| refusal.kind)
    };
    assert_eq!(kind("lay D2 ne; see you").err(), Some(RefusalKind::Unreadable));
    // A move may disclose something, so it must come last. A standing order is secret, so it needs
    // a line of its own.
    assert!(kind("move; lay D2 ne").is_err() && kind("lay D2 ne; split together").is_err());
    assert_eq!(refusal_key(&state, "lay D2 ne; enter white Z"), "or-enter-where");
    let twice = kind("lay D2 ne; upgrade D2 north; move");
    assert_eq!(twice.err(), Some(RefusalKind::Illegal), "it opens that way already");
}

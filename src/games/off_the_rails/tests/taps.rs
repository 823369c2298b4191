//! Suggestions: each can be sent, and is worth it.

use super::*;
use crate::games::off_the_rails::definition::{Cut, Length};
use crate::games::off_the_rails::event::Wreck;
use crate::rules::{RefusalKind, Suggestion, Turn, Viewer};

/// The lines suggested to a seat, by their groups.
pub fn taps(state: &State, seat: Seat) -> Vec<(&'static str, String)> {
    let suggested = OffTheRails::suggestions(state, seat);
    assert!(suggested.len() <= Suggestion::MAX, "{suggested:?}");
    for one in &suggested {
        let alike = suggested.iter().filter(|other| other.group == one.group).count();
        let twice = suggested.iter().filter(|other| other.line == one.line).count();
        assert!(alike <= Suggestion::GROUP_MAX && twice == 1, "{suggested:?}");
        assert!(one.line.len() < 200, "{one:?}");
    }
    suggested.into_iter().map(|one| (one.group.key, one.line)).collect()
}

pub fn lines(state: &State, group: &str) -> Vec<String> {
    taps(state, ONE).into_iter().filter(|(key, _)| *key == group).map(|(_, line)| line).collect()
}

/// Sends a letter of one line, as the processor does: it is asked about nothing, and its turn is
/// closed where it has ended.
fn send(state: &mut State, seat: Seat, line: &str, dice: &mut Dice) -> Vec<Event> {
    assert_eq!(OffTheRails::doubt(state, seat, &[line]), None, "{line}");
    let reading = OffTheRails::parse(state, seat, line);
    let reading = reading.unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"));
    assert!(reading.remarks.is_empty() || !line.contains("derail"), "{line}: {reading:?}");
    let mut told = Vec::new();
    let mut play = |state: &mut State, order: &Order| {
        let events = OffTheRails::decide(state, seat, order, dice);
        for event in events.unwrap_or_else(|refusal| panic!("{line}: {refusal:?}")) {
            state.apply(&event);
            OffTheRails::audit(state).unwrap_or_else(|what| panic!("{line}: {what}"));
            told.push(event);
        }
    };
    reading.orders.iter().for_each(|order| play(state, order));
    let is_secret = reading.orders.iter().all(OffTheRails::is_secret);
    if let Some(order) = OffTheRails::closing(state, seat).filter(|_| !is_secret) {
        play(state, &order);
    }
    told
}

/// Whether a cart of the seat was lost by its own move.
fn loses(before: &State, seat: Seat, told: &[Event]) -> bool {
    told.iter().any(|event| {
        matches!(*event, Event::Derailed { cart, why, .. }
            if before.owner(cart) == seat && why != Some(Wreck::Over))
    })
}

/// Looks at what is suggested to everyone here, and says which line is sent.
fn judge(state: &State, seat: Seat, seats: u8, chooser: &mut Dice) -> String {
    for other in Seat::all(seats).filter(|&other| other != seat) {
        assert_eq!(taps(state, other), [], "seat {other} is not awaited");
    }
    let taps = taps(state, seat);
    let world = OffTheRails::redeal(state, Viewer::Seat(seat), chooser);
    assert_eq!(taps, self::taps(&world, seat), "they rest on what the seat sees");
    let is_lost = taps.iter().any(|(group, _)| *group == "or-tap-lost");
    let mut whole = Vec::new();
    for (group, line) in &taps {
        let mut after = state.clone();
        let told = send(&mut after, seat, line, &mut chooser.clone());
        assert_eq!(line.contains("derail"), *group == "or-tap-lost", "{line}");
        assert!(is_lost || !loses(state, seat, &told), "{line}: {told:?}");
        let is_open = after.active() == Some(seat) && after.run.is_none() && !told.is_empty();
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
    let best = usize::try_from(chooser.below(8)).unwrap_or(0);
    whole.get(best).or_else(|| whole.first()).sure().clone()
}

/// Whole games of players who send what is suggested, mostly the best; each position is shown.
pub fn games_by_suggestions(look: &mut dyn FnMut(&State, &[Event])) {
    let plain = Options::default;
    let asked = Options { cut: Cut::Interactive, length: Some(Length::VeryShort), ..plain() };
    let bumpers = Options { bumpers: true, abyss_die: true, ..plain() };
    let games = [(plain(), [1, 3]), (asked, [2, 4]), (bumpers, [1, 2])];
    let definition = yaml::read(OffTheRails::DEFINITION).sure();
    for (number, (options, seats)) in (0_u64..).zip(&games) {
        for &seats in seats {
            let mut state = OffTheRails::open(&definition, options, seats).sure();
            let mut dice = Dice::new(&Seed::rehearsal(number), 0);
            let mut chooser = Dice::new(&Seed::rehearsal(9 + number), 0);
            let setup = OffTheRails::setup(&state.clone(), &mut dice);
            setup.iter().for_each(|event| state.apply(event));
            look(&state, &setup);
            let mut letters = 0;
            while let Turn::Awaiting(awaited) = OffTheRails::turn(&state) {
                let line = judge(&state, awaited[0], seats, &mut chooser);
                let told = send(&mut state, awaited[0], &line, &mut dice);
                look(&state, &told);
                letters += 1;
                assert!(letters < 400, "it does not end");
            }
        }
    }
}

#[test]
fn games_of_suggestions_bring_jewels_out_and_come_to_their_end() {
    let (mut ended, mut brought) = (0, 0);
    games_by_suggestions(&mut |state, _| {
        if OffTheRails::turn(state) == Turn::Over {
            ended += 1;
            brought += state.players.iter().map(|player| player.pile().precious()).sum::<u32>();
        }
    });
    assert_eq!(ended, 6);
    assert!(brought > 6 * 6, "{brought} jewels in {ended} games");
}

#[test]
fn a_first_turn_is_suggested_whole_on_one_line() {
    for state in [plain(), solo::alone()] {
        let turns = lines(&state, "or-tap-turn");
        assert!(turns.len() >= 2, "{:?}", taps(&state, ONE));
        for line in turns {
            let parts: Vec<&str> = line.split("; ").collect();
            let [lay, enter, "move"] = parts[..] else { panic!("{line}") };
            assert!(lay.starts_with("lay ") && enter.starts_with("enter "), "{line}");
        }
    }
}

#[test]
fn track_is_suggested_where_a_cart_would_derail() {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    speed(&mut state, 0, 2);
    let taps = taps(&state, ONE);
    assert!(taps.iter().all(|(_, line)| !line.contains("derail")), "{taps:?}");
    let saves = |line: &&(_, String)| line.1.contains("lay") && line.1.contains("D3");
    assert!(taps.iter().filter(saves).count() >= 2, "{taps:?}");
    let slows = |line: &(_, String)| line.1 == "speed white 1; move";
    assert!(taps.iter().any(slows), "{taps:?}");
    // A step leaves the rest of the turn to another letter.
    let steps = lines(&state, "or-tap-step");
    assert!(steps.iter().any(|line| line.starts_with("lay D3")), "{steps:?}");
    // Where nothing helps, that is said, and nothing else is suggested.
    state.stint.actions = 0;
    let lost = self::taps(&state, ONE);
    assert_eq!(lost, [("or-tap-lost", "done derail".to_owned())]);
}

#[test]
fn the_ways_at_a_junction_and_out_of_the_mine_are_suggested() {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 nsew, C2 ew, B2 ew, E2 ew, F2 ew, D3 ns, D4 ns");
    lay(&mut state, "H8 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    speed(&mut state, 0, 2);
    let moves = lines(&state, "or-tap-move");
    assert_eq!(moves.len(), 3, "{moves:?}");
    for line in ["move white D2 C2", "move white D2 E2"] {
        assert!(moves.iter().any(|one| one == line), "{moves:?}");
    }
    state.carts[0].facing = Way::North;
    assert_eq!(lines(&state, "or-tap-move")[0], "move", "{:?}", taps(&state, ONE));
    let out = say(&state, "move");
    assert_eq!(out.players[0].pile(), jewels("r"));
}

#[test]
fn every_answer_of_a_cut_is_suggested() {
    let mut state = game(2, &Options { cut: Cut::Interactive, ..Options::default() });
    lay(&mut state, "D1 ns, D2 ns, D3 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    stand(&mut state, 2, "D2", Way::South, "ordge");
    let (rammed, _) = tell(&state, "move w");
    assert_eq!(taps(&rammed, ONE), []);
    let cuts = taps(&rammed, TWO);
    // Two of five jewels that are all different lie in one pile.
    assert_eq!(cuts.len(), 10, "{cuts:?}");
    let (cut, _) = try_lines(&rammed, TWO, &cuts[0].1).sure();
    let picks: Vec<String> = taps(&cut, ONE).into_iter().map(|(_, line)| line).collect();
    assert_eq!(picks, ["pick first", "pick second", "pick any"]);
}

#[test]
fn chasms_and_the_end_of_a_solo_game_are_suggested() {
    let mut state = plain();
    open_abyss(&mut state);
    lay(&mut state, "C3 ns, B3 ns");
    stand(&mut state, 2, "B3", Way::South, "d");
    let chasms = lines(&state, "or-tap-chasm");
    assert_eq!(chasms[0], "chasm yes", "{chasms:?}");
    stand(&mut state, 0, "H8", Way::East, "");
    lay(&mut state, "H8 ew");
    let chasms = lines(&state, "or-tap-chasm");
    assert!(chasms[0].starts_with("chasm red B3, yellow "), "{chasms:?}");
    let mut alone = solo::alone();
    assert_eq!(lines(&alone, "or-tap-stop").len(), 0);
    let pile = jewels("rged");
    alone.players[0].delivered[0] = pile;
    alone.bag = alone.bag.minus(pile);
    assert_eq!(lines(&alone, "or-tap-stop"), ["stop"]);
}

#[test]
fn several_orders_stand_on_one_line() {
    let state = plain();
    let whole = "lay D1 ns, D2 ns, D3 ns; enter white D; move";
    let after = say(&state, whole.split_once("; move").sure().0);
    let sent = OffTheRails::parse(&state, ONE, whole).sure().orders;
    assert_eq!((sent.len(), sent.last()), (5, Some(&Order::End)));
    let line = OffTheRails::write(&state, &sent);
    assert_eq!(OffTheRails::parse(&state, ONE, &line).map(|read| read.orders), Ok(sent), "{line}");
    assert_eq!(after.stint.actions, 0);
    let loose = "lay D1 ns ; ENTER white d; speed white 4; move white D1 derail;";
    let sent = OffTheRails::parse(&state, ONE, loose).sure().orders;
    assert!(matches!(sent[2..4], [Order::Speed { .. }, Order::Move { .. }]), "{sent:?}");
    // As before: these are orders of one kind, and this is a remark.
    assert_eq!(OffTheRails::parse(&state, ONE, "lay D2 ne; lay D3 ns").sure().orders.len(), 2);
    let kind = |line: &str| OffTheRails::parse(&state, ONE, line).map_err(|refusal| refusal.kind);
    assert_eq!(kind("lay D2 ne; see you").err(), Some(RefusalKind::Unreadable));
    // What discloses something comes last, and what only its writer may know stands alone.
    assert!(kind("move; lay D2 ne").is_err() && kind("lay D2 ne; split together").is_err());
    assert_eq!(refused(&state, "lay D2 ne; enter white Z"), "or-enter-where");
    let twice = kind("lay D2 ne; upgrade D2 north; move");
    assert_eq!(twice.err(), Some(RefusalKind::Illegal), "it opens that way already");
}

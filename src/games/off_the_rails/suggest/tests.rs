use super::*;
use crate::games::off_the_rails::definition::Options;
use crate::rules::{Rules, yaml};

const SEAT_ONE: Seat = Seat::new(1);

#[test]
fn suggestions_are_unique_short_and_limited_per_group() {
    let definition = yaml::parse(OffTheRails::DEFINITION).unwrap_or_else(|e| panic!("{e:?}"));
    let state = OffTheRails::initial_state(&definition, &Options::default(), 2);
    let state = state.unwrap_or_else(|e| panic!("{e:?}"));
    let mut told = Suggester { state, seat: SEAT_ONE, lines: Vec::new(), asks_claim: false };
    told.add_line("or-tap-move", "done".to_owned());
    told.add_line("or-tap-turn", "done".to_owned());
    told.add_line("or-tap-move", "d".repeat(200));
    assert_eq!(told.lines.len(), 1, "twice the same, and too long");
    told.add_line("or-tap-turn", "d".repeat(199));
    assert_eq!(told.lines.len(), 2);
    for number in 0..20 {
        told.add_line("or-tap-move", format!("move {number}"));
    }
    let alike = told.lines.iter().filter(|one| one.group == Message::new("or-tap-move")).count();
    assert_eq!(alike, Suggestion::GROUP_MAX);
}

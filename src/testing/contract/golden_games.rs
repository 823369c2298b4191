//! Golden games: whole games whose lines, events and final scores a person has checked. They find
//! mistakes in the rules that the other checks cannot find, because events, audits and scores agree
//! on them.
//!
//! `tests/golden_games/<id>-<seats>.txt`, below the folder of the crate, holds each line, such as
//! `2> play 3`, followed by its events. With `UPDATE_GOLDEN_GAMES=1`, the test rewrites the events,
//! or plays a new random game if there is no file. A person then checks the file against the rules.

use super::walk::RandomGame;
use crate::rules::{Dice, Game, Seat, Turn};
use std::fmt::Write as _;

/// The seed of all golden games.
const SEED: u64 = 1;

/// Replays the golden games for the smallest and for the largest seat count.
pub fn check_golden_games<G: Game>() {
    check_golden_game::<G>(*G::SEATS.start());
    check_golden_game::<G>(*G::SEATS.end());
}

fn check_golden_game<G: Game>(seats: u8) {
    let file = format!("tests/golden_games/{}-{seats}.txt", G::ID);
    let is_new = std::env::var_os("UPDATE_GOLDEN_GAMES").is_some();
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(is_new || !text.is_empty(), "{file}: UPDATE_GOLDEN_GAMES=1 writes it");
    let letters: Vec<(Seat, String)> = text.lines().filter_map(parse_letter_line).collect();
    let mut walk = RandomGame::<G>::new(seats, SEED, "{}");
    let transcript =
        if letters.is_empty() { play_randomly(&mut walk) } else { replay(&mut walk, &letters) };
    if is_new {
        std::fs::create_dir_all("tests/golden_games").expect("a folder");
        std::fs::write(&file, &transcript).expect("it is written");
    }
    let mut lines = text.lines().zip(transcript.lines()).enumerate();
    let other = lines.find(|(_, (line, found))| !is_new && line != found);
    if let Some((number, (line, found))) = other {
        panic!("{file}, line {}: {line}\ndiffers in the replay: {found}", number + 1);
    }
    assert!(is_new || text.lines().count() == transcript.lines().count(), "{file} ends too early");
    assert_eq!(G::turn(&walk.state), Turn::Over, "{file}: the game is not over");
}

/// Parses a line such as `2> play 3` into the seat and the text of its order line.
fn parse_letter_line(line: &str) -> Option<(Seat, String)> {
    let (seat, text) = line.split_once("> ")?;
    Some((Seat::new(seat.parse().ok()?), text.to_owned()))
}

fn replay<G: Game>(walk: &mut RandomGame<G>, letters: &[(Seat, String)]) -> String {
    let mut transcript = describe_start(walk);
    for (seat, line) in letters {
        let _ = writeln!(transcript, "{seat}> {line}");
        match G::parse_line(&walk.state, *seat, line) {
            Ok(reading) => {
                for order in &reading.orders {
                    transcript += &carry_out(walk, *seat, order);
                }
            }
            Err(refusal) => transcript += &format!("    no: {}\n", refusal.reason.key),
        }
    }
    transcript + &describe_end(walk)
}

/// Plays a new random game, and returns its text.
fn play_randomly<G: Game>(walk: &mut RandomGame<G>) -> String {
    let mut transcript = describe_start(walk);
    let mut chooser = walk.chooser.clone();
    while let Turn::Awaiting(seats) = G::turn(&walk.state) {
        let (seat, began) = (*chooser.pick(&seats).expect("somebody"), walk.state.clone());
        let (mut orders, mut led_to) = (Vec::new(), String::new());
        while !G::is_complete_line(&walk.state, &orders) || orders.is_empty() {
            let legal = G::legal_orders(&walk.state, seat);
            let order = chooser.pick(&legal).expect("something is legal").clone();
            led_to += &carry_out(walk, seat, &order);
            orders.push(order);
        }
        let _ = write!(transcript, "{seat}> {}\n{led_to}", G::write_line(&began, &orders));
    }
    transcript + &describe_end(walk)
}

fn describe_start<G: Game>(walk: &RandomGame<G>) -> String {
    let head =
        format!("{} for {}, as it is played by the dice of seed {SEED}\n", G::ID, walk.seats);
    head + &describe_events::<G>(&walk.events)
}

fn carry_out<G: Game>(walk: &mut RandomGame<G>, seat: Seat, order: &G::Order) -> String {
    let mut dice = walk.copy_dice();
    match G::decide(&walk.state, seat, order, &mut dice) {
        Ok(happened) => {
            happened.iter().for_each(|event| G::apply(&mut walk.state, event));
            walk.set_dice(dice);
            describe_events::<G>(&happened)
        }
        Err(refusal) => format!("    no: {}\n", refusal.reason.key),
    }
}

fn describe_events<G: Game>(events: &[G::Event]) -> String {
    let form = |event: &G::Event| serde_json::to_string(event).expect("an event has a form");
    events.iter().map(|event| format!("    {}\n", form(event))).collect()
}

/// Returns the final ranking, with the points of each seat by item.
fn describe_end<G: Game>(walk: &RandomGame<G>) -> String {
    let mut transcript = String::new();
    for standing in G::rankings(&walk.state) {
        let parts =
            standing.breakdown.iter().map(|part| format!("{} {}", part.item.key, part.points));
        let parts = parts.collect::<Vec<_>>().join(", ");
        let (seat, rank, score) = (standing.seat, standing.rank, standing.score);
        let _ = writeln!(transcript, "= {rank}. seat {seat} with {score}: {parts}");
    }
    transcript
}

impl<G: Game> RandomGame<G> {
    fn set_dice(&mut self, dice: Dice) {
        self.dice = dice;
    }
}

//! Draws the trick lane and the railways as text.

use super::card::Card;
use super::company::Company;
use super::definition::Locomotive;
use super::railway::Track;
use super::state::{Event, LaneCard, Phase, State};
use crate::rules::Charset;

const PLACES_PER_LINE: usize = 8;
const PLACE_WIDTH: usize = 9;
/// The width of a company's name and locomotive before the railway's first card, in columns.
const LEFT_MARGIN: usize = 11;
const LINE_WIDTH: usize = 76;

/// Draws the lane and the railways as lines of text.
///
/// In the lane, an Exchange card is `(B&O)`, a railway card `PRR 7`, a Reservation `?`, a City
/// `C40`, a locomotive `[3]`, and an empty place `.`. The card that the current trick is played for
/// is between `>` and `<`. Each railway begins with its locomotive. On it, `S10` is the Station,
/// `7:20` a railway card with its value, and `C40` a City. A `*` precedes cards that `recent`
/// added.
pub fn draw_board(state: &State, recent: &[Event], charset: Charset) -> Vec<String> {
    let mut lines = draw_lane(state, recent, charset);
    lines.push(String::new());
    lines.extend(Company::ALL.into_iter().flat_map(|c| draw_railway(state, recent, charset, c)));
    lines
}

fn draw_lane(state: &State, recent: &[Event], charset: Charset) -> Vec<String> {
    let is_on = state.phase != Phase::Over;
    let mut lines = Vec::new();
    for (line, places) in state.lane.chunks(PLACES_PER_LINE).enumerate() {
        let (mut numbers, mut cards) = (String::new(), String::new());
        for (column, place) in places.iter().enumerate() {
            let at = line * PLACES_PER_LINE + column;
            let label =
                place.map_or_else(|| ".".to_owned(), |card| lane_label(state, charset, card));
            let new = if was_just_reserved(recent, at) { "*" } else { "" };
            let card = if is_on && at == state.trick {
                format!(">{new}{label}<")
            } else {
                format!(" {new}{label}")
            };
            numbers += &format!(" {:<width$}", at + 1, width = PLACE_WIDTH - 1);
            cards += &format!("{card:<PLACE_WIDTH$}");
        }
        lines.extend([numbers, cards].map(|line| line.trim_end().to_owned()));
    }
    lines
}

/// Whether `recent` put a winner's card into this place of the lane.
pub(super) fn was_just_reserved(recent: &[Event], at: usize) -> bool {
    let here = |event: &Event| match event {
        Event::Reserved { place, .. } => usize::from(*place) == at + 1,
        _ => false,
    };
    recent.iter().any(here)
}

fn lane_label(state: &State, charset: Charset, card: LaneCard) -> String {
    let edition = &state.edition;
    match card {
        LaneCard::Exchange(company) => format!("({})", edition.company_name(company)),
        LaneCard::Railway(card) => super::refuse::card_name(edition, card),
        LaneCard::Reservation => "?".to_owned(),
        LaneCard::City(city) => format!("C{}", edition.track_value(Track::City(city))),
        LaneCard::Locomotive(Locomotive::Six) => {
            format!(
                "[6]+{}",
                locomotive_label(Locomotive::Infinite, charset).trim_matches(['[', ']'])
            )
        }
        LaneCard::Locomotive(other) => locomotive_label(other, charset),
    }
}

fn locomotive_label(locomotive: Locomotive, charset: Charset) -> String {
    match (locomotive, charset) {
        (Locomotive::Infinite, Charset::Unicode) => "[\u{221e}]".to_owned(),
        _ => locomotive.to_string(),
    }
}

fn draw_railway(
    state: &State,
    recent: &[Event],
    charset: Charset,
    company: Company,
) -> Vec<String> {
    let railway = &state.railways[company];
    let new = if was_just_mounted(recent, company) { "*" } else { " " };
    let engine =
        railway.locomotive.map_or_else(|| " -".to_owned(), |l| locomotive_label(l, charset));
    let name = state.edition.company_name(company);
    let mut line = format!("{:<LEFT_MARGIN$}", format!("{name:<4}{new}{engine}"));
    let mut lines = Vec::new();
    for &track in &railway.track {
        let cell = track_label(state, recent, track);
        if line.chars().count() + cell.len() > LINE_WIDTH {
            lines.push(line.trim_end().to_owned());
            line = " ".repeat(LEFT_MARGIN);
        }
        line += &cell;
    }
    lines.push(line.trim_end().to_owned());
    lines
}

fn track_label(state: &State, recent: &[Event], track: Track) -> String {
    let new = if was_just_added(recent, track) { "*" } else { " " };
    let value = state.edition.track_value(track);
    match track {
        Track::Station => format!(" S{value}"),
        Track::City(_) => format!("{new}C{value}"),
        Track::Card(card) => format!("{new}{}:{value}", card.number()),
    }
}

pub(super) fn was_just_played(recent: &[Event], card: Card) -> bool {
    recent.iter().any(|event| matches!(event, Event::Played { card: c, .. } if *c == card))
}

pub(super) fn was_just_mounted(recent: &[Event], company: Company) -> bool {
    recent.iter().any(|event| matches!(event, Event::Mounted { company: c, .. } if *c == company))
}

pub(super) fn was_just_added(recent: &[Event], track: Track) -> bool {
    recent.iter().any(|event| match (event, track) {
        (Event::Laid { card, .. }, Track::Card(own)) => *card == own,
        (Event::Built { city, .. }, Track::City(own)) => *city == own,
        _ => false,
    })
}

//! The data of one game that never changes: the values of the cards, and the lane for the number of
//! players.

use super::card::{Card, CardSet};
use super::company::{ByCompany, Company};
use super::definition::{City, CompanyCards, Definition, Engine, LaneSlot, Locomotive, Options};
use super::railway::Track;
use crate::rules::{DefinitionFault, Message, entry_for_seats};
use std::fmt;

/// The checked data of one game, which depends on the definition, the options and the number of
/// players.
#[derive(Clone, PartialEq, Eq)]
pub struct Edition {
    pub seats: u8,
    pub options: Options,
    pub companies: ByCompany<CompanyCards>,
    pub station: u8,
    /// All City cards, including those that are not in the lane.
    pub cities: Vec<City>,
    /// The distance and cost of each locomotive, in the order of [`Locomotive::ALL`].
    pub locomotives: [Engine; 5],
    /// The number of railway cards that each player is dealt. It is also the number of tricks.
    pub hand: u8,
    /// The places of the lane before cards are drawn for them.
    pub slots: Vec<LaneSlot>,
}

/// The key of the sentence that reports a table of the definition without an entry for this number
/// of players.
const MISSING_ENTRY_KEY: &str = "tr-fault-players";

impl Edition {
    /// Checks a definition and makes the data for this number of players.
    ///
    /// # Errors
    /// The first fault in the definition or in the options.
    pub fn new(
        definition: &Definition,
        options: &Options,
        seats: u8,
    ) -> Result<Self, DefinitionFault> {
        if options.teams && seats != 4 {
            return Err(DefinitionFault::new(Message::new("tr-fault-teams").with("seats", seats)));
        }
        let edition = Self {
            seats,
            options: *options,
            companies: read_companies(definition)?,
            station: definition.station,
            cities: definition.cities.clone(),
            locomotives: read_engines(definition)?,
            hand: entry_for_seats(&definition.hand, seats, ("hand", MISSING_ENTRY_KEY))?,
            slots: entry_for_seats(&definition.lane, seats, ("lane", MISSING_ENTRY_KEY))?,
        };
        if u32::from(edition.hand) * u32::from(seats) > CardSet::ALL.len() {
            let reason = Message::new("tr-fault-hand").with("hand", edition.hand);
            return Err(DefinitionFault::at_text(reason.with("seats", seats), "hand", 0));
        }
        edition.check_lane(definition.reservations)?;
        Ok(edition)
    }

    pub fn company_name(&self, company: Company) -> &str {
        &self.companies[company].name
    }

    pub const fn engine(&self, locomotive: Locomotive) -> Engine {
        self.locomotives[locomotive as usize]
    }

    pub fn city(&self, city: u8) -> Option<&City> {
        self.cities.get(usize::from(city))
    }

    /// Returns the indices of the City cards in the definition.
    pub fn city_indices(&self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).take(self.cities.len())
    }

    /// Returns the value of a railway card on its company's railway.
    pub fn station_value(&self, card: Card) -> u32 {
        let place = usize::from(card.number().saturating_sub(1));
        self.companies[card.company()].stations.get(place).copied().unwrap_or_default().into()
    }

    /// Returns the value of any card on a railway.
    pub fn track_value(&self, track: Track) -> u32 {
        match track {
            Track::Station => self.station.into(),
            Track::City(city) => self.city(city).map_or(0, |city| city.value.into()),
            Track::Card(card) => self.station_value(card),
        }
    }

    /// Checks the lane. There must be a place for every trick and a card for every place. No
    /// Reservation may become the leftmost card, so enough stock rounds must come before it: each
    /// fills one Reservation.
    fn check_lane(&self, reservations: u8) -> Result<(), DefinitionFault> {
        let count = |slot: LaneSlot| self.slots.iter().filter(|&&other| other == slot).count();
        let about = |key| Message::new(key).with("seats", self.seats);
        let fail = |reason: Message| {
            Err(DefinitionFault::at_text(reason, format!("lane.{}", self.seats), 0))
        };
        if self.slots.len() != usize::from(self.hand) {
            let reason = about("tr-fault-lane-length").with("count", self.slots.len());
            return fail(reason.with("hand", self.hand));
        }
        for (slot, most) in [
            (LaneSlot::Exchange, Company::ALL.len()),
            (LaneSlot::City, self.cities.len()),
            (LaneSlot::Reservation, usize::from(reservations)),
        ] {
            if count(slot) > most {
                let reason = about("tr-fault-lane-cards").with("slot", slot.name());
                return fail(reason.with("count", count(slot)).with("most", most));
            }
        }
        if let Some(twice) = Locomotive::ALL.iter().find(|&&l| count(LaneSlot::Locomotive(l)) > 1) {
            return fail(about("tr-fault-lane-twice").with("locomotive", twice.to_string()));
        }
        if count(LaneSlot::Exchange) != Company::ALL.len() {
            return fail(about("tr-fault-exchanges").with("count", count(LaneSlot::Exchange)));
        }
        match self.find_unfilled_reservation() {
            Some(place) => fail(about("tr-fault-reservation").with("place", place)),
            None => Ok(()),
        }
    }

    /// Returns the place, from 1, of the first Reservation that is preceded by too few stock
    /// rounds.
    fn find_unfilled_reservation(&self) -> Option<usize> {
        let (mut rounds, mut reserved) = (0, 0);
        for (place, slot) in self.slots.iter().enumerate() {
            if *slot == LaneSlot::Reservation {
                reserved += 1;
                if rounds < reserved {
                    return Some(place + 1);
                }
            }
            rounds += usize::from(matches!(slot, LaneSlot::Exchange | LaneSlot::Reservation));
        }
        None
    }
}

impl fmt::Debug for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Edition({} seats)", self.seats)
    }
}

fn read_companies(definition: &Definition) -> Result<ByCompany<CompanyCards>, DefinitionFault> {
    let of = |id: Company| definition.companies.iter().filter(move |cards| cards.id == id);
    for id in Company::ALL {
        let about = |key| Message::new(key).with("company", id.id());
        let Some(cards) = of(id).next() else {
            return Err(DefinitionFault::at_text(
                about("tr-fault-company-missing"),
                "companies",
                0,
            ));
        };
        if of(id).count() > 1 {
            return Err(DefinitionFault::at_text(about("tr-fault-company-twice"), id.id(), 1));
        }
        let is_plain = cards.name.chars().all(|c| c.is_ascii_graphic());
        if !is_plain || !(1..=NAME_CHARS_MAX).contains(&cards.name.len()) {
            let reason = about("tr-fault-name").with("most", NAME_CHARS_MAX);
            return Err(DefinitionFault::at_text(reason, id.id(), 0));
        }
    }
    let nothing = |id| CompanyCards { id, name: String::new(), stations: [0; 10] };
    Ok(ByCompany::from_fn(|id| of(id).next().cloned().unwrap_or_else(|| nothing(id))))
}

/// The maximum length of a company's name, in characters. The text board has no room for more.
const NAME_CHARS_MAX: usize = 4;

fn read_engines(definition: &Definition) -> Result<[Engine; 5], DefinitionFault> {
    let mut engines = [Engine { distance: None, cost: 0 }; 5];
    for (engine, locomotive) in engines.iter_mut().zip(Locomotive::ALL) {
        let reason = Message::new("tr-fault-locomotive").with("locomotive", locomotive.to_string());
        let missing = || DefinitionFault::at_text(reason, "locomotives", 0);
        *engine = *definition.locomotives.get(&locomotive).ok_or_else(missing)?;
    }
    Ok(engines)
}

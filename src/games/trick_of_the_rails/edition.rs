//! What never changes in one game: the cards' values, and the lane for its count of players.

use super::card::{Card, CardSet};
use super::company::{ByCompany, Company};
use super::definition::{City, CompanyCards, Definition, Engine, Locomotive, Options, Slot};
use super::railway::Track;
use crate::rules::{DefinitionFault, Message, entry_for_seats};
use std::fmt;

/// The game that was founded.
#[derive(Clone, PartialEq, Eq)]
pub struct Edition {
    /// How many play.
    pub seats: u8,
    /// What was chosen.
    pub options: Options,
    /// Each company's name and its cards' values.
    pub companies: ByCompany<CompanyCards>,
    /// What a Station is worth.
    pub station: u8,
    /// The City cards, those left out of the lane too.
    pub cities: Vec<City>,
    /// What each locomotive does.
    pub locomotives: [Engine; 5],
    /// Railway cards that each is dealt.
    pub hand: u8,
    /// The lane before the cards are put there.
    pub slots: Vec<Slot>,
}

/// The sentence about a table that has nothing for so many players.
const MISSING_ENTRY_KEY: &str = "tr-fault-players";

impl Edition {
    /// The game of a definition for so many players.
    ///
    /// # Errors
    /// What in the definition, or in the choice of options, cannot be.
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

    /// A company's name in letters.
    pub fn company_name(&self, company: Company) -> &str {
        &self.companies[company].name
    }

    /// What a locomotive does.
    pub const fn engine(&self, locomotive: Locomotive) -> Engine {
        self.locomotives[locomotive as usize]
    }

    /// The City card at this place of the definition.
    pub fn city(&self, city: u8) -> Option<&City> {
        self.cities.get(usize::from(city))
    }

    /// Returns the places of the City cards in the definition.
    pub fn city_indices(&self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).take(self.cities.len())
    }

    /// What a railway card is worth on its company's railway.
    pub fn station_value(&self, card: Card) -> u32 {
        let place = usize::from(card.number().saturating_sub(1));
        self.companies[card.company()].stations.get(place).copied().unwrap_or_default().into()
    }

    /// What a card of a railway is worth there.
    pub fn track_value(&self, track: Track) -> u32 {
        match track {
            Track::Station => self.station.into(),
            Track::City(city) => self.city(city).map_or(0, |city| city.value.into()),
            Track::Card(card) => self.station_value(card),
        }
    }

    /// There must be cards for all places, a place for every trick, and no Reservation may ever
    /// become the leftmost card: each stock round fills one.
    fn check_lane(&self, reservations: u8) -> Result<(), DefinitionFault> {
        let count = |slot: Slot| self.slots.iter().filter(|&&other| other == slot).count();
        let about = |key| Message::new(key).with("seats", self.seats);
        let fail = |reason: Message| {
            Err(DefinitionFault::at_text(reason, format!("lane.{}", self.seats), 0))
        };
        if self.slots.len() != usize::from(self.hand) {
            let reason = about("tr-fault-lane-length").with("count", self.slots.len());
            return fail(reason.with("hand", self.hand));
        }
        for (slot, most) in [
            (Slot::Exchange, Company::ALL.len()),
            (Slot::City, self.cities.len()),
            (Slot::Reservation, usize::from(reservations)),
        ] {
            if count(slot) > most {
                let reason = about("tr-fault-lane-cards").with("slot", slot.name());
                return fail(reason.with("count", count(slot)).with("most", most));
            }
        }
        if let Some(twice) = Locomotive::ALL.iter().find(|&&l| count(Slot::Locomotive(l)) > 1) {
            return fail(about("tr-fault-lane-twice").with("locomotive", twice.to_string()));
        }
        if count(Slot::Exchange) != Company::ALL.len() {
            return fail(about("tr-fault-exchanges").with("count", count(Slot::Exchange)));
        }
        match self.find_unfilled_reservation() {
            Some(place) => fail(about("tr-fault-reservation").with("place", place)),
            None => Ok(()),
        }
    }

    /// The place, from 1, of a Reservation that too few stock rounds come before.
    fn find_unfilled_reservation(&self) -> Option<usize> {
        let (mut rounds, mut reserved) = (0, 0);
        for (place, slot) in self.slots.iter().enumerate() {
            if *slot == Slot::Reservation {
                reserved += 1;
                if rounds < reserved {
                    return Some(place + 1);
                }
            }
            rounds += usize::from(matches!(slot, Slot::Exchange | Slot::Reservation));
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

/// The longest name of a company, in characters: what the drawn lane has room for.
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

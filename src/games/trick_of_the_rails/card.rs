//! Railway cards, and sets of them as bits of a 64-bit word.

use super::company::Company;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;

/// The highest number of a railway card. The lowest is 1.
pub const NUMBER_MAX: u8 = 10;

/// A railway card: a company and a number from 1 to 10. In data it is written `PRR7`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// Makes the card of this company with this number. Returns `None` for numbers outside of 1 to
    /// 10.
    pub fn new(company: Company, number: u8) -> Option<Self> {
        let is_one = (1..=NUMBER_MAX).contains(&number);
        is_one.then(|| Self(company as u8 * NUMBER_MAX + (number - 1)))
    }

    pub fn company(self) -> Company {
        // Cards come only from `new` and from sets of such cards, so the place is always valid.
        let place = usize::from(self.0 / NUMBER_MAX);
        Company::ALL.get(place).copied().unwrap_or(Company::Prr)
    }

    /// Returns the card's number. The highest number of the led company wins a trick.
    pub const fn number(self) -> u8 {
        self.0 % NUMBER_MAX + 1
    }

    /// Parses a card as data writes it, such as `PRR7`.
    pub fn parse(name: &str) -> Option<Self> {
        let company = Company::ALL.into_iter().find(|company| name.starts_with(company.id()))?;
        Self::new(company, name.strip_prefix(company.id())?.parse().ok()?)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.company().id(), self.number())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| de::Error::custom(format_args!("`{text}` is not a card")))
    }
}

/// A set of the 50 railway cards. In data it is a list of cards.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct CardSet(u64);

impl CardSet {
    pub const ALL: Self = Self((1 << (NUMBER_MAX as u32 * 5)) - 1);
    pub const EMPTY: Self = Self(0);

    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    pub const fn insert(&mut self, card: Card) {
        self.0 |= 1 << card.0;
    }

    pub const fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card.0);
    }

    /// Returns the cards of this set that are not in the other.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    #[must_use]
    pub const fn of_company(self, company: Company) -> Self {
        let ten = (1 << NUMBER_MAX) - 1;
        Self(self.0 & ten << (company as u32 * NUMBER_MAX as u32))
    }

    /// Returns the companies of which the set has cards.
    pub fn companies(self) -> impl Iterator<Item = Company> {
        Company::ALL.into_iter().filter(move |&company| !self.of_company(company).is_empty())
    }

    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the cards, by company and then by number.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let first = rest.trailing_zeros();
            rest &= rest.checked_sub(1)?;
            u8::try_from(first).ok().map(Card)
        })
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut set = Self::EMPTY;
        cards.into_iter().for_each(|card| set.insert(card));
        set
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for CardSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for CardSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<Card>::deserialize(deserializer).map(Self::from_iter)
    }
}

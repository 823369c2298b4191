//! The five railway companies, and a container with one value for each company.

use crate::rules::{Ink, Pattern};
use serde::{Deserialize, Serialize};
use std::ops::{Index, IndexMut};

/// A railway company. (From other sources: there are five.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Company {
    Bo,
    Co,
    Erie,
    Nyc,
    Prr,
}

impl Company {
    /// All five companies, in the order in which letters list them.
    pub const ALL: [Self; 5] = [Self::Bo, Self::Co, Self::Erie, Self::Nyc, Self::Prr];

    /// Returns the company's word in orders, its colour, the key of the colour's translation, and
    /// its colour and pattern in pictures.
    const fn properties(self) -> (&'static str, &'static str, &'static str, (Ink, Pattern)) {
        const GREEN: Ink = Ink([0x1f, 0x7a, 0x4d]);
        const GREY: Ink = Ink([0xb4, 0xb8, 0xbc]);
        match self {
            Self::Bo => ("BO", "blue", "tr-blue", (Ink::BLUE, Pattern::Level)),
            Self::Co => ("CO", "green", "tr-green", (GREEN, Pattern::Falling)),
            Self::Erie => ("ERIE", "yellow", "tr-yellow", (Ink::YELLOW, Pattern::Dotted)),
            Self::Nyc => ("NYC", "grey", "tr-grey", (GREY, Pattern::Plain)),
            Self::Prr => ("PRR", "red", "tr-red", (Ink::RED, Pattern::Rising)),
        }
    }

    /// Returns the company's word in orders, events and definitions.
    pub const fn id(self) -> &'static str {
        self.properties().0
    }

    /// Returns the English colour of the company's cards. Orders may use it instead of the name
    /// (ruling 17).
    pub const fn colour(self) -> &'static str {
        self.properties().1
    }

    /// Returns the key of the colour's word in the reader's language.
    pub const fn term(self) -> &'static str {
        self.properties().2
    }

    /// Returns the colour and the pattern with which pictures show the company.
    pub const fn ink_and_pattern(self) -> (Ink, Pattern) {
        self.properties().3
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByCompany<T>([T; 5]);

impl<T> ByCompany<T> {
    pub fn from_fn(make: impl FnMut(Company) -> T) -> Self {
        Self(Company::ALL.map(make))
    }

    pub fn iter(&self) -> impl Iterator<Item = (Company, &T)> {
        Company::ALL.into_iter().zip(&self.0)
    }
}

impl<T> Index<Company> for ByCompany<T> {
    type Output = T;

    fn index(&self, company: Company) -> &T {
        &self.0[company as usize]
    }
}

impl<T> IndexMut<Company> for ByCompany<T> {
    fn index_mut(&mut self, company: Company) -> &mut T {
        &mut self.0[company as usize]
    }
}

//! The five railway companies, and one thing for each of them.

use serde::{Deserialize, Serialize};
use std::ops::{Index, IndexMut};

/// A railway company. (From other sources: five of them.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Company {
    /// B&O, blue.
    Bo,
    /// C&O, green.
    Co,
    /// Erie, yellow.
    Erie,
    /// NYC, grey.
    Nyc,
    /// PRR, red.
    Prr,
}

impl Company {
    /// All five, in the order in which they are told.
    pub const ALL: [Self; 5] = [Self::Bo, Self::Co, Self::Erie, Self::Nyc, Self::Prr];

    /// The word in orders, events and definitions.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Bo => "BO",
            Self::Co => "CO",
            Self::Erie => "ERIE",
            Self::Nyc => "NYC",
            Self::Prr => "PRR",
        }
    }

    /// The colour of its cards, as orders may name it too (ruling 17).
    pub const fn colour(self) -> &'static str {
        match self {
            Self::Bo => "blue",
            Self::Co => "green",
            Self::Erie => "yellow",
            Self::Nyc => "grey",
            Self::Prr => "red",
        }
    }

    /// The key of the word that a reader's language has for the colour.
    pub const fn term(self) -> &'static str {
        match self {
            Self::Bo => "tr-blue",
            Self::Co => "tr-green",
            Self::Erie => "tr-yellow",
            Self::Nyc => "tr-grey",
            Self::Prr => "tr-red",
        }
    }
}

/// One value for each company.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByCompany<T>([T; 5]);

impl<T> ByCompany<T> {
    /// The value that `make` gives for each company.
    pub fn from_fn(make: impl FnMut(Company) -> T) -> Self {
        Self(Company::ALL.map(make))
    }

    /// Each company with its value.
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

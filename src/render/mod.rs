//! What happened, into words: one letter for each reader.
//!
//! The words live in `templates/`: sentences as data (Fluent, `*.ftl`), letters as templates
//! (minijinja). This layer knows tables, names and languages; it knows neither a letter's form on
//! the wire nor where anything is stored.

mod blocks;
mod bundle;
mod campaign;
mod ending;
mod intro;
mod letter;
mod library;
mod lines;
mod links;
mod markdown;
mod notice;
mod own_files;
mod page;
mod parts;
mod plot;
mod public_letter;
mod rows;
mod subject;
mod talk;
mod templates;
mod told;
mod trial;
mod words;

pub(crate) use bundle::{Bundle, BundledGame};
pub use campaign::{StandingsLetter, StandingsLine};
pub use letter::{GameLetter, Occasion, Picture, Rendered};
pub use library::{Language, Library, TemplateFault};
pub(crate) use links::OFFERS_MAX;
pub use links::{LinkMaker, Offer, Taps};
pub(crate) use notice::{Notice, Section};
pub use page::Page;
pub use public_letter::PublicLetter;
pub use subject::SubjectParts;
pub use words::Listener;
pub(crate) use words::Words;

//! What happened, into words: one letter for each reader.
//!
//! The words live in `templates/`: sentences as data (Fluent, `*.ftl`), letters as templates
//! (minijinja). This layer knows tables, names and languages; it knows neither a letter's form on
//! the wire nor where anything is stored.

mod blocks;
mod bundle;
mod ending;
mod game_parts;
mod intro;
mod letter;
mod library;
mod links;
mod markdown;
mod notice;
mod own_files;
mod page;
mod plot;
mod press_lines;
mod public_letter;
mod rows;
mod sendable_lines;
mod sentences;
mod standings_letter;
mod subject;
mod templates;
mod told;
mod trial;

pub(crate) use bundle::{Bundle, BundledGame};
pub use letter::{GameLetter, Occasion, Picture, Rendered};
pub use library::{Language, Library, TemplateFault};
pub(crate) use links::OFFERS_MAX;
pub use links::{LinkMaker, Offer, Taps};
pub(crate) use notice::{Notice, Section};
pub use page::Page;
pub use public_letter::PublicLetter;
pub use sentences::Listener;
pub(crate) use sentences::Words;
pub use standings_letter::{StandingsLetter, StandingsLine};
pub use subject::SubjectParts;

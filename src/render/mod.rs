//! What happened, into words: one letter for each reader.
//!
//! The words live in `templates/`: sentences as data (Fluent, `*.ftl`), letters as templates
//! (minijinja). This layer knows tables, names and languages; it knows neither a letter's form on
//! the wire nor where anything is stored.

mod blocks;
mod bundle;
mod ending;
mod game_letter;
mod game_parts;
mod intro;
mod library;
mod mailto_links;
mod markdown;
mod notice;
mod own_files;
mod page;
mod plot;
mod position_rows;
mod press_lines;
mod public_letter;
mod record_text;
mod sendable_lines;
mod sentences;
mod standings_letter;
mod subject;
mod templates;
mod trial_letters;

pub(crate) use bundle::{Bundle, BundledGame};
pub use game_letter::{GameLetter, Occasion, Picture, RenderedLetter};
pub use library::{Language, Library, TemplateFault};
pub(crate) use mailto_links::OFFERS_MAX;
pub use mailto_links::{LinkMaker, MailtoLinks, OfferedLine};
pub(crate) use notice::{Notice, Section};
pub use page::Page;
pub use public_letter::PublicLetter;
pub(crate) use sentences::Localizer;
pub use sentences::SentenceListener;
pub use standings_letter::{StandingsLetter, StandingsLine};
pub use subject::SubjectParts;

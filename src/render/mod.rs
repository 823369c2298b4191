//! Renders letters: turns game records, positions and notices into the text and HTML of one letter
//! for each reader, in the reader's language.
//!
//! All wording is in `templates/`: sentences are Fluent data (`*.ftl`), and letters are minijinja
//! templates. This layer knows tables, player names and languages. It does not know mail headers or
//! storage.

mod blocks;
mod bundle;
mod ending;
mod game_letter;
mod game_parts;
mod intro;
mod language_files;
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
mod site_campaigns;
mod site_feeds;
mod site_pages;
mod site_pictures;
mod site_players;
mod standings_letter;
mod subject;
mod templates;
mod trial_letters;

pub(crate) use bundle::{Bundle, BundledGame};
#[doc(hidden)]
pub use game_letter::{GameLetter, Occasion, Picture, RenderedLetter};
pub use library::{Language, Library, TemplateFault};
pub(crate) use mailto_links::OFFERS_MAX;
#[doc(hidden)]
pub use mailto_links::{LinkMaker, MailtoLinks, OfferedLine};
pub(crate) use notice::{Notice, Section};
#[doc(hidden)]
pub use page::Page;
#[doc(hidden)]
pub use public_letter::PublicLetter;
pub(crate) use sentences::Localizer;
#[doc(hidden)]
pub use sentences::SentenceListener;
pub(crate) use site_campaigns::{CampaignEntry, campaign_page_path};
pub(crate) use site_pages::{
    FormingEntry, GameEntry, GamePages, GameResult, SITE_SCRIPT, SITE_STYLE, Site,
};
#[doc(hidden)]
pub use standings_letter::{StandingsLetter, StandingsLine};
#[doc(hidden)]
pub use subject::SubjectParts;

//! The people and the club: settings, members, and all that they can write.
//!
//! Pure: `club.yaml` comes in as text. Nothing here knows a letter's form, a store or a clock.

pub mod campaign;
pub mod clock;
mod command;
mod consent;
mod game_name;
mod intervention;
mod letter_style;
mod lexicon;
mod line;
mod lobby;
mod member;
mod member_line;
mod moderation;
mod morning;
mod notes;
pub(crate) mod press;
mod proposal;
mod punctuality;
mod reachability;
mod reserved_names;
mod room;
mod seat_news;
mod seat_offer;
mod settings;
mod traces;
mod undo_terms;
mod unsubscribe;
mod visitor;
pub mod vote;
mod word_table;

pub(crate) use command::read_translated;
pub use command::{Command, Request, read_request};
pub(crate) use consent::{Consent, ConsentWords};
pub use game_name::{GameName, NoGameName};
pub use intervention::{Intervention, Substitute};
pub use letter_style::{Colours, LetterStyle, NewsWish};
pub(crate) use lexicon::{ALL_RIGHT, Translator};
pub use lexicon::{Lexicon, Lexicons};
pub use line::{Deed, Line, ReadLine, house_line};
pub use lobby::{LobbyLine, Wanted};
pub(crate) use member::name_of_local_part;
pub use member::{Aside, FormerSelf, Member, Seated, Stay, Unheard, clean_name, parse_mailbox};
pub use member_line::{MemberLine, WrongLine, address_line};
pub use moderation::{ModeratorCommand, OnLetters, Unread};
pub use notes::{NOTE_CHARACTERS_MAX, NOTES_MAX, NoteLine, Notes};
pub(crate) use proposal::{Joined, Proposal, SeatWish};
pub(crate) use punctuality::Punctuality;
pub(crate) use reachability::{COMES_BACK_WITHIN, Consequence, Event};
pub use reachability::{Probe, Reachability, Status};
pub(crate) use reserved_names::{KeptNames, holds_web_address, is_free_name};
pub use room::{ActivityEntry, Actor, CampaignTable, Former, GameRoom, Happening};
pub(crate) use seat_news::News;
pub use seat_offer::SeatOffer;
pub use settings::{
    Moderator, PostgresSettings, Settings, SettingsError, StoreSettings, Strangers,
};
pub(crate) use traces::Traces;
pub(crate) use undo_terms::asks_for_undo;
pub use undo_terms::{NoUndoTerm, UndoTerm};
pub(crate) use unsubscribe::{RefusalWords, refuses_letters};
pub(crate) use visitor::Wish;
pub(crate) use word_table::{VALUES, distinct_words, help_keys};

//! The members of a club, its settings, and the parsers of every line that a letter to the club may
//! contain.
//!
//! Pure: nothing here reads a clock, a file or a store, or knows the format of a letter.
//! `club.yaml` is passed in as text.

mod bot_lines;
mod bot_settings;
pub mod campaign;
pub mod clock;
mod club_command;
mod club_settings;
mod command_table;
mod consent;
mod digest_time;
mod game_info;
mod game_name;
mod intervention;
mod letter_style;
mod lexicon;
mod lobby_command;
mod member;
mod moderator_command;
mod moderators;
mod newcomer_request;
mod parsed_letter;
mod personal_data;
mod play_links;
pub(crate) mod press;
mod proposal;
mod published_seat;
mod punctuality;
mod reachability;
mod reserved_names;
mod seat_history;
mod seat_news;
mod seat_notes;
mod seat_offer;
mod setting_command;
mod site_settings;
mod undo_term;
mod unsubscribe;
pub mod vote;

pub(crate) use bot_lines::{bots_unread_message, parse_bot_levels};
pub use bot_settings::BotSettings;
pub use club_command::{ClubCommand, LetterLine, ParsedCommand, classify_line};
pub use club_settings::{PostgresSettings, Settings, SettingsError, StoreSettings, StrangerPolicy};
pub(crate) use command_table::{ARGUMENT_WORDS, help_sentence_keys, words_rare_in_prose};
pub(crate) use consent::{Consent, ConsentWords};
pub(crate) use game_info::PRACTICE_SILENCE_MAX;
pub use game_info::{
    ActivityEntry, ActivityEvent, Actor, CampaignTable, ClubInvitee, FormerPlayer, GameInfo,
};
pub use game_name::{GameName, GameNameError};
pub use intervention::{Intervention, Substitute};
pub use letter_style::{Colours, LetterStyle, NewsPreference};
pub use lexicon::{Doubts, Lexicon, Lexicons};
pub(crate) use lexicon::{Intents, LinePlace, RANK_VALID, Translator, strip_polite_words};
pub use lobby_command::{LobbyCommand, NewGameTerms};
pub(crate) use member::name_from_local_part;
pub use member::{
    DepartedMember, HintRequest, Member, SavedSeatData, SeatAssignment, SeatHint, SeatPeriod,
    UnreadNews, clean_name, parse_mailbox,
};
pub use moderator_command::{ModeratorCommand, ModeratorLineError, QuarantineCommand};
pub use moderators::{Moderator, Moderators};
pub(crate) use newcomer_request::NewcomerRequest;
pub(crate) use parsed_letter::parse_translated_lines;
pub use parsed_letter::{ParsedLetter, Question, parse_letter_lines};
pub(crate) use personal_data::PersonalDataEraser;
pub use play_links::PlayLinks;
pub(crate) use proposal::{PlayerWishes, Proposal, ProposalPlayer, SIDES_OPTION, SeatWish};
pub(crate) use published_seat::{PublishedMember, PublishedSeat, former_members_of_seat};
pub(crate) use punctuality::Punctuality;
pub(crate) use reachability::{BOUNCE_WINDOW, ReachabilityEffect, ReachabilityEvent};
pub use reachability::{Probe, Reachability, ReachabilityStatus};
pub(crate) use reserved_names::{ReservedNames, contains_web_address, is_name_available};
pub(crate) use seat_history::{HeldPeriod, held_periods};
pub(crate) use seat_news::SeatNews;
pub use seat_notes::{NOTE_CHARACTERS_MAX, NOTES_MAX, NoteCommand, Notes};
pub use seat_offer::SeatOffer;
pub use setting_command::{LineError, SettingCommand, parse_address_line};
pub use site_settings::{SiteSettings, SiteUrl};
pub(crate) use undo_term::is_undo_request;
pub use undo_term::{UndoTerm, UndoTermError};
pub(crate) use unsubscribe::{RefusalWords, any_line_refuses_letters};

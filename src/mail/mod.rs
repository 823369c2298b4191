//! Parses incoming letters and finds out who sent them; writes and sends the club's own letters.
//!
//! This module knows no games, members or storage. Callers pass the facts that it needs about them
//! as arguments.

pub(crate) mod address;
mod admission;
mod authentication;
mod automatic_mail;
mod bounce;
mod calendar_entry;
mod connection;
mod failure_cause;
mod fault_sentences;
pub mod fetch;
mod letter;
mod line_folding;
mod maildir;
mod mailto;
mod password_mask;
mod permanent_fault;
mod privacy_scan;
pub(crate) mod rate_limit;
mod reply;
mod reply_action;
pub mod settings;
mod token;
mod token_mask;
pub mod transport;
mod word_list;

pub use admission::{
    AdmissionVerdict, Authenticator, Credentials, MemberDirectory, is_club_address,
};
pub use authentication::{AuthenticationSummary, verify_dmarc};
pub(crate) use automatic_mail::{NoReplyReason, OWN_HEADER};
pub use bounce::{Bounce, FailedRecipient};
pub(crate) use calendar_entry::CalendarEntry;
pub use connection::Timeouts;
pub use failure_cause::FailureCause;
pub(crate) use fault_sentences::translate_fault;
pub use letter::{
    BYTES_MAX, BounceReport, HEAD_MAX, HeaderPreview, Letter, LetterError, LetterHash, Mailbox,
};
pub(crate) use letter::{first_header, letter_as_web_page};
pub use line_folding::{fold_line, strip_invisible};
pub(crate) use maildir::hash_suffixed_name;
pub use maildir::{MailFolder, Maildir, PendingLetter};
pub(crate) use mailto::{MailtoLetter, find_mailto_letters, mailto_link};
pub(crate) use password_mask::PasswordMask;
pub use permanent_fault::PermanentFault;
pub(crate) use privacy_scan::{find_addresses, has_reply_token};
pub use reply::{
    OrderLimitExceeded, OrderLines, WrittenLine, extract_order_lines, find_first_quoted_header,
    first_quoted_line, has_text_beside_footers, split_order_lines, written_lines,
};
pub(crate) use reply_action::{ReplyAction, UnsubscribeKind};
pub use token::{ClubSecret, ReplyToken, SeatToken, TokenGeneration, TokenPosition};
pub(crate) use token_mask::mask_tokens;

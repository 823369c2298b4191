//! Letters: bytes into what a person wrote and who it was, and words into the bytes of a letter.
//!
//! Nothing here knows games, members or where anything is kept: what mail needs of them comes in as
//! arguments.

mod admit;
mod authentication;
mod automatic;
mod bounce;
mod calendar;
mod cause;
mod connection;
mod discretion;
pub mod fetch;
mod fold;
mod letter;
mod maildir;
mod mailto;
mod mend;
mod own_words;
mod private;
pub(crate) mod rate_limit;
mod reply;
mod reply_action;
pub mod settings;
mod token;
mod token_mask;
pub mod transport;
mod word_list;

pub use admit::{Admitted, Authenticator, Credentials, Directory, is_own};
pub use authentication::{Checks, prove};
pub(crate) use automatic::{Automatic, OWN_MARK};
pub use bounce::{Bounce, Failed};
pub(crate) use calendar::Appointment;
pub use cause::Cause;
pub use connection::Patience;
pub(crate) use discretion::Discretion;
pub use fold::{fold, visible};
pub(crate) use letter::header;
pub use letter::{BYTES_MAX, Enclosed, HEAD_MAX, Letter, LetterHash, Mailbox, Outside, Unreadable};
pub(crate) use maildir::name_besides;
pub use maildir::{MailFolder, Maildir, Waiting};
pub(crate) use mailto::mailto;
pub use mend::Mend;
pub(crate) use own_words::told;
pub(crate) use private::{addresses_in, holds_mark};
pub use reply::{
    OrderLines, TooMuch, WrittenLine, first_quoted, order_lines, order_lines_besides,
    quoted_headers, written,
};
pub(crate) use reply_action::{ReplyAction, Stop};
pub use token::{ClubSecret, Generation, Position, Sealed, Token};
pub(crate) use token_mask::without_tokens;

//! Letters: bytes into what a person wrote and who it was, and words into the bytes of a letter.
//!
//! Nothing here knows games or where anything is kept.

mod admit;
mod authentication;
mod automatic;
mod bounce;
mod calendar;
pub mod courier;
mod discretion;
mod errand;
pub mod fetch;
mod fold;
mod letter;
mod maildir;
mod mailto;
pub mod manners;
mod private;
mod reply;
mod token;

pub use admit::{Admitted, Chair, Door, Roster};
pub use authentication::{Checks, Unproven, prove};
pub use automatic::{Automatic, OWN_MARK};
pub use bounce::{Bounce, Failed};
pub use calendar::Appointment;
pub use discretion::Discretion;
pub use errand::Errand;
pub use fold::{fold, visible};
pub use letter::{BYTES_MAX, Digest, Enclosed, HEAD_MAX, Letter, Mailbox, Unreadable};
pub use maildir::{Maildir, Tray, Waiting};
pub use mailto::mailto;
pub use private::{addresses_in, holds_mark};
pub use reply::{
    TooMuch, WrittenLine, first_quoted, order_lines, order_lines_besides, quoted_headers, written,
};
pub use token::{ClubSecret, Generation, Position, Sealed, Token};

//! What stands on the outside of a letter: enough to say where it waits. Proves nothing.

use super::HEAD_MAX;
use super::head::{Head, split};
use crate::mail::token::Token;

/// What can be seen of a letter that is not opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    /// The first address that it says it comes from, lower case.
    pub sender: Option<String>,
    /// The game that it bears the mark of, be it a true one or not.
    pub game: Option<u32>,
}

impl Outside {
    /// Looks at a letter to this club's address. Any bytes may come in.
    ///
    /// ```
    /// use postrider::mail::Outside;
    ///
    /// let bytes = b"From: Ann <Ann@example.org>\r\nTo: games+7.1.12.abcdefgh@example.org\r\n\r\n";
    /// let outside = Outside::of(bytes, "games@example.org");
    /// assert_eq!((outside.sender.as_deref(), outside.game), (Some("ann@example.org"), Some(7)));
    /// ```
    pub fn of(bytes: &[u8], club: &str) -> Self {
        let (head, _) = split(bytes);
        let head = Some(head).filter(|head| head.len() <= HEAD_MAX).and_then(Head::read);
        let Some(head) = head else { return Self::default() };
        let token = Token::among(&head.recipients, &head.subject, club);
        Self {
            sender: head.from.into_iter().next().map(|from| from.address),
            game: token.map(|token| token.what.game),
        }
    }
}

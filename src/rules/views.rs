//! What a game shows, and to whom.

use super::{Message, PictureStyle, Row, Rules, Scene, Seat, Suggestion};
use serde::Serialize;

/// What is shown of a game. Whoever writes letters reads this, and nothing else of a position:
/// views are built field by field, never stripped.
pub trait Views: Rules {
    /// What everyone may see.
    type PublicView: Serialize;
    /// What only one seat may see.
    type PrivateView: Serialize;

    /// What everyone may see.
    fn public(state: &Self::State) -> Self::PublicView;

    /// What only this seat may see.
    fn private(state: &Self::State, seat: Seat) -> Self::PrivateView;

    /// The board as text of at most 76 columns, with what `recent` changed marked.
    fn board(state: &Self::State, recent: &[Self::Event], charset: Charset) -> Vec<String>;

    /// The board as a picture, with what `recent` changed ringed: what everyone may see, and
    /// nothing else.
    fn scene(state: &Self::State, recent: &[Self::Event], style: PictureStyle) -> Scene;

    /// The whole position as everyone may see it, in words: complete enough to play by without a
    /// board, with what `recent` changed said to be new.
    fn in_words(state: &Self::State, recent: &[Self::Event]) -> Vec<Row>;

    /// What only this seat may see, in words; the same as the private view says.
    fn private_in_words(state: &Self::State, seat: Seat) -> Vec<Row>;

    /// Lines that the seat's player could send now, each legal as it stands: those that most
    /// players would think of, in groups, at most [`Suggestion::MAX`] and
    /// [`Suggestion::GROUP_MAX`] of a group. None for who is not awaited.
    fn suggestions(state: &Self::State, seat: Seat) -> Vec<Suggestion>;

    /// What one record's events mean to this viewer. `state` is any later state of the same game
    /// and serves to look up what never changes.
    fn narrate(state: &Self::State, events: &[Self::Event], viewer: Viewer) -> Vec<Message>;

    /// What of a seat only its player could see, or nobody could have read off the table, said to
    /// everyone once the game is over. It is asked for no earlier.
    fn revealed(state: &Self::State, seat: Seat) -> Vec<Message>;

    /// What is legal now, said to the seat's player.
    fn choices(state: &Self::State, seat: Seat) -> Vec<Message>;

    /// How much of the game is likely to lie behind, in hundredths, by what everyone can see: 100
    /// once it is over and not before. An estimate for who wonders how long a game will go on; no
    /// rule rests on it.
    fn progress(state: &Self::State) -> u8;
}

/// Whose eyes something is shown to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// Anyone: what all may see.
    Public,
    /// The player of a seat.
    Seat(Seat),
}

/// Which characters a reader's mail program shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Charset {
    /// Only the 95 printable characters of ASCII.
    #[default]
    Ascii,
    /// Box drawing and arrows as well.
    Unicode,
}

//! The views of a game: what it shows, and to whom.

use super::{Arg, Message, PictureStyle, PositionRow, Rules, Scene, Seat, Suggestion, Turn};
use serde_json::Value;

/// The views of a game. Letters show nothing of a position except these views.
///
/// Build each view field by field from what the viewer may see. Do not copy the state and remove
/// fields, because a field that is added later would then leak.
///
/// The argument `recent` of some views holds the events since the position that the reader saw
/// last.
pub trait Views: Rules {
    /// Returns the data that everyone may see, for the templates of letters.
    fn public_data(state: &Self::State) -> Value;

    /// Returns the data that only this seat may see, for the templates of letters.
    fn private_data(state: &Self::State, seat: Seat) -> Value;

    /// Draws the board as text of at most 76 columns. Marks the changes that the events `recent`
    /// made.
    fn draw_board_text(
        state: &Self::State,
        recent: &[Self::Event],
        charset: Charset,
    ) -> Vec<String>;

    /// Draws the board as a picture, from public information only. Marks the changes that the
    /// events `recent` made with rings.
    fn draw_board_picture(
        state: &Self::State,
        recent: &[Self::Event],
        style: PictureStyle,
    ) -> Scene;

    /// Describes the whole public position in words, so completely that a player needs no board.
    /// Says which parts the events `recent` changed.
    fn describe_position(state: &Self::State, recent: &[Self::Event]) -> Vec<PositionRow>;

    /// Describes in words the information that only this seat may see, with the content of
    /// `private_data`.
    fn describe_private_position(state: &Self::State, seat: Seat) -> Vec<PositionRow>;

    /// Returns lines that the seat's player could send now: those that most players would consider.
    /// Each is legal as it stands.
    ///
    /// There are at most [`Suggestion::MAX`] lines, and at most [`Suggestion::GROUP_MAX`] in a
    /// group. The list is empty if it is not the seat's turn.
    fn suggest_lines(state: &Self::State, seat: Seat) -> Vec<Suggestion>;

    /// Whether `narrate_group` describes two consecutive events together. The default is `false`.
    fn are_narrated_together(_: &Self::Event, _: &Self::Event) -> bool {
        false
    }

    /// Describes a group of events to this viewer. `state` may be any later state of the game, so
    /// use it only to look up facts that never change.
    fn narrate_group(state: &Self::State, events: &[Self::Event], viewer: Viewer) -> Vec<Message>;

    /// Describes the events of one record to this viewer.
    fn narrate_events(state: &Self::State, events: &[Self::Event], viewer: Viewer) -> Vec<Message> {
        let runs = events.chunk_by(Self::are_narrated_together);
        runs.flat_map(|run| Self::narrate_group(state, run, viewer)).collect()
    }

    /// Describes to everyone the information that this seat hid during the game. It is called only
    /// when the game is over.
    fn describe_revealed_secrets(state: &Self::State, seat: Seat) -> Vec<Message>;

    /// Lists for the seat's player what is legal now.
    fn describe_choices(state: &Self::State, seat: Seat) -> Vec<Message>;

    /// Estimates the progress of a game in play, from public information. Returns the number of
    /// parts that are played and the number of all parts. No rule depends on it.
    fn estimate_progress(state: &Self::State) -> (usize, usize);

    /// Returns the progress of the game in percent: 0 before the deal, and 100 only when the game
    /// is over.
    fn progress_percent(state: &Self::State) -> u8 {
        let (played, whole) = match Self::turn(state) {
            Turn::Over => return 100,
            Turn::Awaiting(seats) if seats.is_empty() => return 0,
            Turn::Awaiting(_) => Self::estimate_progress(state),
        };
        u8::try_from(played * 100 / whole.max(1)).unwrap_or(99).min(99)
    }
}

/// Returns the title of a board. The shipped definition's title becomes a term, which each language
/// translates. Any other title stays as the definition has it.
pub(crate) fn board_title(shipped: &str, title: &str, term: &'static str) -> Arg {
    let is_ours = |line: &str| {
        line.strip_prefix("title: ").is_some_and(|shipped| shipped.trim_matches('"') == title)
    };
    if shipped.lines().any(is_ours) { Arg::Term(term) } else { title.into() }
}

/// The reader that a view is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// Anybody. The view contains only public information.
    Public,
    /// The player of a seat. The view contains public information and that of the seat.
    Seat(Seat),
}

/// The characters that a reader's mail program can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Charset {
    /// Only the 95 printable characters of ASCII.
    #[default]
    Ascii,
    /// Box-drawing characters and arrows as well.
    Unicode,
}

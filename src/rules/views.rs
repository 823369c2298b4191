//! What a game shows, and to whom.

use super::{Arg, Message, PictureStyle, PositionRow, Rules, Scene, Seat, Suggestion, Turn};
use serde_json::Value;

/// The views of a game. Letters are written from these, and from nothing else of a position. Views
/// are built field by field, never stripped.
pub trait Views: Rules {
    /// Returns the data that everyone may see, for the templates.
    fn public_data(state: &Self::State) -> Value;

    /// Returns the data that only this seat may see, for the templates.
    fn private_data(state: &Self::State, seat: Seat) -> Value;

    /// The board as text of at most 76 columns, with what `recent` changed marked.
    fn draw_board(state: &Self::State, recent: &[Self::Event], charset: Charset) -> Vec<String>;

    /// The board as a picture, with what `recent` changed ringed: what everyone may see, and
    /// nothing else.
    fn draw_scene(state: &Self::State, recent: &[Self::Event], style: PictureStyle) -> Scene;

    /// The whole position as everyone may see it, in words: complete enough to play by without a
    /// board, with what `recent` changed said to be new.
    fn describe_position(state: &Self::State, recent: &[Self::Event]) -> Vec<PositionRow>;

    /// What only this seat may see, in words; the same as the private view says.
    fn describe_private_position(state: &Self::State, seat: Seat) -> Vec<PositionRow>;

    /// Lines that the seat's player could send now, each legal as it stands: those that most
    /// players would think of, in groups, at most [`Suggestion::MAX`] and
    /// [`Suggestion::GROUP_MAX`] of a group. None for who is not awaited.
    fn suggest_lines(state: &Self::State, seat: Seat) -> Vec<Suggestion>;

    /// Whether two events that follow each other are told together.
    fn are_narrated_together(_: &Self::Event, _: &Self::Event) -> bool {
        false
    }

    /// Tells this viewer of events that are told together. `state` is any later state of the same
    /// game and serves to look up what never changes.
    fn narrate_group(state: &Self::State, events: &[Self::Event], viewer: Viewer) -> Vec<Message>;

    /// Tells this viewer of the events of one record.
    fn narrate_events(state: &Self::State, events: &[Self::Event], viewer: Viewer) -> Vec<Message> {
        let runs = events.chunk_by(Self::are_narrated_together);
        runs.flat_map(|run| Self::narrate_group(state, run, viewer)).collect()
    }

    /// What of a seat only its player could see, or nobody could have read off the table, said to
    /// everyone once the game is over. It is asked for no earlier.
    fn reveal_secrets(state: &Self::State, seat: Seat) -> Vec<Message>;

    /// What is legal now, said to the seat's player.
    fn describe_choices(state: &Self::State, seat: Seat) -> Vec<Message>;

    /// Estimates how much of a game in play is over, by what everyone can see. Returns the parts
    /// that are played and the number of all parts. No rule depends on it.
    fn estimate_progress(state: &Self::State) -> (usize, usize);

    /// Returns the progress of the game in hundredths: 0 before the deal, and 100 if and only if
    /// the game is over.
    fn progress_percent(state: &Self::State) -> u8 {
        let (played, whole) = match Self::turn(state) {
            Turn::Over => return 100,
            Turn::Awaiting(seats) if seats.is_empty() => return 0,
            Turn::Awaiting(_) => Self::estimate_progress(state),
        };
        u8::try_from(played * 100 / whole.max(1)).unwrap_or(99).min(99)
    }
}

/// Returns the title of a board: a word of each language for the one that ships with the program,
/// and the definition's own title for any other.
pub(crate) fn board_title(shipped: &str, title: &str, term: &'static str) -> Arg {
    let is_ours = |line: &str| {
        line.strip_prefix("title: ").is_some_and(|shipped| shipped.trim_matches('"') == title)
    };
    if shipped.lines().any(is_ours) { Arg::Term(term) } else { title.into() }
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

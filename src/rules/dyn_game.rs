//! The object-safe form of a game, for code that serves all games alike.
//!
//! Events cross this interface as JSON text, in the form in which the log stores them.
//! [`game_kind`](super::game_kind) implements both traits for every [`Game`](super::Game), so a
//! game adds no code here.

use super::{
    BotLevel, Charset, Dice, FormExample, Message, PictureStyle, PlanStatus, PositionRow, Ranking,
    Refusal, Scene, Seat, Suggestion, Turn, Viewer, Vocabulary, WeighedLine, yaml,
};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// One event in the form of the log: the JSON text of the game's `Event`.
pub type EventText = Box<RawValue>;

/// The error for an event, a definition or options in a log that the rules of this program version
/// cannot read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {text}")]
pub struct UnreadableData {
    /// The error message of the JSON parser.
    pub(crate) what: String,
    /// The first 80 characters of the unreadable text.
    pub text: String,
}

impl UnreadableData {
    pub(super) fn new(error: &serde_json::Error, text: &RawValue) -> Self {
        Self { what: error.to_string(), text: text.get().chars().take(80).collect() }
    }

    /// Returns the error as a clause of a letter.
    pub(crate) fn to_message(&self) -> Message {
        let what = Message::new("fault-damage").with("what", self.what.as_str());
        what.with("text", self.text.as_str())
    }
}

/// The reason why a game cannot be founded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NewGameError {
    /// The definition is not valid YAML, or does not have the shape of this game's definitions.
    #[error("{0}")]
    Yaml(#[from] yaml::YamlError),
    /// The definition has the right shape, but its content is impossible.
    #[error("line {line}: {}", reason.key)]
    Definition {
        /// The fault in the definition, as letters say it.
        reason: Message,
        /// The line of the fault, from 1; 0 if it concerns the whole file.
        line: usize,
    },
    /// The game does not have this option, or the option cannot have this value.
    #[error("{said}")]
    Option {
        /// The message for a terminal, in English.
        said: String,
        /// The message for a letter, in the reader's language.
        message: Message,
    },
    /// The game does not allow this number of players.
    #[error("{kind} is for {least} to {most} players")]
    Seats {
        /// The game's ID, such as `paris-connection`.
        kind: &'static str,
        /// The smallest number of players.
        least: u8,
        /// The largest number of players.
        most: u8,
    },
    /// A stored definition or stored options that this program version cannot read.
    #[error(transparent)]
    Damage(#[from] UnreadableData),
}

impl NewGameError {
    /// Returns the error as a clause of a letter. The text of a YAML error stays in English,
    /// because YAML files come only from a terminal and never by letter.
    pub(crate) fn to_message(&self) -> Message {
        match self {
            Self::Yaml(error) => Message::new("fault-said").with("what", error.to_string()),
            Self::Definition { reason, .. } => reason.clone(),
            Self::Option { message: told, .. } => told.clone(),
            Self::Seats { least, most, .. } => {
                Message::new("lobby-seats").with("least", *least).with("most", *most)
            }
            Self::Damage(damage) => damage.to_message(),
        }
    }
}

/// An entry of the registry: a kind of game, from which games in play are made.
pub trait GameKind: Send + Sync {
    /// Returns the game's name in orders, file names and exports, such as `paris-connection`.
    fn id(&self) -> &'static str;
    /// Returns the version of the game's rules.
    fn version(&self) -> u32;
    /// Returns the range of player counts that the game allows.
    fn allowed_seat_counts(&self) -> RangeInclusive<u8>;
    /// Returns the definition that ships with the program, as YAML.
    fn shipped_definition(&self) -> &'static str;
    /// Returns the text files that the game brings: the path below `templates/` and the content.
    fn texts(&self) -> &'static [(&'static str, &'static str)];
    /// Checks a definition (YAML) and options (words by name) as a moderator writes them. Returns
    /// both as JSON, in the form in which the log stores them.
    ///
    /// # Errors
    /// The fault, with its line if it is in the definition.
    fn validate_and_convert_to_json(
        &self,
        definition: &str,
        options: &BTreeMap<String, String>,
        seats: u8,
    ) -> Result<(Box<RawValue>, Box<RawValue>), NewGameError>;
    /// Creates a game before the deal, from a stored definition and stored options.
    ///
    /// # Errors
    /// The stored definition or options do not pass the checks of this program version.
    fn new_game(
        &self,
        definition: &RawValue,
        options: &RawValue,
        seats: u8,
    ) -> Result<Box<dyn DynGame>, NewGameError>;
}

/// The result of one line of a letter.
#[derive(Debug)]
pub struct LineOutcome {
    pub(crate) events: Vec<EventText>,
    /// The index in `events` of the first event that disclosed something the player could not have
    /// known. From there on, chance or the hidden information of other seats decided the result.
    pub(crate) first_disclosure: Option<usize>,
    /// Notes to the player about how the line was read.
    pub remarks: Vec<Message>,
    /// The line in the game's own spelling, if all its orders are secret (see
    /// [`HiddenInfo::is_secret`](super::HiddenInfo::is_secret)).
    pub secret_line: Option<String>,
    /// Whether the line contains an order that is secret or that has hidden content, so that other
    /// players may not read the line.
    pub(crate) has_hidden_orders: bool,
}

impl Clone for Box<dyn DynGame> {
    fn clone(&self) -> Self {
        self.clone_box()
    }
}

/// One game in play, of any kind. See the traits of the typed game ([`Rules`](super::Rules),
/// [`OrderText`](super::OrderText), [`Views`](super::Views), [`HiddenInfo`](super::HiddenInfo)) for
/// details.
pub trait DynGame: Send + Sync {
    /// Returns a copy of the game.
    fn clone_box(&self) -> Box<dyn DynGame>;
    /// Deals the game. Applies the events of the deal and returns them.
    fn setup(&mut self, dice: &mut Dice) -> Vec<EventText>;
    /// Applies one event from the log.
    ///
    /// # Errors
    /// The JSON is not an event of this game.
    fn apply(&mut self, event: &RawValue) -> Result<(), UnreadableData>;
    /// Returns the seats that must act now, or that the game is over.
    fn turn(&self) -> Turn;
    /// Parses and judges one line of a letter, and applies its events. `unseen` holds the events
    /// since the position that the player saw when they wrote the line. After an error the position
    /// may be in the middle of the line, so keep a copy.
    ///
    /// # Errors
    /// The refusal, with the alternatives.
    fn judge_and_play_line(
        &mut self,
        seat: Seat,
        line: &str,
        unseen: &[EventText],
        dice: &mut Dice,
    ) -> Result<LineOutcome, Refusal>;
    /// Parses a line and returns it in the game's own spelling. Does not check whether its orders
    /// are legal, except for rules that concern the line as a whole.
    ///
    /// # Errors
    /// The expected forms, or the rule that the line breaks as a whole.
    fn normalize_line(&self, seat: Seat, line: &str) -> Result<String, Refusal>;
    /// Returns the words of this game's orders and plans, by which an order with a typo is
    /// distinguished from prose.
    fn vocabulary(&self, seat: Seat) -> Vocabulary;
    /// Returns a question if these lines of a letter could cost the player something by mistake.
    /// See [`OrderText::find_confirmation_question`](super::OrderText::find_confirmation_question).
    fn find_confirmation_question(
        &self,
        seat: Seat,
        lines: &[&str],
    ) -> Option<(Option<usize>, Refusal)>;
    /// Plays one random legal line, for a rehearsal. Returns the line and its events, or `None` if
    /// the seat has no legal order. `chooser` picks the orders, and `dice` are the game's own dice.
    fn play_random_line(
        &mut self,
        seat: Seat,
        chooser: &mut Dice,
        dice: &mut Dice,
    ) -> Option<(String, Vec<EventText>)>;
    /// Returns one line for each legal order. Parts that a player may omit are omitted.
    fn legal_lines(&self, seat: Seat) -> Vec<String>;
    /// Returns the forms of orders and plans in this game, with examples for this seat.
    fn forms(&self, seat: Seat) -> Vec<FormExample>;
    /// Reads a line as plans for later, each as the JSON that the store keeps. Returns `None` if
    /// the line is not a plan.
    fn parse_plan(&self, seat: Seat, line: &str)
    -> Option<Result<Vec<serde_json::Value>, Refusal>>;
    /// Moves the plans of one letter to the same turn if they belong together. Returns them in the
    /// same order.
    fn align_plans(&self, seat: Seat, letter: Vec<serde_json::Value>) -> Vec<serde_json::Value>;
    /// Adds the plans of another line to those of a letter, and returns all of them.
    ///
    /// # Errors
    /// The reason why two of them can never be used together.
    fn merge_plans(
        &self,
        letter: &[serde_json::Value],
        more: &[serde_json::Value],
    ) -> Result<Vec<serde_json::Value>, Refusal>;
    /// Returns whether a plan's condition is met. A plan that this program version cannot read is
    /// `Impossible`.
    fn plan_status(&self, seat: Seat, plan: &serde_json::Value) -> PlanStatus;
    /// Whether a plan belongs to the turn in which it was written.
    fn plan_continues_turn(&self, plan: &serde_json::Value) -> bool;
    /// Describes a plan to the player who wrote it. Returns `None` for a plan that this program
    /// version cannot read.
    fn describe_plan(&self, plan: &serde_json::Value) -> Option<Message>;
    /// Returns random lines of plans, for a rehearsal.
    fn random_plan_lines(&self, seat: Seat, chooser: &mut Dice) -> Vec<String>;
    /// Returns the only legal line, if there is exactly one.
    fn only_legal_line(&self, seat: Seat) -> Option<String>;
    /// Returns the only legal line, if the public view alone shows that it is the only one. The
    /// program may send it at once without disclosing anything.
    fn publicly_only_legal_line(&self, seat: Seat) -> Option<String>;
    /// Returns the line that the program sends for an absent player. Empty if it is not the seat's
    /// turn.
    fn line_for_absent_player(&self, seat: Seat) -> String;
    /// Returns the line that completes the seat's turn, if a letter stops here and the rest is
    /// obvious.
    fn implied_final_line(&self, seat: Seat) -> Option<String>;
    /// Lists for the seat's player what is legal now.
    fn describe_choices(&self, seat: Seat) -> Vec<Message>;
    /// Returns the seats by rank, best first.
    fn rankings(&self) -> Vec<Ranking>;
    /// Estimates the progress of the game, in percent: 0 before the deal, and 100 only when the
    /// game is over.
    fn progress_percent(&self) -> u8;
    /// Returns the data that everyone may see, for the templates of letters.
    fn public_data(&self) -> serde_json::Value;
    /// Returns the data that only this seat may see, for the templates of letters.
    fn private_data(&self, seat: Seat) -> serde_json::Value;
    /// Draws the board as text. Marks the changes that the events `recent` made.
    ///
    /// # Errors
    /// One of `recent` is not an event of this game.
    fn draw_board_text(
        &self,
        recent: &[EventText],
        charset: Charset,
    ) -> Result<Vec<String>, UnreadableData>;
    /// Draws the board as a picture. Marks the changes that the events `recent` made with rings.
    ///
    /// # Errors
    /// One of `recent` is not an event of this game.
    fn draw_board_picture(
        &self,
        recent: &[EventText],
        style: PictureStyle,
    ) -> Result<Scene, UnreadableData>;
    /// Describes the public position in words. Says which parts the events `recent` changed.
    ///
    /// # Errors
    /// One of `recent` is not an event of this game.
    fn describe_position(&self, recent: &[EventText]) -> Result<Vec<PositionRow>, UnreadableData>;
    /// Describes in words the information that only this seat may see.
    fn describe_private_position(&self, seat: Seat) -> Vec<PositionRow>;
    /// Returns legal lines that most players would consider now. Empty if it is not the seat's
    /// turn.
    fn suggest_lines(&self, seat: Seat) -> Vec<Suggestion>;
    /// Describes the events of one record to this viewer.
    ///
    /// # Errors
    /// One of `events` is not an event of this game.
    fn narrate_events(
        &self,
        events: &[EventText],
        viewer: Viewer,
    ) -> Result<Vec<Message>, UnreadableData>;
    /// Describes to everyone the information that this seat hid during the game. Call it only when
    /// the game is over.
    fn describe_revealed_secrets(&self, seat: Seat) -> Vec<Message>;
    /// Checks that every piece is in exactly one possible place.
    ///
    /// # Errors
    /// The piece that is missing or duplicated, for a developer.
    fn check_every_piece_placed(&self) -> Result<(), String>;
    /// Whether an event that this seat's order would cause now shows hidden information to anybody:
    /// to the seat itself or to the others. An order with such an event cannot be taken back.
    ///
    /// # Errors
    /// The JSON is not an event of this game.
    fn reveals_hidden(&self, event: &RawValue, seat: Seat) -> Result<bool, UnreadableData>;
    /// Returns the lines that a computer player of this level sends now. They depend only on the
    /// seat's knowledge and on the dice. Empty if it is not the seat's turn.
    fn choose_lines(&self, seat: Seat, level: BotLevel, dice: &mut Dice) -> Vec<String>;
    /// Returns the lines that a computer player of this level has compared, the best first. Empty
    /// if it is not the seat's turn.
    fn weigh_lines(&self, seat: Seat, level: BotLevel, dice: &mut Dice) -> Vec<WeighedLine>;
    /// Returns the line of a player who looks one line ahead. Returns `None` if it is not the
    /// seat's turn.
    fn greedy_line(&self, seat: Seat, dice: &mut Dice) -> Option<String>;
    /// Returns a game with a random hidden state that is consistent with the viewer's knowledge (a
    /// determinization).
    fn redeal(&self, viewer: Viewer, dice: &mut Dice) -> Box<dyn DynGame>;
    /// Returns the event in the form that it has in this game. This game is the result of `redeal`
    /// for the viewer, and the viewer must not be able to distinguish the result from `event`.
    ///
    /// # Errors
    /// The JSON is not an event of this game.
    fn event_in_determinization(
        &self,
        event: &RawValue,
        viewer: Viewer,
        dice: &mut Dice,
    ) -> Result<EventText, UnreadableData>;
}

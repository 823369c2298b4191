//! A game without its types, for the shell that serves every game alike.
//!
//! Events cross this face as JSON text, which is what the log keeps. A game adds nothing here.

use super::{
    Charset, Dice, FormExample, Message, PictureStyle, PlanStatus, PositionRow, Ranking, Refusal,
    Scene, Seat, Suggestion, Turn, Viewer, Vocabulary, yaml,
};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// An event as the log keeps it: the JSON of one game's `Event`.
pub type EventText = Box<RawValue>;

/// An event or a definition in a log that this program's rules cannot read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {text}")]
pub struct UnreadableData {
    /// What it was read as and why that failed.
    pub(crate) what: String,
    /// The beginning of what stands there.
    pub text: String,
}

impl UnreadableData {
    pub(super) fn new(error: &serde_json::Error, text: &RawValue) -> Self {
        Self { what: error.to_string(), text: text.get().chars().take(80).collect() }
    }

    /// The same as a clause of a letter.
    pub(crate) fn to_message(&self) -> Message {
        let what = Message::new("fault-damage").with("what", self.what.as_str());
        what.with("text", self.text.as_str())
    }
}

/// Why a game cannot be founded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NewGameError {
    /// The definition is no YAML, or not of this game's shape.
    #[error("{0}")]
    Yaml(#[from] yaml::YamlError),
    /// The definition has the right shape and says something that cannot be.
    #[error("line {line}: {}", reason.key)]
    Definition {
        /// What cannot be.
        reason: Message,
        /// Where, from 1; 0 when it is the whole.
        line: usize,
    },
    /// An option that this game does not have, or a value that it cannot take.
    #[error("{said}")]
    Option {
        /// The same on a terminal.
        said: String,
        /// The same in a letter.
        message: Message,
    },
    /// So many cannot play.
    #[error("{kind} is for {least} to {most} players")]
    Seats {
        /// The game's ID.
        kind: &'static str,
        /// The fewest who can play it.
        least: u8,
        /// The most who can play it.
        most: u8,
    },
    /// A stored game's definition or options that no longer pass.
    #[error(transparent)]
    Damage(#[from] UnreadableData),
}

impl NewGameError {
    /// The same as a clause of a letter. What a parser of YAML says of a file stays as it is: no
    /// letter brings a file.
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

/// A kind of game in the registry.
pub trait GameKind: Send + Sync {
    /// Its name in orders, file names and exports.
    fn id(&self) -> &'static str;
    /// The version of its rules.
    fn version(&self) -> u32;
    /// How many can play.
    fn seats(&self) -> RangeInclusive<u8>;
    /// The definition that ships with the program, as YAML.
    fn definition(&self) -> &'static str;
    /// Judges a definition and options as a moderator writes them, and gives both as the log keeps
    /// them.
    ///
    /// # Errors
    /// The line and what is wrong there.
    fn validate(
        &self,
        definition: &str,
        options: &BTreeMap<String, String>,
        seats: u8,
    ) -> Result<(Box<RawValue>, Box<RawValue>), NewGameError>;
    /// The empty table of a game with this definition and these options.
    ///
    /// # Errors
    /// When a stored definition no longer passes.
    fn new_game(
        &self,
        definition: &RawValue,
        options: &RawValue,
        seats: u8,
    ) -> Result<Box<dyn DynGame>, NewGameError>;
}

/// What one line of a letter led to.
#[derive(Debug)]
pub struct LineOutcome {
    /// The events that the orders led to, as JSON.
    pub(crate) events: Vec<EventText>,
    /// The place in `events` of the first that told the player what he could not have known: from
    /// there on it was for chance, or for what others hold or want.
    pub(crate) first_disclosure: Option<usize>,
    /// What the player should know about how the line was read.
    pub remarks: Vec<Message>,
    /// The line as the game writes it, if all that it changed is for its player's eyes only.
    pub secret_line: Option<String>,
    /// Whether some of what the line orders is for its player's eyes only, be it known or not that
    /// it was ordered.
    pub(crate) has_hidden_orders: bool,
}

impl Clone for Box<dyn DynGame> {
    fn clone(&self) -> Self {
        self.clone_box()
    }
}

/// One game being played, whatever its kind.
pub trait DynGame: Send + Sync {
    /// The same position again.
    fn clone_box(&self) -> Box<dyn DynGame>;
    /// Deals the game: gives the events and lets them happen.
    fn setup(&mut self, dice: &mut Dice) -> Vec<EventText>;
    /// Lets something happen that the log tells of.
    ///
    /// # Errors
    /// When it is no event of this game.
    fn apply(&mut self, event: &RawValue) -> Result<(), UnreadableData>;
    /// Who must act now.
    fn turn(&self) -> Turn;
    /// Reads, judges and carries out one line of a letter. `unseen` is what happened since the
    /// position that its writer saw. After an error this game stands in the middle of the line.
    ///
    /// # Errors
    /// Why not, and what instead.
    fn play_line(
        &mut self,
        seat: Seat,
        line: &str,
        unseen: &[EventText],
        dice: &mut Dice,
    ) -> Result<LineOutcome, Refusal>;
    /// Reads a line and says it as the game writes it; nothing is judged but what the line as a
    /// whole breaks.
    ///
    /// # Errors
    /// What would have been read instead, or the rule that it breaks.
    fn normalize_line(&self, seat: Seat, line: &str) -> Result<String, Refusal>;
    /// The words that its orders and plans are made of.
    fn vocabulary(&self, seat: Seat) -> Vocabulary;
    /// What a letter of these lines would cost its writer that he may not have meant: which line
    /// would, unless it is what they leave unsaid, and what he is asked.
    fn find_confirmation(&self, seat: Seat, lines: &[&str]) -> Option<(Option<usize>, Refusal)>;
    /// Plays one random legal line and says which.
    fn play_random_line(
        &mut self,
        seat: Seat,
        chooser: &mut Dice,
        dice: &mut Dice,
    ) -> Option<(String, Vec<EventText>)>;
    /// The lines that could be sent now as they are: one for each order that is legal, with what it
    /// leaves unsaid by default.
    fn legal_lines(&self, seat: Seat) -> Vec<String>;
    /// The ways of writing orders and plans in this game, with examples for this seat.
    fn forms(&self, seat: Seat) -> Vec<FormExample>;
    /// Reads a line as plans for later, each as the store keeps it; none when it is no plan.
    fn parse_plan(&self, seat: Seat, line: &str)
    -> Option<Result<Vec<serde_json::Value>, Refusal>>;
    /// The plans of a letter with more behind them.
    ///
    /// # Errors
    /// Why one of these can never be used beside one of those.
    fn merge_plans(
        &self,
        letter: &[serde_json::Value],
        more: &[serde_json::Value],
    ) -> Result<Vec<serde_json::Value>, Refusal>;
    /// Whether a plan's case has come; never for one that this program cannot read.
    fn plan_status(&self, seat: Seat, plan: &serde_json::Value) -> PlanStatus;
    /// The plan said back to its writer; nothing for one that this program cannot read.
    fn describe_plan(&self, plan: &serde_json::Value) -> Option<Message>;
    /// Lines of plans for a rehearsal.
    fn random_plans(&self, seat: Seat, chooser: &mut Dice) -> Vec<String>;
    /// The one line that is legal now, when there is only one.
    fn forced_line(&self, seat: Seat) -> Option<String>;
    /// The same, where everyone can see that there is only one.
    fn publicly_forced_line(&self, seat: Seat) -> Option<String>;
    /// The line that an absent player is taken to have sent.
    fn forfeit_line(&self, seat: Seat) -> String;
    /// The line that a letter of this seat is taken to end with, if it stops here.
    fn implied_final_line(&self, seat: Seat) -> Option<String>;
    /// What is legal now, said to the seat's player.
    fn describe_choices(&self, seat: Seat) -> Vec<Message>;
    /// Who stands where.
    fn rankings(&self) -> Vec<Ranking>;
    /// How much of the game is likely to lie behind, in hundredths.
    fn progress_percent(&self) -> u8;
    /// What everyone may see.
    fn public_data(&self) -> serde_json::Value;
    /// What only this seat may see.
    fn private_data(&self, seat: Seat) -> serde_json::Value;
    /// The board as text with what `recent` changed marked.
    ///
    /// # Errors
    /// When one of the events is none of this game.
    fn draw_board(
        &self,
        recent: &[EventText],
        charset: Charset,
    ) -> Result<Vec<String>, UnreadableData>;
    /// The board as a picture, with what `recent` changed ringed.
    ///
    /// # Errors
    /// When one of the events is none of this game.
    fn draw_scene(
        &self,
        recent: &[EventText],
        style: PictureStyle,
    ) -> Result<Scene, UnreadableData>;
    /// The position as everyone may see it, in words, with what `recent` changed said to be new.
    ///
    /// # Errors
    /// When one of the events is none of this game.
    fn describe_position(&self, recent: &[EventText]) -> Result<Vec<PositionRow>, UnreadableData>;
    /// What only this seat may see, in words.
    fn describe_private_position(&self, seat: Seat) -> Vec<PositionRow>;
    /// Lines that the seat's player could send now, those that most would think of.
    fn suggest_lines(&self, seat: Seat) -> Vec<Suggestion>;
    /// What one record's events mean to this viewer.
    ///
    /// # Errors
    /// When one of the events is none of this game.
    fn narrate_events(
        &self,
        events: &[EventText],
        viewer: Viewer,
    ) -> Result<Vec<Message>, UnreadableData>;
    /// What of a seat was hidden, said to everyone once the game is over.
    fn reveal_secrets(&self, seat: Seat) -> Vec<Message>;
    /// Whether every piece is where it can be.
    ///
    /// # Errors
    /// What is missing or double.
    fn audit_pieces(&self) -> Result<(), String>;
    /// Whether an event that this seat's order leads to here shows anybody something that lay
    /// hidden from him.
    ///
    /// # Errors
    /// When it is no event of this game.
    fn reveals_hidden(&self, event: &RawValue, seat: Seat) -> Result<bool, UnreadableData>;
    /// Another game that this viewer could not tell from this one.
    fn redeal(&self, viewer: Viewer, dice: &mut Dice) -> Box<dyn DynGame>;
    /// An event that this viewer could not tell from `event`, as it may have been where this game,
    /// which `redeal` gave the viewer, is how things stand.
    ///
    /// # Errors
    /// When it is no event of this game.
    fn redeal_event(
        &self,
        event: &RawValue,
        viewer: Viewer,
        dice: &mut Dice,
    ) -> Result<EventText, UnreadableData>;
}

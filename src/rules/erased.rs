//! The contract without its types, for the shell that serves every game alike.
//!
//! One generic adapter, [`Live`], is the only bridge; events cross it as JSON text, which is what
//! the log keeps. A game adds nothing here.

use super::{
    Charset, Dice, Fault, Follow, Message, Reading, Refusal, RefusalKind, Rules, Seat, Standing,
    Turn, Viewer, yaml,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// An event as the log keeps it: the JSON of one game's `Event`.
pub type EventText = Box<RawValue>;

/// An event or a definition in a log that this program's rules cannot read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {text}")]
pub struct Damage {
    /// What it was read as and why that failed.
    pub what: String,
    /// The beginning of what stands there.
    pub text: String,
}

impl Damage {
    fn new(error: &serde_json::Error, text: &RawValue) -> Self {
        Self { what: error.to_string(), text: text.get().chars().take(80).collect() }
    }
}

/// Why a game cannot be founded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
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
    #[error("{0}")]
    Option(String),
    /// So many cannot play.
    #[error("{kind} is for {least} to {most} players")]
    Seats {
        /// Which game.
        kind: &'static str,
        /// The fewest.
        least: u8,
        /// The most.
        most: u8,
    },
    /// A stored game's definition or options that no longer pass.
    #[error(transparent)]
    Damage(#[from] Damage),
}

/// A kind of game in the registry.
pub trait Kind: Send + Sync {
    /// Its name in orders, file names and exports.
    fn id(&self) -> &'static str;
    /// The version of its rules.
    fn version(&self) -> u32;
    /// How many can play.
    fn seats(&self) -> RangeInclusive<u8>;
    /// The definition that ships with the program, as YAML.
    fn definition(&self) -> &'static str;
    /// Checks a definition and options as a moderator writes them and gives both as the log keeps
    /// them.
    ///
    /// # Errors
    /// The line and what is wrong there.
    fn check(
        &self,
        definition: &str,
        options: &BTreeMap<String, String>,
        seats: u8,
    ) -> Result<(Box<RawValue>, Box<RawValue>), OpenError>;
    /// The empty table of a game with this definition and these options.
    ///
    /// # Errors
    /// When a stored definition no longer passes.
    fn open(
        &self,
        definition: &RawValue,
        options: &RawValue,
        seats: u8,
    ) -> Result<Box<dyn Match>, OpenError>;
}

/// What one line of a letter led to.
#[derive(Debug)]
pub struct Move {
    /// What happened.
    pub events: Vec<EventText>,
    /// The place in `events` of the first that told the player what he could not have known: from
    /// there on it was for chance, or for what others hold or want.
    pub disclosed: Option<usize>,
    /// What the player should know about how the line was read.
    pub remarks: Vec<Message>,
    /// The line as the game writes it, if all that it changed is for its player's eyes only.
    pub secret: Option<String>,
}

/// One game being played, whatever its kind.
pub trait Match: Send + Sync {
    /// The same position again.
    fn copy(&self) -> Box<dyn Match>;
    /// Deals the game: gives the events and lets them happen.
    fn setup(&mut self, dice: &mut Dice) -> Vec<EventText>;
    /// Lets something happen that the log tells of.
    ///
    /// # Errors
    /// When it is no event of this game.
    fn apply(&mut self, event: &RawValue) -> Result<(), Damage>;
    /// Who must act now.
    fn turn(&self) -> Turn;
    /// Reads, judges and carries out one line of a letter. `unseen` is what happened since the
    /// position that its writer saw. After an error this match stands in the middle of the line.
    ///
    /// # Errors
    /// Why not, and what instead.
    fn play(
        &mut self,
        seat: Seat,
        line: &str,
        unseen: &[EventText],
        dice: &mut Dice,
    ) -> Result<Move, Refusal>;
    /// Whether a line does not even begin like an order of this game.
    fn is_foreign(&self, seat: Seat, line: &str) -> bool;
    /// Plays one random legal line and says which.
    fn play_at_random(
        &mut self,
        seat: Seat,
        chooser: &mut Dice,
        dice: &mut Dice,
    ) -> Option<(String, Vec<EventText>)>;
    /// Reads a line as plans for later, each as the store keeps it; none when it is no plan.
    fn plan(&self, seat: Seat, line: &str) -> Option<Result<Vec<serde_json::Value>, Refusal>>;
    /// Whether a plan's case has come; never for one that this program cannot read.
    fn follow(&self, seat: Seat, plan: &serde_json::Value) -> Follow;
    /// The plan said back to its writer; nothing for one that this program cannot read.
    fn say_plan(&self, plan: &serde_json::Value) -> Option<Message>;
    /// Lines of plans for a rehearsal.
    fn plans_at_random(&self, seat: Seat, chooser: &mut Dice) -> Vec<String>;
    /// The one line that is legal now, when there is only one.
    fn forced(&self, seat: Seat) -> Option<String>;
    /// The same, where everyone can see that there is only one.
    fn openly_forced(&self, seat: Seat) -> Option<String>;
    /// The line that an absent player is taken to have sent.
    fn forfeit(&self, seat: Seat) -> String;
    /// The line that a letter of this seat is taken to end with, if it stops here.
    fn closing(&self, seat: Seat) -> Option<String>;
    /// What is legal now, said to the seat's player.
    fn choices(&self, seat: Seat) -> Vec<Message>;
    /// Who stands where.
    fn standings(&self) -> Vec<Standing>;
    /// How much of the game is likely to lie behind, in hundredths.
    fn progress(&self) -> u8;
    /// What everyone may see.
    fn public(&self) -> serde_json::Value;
    /// What only this seat may see.
    fn private(&self, seat: Seat) -> serde_json::Value;
    /// The board as text with what `recent` changed marked.
    ///
    /// # Errors
    /// When one of the events is none of this game.
    fn board(&self, recent: &[EventText], charset: Charset) -> Result<Vec<String>, Damage>;
    /// What one record's events mean to this viewer.
    ///
    /// # Errors
    /// When one of the events is none of this game.
    fn narrate(&self, events: &[EventText], viewer: Viewer) -> Result<Vec<Message>, Damage>;
    /// Whether every piece is where it can be.
    ///
    /// # Errors
    /// What is missing or double.
    fn audit(&self) -> Result<(), String>;
    /// Another match that this viewer could not tell from this one.
    fn reshuffle_hidden(&self, viewer: Viewer, dice: &mut Dice) -> Box<dyn Match>;
    /// An event that this viewer could not tell from `event`, as it may have been where this match,
    /// which `reshuffle_hidden` gave the viewer, is how things stand.
    ///
    /// # Errors
    /// When it is no event of this game.
    fn reshuffle_event(
        &self,
        event: &RawValue,
        viewer: Viewer,
        dice: &mut Dice,
    ) -> Result<EventText, Damage>;
}

/// The registry line of a game.
pub const fn entry<G: Rules>() -> &'static dyn Kind {
    &Registered::<G>(std::marker::PhantomData)
}

/// A game in the registry.
struct Registered<G>(std::marker::PhantomData<fn() -> G>);

/// A game being played: the adapter between its types and the shell.
struct Live<G: Rules> {
    state: G::State,
}

fn text<T: serde::Serialize>(value: &T) -> Box<RawValue> {
    // Events, definitions and options are plain derived data with string keys: they always have a
    // form.
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

fn typed<T: DeserializeOwned>(raw: &RawValue) -> Result<T, Damage> {
    serde_json::from_str(raw.get()).map_err(|error| Damage::new(&error, raw))
}

/// Options come from a command line or a letter as words: numbers and true/false are taken as such.
fn options_as_json(options: &BTreeMap<String, String>) -> serde_json::Value {
    options
        .iter()
        .map(|(name, word)| {
            let value = serde_json::from_str(word)
                .ok()
                .filter(|value: &serde_json::Value| value.is_number() || value.is_boolean())
                .unwrap_or_else(|| word.clone().into());
            (name.clone(), value)
        })
        .collect::<serde_json::Map<_, _>>()
        .into()
}

impl<G: Rules> Kind for Registered<G> {
    fn id(&self) -> &'static str {
        G::ID
    }

    fn version(&self) -> u32 {
        G::VERSION
    }

    fn seats(&self) -> RangeInclusive<u8> {
        G::SEATS
    }

    fn definition(&self) -> &'static str {
        G::DEFINITION
    }

    fn check(
        &self,
        definition: &str,
        options: &BTreeMap<String, String>,
        seats: u8,
    ) -> Result<(Box<RawValue>, Box<RawValue>), OpenError> {
        if !G::SEATS.contains(&seats) {
            let (least, most) = (*G::SEATS.start(), *G::SEATS.end());
            return Err(OpenError::Seats { kind: G::ID, least, most });
        }
        let read: G::Definition = yaml::read(definition)?;
        let options: G::Options = serde_json::from_value(options_as_json(options))
            .map_err(|error| OpenError::Option(error.to_string()))?;
        G::open(&read, &options, seats).map_err(|Fault { reason, near }| {
            let line = near.map_or(0, |near| yaml::line_of(definition, &near.text, near.nth));
            OpenError::Definition { reason, line }
        })?;
        Ok((text(&read), text(&options)))
    }

    fn open(
        &self,
        definition: &RawValue,
        options: &RawValue,
        seats: u8,
    ) -> Result<Box<dyn Match>, OpenError> {
        let state = G::open(&typed(definition)?, &typed(options)?, seats)
            .map_err(|fault| OpenError::Definition { reason: fault.reason, line: 0 })?;
        Ok(Box::new(Live::<G> { state }))
    }
}

impl<G: Rules> Live<G> {
    fn events(raw: &[EventText]) -> Result<Vec<G::Event>, Damage> {
        raw.iter().map(|event| typed(event)).collect()
    }

    fn happen(&mut self, events: Vec<G::Event>, told: &mut Vec<EventText>) {
        for event in events {
            G::apply(&mut self.state, &event);
            told.push(text(&event));
        }
    }

    /// The orders of one line, each chosen where the ones before it lead, until there is none or it
    /// is illegal; and whether they make a whole line.
    fn look_ahead(
        &self,
        seat: Seat,
        mut next: impl FnMut(&G::State) -> Option<G::Order>,
    ) -> (Vec<G::Order>, bool) {
        let mut ahead = self.state.clone();
        let mut orders = Vec::new();
        // Whatever chance the line meets is drawn when it is played: these dice are thrown away.
        let mut dice = Dice::new(&super::Seed::rehearsal(0), 0);
        while let Some(order) = next(&ahead) {
            let Ok(events) = G::decide(&ahead, seat, &order, &mut dice) else { break };
            events.iter().for_each(|event| G::apply(&mut ahead, event));
            orders.push(order);
            if G::is_whole_line(&ahead, &orders) {
                return (orders, true);
            }
        }
        (orders, false)
    }

    fn refuse_if_overtaken(unseen: &[EventText], orders: &[G::Order]) -> Result<(), Refusal> {
        // An event that cannot be read cannot be shown to be harmless either.
        let overtaken = Self::events(unseen).map_or(true, |events| {
            events.iter().any(|event| orders.iter().any(|order| G::overtakes(event, order)))
        });
        if overtaken { Err(Refusal::illegal(Message::new("overtaken"))) } else { Ok(()) }
    }
}

impl<G: Rules> Match for Live<G> {
    fn copy(&self) -> Box<dyn Match> {
        Box::new(Self { state: self.state.clone() })
    }

    fn setup(&mut self, dice: &mut Dice) -> Vec<EventText> {
        let mut told = Vec::new();
        let events = G::setup(&self.state, dice);
        self.happen(events, &mut told);
        told
    }

    fn apply(&mut self, event: &RawValue) -> Result<(), Damage> {
        G::apply(&mut self.state, &typed(event)?);
        Ok(())
    }

    fn turn(&self) -> Turn {
        G::turn(&self.state)
    }

    fn play(
        &mut self,
        seat: Seat,
        line: &str,
        unseen: &[EventText],
        dice: &mut Dice,
    ) -> Result<Move, Refusal> {
        let Reading { orders, remarks } = G::parse(&self.state, seat, line)?;
        if !unseen.is_empty() {
            Self::refuse_if_overtaken(unseen, &orders)?;
        }
        let secret = (!orders.is_empty() && orders.iter().all(G::is_secret))
            .then(|| G::write(&self.state, &orders));
        let mut done = Move { events: Vec::new(), disclosed: None, remarks, secret };
        for order in &orders {
            let (began, drawn) = (done.events.len(), dice.counter());
            for event in G::decide(&self.state, seat, order, dice)? {
                if done.disclosed.is_none() && G::discloses(&self.state, &event, seat) {
                    done.disclosed = Some(done.events.len());
                }
                self.happen(vec![event], &mut done.events);
            }
            // Where dice were thrown and no event owns to it, none of them is taken for certain.
            if done.disclosed.is_none() && dice.counter() != drawn {
                done.disclosed = Some(began);
            }
        }
        Ok(done)
    }

    fn is_foreign(&self, seat: Seat, line: &str) -> bool {
        G::parse(&self.state, seat, line).is_err_and(|refusal| refusal.kind == RefusalKind::Foreign)
    }

    fn play_at_random(
        &mut self,
        seat: Seat,
        chooser: &mut Dice,
        dice: &mut Dice,
    ) -> Option<(String, Vec<EventText>)> {
        let before = self.state.clone();
        let (mut orders, mut told) = (Vec::new(), Vec::new());
        loop {
            let order = chooser.pick(&G::legal(&self.state, seat))?.clone();
            let events = G::decide(&self.state, seat, &order, dice).ok()?;
            self.happen(events, &mut told);
            orders.push(order);
            if G::is_whole_line(&self.state, &orders) {
                return Some((G::write(&before, &orders), told));
            }
        }
    }

    fn plan(&self, seat: Seat, line: &str) -> Option<Result<Vec<serde_json::Value>, Refusal>> {
        let plans = G::plan(&self.state, seat, line)?;
        Some(plans.map(|plans| {
            // Plans are plain derived data with string keys: they always have a form.
            plans.iter().filter_map(|plan| serde_json::to_value(plan).ok()).collect()
        }))
    }

    fn follow(&self, seat: Seat, plan: &serde_json::Value) -> Follow {
        G::Plan::deserialize(plan).map_or(Follow::Never, |plan| G::follow(&self.state, seat, &plan))
    }

    fn say_plan(&self, plan: &serde_json::Value) -> Option<Message> {
        let plan = G::Plan::deserialize(plan).ok()?;
        Some(G::say_plan(&self.state, &plan))
    }

    fn plans_at_random(&self, seat: Seat, chooser: &mut Dice) -> Vec<String> {
        G::plans_at_random(&self.state, seat, chooser)
    }

    fn forced(&self, seat: Seat) -> Option<String> {
        let (orders, whole) =
            self.look_ahead(seat, |ahead| match G::legal(ahead, seat).as_slice() {
                [order] => Some(order.clone()),
                _ => None,
            });
        whole.then(|| G::write(&self.state, &orders))
    }

    fn openly_forced(&self, seat: Seat) -> Option<String> {
        let (orders, whole) = self.look_ahead(seat, |ahead| G::openly_forced(ahead, seat));
        whole.then(|| G::write(&self.state, &orders))
    }

    fn forfeit(&self, seat: Seat) -> String {
        let (orders, _) = self
            .look_ahead(seat, |ahead| G::turn(ahead).awaits(seat).then(|| G::forfeit(ahead, seat)));
        G::write(&self.state, &orders)
    }

    fn closing(&self, seat: Seat) -> Option<String> {
        G::closing(&self.state, seat).map(|order| G::write(&self.state, &[order]))
    }

    fn choices(&self, seat: Seat) -> Vec<Message> {
        G::choices(&self.state, seat)
    }

    fn standings(&self) -> Vec<Standing> {
        G::standings(&self.state)
    }

    fn progress(&self) -> u8 {
        G::progress(&self.state)
    }

    fn public(&self) -> serde_json::Value {
        serde_json::to_value(G::public(&self.state)).unwrap_or_default()
    }

    fn private(&self, seat: Seat) -> serde_json::Value {
        serde_json::to_value(G::private(&self.state, seat)).unwrap_or_default()
    }

    fn board(&self, recent: &[EventText], charset: Charset) -> Result<Vec<String>, Damage> {
        Ok(G::board(&self.state, &Self::events(recent)?, charset))
    }

    fn narrate(&self, events: &[EventText], viewer: Viewer) -> Result<Vec<Message>, Damage> {
        Ok(G::narrate(&self.state, &Self::events(events)?, viewer))
    }

    fn audit(&self) -> Result<(), String> {
        G::audit(&self.state)
    }

    fn reshuffle_hidden(&self, viewer: Viewer, dice: &mut Dice) -> Box<dyn Match> {
        Box::new(Self { state: G::reshuffle_hidden(&self.state, viewer, dice) })
    }

    fn reshuffle_event(
        &self,
        event: &RawValue,
        viewer: Viewer,
        dice: &mut Dice,
    ) -> Result<EventText, Damage> {
        Ok(text(&G::reshuffle_event(&self.state, &typed(event)?, viewer, dice)))
    }
}

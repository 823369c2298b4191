//! The only bridge between a game's types and the shell: one generic adapter, for all games.

use super::{
    Charset, Damage, Dice, DynGame, EventText, Fault, Follow, FormLine, Game, Kind, Message, Move,
    OpenError, PictureStyle, Plans, Reading, Refusal, Row, Scene, Seat, Standing, Suggestion, Turn,
    Viewer, Vocabulary, unused_dice, yaml,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// A game without its types, as the registry and the table know it.
pub const fn entry<G: Game>() -> &'static dyn Kind {
    &Registered::<G>(std::marker::PhantomData)
}

/// A game in the registry.
struct Registered<G>(std::marker::PhantomData<fn() -> G>);

/// A game being played: the adapter between its types and the shell.
struct Adapter<G: Game> {
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

impl<G: Game> Kind for Registered<G> {
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

    fn validate(
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
        let options: G::Options =
            serde_json::from_value(options_as_json(options)).map_err(|error| {
                let error = error.to_string();
                OpenError::Option { said: yaml::of_shape(&error), told: yaml::of_option(&error) }
            })?;
        G::open(&read, &options, seats).map_err(|Fault { reason, near }| {
            let line = near.map_or(0, |(text, nth)| yaml::line_of(definition, &text, nth));
            OpenError::Definition { reason, line }
        })?;
        Ok((text(&read), text(&options)))
    }

    fn open(
        &self,
        definition: &RawValue,
        options: &RawValue,
        seats: u8,
    ) -> Result<Box<dyn DynGame>, OpenError> {
        let state = G::open(&typed(definition)?, &typed(options)?, seats)
            .map_err(|fault| OpenError::Definition { reason: fault.reason, line: 0 })?;
        Ok(Box::new(Adapter::<G> { state }))
    }
}

impl<G: Game> Adapter<G> {
    fn events(raw: &[EventText]) -> Result<Vec<G::Event>, Damage> {
        raw.iter().map(|event| typed(event)).collect()
    }

    fn happen(&mut self, events: Vec<G::Event>, told: &mut Vec<EventText>) {
        for event in events {
            G::apply(&mut self.state, &event);
            told.push(text(&event));
        }
    }

    /// Returns the line of the orders that are chosen one after the other, each where the ones
    /// before it lead, until there is none or it is illegal; and whether they make a whole line.
    fn look_ahead(
        &self,
        seat: Seat,
        mut next: impl FnMut(&G::State) -> Option<G::Order>,
    ) -> (String, bool) {
        let mut ahead = self.state.clone();
        let mut orders = Vec::new();
        let (mut dice, mut is_whole) = (unused_dice(), false);
        while !is_whole
            && let Some(order) = next(&ahead)
            && G::advance(&mut ahead, seat, &order, &mut dice).is_ok()
        {
            orders.push(order);
            is_whole = G::is_whole_line(&ahead, &orders);
        }
        (G::write(&self.state, &orders), is_whole)
    }

    fn refuse_if_overtaken(unseen: &[EventText], orders: &[G::Order]) -> Result<(), Refusal> {
        // An event that cannot be read cannot be shown to be harmless either.
        let overtaken = Self::events(unseen).map_or(true, |events| {
            events.iter().any(|event| orders.iter().any(|order| G::overtakes(event, order)))
        });
        if overtaken { Err(Refusal::illegal(Message::new("overtaken"))) } else { Ok(()) }
    }
}

/// Plans as the store keeps them.
fn kept<P: serde::Serialize>(plans: &[P]) -> Vec<serde_json::Value> {
    // Plans are plain derived data with string keys: they always have a form.
    plans.iter().filter_map(|plan| serde_json::to_value(plan).ok()).collect()
}

impl<G: Game> DynGame for Adapter<G> {
    fn copy(&self) -> Box<dyn DynGame> {
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
        let hides = orders.iter().any(|order| G::is_secret(order) || G::is_covert(order));
        let mut done = Move { events: Vec::new(), disclosed: None, remarks, secret, hides };
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

    fn doubt(&self, seat: Seat, lines: &[&str]) -> Option<(Option<usize>, Refusal)> {
        G::doubt(&self.state, seat, lines)
    }

    fn read(&self, seat: Seat, line: &str) -> Result<String, Refusal> {
        let reading = G::parse(&self.state, seat, line)?;
        Ok(G::write(&self.state, &reading.orders))
    }

    fn vocabulary(&self, seat: Seat) -> Vocabulary {
        let plans = G::Plan::GRAMMAR.words();
        Vocabulary::new(G::GRAMMAR.words(), plans, &G::names(&self.state), &self.forms(seat))
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

    fn legal(&self, seat: Seat) -> Vec<String> {
        let orders = G::legal(&self.state, seat);
        orders.into_iter().map(|order| G::write(&self.state, &[order])).collect()
    }

    fn forms(&self, seat: Seat) -> Vec<FormLine> {
        let mut forms = G::GRAMMAR.lines(&self.state, Some(seat));
        forms.extend(G::Plan::GRAMMAR.lines(&self.state, Some(seat)));
        forms
    }

    fn plan(&self, seat: Seat, line: &str) -> Option<Result<Vec<serde_json::Value>, Refusal>> {
        let plans = G::Plan::read(&self.state, seat, line)?;
        Some(plans.map(|plans| kept(&plans)))
    }

    fn join_plans(
        &self,
        letter: &[serde_json::Value],
        more: &[serde_json::Value],
    ) -> Result<Vec<serde_json::Value>, Refusal> {
        let typed = |plans: &[serde_json::Value]| -> Vec<G::Plan> {
            plans.iter().filter_map(|plan| G::Plan::deserialize(plan).ok()).collect()
        };
        let mut letter = typed(letter);
        for plan in typed(more) {
            plan.join(&self.state, &mut letter)?;
        }
        Ok(kept(&letter))
    }

    fn follow(&self, seat: Seat, plan: &serde_json::Value) -> Follow {
        match G::Plan::deserialize(plan) {
            Ok(plan) => plan.follow(&self.state, seat),
            Err(_) => Follow::Never(Message::new("plan-unreadable")),
        }
    }

    fn say_plan(&self, plan: &serde_json::Value) -> Option<Message> {
        let plan = G::Plan::deserialize(plan).ok()?;
        Some(plan.say(&self.state))
    }

    fn plans_at_random(&self, seat: Seat, chooser: &mut Dice) -> Vec<String> {
        G::Plan::at_random(&self.state, seat, chooser)
    }

    fn forced(&self, seat: Seat) -> Option<String> {
        let (line, whole) = self.look_ahead(seat, |ahead| match G::legal(ahead, seat).as_slice() {
            [order] => Some(order.clone()),
            _ => None,
        });
        whole.then_some(line)
    }

    fn openly_forced(&self, seat: Seat) -> Option<String> {
        let (line, whole) = self.look_ahead(seat, |ahead| G::openly_forced(ahead, seat));
        whole.then_some(line)
    }

    fn forfeit(&self, seat: Seat) -> String {
        let forfeit = |ahead: &_| G::turn(ahead).awaits(seat).then(|| G::forfeit(ahead, seat));
        self.look_ahead(seat, forfeit).0
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
        G::public(&self.state)
    }

    fn private(&self, seat: Seat) -> serde_json::Value {
        G::private(&self.state, seat)
    }

    fn board(&self, recent: &[EventText], charset: Charset) -> Result<Vec<String>, Damage> {
        Ok(G::board(&self.state, &Self::events(recent)?, charset))
    }

    fn scene(&self, recent: &[EventText], style: PictureStyle) -> Result<Scene, Damage> {
        Ok(G::scene(&self.state, &Self::events(recent)?, style))
    }

    fn in_words(&self, recent: &[EventText]) -> Result<Vec<Row>, Damage> {
        Ok(G::in_words(&self.state, &Self::events(recent)?))
    }

    fn private_in_words(&self, seat: Seat) -> Vec<Row> {
        G::private_in_words(&self.state, seat)
    }

    fn suggestions(&self, seat: Seat) -> Vec<Suggestion> {
        G::suggestions(&self.state, seat)
    }

    fn narrate(&self, events: &[EventText], viewer: Viewer) -> Result<Vec<Message>, Damage> {
        Ok(G::narrate(&self.state, &Self::events(events)?, viewer))
    }

    fn revealed(&self, seat: Seat) -> Vec<Message> {
        G::revealed(&self.state, seat)
    }

    fn audit(&self) -> Result<(), String> {
        G::audit(&self.state)
    }

    fn turns_up(&self, event: &RawValue, seat: Seat) -> Result<bool, Damage> {
        let event = typed(event)?;
        Ok(G::discloses(&self.state, &event, seat) || G::turns_up(&self.state, &event))
    }

    fn redeal(&self, viewer: Viewer, dice: &mut Dice) -> Box<dyn DynGame> {
        Box::new(Self { state: G::redeal(&self.state, viewer, dice) })
    }

    fn redeal_event(
        &self,
        event: &RawValue,
        viewer: Viewer,
        dice: &mut Dice,
    ) -> Result<EventText, Damage> {
        Ok(text(&G::redeal_event(&self.state, &typed(event)?, viewer, dice)))
    }
}

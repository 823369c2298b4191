//! What is drawn for a seed: a game with options, who plays it, how letters are made, who looks.

use postrider::games::GAMES;
use postrider::rules::{Dice, GameKind, Seat, Seed, Viewer};
use std::collections::BTreeMap;

/// Who plays, by seat.
pub const NAMES: [&str; 6] = ["Ann", "Bob", "Cid", "Dot", "Eve", "Fay"];
/// Who watches, and plays nothing.
pub const OBSERVER: &str = "Wat";
/// The moderator's address.
pub const MODERATOR: &str = "mod@club.example";

/// Values of options that no refusal of a wrong one names.
const KNOWN_OPTION_VALUES: [(&str, &[&str]); 3] = [
    ("stall_after_trades", &["0", "6", "20"]),
    ("wishes", &["south", "east,north", "west,south,east"]),
    ("length", &["very_short", "short", "medium", "long"]),
];

/// How letters can be made, as members write it: first what changes nothing but how they look.
pub const STYLE_SETTINGS: [&str; 19] = [
    "letters text",
    "letters html",
    "letters picture off",
    "letters picture on",
    "board narrow",
    "board wide",
    "board unicode",
    "board ascii",
    "colours patterns",
    "colours off",
    "calendar on",
    "subjects steady",
    "letters all",
    "letters turns",
    "letters digest",
    "letters digest 18:00",
    "letters each",
    "language es",
    "zone Europe/Madrid",
];
/// How many of them change only how letters look.
pub const APPEARANCE_SETTINGS: usize = 12;

/// What a seed has drawn.
pub struct DrawnSetup {
    /// The seed.
    pub seed: u64,
    /// The game.
    pub kind: &'static dyn GameKind,
    /// How many play.
    pub seats: u8,
    /// What was chosen of it.
    pub options: BTreeMap<String, String>,
    /// club.yaml.
    pub settings: String,
    /// Whose letters are compared, besides the watcher's and the moderator's.
    pub viewer: Viewer,
    /// How members want letters, from the beginning: who, and the line.
    pub styles: Vec<(&'static str, &'static str)>,
    /// What the same people play besides, so that letters about both are one where they want that.
    pub second_game: Option<&'static dyn GameKind>,
    /// Whether the moderator may read what is said in private.
    pub moderator_reads: bool,
    /// Whether something is done for who lets his time go by, by which no hand shows.
    pub forfeits: bool,
}

impl DrawnSetup {
    /// What this seed draws for this game.
    pub fn draw(kind: &'static dyn GameKind, seed: u64) -> Self {
        let place = GAMES.iter().position(|known| known.id() == kind.id()).unwrap_or_default();
        let mut dice = Dice::new(&Seed::from_number(seed * 8 + place as u64), 0);
        // Each option in its turn, whatever the dice say of the others.
        let all = option_choices(kind);
        let (name, value) = &all[seed as usize % all.len().max(1)];
        let chosen = [(name.clone(), value.clone())].into();
        let seats: Vec<u8> = kind.seats().filter(|&seats| can_open(kind, &chosen, seats)).collect();
        let seats = *dice.pick(&seats).expect("so many can play it");
        let options = draw_options(kind, &all, chosen, seats, &mut dice);
        let viewer = match dice.below(u32::from(seats) + 1) {
            0 => Viewer::Public,
            seat => Viewer::Seat(Seat::new(u8::try_from(seat).unwrap_or(1))),
        };
        let moderator_reads = dice.below(6) == 0;
        let has_clock = dice.below(3) > 0;
        let settings = draw_settings(&mut dice, moderator_reads, has_clock);
        let mut styles = Vec::new();
        for name in NAMES.into_iter().take(seats.into()).chain([OBSERVER]) {
            let own = 2 + 5 * u32::from(name_of_viewer(viewer) != name);
            styles.extend(
                STYLE_SETTINGS
                    .into_iter()
                    .filter(|_| dice.below(own + 3) == 0)
                    .map(|line| (name, line)),
            );
        }
        let forfeits = settings.contains("nmr: forfeit");
        let others = GAMES.iter().copied().filter(|kind| kind.seats().contains(&seats));
        let others: Vec<&'static dyn GameKind> = others.collect();
        let besides = dice.pick(&others).copied().filter(|_| dice.below(3) == 0);
        if besides.is_some() && viewer != Viewer::Public {
            let digest = if dice.below(2) == 0 { "letters digest" } else { "letters digest 18:00" };
            styles.push((name_of_viewer(viewer), digest));
        }
        Self {
            seed,
            kind,
            seats,
            options,
            settings,
            viewer,
            styles,
            second_game: besides,
            moderator_reads,
            forfeits,
        }
    }

    /// The seat that is looked from; none for a watcher.
    pub fn viewer_seat(&self) -> Option<Seat> {
        match self.viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Public => None,
        }
    }

    /// Who looks.
    pub fn viewer_name(&self) -> &'static str {
        name_of_viewer(self.viewer)
    }
}

/// Who looks so.
fn name_of_viewer(viewer: Viewer) -> &'static str {
    match viewer {
        Viewer::Seat(seat) => NAMES[seat.index()],
        Viewer::Public => OBSERVER,
    }
}

/// Where somebody is.
pub fn address(name: &str) -> String {
    format!("{}@mail.example", name.to_lowercase())
}

fn draw_settings(dice: &mut Dice, moderator_reads: bool, has_clock: bool) -> String {
    let mut text = format!(
        "name: The Twin Club\naddress: games@club.example\n\
         moderator: {{name: Mod, address: {MODERATOR}}}\nstrangers: join\n\
         answers_per_hour: 200\npictures: {}\n",
        dice.below(3) > 0
    );
    let mut add = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    add(["digest: off", "digest: 06:00"][dice.below(2) as usize]);
    if dice.below(5) == 0 {
        add("plus_addressing: false");
    }
    if dice.below(5) == 0 {
        add("language: es");
    }
    if moderator_reads {
        add("press: {moderator_reads: true}");
    } else if dice.below(3) == 0 {
        add("press: {anonymous: true}");
    }
    if has_clock {
        let clocks = [
            "clock: {deadline: 2 days, reminders: [12 hours], nmr: forfeit}",
            "clock: {deadline: 2 days, nmr: wait}",
            "clock: {deadline: 2 days, grace: 6 hours, bank: 2 days, nmr: forfeit, open_after: 2}",
            "clock: {deadline: 2 days, nmr: stand-in}",
        ];
        add(clocks[dice.below(4) as usize]);
    }
    if dice.below(4) == 0 {
        add("undo: off");
    }
    text
}

fn draw_options(
    kind: &dyn GameKind,
    all: &[(String, String)],
    first: BTreeMap<String, String>,
    seats: u8,
    dice: &mut Dice,
) -> BTreeMap<String, String> {
    let mut options = first;
    for (name, value) in all {
        if options.contains_key(name) || dice.below(6) > 0 {
            continue;
        }
        let mut more = options.clone();
        more.insert(name.clone(), value.clone());
        if can_open(kind, &more, seats) {
            options = more;
        }
    }
    options
}

fn can_open(kind: &dyn GameKind, options: &BTreeMap<String, String>, seats: u8) -> bool {
    let founding = kind.validate(kind.definition(), options, seats);
    founding.is_ok_and(|(definition, options)| kind.new_game(&definition, &options, seats).is_ok())
}

/// Every value of every option, found out from the options themselves: from how none is written,
/// and how a wrong one is refused.
pub fn option_choices(kind: &dyn GameKind) -> Vec<(String, String)> {
    let seats = *kind.seats().end();
    let (_, usual) =
        kind.validate(kind.definition(), &BTreeMap::new(), seats).expect("it can be played");
    let usual: BTreeMap<String, serde_json::Value> =
        serde_json::from_str(usual.get()).expect("options are a map");
    let mut all = Vec::new();
    for (name, value) in usual {
        let given = KNOWN_OPTION_VALUES.iter().find(|(given, _)| *given == name);
        let values: Vec<String> = match (given, value.is_boolean()) {
            (Some((_, values)), _) => values.iter().map(|value| (*value).to_owned()).collect(),
            (None, true) => vec!["true".to_owned(), "false".to_owned()],
            (None, false) => values_named_by_refusal(kind, &name),
        };
        assert!(!values.is_empty(), "{}: nothing tells what {name} can be", kind.id());
        all.extend(values.into_iter().map(|value| (name.clone(), value)));
    }
    all
}

/// The values that the refusal of a wrong one names.
fn values_named_by_refusal(kind: &dyn GameKind, name: &str) -> Vec<String> {
    let wrong = [(name.to_owned(), "no such value".to_owned())].into();
    let refused = kind.validate(kind.definition(), &wrong, *kind.seats().end());
    let said = refused.err().map(|error| error.to_string()).unwrap_or_default();
    let known = said.split_once("use one of: ").map_or("", |(_, known)| known);
    known.trim_end_matches(')').split(", ").filter(|v| !v.is_empty()).map(str::to_owned).collect()
}

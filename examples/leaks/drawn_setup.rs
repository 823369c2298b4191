//! The random setup of one seed: a game with options, its players, the club's settings, the format
//! of letters, and the viewer.

use postrider::games::GAMES;
use postrider::rules::{Dice, GameKind, Seat, Seed, Viewer};
use std::collections::BTreeMap;

/// The players' names, by seat.
pub const NAMES: [&str; 6] = ["Ann", "Bob", "Cid", "Dot", "Eve", "Fay"];
/// The name of the observer. Observers have no seat.
pub const OBSERVER: &str = "Wat";
/// The moderator's address.
pub const MODERATOR: &str = "mod@club.example";

/// Values of options that accept more values than the refusal of a wrong value names.
const KNOWN_OPTION_VALUES: [(&str, &[&str]); 3] = [
    ("stall_after_trades", &["0", "6", "20"]),
    ("wishes", &["south", "east,north", "west,south,east"]),
    ("length", &["very_short", "short", "medium", "long"]),
];

/// Settings of letters, as members write them. The first [`APPEARANCE_SETTINGS`] change only the
/// format of letters.
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
/// The number of settings that change only the format of letters. The others also change when
/// letters are sent.
pub const APPEARANCE_SETTINGS: usize = 12;

/// The setup that was drawn for a seed.
pub struct DrawnSetup {
    pub seed: u64,
    pub kind: &'static dyn GameKind,
    /// The number of players.
    pub seats: u8,
    /// The chosen options of the game.
    pub options: BTreeMap<String, String>,
    /// The content of `club.yaml`.
    pub settings: String,
    /// The viewer, whose letters are compared besides those of the observer and the moderator.
    pub viewer: Viewer,
    /// The settings of letters that members have from the beginning: a name and a line.
    pub styles: Vec<(&'static str, &'static str)>,
    /// A second game of the same players, so that their letters can be merged into digests.
    pub second_game: Option<&'static dyn GameKind>,
    /// Whether the moderator may read private messages.
    pub moderator_reads: bool,
    /// Whether a player who misses a deadline forfeits the turn. A forfeit discloses no hidden
    /// information.
    pub forfeits: bool,
    /// Whether a bot plays for a player who misses a deadline. Its turn discloses what the player
    /// knows, so only the viewer misses one.
    pub has_bots: bool,
}

impl DrawnSetup {
    /// Draws the setup for a game and a seed.
    pub fn draw(kind: &'static dyn GameKind, seed: u64) -> Self {
        let place = GAMES.iter().position(|known| known.id() == kind.id()).unwrap_or_default();
        let mut dice = Dice::new(&Seed::from_number(seed * 8 + place as u64), 0);
        // The seed chooses one value of an option in turn, so that a range of seeds plays all
        // values.
        let all = option_choices(kind);
        let (name, value) = &all[seed as usize % all.len().max(1)];
        let chosen = [(name.clone(), value.clone())].into();
        let seats: Vec<u8> =
            kind.allowed_seat_counts().filter(|&seats| can_open(kind, &chosen, seats)).collect();
        let seats = *dice.pick(&seats).expect("so many can play it");
        let options = draw_options(kind, &all, chosen, seats, &mut dice);
        let viewer = match dice.roll_below(u32::from(seats) + 1) {
            0 => Viewer::Public,
            seat => Viewer::Seat(Seat::new(u8::try_from(seat).unwrap_or(1))),
        };
        let moderator_reads = dice.roll_below(6) == 0;
        let has_clock = dice.roll_below(3) > 0;
        let settings = draw_settings(&mut dice, moderator_reads, has_clock);
        let mut styles = Vec::new();
        for name in NAMES.into_iter().take(seats.into()).chain([OBSERVER]) {
            let own = 2 + 5 * u32::from(name_of_viewer(viewer) != name);
            styles.extend(
                STYLE_SETTINGS
                    .into_iter()
                    .filter(|_| dice.roll_below(own + 3) == 0)
                    .map(|line| (name, line)),
            );
        }
        let (forfeits, has_bots) =
            (settings.contains("nmr: forfeit"), settings.contains("nmr: bot"));
        // The web site of half of the clubs names a player.
        styles.extend(
            NAMES.first().filter(|_| seed.is_multiple_of(2)).map(|name| (*name, "site name")),
        );
        let others =
            GAMES.iter().copied().filter(|kind| kind.allowed_seat_counts().contains(&seats));
        let others: Vec<&'static dyn GameKind> = others.collect();
        let besides = dice.pick(&others).copied().filter(|_| dice.roll_below(3) == 0);
        if besides.is_some() && viewer != Viewer::Public {
            let digest =
                if dice.roll_below(2) == 0 { "letters digest" } else { "letters digest 18:00" };
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
            has_bots,
        }
    }

    /// The viewer's seat. `None` if the viewer is the observer.
    pub fn viewer_seat(&self) -> Option<Seat> {
        match self.viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Public => None,
        }
    }

    /// The viewer's name.
    pub fn viewer_name(&self) -> &'static str {
        name_of_viewer(self.viewer)
    }
}

fn name_of_viewer(viewer: Viewer) -> &'static str {
    match viewer {
        Viewer::Seat(seat) => NAMES[seat.index()],
        Viewer::Public => OBSERVER,
    }
}

/// The address of the person with this name.
pub fn address(name: &str) -> String {
    format!("{}@mail.example", name.to_lowercase())
}

fn draw_settings(dice: &mut Dice, moderator_reads: bool, has_clock: bool) -> String {
    let mut text = format!(
        "name: The Twin Club\naddress: games@club.example\n\
         moderator: {{name: Mod, address: {MODERATOR}}}\nstrangers: join\n\
         site: {{url: \"https://club.example/\"}}\nanswers_per_hour: 200\npictures: {}\n",
        dice.roll_below(3) > 0
    );
    let mut add = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    add(["digest: off", "digest: 06:00"][dice.roll_below(2) as usize]);
    if dice.roll_below(5) == 0 {
        add("plus_addressing: false");
    }
    if dice.roll_below(5) == 0 {
        add("language: es");
    }
    if moderator_reads {
        add("press: {moderator_reads: true}");
    } else if dice.roll_below(3) == 0 {
        add("press: {anonymous: true}");
    }
    if has_clock {
        let clocks = [
            "clock: {deadline: 2 days, reminders: [12 hours], nmr: forfeit}",
            "clock: {deadline: 2 days, nmr: wait}",
            "clock: {deadline: 2 days, grace: 6 hours, bank: 2 days, nmr: forfeit, open_after: 2}",
            "clock: {deadline: 2 days, nmr: stand-in}",
            "clock: {deadline: 2 days, nmr: bot}",
            "clock: {deadline: 1 day, bank: 1 day, nmr: bot}",
        ];
        add(clocks[dice.roll_below(6) as usize]);
    }
    if dice.roll_below(4) == 0 {
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
        if options.contains_key(name) || dice.roll_below(6) > 0 {
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
    let founding = kind.validate_and_convert_to_json(kind.shipped_definition(), options, seats);
    founding.is_ok_and(|(definition, options)| kind.new_game(&definition, &options, seats).is_ok())
}

/// Returns every option with every value. The options are known from the defaults, and their values
/// from the refusal of a wrong one.
pub fn option_choices(kind: &dyn GameKind) -> Vec<(String, String)> {
    let seats = *kind.allowed_seat_counts().end();
    let (_, usual) = kind
        .validate_and_convert_to_json(kind.shipped_definition(), &BTreeMap::new(), seats)
        .expect("it can be played");
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
        assert!(!values.is_empty(), "{}: the values of {name} are unknown", kind.id());
        all.extend(values.into_iter().map(|value| (name.clone(), value)));
    }
    all
}

/// Returns the valid values that the refusal of a wrong value names.
fn values_named_by_refusal(kind: &dyn GameKind, name: &str) -> Vec<String> {
    let wrong = [(name.to_owned(), "no such value".to_owned())].into();
    let refused = kind.validate_and_convert_to_json(
        kind.shipped_definition(),
        &wrong,
        *kind.allowed_seat_counts().end(),
    );
    let said = refused.err().map(|error| error.to_string()).unwrap_or_default();
    let known = said.split_once("use one of: ").map_or("", |(_, known)| known);
    known.trim_end_matches(')').split(", ").filter(|v| !v.is_empty()).map(str::to_owned).collect()
}

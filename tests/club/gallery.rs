//! A letter of every kind, as it is posted, for whoever wants to look at them: `tests/browser/run`
//! opens each in a browser.
//!
//! With POSTRIDER_LETTERS=folder they are written there, a file each.

use crate::campaign;
use crate::playthroughs;
use crate::rig::moderator::{MOD, from_elsewhere, mod_is_known, mod_writes, paris};
use crate::rig::{Club, NAMES, Posted, address, all_to};
use mail_parser::{MessageParser, MimeHeaders, PartType};
use postrider::games::kind;
use postrider::process;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The games that are shown at their beginning, in the middle and at their end.
const GAMES: [&str; 6] = [
    "paris-connection-3",
    "paris-connection-6",
    "trick-of-the-rails-4",
    "trick-of-the-rails-5",
    "off-the-rails-1",
    "off-the-rails-3",
];

/// Those that are shown in Spanish too.
const SPANISH_GAMES: [&str; 3] = ["paris-connection-6", "trick-of-the-rails-4", "off-the-rails-3"];

/// Letters by the names of their files.
#[derive(Default)]
struct Gallery {
    shown: Vec<(String, Posted)>,
}

impl Gallery {
    fn show(&mut self, name: &str, letter: &Posted) {
        self.shown.push((name.to_owned(), letter.clone()));
    }

    /// What each of these readers got last.
    fn show_all(&mut self, name: &str, letters: &[Posted]) {
        assert!(!letters.is_empty(), "{name}: no letter");
        let mut shown = BTreeSet::new();
        for letter in letters.iter().rev().filter(|letter| shown.insert(letter.to.clone())) {
            let reader = letter.to.split('@').next().unwrap_or_default();
            self.show(&format!("{name}-to-{reader}"), letter);
        }
    }
}

/// Has the next letters drawn, or not: it takes its time where nothing is optimised.
fn draws(club: &Club, on: bool) {
    let path = club.folder().join("club.yaml");
    let text = fs::read_to_string(&path).expect("club.yaml");
    let is = |on: bool| format!("pictures: {on}\n");
    fs::write(&path, text.replace(&is(!on), &is(on))).expect("club.yaml");
}

/// What came of a pass with pictures.
fn drawn(club: &mut Club) -> Vec<Posted> {
    draws(club, true);
    let (_, letters) = club.pass();
    draws(club, false);
    letters
}

/// A whole game as it is written down: its beginning, what follows half of its letters, its end.
fn game(gallery: &mut Gallery, playthrough: &str, language: Option<&str>) {
    let (mut club, letters) = playthroughs::of_file(playthrough);
    let writers: BTreeSet<&String> = letters.iter().map(|(from, _)| from).collect();
    if let Some(tag) = language {
        writers.iter().for_each(|name| club.wants(name, &format!("language {tag}")));
    }
    let name = language.map_or(playthrough.to_owned(), |tag| format!("{tag}-{playthrough}"));
    let first = drawn(&mut club);
    gallery.show_all(&format!("{name}-1-begins"), &first[..first.len().min(2)]);
    let mut last = Vec::new();
    for (at, (from, body)) in letters.iter().enumerate() {
        club.writes(from, body);
        let is_shown = at == letters.len() / 2 || at + 1 == letters.len();
        let posted = if is_shown { drawn(&mut club) } else { club.pass().1 };
        if is_shown && at + 1 < letters.len() {
            gallery.show_all(&format!("{name}-2-goes-on"), &posted);
        }
        last = posted;
    }
    gallery.show_all(&format!("{name}-3-ends"), &last[last.len().saturating_sub(2)..]);
}

/// What a player may ask, and what he is told of what he writes.
fn answers(gallery: &mut Gallery) {
    for (game, order, wrong) in [
        ("paris-connection", "build red G23, Troyes", "build red A1"),
        ("trick-of-the-rails", "play PRR 1", "play everything"),
        ("off-the-rails", "done", "move w from here to there"),
    ] {
        let mut club = Club::session("clock: {deadline: 4 days}\n", game, 3, 2);
        let whose = NAMES.iter().find(|name| club.last_text(name).contains("It is your turn."));
        let ann = (*whose.unwrap_or(&"Ann")).to_owned();
        let preview = format!("preview\n{order}");
        for (name, body) in [
            ("refused", wrong),
            ("previewed", &*preview),
            ("rules", "rules\nhelp"),
            ("history", "history\nsettings\nlegal"),
            ("nothing-written", ""),
        ] {
            club.writes(&ann, body);
            let letters = drawn(&mut club);
            gallery.show_all(&format!("{game}-{name}"), &letters);
        }
        for wish in ["colours patterns", "colours off", "letters picture off", "board narrow"] {
            club.writes(&ann, &format!("{wish}\nboard\nstatus"));
            let letters = drawn(&mut club);
            gallery.show_all(&format!("{game}-{}", wish.replace(' ', "-")), &letters);
        }
    }
}

/// What players say to each other, decide together, and are told of by the clock.
fn talk(gallery: &mut Gallery) {
    let mut club = Club::paris("clock: {deadline: 2 days, reminders: [12 hours]}\n");
    club.writes("Bob", "say A long word: Donaudampfschifffahrtselektrizitaetenhauptbetriebswerk\n");
    gallery.show_all("talk", &drawn(&mut club));
    club.writes("Cid", "tell Ann We two against Bob?");
    gallery.show_all("talk-private", &drawn(&mut club));
    club.writes("Bob", "vote pause\n");
    gallery.show_all("vote", &drawn(&mut club));
    club.now += chrono::TimeDelta::hours(34);
    gallery.show_all("reminder", &drawn(&mut club));
    club.now += chrono::TimeDelta::hours(24);
    gallery.show_all("missed", &drawn(&mut club));
    club.writes("Ann", "resign");
    gallery.show_all("resigns", &drawn(&mut club));
}

/// Several games in one letter, watching, and finding a game.
fn club_life(gallery: &mut Gallery) {
    let mut club = Club::with("strangers: join\n");
    ["paris-connection", "trick-of-the-rails", "off-the-rails"].iter().for_each(|game| {
        club.found(kind(game).expect("it ships"), 3, 7);
    });
    club.pass();
    process::set_member(&club.context(), &address("Bob"), "letters digest").expect("set");
    club.writes("Ann", "say All three games begin today");
    let first = club.pigeon.posted[0].clone();
    club.arrives(club.reply_to("Ann", &first, "build red G23, Troyes"));
    club.arrives(club.reply_to("Cid", &club.pigeon.posted[5].clone(), "say Hello"));
    gallery.show_all("digest", &all(&drawn(&mut club), "Bob"));
    for (name, who, line) in [
        ("proposed", "Ann", "new paris-connection seats 4 deadline 3d"),
        ("games", "Bob", "games"),
        ("joined", "Cid", "join 4"),
        ("joined-not", "Cid", "join 77"),
    ] {
        club.writes(who, line);
        gallery.show_all(name, &drawn(&mut club));
    }
    invites(gallery, &mut club);
    stranger(&mut club, None, "Hello, how does this work?");
    gallery.show_all("stranger", &drawn(&mut club));
    let list = club.pigeon.posted.last().cloned();
    stranger(&mut club, list.as_ref(), "join 4");
    gallery.show_all("stranger-joins", &drawn(&mut club));
    let asked = club.pigeon.posted.last().cloned();
    stranger(&mut club, asked.as_ref(), "yes\nname Zoe Miller");
    gallery.show_all("stranger-is-in", &drawn(&mut club));
    let welcome = club.pigeon.posted.last().cloned();
    stranger(&mut club, welcome.as_ref(), "watch 1");
    gallery.show_all("watches", &drawn(&mut club));
}

/// Somebody who puts a game on the table asks a friend to it, who is no member.
fn invites(gallery: &mut Gallery, club: &mut Club) {
    club.writes("Ann", "invite 4 dot@example.org");
    let letters = drawn(club);
    gallery.show_all("invites", &letters);
    gallery.show_all("invited", &all(&letters, "Dot"));
}

/// The standings of a season, in which one game is over.
fn season(gallery: &mut Gallery) {
    let mut club = Club::new();
    let season = campaign::small_season(&club.context());
    gallery.show_all("season-begins", &drawn(&mut club)[..1]);
    campaign::play_out(&club.context(), 1);
    drawn(&mut club);
    let context = club.context();
    let stands = process::season(&context, &season).expect("it stands");
    process::mail_standings(&context, &season, &stands).expect("queued");
    drop(context);
    gallery.show_all("standings", &drawn(&mut club)[..1]);
}

/// A club whose links carry no mark.
fn by_answer(gallery: &mut Gallery) {
    let mut club = Club::paris("admission: token\n");
    draws(&club, true);
    club.writes("Ann", "board");
    gallery.show_all("links-without-marks", &drawn(&mut club));
}

/// Letters in Spanish, of each game and of the house.
fn in_spanish(gallery: &mut Gallery) {
    for game in ["paris-connection", "trick-of-the-rails", "off-the-rails"] {
        let mut club = Club::with("language: es\nclock: {deadline: 4 days}\n");
        draws(&club, true);
        club.found(kind(game).expect("it ships"), 3, 2);
        gallery.show_all(&format!("spanish-{game}"), &drawn(&mut club));
        for (name, body) in
            [("refused", "construir"), ("asked", "ayuda\najustes"), ("games", "partidas")]
        {
            club.writes("Ann", body);
            gallery.show_all(&format!("spanish-{game}-{name}"), &drawn(&mut club));
        }
    }
}

fn all(letters: &[Posted], who: &str) -> Vec<Posted> {
    all_to(letters, who).into_iter().cloned().collect()
}

fn stranger(club: &mut Club, to: Option<&Posted>, body: &str) {
    let reply = to.and_then(|to| to.header("Reply-To"));
    let to = reply.unwrap_or_else(|| "games@example.org".to_owned());
    let id = club.arrived_id("stranger");
    let head =
        format!("From: Zoe <zoe@home.example>\r\nTo: {to}\r\nMessage-ID: {id}\r\nSubject: x\r\n");
    club.arrives(format!("{head}\r\n{}\r\n", body.replace('\n', "\r\n")));
}

/// The moderator's letters.
fn moderator(gallery: &mut Gallery) {
    let mut club = Club::with("digest: 06:00\nclock: {deadline: 20 hours, nmr: wait}\n");
    for seed in [7, 2] {
        paris(&mut club, seed);
    }
    club.pass();
    mod_is_known(&mut club);
    for (name, body) in [
        ("list", "list"),
        ("help", "help"),
        ("show", "show 1\nlog 1"),
        ("does", "pause 1 because the server moves"),
        ("wrong", "rewind everything"),
    ] {
        mod_writes(&mut club, body);
        gallery.show_all(&format!("moderator-{name}"), &all(&drawn(&mut club), MOD));
    }
    from_elsewhere(&mut club, "Ann", "build red G23, Troyes");
    draws(&club, true);
    let morning: Vec<Posted> = (0..24).flat_map(|_| club.pass().1).collect();
    let morning = all(&morning, MOD).into_iter().filter(|letter| letter.says("is in quarantine;"));
    gallery.show_all("moderator-morning", &morning.collect::<Vec<_>>());
}

fn every_kind() -> Vec<(String, Posted)> {
    let mut gallery = Gallery::default();
    GAMES.iter().for_each(|name| game(&mut gallery, name, None));
    SPANISH_GAMES.iter().for_each(|name| game(&mut gallery, name, Some("es")));
    answers(&mut gallery);
    talk(&mut gallery);
    club_life(&mut gallery);
    moderator(&mut gallery);
    season(&mut gallery);
    by_answer(&mut gallery);
    in_spanish(&mut gallery);
    gallery.shown
}

/// How the parts of a letter lie in each other, as mail programs read it.
fn tree(letter: &Posted) -> String {
    fn of(message: &mail_parser::Message<'_>, at: u32) -> String {
        let Some(part) = message.parts.get(at as usize) else { return "?".to_owned() };
        let kind = part.content_type().map_or_else(String::new, |kind| {
            format!("{}/{}", kind.ctype(), kind.subtype().unwrap_or_default())
        });
        match &part.body {
            PartType::Multipart(parts) => {
                let parts: Vec<String> = parts.iter().map(|&at| of(message, at)).collect();
                format!("{kind}({})", parts.join(" "))
            }
            _ => kind,
        }
    }
    of(&MessageParser::default().parse(&letter.bytes).expect("a letter"), 0)
}

/// Mail programs cut what is long, and phones pay for it; who asks for the rules wants them all.
fn is_small(name: &str, letter: &Posted) {
    if ["digest", "-rules-", "-asked-"].iter().any(|asked| name.contains(asked)) {
        return;
    }
    let message = MessageParser::default().parse(&letter.bytes).expect("a letter");
    let bodies = message.html_bodies().chain(message.text_bodies());
    let words: usize = bodies.map(|part| part.text_contents().map_or(0, str::len)).sum();
    assert!(words <= 20 * 1024, "{name}: {words} bytes of HTML and text");
    assert!(letter.bytes.len() <= 75 * 1024, "{name}: {} bytes", letter.bytes.len());
}

#[test]
#[ignore = "a browser's: tests/browser/run"]
fn letters_of_every_kind_are_there_to_be_looked_at() {
    let folder = std::env::var("POSTRIDER_LETTERS").expect("POSTRIDER_LETTERS names a folder");
    let letters = every_kind();
    let alone = ["text/plain".to_owned(), "multipart/alternative(text/plain text/html)".to_owned()];
    // A board, the scores of a game that is over, three boards of a letter about several games.
    let drawn = (1..=3).map(|pictures| {
        let parts = format!("text/html{}", " image/png".repeat(pictures));
        format!("multipart/alternative(text/plain multipart/related({parts}))")
    });
    let trees: Vec<String> = alone.into_iter().chain(drawn).collect();
    let mut met = BTreeSet::new();
    for (name, letter) in &letters {
        let tree = tree(letter);
        assert!(trees.contains(&tree), "{name}: {tree}");
        met.insert(tree);
        is_small(name, letter);
        fs::write(Path::new(&folder).join(format!("{name}.eml")), &letter.bytes).expect("written");
    }
    let names: BTreeSet<&String> = letters.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), letters.len(), "no letter takes another's file");
    assert!(met.len() >= 3, "{met:?}");
}

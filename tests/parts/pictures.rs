//! Boards as pictures: each game in the middle, as it is drawn into letters, beside what was looked
//! at and kept in `tests/pictures`. `POSTRIDER_DRAW=1` draws them anew.

use postrider::games::GAMES;
use postrider::picture::{png, svg};
use postrider::render::Library;
use postrider::rules::{
    Dice, DynGame, EventText, Ink, Message, PictureStyle, Scene, Seed, Shape, Turn, Words,
};
use std::collections::BTreeMap;
use std::path::Path;

/// The most bytes of a picture: with its letter it has to pass everywhere.
const BYTES_MAX: usize = 40_000;

/// A game of this kind in the middle, and what its last three moves led to. Uniform players hardly
/// ever build, so each takes the longest of a few lines.
fn played(id: &str, seats: u8, moves: usize) -> (Box<dyn DynGame>, Vec<EventText>) {
    let kind = GAMES.iter().find(|kind| kind.id() == id).expect("a game");
    let (definition, options) =
        kind.validate(kind.definition(), &BTreeMap::new(), seats).expect("it passes");
    let mut game = kind.open(&definition, &options, seats).expect("it opens");
    let mut dice = Dice::new(&Seed::rehearsal(7), 0);
    let mut chooser = Dice::new(&Seed::rehearsal(8), 0);
    game.setup(&mut dice);
    let mut recent = Vec::new();
    for at in 0..moves {
        let Turn::Awaiting(awaited) = game.turn() else { break };
        let mut best: Option<(usize, Box<dyn DynGame>, Vec<EventText>)> = None;
        for _ in 0..4 {
            let (mut ahead, mut dice) = (game.copy(), Dice::new(&Seed::rehearsal(at as u64), 0));
            let played = ahead.play_at_random(awaited[0], &mut chooser, &mut dice);
            let (line, events) = played.expect("there is a move");
            if best.as_ref().is_none_or(|(longest, ..)| line.len() > *longest) {
                best = Some((line.len(), ahead, events));
            }
        }
        let (_, ahead, events) = best.expect("a move");
        game = ahead;
        if at + 3 >= moves {
            recent.extend(events);
        }
    }
    (game, recent)
}

#[test]
fn every_game_is_drawn_as_it_was_looked_at() {
    let library = Library::embedded().expect("it loads");
    let language = library.language("en");
    let say =
        |message: &_| language.say_of(message, &["Ann", "Bob", "Cid", "Dee"].map(String::from));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures");
    let games = [
        ("paris-connection", 3, 45),
        ("trick-of-the-rails", 4, 38),
        ("off-the-rails", 3, 60),
        ("off-the-rails", 1, 40),
    ];
    for (id, seats, moves) in games {
        let (game, recent) = played(id, seats, moves);
        for (word, patterns) in [("", false), ("-patterns", true)] {
            let scene = game.scene(&recent, PictureStyle { patterns }).expect("it draws");
            let drawn = png(&scene, &say).expect("a picture");

            assert!(drawn.len() <= BYTES_MAX, "{id}: {} bytes", drawn.len());
            assert_eq!(Some(&drawn), png(&scene, &say).as_ref(), "{id}: drawn twice");
            let file = folder.join(format!("{id}-{seats}{word}.png"));
            if std::env::var_os("POSTRIDER_DRAW").is_some() {
                std::fs::write(&file, &drawn).expect("it is written");
            }
            let kept = std::fs::read(&file).unwrap_or_else(|error| panic!("{file:?}: {error}"));
            assert!(drawn == kept, "{id} looks otherwise: see tests/parts/pictures.rs");
            // The same as SVG: every word that is drawn stands in it, and nothing is loaded.
            let svg = svg(&scene, &say);
            let texts = scene.shapes.iter().filter(|s| matches!(s, Shape::Text { .. })).count();
            assert_eq!(svg.matches("<text ").count(), texts);
            assert!(!svg.contains("href") && svg.matches("http").count() == 1, "{id}");
        }
    }
}

#[test]
fn what_is_new_is_ringed_and_nothing_else_changes() {
    for (id, seats) in [("paris-connection", 3), ("trick-of-the-rails", 4), ("off-the-rails", 1)] {
        let (game, recent) = played(id, seats, 20);
        let style = PictureStyle::default();
        let [plain, marked] = [&[], &recent[..]].map(|new| game.scene(new, style).expect("drawn"));
        let added: Vec<_> = marked.shapes.iter().filter(|s| !plain.shapes.contains(s)).collect();
        assert!(!added.is_empty(), "{id}");
        assert!(added.iter().all(|shape| matches!(shape, Shape::Line { .. })), "{id}: {added:?}");
    }
}

#[test]
fn what_a_picture_says_has_its_room_in_every_language() {
    let library = Library::embedded().expect("it loads");
    let names = ["Ann", "Bob", "Cid", "Dee"].map(String::from);
    for tag in library.tags() {
        let say = |message: &_| library.language(tag).say_of(message, &names);
        for (id, seats) in
            [("paris-connection", 3), ("trick-of-the-rails", 4), ("off-the-rails", 3)]
        {
            let (game, recent) = played(id, seats, 38);
            let scene = game.scene(&recent, PictureStyle::default()).expect("it draws");
            for shape in scene.shapes {
                let Shape::Text { size, words: Words::Said(said), .. } = &shape else { continue };
                let alone = Scene { shapes: vec![shape.clone()], ..Scene::new(100, Ink::PAPER) };
                let drawn = svg(&alone, &say);
                let whole = format!("font-size=\"{size}\"");
                assert!(drawn.contains(&whole), "{tag}, {id}: too long: {}", say(said));
            }
        }
    }
}

#[test]
fn a_name_that_is_too_long_is_written_smaller_and_then_cut() {
    let written = |name: &str| {
        let mut scene = Scene::new(100, Ink::PAPER);
        scene.write(((10, 50), 130), 20, Ink::DARK, Message::new("of"));
        svg(&scene, &|_| name.to_owned())
    };
    for (name, size, text) in [
        ("Zoë Łukasz", 20, "Zoë Łukasz"),
        ("Дмитрий", 20, "Дмитрий"),
        ("Maximiliane Ann", 15, "Maximiliane Ann"),
        ("Wolfeschlegelsteinhausen", 14, "Wolfeschlegelst…"),
        // No letters of the font.
        ("王", 20, "?"),
    ] {
        let drawn = written(name);
        let whole = format!("font-size=\"{size}\"");
        assert!(drawn.contains(&whole) && drawn.contains(&format!(">{text}<")), "{drawn}");
    }
}

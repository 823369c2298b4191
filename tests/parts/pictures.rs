//! Tests of the board pictures. Each game is drawn in mid-game as in letters, and compared, pixel
//! by pixel, with the picture in `tests/pictures` that a person has checked. `POSTRIDER_DRAW=1`
//! draws these pictures again.

use postrider::games::GAMES;
use postrider::picture::{render_png, render_svg};
use postrider::render::Library;
use postrider::rules::{
    Dice, DynGame, EventText, FONT_SIZE_MIN, Ink, Message, PictureStyle, Scene, SceneText, Seed,
    Shape, Turn,
};
use std::collections::BTreeMap;
use std::path::Path;

/// The largest permitted picture, in bytes, so that mail servers accept its letter.
const BYTES_MAX: usize = 40_000;

/// The largest permitted SVG on the web site, in bytes.
const SVG_BYTES_MAX: usize = 30_000;

/// Plays some moves, and returns the game with the events of the last three. Random players hardly
/// ever build, so each player takes the longest of four random lines.
fn play_moves(id: &str, seats: u8, moves: usize) -> (Box<dyn DynGame>, Vec<EventText>) {
    let kind = GAMES.iter().find(|kind| kind.id() == id).expect("a game");
    let (definition, options) = kind
        .validate_and_convert_to_json(kind.shipped_definition(), &BTreeMap::new(), seats)
        .expect("it passes");
    let mut game = kind.new_game(&definition, &options, seats).expect("it opens");
    let mut dice = Dice::new(&Seed::from_number(7), 0);
    let mut chooser = Dice::new(&Seed::from_number(8), 0);
    game.setup(&mut dice);
    let mut recent = Vec::new();
    for at in 0..moves {
        let Turn::Awaiting(awaited) = game.turn() else { break };
        let mut best: Option<(usize, Box<dyn DynGame>, Vec<EventText>)> = None;
        for _ in 0..4 {
            let (mut ahead, mut dice) =
                (game.clone_box(), Dice::new(&Seed::from_number(at as u64), 0));
            let played = ahead.play_random_line(awaited[0], &mut chooser, &mut dice);
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

/// Asserts that a scene is drawn like the checked picture of this name.
fn assert_matches_picture(scene: &Scene, name: &str, say: &dyn Fn(&Message) -> String) {
    let drawn = render_png(scene, say).expect("a picture");
    assert!(drawn.len() <= BYTES_MAX, "{name}: {} bytes", drawn.len());
    assert_eq!(Some(&drawn), render_png(scene, say).as_ref(), "{name}: drawn twice");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures");
    let file = folder.join(format!("{name}.png"));
    if std::env::var_os("POSTRIDER_DRAW").is_some() {
        std::fs::write(&file, &drawn).expect("it is written");
    }
    let kept = std::fs::read(&file).unwrap_or_else(|error| panic!("{file:?}: {error}"));
    let is_same = decode_pixels(&drawn) == decode_pixels(&kept);
    assert!(is_same, "{name} looks otherwise: see tests/parts/pictures.rs");
}

/// Returns the width of a PNG, and the colours of its pixels.
fn decode_pixels(png: &[u8]) -> (u32, Vec<u8>) {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().expect("a header");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut pixels).expect("pixels");
    (reader.info().width, pixels)
}

#[test]
fn game_pictures_match_reviewed_images() {
    let library = Library::embedded().expect("it loads");
    let language = library.language("en");
    let say = |message: &Message| {
        language.localize_for_observer(message, &["Ann", "Bob", "Cid", "Dee"].map(String::from))
    };
    let games = [
        ("paris-connection", 3, 45),
        ("trick-of-the-rails", 4, 38),
        ("off-the-rails", 3, 60),
        ("off-the-rails", 1, 40),
    ];
    for (id, seats, moves) in games {
        let (game, recent) = play_moves(id, seats, moves);
        for (word, patterns) in [("", false), ("-patterns", true)] {
            let scene = game
                .draw_board_picture(
                    &recent,
                    PictureStyle { has_patterns: patterns, ..PictureStyle::default() },
                )
                .expect("it draws");
            assert_matches_picture(&scene, &format!("{id}-{seats}{word}"), &say);
            // The SVG must contain every text of the scene and must not load anything.
            let svg = render_svg(&scene, &say);
            for shape in &scene.shapes {
                if let Shape::Text { words: SceneText::Plain(text), .. } = shape {
                    let text = format!(">{}</text>", text.replace('&', "&amp;"));
                    assert!(svg.contains(&text), "{id}: {text}");
                }
            }
            assert_eq!(svg.matches("href=\"#").count(), svg.matches("href").count(), "{id}");
            assert_eq!(svg.matches("http").count(), 1, "{id}");
        }
    }
}

#[test]
fn backdrop_stays_equal_and_svg_small() {
    let style = PictureStyle { has_backdrop: true, ..PictureStyle::default() };
    let say = |message: &Message| message.key.to_owned();
    for (id, seats, whole_game) in
        [("paris-connection", 6, 300), ("trick-of-the-rails", 5, 300), ("off-the-rails", 4, 90)]
    {
        let scenes = [0, 20, whole_game].map(|moves| {
            let (game, recent) = play_moves(id, seats, moves);
            game.draw_board_picture(&recent, style).expect("it draws")
        });
        for scene in scenes.iter().cloned() {
            let Scene { backdrop, mut shapes, .. } = scene;
            let above = shapes.split_off(backdrop);
            assert_eq!(shapes, scenes[0].shapes[..scenes[0].backdrop], "{id}");
            for shapes in [shapes, above] {
                let svg = render_svg(&Scene { shapes, backdrop: 0, ..scenes[0].clone() }, &say);
                assert!(svg.len() <= SVG_BYTES_MAX, "{id}: {} bytes", svg.len());
            }
        }
    }
}

/// The events before the collision picture. They put jewels and a piece on one square, two full
/// lines on another, and more than a square can show on a third.
///
/// All eight carts are on the board: a white one on D3, two that face west and east, one that sets
/// off on D1, and four on the surface. No single turn brings these together.
const SETUP_EVENTS: &str = r#"[
    {"opened":{"sides":["north","south","east","west"],"missions":[]}},
    {"laid":{"seat":1,"at":"D1","ends":"ns"}},
    {"laid":{"seat":1,"at":"D2","ends":"ns"}},
    {"laid":{"seat":1,"at":"D3","ends":"ns"}},
    {"laid":{"seat":1,"at":"D4","ends":"ne"}},
    {"laid":{"seat":1,"at":"E4","ends":"ew"}},
    {"laid":{"seat":1,"at":"A5","ends":"ew"}},
    {"laid":{"seat":1,"at":"B5","ends":"ew"}},
    {"laid":{"seat":1,"at":"F5","ends":"nesw"}},
    {"laid":{"seat":1,"at":"G5","ends":"nw"}},
    {"primed":{"card":{"colour":"blue","number":2},"jewels":{"ruby":3,"gold":1,"diamond":1}}},
    {"primed":{"card":{"colour":"yellow","number":1},"jewels":{"ruby":4,"emerald":2,"gold":2}}},
    {"primed":{"card":{"colour":"yellow","number":3},"jewels":{"rock":3,"ruby":6,"diamond":1}}},
    {"primed":{"card":{"colour":"red","number":4},"jewels":{"ruby":1,"emerald":2}}},
    {"entered":{"cart":2,"berth":{"side":"south","index":3},"speed":2}},
    {"set_off":{"cart":2}},
    {"rolled":{"cart":2,"to":"D3"}},
    {"took":{"cart":2,"jewel":"emerald"}},
    {"took":{"cart":2,"jewel":"ruby"}},
    {"halted":{"cart":2,"facing":"north"}},
    {"entered":{"cart":5,"berth":{"side":"east","index":4},"speed":6}},
    {"set_off":{"cart":5}},
    {"rolled":{"cart":5,"to":"B5"}},
    {"halted":{"cart":5,"facing":"west"}},
    {"entered":{"cart":7,"berth":{"side":"west","index":4},"speed":1}},
    {"set_off":{"cart":7}},
    {"rolled":{"cart":7,"to":"F5"}},
    {"halted":{"cart":7,"facing":"east"}},
    {"entered":{"cart":1,"berth":{"side":"north","index":6},"speed":3}},
    {"entered":{"cart":3,"berth":{"side":"south","index":1},"speed":3}},
    {"entered":{"cart":4,"berth":{"side":"east","index":2},"speed":4}},
    {"entered":{"cart":6,"berth":{"side":"west","index":6},"speed":3}},
    "collapsed",
    {"sank":{"colour":"green","at":"F7"}},
    {"turn":{"seat":1}},
    {"entered":{"cart":0,"berth":{"side":"north","index":3},"speed":3}},
    {"set_off":{"cart":0}},
    {"rolled":{"cart":0,"to":"D1"}}
]"#;

/// The events that the picture marks as new: seat 1's white cart runs head-on into seat 2's cart,
/// and a mine collapses further.
const RECENT_EVENTS: &str = r#"[
    {"laid":{"seat":1,"at":"H8","ends":"ns"}},
    {"headed":{"cart":0,"way":"south"}},
    {"rolled":{"cart":0,"to":"D2"}},
    {"collided":{"cart":0,"at":"D3","crash":{"other":2,"connected":true,"head_on":true,
        "drops":true,"wrecks_other":false,"wrecks":false,"turns":"south"}}},
    {"dropped":{"cart":2,"jewels":{"emerald":1}}},
    {"turned":{"cart":2,"facing":"south"}},
    {"halted":{"cart":0,"facing":"north"}},
    {"sank":{"colour":"green","at":"F8"}}
]"#;

#[test]
fn collision_picture_matches_reviewed_image() {
    let library = Library::embedded().expect("it loads");
    let language = library.language("en");
    let say = |message: &Message| language.localize_for_observer(message, &[]);
    let kind = GAMES.iter().find(|kind| kind.id() == "off-the-rails").expect("a game");
    let (definition, options) = kind
        .validate_and_convert_to_json(kind.shipped_definition(), &BTreeMap::new(), 4)
        .expect("it passes");
    let mut game = kind.new_game(&definition, &options, 4).expect("it opens");
    let events = |text| -> Vec<EventText> { serde_json::from_str(text).expect("JSON") };
    let recent = events(RECENT_EVENTS);
    for event in events(SETUP_EVENTS).iter().chain(&recent) {
        game.apply(event).expect("an event");
    }
    let scene = game.draw_board_picture(&recent, PictureStyle::default()).expect("it draws");
    assert_matches_picture(&scene, "off-the-rails-collision", &say);
}

#[test]
fn recent_changes_only_add_marker_lines() {
    for (id, seats) in [("paris-connection", 3), ("trick-of-the-rails", 4), ("off-the-rails", 1)] {
        let (game, recent) = play_moves(id, seats, 20);
        let style = PictureStyle::default();
        let [plain, marked] =
            [&[], &recent[..]].map(|new| game.draw_board_picture(new, style).expect("drawn"));
        let added: Vec<_> = marked.shapes.iter().filter(|s| !plain.shapes.contains(s)).collect();
        assert!(!added.is_empty(), "{id}");
        assert!(added.iter().all(|shape| matches!(shape, Shape::Line { .. })), "{id}: {added:?}");
    }
}

#[test]
fn picture_texts_fit_and_are_large() {
    let library = Library::embedded().expect("it loads");
    let names = ["Ann", "Bob", "Cid", "Dee"].map(String::from);
    for tag in library.language_tags() {
        let say = |message: &_| library.language(tag).localize_for_observer(message, &names);
        for (id, seats) in
            [("paris-connection", 3), ("trick-of-the-rails", 4), ("off-the-rails", 3)]
        {
            let (game, recent) = play_moves(id, seats, 38);
            let scene =
                game.draw_board_picture(&recent, PictureStyle::default()).expect("it draws");
            for shape in scene.shapes {
                let Shape::Text { size, words, .. } = &shape else { continue };
                assert!(*size >= FONT_SIZE_MIN, "{id}: {words:?} is {size} units high");
                let SceneText::Sentence(said) = words else { continue };
                let alone = Scene { shapes: vec![shape.clone()], ..Scene::new(100, Ink::PAPER) };
                let drawn = render_svg(&alone, &say);
                let whole = format!("font-size=\"{size}\"");
                assert!(drawn.contains(&whole), "{tag}, {id}: too long: {}", say(said));
            }
        }
    }
}

#[test]
fn long_name_is_shrunk_then_cut() {
    let written = |name: &str| {
        let mut scene = Scene::new(100, Ink::PAPER);
        scene.add_translated_sentence(((10, 50), 200), 30, Ink::DARK, Message::new("of"));
        render_svg(&scene, &|_| name.to_owned())
    };
    for (name, size, text) in [
        ("Zoë Łukasz", 30, "Zoë Łukasz"),
        ("Дмитрий", 30, "Дмитрий"),
        ("Maximiliane Ann", 23, "Maximiliane Ann"),
        ("Wolfeschlegelsteinhausen", 22, "Wolfeschlegelst…"),
        // The font has no glyph for this character.
        ("王", 30, "?"),
    ] {
        let drawn = written(name);
        let whole = format!("font-size=\"{size}\"");
        assert!(drawn.contains(&whole) && drawn.contains(&format!(">{text}<")), "{drawn}");
    }
}

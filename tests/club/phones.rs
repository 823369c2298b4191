//! Letters as phones show them: HTML of every kind, and plain text of 38 columns.

use crate::rig::{self, Club, Posted};
use postrider::club::clock::moment_words;
use postrider::club::{
    ActivityEntry, Colours, Command, Happening, LetterStyle, Member, Notes, clock::OwnTime,
};
use postrider::games::{GAMES, kind};
use postrider::process;
use postrider::render::{
    GameLetter, Library, Occasion, Page, PublicLetter, Rendered, SubjectParts, Taps,
};
use postrider::rules::{Message, Row, Seat, Turn};
use postrider::table::{GameSetup, Manner, OrderLine, StandingOrders, Table, rehearse};
use std::collections::BTreeMap;

/// The widest line of a narrow letter.
const NARROW: usize = 38;

/// A game of each kind at its beginning, in its middle and at its end.
fn moments() -> Vec<(String, Table)> {
    let mut moments = Vec::new();
    for kind in GAMES {
        let options = BTreeMap::new();
        let seats = (*kind.seats().end()).min(4);
        let setup =
            GameSetup { kind: *kind, definition: kind.definition(), options: &options, seats };
        let whole = rehearse(setup, 7, 3, 20_000, Manner::OneByOne).expect("a whole game").table;
        for (when, seq) in [("start", 1), ("middle", whole.head() / 2), ("end", whole.head())] {
            let table = whole.at(seq).expect("an earlier position");
            moments.push((format!("{}-{when}", kind.id()), table));
        }
    }
    moments
}

/// Somebody who is waited for, else the first.
fn reader_of(table: &Table) -> Seat {
    match table.turn() {
        Turn::Awaiting(seats) => seats.first().copied().unwrap_or(Seat::new(1)),
        Turn::Over => Seat::new(1),
    }
}

fn member(letters: LetterStyle) -> Member {
    Member {
        id: 1,
        name: "Ann".to_owned(),
        language: "en".to_owned(),
        letters,
        ..Member::default()
    }
}

/// What Bob said to all: as much as fills lines, and a word that no line holds.
fn talk(table: &Table) -> Vec<ActivityEntry> {
    let text = format!("Shall we all leave red alone for a while, and see?\n{}", "x".repeat(90));
    let (from, to) = (Seat::new(2), Vec::new());
    let what = Happening::Said { from, to, anonymous: false, text, former: false };
    let at = table.records().last().map(|record| record.at).unwrap_or_default();
    vec![ActivityEntry { at, what }]
}

/// The letters of one position in this style: why, and what it says.
fn letters(table: &Table, style: LetterStyle, pictures: bool) -> Vec<(&'static str, Rendered)> {
    let library = Library::embedded().expect("the words are in the binary");
    let (seat, reader) = (reader_of(table), member(style));
    let names: Vec<String> = rig::NAMES.iter().map(|name| (*name).to_owned()).collect();
    let mut page = Page::new(table, &names).with_pictures(pictures);
    let by = chrono::DateTime::from_timestamp(1_767_636_000, 0).expect("a time");
    let by = moment_words(by, &OwnTime::default());
    let clock = if table.turn().awaits(seat) {
        vec![
            Message::new("clock-yours").with("by", by.clone()),
            Message::new("clock-then-absent").with("end", by),
        ]
    } else {
        Vec::new()
    };
    let lines = vec![OrderLine::new(1, "build red I29, Dijon".to_owned())];
    let occasions: [(&'static str, Occasion, u32, &[Command]); 4] = [
        ("welcome", Occasion::Welcome, 0, &[]),
        ("news", Occasion::News, table.head().saturating_sub(3), &[]),
        ("accepted", Occasion::Accepted { lines, remarks: Vec::new() }, table.head() - 1, &[]),
        ("asked", Occasion::Answered, table.head(), &Command::ALL),
    ];
    let talk = talk(table);
    let mut written = Vec::new();
    for (why, occasion, told, asked) in &occasions {
        let letter = GameLetter {
            club: "The Postal Club",
            reader: &reader,
            seat,
            told: *told,
            occasion,
            asked,
            among_others: false,
            subject: SubjectParts::default(),
            is_new: table.head() == 1,
            moderator: "mod@example.org",
            wish: None,
            taps: Taps::default(),
            standing: &StandingOrders::default(),
            own_notes: &Notes::default(),
            words: &[],
            notes: &[],
            talk: &talk,
            minutes: &talk,
            clock: &clock,
            campaign: None,
        };
        written.push((*why, page.letter(&library, &letter).expect("a letter")));
    }
    let told = table.head().saturating_sub(3);
    let letter = PublicLetter {
        club: "Club",
        reader: &reader,
        told,
        minutes: &talk,
        campaign: None,
        name: None,
    };
    written.push(("watching", page.public_letter(&library, &letter).expect("a letter")));
    written
}

/// What HTML shows, without its marks and with single spaces.
fn words(html: &str) -> String {
    let (_, body) = html.split_once("<body").expect("a body");
    let text: Vec<&str> =
        body.split('<').map(|part| part.split_once('>').map_or("", |(_, text)| text)).collect();
    let text = text
        .join(" ")
        .replace("&#x27;", "'")
        .replace("&quot;", "\"")
        .replace("&gt;", ">")
        .replace("&#x2f;", "/");
    text.replace("&amp;", "&").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a phone can show it: nothing that is laid out for a wide page, nothing from elsewhere.
pub fn fits_a_phone(html: &str, of: &str) {
    for word in ["<pre", "overflow", "nowrap", "white-space", "http:", "https:", "url(", "@import"]
    {
        assert!(!html.contains(word), "{of}: {word}\n{html}");
    }
    let wide = html.split("width=\"").skip(1).filter_map(|rest| rest.split('"').next());
    assert!(wide.flat_map(str::parse).all(|width: u32| width <= 390), "{of}: {html}");
    assert!(html.contains("<html lang=\"en\" dir=\"ltr\">"), "{of}: {html}");
    assert!(html.matches("<table").count() == html.matches("<table role=").count(), "{of}");
    let (_, body) = html.split_once("<body").expect("a body");
    let (_, hidden) = body.split_once("<div style=\"display:none").expect("a preheader");
    let (_, hidden) = hidden.split_once('>').expect("its words");
    let (hidden, _) = hidden.split_once("</div>").expect("its end");
    let end = hidden.trim_end_matches("&#847; ");
    // A list of letters has room for so much.
    let behind = hidden.matches("&#847; ").count();
    assert!(end.chars().count() + behind >= 60 && !end.is_empty(), "{of}: {hidden}");
    // Each of its sentences stands in the letter too.
    let shown = words(html);
    for said in words(&format!("<body>{end}")).split_inclusive(['.', '!', '?']).map(str::trim) {
        assert!(shown.matches(said).count() >= 2, "{of}: {said}");
    }
}

#[test]
fn a_phone_shows_every_letter_about_a_game_and_it_is_small() {
    let mut largest = 0;
    for (moment, table) in moments() {
        for colours in [Colours::On, Colours::Patterns, Colours::Off] {
            let style = LetterStyle { colours, ..LetterStyle::default() };
            for (why, letter) in letters(&table, style, false) {
                let of = format!("{moment}-{why}-{colours:?}").to_lowercase();
                let html = letter.html.expect("he wants it");
                fits_a_phone(&html, &of);
                let dark = html.contains("prefers-color-scheme:dark");
                assert_eq!(dark, colours != Colours::Off, "{of}");
                // At the end nobody is welcomed, to be told of the whole game.
                if why != "asked" && (why != "welcome" || moment.ends_with("start")) {
                    let bytes = letter.text.len() + html.len();
                    largest = largest.max(bytes);
                    assert!(bytes < 20_000, "{of}: {bytes}");
                }
            }
        }
    }
    assert!(largest > 5_000, "{largest}");
}

#[test]
fn the_position_in_words_stands_in_html_and_in_narrow_text_whole() {
    let library = Library::embedded().expect("the words are in the binary");
    for (moment, table) in moments() {
        let narrow = LetterStyle { narrow: true, ..LetterStyle::default() };
        let (seat, say) = (reader_of(&table), |message: &Message| {
            let names: Vec<String> = rig::NAMES.iter().map(|name| (*name).to_owned()).collect();
            library.language("en").say_of(message, &names)
        });
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        let letters = letters(&table, narrow, false);
        // In which nothing is new.
        for (_, letter) in letters.into_iter().filter(|(why, _)| *why == "welcome") {
            let public = table.game().in_words(&[]).expect("its own events");
            // At the end what he held stands with what all others did.
            let is_over = table.turn() == Turn::Over;
            let private = if is_over { Vec::new() } else { table.game().private_in_words(seat) };
            let html = squeezed(&words(letter.html.as_deref().expect("he wants it")));
            let text = squeezed(&letter.text);
            let rows = |row: &Row| row.says.iter().chain(&row.name).map(say).collect::<Vec<_>>();
            for said in public.iter().chain(&private).flat_map(rows) {
                // The reader himself is "you" in his letter.
                if rig::NAMES.iter().any(|name| said.contains(name)) {
                    continue;
                }
                let said = squeezed(&said);
                assert!(html.contains(&said), "{moment}: {said}\n{html}");
                assert!(text.contains(&said), "{moment}: {said}\n{text}");
            }
        }
    }
}

#[test]
fn a_narrow_letter_has_no_line_of_more_than_38_columns() {
    let narrow = LetterStyle { narrow: true, ..LetterStyle::default() };
    for (moment, table) in moments() {
        for (why, letter) in letters(&table, narrow, false) {
            narrow_lines(&letter.text, &format!("{moment}, {why}"));
        }
    }
    let mut club = Club::paris("clock: {deadline: 2 days, nmr: forfeit}\n");
    club.writes("Ann", "board narrow\nbuild red G23, Troyes");
    club.writes("Bob", "board narrow\nletters text");
    club.writes("Cid", "letters digest\nboard narrow");
    club.found(kind("trick-of-the-rails").expect("it ships"), 3, 2);
    club.writes("Bob", "help\nrules\nsettings\ngames");
    club.pass();
    club.arrives("From: ann@example.org\r\nTo: games@example.org\r\n\r\nhello\r\n");
    club.writes("Ann", "say Who builds blue?");
    club.pass();
    let told: Vec<&Posted> = club.pigeon.posted.iter().skip(3).collect();
    assert!(told.len() > 8, "{}", told.len());
    for letter in told {
        narrow_lines(&letter.text(), &letter.to);
    }
}

fn narrow_lines(text: &str, of: &str) {
    for line in text.lines() {
        let whole = line.contains('@') || line.split(' ').any(|word| word.len() >= 38);
        assert!(whole || line.chars().count() <= NARROW, "{of}: {line}\n{text}");
    }
}

#[test]
fn what_to_do_stands_first_then_what_happened_the_board_the_time_and_the_orders() {
    for (moment, table) in moments() {
        if table.turn() == Turn::Over || moment.ends_with("start") {
            continue;
        }
        for (why, letter) in letters(&table, LetterStyle::default(), true) {
            if why != "accepted" && why != "news" {
                continue;
            }
            let orders = (why == "accepted").then_some("Your orders");
            let told = orders.into_iter().chain(["Talk", "Since your last letter"]);
            let lead = "It is your turn. You have until Mon 5 Jan 2026 18:00 UTC.";
            let (_, text) = letter.text.split_once("===\n\n").expect("a marker");
            assert!(text.starts_with(lead), "{text}");
            let titles = told.chain(["board", "The table", "eyes only", "The deadline", "can do"]);
            let places = titles.map(|title| {
                // Each game may call its board and its hand by a word of its own.
                let title = match (title, moment.split_once('-').expect("a game").0) {
                    ("board", "trick") => "The trick lane and the railways",
                    ("board", _) => "The board",
                    _ => title,
                };
                let place = text.find(&title.to_uppercase());
                place.unwrap_or_else(|| panic!("{moment}, {why}: {title}\n{text}"))
            });
            assert!(places.is_sorted(), "{moment}, {why}: {text}");
            let html = letter.html.expect("he wants it");
            let (_, html) = html.split_once("</h1>").expect("what to do");
            let titles = ["Since your last letter", "<img", "The deadline", "What you can do"];
            let found = titles.map(|title| html.find(title).expect(title));
            assert!(found.is_sorted(), "{found:?}");
        }
    }
}

#[test]
fn several_games_in_one_letter_fit_a_phone() {
    let mut club = Club::with("clock: {deadline: 2 days, nmr: forfeit}\npictures: true\n");
    for (line, name) in [("letters digest", "bundle"), ("board narrow", "bundle-narrow")] {
        for game in ["paris-connection", "trick-of-the-rails", "off-the-rails"] {
            club.found(kind(game).expect("it ships"), 3, 2);
        }
        process::set_member(&club.context(), "bob@example.org", line).expect("it can be");
        club.pass();
        let letter = club.last_to("Bob").expect("a letter");
        let parsed = mail_parser::MessageParser::default().parse(&letter.bytes).expect("a letter");
        let html = parsed.body_html(0).expect("HTML").into_owned();
        fits_a_phone(&html, name);
        if name == "bundle" {
            assert_eq!(html.matches("<h1").count(), 3, "{html}");
            // The picture stands with the board, not above what is to be done.
            for game in html.split("<h1").skip(1) {
                let find = |what: &str| game.find(what).expect(what);
                assert!(find("It is the turn of") < find("<img") && !game.contains("<!--"));
                assert!(find("How it began") < find("<img") && game.matches("<img").count() == 1);
            }
        } else {
            narrow_lines(&letter.text(), name);
        }
    }
}

#[test]
fn letters_about_no_game_come_in_html_too_for_who_wants_it() {
    let mut club = Club::paris("digest: 07:00\n");
    club.arrives("From: x@example.net\r\nTo: games@example.org\r\n\r\nhello\r\n");
    club.arrives("From: ann@example.org\r\nTo: games@example.org\r\n\r\nhello\r\n");
    club.arrives("rubbish");
    club.now += chrono::TimeDelta::days(1);
    let (_, letters) = club.pass();
    assert!(letters.len() >= 3, "{}", letters.len());
    for letter in &letters {
        let parsed = mail_parser::MessageParser::default().parse(&letter.bytes).expect("a letter");
        let html = parsed.body_html(0).expect("HTML").into_owned();
        fits_a_phone(&html, &letter.to);
        let shown = words(&html);
        for word in letter.text().split_whitespace() {
            assert!(shown.contains(word), "{word}: {shown}");
        }
    }
    process::set_member(&club.context(), "ann@example.org", "letters text").expect("it can be");
    club.arrives("From: ann@example.org\r\nTo: games@example.org\r\n\r\nhello again\r\n");
    club.pass();
    assert!(!club.last_to("Ann").expect("an answer").raw().contains("text/html"));
}

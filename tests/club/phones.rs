//! The look of letters on a phone: HTML of every kind of letter, and plain text in 38 columns.

use crate::rig::{self, Club, PostedLetter};
use postrider::club::clock::describe_moment;
use postrider::club::{
    ActivityEntry, ActivityEvent, Colours, LetterStyle, Member, Question, clock::OwnTime,
};
use postrider::games::{GAMES, find_kind};
use postrider::process;
use postrider::render::{
    GameLetter, Library, MailtoLinks, Occasion, Page, PublicLetter, RenderedLetter,
};
use postrider::rules::{Message, PositionRow, Seat, Turn};
use postrider::table::{GameSetup, OrderLine, RehearsalMode, Table, rehearse};
use std::collections::BTreeMap;

const NARROW_COLUMNS: usize = 38;

/// Returns a game of each kind at its start, in its middle, and at its end, each with a name.
fn sample_positions() -> Vec<(String, Table)> {
    let mut positions = Vec::new();
    for kind in GAMES {
        let options = BTreeMap::new();
        let seats = (*kind.allowed_seat_counts().end()).min(4);
        let setup = GameSetup {
            kind: *kind,
            definition: kind.shipped_definition(),
            options: &options,
            seats,
        };
        let whole =
            rehearse(setup, 7, 3, 20_000, RehearsalMode::SingleOrders).expect("a whole game").table;
        for (when, seq) in [
            ("start", 1),
            ("middle", whole.last_record_number() / 2),
            ("end", whole.last_record_number()),
        ] {
            let table = whole.at_record(seq).expect("an earlier position");
            positions.push((format!("{}-{when}", kind.id()), table));
        }
    }
    positions
}

/// Returns the first awaited seat, or seat 1 if the game is over.
fn awaited_seat(table: &Table) -> Seat {
    match table.turn() {
        Turn::Awaiting(seats) => seats.first().copied().unwrap_or(Seat::new(1)),
        Turn::Over => Seat::new(1),
    }
}

fn member_with_style(letters: LetterStyle) -> Member {
    Member {
        id: 1,
        name: "Ann".to_owned(),
        language: "en".to_owned(),
        letters,
        ..Member::default()
    }
}

/// Returns a message from Bob with several lines and a word that is too long for a line.
fn sample_talk(table: &Table) -> Vec<ActivityEntry> {
    let text = format!("Shall we all leave red alone for a while, and see?\n{}", "x".repeat(90));
    let (from, to) = (Seat::new(2), Vec::new());
    let event =
        ActivityEvent::Said { from, to, anonymous: false, text, is_from_former_player: false };
    let at = table.records().last().map(|record| record.at).unwrap_or_default();
    vec![ActivityEntry { at, event }]
}

/// Renders letters of all kinds about one position, each with the name of its kind.
fn render_letters(
    table: &Table,
    style: LetterStyle,
    pictures: bool,
) -> Vec<(&'static str, RenderedLetter)> {
    let library = Library::embedded().expect("the words are in the binary");
    let (seat, reader) = (awaited_seat(table), member_with_style(style));
    let names: Vec<String> = rig::NAMES.iter().map(|name| (*name).to_owned()).collect();
    let mut page = Page::new(table, &names).with_pictures(pictures);
    let by = chrono::DateTime::from_timestamp(1_767_636_000, 0).expect("a time");
    let by = describe_moment(by, &OwnTime::default());
    let clock = if table.turn().awaits(seat) {
        vec![
            Message::new("clock-yours").with("by", by.clone()),
            Message::new("clock-then-absent").with("end", by),
        ]
    } else {
        Vec::new()
    };
    let lines = vec![OrderLine::new(1, "build red I29, Dijon".to_owned())];
    let occasions: [(&'static str, Occasion, u32, &[Question]); 4] = [
        ("welcome", Occasion::Welcome, 0, &[]),
        ("news", Occasion::News, table.last_record_number().saturating_sub(8), &[]),
        (
            "accepted",
            Occasion::Accepted { lines, remarks: Vec::new() },
            table.last_record_number() - 1,
            &[],
        ),
        ("asked", Occasion::Answered, table.last_record_number(), &Question::ALL),
    ];
    let talk = sample_talk(table);
    let mut rendered = Vec::new();
    for (kind, occasion, last_seen, asked) in &occasions {
        let letter = GameLetter {
            last_seen_record: *last_seen,
            questions: asked,
            is_new: table.last_record_number() == 1,
            mailto_links: MailtoLinks { offers_max: 12, ..MailtoLinks::default() },
            talk: &talk,
            activity_log: &talk,
            clock: &clock,
            ..GameLetter::new(("The Postal Club", "mod@example.org"), &reader, seat, occasion)
        };
        rendered.push((*kind, page.render_letter(&library, &letter).expect("a letter")));
    }
    let letter = PublicLetter {
        club: "Club",
        reader: &reader,
        last_seen_record: table.last_record_number().saturating_sub(3),
        activity_log: &talk,
        campaign: None,
        game_name: None,
    };
    rendered.push(("watching", page.render_public_letter(&library, &letter).expect("a letter")));
    rendered
}

/// Returns the visible text of an HTML page, without tags and with single spaces.
fn visible_text(html: &str) -> String {
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

/// Checks that a phone can show a page: no layout for wide screens, nothing loaded from elsewhere,
/// and a preheader of at least 60 characters.
pub fn assert_fits_phone(html: &str, name: &str) {
    for word in ["<pre", "overflow", "nowrap", "white-space", "http:", "https:", "url(", "@import"]
    {
        assert!(!html.contains(word), "{name}: {word}\n{html}");
    }
    let wide = html.split("width=\"").skip(1).filter_map(|rest| rest.split('"').next());
    assert!(wide.flat_map(str::parse).all(|width: u32| width <= 390), "{name}: {html}");
    assert!(html.contains("<html lang=\"en\" dir=\"ltr\">"), "{name}: {html}");
    assert!(html.matches("<table").count() == html.matches("<table role=").count(), "{name}");
    let (_, body) = html.split_once("<body").expect("a body");
    let (_, hidden) = body.split_once("<div style=\"display:none").expect("a preheader");
    let (_, hidden) = hidden.split_once('>').expect("its words");
    let (hidden, _) = hidden.split_once("</div>").expect("its end");
    let end = hidden.trim_end_matches("&#847; ");
    // Mail programs show about this much of the preheader in their list of letters.
    let filler = hidden.matches("&#847; ").count();
    assert!(end.chars().count() + filler >= 60 && !end.is_empty(), "{name}: {hidden}");
    // The letter itself repeats each sentence of the preheader.
    let shown = visible_text(html);
    for sentence in
        visible_text(&format!("<body>{end}")).split_inclusive(['.', '!', '?']).map(str::trim)
    {
        assert!(shown.matches(sentence).count() >= 2, "{name}: {sentence}");
    }
}

#[test]
fn game_letters_fit_phone_and_are_small() {
    let mut largest = 0;
    for (position, table) in sample_positions() {
        for colours in [Colours::On, Colours::Patterns, Colours::Off] {
            let style = LetterStyle { colours, ..LetterStyle::default() };
            for (kind, letter) in render_letters(&table, style, false) {
                let name = format!("{position}-{kind}-{colours:?}").to_lowercase();
                let html = letter.html.expect("a page");
                assert_fits_phone(&html, &name);
                let dark = html.contains("prefers-color-scheme:dark");
                assert_eq!(dark, colours != Colours::Off, "{name}");
                // Only a new game sends a welcome letter. At the end of a game, that letter would
                // be too long.
                if kind != "asked" && (kind != "welcome" || position.ends_with("start")) {
                    let bytes = letter.text.len() + html.len();
                    largest = largest.max(bytes);
                    assert!(bytes < 20_000, "{name}: {bytes}");
                }
            }
        }
    }
    assert!(largest > 5_000, "{largest}");
}

#[test]
fn html_and_narrow_text_describe_whole_position() {
    let library = Library::embedded().expect("the words are in the binary");
    for (position, table) in sample_positions() {
        let narrow = LetterStyle { narrow_text: true, ..LetterStyle::default() };
        let (seat, localize) = (awaited_seat(&table), |message: &Message| {
            let names: Vec<String> = rig::NAMES.iter().map(|name| (*name).to_owned()).collect();
            library.language("en").localize_for_observer(message, &names)
        });
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        let letters = render_letters(&table, narrow, false);
        // The welcome letter marks no recent events, so its rows are those of
        // `describe_position(&[])`.
        for (_, letter) in letters.into_iter().filter(|(kind, _)| *kind == "welcome") {
            let public = table.game().describe_position(&[]).expect("its own events");
            // At the end, the player's private facts are shown with those of all others.
            let is_over = table.turn() == Turn::Over;
            let private =
                if is_over { Vec::new() } else { table.game().describe_private_position(seat) };
            let html = squeezed(&visible_text(letter.html.as_deref().expect("a page")));
            let text = squeezed(&letter.text);
            let rows = |row: &PositionRow| {
                row.sentences.iter().chain(&row.name).map(localize).collect::<Vec<_>>()
            };
            for sentence in public.iter().chain(&private).flat_map(rows) {
                // The letter calls its reader "you", so sentences with players' names are skipped.
                if rig::NAMES.iter().any(|name| sentence.contains(name)) {
                    continue;
                }
                let sentence = squeezed(&sentence);
                assert!(html.contains(&sentence), "{position}: {sentence}\n{html}");
                assert!(text.contains(&sentence), "{position}: {sentence}\n{text}");
            }
        }
    }
}

#[test]
fn narrow_letter_lines_fit_38_columns() {
    let narrow = LetterStyle { narrow_text: true, ..LetterStyle::default() };
    for (position, table) in sample_positions() {
        for (kind, letter) in render_letters(&table, narrow, false) {
            assert_narrow_lines(&letter.text, &format!("{position}, {kind}"));
        }
    }
    let mut club = Club::with_paris_game("clock: {deadline: 2 days, nmr: forfeit}\n");
    club.send_reply("Ann", "board narrow\nbuild red G23, Troyes");
    club.send_reply("Bob", "board narrow\nletters text");
    club.send_reply("Cid", "letters digest\nboard narrow");
    club.start_game(find_kind("trick-of-the-rails").expect("it ships"), 3, 2);
    club.send_reply("Bob", "help\nrules\nsettings\ngames");
    club.run_pass();
    club.deliver("From: ann@example.org\r\nTo: games@example.org\r\n\r\nhello\r\n");
    club.send_reply("Ann", "say Who builds blue?");
    club.run_pass();
    let letters: Vec<&PostedLetter> = club.transport.posted.iter().skip(3).collect();
    assert!(letters.len() > 8, "{}", letters.len());
    for letter in letters {
        assert_narrow_lines(&letter.body_text(), &letter.to);
    }
}

fn assert_narrow_lines(text: &str, name: &str) {
    for line in text.lines() {
        let whole = line.contains('@') || line.split(' ').any(|word| word.len() >= 38);
        assert!(whole || line.chars().count() <= NARROW_COLUMNS, "{name}: {line}\n{text}");
    }
}

#[test]
fn letter_parts_come_in_fixed_order() {
    let mut has_long_news = false;
    for (position, table) in sample_positions() {
        if table.turn() == Turn::Over || position.ends_with("start") {
            continue;
        }
        for (kind, letter) in render_letters(&table, LetterStyle::default(), true) {
            if kind != "accepted" && kind != "news" {
                continue;
            }
            let orders = (kind == "accepted").then_some("Your orders");
            let top_titles = orders.into_iter().chain(["Talk", "Since your last e-mail"]);
            let lead = "It's your turn. You have until Mon 5 Jan 2026 18:00 UTC.";
            let (_, text) = letter.text.split_once("===\n\n").expect("a marker");
            assert!(text.starts_with(lead), "{text}");
            let below = ["can do", "The deadline", "All legal orders"];
            let titles = top_titles.chain(["board", "The table", "only you see"]).chain(below);
            let places = titles.map(|title| {
                // A game may have its own headings for its board and hand.
                let title = match (title, position.split_once('-').expect("a game").0) {
                    ("board", "trick") => "The trick lane and the railways",
                    ("board", _) => "The board",
                    _ => title,
                };
                let place = text.find(&title.to_uppercase());
                place.unwrap_or_else(|| panic!("{position}, {kind}: {title}\n{text}"))
            });
            assert!(places.is_sorted(), "{position}, {kind}: {text}");
            let html = letter.html.expect("a page");
            let (_, html) = html.split_once("</h1>").expect("what to do");
            let titles = ["Since your last e-mail", "<img", "class=\"t\"", "deadline</h2>"];
            let found = titles.map(|title| html.find(title).expect(title));
            assert!(found.is_sorted(), "{found:?}");
            // Long news continues below the buttons.
            let (_, news) = html.split_once("Since your last e-mail</h2>").expect("news");
            let (above, below) = news.split_once("<h2").expect("the board");
            let lines = above.matches("<p").count();
            assert!(lines <= 5 && (lines == 5 || !below.contains("What else happened")), "{html}");
            has_long_news |= below.contains("What else happened");
            // The picture replaces the board in words, and the buttons replace the legal orders.
            assert!(!html.contains("All legal orders") && !html.contains("On the map"), "{html}");
        }
    }
    assert!(has_long_news);
}

#[test]
fn digest_of_several_games_fits_phone() {
    let mut club = Club::with_settings("clock: {deadline: 2 days, nmr: forfeit}\npictures: true\n");
    for (line, name) in [("letters digest", "bundle"), ("board narrow", "bundle-narrow")] {
        for game in ["paris-connection", "trick-of-the-rails", "off-the-rails"] {
            club.start_game(find_kind(game).expect("it ships"), 3, 2);
        }
        process::change_member_setting(&club.open_context(), "bob@example.org", line)
            .expect("it can be");
        club.run_pass();
        let letter = club.last_letter_to("Bob").expect("a letter");
        let parsed = mail_parser::MessageParser::default().parse(&letter.bytes).expect("a letter");
        let html = parsed.body_html(0).expect("HTML").into_owned();
        assert_fits_phone(&html, name);
        if name == "bundle" {
            assert_eq!(html.matches("<h1").count(), 3, "{html}");
            // The picture comes with the board, below what the player must do.
            for game in html.split("<h1").skip(1) {
                let find = |what: &str| game.find(what).expect(what);
                assert!(find("s turn") < find("<img"));
                assert_eq!(game.matches("<img").count(), 1, "{game}");
            }
            // The letter begins with a list of its games, with a link to each.
            let (list, games) = html.split_once("<h1").expect("a game");
            let text = letter.body_text();
            let (text_list, _) = text.split_once("====\n").expect("a game");
            for (at, subject) in (1..).zip(["[Paris 1]", "[Trick 2]", "[Rails 3]"]) {
                let link = format!("<a href=\"#g{at}\"");
                let (_, link) = list.split_once(&link).unwrap_or_else(|| panic!("{link}: {list}"));
                assert!(link.split("</a>").next().is_some_and(|text| text.contains(subject)));
                assert!(games.contains(&format!(" id=\"g{at}\"")), "{games}");
                assert!(text_list.contains(&format!("\n  {subject}")), "{text_list}");
            }
        } else {
            assert_narrow_lines(&letter.body_text(), name);
        }
    }
}

#[test]
fn letters_about_no_game_have_html_if_wanted() {
    let mut club = Club::with_paris_game("digest: 07:00\n");
    club.deliver("From: x@example.net\r\nTo: games@example.org\r\n\r\nhello\r\n");
    club.deliver("From: ann@example.org\r\nTo: games@example.org\r\n\r\nhello\r\n");
    club.deliver("rubbish");
    club.now += chrono::TimeDelta::days(1);
    let (_, letters) = club.run_pass();
    assert!(letters.len() >= 3, "{}", letters.len());
    for letter in &letters {
        let parsed = mail_parser::MessageParser::default().parse(&letter.bytes).expect("a letter");
        let html = parsed.body_html(0).expect("HTML").into_owned();
        assert_fits_phone(&html, &letter.to);
        let shown = visible_text(&html);
        // HTML shows the shorter form of the marker, which is the first line.
        for word in letter.body_text().lines().skip(1).flat_map(str::split_whitespace) {
            assert!(shown.contains(word), "{word}: {shown}");
        }
    }
    process::change_member_setting(&club.open_context(), "ann@example.org", "letters text")
        .expect("it can be");
    club.deliver("From: ann@example.org\r\nTo: games@example.org\r\n\r\nhello again\r\n");
    club.run_pass();
    assert!(!club.last_letter_to("Ann").expect("an answer").raw().contains("text/html"));
}

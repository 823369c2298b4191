//! Collects a letter of every kind. `tests/browser/run` opens each of them in a browser.
//!
//! The letters are written to the folder that the variable POSTRIDER_LETTERS names, one file each.

use crate::campaign;
use crate::playthroughs;
use crate::rig::moderator_letters::{
    MOD_ADDRESS, deliver_from_other_address, introduce_mod, send_mod_reply, start_paris_game,
};
use crate::rig::{Club, NAMES, PostedLetter, address, letters_to};
use mail_parser::{MessageParser, MimeHeaders, PartType};
use postrider::games::find_kind;
use postrider::process;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Playthroughs whose letters are shown at the beginning, in the middle and at the end.
const SHOWN_GAMES: [&str; 6] = [
    "paris-connection-3",
    "paris-connection-6",
    "trick-of-the-rails-4",
    "trick-of-the-rails-5",
    "off-the-rails-1",
    "off-the-rails-3",
];

/// Playthroughs that are also shown in Spanish.
const SPANISH_GAMES: [&str; 3] = ["paris-connection-6", "trick-of-the-rails-4", "off-the-rails-3"];

/// A collection of letters, each with the name of its file.
#[derive(Default)]
struct Gallery {
    letters: Vec<(String, PostedLetter)>,
}

impl Gallery {
    fn add(&mut self, name: &str, letter: &PostedLetter) {
        self.letters.push((name.to_owned(), letter.clone()));
    }

    /// Adds the last of these letters for each reader.
    fn add_last_per_reader(&mut self, name: &str, letters: &[PostedLetter]) {
        assert!(!letters.is_empty(), "{name}: no letter");
        let mut shown = BTreeSet::new();
        for letter in letters.iter().rev().filter(|letter| shown.insert(letter.to.clone())) {
            let reader = letter.to.split('@').next().unwrap_or_default();
            self.add(&format!("{name}-to-{reader}"), letter);
        }
    }
}

/// Turns pictures on or off. They are slow to draw in builds without optimization.
fn set_pictures(club: &Club, on: bool) {
    let path = club.folder().join("club.yaml");
    let text = fs::read_to_string(&path).expect("club.yaml");
    let is = |on: bool| format!("pictures: {on}\n");
    fs::write(&path, text.replace(&is(!on), &is(on))).expect("club.yaml");
}

/// Runs a pass with pictures and returns its letters.
fn run_pass_with_pictures(club: &mut Club) -> Vec<PostedLetter> {
    set_pictures(club, true);
    let (_, letters) = club.run_pass();
    set_pictures(club, false);
    letters
}

/// Runs passes with pictures, one per hour, until letters contain these words. Returns those
/// letters. Longer breaks between passes would be outages, about which letters say other things.
fn run_passes_until(club: &mut Club, words: &str) -> Vec<PostedLetter> {
    set_pictures(club, true);
    let mut passes = (0..100).map(|_| club.run_pass().1);
    let letters = passes.find(|letters| letters.iter().any(|letter| letter.contains(words)));
    set_pictures(club, false);
    let mut letters = letters.unwrap_or_else(|| panic!("no letter says: {words}"));
    letters.retain(|letter| letter.contains(words));
    assert!(letters.iter().all(|letter| !letter.contains("Our mail service was down")), "{words}");
    letters
}

/// Adds letters from the beginning, the middle and the end of a recorded game.
fn add_playthrough(gallery: &mut Gallery, playthrough: &str, language: Option<&str>) {
    let (mut club, letters) = playthroughs::load_playthrough(playthrough);
    let writers: BTreeSet<&String> = letters.iter().map(|(from, _)| from).collect();
    if let Some(tag) = language {
        writers.iter().for_each(|name| club.set_preference(name, &format!("language {tag}")));
    }
    let name = language.map_or(playthrough.to_owned(), |tag| format!("{tag}-{playthrough}"));
    let first = run_pass_with_pictures(&mut club);
    gallery.add_last_per_reader(&format!("{name}-1-begins"), &first[..first.len().min(2)]);
    let mut last = Vec::new();
    for (at, (from, body)) in letters.iter().enumerate() {
        club.send_reply(from, body);
        let is_shown = at == letters.len() / 2 || at + 1 == letters.len();
        let posted = if is_shown { run_pass_with_pictures(&mut club) } else { club.run_pass().1 };
        if is_shown && at + 1 < letters.len() {
            gallery.add_last_per_reader(&format!("{name}-2-goes-on"), &posted);
        }
        last = posted;
    }
    gallery.add_last_per_reader(&format!("{name}-3-ends"), &last[last.len().saturating_sub(2)..]);
}

/// Adds answers to questions, previews and wrong orders, and boards in several styles.
fn add_answers(gallery: &mut Gallery) {
    for (game, order, wrong) in [
        ("paris-connection", "build red G23, Troyes", "build red A1"),
        ("trick-of-the-rails", "play PRR 1", "play everything"),
        ("off-the-rails", "done", "move w from here to there"),
    ] {
        let mut club = Club::with_game("clock: {deadline: 4 days}\n", game, 3, 2);
        let on_turn = NAMES.iter().find(|name| club.last_text_to(name).contains("It's your turn."));
        let ann = (*on_turn.unwrap_or(&"Ann")).to_owned();
        let preview = format!("preview\n{order}");
        for (name, body) in [
            ("refused", wrong),
            ("previewed", &*preview),
            ("rules", "rules\nhelp"),
            ("history", "history\nsettings\nlegal"),
            ("nothing-written", ""),
        ] {
            club.send_reply(&ann, body);
            let letters = run_pass_with_pictures(&mut club);
            gallery.add_last_per_reader(&format!("{game}-{name}"), &letters);
        }
        for wish in ["colours patterns", "colours off", "letters picture off", "board narrow"] {
            club.send_reply(&ann, &format!("{wish}\nboard\nstatus"));
            let letters = run_pass_with_pictures(&mut club);
            gallery.add_last_per_reader(&format!("{game}-{}", wish.replace(' ', "-")), &letters);
        }
    }
}

/// Adds talk, a vote, a reminder, a missed deadline and a resignation.
fn add_talk(gallery: &mut Gallery) {
    let mut club =
        Club::with_paris_game("clock: {deadline: 2 days, reminders: [12 hours], nmr: forfeit}\n");
    club.send_reply(
        "Bob",
        "say A long word: Donaudampfschifffahrtselektrizitaetenhauptbetriebswerk\n",
    );
    gallery.add_last_per_reader("talk", &run_pass_with_pictures(&mut club));
    club.send_reply("Cid", "tell Ann We two against Bob?");
    gallery.add_last_per_reader("talk-private", &run_pass_with_pictures(&mut club));
    club.send_reply("Bob", "vote pause\n");
    gallery.add_last_per_reader("vote", &run_pass_with_pictures(&mut club));
    for (name, words) in [("reminder", "This is a reminder."), ("missed", "so we played")] {
        gallery.add_last_per_reader(name, &run_passes_until(&mut club, words));
    }
    club.send_reply("Ann", "resign");
    gallery.add_last_per_reader("resigns", &run_pass_with_pictures(&mut club));
}

/// Adds a digest, proposals, and the letters to a stranger who joins the club and observes a game.
fn add_club_life(gallery: &mut Gallery) {
    let mut club = Club::with_settings("strangers: join\n");
    ["paris-connection", "trick-of-the-rails", "off-the-rails"].iter().for_each(|game| {
        club.start_game(find_kind(game).expect("it ships"), 3, 7);
    });
    club.run_pass();
    process::change_member_setting(&club.open_context(), &address("Bob"), "letters digest")
        .expect("set");
    club.send_reply("Ann", "say All three games begin today");
    let first = club.transport.posted[0].clone();
    club.deliver(club.compose_reply_to("Ann", &first, "build red G23, Troyes"));
    club.deliver(club.compose_reply_to("Cid", &club.transport.posted[5].clone(), "say Hello"));
    gallery.add_last_per_reader(
        "digest",
        &cloned_letters_to(&run_pass_with_pictures(&mut club), "Bob"),
    );
    for (name, who, line) in [
        ("proposed", "Ann", "new paris-connection seats 4 deadline 3d"),
        ("games", "Bob", "games"),
        ("joined", "Cid", "join 4"),
        ("joined-not", "Cid", "join 77"),
    ] {
        club.send_reply(who, line);
        gallery.add_last_per_reader(name, &run_pass_with_pictures(&mut club));
    }
    add_invitation(gallery, &mut club);
    deliver_from_stranger(&mut club, None, "Hello, how does this work?");
    gallery.add_last_per_reader("stranger", &run_pass_with_pictures(&mut club));
    let list = club.transport.posted.last().cloned();
    deliver_from_stranger(&mut club, list.as_ref(), "join 4");
    gallery.add_last_per_reader("stranger-joins", &run_pass_with_pictures(&mut club));
    let asked = club.transport.posted.last().cloned();
    deliver_from_stranger(&mut club, asked.as_ref(), "yes\nname Zoe Miller");
    gallery.add_last_per_reader("stranger-is-in", &run_pass_with_pictures(&mut club));
    let welcome = club.transport.posted.last().cloned();
    deliver_from_stranger(&mut club, welcome.as_ref(), "watch 1");
    gallery.add_last_per_reader("watches", &run_pass_with_pictures(&mut club));
}

/// Adds an invitation to a non-member, and the answer to the inviter.
fn add_invitation(gallery: &mut Gallery, club: &mut Club) {
    club.send_reply("Ann", "invite 4 dot@example.org");
    let letters = run_pass_with_pictures(club);
    gallery.add_last_per_reader("invites", &letters);
    gallery.add_last_per_reader("invited", &cloned_letters_to(&letters, "Dot"));
}

/// Adds the standings of a season in which one game is over.
fn add_season(gallery: &mut Gallery) {
    let mut club = Club::new();
    let season = campaign::start_small_season(&club.open_context());
    gallery.add_last_per_reader("season-begins", &run_pass_with_pictures(&mut club)[..1]);
    campaign::play_game_to_end(&club.open_context(), 1);
    run_pass_with_pictures(&mut club);
    let context = club.open_context();
    let status = process::load_campaign_status(&context, &season).expect("it stands");
    process::queue_standings_letters(&context, &season, &status).expect("queued");
    drop(context);
    gallery.add_last_per_reader("standings", &run_pass_with_pictures(&mut club)[..1]);
}

/// Adds letters whose links carry no reply token.
fn add_links_without_tokens(gallery: &mut Gallery) {
    let mut club = Club::with_paris_game("admission: token\n");
    set_pictures(&club, true);
    club.send_reply("Ann", "board");
    gallery.add_last_per_reader("links-without-marks", &run_pass_with_pictures(&mut club));
}

/// Adds Spanish letters about each game and about the club.
fn add_spanish_letters(gallery: &mut Gallery) {
    for game in ["paris-connection", "trick-of-the-rails", "off-the-rails"] {
        let mut club = Club::with_settings("language: es\nclock: {deadline: 4 days}\n");
        set_pictures(&club, true);
        club.start_game(find_kind(game).expect("it ships"), 3, 2);
        gallery.add_last_per_reader(&format!("spanish-{game}"), &run_pass_with_pictures(&mut club));
        for (name, body) in
            [("refused", "construir"), ("asked", "ayuda\najustes"), ("games", "partidas")]
        {
            club.send_reply("Ann", body);
            gallery.add_last_per_reader(
                &format!("spanish-{game}-{name}"),
                &run_pass_with_pictures(&mut club),
            );
        }
    }
}

fn cloned_letters_to(letters: &[PostedLetter], who: &str) -> Vec<PostedLetter> {
    letters_to(letters, who).into_iter().cloned().collect()
}

fn deliver_from_stranger(club: &mut Club, to: Option<&PostedLetter>, body: &str) {
    let reply = to.and_then(|to| to.header("Reply-To"));
    let to = reply.unwrap_or_else(|| "games@example.org".to_owned());
    let id = club.next_message_id("stranger");
    let head =
        format!("From: Zoe <zoe@home.example>\r\nTo: {to}\r\nMessage-ID: {id}\r\nSubject: x\r\n");
    club.deliver(format!("{head}\r\n{}\r\n", body.replace('\n', "\r\n")));
}

/// Adds answers to the moderator's commands, and the moderator's morning digest.
fn add_moderator_letters(gallery: &mut Gallery) {
    let mut club = Club::with_settings("digest: 06:00\nclock: {deadline: 20 hours, nmr: wait}\n");
    for seed in [7, 2] {
        start_paris_game(&mut club, seed);
    }
    club.run_pass();
    introduce_mod(&mut club);
    for (name, body) in [
        ("list", "list"),
        ("help", "help"),
        ("show", "show 1\nlog 1"),
        ("does", "pause 1 because the server moves"),
        ("wrong", "rewind everything"),
    ] {
        send_mod_reply(&mut club, body);
        gallery.add_last_per_reader(
            &format!("moderator-{name}"),
            &cloned_letters_to(&run_pass_with_pictures(&mut club), MOD_ADDRESS),
        );
    }
    deliver_from_other_address(&mut club, "Ann", "build red G23, Troyes");
    set_pictures(&club, true);
    let morning: Vec<PostedLetter> = (0..24).flat_map(|_| club.run_pass().1).collect();
    let morning = cloned_letters_to(&morning, MOD_ADDRESS)
        .into_iter()
        .filter(|letter| letter.contains("is in quarantine. "));
    gallery.add_last_per_reader("moderator-morning", &morning.collect::<Vec<_>>());
}

fn collect_every_kind() -> Vec<(String, PostedLetter)> {
    let mut gallery = Gallery::default();
    SHOWN_GAMES.iter().for_each(|name| add_playthrough(&mut gallery, name, None));
    SPANISH_GAMES.iter().for_each(|name| add_playthrough(&mut gallery, name, Some("es")));
    add_answers(&mut gallery);
    add_talk(&mut gallery);
    add_club_life(&mut gallery);
    add_moderator_letters(&mut gallery);
    add_season(&mut gallery);
    add_links_without_tokens(&mut gallery);
    add_spanish_letters(&mut gallery);
    gallery.letters
}

/// Returns the nested content types of a letter, as a mail program parses them.
fn mime_structure(letter: &PostedLetter) -> String {
    fn part_structure(message: &mail_parser::Message<'_>, at: u32) -> String {
        let Some(part) = message.parts.get(at as usize) else { return "?".to_owned() };
        let kind = part.content_type().map_or_else(String::new, |kind| {
            format!("{}/{}", kind.ctype(), kind.subtype().unwrap_or_default())
        });
        match &part.body {
            PartType::Multipart(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|&at| part_structure(message, at)).collect();
                format!("{kind}({})", parts.join(" "))
            }
            _ => kind,
        }
    }
    part_structure(&MessageParser::default().parse(&letter.bytes).expect("a letter"), 0)
}

/// Checks the size of a letter, because mail programs truncate long letters and phones pay for
/// data. Digests and rules may be longer.
fn assert_small_enough(name: &str, letter: &PostedLetter) {
    if ["digest", "-rules-", "-asked-"].iter().any(|asked| name.contains(asked)) {
        return;
    }
    let message = MessageParser::default().parse(&letter.bytes).expect("a letter");
    let bodies = message.html_bodies().chain(message.text_bodies());
    let words: usize = bodies.map(|part| part.text_contents().map_or(0, str::len)).sum();
    assert!(words <= 20 * 1024, "{name}: {words} bytes of HTML and text");
    assert!(letter.bytes.len() <= 90 * 1024, "{name}: {} bytes", letter.bytes.len());
}

#[test]
#[ignore = "a browser's: tests/browser/run"]
fn letters_of_every_kind_are_written_to_folder() {
    let folder = std::env::var("POSTRIDER_LETTERS").expect("POSTRIDER_LETTERS names a folder");
    let letters = collect_every_kind();
    let alone = ["text/plain".to_owned(), "multipart/alternative(text/plain text/html)".to_owned()];
    // With pictures: a board, the scores of a finished game, or up to three boards of a digest.
    let drawn = (1..=3).map(|pictures| {
        let parts = format!("text/html{}", " image/png".repeat(pictures));
        format!("multipart/alternative(text/plain multipart/related({parts}))")
    });
    let trees: Vec<String> = alone.into_iter().chain(drawn).collect();
    let mut met = BTreeSet::new();
    for (name, letter) in &letters {
        let tree = mime_structure(letter);
        assert!(trees.contains(&tree), "{name}: {tree}");
        met.insert(tree);
        assert_small_enough(name, letter);
        fs::write(Path::new(&folder).join(format!("{name}.eml")), &letter.bytes).expect("written");
    }
    let names: BTreeSet<&String> = letters.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), letters.len(), "each letter has a file of its own");
    assert!(met.len() >= 3, "{met:?}");
}

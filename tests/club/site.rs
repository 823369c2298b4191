//! Tests of `postrider site`: nobody is named without consent, no secret of a running game is
//! shown, and no file of somebody else is touched.

use crate::rig::postrider_program::{postrider_command, run_postrider};
use crate::rig::{Club, PostedLetter};
use postrider::cli::{self, Environment, Exit};
use postrider::disk::ABORT_AFTER_VARIABLE;
use postrider::games::find_kind;
use postrider::process;
use postrider::store::Batch;
use postrider::table::Cause;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use tempfile::TempDir;

pub const NOW: &str = "2026-01-06T18:00:00Z";
pub const WIL: &str = "Wil <i>helmina";
pub const PEOPLE: [(&str, &str); 3] =
    [(WIL, "wil@example.net"), ("Zebedee", "zeb@example.net"), ("Quentin", "quentin@example.net")];

/// Creates a club with a game of Paris Connection, in which Wilhelmina has built, Zebedee has
/// talked, and the moderator has given a reason with a name.
pub fn club_with_talk(settings: &str) -> Club {
    let mut club = Club::with_settings(settings);
    club.start_game_for("paris-connection", &PEOPLE, 7);
    club.run_pass();
    club.set_preference(PEOPLE[1].1, "letters all");
    write(&mut club, PEOPLE[0].1, "build red G23");
    write(&mut club, PEOPLE[1].1, "say xyzzy for Quentin");
    let rewind = ["rewind", "1", "--to", "1", "--reason", "Zebedee wished it"];
    assert_eq!(run_postrider(club.folder(), NOW, &rewind).0, Some(0));
    club.run_pass();
    write(&mut club, PEOPLE[0].1, "build red G23");
    club
}

pub fn write(club: &mut Club, from: &str, body: &str) {
    let is_theirs = |letter: &&PostedLetter| letter.to == from;
    let letter = club.transport.posted.iter().rfind(is_theirs).expect("a letter").clone();
    let reply = club.compose_reply_to(from, &letter, body);
    club.deliver(reply);
    club.run_pass();
}

pub fn new_site() -> (TempDir, String) {
    let home = postrider::testing::create_folder();
    let site = home.path().join("site").to_string_lossy().into_owned();
    (home, site)
}

/// Builds the site in this process, which records the sentences that it shows.
pub fn build(club: &Club, site: &str) -> BTreeMap<String, String> {
    build_with(club, site, &[])
}

/// Like [`build`], with more arguments.
pub fn build_with(club: &Club, site: &str, more: &[&str]) -> BTreeMap<String, String> {
    let folder = club.folder().to_string_lossy().into_owned();
    let arguments = [&["postrider", "-C", &folder, "site", site], more].concat();
    let environment = Environment {
        games: postrider::games::SHIPPED,
        now: club.now,
        clock: || chrono::DateTime::UNIX_EPOCH,
        random: |_| Err("no chance".to_owned()),
        variable: |_| None,
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let arguments = arguments.iter().map(Into::into);
    let exit = cli::run_with_stderr(arguments, &environment, &mut out, &mut err);
    assert_eq!((exit, out, String::from_utf8_lossy(&err)), (Exit::Done, vec![], "".into()));
    read_site(Path::new(site))
}

/// Returns the files of a site, by path, with their text.
pub fn read_site(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            let inner = read_site(&path).into_iter();
            files.extend(inner.map(|(path, text)| (format!("{name}/{path}"), text)));
        } else {
            files.insert(name, fs::read_to_string(&path).expect("text"));
        }
    }
    files
}

/// Panics if a file or its name contains one of these words.
pub fn assert_without(files: &BTreeMap<String, String>, words: &[&str]) {
    for (path, text) in files {
        for word in words {
            assert!(!path.contains(word) && !text.contains(word), "{word} in {path}\n{text}");
        }
        for fault in ["[site-", "[heading-", "[campaign-", "[en/", "[es/"] {
            assert!(!text.contains(fault), "{path}\n{text}");
        }
    }
}

/// The words that no site may show: names of others, addresses, talk, reasons, Message-IDs and
/// reply tokens.
pub const PRIVATE: [&str; 9] = [
    "Zebedee",
    "Quentin",
    "@ex",
    "example.net",
    "xyzzy",
    "wished",
    "g1.s",
    "games+",
    "helmina</i>",
];

#[test]
fn only_consenting_members_are_named() {
    let club = club_with_talk("");
    let (_home, site) = new_site();
    let page = |files: &BTreeMap<String, String>| files["game/1/index.html"].clone();
    let files = build(&club, &site);
    assert_without(&files, &[&PRIVATE[..], &["helmina", "Wil "]].concat());
    assert!(page(&files).contains("Seat 1 builds red"), "{}", page(&files));
    assert!(page(&files).contains("The moderator rewound the game to move 1."));
    club.set_preference(PEOPLE[0].1, "site name");
    let files = build(&club, &site);
    assert_without(&files, &PRIVATE);
    // Names are escaped.
    assert!(files.keys().any(|path| path.starts_with("player/")), "{:?}", files.keys());
    for path in ["index.html", "game/1/index.html"] {
        assert!(files[path].contains("Wil &lt;i&gt;helmina"), "{path}\n{}", files[path]);
    }
    assert!(page(&files).contains("Seat 2"));
    club.set_preference(PEOPLE[0].1, "site seat");
    assert_without(&build(&club, &site), &[&PRIVATE[..], &["helmina", "Wil ", "player/"]].concat());
}

#[test]
fn member_who_left_loses_name_in_every_file() {
    let mut club = club_with_talk("");
    let (_home, site) = new_site();
    club.set_preference(PEOPLE[0].1, "site name");
    assert!(build(&club, &site)["index.html"].contains("helmina"));
    write(&mut club, PEOPLE[0].1, "leave club yes");
    assert_without(&build(&club, &site), &[&PRIVATE[..], &["helmina", "Wil ", "player/"]].concat());
}

#[test]
fn running_game_hides_seed_hash_and_orders() {
    let club = club_with_talk("");
    let (_home, site) = new_site();
    let files = build(&club, &site);
    let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    let log = serde_json::to_value(session.table.export()).expect("JSON");
    let hash = &log["head"].as_str().expect("a hash")[..12];
    let seed = log["seed"].as_str().expect("a seed");
    assert_without(&files, &[hash, seed, "<code>", "record.json", "holds"]);
    assert_eq!(
        files.keys().collect::<Vec<_>>(),
        [
            "game/1/1.svg",
            "game/1/2.svg",
            "game/1/3.svg",
            "game/1/4.svg",
            "game/1/board.svg",
            "game/1/index.html",
            "index.html",
            "postrider-site.json",
            "site.css",
            "site.js",
        ]
    );
}

#[test]
fn finished_game_shows_orders_and_verifiable_record() {
    let club = club_with_talk("");
    let (_home, site) = new_site();
    build(&club, &site);
    let end = ["end", "1", "--reason", "Zebedee wished it"];
    assert_eq!(run_postrider(club.folder(), NOW, &end).0, Some(0));
    let files = build(&club, &site);
    assert_without(&files, &PRIVATE);
    let page = &files["game/1/index.html"];
    for part in ["<code>build red G23</code>", "The moderator ended the game.", "record.json"] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    let record = format!("{site}/game/1/record.json");
    let (code, said) = run_postrider(club.folder(), NOW, &["verify", &record]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("not checked: the chain"), "{said}");
    assert!(said.contains("all valid: deal, decisions, pieces, standings"), "{said}");
    let (_, exported) = run_postrider(club.folder(), NOW, &["export", "1", "--public"]);
    let of = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    assert_eq!(of(&exported), of(&files["game/1/record.json"]));
}

#[test]
fn finished_game_shows_orders_of_bots() {
    let mut club = Club::with_tricks_game("");
    club.mark_all_answered();
    club.send_reply("Ann", "new trick-of-the-rails seats 3 bots 2 easy");
    club.run_pass();
    let end = ["end", "2", "--reason", "x"];
    assert_eq!(run_postrider(club.folder(), NOW, &end).0, Some(0));
    let session = process::load_stored_game(&club.open_context(), 2).expect("it opens");
    let causes = session.table.records().iter().map(|record| &record.cause);
    let turns = causes.filter(|cause| matches!(cause, Cause::Bot { .. })).count();
    let (_home, site) = new_site();
    let page = build(&club, &site)["game/2/index.html"].clone();
    assert!(turns > 0 && page.matches("<p class=\"orders\">").count() == turns, "{turns}\n{page}");
}

#[test]
fn running_game_is_not_exported_publicly() {
    let club = club_with_talk("");
    let (code, said) = run_postrider(club.folder(), NOW, &["export", "1", "--public"]);
    assert_eq!(code, Some(77), "{said}");
}

/// Makes a game private, as if it had been founded so.
pub fn make_private(club: &Club, game: u32, private: bool) {
    let context = club.open_context();
    let mut room = context.store.game_info(game).expect("it reads");
    room.private = private;
    let batch = Batch { game_infos: vec![(game, room)], ..Batch::default() };
    context.store.write_without_conflict_check(&batch).expect("written");
}

#[test]
fn private_games_change_no_file() {
    let club = club_with_talk("");
    let (_home, site) = new_site();
    let without = build(&club, &site);
    let game = club.start_game_for("trick-of-the-rails", &PEOPLE, 9);
    make_private(&club, game, true);
    assert_eq!(build(&club, &site), without);
    make_private(&club, game, false);
    assert!(build(&club, &site).contains_key("game/2/index.html"));
    make_private(&club, game, true);
    assert_eq!(build(&club, &site), without, "it is gone when it becomes private");
    assert!(!Path::new(&site).join("game/2").exists());
}

#[test]
fn foreign_and_overlapping_folders_are_refused() {
    let club = club_with_talk("");
    let home = postrider::testing::create_folder();
    let foreign = home.path().join("foreign");
    fs::create_dir(&foreign).expect("a folder");
    fs::write(foreign.join("thesis.txt"), "mine").expect("a file");
    let link = home.path().join("link");
    let empty = home.path().join("empty");
    fs::create_dir(&empty).expect("a folder");
    std::os::unix::fs::symlink(&empty, &link).expect("a link");
    let inside = club.folder().join("www/deep");
    let around = club.folder().parent().expect("a parent");
    for (folder, said) in [
        (foreign.as_path(), "holds files of somebody else"),
        (link.as_path(), "is a symbolic link"),
        (&home.path().join("link/"), "is a symbolic link"),
        (inside.as_path(), "overlaps the club's folder"),
        (club.folder(), "overlaps the club's folder"),
        (around, "overlaps the club's folder"),
        (&foreign.join("thesis.txt"), "is not a folder"),
    ] {
        let folder = folder.to_string_lossy();
        let (code, text) = run_postrider(club.folder(), NOW, &["site", &folder]);
        assert_eq!(code, Some(73), "{folder}: {text}");
        assert!(text.contains(said), "{folder}: {text}");
    }
    assert_eq!(fs::read_to_string(foreign.join("thesis.txt")).expect("kept"), "mine");
    assert!(!club.folder().join("www").exists());
    assert!(fs::read_dir(&empty).expect("a folder").next().is_none());
}

#[test]
fn open_games_are_listed_without_names() {
    let mut club = Club::with_paris_game("strangers: join\n");
    let (_home, site) = new_site();
    let letter = club.last_letter_of_game_1("Ann");
    let propose = club.compose_reply_to("Ann", &letter, "new trick-of-the-rails seats 4");
    club.deliver(propose);
    club.run_pass();
    let list = build(&club, &site)["index.html"].clone();
    let entry = "Game 2, Trick of the Rails: 1 of 4 players have joined. It waits until 2026-";
    assert!(list.contains(entry) && list.contains("games@example.org"), "{list}");
    assert!(!list.contains("Ann") && !list.contains("ann@"), "{list}");
    let empty = Club::new();
    drop(empty.open_context());
    let (_home, site) = new_site();
    assert!(build(&empty, &site)["index.html"].contains("There are no games yet."));
}

#[test]
fn files_outside_manifest_stay() {
    let club = club_with_talk("");
    let (_home, site) = new_site();
    build(&club, &site);
    let own = Path::new(&site).join("game/1/mine.txt");
    fs::write(&own, "mine").expect("written");
    make_private(&club, 1, true);
    let files = build(&club, &site);
    assert_eq!(files["game/1/mine.txt"], "mine");
    assert!(!files.contains_key("game/1/index.html"));
}

#[test]
fn planted_link_is_not_followed() {
    let mut club = club_with_talk("");
    let (home, site) = new_site();
    build(&club, &site);
    let victim = home.path().join("victim");
    fs::write(&victim, "mine").expect("written");
    let planted = Path::new(&site).join("postrider-site.new");
    std::os::unix::fs::symlink(&victim, planted).expect("a link");
    write(&mut club, PEOPLE[1].1, "build red H22");
    build(&club, &site);
    assert_eq!(fs::read_to_string(&victim).expect("kept"), "mine");
}

#[test]
fn manifest_with_outer_path_is_refused() {
    let club = club_with_talk("");
    let (home, site) = new_site();
    build(&club, &site);
    let victim = home.path().join("victim");
    fs::write(&victim, "mine").expect("written");
    let manifest = Path::new(&site).join("postrider-site.json");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    for path in ["../victim", victim.to_str().expect("a path")] {
        let forged = text.replace("\"site.css\"", &format!("\"{path}\""));
        fs::write(&manifest, forged).expect("written");
        assert_eq!(run_postrider(club.folder(), NOW, &["site", &site]).0, Some(65));
    }
    assert!(victim.exists());
}

#[test]
fn second_build_at_same_time_exits_75() {
    let club = club_with_talk("");
    let (_home, site) = new_site();
    build(&club, &site);
    let lock = File::open(&site).expect("a folder");
    lock.try_lock().expect("it is free");
    let (code, said) = run_postrider(club.folder(), NOW, &["site", &site]);
    assert_eq!(code, Some(75), "{said}");
}

#[test]
fn unchanged_club_writes_no_file() {
    let mut club = club_with_talk("");
    let (_home, site) = new_site();
    let stamps = |site: &str, files: &BTreeMap<String, String>| -> BTreeMap<String, u64> {
        let inode = |path: &String| fs::metadata(Path::new(site).join(path)).expect("it").ino();
        files.keys().map(|path| (path.clone(), inode(path))).collect()
    };
    let before = stamps(&site, &build(&club, &site));
    assert_eq!(stamps(&site, &build(&club, &site)), before);
    club.start_game_for("paris-connection", &PEOPLE, 8);
    write(&mut club, PEOPLE[1].1, "build red H22");
    let files = build(&club, &site);
    let after = stamps(&site, &files);
    for (path, is_equal) in [
        ("game/1/board.svg", true),
        ("game/1/4.svg", true),
        ("game/1/index.html", false),
        ("index.html", false),
        ("site.js", true),
    ] {
        assert_eq!(after[path] == before[path], is_equal, "{path}");
    }
    assert!(files.contains_key("game/1/5.svg") && files.contains_key("game/2/1.svg"));
    club.start_game_for("paris-connection", &PEOPLE, 9);
    assert_eq!(
        stamps(&site, &build(&club, &site))["game/1/index.html"],
        after["game/1/index.html"]
    );
    // A removed list is written again.
    fs::remove_file(Path::new(&site).join("index.html")).expect("removed");
    assert!(build(&club, &site).contains_key("index.html"));
}

#[test]
fn killed_build_is_repaired() {
    let club = club_with_talk("site: {url: \"https://games.example.com\"}\n");
    club.set_preference(PEOPLE[0].1, "site name");
    let (_home, whole) = new_site();
    let whole = build(&club, &whole);
    let mut killed = 0;
    for step in 1..100 {
        let (_home, site) = new_site();
        let mut command = postrider_command(club.folder(), NOW);
        command.env(ABORT_AFTER_VARIABLE, step.to_string());
        let code = command.args(["site", &site]).output().expect("it runs").status.code();
        assert_eq!(build(&club, &site), whole, "step {step}");
        if code == Some(0) {
            break;
        }
        killed += 1;
    }
    assert!((10..99).contains(&killed), "{killed}");
}

/// Returns a log in which the last event that places a piece cannot be read.
fn damage_last(log: &str) -> String {
    let (before, after) = log.rsplit_once("placed").expect("a piece was placed");
    format!("{before}bent{after}")
}

#[test]
fn broken_game_keeps_page_until_consent_changes() {
    let club = club_with_talk("");
    club.set_preference(PEOPLE[0].1, "site name");
    let (_home, site) = new_site();
    let whole = build(&club, &site);
    drop(club.open_context());
    let journal = club.folder().join("journal/games/000001.jsonl");
    let text = fs::read_to_string(&journal).expect("a journal");
    fs::write(&journal, damage_last(&text)).expect("damaged");
    club.restore_from_journal();
    let (code, said) = run_postrider(club.folder(), NOW, &["site", &site]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("game 1 could not be shown"), "{said}");
    let files = read_site(Path::new(&site));
    assert_eq!(files["game/1/index.html"], whole["game/1/index.html"]);
    let mut paths = whole.keys().filter(|path| path.starts_with("player/"));
    assert!(files.contains_key(paths.next().expect("a player")), "no link may be dead");
    club.set_preference(PEOPLE[0].1, "site seat");
    assert_eq!(run_postrider(club.folder(), NOW, &["site", &site]).0, Some(1));
    assert_without(&read_site(Path::new(&site)), &["helmina"]);
}

#[test]
fn read_only_folder_is_named() {
    let club = club_with_talk("");
    let (_home, site) = new_site();
    build(&club, &site);
    let folder = Path::new(&site);
    fs::set_permissions(folder, fs::Permissions::from_mode(0o555)).expect("changed");
    let is_root = File::create(folder.join("probe")).is_ok();
    club.set_preference(PEOPLE[0].1, "site name");
    let (code, said) = run_postrider(club.folder(), NOW, &["site", &site]);
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("changed");
    // The superuser may write everywhere.
    assert!(is_root || (code == Some(77) && said.contains(&site)), "{said}");
}

#[test]
fn own_board_is_shown_only_if_allowed() {
    let kind = find_kind("paris-connection").expect("it ships");
    let definition = kind.shipped_definition().replace("Brest", "Atlantis");
    let pages = ["", "site: {own_boards: true}\n"].map(|settings| {
        let mut club = Club::with_settings(settings);
        club.start_game_with_definition(kind, &definition, 3, 7, &BTreeMap::new());
        let (_home, site) = new_site();
        let running = build(&club, &site);
        assert_eq!(run_postrider(club.folder(), NOW, &["end", "1", "--reason", "x"]).0, Some(0));
        [running, build(&club, &site)]
    });
    for files in &pages[0] {
        assert_without(files, &["Atlantis", "record.json", ".svg", "<script"]);
        assert!(files["game/1/index.html"].contains("isn&#x27;t shown here"));
    }
    assert!(pages[1].iter().all(|files| files["game/1/index.html"].contains("Atlantis")));
    assert!(pages[1][1].contains_key("game/1/record.json"));
}

#[test]
fn site_is_in_the_clubs_language() {
    let club = club_with_talk("language: es\nstrangers: join\n");
    let (_home, site) = new_site();
    fs::write(club.folder().join("site.css"), "h1 { color: teal; }\n").expect("written");
    let files = build(&club, &site);
    let list = &files["index.html"];
    assert!(list.contains("Asiento 2") && list.contains("<html lang=\"es\""), "{list}");
    assert!(list.contains("escribe a games@example.org"), "the club is open: {list}");
    assert!(files["site.css"].ends_with("h1 { color: teal; }\n"));
    let page = &files["game/1/index.html"];
    assert!(page.contains("El moderador ha hecho retroceder la partida a la jugada 1."), "{page}");
    assert!(page.contains("default-src &#39;none&#39;") || page.contains("default-src 'none'"));
    assert!(page.contains("site.js\"></script>") && page.matches("<script").count() == 1, "{page}");
    assert!(!page.contains("style="), "{page}");
}

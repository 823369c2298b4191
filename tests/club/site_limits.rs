//! Tests of the web site with unusual names, long games and full disks.

use crate::campaign::play_game_to_end;
use crate::rig::Club;
use crate::rig::postrider_program::run_postrider;
use crate::site::{NOW, assert_without, build, club_with_talk, new_site};
use crate::site_gallery::add_games;
use postrider::testing::sample_or_all;
use std::path::Path;
use std::process::Command;

#[test]
fn names_like_paths_and_html_stay_text() {
    let names = [
        "../../../etc/passwd",
        "https://evil.example/x",
        "<script src=x>",
        "\" onload=\"alert(1)",
        "{{ club }} & ]]>",
    ];
    let club = Club::with_settings("site: {url: \"https://games.example.com\"}\n");
    let addresses: Vec<String> = (1..=5).map(|n| format!("p{n}@x.org")).collect();
    let people: Vec<(&str, &str)> =
        names.iter().copied().zip(addresses.iter().map(String::as_str)).collect();
    club.start_game_for("paris-connection", &people, 7);
    addresses.iter().for_each(|address| club.set_preference(address, "site name"));
    let (home, site) = new_site();
    let files = build(&club, &site);
    assert_without(&files, &["<script src=x", "\" onload", "]]>", "href=\"https://evil", "x.org"]);
    let list = &files["index.html"];
    for name in ["..&#x2f;..&#x2f;..&#x2f;etc&#x2f;passwd", "&lt;script", "{{ club }} &amp; ]]&gt;"]
    {
        assert!(list.contains(name), "{name}\n{list}");
    }
    let players = files.keys().filter(|path| path.starts_with("player/"));
    assert_eq!(players.count(), 10, "a page and a feed for each: {:?}", files.keys());
    let around: Vec<_> = std::fs::read_dir(home.path()).expect("a folder").collect();
    assert_eq!(around.len(), 1, "nothing was written outside of the site: {around:?}");
}

#[test]
fn long_game_has_every_record_on_its_page() {
    let records = sample_or_all(300, 2_000);
    let club = Club::with_paris_game("");
    while club.record_count() < records {
        play_game_to_end(&club.open_context(), 1);
        let rewind = ["rewind", "1", "--to", "1", "--reason", "again"];
        assert_eq!(run_postrider(club.folder(), NOW, &rewind).0, Some(0));
    }
    let (_home, site) = new_site();
    let page = &build(&club, &site)["game/1/index.html"];
    for seq in 1..=club.record_count() {
        assert!(page.contains(&format!("<section id=\"{seq}\"")), "{seq}");
    }
    let bytes = page.len() / usize::try_from(club.record_count()).expect("few");
    assert!(bytes < 600, "{bytes} bytes for each record");
}

#[test]
fn page_of_hundred_records_stays_small() {
    let club = Club::new();
    let most = [("paris-connection", 6, 7), ("off-the-rails", 4, 7), ("trick-of-the-rails", 5, 7)];
    add_games(&club, &most.map(|(kind, seats, seed)| (kind, seats, seed, 100)));
    let (_home, site) = new_site();
    let files = build(&club, &site);
    for (game, (kind, ..)) in (1..).zip(most) {
        let folder = format!("game/{game}/");
        let page = files[&format!("{folder}index.html")].len();
        let of_game = files.iter().filter(|(path, _)| path.starts_with(&folder));
        let whole: usize = of_game.map(|(_, text)| text.len()).sum();
        assert!(page < 60_000 && whole < 3_000_000, "{kind}: {page} of {whole} bytes");
    }
}

#[test]
fn build_on_full_disk_fails_and_is_repaired() {
    let club = club_with_talk("");
    let (_home, whole) = new_site();
    let whole = build(&club, &whole);
    for kib in [8, 12, 16] {
        let (home, site) = new_site();
        let disk = home.path().join("disk");
        std::fs::create_dir(&disk).expect("a folder");
        // A disk of its own, which ends with the command. What it held is copied.
        let script = format!(
            "mount -t tmpfs -o size={kib}k tmpfs '{disk}' || exit 99; '{program}' -C '{club}' \
             --now {NOW} site '{disk}/site'; code=$?; cp -r '{disk}/site' '{site}'; exit $code",
            disk = disk.display(),
            program = env!("CARGO_BIN_EXE_postrider"),
            club = club.folder().display(),
        );
        let output = Command::new("unshare").args(["-rm", "sh", "-c", &script]).output();
        // Not every machine lets a test mount a disk.
        let Ok(output) = output else { return };
        let said = String::from_utf8_lossy(&output.stderr);
        if said.contains("unshare:") || output.status.code() == Some(99) {
            return;
        }
        assert_eq!(output.status.code(), Some(74), "{kib} KiB: {said}");
        assert!(said.contains("free some space"), "{kib} KiB: {said}");
        assert!(Path::new(&site).exists());
        assert_eq!(build(&club, &site), whole, "{kib} KiB");
    }
}

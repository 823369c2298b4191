//! Tests of the feeds and links of the club's web site.

use crate::rig::Club;
use crate::rig::postrider_program::run_postrider;
use crate::site::{
    NOW, PEOPLE, PRIVATE, WIL, assert_without, build, build_with, club_with_talk, new_site,
};
use crate::site_campaigns::write_campaign;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

const URL: &str = "https://games.example.com/club/";
const SETTINGS: &str = "site: {url: \"https://games.example.com/club\"}\n";

/// Returns the text of each element of this name, in order. The feeds have no nested elements of
/// one name.
fn elements<'a>(feed: &'a str, name: &str) -> Vec<&'a str> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let parts = feed.split(open.as_str()).skip(1);
    parts.map(|part| part.split(close.as_str()).next().expect("an end")).collect()
}

/// Returns the feeds of a site by path.
fn feeds(files: &BTreeMap<String, String>) -> BTreeMap<&str, &str> {
    let feeds = files.iter().filter(|(path, _)| path.ends_with("feed.xml"));
    feeds.map(|(path, text)| (path.as_str(), text.as_str())).collect()
}

#[test]
fn feeds_name_records_by_stable_address() {
    let club = club_with_talk(SETTINGS);
    let (_home, site) = new_site();
    club.set_preference(PEOPLE[0].1, "site name");
    let files = build(&club, &site);
    assert_without(&files, &PRIVATE);
    let found = feeds(&files);
    assert_eq!(found.len(), 3, "club, game and player: {:?}", found.keys());
    for (path, feed) in &found {
        let ids = elements(feed, "id");
        assert_eq!(ids[0], format!("{URL}{path}"));
        assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "{ids:?}");
        for id in &ids[1..] {
            let (page, seq) = id.strip_prefix(URL).and_then(|id| id.split_once('#')).expect("both");
            assert!(files[page].contains(&format!("<section id=\"{seq}\"")), "{id}");
        }
        assert!(feed.starts_with("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed "), "{feed}");
        let updated = elements(feed, "updated");
        assert_eq!(updated.iter().max(), Some(&updated[0]), "{feed}");
        let page = &files[&path.replace("feed.xml", "index.html")];
        assert!(page.contains("type=\"application/atom+xml\""), "{page}");
        assert!(feed.contains("Wil &lt;i&gt;helmina"), "{feed}");
    }
    let before: Vec<String> =
        elements(found["game/1/feed.xml"], "id").iter().map(|id| (*id).to_owned()).collect();
    let rewind = ["rewind", "1", "--to", "1", "--reason", "x"];
    assert_eq!(run_postrider(club.folder(), NOW, &rewind).0, Some(0));
    let files = build(&club, &site);
    let after = elements(&files["game/1/feed.xml"], "id");
    assert_eq!(after.len(), before.len() + 1);
    assert!(before.iter().all(|id| after.contains(&id.as_str())), "{after:?}");
    club.set_preference(PEOPLE[0].1, "site seat");
    assert_without(&build(&club, &site), &[&PRIVATE[..], &["helmina", WIL, "player/"]].concat());
}

#[test]
fn site_without_address_has_no_feeds() {
    let club = club_with_talk(SETTINGS);
    let (_home, site) = new_site();
    assert_eq!(feeds(&build(&club, &site)).len(), 2);
    let settings = club.folder().join("club.yaml");
    let text = fs::read_to_string(&settings).expect("settings");
    fs::write(&settings, text.replace(SETTINGS, "")).expect("written");
    let files = build(&club, &site);
    assert_without(&files, &["feed.xml", "atom", "games.example.com"]);
    assert!(feeds(&files).is_empty());
}

/// Writes a site with a page and a feed of each kind into a folder. Returns its files.
fn write_rich_site(site: &str) -> BTreeMap<String, String> {
    let club = club_with_talk(SETTINGS);
    club.set_preference(PEOPLE[0].1, "site name");
    club.start_game_for("trick-of-the-rails", &PEOPLE, 9);
    let campaign = write_campaign(&club);
    for command in [&["end", "2", "--reason", "x"][..], &["campaign", "start", &campaign]] {
        assert_eq!(run_postrider(club.folder(), NOW, command).0, Some(0));
    }
    build_with(&club, site, &["--campaign", &campaign])
}

#[test]
#[ignore = "writes the site that tests/browser/feeds checks"]
fn site_with_feeds() {
    write_rich_site(&std::env::var("POSTRIDER_FEEDS").expect("a folder"));
}

#[test]
fn no_link_is_dead() {
    let (_home, site) = new_site();
    let files = write_rich_site(&site);
    let mut links = 0;
    for (path, page) in files.iter().filter(|(path, _)| path.ends_with(".html")) {
        let addresses =
            ["href=\"", "src=\""].into_iter().flat_map(|start| page.split(start).skip(1));
        for link in addresses.map(|rest| rest.split('"').next().expect("one")) {
            let mut folders: Vec<&str> = path.split('/').collect();
            folders.pop();
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            for part in file.split('/') {
                match part {
                    ".." => folders.truncate(folders.len().saturating_sub(1)),
                    part => folders.push(part),
                }
            }
            let target = if file.is_empty() { path.clone() } else { folders.join("/") };
            let text = files.get(&target).unwrap_or_else(|| panic!("{link} in {path}"));
            assert!(text.contains(&format!("id=\"{anchor}\"")) || anchor.is_empty(), "{link}");
            links += 1;
        }
    }
    assert!(links > 30, "{links}");
}

#[test]
fn feed_has_thirty_newest_games() {
    let club = Club::with_settings(SETTINGS);
    for seed in 1..=32 {
        club.start_game_for("paris-connection", &PEOPLE, seed);
    }
    let (_home, site) = new_site();
    let files = build(&club, &site);
    let ids = elements(&files["feed.xml"], "id");
    assert_eq!((ids.len(), ids[1]), (31, &*format!("{URL}game/32/index.html#1")));
    assert!(!files["feed.xml"].contains("game/2/"));
}

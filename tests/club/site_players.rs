//! Tests of the pages of players on the club's web site: only members who agreed have one, and
//! nothing on the site depends on which member an unnamed player is.

use crate::rig::Club;
use crate::rig::postrider_program::run_postrider;
use crate::site::{NOW, PEOPLE, PRIVATE, assert_without, build, make_private, new_site};
use std::collections::BTreeMap;

const WIL: (&str, &str) = PEOPLE[0];
const ZEB: (&str, &str) = PEOPLE[1];
const QUENTIN: (&str, &str) = PEOPLE[2];

/// Creates a club with two finished games of these players. Wil, who is one of them, is named.
fn club_with_two_games(second: &[(&str, &str)]) -> Club {
    let mut club = Club::with_settings("");
    for (players, seed) in [(&PEOPLE[..], 7), (second, 8)] {
        let game = club.start_game_for("paris-connection", players, seed);
        end(&club, game);
    }
    club.run_pass();
    club.set_preference(WIL.1, "site name");
    club
}

fn end(club: &Club, game: u32) {
    let end = ["end", &game.to_string(), "--reason", "x"];
    assert_eq!(run_postrider(club.folder(), NOW, &end).0, Some(0));
}

/// Returns the path of the only page of a player.
fn only_player_page(files: &BTreeMap<String, String>) -> &str {
    let pages: Vec<&String> = files.keys().filter(|path| path.starts_with("player/")).collect();
    assert_eq!(pages.len(), 1, "{pages:?}");
    pages[0]
}

#[test]
fn named_player_has_page_with_results_and_rating() {
    let club = club_with_two_games(&[ZEB, WIL, QUENTIN]);
    let hidden = club.start_game_for("paris-connection", &PEOPLE, 9);
    make_private(&club, hidden, true);
    club.start_game_for("paris-connection", &PEOPLE, 10);
    let (_home, site) = new_site();
    let files = build(&club, &site);
    assert_without(&files, &PRIVATE);
    let path = only_player_page(&files);
    let page = &files[path];
    for part in [
        "<h1>Wil &lt;i&gt;helmina</h1>",
        "Rating after 2 games on this site: ",
        "../../game/1/index.html",
        "../../game/2/index.html",
        "../../game/4/index.html",
        "of 3</b>",
        "Seat 2",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert!(!page.contains("game/3/"), "private games are left out: {page}");
    assert_eq!(page.matches("<b>Rank").count(), 2, "only finished games have ranks: {page}");
    for (list, link) in [("index.html", path), ("game/4/index.html", &format!("../../{path}"))] {
        assert!(files[list].contains(&format!("<a href=\"{link}\">Wil")), "{list}");
    }
}

#[test]
fn each_consent_has_page_of_its_own() {
    let club = club_with_two_games(&[ZEB, WIL, QUENTIN]);
    let (_home, site) = new_site();
    let path = only_player_page(&build(&club, &site)).to_owned();
    club.set_preference(WIL.1, "site name");
    assert_eq!(only_player_page(&build(&club, &site)), path, "the consent stands");
    club.set_preference(WIL.1, "site seat");
    let id = path.split('/').nth(1).expect("an ID");
    assert_without(&build(&club, &site), &["player/", id]);
    club.set_preference(WIL.1, "site name");
    let again = build(&club, &site);
    assert_ne!(only_player_page(&again), path);
    assert_without(&again, &[id]);
}

#[test]
fn unnamed_seats_of_two_games_cannot_be_linked() {
    let sites = [[WIL, ZEB, QUENTIN], [WIL, QUENTIN, ZEB]].map(|second| {
        let club = club_with_two_games(&second);
        let (_home, site) = new_site();
        build(&club, &site)
    });
    only_player_page(&sites[0]);
    assert_without(&sites[0], &PRIVATE);
    assert_eq!(sites[0], sites[1]);
}

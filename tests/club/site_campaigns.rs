//! Tests of the pages of campaigns on the club's web site.

use crate::campaign::play_game_to_end;
use crate::rig::Club;
use crate::rig::postrider_program::run_postrider;
use crate::site::{NOW, assert_without, build_with, make_private, new_site};
use postrider::club::campaign::Campaign;
use postrider::games::SHIPPED;
use postrider::process;
use postrider::rules::Seed;
use std::collections::BTreeMap;
use std::fs;

/// Writes a campaign with eight entrants into the club's folder. Returns the file's path.
pub fn write_campaign(club: &Club) -> String {
    let entrants: Vec<String> = (1..=8).map(|n| format!("  - Pat{n}x <p{n}@x.org>\n")).collect();
    let text = format!(
        "name: \"../Winter <i>\"\nseed: 5\nentrants:\n{}points: [6, 3, 1, 0]\nrounds:\n  \
         - {{kind: paris-connection, tables: [4]}}\n  - {{kind: paris-connection, tables: [4]}}\n",
        entrants.concat()
    );
    let path = club.folder().join("winter.yaml");
    fs::write(&path, text).expect("written");
    path.to_string_lossy().into_owned()
}

/// Creates a club with the first round of the campaign, of which the first game is over.
fn club_with_campaign(members: &[u32]) -> (Club, String) {
    let club = Club::with_settings("");
    let file = write_campaign(&club);
    for n in members {
        let member = format!("Pat{n}x <p{n}@x.org>");
        assert_eq!(run_postrider(club.folder(), NOW, &["member", "add", &member]).0, Some(0));
    }
    let text = fs::read_to_string(&file).expect("a file");
    let campaign = Campaign::parse(&text, SHIPPED).unwrap_or_else(|error| panic!("{error}"));
    let context = club.open_context();
    process::start_round(&context, &campaign, None, false, &Seed::from_number(1)).expect("founded");
    play_game_to_end(&context, 1);
    drop(context);
    (club, file)
}

/// Returns the page of the only campaign.
fn campaign_page(files: &BTreeMap<String, String>) -> &str {
    let mut pages = files.iter().filter(|(path, _)| path.starts_with("campaign/"));
    let (path, page) = pages.next().expect("a campaign");
    assert!(pages.next().is_none(), "{:?}", files.keys());
    assert!(path.starts_with("campaign/winter-i-"), "{path}");
    let link = format!("<a href=\"{path}\">..&#x2f;Winter &lt;i&gt;</a>");
    assert!(files["index.html"].contains(&link), "{}", files["index.html"]);
    page
}

#[test]
fn campaign_names_only_consenting_members() {
    let (club, file) = club_with_campaign(&[]);
    let (_home, site) = new_site();
    let build = |club: &Club| build_with(club, &site, &["--campaign", &file]);
    let files = build(&club);
    assert_without(&files, &["Pat", "x.org"]);
    let page = campaign_page(&files);
    let players: Vec<String> = (1..=8).map(|n| format!(">Player {n}<")).collect();
    for part in
        players.iter().map(String::as_str).chain([">1&#x2f;4</a>", ">in play</a>", "<td>6</td>"])
    {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert!(page.contains("One game isn&#x27;t over yet"), "{page}");
    club.set_preference("p3@x.org", "site name");
    let files = build(&club);
    let page = campaign_page(&files);
    assert_eq!(page.matches("Pat3x</a>").count(), 2, "standings and table: {page}");
    assert!(!page.contains("Pat1x"), "{page}");
    club.set_preference("p3@x.org", "site seat");
    assert_without(&build(&club), &["Pat", "player/"]);
    // The points are those of the file.
    let text = fs::read_to_string(&file).expect("a file");
    fs::write(&file, text.replace("[6, 3", "[7, 3")).expect("written");
    assert!(campaign_page(&build(&club)).contains("<td>7</td>"));
    make_private(&club, 2, true);
    assert_without(&build(&club), &["campaign/", "Winter"]);
}

#[test]
fn numbers_of_campaign_players_ignore_member_numbers() {
    let sites = [[1, 2, 3, 4, 5, 6, 7, 8], [8, 3, 5, 1, 2, 7, 6, 4]].map(|members| {
        let (club, file) = club_with_campaign(&members);
        let (_home, site) = new_site();
        build_with(&club, &site, &["--campaign", &file])
    });
    campaign_page(&sites[0]);
    assert_eq!(sites[0], sites[1]);
}

//! Writes a web site with games of every kind, in play and finished. `tests/browser/run` opens its
//! pages in a browser.

use crate::rig::Club;
use crate::rig::postrider_program::run_postrider;
use postrider::club::{Member, SeatAssignment};
use postrider::games::find_kind;
use postrider::process;
use postrider::rules::Seat;
use postrider::store::{Batch, LogLine};
use postrider::table::{GameSetup, RehearsalMode, rehearse};
use std::collections::BTreeMap;

const NOW: &str = "2026-01-06T18:00:00Z";
/// The members by number. Those with a name are named on the site.
const MEMBERS: [Option<&str>; 4] =
    [Some("Ann"), None, Some("<b>Max</b> Wolfeschlegelsteinhausen"), None];
/// A game with its number of seats and its seed, and the number of records after which it is in
/// play.
type SiteGame = (&'static str, u8, u64, usize);
const GAMES: [SiteGame; 3] = [
    ("trick-of-the-rails", 4, 5, usize::MAX),
    ("paris-connection", 3, 7, 40),
    ("off-the-rails", 3, 7, 60),
];

/// Adds the members and these games to the store. Random players have played the games.
pub fn add_games(club: &Club, games: &[SiteGame]) {
    let context = club.open_context();
    let mut batch = Batch::default();
    for (id, name) in (1..).zip(MEMBERS) {
        let mut member = Member { id, language: "en".to_owned(), ..Member::default() };
        member.name = name.unwrap_or("Nobody").to_owned();
        member.addresses = vec![format!("player{id}@example.org")];
        member.letters.named_on_site = name.is_some();
        batch.members.push(member);
    }
    for (game, &(kind, seats, seed, records)) in (1..).zip(games) {
        let kind = find_kind(kind).expect("it ships");
        let (definition, options) = (kind.shipped_definition(), &BTreeMap::new());
        let setup = GameSetup { kind, definition, options, seats };
        let played = rehearse(setup, game, seed, 20_000, RehearsalMode::SingleOrders);
        let table = played.expect("it ends").table;
        let lines = table.records().iter().map(|record| (record.seq, record.to_line()));
        let lines = std::iter::once((0, table.founding().to_line())).chain(lines);
        let lines = lines.take(records.saturating_add(1));
        batch.log_lines.extend(lines.map(|(seq, line)| LogLine { game, seq, line }));
        for seat in Seat::all(seats) {
            let member = u32::from(seat.number());
            let seated = SeatAssignment { member, ..SeatAssignment::default() };
            batch.seats.push((game, seat, seated));
        }
    }
    context.store.write_without_conflict_check(&batch).expect("it is kept");
    let outlines = (1..).zip(games).map(|(game, _)| {
        (game, process::load_stored_game(&context, game).expect("it opens").table.outline())
    });
    let batch = Batch { outlines: outlines.collect(), ..Batch::default() };
    context.store.write_without_conflict_check(&batch).expect("it is kept");
}

#[test]
#[ignore = "a browser's: tests/browser/run"]
fn site_for_browser_is_written_to_folder() {
    let folder = std::env::var("POSTRIDER_SITE").expect("POSTRIDER_SITE names a folder");
    let club = Club::with_settings("strangers: join\n");
    add_games(&club, &GAMES);
    let (code, said) = run_postrider(club.folder(), NOW, &["site", &folder]);
    assert_eq!(code, Some(0), "{said}");
}

//! Tests campaigns: starting rounds, standings, ratings, and kills during a start.

use crate::rig::postrider_program::{run_postrider, sampled_steps};
use crate::rig::{Club, mark_members_answered};
use postrider::club::Intervention;
use postrider::club::campaign::{Campaign, StandingsRow, compute_ratings, draw_rounds};
use postrider::games::SHIPPED;
use postrider::process::{self, Context, RoundStartError};
use postrider::rules::{Dice, Seat, Seed, Turn};
use postrider::store::{Batch, LogLine};
use postrider::table::{OrderLine, QueuedOrders, Submission, Table, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// Returns a campaign with this number of entrants. `more` holds further lines of its file.
fn build_campaign(entrants: usize, more: &str) -> Campaign {
    let entrants: Vec<String> =
        (1..=entrants).map(|n| format!("  - P{n} <p{n}@x.org>\n")).collect();
    let text = format!("name: Season\nseed: 5\nentrants:\n{}{more}", entrants.concat());
    Campaign::parse(&text, SHIPPED).unwrap_or_else(|error| panic!("{error}"))
}

const SEASON: &str = "\
points: [6, 3, 1, 0]
bye_points: 2
rounds:
  - {kind: paris-connection, tables: [4]}
  - {kind: trick-of-the-rails, tables: [5, 4, 3]}
  - {kind: trick-of-the-rails, tables: [4]}
";
const REPLACE: &str = "replace: [{from_round: 2, out: p3@x.org, in: Gus <gus@x.org>}]\n";

/// Submits one random legal order and returns the table after it.
fn play_random_turn(
    table: &Table,
    chooser: &mut Dice,
    now: chrono::DateTime<chrono::Utc>,
) -> Table {
    let Turn::Awaiting(seats) = table.turn() else { panic!("it is over") };
    let seat = *chooser.pick(&seats).expect("somebody");
    let mut copy = table.game().clone_box();
    let (text, _) = copy
        .play_random_line(seat, chooser, &mut Dice::new(&Seed::from_number(9), 0))
        .expect("something legal");
    let lines = [OrderLine::new(1, text)];
    let standing = QueuedOrders::default();
    let submission = Submission {
        seat,
        lines: &lines,
        seen_record: table.last_record_number(),
        letter: None,
        queued: &standing,
    };
    match table.submit(&submission, now) {
        Verdict::Accepted { table, .. } => *table,
        Verdict::Refused(refused) => panic!("{refused:?}"),
    }
}

/// Plays a game to its end by random legal orders and stores its log.
pub fn play_game_to_end(context: &Context, game: u32) {
    let mut table = process::load_stored_game(context, game).expect("it opens").table;
    let begun = table.last_record_number();
    let mut chooser = Dice::new(&Seed::from_number(game.into()), 0);
    while table.turn() != Turn::Over {
        table = play_random_turn(&table, &mut chooser, context.now);
    }
    let line = |record: &std::sync::Arc<postrider::table::Record>| LogLine {
        game,
        seq: record.seq,
        line: record.to_line(),
    };
    let log_lines = table.records_since(begun).iter().map(line).collect();
    context
        .store
        .write_without_conflict_check(&Batch { log_lines, ..Batch::default() })
        .expect("it commits");
}

/// Starts the first round of a season with eight entrants at two tables.
pub fn start_small_season(context: &Context) -> Campaign {
    let season = build_campaign(8, SEASON);
    start_round(context, &season, None).expect("it starts");
    season
}

fn start_round(
    context: &Context,
    campaign: &Campaign,
    round: Option<u32>,
) -> Result<Vec<u32>, RoundStartError> {
    let started = process::start_round(context, campaign, round, false, &Seed::from_number(1))?;
    Ok(started.founded.iter().map(|game| game.game).collect())
}

/// Returns points (in sixtieths), wins, games and score share by address, as an independent check.
fn tally_independently(context: &Context) -> BTreeMap<String, (i64, u32, u32, f64)> {
    let mut tally: BTreeMap<String, (i64, u32, u32, f64)> = BTreeMap::new();
    for game in context.store.game_numbers().expect("games") {
        let Ok(session) = process::load_stored_game(context, game) else { continue };
        if session.table.turn() != Turn::Over {
            continue;
        }
        let standings = session.table.rankings();
        let best = standings.iter().map(|one| one.score).max().expect("a best");
        for own in &standings {
            let ahead = standings.iter().filter(|other| other.rank < own.rank).count();
            let equal = standings.iter().filter(|other| other.rank == own.rank).count();
            let shared: i64 = (ahead..ahead + equal).map(|at| [6, 3, 1, 0, 0][at]).sum();
            let address = &session.seat(own.seat).expect("a seat").1.addresses[0];
            let row = tally.entry(address.clone()).or_default();
            row.0 += shared * 60 / i64::try_from(equal).expect("few");
            row.1 += u32::from(ahead == 0);
            row.2 += 1;
            row.3 +=
                if own.score == best { 1.0 } else { (own.score as f64 / best as f64).max(0.0) };
        }
    }
    tally
}

fn assert_rows_match_tally(context: &Context, rows: &[StandingsRow]) {
    let hand = tally_independently(context);
    let decimal = |points: f64| {
        let text = format!("{points:.2}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    for row in rows {
        let (points, wins, games, share) =
            hand.get(&row.address).copied().unwrap_or((0, 0, 0, 0.0));
        let points = points + i64::from(row.byes) * 2 * 60;
        assert_eq!(row.points.to_string(), decimal(points as f64 / 60.0), "{row:?}");
        assert_eq!((row.wins, row.games), (wins, games), "{row:?}");
        assert!((row.score_share as f64 / 1e6 - share).abs() < 1e-5, "{row:?} {share}");
    }
    let key = |row: &StandingsRow| (row.points, row.wins, row.score_share, row.opponents, row.lot);
    assert!(rows.windows(2).all(|two| key(&two[0]) > key(&two[1])), "{rows:?}");
    assert!(rows.iter().map(|row| row.rank).eq(1..=u32::try_from(rows.len()).expect("few")));
}

#[test]
fn game_letters_name_campaign_round_and_table() {
    let mut club = Club::new();
    start_round(&club.open_context(), &build_campaign(8, SEASON), None).expect("it starts");
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 8);
    let of_table = |letter: &&crate::rig::PostedLetter| {
        letter.contains("This game is table 2 of round 1 of Season.")
    };
    assert_eq!(letters.iter().filter(of_table).count(), 4, "{letters:?}");
    let reader = letters.iter().find(of_table).expect("a letter").clone();
    let order = club.compose_reply_to(&reader.to, &reader, "status");
    club.deliver(order);
    let (_, letters) = club.run_pass();
    assert!(of_table(&&letters[0]), "{letters:?}");
}

#[test]
fn season_standings_match_independent_tally() {
    let mut club = Club::new();
    let first = build_campaign(24, SEASON);
    let context = club.open_context();
    assert_eq!(start_round(&context, &first, None).expect("it starts"), [1, 2, 3, 4, 5, 6]);
    assert!(start_round(&context, &first, Some(1)).expect("it has started").is_empty());
    let again = process::start_round(&context, &first, Some(2), false, &Seed::from_number(1));
    let refused = again.expect_err("round 1 goes on").to_string();
    assert!(refused.contains("6 games remain"), "{refused}");
    (1..=5).for_each(|game| play_game_to_end(&context, game));
    assert_rows_match_tally(
        &context,
        &process::load_campaign_status(&context, &first).expect("it stands").rows,
    );
    assert!(matches!(start_round(&context, &first, None), Err(RoundStartError::Unfinished { .. })));
    play_game_to_end(&context, 6);

    let second = build_campaign(24, &format!("{SEASON}{REPLACE}"));
    let founded = start_round(&context, &second, None).expect("it starts");
    assert_eq!(founded, [7, 8, 9, 10, 11]);
    let season = process::load_campaign_status(&context, &second).expect("it stands");
    let sizes: Vec<usize> = season.drawn[1].tables.iter().map(Vec::len).collect();
    assert_eq!(sizes, [5, 5, 5, 5, 4]);
    for (table, places) in season.drawn[1].tables.iter().enumerate() {
        let game =
            season.games.iter().find(|game| (game.round, game.table) == (2, table as u32 + 1));
        let game = game.expect("it was founded");
        let holders =
            places.iter().map(|place| &second.entrant_in_place(*place, 2).expect("one").address);
        assert!(game.players.iter().eq(holders));
        let seats = process::load_stored_game(&context, game.game).expect("it opens").seats;
        assert!(seats.iter().map(|(_, member)| &member.addresses[0]).eq(&game.players));
    }
    assert!(season.games[6..].iter().any(|game| game.players.contains(&"gus@x.org".to_owned())));
    founded.iter().for_each(|game| play_game_to_end(&context, *game));

    let third = start_round(&context, &second, None).expect("it starts");
    third.iter().skip(2).for_each(|game| play_game_to_end(&context, *game));
    let line = LogLine { game: third[0], seq: 2, line: "{}".to_owned() };
    context
        .store
        .write_without_conflict_check(&Batch { log_lines: vec![line], ..Batch::default() })
        .expect("it commits");
    let season = process::load_campaign_status(&context, &second).expect("it stands");
    assert_eq!(season.unfinished_games(3), third[..2]);
    assert_rows_match_tally(&context, &season.rows);
    let left = season.rows.iter().find(|row| row.address == "p3@x.org").expect("an entrant");
    assert_eq!((left.left_before, left.games), (Some(2), 1));
    assert_ratings_cover_all_games(&context);
    drop(context);
    assert_standings_mailed_once(&mut club, &second);
}

/// Checks that histories hold all rated games, and that a first win rates above a first defeat.
fn assert_ratings_cover_all_games(context: &Context) {
    let (games, broken) = process::load_rated_games(context).expect("the club can be read");
    assert_eq!((games.len(), broken), (15, 1));
    let histories = compute_ratings(&games);
    assert_eq!(histories.len(), 25);
    let told: usize = histories.values().map(Vec::len).sum();
    assert_eq!(told, games.iter().map(|game| game.ranks.len()).sum::<usize>());
    for game in games.iter().take(6) {
        let rating_after = |rank: u32| {
            let with = game.ranks.iter().find(|(_, own)| *own == rank).expect("a rank");
            histories[&with.0][0].rating
        };
        let last = game.ranks.iter().map(|(_, rank)| *rank).max().expect("a last");
        assert!(last == 1 || rating_after(1) > rating_after(last), "{game:?}");
    }
}

/// Checks that each remaining entrant gets the standings once, unless they change.
fn assert_standings_mailed_once(club: &mut Club, campaign: &Campaign) {
    club.run_pass();
    let context = club.open_context();
    let season = process::load_campaign_status(&context, campaign).expect("it stands");
    assert_eq!(process::queue_standings_letters(&context, campaign, &season).expect("queued"), 24);
    assert_eq!(process::queue_standings_letters(&context, campaign, &season).expect("queued"), 0);
    drop(context);
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 24);
    assert!(letters.iter().all(|letter| letter.to != "p3@x.org"));
    let last = letters.iter().find(|letter| letter.to == "gus@x.org").expect("Gus plays");
    assert!(last.contains("the standings of Season in round 3 of 3."), "{}", last.body_text());
    assert!(last.contains("2 games aren't over yet"), "{}", last.body_text());
    let parsed = mail_parser::MessageParser::default().parse(&last.bytes).expect("a letter");
    let html = parsed.body_html(0).expect("HTML").into_owned();
    crate::phones::assert_fits_phone(&html, "standings");
    assert_eq!(html.matches("&#8594;").count(), 1, "the reader's own row has an arrow: {html}");
    let own = last.body_text().lines().find(|line| line.starts_with("->")).map(str::to_owned);
    assert!(own.is_some_and(|line| line.contains("Gus")), "{}", last.body_text());
}

/// The game of a helper from another table scores for the entrant whose seat the helper took. The
/// game of a successor named in `replace` scores for the successor. Ratings leave out both seats.
#[test]
fn substitute_scores_for_replaced_entrant() {
    let club = Club::new();
    let season = build_campaign(8, SEASON);
    let context = club.open_context();
    let games = start_round(&context, &season, None).expect("it starts");
    assert_eq!(games.len(), 2);
    let address_of_seat = |game: u32, seat: u8| {
        let session = process::load_stored_game(&context, game).expect("it opens");
        session.seat(Seat::new(seat)).expect("a seat").1.addresses[0].clone()
    };
    let (helper, helped) = (address_of_seat(games[0], 1), address_of_seat(games[1], 1));
    let gus = "Gus <gus@x.org>";
    mark_members_answered(&context, Some(("Gus", "gus@x.org")));
    let moved_on = address_of_seat(games[1], 2);
    for (seat, who) in [(1, helper.as_str()), (2, gus)] {
        let what = Intervention::Replace { seat: Seat::new(seat), by: who.into() };
        let done = process::moderate_game(&context, games[1], &what, "He is ill.");
        assert!(done.is_ok());
    }
    games.iter().for_each(|game| play_game_to_end(&context, *game));
    let replaced = format!("replace: [{{from_round: 2, out: {moved_on}, in: {gus}}}]\n");
    let season = build_campaign(8, &format!("{SEASON}{replaced}"));
    let rows = process::load_campaign_status(&context, &season).expect("it stands").rows;
    let played =
        |address: &str| rows.iter().find(|row| row.address == address).map(|row| row.games);
    assert_eq!((played(&helper), played(&helped)), (Some(1), Some(1)));
    assert_eq!((played("gus@x.org"), played(&moved_on)), (Some(1), Some(0)));
    let (rated, _) = process::load_rated_games(&context).expect("the club can be read");
    let of_second = rated.iter().find(|game| game.game == games[1]).expect("it is over");
    let others = process::load_stored_game(&context, games[1]).expect("it opens").seats.len() - 2;
    assert_eq!(of_second.ranks.len(), others, "{of_second:?}");
}

#[test]
fn top_of_standings_advances_to_final() {
    let club = Club::new();
    let context = club.open_context();
    let round = "{kind: trick-of-the-rails, tables: [4]";
    let more = format!("points: [3, 2, 1]\nrounds:\n  - {round}}}\n  - {round}, advance: 4}}\n");
    let campaign = build_campaign(9, &more);
    assert_eq!(draw_rounds(&campaign, &BTreeMap::new()).len(), 1);
    let games = start_round(&context, &campaign, None).expect("it starts");
    let hasty = process::start_round(&context, &campaign, Some(2), true, &Seed::from_number(1));
    assert!(matches!(hasty, Err(RoundStartError::NotDrawn(2))));
    games.iter().for_each(|game| play_game_to_end(&context, *game));
    let season = process::load_campaign_status(&context, &campaign).expect("it stands");
    let best: BTreeSet<&str> = season.rows[..4].iter().map(|row| row.address.as_str()).collect();
    start_round(&context, &campaign, None).expect("it starts");
    let season = process::load_campaign_status(&context, &campaign).expect("it stands");
    let last = season.games.last().expect("the final");
    assert_eq!(last.players.iter().map(String::as_str).collect::<BTreeSet<_>>(), best);
    assert!(matches!(start_round(&context, &campaign, None), Err(RoundStartError::NoRound(3))));
}

#[test]
fn killed_campaign_start_creates_no_game_twice() {
    let more = "points: [3, 1]\nrounds:\n  - {kind: trick-of-the-rails, tables: [4]}\n";
    let file = postrider::testing::create_folder();
    let path = file.path().join("season.yaml");
    let text = format!(
        "name: Season\nseed: 5\nentrants: [{}]\n{more}",
        "p1@x, p2@x, p3@x, p4@x, p5@x, p6@x, p7@x, p8@x"
    );
    std::fs::write(&path, &text).expect("a file");
    let campaign = Campaign::parse(&text, SHIPPED).expect("it reads");
    let mut last = 0;
    for step in sampled_steps(5, 1_000) {
        let club = Club::new();
        let run = |abort_after: u64| {
            let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_postrider"));
            command.arg("-C").arg(club.folder()).args(["campaign", "start"]).arg(&path);
            command.args(["--round", "1"]);
            if abort_after > 0 {
                command.env(postrider::disk::ABORT_AFTER_VARIABLE, abort_after.to_string());
            }
            command.output().expect("it runs").status.code()
        };
        let killed = run(step);
        assert_eq!(run(0), Some(0), "after step {step}");
        let context = club.open_context();
        assert_eq!(
            context.store.game_numbers().expect("games"),
            [1, 2],
            "killed after step {step}"
        );
        assert_eq!(context.store.members().expect("members").len(), 8);
        assert_eq!(context.store.outbox_length().expect("letters"), 8);
        let kept = context.store.campaign_games("Season").expect("its games");
        let journal =
            postrider::store::journal::read_journal(&context.journal_folder()).expect("a journal");
        assert!(kept.len() == 2 && journal.campaign_games.into_iter().eq(kept.clone()));
        if killed == Some(0) {
            let other = Club::new();
            let restored = other.open_context();
            process::restore(&restored, &context.journal_folder()).expect("it restores");
            assert_eq!(
                process::load_campaign_status(&restored, &campaign).expect("it works").games,
                kept
            );
            assert!(start_round(&restored, &campaign, Some(1)).expect("it works").is_empty());
            assert!(last >= 10, "the last kill point is {last}");
            return;
        }
        last = step;
    }
    panic!("it never ends");
}

#[test]
fn plan_start_and_standings_commands_agree() {
    let club = Club::new();
    let file = club.folder().join("season.yaml");
    let run = |arguments: &[&str]| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_postrider"));
        command.arg("-C").arg(club.folder()).arg("campaign").args(arguments);
        let output = command.output().expect("it runs");
        (output.status.code(), String::from_utf8(output.stdout).expect("text"))
    };
    std::fs::write(&file, run(&["example"]).1).expect("a file");
    let path = file.to_string_lossy().into_owned();
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");

    let plan = json(&run(&["plan", &path, "--json"]).1);
    assert_eq!(run(&["start", &path]).0, Some(0));
    assert_eq!(run(&["start", &path]).0, Some(75), "round 1 goes on");
    let context = club.open_context();
    for kept in context.store.campaign_games("Spring 2026").expect("its games") {
        let table = &plan["rounds"][0]["tables"][kept.table as usize - 1];
        let planned = table.as_array().expect("a table").iter().map(|one| &one["address"]);
        assert!(planned.eq(&kept.players), "{table}");
    }
    play_game_to_end(&context, 1);
    drop(context);

    let out = club.folder().join("standings.md");
    let arguments =
        ["standings", &path, "--json", "--ratings", "--mail", "--out", &out.to_string_lossy()];
    let (code, text) = run(&arguments);
    let sheet = json(&text);
    assert_eq!(code, Some(0));
    assert_eq!(sheet["standings"].as_array().map(Vec::len), Some(8));
    assert_eq!(sheet["not_counted"][0]["game"], 2);
    assert_eq!(sheet["ratings"].as_array().map(Vec::len), Some(4));
    assert_eq!(sheet["ratings"][0]["history"][0]["game"], 1);
    let markdown = std::fs::read_to_string(&out).expect("it was written");
    assert!(markdown.contains("1 of 2 games are over."), "{markdown}");
    assert!(markdown.contains("- Round 1, table 2, game 2: not over"), "{markdown}");
    let first = sheet["standings"][0]["name"].as_str().expect("a name");
    let line = markdown.lines().nth(4).expect("a first line");
    assert!(line.starts_with("|   1 |") && line.contains(first), "{markdown}");
    assert_eq!(club.open_context().store.outbox_length().expect("letters"), 8 + 8);
    // An invalid option of a round is reported in the words of its game.
    let text = std::fs::read_to_string(&file).expect("a file");
    let wrong = "kind: off-the-rails\n    tables: [4]\n    options: {wishes: up}";
    let from = "kind: paris-connection\n    tables: [4]\n    options: {}";
    assert!(text.contains(from));
    std::fs::write(club.folder().join("wrong.yaml"), text.replace(from, wrong)).expect("a file");
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_postrider"));
    command.current_dir(club.folder()).args(["campaign", "plan", "wrong.yaml"]);
    let output = command.output().expect("it runs");
    let said = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(65), "{said}");
    assert!(said.contains("line 29: rounds[2].options: ") && !said.contains("or-fault"), "{said}");
    // A bare file name means a file in the current folder.
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_postrider"));
    let arguments = ["campaign", "standings", "season.yaml", "--out", "here.md"];
    command.current_dir(club.folder()).args(arguments);
    assert_eq!(command.output().expect("it runs").status.code(), Some(0));
    assert!(club.folder().join("here.md").exists());
}

#[test]
fn campaign_file_can_state_the_deadline() {
    let usual = "clock: {deadline: 5 days, nmr: forfeit}\n";
    let weekly = "Mon,Thu 20:00 UTC";
    // Each row: lines of club.yaml, a line of the campaign's file, and the deadline of its games.
    for (settings, line, deadline) in [
        ("", "", None),
        ("", "deadline: 3 days\n", Some("3 days")),
        (usual, "", Some("5 days")),
        (usual, "deadline: Mon,Thu 20:00 UTC\n", Some(weekly)),
    ] {
        let club = Club::with_settings(settings);
        let (code, plan) = run_season_command(&club, "plan", line);
        assert_eq!(code, Some(0), "{plan}");
        let said = deadline
            .map_or("No deadline: neither this file nor club.yaml".to_owned(), |it| {
                format!("Deadline of each turn: {it}")
            });
        assert!(plan.contains(&said), "{plan}");
        assert_eq!(run_season_command(&club, "start", line).0, Some(0));
        let clock = club.open_context().store.clock(1).expect("it is read");
        assert_eq!(clock.map(|clock| clock.rules.deadline.to_string()).as_deref(), deadline);
    }
    let club = Club::with_settings("clock: {deadline: 5 days, no_play_days: [Mon]}\n");
    for command in ["plan", "start"] {
        let (code, said) = run_season_command(&club, command, "deadline: Mon 20:00 UTC\n");
        assert!(code == Some(65) && said.contains("deadline: no_play_days leave no day"), "{said}");
    }
    let (code, said) = run_season_command(&club, "plan", "deadline: soon\n");
    assert!(code == Some(65) && said.contains("\"soon\" is not a deadline"), "{said}");
}

/// Runs `campaign COMMAND` for a season of eight entrants. `line` is one more line of its file.
/// Returns the exit code and all that the program prints.
fn run_season_command(club: &Club, command: &str, line: &str) -> (Option<i32>, String) {
    let entrants: Vec<String> = (1..=8).map(|n| format!("  - P{n} <p{n}@x.org>\n")).collect();
    let text = format!("name: Season\nseed: 5\nentrants:\n{}{SEASON}{line}", entrants.concat());
    let file = club.folder().join("season.yaml");
    std::fs::write(&file, text).expect("a file");
    run_postrider(
        club.folder(),
        "2026-01-05T18:00:00Z",
        &["campaign", command, &file.to_string_lossy()],
    )
}

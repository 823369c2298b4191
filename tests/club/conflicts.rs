//! Tests that a club where each decision is refused once ends like an undisturbed club.

use crate::crash::{SETTINGS, fill_inbox};
use crate::memory::Memory;
use crate::rig::{Club, letters_to};
use chrono::TimeDelta;
use postrider::club::Intervention;
use postrider::club::campaign::Campaign;
use postrider::games::SHIPPED;
use postrider::games::find_kind;
use postrider::mail::transport::PostError;
use postrider::process::{self, ClubError, Context, MemberChange, PassReport};
use postrider::rules::Seed;
use postrider::store::{Outbox, Repository, StoreError};
use std::sync::Arc;

/// Runs 30 passes. Returns all letters and the stored state of each game and member.
fn run_to_final_state(mut club: Club, memory: &Memory) -> Vec<String> {
    for _ in 0..30 {
        club.run_pass();
    }
    let letters = club.transport.posted.iter();
    let letters = letters.map(|letter| format!("{} {}", letter.to, letter.raw()));
    let game_state = |game| {
        let log = memory.game_log_lines(game).expect("a log");
        let activity = memory.activity_log(game).expect("an activity log");
        format!(
            "{log:?} {:?} {:?} {:?} {:?} {activity:?}",
            memory.seat_assignments(game).expect("seats"),
            memory.clock(game).expect("a clock"),
            memory.due_time(game).expect("a time"),
            memory.game_info(game).expect("the game info"),
        )
    };
    let games = (1..memory.next_game_number().expect("a number")).map(game_state);
    let members = memory.members().expect("members").into_iter();
    let rest = format!("{:?} {:?}", memory.heartbeat(), memory.outbox_length());
    letters
        .chain(games)
        .chain(members.map(|member| format!("{member:?}")))
        .chain([rest, format!("{:?}", club.inbox_files("new"))])
        .collect()
}

/// Creates a club in memory with a game for Ann, Bob and Cid, and posts its first letters.
fn start_paris_club(memory: &Arc<Memory>) -> Club {
    let mut club = Club::with_settings("").with_memory_store(memory);
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.run_pass();
    club
}

#[test]
fn conflict_at_every_commit_changes_no_outcome() {
    let undisturbed = Arc::new(Memory::default());
    let expected = run_to_final_state(
        fill_inbox(Club::with_settings(SETTINGS).with_memory_store(&undisturbed)),
        &undisturbed,
    );
    assert_eq!(undisturbed.refused(), 0);
    let conflicting = Arc::new(Memory::default());
    conflicting.conflict_each(1);
    let found = run_to_final_state(
        fill_inbox(Club::with_settings(SETTINGS).with_memory_store(&conflicting)),
        &conflicting,
    );
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
    // Each pass commits at least its heartbeat, and about a dozen passes commit more.
    assert!(conflicting.refused() > 60, "{}", conflicting.refused());
}

/// Performs the manual actions of a moderator (members, rounds, clocks, tokens) after an outage, a
/// wrong clock and a dead mailbox.
fn perform_manual_actions(mut club: Club) -> Club {
    club.start_game(find_kind("paris-connection").expect("it ships"), 4, 7);
    club.run_pass();
    let year = TimeDelta::days(365);
    for hours in [TimeDelta::zero(), TimeDelta::days(9), year, -year] {
        club.now += hours;
        club.send_reply("Bob", "say I am here\nvote pause");
        club.run_pass();
    }
    let dead = PostError::RecipientRefused("550 5.1.1 no such mailbox".to_owned());
    club.transport.errors_by_address.insert("cid@example.org".to_owned(), dead);
    let context = club.open_context();
    let season = "name: S\nseed: 5\nentrants: [Ann <ann@example.org>, Bob <bob@example.org>, \
                  Cid <cid@example.org>]\npoints: [6, 3, 1]\nrounds: [{kind: \
                  paris-connection, tables: [3]}]\n";
    let season = Campaign::parse(season, SHIPPED).expect("a campaign");
    let ann = process::find_member(&context, "ann@example.org").expect("it reads").expect("Ann");
    let second = MemberChange::AddAddress { address: "ann@home.org".to_owned(), first: true };
    let new = "new trick-of-the-rails seats 3";
    let line = |line: &str| [line.to_owned()];
    let started = process::start_round(&context, &season, None, false, &Seed::from_number(1));
    assert_eq!(started.expect("it starts").founded.len(), 1);
    let standings = process::load_campaign_status(&context, &season).expect("it is counted");
    assert_eq!(
        process::queue_standings_letters(&context, &season, &standings).expect("it works"),
        3
    );
    assert!(process::run_lobby_line_for_member(&context, &ann, new).is_ok());
    assert!(process::change_member(&context, "1", &second).is_ok());
    assert!(
        process::change_member_setting(&context, "2", "vacation 2026-08-01 2026-08-09").is_ok()
    );
    assert!(process::moderate_game(&context, 1, &Intervention::Pause, "a storm").is_ok());
    assert!(
        process::run_moderator_lines(&context, &line("resume 1 because it is over"), false).is_ok()
    );
    assert!(process::rotate_member_tokens(&context, "2").expect("it works").is_some());
    process::rotate_moderator_token(&context).expect("it works");
    assert!(
        process::remove_and_erase_member(&context, "dot@example.org").expect("it works").is_some()
    );
    drop(context);
    club
}

#[test]
fn conflicting_manual_actions_are_retried() {
    let settings = "clock: {deadline: 3 days, nmr: wait}\n";
    let undisturbed = Arc::new(Memory::default());
    let expected = run_to_final_state(
        perform_manual_actions(Club::with_settings(settings).with_memory_store(&undisturbed)),
        &undisturbed,
    );
    let conflicting = Arc::new(Memory::default());
    conflicting.conflict_each(1);
    let found = run_to_final_state(
        perform_manual_actions(Club::with_settings(settings).with_memory_store(&conflicting)),
        &conflicting,
    );
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn disk_and_memory_stores_give_same_letters() {
    let memory = Arc::new(Memory::default());
    let mut in_memory = fill_inbox(Club::with_settings(SETTINGS).with_memory_store(&memory));
    let mut on_disk = fill_inbox(Club::with_settings(SETTINGS));
    in_memory.run_pass();
    on_disk.run_pass();
    let letters = |club: &Club| -> Vec<String> {
        club.transport.posted.iter().map(|letter| letter.raw()).collect()
    };
    assert_eq!(letters(&in_memory), letters(&on_disk));
}

#[test]
fn order_is_judged_again_after_concurrent_change() {
    let memory = Arc::new(Memory::default());
    let mut club = start_paris_club(&memory);
    club.send_reply("Ann", "build red G23, Troyes");
    let (folder, now, same) = (club.folder().to_owned(), club.now, memory.clone());
    memory.meanwhile(move || {
        let context =
            Context::open_with_store(SHIPPED, &folder, |_, _| Ok(same), now).expect("it opens");
        let ended = process::moderate_game(&context, 1, &Intervention::End, "the hall is closed");
        assert!(ended.is_ok());
    });
    let before = memory.log_length(1).expect("a log");
    let (report, letters) = club.run_pass();
    assert_eq!((report.letters_read, report.carried_out, report.answered), (1, 0, 1), "{report:?}");
    assert_eq!(
        memory.log_length(1).expect("a log"),
        before + 1,
        "only the end of the game is recorded"
    );
    let to_ann = letters_to(&letters, "Ann");
    assert!(to_ann.iter().any(|letter| letter.contains("the hall is closed")));
    assert!(to_ann.iter().any(|letter| letter.contains("build red G23, Troyes The game is over.")));
}

#[test]
fn letter_with_endless_conflicts_waits_for_next_pass() {
    let memory = Arc::new(Memory::default());
    let mut club = start_paris_club(&memory);
    club.send_reply("Ann", "build red G23, Troyes");
    let before = memory.game_log_lines(1).expect("a log");
    memory.conflict_next(usize::MAX);
    let context = club.open_context();
    let refused = process::run_pass(&context, &mut club.transport).expect_err("it gives up");
    assert!(matches!(refused, ClubError::Store(StoreError::Conflict(_))), "{refused}");
    assert!((2..20).contains(&memory.refused()), "{}", memory.refused());
    assert_eq!(
        (memory.game_log_lines(1).expect("a log"), club.inbox_files("new").len()),
        (before.clone(), 1)
    );
    memory.conflict_next(0);
    assert_eq!(club.run_pass().0.carried_out, 1);
    assert!(memory.game_log_lines(1).expect("a log").len() > before.len());
}

/// The concurrent runs post nothing, because two processes would post each letter twice.
#[test]
fn concurrent_runs_handle_each_letter_once() {
    let logs_after_concurrent_runs = |runs: i64| {
        let memory = Arc::new(Memory::default());
        let mut club = Club::with_settings("letters_per_commit: 2\n").with_memory_store(&memory);
        for _ in 0..4 {
            club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
        }
        let (_, first) = club.run_pass();
        for (who, body) in [("Ann", "build red G23, Troyes"), ("Bob", "say I am here")] {
            for letter in letters_to(&first, who) {
                club.deliver(club.compose_reply_to(who, letter, body));
            }
        }
        let read_letters = || {
            let context = Context::open_with_store(
                SHIPPED,
                club.folder(),
                |_, _| Ok(memory.clone()),
                club.now,
            );
            // A run cannot archive a letter that another run has archived, so errors are ignored.
            let _ = process::process_all_letters(
                &context.expect("it opens"),
                &mut PassReport::default(),
            );
        };
        std::thread::scope(|scope| (0..runs).for_each(|_| drop(scope.spawn(read_letters))));
        read_letters();
        assert!(club.inbox_files("new").is_empty(), "{:?}", club.inbox_files("new"));
        assert!(club.inbox_files(".quarantine/cur").is_empty());
        (1..=4)
            .map(|game| {
                (
                    memory.game_log_lines(game).expect("a log"),
                    memory.activity_log(game).expect("it reads"),
                )
            })
            .collect::<Vec<_>>()
    };
    let expected = logs_after_concurrent_runs(0);
    assert!(expected.iter().all(|(log, activity)| log.len() > 1 && activity.len() == 1));
    for _ in 0..5 {
        assert_eq!(logs_after_concurrent_runs(3), expected);
    }
}

//! Whoever decided on what is no longer so decides anew: a club at which every decision is refused
//! once, as if another pass had been faster, ends where an undisturbed one ends.

use crate::crash::{SETTINGS, story};
use crate::memory::Memory;
use crate::rig::{Club, all_to};
use chrono::TimeDelta;
use postrider::club::Intervention;
use postrider::club::campaign::Campaign;
use postrider::games::kind;
use postrider::mail::transport::PostError;
use postrider::process::{self, ClubError, Context, MemberChange, PassReport};
use postrider::rules::Seed;
use postrider::store::{Outbox, Repository, StoreError};
use std::sync::Arc;

/// What everybody was written, and what is kept of each game and member.
fn end(mut club: Club, memory: &Memory) -> Vec<String> {
    for _ in 0..30 {
        club.pass();
    }
    let letters = club.pigeon.posted.iter();
    let letters = letters.map(|letter| format!("{} {}", letter.to, letter.raw()));
    let of_game = |game| {
        let log = memory.log(game).expect("a log");
        let minutes = memory.minutes(game).expect("minutes");
        format!(
            "{log:?} {:?} {:?} {:?} {:?} {minutes:?}",
            memory.seats(game).expect("seats"),
            memory.clock(game).expect("a clock"),
            memory.due_at(game).expect("a time"),
            memory.room(game).expect("a gathering"),
        )
    };
    let games = (1..memory.next_game().expect("a number")).map(of_game);
    let members = memory.members().expect("members").into_iter();
    let rest = format!("{:?} {:?}", memory.heartbeat(), memory.outbox_length());
    letters
        .chain(games)
        .chain(members.map(|member| format!("{member:?}")))
        .chain([rest, format!("{:?}", club.mail_folder("new"))])
        .collect()
}

/// A club in memory with a game of Paris Connection for Ann, Bob and Cid; all have their letters.
fn paris(memory: &Arc<Memory>) -> Club {
    let mut club = Club::with("").over(memory);
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.pass();
    club
}

#[test]
fn a_club_whose_every_decision_is_refused_once_ends_as_an_undisturbed_one() {
    let calm = Arc::new(Memory::default());
    let expected = end(story(Club::with(SETTINGS).over(&calm)), &calm);
    assert_eq!(calm.refused(), 0);
    let uneasy = Arc::new(Memory::default());
    uneasy.conflict_each(1);
    let found = end(story(Club::with(SETTINGS).over(&uneasy)), &uneasy);
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
    // Each of its passes notes itself, and more than that happens in a dozen.
    assert!(uneasy.refused() > 60, "{}", uneasy.refused());
}

/// What is done by hand, after an outage, by a clock that was ahead, and about a dead mailbox.
fn deeds(mut club: Club) -> Club {
    club.found(kind("paris-connection").expect("it ships"), 4, 7);
    club.pass();
    let year = TimeDelta::days(365);
    for hours in [TimeDelta::zero(), TimeDelta::days(9), year, -year] {
        club.now += hours;
        club.writes("Bob", "say I am here\nvote pause");
        club.pass();
    }
    let dead = PostError::NoMailbox("550 5.1.1 no such mailbox".to_owned());
    club.pigeon.fails_to.insert("cid@example.org".to_owned(), dead);
    let context = club.context();
    let season = "name: S\nseed: 5\nentrants: [Ann <ann@example.org>, Bob <bob@example.org>, \
                  Cid <cid@example.org>]\npoints: [6, 3, 1]\nrounds: [{kind: \
                  paris-connection, tables: [3]}]\n";
    let season = Campaign::read(season).expect("a campaign");
    let ann = process::find_member(&context, "ann@example.org").expect("it reads").expect("Ann");
    let second = MemberChange::AddAddress { address: "ann@home.org".to_owned(), first: true };
    let new = "new trick-of-the-rails seats 3";
    let line = |line: &str| [line.to_owned()];
    let started = process::start_round(&context, &season, None, false, &Seed::rehearsal(1));
    assert_eq!(started.expect("it starts").founded.len(), 1);
    let standings = process::season(&context, &season).expect("it is counted");
    assert_eq!(process::mail_standings(&context, &season, &standings).expect("it works"), 3);
    assert!(process::on_behalf(&context, &ann, new).is_ok());
    assert!(process::change_member(&context, "1", &second).is_ok());
    assert!(process::set_member(&context, "2", "vacation 2026-08-01 2026-08-09").is_ok());
    assert!(process::moderate(&context, 1, &Intervention::Pause, "a storm").is_ok());
    assert!(process::directed(&context, &line("resume 1 because it is over"), false).is_ok());
    assert!(process::rotate_member(&context, "2").expect("it works").is_some());
    process::rotate_moderator(&context).expect("it works");
    assert!(process::forget_member(&context, "dot@example.org").expect("it works").is_some());
    drop(context);
    club
}

#[test]
fn what_is_done_by_hand_is_done_anew_too() {
    let settings = "clock: {deadline: 3 days, nmr: wait}\n";
    let calm = Arc::new(Memory::default());
    let expected = end(deeds(Club::with(settings).over(&calm)), &calm);
    let uneasy = Arc::new(Memory::default());
    uneasy.conflict_each(1);
    let found = end(deeds(Club::with(settings).over(&uneasy)), &uneasy);
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn the_store_on_disk_and_the_one_in_memory_lead_to_the_same_letters() {
    let memory = Arc::new(Memory::default());
    let mut kept = story(Club::with(SETTINGS).over(&memory));
    let mut on_disk = story(Club::with(SETTINGS));
    kept.pass();
    on_disk.pass();
    let letters = |club: &Club| -> Vec<String> {
        club.pigeon.posted.iter().map(|letter| letter.raw()).collect()
    };
    assert_eq!(letters(&kept), letters(&on_disk));
}

#[test]
fn an_order_is_judged_anew_by_what_was_done_meanwhile() {
    let memory = Arc::new(Memory::default());
    let mut club = paris(&memory);
    club.writes("Ann", "build red G23, Troyes");
    let (folder, now, same) = (club.folder().to_owned(), club.now, memory.clone());
    memory.meanwhile(move || {
        let context = Context::over(&folder, |_, _| Ok(same), now).expect("it opens");
        let ended = process::moderate(&context, 1, &Intervention::End, "the hall is closed");
        assert!(ended.is_ok());
    });
    let before = memory.log_length(1).expect("a log");
    let (report, letters) = club.pass();
    assert_eq!((report.read, report.carried_out, report.answered), (1, 0, 1), "{report:?}");
    assert_eq!(memory.log_length(1).expect("a log"), before + 1, "only the end of it");
    let to_ann = all_to(&letters, "Ann");
    assert!(to_ann.iter().any(|letter| letter.says("the hall is closed")));
    assert!(to_ann.iter().any(|letter| letter.says("build red G23, Troyes The game is over.")));
}

#[test]
fn what_is_changed_again_and_again_is_left_for_the_next_pass() {
    let memory = Arc::new(Memory::default());
    let mut club = paris(&memory);
    club.writes("Ann", "build red G23, Troyes");
    let before = memory.log(1).expect("a log");
    memory.conflict_next(usize::MAX);
    let context = club.context();
    let refused = process::pass(&context, &mut club.pigeon).expect_err("it gives up");
    assert!(matches!(refused, ClubError::Store(StoreError::Conflict(_))), "{refused}");
    assert!((2..20).contains(&memory.refused()), "{}", memory.refused());
    assert_eq!((memory.log(1).expect("a log"), club.mail_folder("new").len()), (before.clone(), 1));
    memory.conflict_next(0);
    assert_eq!(club.pass().0.carried_out, 1);
    assert!(memory.log(1).expect("a log").len() > before.len());
}

/// Runs that read letters at the same time over one store deal with each letter once. (Two that
/// post at the same time would post letters twice: who posts has to be one.)
#[test]
fn two_at_a_time_deal_with_every_letter_once() {
    let end = |at_once: i64| {
        let memory = Arc::new(Memory::default());
        let mut club = Club::with("letters_per_commit: 2\n").over(&memory);
        for _ in 0..4 {
            club.found(kind("paris-connection").expect("it ships"), 3, 7);
        }
        let (_, first) = club.pass();
        for (who, body) in [("Ann", "build red G23, Troyes"), ("Bob", "say I am here")] {
            for letter in all_to(&first, who) {
                club.arrives(club.reply_to(who, letter, body));
            }
        }
        let reads = || {
            let context = Context::over(club.folder(), |_, _| Ok(memory.clone()), club.now);
            // What the other one has put away cannot be put away again.
            let _ = process::take_in_all(&context.expect("it opens"), &mut PassReport::default());
        };
        std::thread::scope(|scope| (0..at_once).for_each(|_| drop(scope.spawn(reads))));
        reads();
        assert!(club.mail_folder("new").is_empty(), "{:?}", club.mail_folder("new"));
        assert!(club.mail_folder(".quarantine/cur").is_empty());
        (1..=4)
            .map(|game| (memory.log(game).expect("a log"), memory.minutes(game).expect("it reads")))
            .collect::<Vec<_>>()
    };
    let expected = end(0);
    assert!(expected.iter().all(|(log, said)| log.len() > 1 && said.len() == 1));
    for _ in 0..5 {
        assert_eq!(end(3), expected);
    }
}

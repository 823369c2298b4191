//! Tests that a transaction reads what the store has after the commit, and that a savepoint is
//! merged completely or not at all.

use super::Transaction;
use crate::club::clock::{ClockRules, Heartbeat};
use crate::club::{ActivityEvent, Actor, Member};
use crate::games::SHIPPED;
use crate::games::find_kind;
use crate::mail::{LetterHash, Maildir, PendingLetter};
use crate::process::lobby::{game_founding, substitute};
use crate::process::transaction::effect::{Disposition, LetterEffect};
use crate::process::{Context, FoundingResult, Player};
use crate::rules::{Dice, Message, Seat, Seed, Turn};
use crate::store::{PostRecord, PostedLetter, Repository, SeenLetter, StoreError};
use crate::table::{GameSetup, OrderLine, QueuedOrders, Submission, Verdict};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::BTreeMap;
use tempfile::TempDir;

const SETTINGS: &str = "name: Club\naddress: games@x.org\n\
                        moderator: {name: Mod, address: mod@x.org}\nclock: {deadline: 3 days}\n";

fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_636_000, 0).unwrap()
}

/// Creates a club with two running games of three players.
fn create_club() -> (TempDir, Context) {
    let home = crate::testing::create_folder();
    std::fs::write(home.path().join("club.yaml"), SETTINGS).unwrap();
    std::fs::write(home.path().join("secret"), "07".repeat(32)).unwrap();
    Maildir::new(home.path().join("inbox")).create_folders().unwrap();
    let context = Context::open(SHIPPED, home.path(), now()).unwrap();
    for game in 1..=2 {
        let seed = Seed::from_number(game);
        assert!(matches!(
            game_founding::found_game(&context, setup(), &players(&["ann", "bob", "cid"]), &seed),
            Ok(FoundingResult::Game(_))
        ));
    }
    (home, context)
}

fn setup() -> GameSetup<'static> {
    static NO_OPTIONS: BTreeMap<String, String> = BTreeMap::new();
    let kind = find_kind("paris-connection").unwrap();
    GameSetup { kind, definition: kind.shipped_definition(), options: &NO_OPTIONS, seats: 3 }
}

fn players(names: &[&str]) -> Vec<Player> {
    let player =
        |name: &&str| Player { name: (*name).to_owned(), address: format!("{name}@x.org") };
    names.iter().map(player).collect()
}

/// Calls every read method, and returns the answers as text.
fn read_everything(repository: &dyn Repository) -> Vec<String> {
    let mut answers = Vec::new();
    let mut note = |what: String| answers.push(what);
    let later = now() + TimeDelta::days(900);
    let addresses = ["ann@x.org", "bob@x.org", "cid@x.org", "dot@x.org", "new@x.org"];
    let ask = |note: &mut dyn FnMut(String)| -> Result<(), StoreError> {
        note(format!("{:?} {:?}", repository.game_numbers()?, repository.next_game_number()?));
        note(format!("{:?} {:?}", repository.members()?, repository.next_member_number()?));
        for address in addresses {
            note(format!("{address} {:?}", repository.member_by_address(address)?));
        }
        for game in 0..=4 {
            note(format!("{game} {:?}", repository.game_log_lines(game)?));
            note(format!(
                "{:?} {:?}",
                repository.log_length(game)?,
                repository.seat_assignments(game)?
            ));
            note(format!("{:?} {:?}", repository.game_info(game)?, repository.activity_log(game)?));
            note(format!("{:?} {:?}", repository.clock(game)?, repository.due_time(game)?));
        }
        for member in 1..=5 {
            let (member, seats) = (repository.member(member)?, repository.member_seats(member)?);
            note(format!("{member:?} {seats:?}"));
        }
        note(format!("{:?} {:?}", repository.clocks()?, repository.has_ever_had_clock()?));
        note(format!("{:?} {:?}", repository.due_games(later)?, repository.due_games(now())?));
        note(format!("{:?} {:?}", repository.next_due_time()?, repository.game_infos()?));
        note(format!("{:?} {:?}", repository.heartbeat()?, repository.last_morning_digest()?));
        note(format!("{:?} {:?}", repository.moderator_generation()?, repository.restored_at()?));
        note(format!(
            "{:?}",
            repository.letter_outcome(LetterHash::compute(b"a letter").as_bytes())?
        ));
        note(format!("{:?}", repository.file_outcome_text("a file")?));
        note(format!("{:?}", repository.event_times_since("ann", 0)?));
        note(format!("{:?}", repository.post_record("an id", now() - TimeDelta::days(1), later)?));
        note(format!("{:?}", repository.unreadable_letters()?));
        note(format!("{:?}", repository.campaign_games("a campaign")?));
        Ok(())
    };
    ask(&mut note).unwrap();
    answers
}

fn assert_same(one: &[String], other: &[String]) {
    assert_eq!(one.len(), other.len());
    one.iter().zip(other).for_each(|(one, other)| assert_eq!(one, other));
}

/// Makes a change of each kind.
fn change_all(tx: &mut Transaction<'_>) {
    play_random_order(tx, 1);
    let ann = tx.member_by_address("ann@x.org").unwrap().unwrap();
    let addresses = vec!["new@x.org".to_owned()];
    tx.update_member(Member { addresses, ..ann });
    let dot = substitute::find_or_enrol_member(tx, &players(&["dot"]).remove(0)).unwrap();
    assert!(
        substitute::give_or_offer_seat(tx, 2, Seat::new(2), &dot, Actor::Moderator, "tired")
            .is_ok()
    );
    tx.log_activity(2, ActivityEvent::Noted { text: "a note".to_owned() });
    tx.game_info_mut(1).unwrap().waiting_list.push(3);
    tx.opened_game_mut(1).unwrap().clock.as_mut().unwrap().pause(now());
    let seed = Seed::from_number(9);
    let usual = game_founding::GameTerms::default_for(tx.context);
    let clock = usual.clock.clone().map(|rules| ClockRules { bank: None, ..rules });
    let terms = game_founding::GameTerms { clock, ..usual };
    let founded = game_founding::found_game_in_tx(
        tx,
        3,
        setup(),
        &players(&["bob", "cid", "dot"]),
        seed,
        terms,
    );
    assert!(matches!(founded, Ok(FoundingResult::Game(3))));
    tx.set_due_time((1, Some(now() + TimeDelta::days(5))));
    tx.set_due_time((2, None));
    tx.increment_count("ann".to_owned());
    let seen = SeenLetter { game: Some(1), ..SeenLetter::mark(now()) };
    tx.mark_as_processed(LetterHash::compute(b"a letter"), seen);
    tx.apply_effect(
        write_inbox_file(tx.context),
        LetterEffect::with_disposition(Disposition::Quarantined(Message::new("why"))),
    );
    let batch = tx.batch_mut();
    let letter =
        PostedLetter { shown_seats: vec![(1, Seat::new(1), 3)], ..PostedLetter::default() };
    let posted = PostRecord { at: now(), letter };
    batch.posted.push(("an id".to_owned(), posted));
    batch.heartbeat = Some(Heartbeat::from_first_pass(now()));
    batch.last_morning_digest = Some(now());
    batch.moderator_generation = Some(7);
}

fn write_inbox_file(context: &Context) -> PendingLetter {
    std::fs::write(context.inbox_maildir().root().join("new/a file"), "x").unwrap();
    context.inbox_maildir().pending_letters(1).unwrap().remove(0)
}

/// Plays a random legal order for the player whose turn it is.
fn play_random_order(tx: &mut Transaction<'_>, game: u32) {
    let mut session = tx.open_game(game).unwrap().clone();
    let Turn::Awaiting(seats) = session.table.turn() else { panic!("it runs") };
    let mut dice = (Dice::new(&Seed::from_number(1), 0), Dice::new(&Seed::from_number(2), 0));
    let mut ahead = session.table.game().clone_box();
    let (line, _) = ahead.play_random_line(seats[0], &mut dice.0, &mut dice.1).unwrap();
    let lines = [OrderLine::new(1, line)];
    let (seen, standing) = (session.table.last_record_number(), &QueuedOrders::default());
    let submission = Submission {
        seat: seats[0],
        lines: &lines,
        seen_record: seen,
        letter: None,
        queued: standing,
    };
    match session.table.submit(&submission, now()) {
        Verdict::Accepted { table, .. } => session.table = *table,
        Verdict::Refused(refused) => panic!("{refused:?}"),
    }
    tx.put_back_game(session);
}

#[test]
fn transaction_reads_match_store_after_commit() {
    let (_home, context) = create_club();
    let before = read_everything(&*context.store);
    assert_same(&read_everything(&Transaction::begin(&context)), &before);
    let mut tx = Transaction::begin(&context);
    change_all(&mut tx);
    let within = read_everything(&tx);
    assert_ne!(within, before);
    // Before the commit, the store is unchanged.
    assert_same(&read_everything(&*context.store), &before);
    tx.commit().unwrap();
    assert_same(&read_everything(&*context.store), &within);
}

#[test]
fn savepoint_applies_all_changes_or_none() {
    let (_home, context) = create_club();
    let mut tx = Transaction::begin(&context);
    play_random_order(&mut tx, 2);
    tx.log_activity(2, ActivityEvent::Noted { text: "before".to_owned() });
    tx.add_urgent_seat_note(2, Seat::new(1), crate::rules::Message::new("talk-said"));
    let before = read_everything(&tx);
    let mut savepoint = tx.begin_savepoint();
    change_all(&mut savepoint);
    let within = read_everything(&savepoint);
    drop(savepoint);
    assert_same(&read_everything(&tx), &before);
    assert_eq!(tx.pending_updates(2).map_or(0, |movers| movers.notes.len()), 1);
    let mut savepoint = tx.begin_savepoint();
    change_all(&mut savepoint);
    // A savepoint of a savepoint sees the changes of both.
    assert_same(&read_everything(&savepoint.begin_savepoint()), &within);
    let changes = savepoint.into_changes();
    tx.merge_savepoint(changes);
    assert_same(&read_everything(&tx), &within);
    tx.commit().unwrap();
    assert_same(&read_everything(&*context.store), &within);
}

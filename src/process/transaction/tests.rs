//! A transaction reads as the store will once it is committed, and a savepoint leaves all or
//! nothing.

use super::Transaction;
use crate::club::clock::{ClockRules, Heartbeat};
use crate::club::{Actor, Happening, Member};
use crate::games::kind;
use crate::mail::{LetterHash, Maildir, Waiting};
use crate::process::lobby::{found, substitute};
use crate::process::transaction::effect::{Disposition, LetterEffect};
use crate::process::{Context, Founded, Player};
use crate::rules::{Dice, Message, Seat, Seed, Turn};
use crate::store::{Posted, PostedLetter, Repository, SeenLetter, StoreError};
use crate::table::{GameSetup, OrderLine, StandingOrders, Submission, Verdict};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::BTreeMap;
use tempfile::TempDir;

const CLUB: &str = "name: Club\naddress: games@x.org\nmoderator: {name: Mod, address: mod@x.org}\n\
                    clock: {deadline: 3 days}\n";

fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_636_000, 0).unwrap()
}

/// A club in which two games of three are played.
fn club() -> (TempDir, Context) {
    let home = crate::common::folder();
    std::fs::write(home.path().join("club.yaml"), CLUB).unwrap();
    std::fs::write(home.path().join("secret"), "07".repeat(32)).unwrap();
    Maildir::new(home.path().join("inbox")).create().unwrap();
    let context = Context::open(home.path(), now()).unwrap();
    for game in 1..=2 {
        let seed = Seed::rehearsal(game);
        assert!(matches!(
            found::found(&context, setup(), &players(&["ann", "bob", "cid"]), &seed),
            Ok(Founded::Game(_))
        ));
    }
    (home, context)
}

fn setup() -> GameSetup<'static> {
    static NONE: BTreeMap<String, String> = BTreeMap::new();
    let kind = kind("paris-connection").unwrap();
    GameSetup { kind, definition: kind.definition(), options: &NONE, seats: 3 }
}

fn players(names: &[&str]) -> Vec<Player> {
    let player =
        |name: &&str| Player { name: (*name).to_owned(), address: format!("{name}@x.org") };
    names.iter().map(player).collect()
}

/// All that can be asked, and what is said to it.
fn everything(repository: &dyn Repository) -> Vec<String> {
    let mut said = Vec::new();
    let mut note = |what: String| said.push(what);
    let later = now() + TimeDelta::days(900);
    let addresses = ["ann@x.org", "bob@x.org", "cid@x.org", "dot@x.org", "new@x.org"];
    let ask = |note: &mut dyn FnMut(String)| -> Result<(), StoreError> {
        note(format!("{:?} {:?}", repository.games()?, repository.next_game()?));
        note(format!("{:?} {:?}", repository.members()?, repository.next_member()?));
        for address in addresses {
            note(format!("{address} {:?}", repository.member_by_address(address)?));
        }
        for game in 0..=4 {
            note(format!("{game} {:?}", repository.log(game)?));
            note(format!("{:?} {:?}", repository.log_length(game)?, repository.seats(game)?));
            note(format!("{:?} {:?}", repository.room(game)?, repository.minutes(game)?));
            note(format!("{:?} {:?}", repository.clock(game)?, repository.due_at(game)?));
        }
        for member in 1..=5 {
            let (member, seats) = (repository.member(member)?, repository.seats_of(member)?);
            note(format!("{member:?} {seats:?}"));
        }
        note(format!("{:?} {:?}", repository.clocks()?, repository.has_clocks()?));
        note(format!("{:?} {:?}", repository.due(later)?, repository.due(now())?));
        note(format!("{:?} {:?}", repository.next_due()?, repository.rooms()?));
        note(format!("{:?} {:?}", repository.heartbeat()?, repository.morning()?));
        note(format!("{:?} {:?}", repository.moderator()?, repository.restored()?));
        note(format!("{:?}", repository.seen_letter(LetterHash::of(b"a letter").bytes())?));
        note(format!("{:?}", repository.seen_file("a file")?));
        note(format!("{:?}", repository.answers_since("ann", 0)?));
        note(format!("{:?}", repository.posted("an id", now() - TimeDelta::days(1), later)?));
        note(format!("{:?}", repository.unread()?));
        note(format!("{:?}", repository.campaign_games("a campaign")?));
        Ok(())
    };
    ask(&mut note).unwrap();
    said
}

fn same(one: &[String], other: &[String]) {
    assert_eq!(one.len(), other.len());
    one.iter().zip(other).for_each(|(one, other)| assert_eq!(one, other));
}

/// Changes something of each kind.
fn change_all(tx: &mut Transaction<'_>) {
    order(tx, 1);
    let ann = tx.member_by_address("ann@x.org").unwrap().unwrap();
    let addresses = vec!["new@x.org".to_owned()];
    tx.change(Member { addresses, ..ann });
    let dot = substitute::enrol(tx, &players(&["dot"]).remove(0)).unwrap();
    assert!(substitute::replace(tx, 2, Seat::new(2), &dot, Actor::Moderator, "tired").is_ok());
    tx.log_activity(2, Happening::Noted { text: "a note".to_owned() });
    tx.room_mut(1).unwrap().waiting.push(3);
    tx.game_mut(1).unwrap().clock.as_mut().unwrap().pause(now());
    let seed = Seed::rehearsal(9);
    let usual = found::Terms::usual(tx.context);
    let clock = usual.clock.clone().map(|rules| ClockRules { bank: None, ..rules });
    let terms = found::Terms { clock, ..usual };
    let founded = found::lay(tx, 3, setup(), &players(&["bob", "cid", "dot"]), seed, terms);
    assert!(matches!(founded, Ok(Founded::Game(3))));
    tx.set_due((1, Some(now() + TimeDelta::days(5))));
    tx.set_due((2, None));
    tx.count("ann".to_owned());
    let seen = SeenLetter { at: now(), game: Some(1), seq: None };
    tx.remember(LetterHash::of(b"a letter"), seen);
    tx.take(file(tx.context), LetterEffect::of(Disposition::Quarantined(Message::new("why"))));
    let batch = tx.write();
    let letter = PostedLetter { told: vec![(1, Seat::new(1), 3)], ..PostedLetter::default() };
    let posted = Posted { at: now(), letter };
    batch.posted.push(("an id".to_owned(), posted));
    batch.heartbeat = Some(Heartbeat::first(now()));
    batch.morning = Some(now());
    batch.moderator = Some(7);
}

/// A file in the inbox.
fn file(context: &Context) -> Waiting {
    std::fs::write(context.inbox().root().join("new/a file"), "x").unwrap();
    context.inbox().waiting(1).unwrap().remove(0)
}

/// Whoever's turn it is in a game does something legal.
fn order(tx: &mut Transaction<'_>, game: u32) {
    let mut session = tx.session(game).unwrap().clone();
    let Turn::Awaiting(seats) = session.table.turn() else { panic!("it runs") };
    let mut dice = (Dice::new(&Seed::rehearsal(1), 0), Dice::new(&Seed::rehearsal(2), 0));
    let mut ahead = session.table.game().copy();
    let (line, _) = ahead.play_at_random(seats[0], &mut dice.0, &mut dice.1).unwrap();
    let lines = [OrderLine::new(1, line)];
    let (seen, standing) = (session.table.head(), &StandingOrders::default());
    let submission = Submission { seat: seats[0], lines: &lines, seen, letter: None, standing };
    match session.table.submit(&submission, now()) {
        Verdict::Accepted { table, .. } => session.table = *table,
        Verdict::Refused(refused) => panic!("{refused:?}"),
    }
    tx.put_game(session);
}

#[test]
fn what_is_read_in_a_transaction_is_what_the_store_says_after_it() {
    let (_home, context) = club();
    let before = everything(&*context.store);
    same(&everything(&Transaction::begin(&context)), &before);
    let mut tx = Transaction::begin(&context);
    change_all(&mut tx);
    let within = everything(&tx);
    assert_ne!(within, before);
    // Nothing is true before the commit.
    same(&everything(&*context.store), &before);
    tx.commit().unwrap();
    same(&everything(&*context.store), &within);
}

#[test]
fn a_savepoint_is_taken_over_as_a_whole_or_leaves_nothing() {
    let (_home, context) = club();
    let mut tx = Transaction::begin(&context);
    order(&mut tx, 2);
    tx.log_activity(2, Happening::Noted { text: "before".to_owned() });
    tx.tell_seat(2, Seat::new(1), crate::rules::Message::new("talk-said"));
    let before = everything(&tx);
    let mut upon = tx.savepoint();
    change_all(&mut upon);
    let within = everything(&upon);
    drop(upon);
    same(&everything(&tx), &before);
    assert_eq!(tx.movers(2).map_or(0, |movers| movers.notes.len()), 1);
    let mut upon = tx.savepoint();
    change_all(&mut upon);
    // A savepoint upon a savepoint sees both.
    same(&everything(&upon.savepoint()), &within);
    let changes = upon.into_changes();
    tx.absorb(changes);
    same(&everything(&tx), &within);
    tx.commit().unwrap();
    same(&everything(&*context.store), &within);
}

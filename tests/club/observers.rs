//! Members who watch a game see what everyone may see, and nothing else; and how punctual players
//! were is known to all who would play with them.

use crate::rig::{self, Club, address, all_to};
use chrono::TimeDelta;
use postrider::club::Intervention;
use postrider::club::{GameRoom, Member};
use postrider::games::{GAMES, kind};
use postrider::process;
use postrider::render::{Library, Page, PublicLetter, Rendered};
use postrider::rules::{Dice, Kind, Seed, Turn, Viewer};
use postrider::store::Batch;
use postrider::table::{GameSetup, Manner, Table, rehearse};
use std::collections::BTreeMap;

/// Game 1 for five, so that Dot and Eve are members, and game 2 for Ann, Bob and Cid.
fn club(settings: &str) -> Club {
    let mut club = Club::with(settings);
    club.found(kind("paris-connection").expect("it ships"), 5, 8);
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.pass();
    club
}

/// Game 2's room is this.
fn keep(club: &Club, room: GameRoom) {
    let batch = Batch { rooms: vec![(2, room)], ..Batch::default() };
    club.context().store.write(&batch).expect("written");
}

#[test]
fn who_watches_gets_a_letter_each_time_the_game_has_moved_until_he_ends_it() {
    let mut club = club("");
    club.writes("Ann", "build red G23, Troyes");
    club.pass();
    club.writes("Dot", "watch 2");
    club.writes("Ann", "watch 2");
    let (_, letters) = club.pass();
    assert!(all_to(&letters, "Ann")[0].says("You play game 2 yourself"));
    let dot = all_to(&letters, "Dot");
    assert!(dot.iter().any(|letter| letter.says("You watch game 2 from now on")));
    let shown = dot.iter().find(|letter| letter.says("HOW IT BEGAN")).expect("the position");
    assert!(shown.says("Ann builds red on G23 and G25 Troyes"), "{}", shown.text());
    assert!(shown.says("THE BOARD") && shown.says("It is the turn of Bob."));
    assert!(!shown.says("FOR YOUR EYES ONLY") && !shown.says("WHAT YOU CAN DO"));

    club.writes("Bob", "board");
    club.writes("Dot", "watch 2");
    let (_, letters) = club.pass();
    let dot = all_to(&letters, "Dot");
    assert!(dot.len() == 1 && dot[0].says("You watch game 2 already."), "nothing has moved");
    // So many watch it that nobody else can.
    let mut room = club.context().store.room(2).expect("kept");
    let before = std::mem::replace(&mut room.observers, (100..150).collect());
    keep(&club, room.clone());
    club.writes("Eve", "watch 2");
    let told = club.pass().1.remove(0);
    assert!(told.says("So many watch game 2 that no more can."), "{}", told.text());
    keep(&club, GameRoom { observers: before, ..room });
    club.writes("Bob", "say Mind the gap.\ntell Ann she knows nothing");
    club.pass();
    club.writes("Bob", "build red H22");
    let (_, letters) = club.pass();
    assert_eq!((letters.len(), all_to(&letters, "Dot").len()), (4, 1));
    let news = all_to(&letters, "Dot")[0].clone();
    assert!(news.says("Bob builds red") && !news.says("Ann builds red"), "{}", news.text());
    assert!(news.says("| Bob to all: | Mind the gap.") && !news.says("knows nothing"));
    // A reply to it orders nothing and ends the watching.
    let order = club.reply_to("Dot", &news, "build red H24");
    club.arrives(order);
    let (report, _) = club.pass();
    assert_eq!(report.carried_out, 0);
    let ends = club.reply_to("Dot", &news, "unwatch 2");
    club.arrives(ends);
    let (_, letters) = club.pass();
    assert!(all_to(&letters, "Dot")[0].says("You watch game 2 no more"));
    assert!(club.context().store.room(2).expect("kept").observers.is_empty());
}

#[test]
fn game_watched_as_it_starts_is_shown_once() {
    let mut club = club("");
    club.writes("Ann", "new paris-connection seats 3");
    club.pass();
    club.writes("Bob", "join 3");
    club.pass();
    club.writes("Cid", "join 3");
    club.writes("Dot", "watch 3");
    let (_, letters) = club.pass();
    let shown = |name: &str| {
        let to = all_to(&letters, name).into_iter();
        to.filter(|letter| letter.says("THE BOARD")).count()
    };
    assert_eq!(["Ann", "Bob", "Cid", "Dot"].map(shown), [1; 4], "{letters:?}");
}

#[test]
fn how_fast_a_game_is_played_and_when_it_may_end_is_shown() {
    let mut club = Club::tricks("");
    club.writes("Ann", "zone Pacific/Auckland\nstatus");
    assert!(!club.pass().1[0].says("a turn takes"), "nobody has played");
    club.writes("Ann", "pace");
    assert!(club.pass().1[0].says("No turn has been played yet"));
    for _ in 0..12 {
        club.now += TimeDelta::hours(7);
        let session = process::open_game(&club.context(), 1).expect("it opens");
        let Turn::Awaiting(seats) = session.table.turn() else { panic!("it goes on") };
        let name = session.names[seats[0].index()].clone();
        club.writes(&name, &session.table.game().forfeit(seats[0]));
        assert_eq!(club.pass().0.carried_out, 1);
    }
    let session = process::open_game(&club.context(), 1).expect("it opens");
    let progress = session.table.game().progress();
    assert!((15..40).contains(&progress), "{progress}");
    let records = session.table.records();
    let taken = records.last().expect("the last").at - records[0].at;
    let left = taken * (100 - i32::from(progress)) / i32::from(progress);
    let end = (club.now + left).with_timezone(&chrono_tz::Pacific::Auckland);
    club.writes("Ann", "status");
    let said = club.pass().1[0].clone();
    let end = format!("likely to end about {}", end.format("%-d %b %Y"));
    assert!(said.says("So far a turn takes about 8 hours"), "{}", said.text());
    assert!(said.says(&end), "{end}: {}", said.text());
    club.writes("Ann", "pace");
    let said = club.pass().1[0].clone();
    assert!(said.says("So far a turn takes") && said.says(&end), "{}", said.text());
    club.writes("Bob", "games");
    assert!(club.pass().1[0].says("a turn takes about 8 hours, so that it is likely to end"));
}

#[test]
fn a_private_game_is_watched_by_who_was_invited_only() {
    let mut club = club("");
    club.writes("Ann", "new paris-connection private invite bob@example.org cid@example.org");
    club.pass();
    club.writes("Ann", "invite 3 dot@example.org");
    let (_, letters) = club.pass();
    assert!(all_to(&letters, "Dot")[0].says("Ann invites you to play"));
    club.writes("Bob", "join 3");
    club.writes("Cid", "join 3");
    let (_, letters) = club.pass();
    assert_eq!(letters.iter().filter(|letter| letter.says("Welcome to game 3")).count(), 3);
    club.writes("Eve", "watch 3");
    club.writes("Eve", "games");
    club.writes("Dot", "watch 3");
    let (_, letters) = club.pass();
    let eve = all_to(&letters, "Eve");
    assert!(eve[0].says("There is no game 3") && !eve[1].says("3: Paris"), "{}", eve[1].text());
    assert!(all_to(&letters, "Dot").iter().any(|letter| letter.says("THE BOARD")));
    // Who proposed it may come back to a seat that he left.
    club.writes("Ann", "resign yes");
    club.pass();
    let back = club.reply_to("Ann", &club.last_to("Ann").expect("a word").clone(), "join 3");
    club.arrives(back);
    let (_, letters) = club.pass();
    assert!(
        all_to(&letters, "Ann").iter().any(|letter| letter.says("You play on for Ann in game 3"))
    );
}

#[test]
fn what_is_hidden_changes_no_byte_of_a_public_letter() {
    let library = Library::embedded().expect("the words are in the binary");
    let reader = Member { language: "en".to_owned(), ascii: true, ..Member::default() };
    for kind in GAMES {
        for seats in [*kind.seats().start(), *kind.seats().end()] {
            let whole = whole_game(*kind, seats);
            for seq in (1..whole.head()).step_by((whole.head() as usize / 6).max(1)) {
                let table = whole.at(seq).expect("an earlier position");
                let seen = mailed(&library, &table, &reader);
                for shuffle in 0..3 {
                    let mut dice = Dice::new(&Seed::rehearsal(shuffle), 0);
                    let other = table.redeal(Viewer::Public, &mut dice);
                    let other = mailed(&library, &other.expect("reshuffled"), &reader);
                    assert_eq!(seen, other, "{}, record {seq}", kind.id());
                }
            }
        }
    }
}

fn whole_game(kind: &dyn Kind, seats: u8) -> Table {
    let options = BTreeMap::new();
    let setup = GameSetup { kind, definition: kind.definition(), options: &options, seats };
    rehearse(setup, 1, 3, 20_000, Manner::OneByOne).expect("a whole game").table
}

/// The letter to who begins to watch, and the one to who has watched.
fn mailed(library: &Library, table: &Table, reader: &Member) -> Vec<Rendered> {
    let names: Vec<String> = rig::NAMES.iter().map(|name| (*name).to_owned()).collect();
    let mut page = Page::new(table, &names);
    let mut letter = |told| {
        let letter = PublicLetter {
            club: "The Club",
            reader,
            told,
            minutes: &[],
            campaign: None,
            name: None,
        };
        page.public_letter(library, &letter).expect("it is written")
    };
    vec![letter(0), letter(table.head().saturating_sub(1))]
}

#[test]
fn who_keeps_deadlines_is_known_for_it_and_outages_cost_nobody() {
    let mut club = Club::paris("clock: {deadline: 2 days, nmr: forfeit}\n");
    club.writes("Ann", "build red G23, Troyes");
    club.pass();
    let punctual = |club: &Club, name: &str| {
        let context = club.context();
        let member =
            process::find_member(&context, &address(name)).expect("it works").expect("a member");
        let mut seats = context.store.seats(1).expect("seats");
        let seated = seats.remove(usize::try_from(member.id).expect("small") - 1);
        (seated.punctuality.in_time, seated.punctuality.late)
    };
    assert_eq!(punctual(&club, "Ann"), (1, 0));
    // Bob is too late; passes run all the while, so that no outage is seen.
    for _ in 0..49 {
        club.pass();
    }
    assert_eq!(punctual(&club, "Bob"), (0, 1));
    // What the moderator has done for a player before his time is over says nothing of him.
    let forced = process::moderate(
        &club.context(),
        1,
        &Intervention::Force(postrider::rules::Seat::new(3)),
        "he asked",
    );
    assert!(forced.is_ok());
    club.pass();
    assert_eq!(punctual(&club, "Cid"), (0, 0));
    // An outage of five days costs Ann nothing.
    club.now += TimeDelta::days(5);
    club.pass();
    let line = {
        let context = club.context();
        let session = process::open_game(&context, 1).expect("it opens");
        session.table.game().forfeit(postrider::rules::Seat::new(1))
    };
    club.writes("Ann", &line);
    club.pass();
    assert_eq!(punctual(&club, "Ann"), (2, 0), "{}", club.last_text("Ann"));

    club.writes("Ann", "new paris-connection seats 3 punctual 80");
    club.pass();
    club.writes("Bob", "join 2");
    club.pass();
    let told = club.last_to("Bob").expect("an answer").clone();
    assert!(told.says("must have had 80 of a hundred turns in time; you had 0"), "{}", told.text());
    club.writes("Cid", "join 2");
    club.writes("Bob", "games");
    club.pass();
    let told = club.last_to("Bob").expect("an answer").clone();
    assert!(told.says("Ann (100 of a hundred turns in time) and Cid (new to deadlines)"));
    // Who has left a game is known for that as well.
    club.writes("Bob", "resign yes");
    club.pass();
    for (name, line) in [("Bob", "new paris-connection seats 4"), ("Bob", "games")] {
        let last = club.last_to(name).expect("a letter").clone();
        club.arrives(club.reply_to(name, &last, line));
        club.pass();
    }
    let told = club.last_to("Bob").expect("an answer");
    assert!(told.says("Bob (0 of a hundred turns in time, one game left)"), "{}", told.text());
}

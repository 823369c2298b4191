//! Observers, who see only public facts, and facts about a game that its readers may know: pace,
//! privacy, and the punctuality of players.

use crate::rig::{self, Club, address, letters_to};
use chrono::TimeDelta;
use postrider::club::Intervention;
use postrider::club::{GameInfo, Member};
use postrider::games::{GAMES, find_kind};
use postrider::process;
use postrider::render::{Library, Page, PublicLetter, RenderedLetter};
use postrider::rules::{Dice, GameKind, Seed, Turn, Viewer};
use postrider::store::Batch;
use postrider::table::{GameSetup, RehearsalMode, Table, rehearse};
use std::collections::BTreeMap;

/// Creates a game for five players, so that Dot and Eve are members, and one for three.
fn club_with_two_games(settings: &str) -> Club {
    let mut club = Club::with_settings(settings);
    club.start_game(find_kind("paris-connection").expect("it ships"), 5, 8);
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.run_pass();
    club
}

/// Stores this game info for game 2.
fn write_game_info(club: &Club, room: GameInfo) {
    let batch = Batch { game_infos: vec![(2, room)], ..Batch::default() };
    club.open_context().store.write_without_conflict_check(&batch).expect("written");
}

#[test]
fn observer_gets_news_until_unwatch() {
    let mut club = club_with_two_games("");
    club.send_reply("Ann", "build red G23, Troyes");
    club.run_pass();
    club.send_reply("Dot", "watch 2");
    club.send_reply("Ann", "watch 2");
    let (_, letters) = club.run_pass();
    assert!(letters_to(&letters, "Ann")[0].contains("You're playing in game 2 yourself"));
    let dot = letters_to(&letters, "Dot");
    assert!(dot.iter().any(|letter| letter.contains("You're now watching game 2")));
    let position = dot.iter().find(|letter| letter.contains("HOW IT BEGAN")).expect("the position");
    assert!(position.contains("Ann builds red on G23 and G25 Troyes"), "{}", position.body_text());
    assert!(position.contains("THE BOARD") && position.contains("It's Bob's turn."));
    assert!(!position.contains("ONLY YOU SEE THIS") && !position.contains("WHAT YOU CAN DO"));

    club.send_reply("Bob", "board");
    club.send_reply("Dot", "watch 2");
    let (_, letters) = club.run_pass();
    let dot = letters_to(&letters, "Dot");
    assert!(dot.len() == 1 && dot[0].contains("already watching game 2."), "nothing has moved");
    // A game has at most 50 observers.
    let mut room = club.open_context().store.game_info(2).expect("kept");
    let before = std::mem::replace(&mut room.observers, (100..150).collect());
    write_game_info(&club, room.clone());
    club.send_reply("Eve", "watch 2");
    let refused = club.run_pass().1.remove(0);
    assert!(refused.contains("as many people watching as we allow."), "{}", refused.body_text());
    write_game_info(&club, GameInfo { observers: before, ..room });
    club.send_reply("Bob", "say Mind the gap.\ntell Ann she knows nothing");
    club.run_pass();
    club.send_reply("Bob", "build red H22");
    let (_, letters) = club.run_pass();
    assert_eq!((letters.len(), letters_to(&letters, "Dot").len()), (4, 1));
    let news = letters_to(&letters, "Dot")[0].clone();
    assert!(
        news.contains("Bob builds red") && !news.contains("Ann builds red"),
        "{}",
        news.body_text()
    );
    assert!(news.contains("| Bob to all: | Mind the gap.") && !news.contains("knows nothing"));
    // Orders in an observer's reply have no effect. `unwatch` ends the observing.
    let order = club.compose_reply_to("Dot", &news, "build red H24");
    club.deliver(order);
    let (report, _) = club.run_pass();
    assert_eq!(report.carried_out, 0);
    let unwatch = club.compose_reply_to("Dot", &news, "unwatch 2");
    club.deliver(unwatch);
    let (_, letters) = club.run_pass();
    assert!(letters_to(&letters, "Dot")[0].contains("You're no longer watching game 2"));
    assert!(club.open_context().store.game_info(2).expect("kept").observers.is_empty());
}

#[test]
fn board_is_sent_once_when_observed_game_starts() {
    let mut club = club_with_two_games("");
    club.send_reply("Ann", "new paris-connection seats 3");
    club.run_pass();
    club.send_reply("Bob", "join 3");
    club.run_pass();
    club.send_reply("Cid", "join 3");
    club.send_reply("Dot", "watch 3");
    let (_, letters) = club.run_pass();
    let count_boards = |name: &str| {
        let to = letters_to(&letters, name).into_iter();
        to.filter(|letter| letter.contains("THE BOARD")).count()
    };
    assert_eq!(["Ann", "Bob", "Cid", "Dot"].map(count_boards), [1; 4], "{letters:?}");
}

#[test]
fn status_shows_turn_pace_and_likely_end() {
    let mut club = Club::with_tricks_game("");
    club.send_reply("Ann", "zone Pacific/Auckland\nstatus");
    assert!(!club.run_pass().1[0].contains("a turn takes"), "nobody has played");
    club.send_reply("Ann", "pace");
    assert!(club.run_pass().1[0].contains("No turn has been played yet"));
    for _ in 0..12 {
        club.now += TimeDelta::hours(7);
        let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
        let Turn::Awaiting(seats) = session.table.turn() else { panic!("it goes on") };
        let name = session.names[seats[0].index()].clone();
        club.send_reply(&name, &session.table.game().line_for_absent_player(seats[0]));
        assert_eq!(club.run_pass().0.carried_out, 1);
    }
    let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    let progress = session.table.game().progress_percent();
    assert!((15..40).contains(&progress), "{progress}");
    let records = session.table.records();
    let taken = records.last().expect("the last").at - records[0].at;
    let left = taken * (100 - i32::from(progress)) / i32::from(progress);
    let end = (club.now + left).with_timezone(&chrono_tz::Pacific::Auckland);
    club.send_reply("Ann", "status");
    let answer = club.run_pass().1[0].clone();
    let end = format!("probably end around {}", end.format("%-d %b %Y"));
    assert!(answer.contains("So far a turn takes about 8 hours"), "{}", answer.body_text());
    assert!(answer.contains(&end), "{end}: {}", answer.body_text());
    club.send_reply("Ann", "pace");
    let answer = club.run_pass().1[0].clone();
    assert!(
        answer.contains("So far a turn takes") && answer.contains(&end),
        "{}",
        answer.body_text()
    );
    club.send_reply("Bob", "games");
    assert!(club.run_pass().1[0].contains("a turn takes about 8 hours, so it will probably end"));
}

#[test]
fn private_game_is_visible_to_invitees_only() {
    let mut club = club_with_two_games("");
    club.send_reply("Ann", "new paris-connection private invite bob@example.org cid@example.org");
    club.run_pass();
    club.send_reply("Ann", "invite 3 dot@example.org");
    let (_, letters) = club.run_pass();
    assert!(letters_to(&letters, "Dot")[0].contains("Ann invites you to play"));
    club.send_reply("Bob", "join 3");
    club.send_reply("Cid", "join 3");
    let (_, letters) = club.run_pass();
    assert_eq!(letters.iter().filter(|letter| letter.contains(", game 3 of The")).count(), 3);
    club.send_reply("Eve", "watch 3");
    club.send_reply("Eve", "games");
    club.send_reply("Dot", "watch 3");
    let (_, letters) = club.run_pass();
    let eve = letters_to(&letters, "Eve");
    assert!(
        eve[0].contains("There is no game 3") && !eve[1].contains("3: Paris"),
        "{}",
        eve[1].body_text()
    );
    assert!(letters_to(&letters, "Dot").iter().any(|letter| letter.contains("THE BOARD")));
    // Ann proposed the private game, so she may return to the seat that she has left.
    club.send_reply("Ann", "resign yes");
    club.run_pass();
    let back = club.compose_reply_to(
        "Ann",
        &club.last_letter_to("Ann").expect("a word").clone(),
        "join 3",
    );
    club.deliver(back);
    let (_, letters) = club.run_pass();
    assert!(
        letters_to(&letters, "Ann")
            .iter()
            .any(|letter| letter.contains("You now play for Ann in game 3"))
    );
}

#[test]
fn hidden_state_changes_no_byte_of_public_letter() {
    let library = Library::embedded().expect("the words are in the binary");
    let reader = Member { language: "en".to_owned(), ascii: true, ..Member::default() };
    for kind in GAMES {
        for seats in [*kind.allowed_seat_counts().start(), *kind.allowed_seat_counts().end()] {
            let whole = play_whole_game(*kind, seats);
            for seq in (1..whole.last_record_number())
                .step_by((whole.last_record_number() as usize / 6).max(1))
            {
                let table = whole.at_record(seq).expect("an earlier position");
                let seen = render_public_letters(&library, &table, &reader);
                for shuffle in 0..3 {
                    let mut dice = Dice::new(&Seed::from_number(shuffle), 0);
                    let other = table.redeal(Viewer::Public, &mut dice);
                    let other =
                        render_public_letters(&library, &other.expect("reshuffled"), &reader);
                    assert_eq!(seen, other, "{}, record {seq}", kind.id());
                }
            }
        }
    }
}

fn play_whole_game(kind: &dyn GameKind, seats: u8) -> Table {
    let options = BTreeMap::new();
    let setup = GameSetup { kind, definition: kind.shipped_definition(), options: &options, seats };
    rehearse(setup, 1, 3, 20_000, RehearsalMode::SingleOrders).expect("a whole game").table
}

/// Returns the letters to a new observer and to one who knows all records but the last.
fn render_public_letters(library: &Library, table: &Table, reader: &Member) -> Vec<RenderedLetter> {
    let names: Vec<String> = rig::NAMES.iter().map(|name| (*name).to_owned()).collect();
    let mut page = Page::new(table, &names);
    let mut letter = |told| {
        let letter = PublicLetter {
            club: "The Club",
            reader,
            last_seen_record: told,
            activity_log: &[],
            campaign: None,
            game_name: None,
        };
        page.render_public_letter(library, &letter).expect("it is written")
    };
    vec![letter(0), letter(table.last_record_number().saturating_sub(1))]
}

#[test]
fn punctuality_counts_deadlines_but_not_outages() {
    let mut club = Club::with_paris_game("clock: {deadline: 2 days, nmr: forfeit}\n");
    club.send_reply("Ann", "build red G23, Troyes");
    club.run_pass();
    let punctual = |club: &Club, name: &str| {
        let context = club.open_context();
        let member =
            process::find_member(&context, &address(name)).expect("it works").expect("a member");
        let mut seats = context.store.seat_assignments(1).expect("seats");
        let seated = seats.remove(usize::try_from(member.id).expect("small") - 1);
        (seated.punctuality.in_time, seated.punctuality.late)
    };
    assert_eq!(punctual(&club, "Ann"), (1, 0));
    // Bob misses the deadline. Passes run every hour, so the club sees no outage.
    for _ in 0..49 {
        club.run_pass();
    }
    assert_eq!(punctual(&club, "Bob"), (0, 1));
    // The moderator plays for Cid before the deadline, so this turn does not count as late.
    let forced = process::moderate_game(
        &club.open_context(),
        1,
        &Intervention::Force(postrider::rules::Seat::new(3)),
        "he asked",
    );
    assert!(forced.is_ok());
    club.run_pass();
    assert_eq!(punctual(&club, "Cid"), (0, 0));
    // An outage of five days gives Ann the time back.
    club.now += TimeDelta::days(5);
    club.run_pass();
    let line = {
        let context = club.open_context();
        let session = process::load_stored_game(&context, 1).expect("it opens");
        session.table.game().line_for_absent_player(postrider::rules::Seat::new(1))
    };
    club.send_reply("Ann", &line);
    club.run_pass();
    assert_eq!(punctual(&club, "Ann"), (2, 0), "{}", club.last_text_to("Ann"));

    club.send_reply("Ann", "new paris-connection seats 3 punctual 80");
    club.run_pass();
    club.send_reply("Bob", "join 2");
    club.run_pass();
    let answer = club.last_letter_to("Bob").expect("an answer").clone();
    assert!(
        answer.contains("at least 80% of their turns on time. You have 0%"),
        "{}",
        answer.body_text()
    );
    club.send_reply("Cid", "join 2");
    club.send_reply("Bob", "games");
    club.run_pass();
    let answer = club.last_letter_to("Bob").expect("an answer").clone();
    assert!(answer.contains("Ann (100% on time) and Cid (new to deadlines)"));
    // Seats that a player has left are shown with the punctuality.
    club.send_reply("Bob", "resign yes");
    club.run_pass();
    for (name, line) in [("Bob", "new paris-connection seats 4"), ("Bob", "games")] {
        let last = club.last_letter_to(name).expect("a letter").clone();
        club.deliver(club.compose_reply_to(name, &last, line));
        club.run_pass();
    }
    let answer = club.last_letter_to("Bob").expect("an answer");
    assert!(answer.contains("Bob (0% on time, left one game)"), "{}", answer.body_text());
}

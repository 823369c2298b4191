//! Stand-ins: members who play for an absent player until that player returns and gets everything
//! back.

use crate::rig::Club;
use crate::rig::address;
use postrider::club::Intervention;
use postrider::games::find_kind;
use postrider::process;
use postrider::rules::Seat;

/// Returns a club where game 1, for Ann, Bob and Cid, allows stand-ins. Game 2 makes Dot and Eve
/// members too.
fn club_with_stand_ins() -> Club {
    let mut club = Club::with_settings("clock: {deadline: 1 day, nmr: stand-in, reminders: []}\n");
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.start_game(find_kind("trick-of-the-rails").expect("it ships"), 5, 8);
    club.run_pass();
    club.mark_all_answered();
    club
}

#[test]
fn game_info_mentions_stand_ins() {
    let mut club = club_with_stand_ins();
    club.send_reply("Dot", "new paris-connection seats 3 deadline 2d nmr stand-in");
    let told = club.run_pass().1.remove(0);
    let time = "with 2 days per turn, then a stand-in plays for you";
    assert!(told.contains(time), "{}", told.body_text());
}

#[test]
fn stand_in_plays_until_absent_player_returns() {
    let mut club = club_with_stand_ins();
    let first = club.last_letter_of_game_1("Ann");
    assert!(
        first.contains("another member may play for you until you're back"),
        "{}",
        first.body_text()
    );
    let seated =
        |club: &Club| process::load_stored_game(&club.open_context(), 1).expect("it opens").names;
    let hours = |club: &mut Club, hours: i64| {
        (0..hours).for_each(|_| {
            club.run_pass();
        });
    };
    club.send_reply("Dot", "wait 1");
    hours(&mut club, 30);
    assert_eq!(seated(&club)[0], "Dot");
    assert!(club.last_letter_of_game_1("Bob").contains("Dot now plays for Ann: the player missed"));
    let word =
        club.transport.posted.iter().find(|l| l.to == address("Ann") && l.contains("Dot is play"));
    assert!(word.expect("a word to Ann").contains("Reply \"join 1\" to get your seat back"));
    club.send_reply_in_game_1("Dot", "build red G23, Troyes");
    let (report, _) = club.run_pass();
    assert_eq!(report.carried_out, 1, "{}", club.last_letter_of_game_1("Dot").body_text());

    // Only Ann can take the seat back. She sees what happened in her absence.
    let dots = club.last_letter_of_game_1("Dot");
    club.send_reply("Ann", "join 1");
    club.run_pass();
    assert_eq!(seated(&club)[0], "Ann");
    let back = club.last_letter_of_game_1("Ann");
    assert!(
        back.contains("Ann builds red") || back.contains("You build red"),
        "{}",
        back.body_text()
    );
    let late = club.compose_reply_to("Dot", &dots, "pass");
    club.deliver(late);
    assert_eq!(club.run_pass().0.carried_out, 0);
    let context = club.open_context();
    let dot = process::find_member(&context, &address("Dot")).expect("it works").expect("Dot").id;
    assert_eq!(context.store.game_info(1).expect("it is kept").waiting_list, [dot]);
    drop(context);

    // At Ann's next absence Dot stands in again. A replacement by the moderator is final.
    while seated(&club)[0] != "Dot" {
        for name in ["Bob", "Cid"] {
            let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
            let seat = Seat::new(if name == "Bob" { 2 } else { 3 });
            if session.table.turn().awaits(seat) {
                let line = session.table.game().line_for_absent_player(seat);
                club.send_reply_in_game_1(name, &line);
            }
        }
        club.run_pass();
        assert!(club.now.timestamp() < 1_768_600_000, "it never comes to that");
    }
    let context = club.open_context();
    let what = Intervention::Replace { seat: Seat::new(1), by: "eve@example.org".into() };
    let done = process::moderate_game(&context, 1, &what, "It drags on.");
    assert!(done.is_ok());
    let ann = process::find_member(&context, &address("Ann")).expect("it works").expect("Ann");
    assert!(
        process::split_refusal(process::run_lobby_line_for_member(&context, &ann, "join 1"))
            .expect("it works")
            .is_err()
    );
}

#[test]
fn returning_player_regains_only_own_notes_and_messages() {
    let mut club = club_with_stand_ins();
    club.send_reply_in_game_1("Ann", "note Cid hoards blue");
    club.send_reply_in_game_1("Bob", "tell ann Let us build red together");
    club.send_reply("Dot", "wait 1");
    let until = |club: &mut Club, name: &str| {
        for _ in 0..60 {
            club.run_pass();
            if process::load_stored_game(&club.open_context(), 1).expect("it opens").names[0]
                == name
            {
                return;
            }
        }
        panic!("{name} never sits there");
    };
    until(&mut club, "Dot");
    club.send_reply_in_game_1("Dot", "history");
    club.run_pass();
    let dots = club.last_letter_of_game_1("Dot");
    assert!(
        !dots.contains("Cid hoards blue") && !dots.contains("red together"),
        "{}",
        dots.body_text()
    );
    club.send_reply_in_game_1("Bob", "tell 1 Whoever plays for her shall know");
    club.send_reply_in_game_1("Dot", "note Bob talks to me");
    club.run_pass();
    club.send_reply("Ann", "join 1");
    until(&mut club, "Ann");
    club.send_reply_in_game_1("Ann", "history");
    club.run_pass();
    let back = club.last_letter_of_game_1("Ann");
    assert!(
        back.contains("Cid hoards blue") && back.contains("red together"),
        "{}",
        back.body_text()
    );
    assert!(
        !back.contains("shall know") && !back.contains("Bob talks to me"),
        "{}",
        back.body_text()
    );

    // Dot, the stand-in for the second time, sees Dot's own notes and messages, and none of Ann's.
    until(&mut club, "Dot");
    club.send_reply_in_game_1("Dot", "history");
    club.run_pass();
    let again = club.last_letter_of_game_1("Dot");
    assert!(
        again.contains("Bob talks to me") && again.contains("shall know"),
        "{}",
        again.body_text()
    );
    assert!(
        !again.contains("Cid hoards blue") && !again.contains("red together"),
        "{}",
        again.body_text()
    );
    // When Ann leaves the club, the notes that were saved for her return are deleted.
    let context = club.open_context();
    let ann = process::find_member(&context, &address("Ann")).expect("it works").expect("Ann").id;
    process::remove_and_erase_member(&context, &address("Ann")).expect("it works");
    let info = context.store.game_info(1).expect("it is kept");
    let kept: Vec<_> = info.former_players.iter().filter(|former| former.member == ann).collect();
    assert!(!kept.is_empty() && kept.iter().all(|former| former.saved.is_none()), "{kept:?}");
}

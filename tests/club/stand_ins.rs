//! Seats that are lent: somebody plays for who is absent, until he is back with all that was his.

use crate::rig::Club;
use crate::rig::address;
use postrider::club::Intervention;
use postrider::games::kind;
use postrider::process;
use postrider::rules::Seat;

/// Game 1, of Ann, Bob and Cid, where others stand in; in game 2 Dot and Eve are members too.
fn club() -> Club {
    let mut club = Club::with("clock: {deadline: 1 day, nmr: stand-in, reminders: []}\n");
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.found(kind("trick-of-the-rails").expect("it ships"), 5, 8);
    club.pass();
    club.all_have_answered();
    club
}

#[test]
fn whoever_would_join_reads_that_others_would_stand_in_for_him() {
    let mut club = club();
    club.writes("Dot", "new paris-connection seats 3 deadline 2d nmr stand-in");
    let told = club.pass().1.remove(0);
    let time = "with 2 days a turn, and then a stand-in plays for who is absent";
    assert!(told.says(time), "{}", told.text());
}

#[test]
fn who_stands_in_plays_until_the_absent_player_is_back() {
    let mut club = club();
    let first = club.of_game_1("Ann");
    assert!(first.says("another member may play for you until you are back"), "{}", first.text());
    let seated = |club: &Club| process::open_game(&club.context(), 1).expect("it opens").names;
    let hours = |club: &mut Club, hours: i64| {
        (0..hours).for_each(|_| {
            club.pass();
        });
    };
    club.writes("Dot", "wait 1");
    hours(&mut club, 30);
    assert_eq!(seated(&club)[0], "Dot");
    assert!(club.of_game_1("Bob").says("Dot plays on for Ann: the player has missed"));
    let word = club.pigeon.posted.iter().find(|l| l.to == address("Ann") && l.says("Dot plays"));
    assert!(word.expect("a word to Ann").says("write \"join 1\", the seat is yours again"));
    club.writes_in_game_1("Dot", "build red G23, Troyes");
    let (report, _) = club.pass();
    assert_eq!(report.carried_out, 1, "{}", club.of_game_1("Dot").text());

    // Nobody else can have it; she can, with what has happened meanwhile.
    let dots = club.of_game_1("Dot");
    club.writes("Ann", "join 1");
    club.pass();
    assert_eq!(seated(&club)[0], "Ann");
    let back = club.of_game_1("Ann");
    assert!(back.says("Ann builds red") || back.says("You build red"), "{}", back.text());
    let late = club.reply_to("Dot", &dots, "pass");
    club.arrives(late);
    assert_eq!(club.pass().0.carried_out, 0);
    let context = club.context();
    let dot = process::find_member(&context, &address("Dot")).expect("it works").expect("Dot").id;
    assert_eq!(context.store.room(1).expect("it is kept").waiting, [dot]);
    drop(context);

    // Next time she stands in again; the moderator's word is for good.
    while seated(&club)[0] != "Dot" {
        for name in ["Bob", "Cid"] {
            let session = process::open_game(&club.context(), 1).expect("it opens");
            let seat = Seat::new(if name == "Bob" { 2 } else { 3 });
            if session.table.turn().awaits(seat) {
                let line = session.table.game().forfeit(seat);
                club.writes_in_game_1(name, &line);
            }
        }
        club.pass();
        assert!(club.now.timestamp() < 1_768_600_000, "it never comes to that");
    }
    let context = club.context();
    let what = Intervention::Replace { seat: Seat::new(1), by: "eve@example.org".into() };
    let done = process::moderate(&context, 1, &what, "It drags on.");
    assert!(done.is_ok());
    let ann = process::find_member(&context, &address("Ann")).expect("it works").expect("Ann");
    assert!(
        process::answered(process::on_behalf(&context, &ann, "join 1")).expect("it works").is_err()
    );
}

#[test]
fn who_is_back_has_his_notes_and_the_words_that_he_knew_and_no_others() {
    let mut club = club();
    club.writes_in_game_1("Ann", "note Cid hoards blue");
    club.writes_in_game_1("Bob", "tell ann Let us build red together");
    club.writes("Dot", "wait 1");
    let until = |club: &mut Club, name: &str| {
        for _ in 0..60 {
            club.pass();
            if process::open_game(&club.context(), 1).expect("it opens").names[0] == name {
                return;
            }
        }
        panic!("{name} never sits there");
    };
    until(&mut club, "Dot");
    club.writes_in_game_1("Dot", "history");
    club.pass();
    let dots = club.of_game_1("Dot");
    assert!(!dots.says("Cid hoards blue") && !dots.says("red together"), "{}", dots.text());
    club.writes_in_game_1("Bob", "tell 1 Whoever plays for her shall know");
    club.writes_in_game_1("Dot", "note Bob talks to me");
    club.pass();
    club.writes("Ann", "join 1");
    until(&mut club, "Ann");
    club.writes_in_game_1("Ann", "history");
    club.pass();
    let back = club.of_game_1("Ann");
    assert!(back.says("Cid hoards blue") && back.says("red together"), "{}", back.text());
    assert!(!back.says("shall know") && !back.says("Bob talks to me"), "{}", back.text());

    // Who stood in and does so again has her own, and not the other's.
    until(&mut club, "Dot");
    club.writes_in_game_1("Dot", "history");
    club.pass();
    let again = club.of_game_1("Dot");
    assert!(again.says("Bob talks to me") && again.says("shall know"), "{}", again.text());
    assert!(!again.says("Cid hoards blue") && !again.says("red together"), "{}", again.text());
    // Who leaves the club leaves nothing behind of what was kept for her.
    let context = club.context();
    let ann = process::find_member(&context, &address("Ann")).expect("it works").expect("Ann").id;
    process::forget_member(&context, &address("Ann")).expect("it works");
    let around = context.store.room(1).expect("it is kept");
    let kept: Vec<_> = around.former.iter().filter(|former| former.member == ann).collect();
    assert!(!kept.is_empty() && kept.iter().all(|former| former.aside.is_none()), "{kept:?}");
}

//! Plans by letter: ordered now for later, carried out in their case and turn only, known to nobody
//! else.

use crate::rig;

use crate::rig::Club;
use postrider::games::kind;
use postrider::process::Deed;

fn tricks() -> Club {
    let mut club = Club::new();
    club.found(kind("trick-of-the-rails").expect("it ships"), 3, 2);
    club.pass();
    club
}

fn head(club: &Club) -> u32 {
    club.office().open_game(1).expect("it opens").table.head()
}

#[test]
fn one_pass_carries_a_game_as_far_as_plans_allow() {
    let mut club = tricks();
    // Ann is to lead. Bob and Cid have never been asked, and plan for what she may lead.
    club.writes("Bob", "if led B&O play B&O 4, B&O 8\notherwise C&O 6, NYC 9");
    club.writes("Cid", "if led b and o play BO 2\nif led PRR: PRR 9, PRR 7\notherwise NYC 4");
    let (report, letters) = club.pass();
    assert_eq!((report.carried_out, letters.len()), (2, 2), "nobody else hears of it");
    assert!(letters[0].says("Your plans are kept."), "{}", letters[0].text());
    assert!(letters[0].says("WHAT YOU HAVE PLANNED"), "{}", letters[0].text());
    assert!(letters[0].says("Trick 1, if B&O is led: play BO 4, play BO 8"));
    assert_eq!(head(&club), 1);
    club.writes("Ann", "lead B&O 3");
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 3, "each player gets one letter about all of it");
    let text = letters[2].text();
    for said in ["Ann plays B&O 3.", "Bob plays B&O 4.", "You play B&O 2."] {
        assert!(text.contains(said), "{said}\n{text}");
    }
    assert_eq!(head(&club), 4);
    assert!(!letters[1].says("WHAT YOU HAVE PLANNED"), "what was for this trick is gone");
}

#[test]
fn a_plan_is_never_used_in_another_case_or_a_later_trick() {
    let mut club = tricks();
    club.writes("Bob", "if led PRR play PRR 2");
    club.pass();
    club.writes("Ann", "B&O 3");
    club.pass();
    assert_eq!(head(&club), 2, "B&O was led, so the plan is not met");
    club.writes("Bob", "B&O 4");
    club.writes("Cid", "B&O 2");
    club.pass();
    assert!(club.office().open_game(1).expect("it opens").seats[1].0.standing.plans.is_empty());
    // What an old letter plans is for the trick that it showed, which is over.
    let first = club.pigeon.posted[1].clone();
    let stale = club.reply_to("Bob", &first, "if led NYC play NYC 9");
    club.arrives(stale.replace("bob-", "stale-"));
    club.pass();
    assert!(club.office().open_game(1).expect("it opens").seats[1].0.standing.plans.is_empty());
}

#[test]
fn what_others_plan_changes_no_byte_of_what_is_mailed() {
    let letters = |plans: bool| {
        let mut club = tricks();
        if plans {
            club.writes("Bob", "if led NYC play NYC 9");
        } else {
            club.writes("Bob", "status");
        }
        club.pass();
        club.writes("Ann", "B&O 3");
        club.pass().1
    };
    let (with, without) = (letters(true), letters(false));
    for (a, b) in with.iter().zip(&without) {
        if a.to != rig::address("Bob") {
            assert_eq!(a.text(), b.text());
            assert_eq!(a.message_id, b.message_id);
        }
    }
}

#[test]
fn a_later_letter_changes_or_clears_what_is_planned() {
    let mut club = tricks();
    let plans =
        |club: &Club| club.office().open_game(1).expect("it opens").seats[1].0.standing.plans.len();
    club.writes("Bob", "if led B&O play B&O 4\notherwise NYC 9");
    club.pass();
    assert_eq!(plans(&club), 2);
    club.writes("Bob", "play NYC 9");
    club.pass();
    assert_eq!(plans(&club), 1, "a letter's plans take the place of all earlier ones");
    club.writes("Bob", "status");
    club.pass();
    assert_eq!(plans(&club), 1);
    club.writes("Bob", "clear plans");
    club.pass();
    assert_eq!(plans(&club), 0);
    club.writes("Bob", "if led B&O play PRR 1");
    club.pass();
    assert!(club.last_text("Bob").contains("You do not hold PRR 1."), "{}", club.last_text("Bob"));
}

#[test]
fn forced_cards_are_played_at_once_only_for_who_wants_that() {
    let mut club = tricks();
    // Cid holds one card of B&O less than Bob; both are made to have one choice by the last trick.
    club.writes("Cid", "auto forced on");
    club.pass();
    assert!(club.last_text("Cid").contains("the only legal thing"), "{}", club.last_text("Cid"));
    club.writes("Ann", "C&O 1");
    club.writes("Bob", "C&O 6");
    club.pass();
    let before = head(&club);
    // Cid holds C&O 2 and 10: two choices, so nothing was played for him.
    assert_eq!(before, 3);
    club.writes("Cid", "C&O 2");
    club.pass();
    assert!(head(&club) > before);
    club.writes("Cid", "auto forced off");
    club.pass();
    assert!(!club.last_text("Cid").contains("the only legal thing"));
}

#[test]
fn in_paris_the_next_turn_can_be_ordered_and_is_dropped_with_a_word_when_it_is_illegal() {
    let mut club = Club::new();
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.pass();
    club.writes("Ann", "build red G23\nnext: trade red for 2 blue");
    club.writes("Bob", "next build red G25");
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 3);
    assert_eq!(head(&club), 3, "Bob's turn was planned and has been carried out");
    assert!(club.last_text("Ann").contains("On your next turn: trade red for 2 blue"));
    club.writes("Cid", "build red F20\nnext: trade brown for red");
    club.pass();
    assert_eq!(head(&club), 3, "a letter is all or nothing, plans and all");
    club.writes("Bob", "next: build red G25");
    club.pass();
    club.writes("Cid", "build red F24");
    club.pass();
    // Ann's trade was met; Bob's second plan names a hex that he himself has taken.
    assert_eq!(head(&club), 5);
    let text = club.last_text("Bob");
    assert!(text.contains("Dropped: On your next turn: build red G25."), "{text}");
    assert!(text.contains("It is your turn."), "{text}");
    assert!(club.last_text("Ann").contains("You return 1 red share and take 2 blue."));
}

#[test]
fn a_rewind_drops_all_plans() {
    let mut club = tricks();
    club.writes("Ann", "B&O 3");
    club.pass();
    club.writes("Cid", "play B&O 2");
    club.pass();
    assert!(club.office().moderate(1, &Deed::Rewind(1), "again").expect("it works").is_ok());
    club.pass();
    let playing = club.office().open_game(1).expect("it opens");
    assert!(playing.seats.iter().all(|(seated, _)| seated.standing.is_empty()));
}

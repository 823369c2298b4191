//! Plans for a player's next turn in Off the Rails, by letter.

use crate::rig::Club;

fn send_and_pass(club: &mut Club, name: &str, body: &str) -> String {
    club.send_reply(name, body);
    club.run_pass();
    text_to(club, name)
}

fn text_to(club: &Club, name: &str) -> String {
    club.last_text_to(name).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn next_turn_is_played_or_dropped_with_notice() {
    let mut club = Club::with_game("", "off-the-rails", 2, 5);
    let refused = send_and_pass(&mut club, "Bob", "next: stop");
    assert!(refused.contains("you can plan actions and moves only"), "{refused}");
    let kept = send_and_pass(&mut club, "Bob", "next: lay D2 ne; move");
    assert!(kept.contains("On your next turn: lay D2 ne; move"), "{kept}");
    assert_eq!(club.record_count(), 1, "others see nothing of it");
    let acted = send_and_pass(&mut club, "Ann", "lay D2 ns\ndone\nnext: lay D3 ns; done");
    assert!(acted.contains("On your next turn: lay D3 ns; done"), "{acted}");
    assert!(!acted.contains("lay D2 ne; move"), "{acted}");
    let dropped = text_to(&club, "Bob");
    assert!(dropped.contains("Dropped: On your next turn: lay D2 ne; move."), "{dropped}");
    assert!(dropped.contains("It's your turn."), "{dropped}");
    assert_eq!(club.record_count(), 2);
    send_and_pass(&mut club, "Bob", "lay E2 ew\ndone");
    assert_eq!(club.record_count(), 4, "Ann's plan was carried out");
    assert!(text_to(&club, "Bob").contains("It's your turn."));
    // The first legal line is used, and the others are dropped.
    send_and_pass(&mut club, "Ann", "next: lay B3 ew; done\nnext: lay E4 ns; done\nnext: done");
    send_and_pass(&mut club, "Bob", "lay B3 ew\ndone");
    assert_eq!(club.record_count(), 6);
    assert!(text_to(&club, "Bob").contains("E4"), "{}", text_to(&club, "Bob"));
}

#[test]
fn spanish_line_plans_next_turn() {
    let mut club = Club::with_game("language: es\n", "off-the-rails", 2, 5);
    let kept = send_and_pass(&mut club, "Bob", "siguiente: colocar D2 ne; mover");
    assert!(kept.contains("En tu próximo turno: colocar D2 ne; mover"), "{kept}");
    send_and_pass(&mut club, "Ann", "listo");
    assert_eq!(club.record_count(), 3, "Bob's plan was carried out");
}

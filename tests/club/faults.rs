//! What goes wrong with a game or with the program, as the moderator is told of it.

use crate::rig::moderator::MOD;
use crate::rig::said::heard;
use crate::rig::{Club, Posted, to};
use postrider::process::{self, Context};
use postrider::store::Batch;
use std::fs;

/// What the moderator is told by the next pass.
fn note(club: &mut Club) -> Posted {
    to(&club.pass().1, MOD).clone()
}

#[test]
fn what_is_wrong_with_a_game_is_told_with_its_place() {
    let mut club = Club::paris("");
    club.writes("Ann", "build red G23");
    club.pass();
    let journal = club.folder().join("journal/games/000001.jsonl");
    let whole = fs::read_to_string(&journal).expect("a journal");
    let format = "its log has the form postrider-game/9, of a later version of postrider; install";
    let eiffel =
        "the definition in its log is refused (\"The Eiffel tower's hex A1 is in no row.\").";
    for (of, other, told) in [
        ("placed", "bent", "record 2: what is stored cannot be read (unknown variant `bent`"),
        ("postrider-game/1", "postrider-game/9", format),
        ("\"paris\":\"F20\"", "\"paris\":\"A1\"", eiffel),
    ] {
        assert!(whole.contains(of), "{whole}");
        fs::write(&journal, whole.replacen(of, other, 1)).expect("spoilt");
        club.restored();
        club.writes("Bob", "status");
        let note = note(&mut club);
        let told = format!("Game 1 cannot be played on: {told}");
        assert!(note.says(&told), "{told}\n{}", note.text());
    }
}

#[test]
fn a_game_whose_log_is_lost_is_told_of_by_its_number() {
    let mut club = Club::paris("");
    std::fs::remove_file(club.folder().join("journal/games/000001.jsonl")).expect("lost");
    club.restored();
    club.writes("Ann", "build red G23");
    let note = note(&mut club);
    assert!(note.says("Game 1 cannot be played on: its log is gone."), "{}", note.text());
    assert!(note.says("went to quarantine: there is no game 1."), "{}", note.text());
}

#[test]
fn a_letter_that_the_program_cannot_word_is_told_of_and_its_game_goes_on() {
    let mut club = Club::paris("");
    club.writes("Ann", "build red G23, Troyes");
    // A club with words of its own hears alone what it says.
    std::fs::create_dir(club.folder().join("templates")).expect("a folder");
    let context = Context::open(club.folder(), club.now).expect("the club opens");
    // The program fails where it words this.
    context.library.listen(|key| {
        heard(key);
        assert_ne!(key, "pc-built");
    });
    process::pass(&context, &mut club.pigeon).expect("the pass works");
    drop(context);
    let note = club.last_to("Mod").expect("a note");
    for name in ["ann", "bob", "cid"] {
        let told = format!("A letter to {name}@example.org could not be written: game 1: the");
        assert!(note.says(&format!("{told} program failed on it.")), "{}", note.text());
    }
    // What it would have told is there for who asks.
    club.writes("Bob", "status");
    assert!(to(&club.pass().1, "Bob").says("It is your turn."));
}

#[test]
fn an_address_that_no_letter_can_go_to_is_told_of() {
    let mut club = Club::with("");
    let people = [("Ann", "Ann"), ("Bob", "bob@under..example"), ("Cid", "Cid")];
    club.found_for("paris-connection", &people, 7);
    let (_, letters) = club.pass();
    let note = to(&letters, MOD);
    assert!(
        note.says("bob@under..example is no address that a letter can go to"),
        "{}",
        note.text()
    );
    assert_eq!(letters.len(), 3, "the others have theirs");
}

#[test]
fn what_does_not_say_for_whom_it_is_goes_to_nobody() {
    let mut club = Club::paris("");
    club.pigeon.fails = Some(postrider::mail::transport::PostError::Down("no line".to_owned()));
    club.writes("Ann", "build red G23");
    club.pass();
    let context = club.context();
    let mut batch = Batch::default();
    for mut queued in context.store.outbox(club.now, 9).expect("it reads") {
        queued.letter.label = None;
        batch.sent.push(queued.key);
        batch.outgoing.push(queued.letter);
    }
    context.store.write(&batch).expect("written");
    drop(context);
    club.pigeon.fails = None;
    let (_, letters) = club.pass();
    assert!(to(&letters, MOD).says("what is stored does not say for whom it is"));
}

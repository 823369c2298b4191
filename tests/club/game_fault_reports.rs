//! Tests what the moderator is told about a fault in one game or in the program.

use crate::rig::moderator_letters::MOD_ADDRESS;
use crate::rig::used_sentences::record_sentence;
use crate::rig::{Club, PostedLetter, first_letter_to};
use postrider::process::{self, Context};
use postrider::store::Batch;
use std::fs;

/// Runs a pass and returns its letter to the moderator.
fn run_pass_and_get_note(club: &mut Club) -> PostedLetter {
    first_letter_to(&club.run_pass().1, MOD_ADDRESS).clone()
}

#[test]
fn broken_game_log_is_reported_with_cause() {
    let mut club = Club::with_paris_game("");
    club.send_reply("Ann", "build red G23");
    club.run_pass();
    let journal = club.folder().join("journal/games/000001.jsonl");
    let whole = fs::read_to_string(&journal).expect("a journal");
    let format = "its log has the form postrider-game/9, of a later version of postrider. Please";
    let eiffel =
        "the definition in its log isn't valid (\"The Eiffel tower's hex A1 isn't in any row.\").";
    for (of, other, cause) in [
        ("placed", "bent", "move 2: we can't read what is stored (unknown variant `bent`"),
        ("postrider-game/1", "postrider-game/9", format),
        ("\"paris\":\"F20\"", "\"paris\":\"A1\"", eiffel),
    ] {
        assert!(whole.contains(of), "{whole}");
        fs::write(&journal, whole.replacen(of, other, 1)).expect("damaged");
        club.restore_from_journal();
        club.send_reply("Bob", "status");
        let note = run_pass_and_get_note(&mut club);
        let cause = format!("Game 1 can't go on: {cause}");
        assert!(note.contains(&cause), "{cause}\n{}", note.body_text());
    }
}

#[test]
fn lost_game_log_is_reported_by_number() {
    let mut club = Club::with_paris_game("");
    std::fs::remove_file(club.folder().join("journal/games/000001.jsonl")).expect("lost");
    club.restore_from_journal();
    club.send_reply("Ann", "build red G23");
    let note = run_pass_and_get_note(&mut club);
    assert!(note.contains("Game 1 can't go on: its log is gone."), "{}", note.body_text());
    assert!(note.contains("is in quarantine: there's no game 1."), "{}", note.body_text());
}

#[test]
fn failed_letter_rendering_is_reported_and_game_continues() {
    let mut club = Club::with_paris_game("");
    club.send_reply("Ann", "build red G23, Troyes");
    // A club with its own templates has its own library, so the listener affects no other test.
    std::fs::create_dir(club.folder().join("templates")).expect("a folder");
    let context =
        Context::open(postrider::games::SHIPPED, club.folder(), club.now).expect("the club opens");
    // The program panics when it words this sentence.
    context.library.set_sentence_listener(|key| {
        record_sentence(key);
        assert_ne!(key, "pc-built");
    });
    process::run_pass(&context, &mut club.transport).expect("the pass works");
    drop(context);
    let note = club.last_letter_to("Mod").expect("a note");
    for name in ["ann", "bob", "cid"] {
        let start = format!("We couldn't write an e-mail to {name}@example.org: game 1: it");
        assert!(note.contains(&format!("{start} made the program fail.")), "{}", note.body_text());
    }
    // A player who asks for the status still gets the lost news.
    club.send_reply("Bob", "status");
    assert!(first_letter_to(&club.run_pass().1, "Bob").contains("It's your turn."));
}

#[test]
fn invalid_recipient_address_is_reported() {
    let mut club = Club::with_settings("");
    let people = [("Ann", "Ann"), ("Bob", "bob@under..example"), ("Cid", "Cid")];
    club.start_game_for("paris-connection", &people, 7);
    let (_, letters) = club.run_pass();
    let note = first_letter_to(&letters, MOD_ADDRESS);
    assert!(
        note.contains("bob@under..example isn't a valid e-mail address"),
        "{}",
        note.body_text()
    );
    assert_eq!(letters.len(), 3, "the other players get their letters");
}

#[test]
fn stored_letter_without_label_is_reported() {
    let mut club = Club::with_paris_game("");
    club.transport.error =
        Some(postrider::mail::transport::PostError::Unavailable("no line".to_owned()));
    club.send_reply("Ann", "build red G23");
    club.run_pass();
    let context = club.open_context();
    let mut batch = Batch::default();
    for mut queued in context.store.load_sendable(club.now, 9).expect("it reads") {
        queued.letter.label = None;
        batch.sent.push(queued.key);
        batch.outgoing.push(queued.letter);
    }
    context.store.write_without_conflict_check(&batch).expect("written");
    drop(context);
    club.transport.error = None;
    let (_, letters) = club.run_pass();
    assert!(
        first_letter_to(&letters, MOD_ADDRESS).contains("what is stored doesn't say who it's for")
    );
}

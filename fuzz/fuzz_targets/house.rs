//! Any line as one for the house: read without a panic, and what is read says itself back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use postrider::club::{Deed, Line, LobbyLine, ModeratorCommand, house_line};
use postrider::mail::fold;

fuzz_target!(|text: &str| {
    for written in text.lines().take(20) {
        let line = fold(written);
        house_line(&line);
        let _ = ModeratorCommand::read(&line);
        match Line::read(&line, written, None).map(|line| line.deed) {
            Some(Ok(Deed::Lobby(LobbyLine::New(wanted)))) => {
                assert!(wanted.invited.iter().all(|address| address.contains('@')));
                let _ = wanted.clock(None);
            }
            Some(Ok(Deed::Lobby(LobbyLine::Resign { reason, .. }))) => {
                assert!(reason.chars().count() <= 200 && !reason.contains(char::is_control));
            }
            _ => {}
        }
    }
});

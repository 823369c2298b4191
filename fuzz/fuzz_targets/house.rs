//! Any line as one for the house: read without a panic, and what is read says itself back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use postrider::club::vote::Ballot;
use postrider::club::{
    LobbyLine, MemberLine, ModeratorCommand, NoteLine, address_line, house_line,
};
use postrider::mail::fold;

fuzz_target!(|text: &str| {
    for written in text.lines().take(20) {
        let line = fold(written);
        house_line(&line);
        let _ = (MemberLine::read(&line), address_line(&line), ModeratorCommand::read(&line));
        let _ = (NoteLine::read(&line, written), Ballot::read(&line, None));
        match LobbyLine::read(&line) {
            Some(Ok(LobbyLine::New(wanted))) => {
                assert!(wanted.invited.iter().all(|address| address.contains('@')));
                let _ = wanted.clock(None);
            }
            Some(Ok(LobbyLine::Resign { reason, .. })) => {
                assert!(reason.chars().count() <= 200 && !reason.contains(char::is_control));
            }
            _ => {}
        }
    }
});

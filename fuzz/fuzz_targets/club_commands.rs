//! Parses any text as lines for the club and for the moderator. Parsing must not panic, and the
//! parsed values must keep their limits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use postrider::club::{ClubCommand, LobbyCommand, ModeratorCommand, ParsedCommand, classify_line};
use postrider::mail::fold_line;

fuzz_target!(|text: &str| {
    for written in text.lines().take(20) {
        let line = fold_line(written);
        classify_line(&line);
        let _ = ModeratorCommand::parse(&line);
        match ParsedCommand::parse(postrider::games::SHIPPED, &line, written, None).map(|parsed| parsed.command) {
            Some(Ok(ClubCommand::Lobby(LobbyCommand::New(wanted)))) => {
                assert!(wanted.invited.iter().all(|address| address.contains('@')));
                let _ = wanted.clock_rules(None);
            }
            Some(Ok(ClubCommand::Lobby(LobbyCommand::Resign { reason, .. }))) => {
                assert!(reason.chars().count() <= 200 && !reason.contains(char::is_control));
            }
            _ => {}
        }
    }
});

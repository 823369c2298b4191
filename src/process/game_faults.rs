//! Isolates faults, so that one game's fault stops no other game.

use crate::process::context::ClubError;
use crate::rules::Message;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The letters that moved a game which then failed, by file name, with the game's number and the
/// fault.
pub(crate) type FailedGameLetters = BTreeMap<String, (u32, Message)>;

/// The fault that is reported if the program panics while it works on a game.
pub(crate) const GAME_FAILED: Message = Message::new("fault-failed");

/// Returns the report to the moderator about a game that cannot continue.
pub(crate) fn broken_game_report(game: u32, why: Message) -> Message {
    Message::new("report-broken-game").with("number", game).with("why", why)
}

/// Returns a fault as a clause that names its game.
pub(crate) fn game_fault(game: u32, why: Message) -> Message {
    Message::new("fault-game").with("game", game.to_string()).with("why", why)
}

/// Runs `work` for one game. Returns its fault as an inner error, even if it panicked. The caller
/// must then drop all changes that `work` made.
///
/// An outer error means that the store failed, which is no game's fault.
pub(crate) fn catch_game_fault<T>(
    work: impl FnOnce() -> Result<T, ClubError>,
) -> Result<Result<T, Message>, ClubError> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(done)) => Ok(Ok(done)),
        Ok(Err(ClubError::Store(error))) => Err(error.into()),
        Ok(Err(error)) => Ok(Err(error.to_message_without_game())),
        Err(_) => Ok(Err(GAME_FAILED)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::StoreError;

    #[test]
    fn panics_and_errors_are_caught_except_store_errors() {
        let panics: fn() -> Result<u8, ClubError> = || panic!("a fault in the rules of a game");
        assert_eq!(catch_game_fault(panics).unwrap(), Err(GAME_FAILED));
        assert_eq!(
            catch_game_fault::<u8>(|| Err(ClubError::NoGame(7))).unwrap(),
            Err(Message::new("fault-no-log"))
        );
        assert!(catch_game_fault::<u8>(|| Err(StoreError::Locked.into())).is_err());
        assert_eq!(catch_game_fault(|| Ok(7)).unwrap(), Ok(7));
    }
}

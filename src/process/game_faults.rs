//! What one game does wrong is kept from all others.

use crate::process::context::ClubError;
use crate::rules::Message;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Letters that moved a game which failed, by their files' names; which game that was, and why.
pub(crate) type FailedGameLetters = BTreeMap<String, (u32, Message)>;

/// What the moderator is told of a game at which the program failed.
pub(crate) const GAME_FAILED: Message = Message::new("fault-failed");

/// What the moderator is told of a game that cannot be played on.
pub(crate) fn broken_game_report(game: u32, why: Message) -> Message {
    Message::new("report-broken-game").with("number", game).with("why", why)
}

/// What is wrong with a game, where it is not named yet.
pub(crate) fn game_fault(game: u32, why: Message) -> Message {
    Message::new("fault-game").with("game", game.to_string()).with("why", why)
}

/// Does some work for one game. Inside: what was wrong with the game, even if the work panicked;
/// what it was doing is then to be thrown away.
///
/// # Errors
/// When the store fails, which is no game's fault.
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

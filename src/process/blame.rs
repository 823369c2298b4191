//! Whose doing it is that something was not done.

use crate::process::context::ClubError;
use crate::rules::{Message, Refusal};
use crate::store::StoreError;

/// Why something was not done: by the doing of who asked for it, who is then told why and what he
/// could do instead, or by ours.
#[derive(Debug)]
pub enum Blame<R = Message> {
    /// Theirs: what they are told. Nothing is wrong with the club.
    Theirs(R),
    /// Ours: nothing was wrong with what was asked for, and the next pass may do it.
    Ours(ClubError),
}

impl<R> Blame<R> {
    /// The same blame, told in other words.
    pub(crate) fn map<S>(self, told: impl FnOnce(R) -> S) -> Blame<S> {
        match self {
            Self::Theirs(why) => Blame::Theirs(told(why)),
            Self::Ours(error) => Blame::Ours(error),
        }
    }
}

impl Blame<Refusal> {
    /// The same with the refusal's reason alone.
    pub(crate) fn reason(self) -> Blame {
        self.map(|refusal| refusal.reason)
    }
}

impl<R> From<ClubError> for Blame<R> {
    fn from(error: ClubError) -> Self {
        Self::Ours(error)
    }
}

impl<R> From<StoreError> for Blame<R> {
    fn from(error: StoreError) -> Self {
        Self::Ours(error.into())
    }
}

impl From<Message> for Blame {
    fn from(why: Message) -> Self {
        Self::Theirs(why)
    }
}

impl From<Refusal> for Blame<Refusal> {
    fn from(refusal: Refusal) -> Self {
        Self::Theirs(refusal)
    }
}

/// What is forbidden for a reason is forbidden now.
impl From<Blame> for Blame<Refusal> {
    fn from(blame: Blame) -> Self {
        blame.map(Refusal::illegal)
    }
}

/// Returns `Err(Blame::Theirs(why()))` if `is_refused`.
///
/// # Errors
/// The reason, which the person who asked is told.
pub(crate) fn refuse_if<R>(is_refused: bool, why: impl FnOnce() -> R) -> Result<(), Blame<R>> {
    if is_refused { Err(Blame::Theirs(why())) } else { Ok(()) }
}

/// What was done, or what those are told who asked for it.
///
/// # Errors
/// What is ours to answer for.
pub fn answered<T, R>(done: Result<T, Blame<R>>) -> Result<Result<T, R>, ClubError> {
    match done {
        Ok(done) => Ok(Ok(done)),
        Err(Blame::Theirs(why)) => Ok(Err(why)),
        Err(Blame::Ours(error)) => Err(error),
    }
}

//! Whose doing it is that something was not done.

use crate::process::context::ClubError;
use crate::rules::{Message, Refusal};
use crate::store::StoreError;

/// Why something was not done: by the doing of who asked for it, who is then told why and what he
/// could do instead, or by ours.
#[derive(Debug)]
pub enum RequestError<R = Message> {
    /// Theirs: what they are told. Nothing is wrong with the club.
    Refused(R),
    /// Ours: nothing was wrong with what was asked for, and the next pass may do it.
    Internal(ClubError),
}

impl<R> RequestError<R> {
    /// The same blame, told in other words.
    pub(crate) fn map_refusal<S>(self, reword: impl FnOnce(R) -> S) -> RequestError<S> {
        match self {
            Self::Refused(why) => RequestError::Refused(reword(why)),
            Self::Internal(error) => RequestError::Internal(error),
        }
    }
}

impl RequestError<Refusal> {
    /// The same with the refusal's reason alone.
    pub(crate) fn into_reason(self) -> RequestError {
        self.map_refusal(|refusal| refusal.reason)
    }
}

impl<R> From<ClubError> for RequestError<R> {
    fn from(error: ClubError) -> Self {
        Self::Internal(error)
    }
}

impl<R> From<StoreError> for RequestError<R> {
    fn from(error: StoreError) -> Self {
        Self::Internal(error.into())
    }
}

impl From<Message> for RequestError {
    fn from(why: Message) -> Self {
        Self::Refused(why)
    }
}

impl From<Refusal> for RequestError<Refusal> {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// What is forbidden for a reason is forbidden now.
impl From<RequestError> for RequestError<Refusal> {
    fn from(blame: RequestError) -> Self {
        blame.map_refusal(Refusal::illegal)
    }
}

/// Returns `Err(RequestError::Refused(why()))` if `is_refused`.
///
/// # Errors
/// The reason, which the person who asked is told.
pub(crate) fn refuse_if<R>(
    is_refused: bool,
    why: impl FnOnce() -> R,
) -> Result<(), RequestError<R>> {
    if is_refused { Err(RequestError::Refused(why())) } else { Ok(()) }
}

/// What was done, or what those are told who asked for it.
///
/// # Errors
/// What is ours to answer for.
pub fn split_refusal<T, R>(done: Result<T, RequestError<R>>) -> Result<Result<T, R>, ClubError> {
    match done {
        Ok(done) => Ok(Ok(done)),
        Err(RequestError::Refused(why)) => Ok(Err(why)),
        Err(RequestError::Internal(error)) => Err(error),
    }
}

//! The error of a request: refused because of the request, or failed because of the club.

use crate::process::context::ClubError;
use crate::rules::{Message, Refusal};
use crate::store::StoreError;

/// The reason why a request was not carried out.
#[derive(Debug)]
pub enum RequestError<R = Message> {
    /// The request was refused. The person who asked is told this. Nothing is wrong with the club.
    Refused(R),
    /// The club failed. Nothing was wrong with the request, and the next pass may carry it out.
    Internal(ClubError),
}

impl<R> RequestError<R> {
    /// Converts the refusal with `reword`. Keeps internal errors as they are.
    pub(crate) fn map_refusal<S>(self, reword: impl FnOnce(R) -> S) -> RequestError<S> {
        match self {
            Self::Refused(why) => RequestError::Refused(reword(why)),
            Self::Internal(error) => RequestError::Internal(error),
        }
    }
}

impl RequestError<Refusal> {
    /// Keeps only the refusal's reason, without its alternatives.
    pub(crate) fn keep_only_reason(self) -> RequestError {
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

/// A reason alone becomes a refusal of something that is illegal now.
impl From<RequestError> for RequestError<Refusal> {
    fn from(blame: RequestError) -> Self {
        blame.map_refusal(Refusal::illegal)
    }
}

/// Returns `Err(RequestError::Refused(why()))` if `is_refused`.
pub(crate) fn refuse_if<R>(
    is_refused: bool,
    why: impl FnOnce() -> R,
) -> Result<(), RequestError<R>> {
    if is_refused { Err(RequestError::Refused(why())) } else { Ok(()) }
}

/// Separates the two kinds of error: returns the result or the refusal as the inner result.
///
/// # Errors
/// The internal errors.
pub fn split_refusal<T, R>(done: Result<T, RequestError<R>>) -> Result<Result<T, R>, ClubError> {
    match done {
        Ok(done) => Ok(Ok(done)),
        Err(RequestError::Refused(why)) => Ok(Err(why)),
        Err(RequestError::Internal(error)) => Err(error),
    }
}

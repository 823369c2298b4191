//! Whether there is something left on an account.

use crate::mail::rate_limit::{DAY, RateLimit};
use crate::process::context::ClubError;
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::store::Class;

/// Whether there is something left on an account.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn rate_limit(tx: &Transaction<'_>, account: &Account) -> Result<RateLimit, ClubError> {
    // Where no letter goes to strangers, none shall wait for it.
    let to_no_member = matches!(account.class(), Class::Stranger | Class::Known);
    if to_no_member && tx.context.settings.stranger_letters_per_day == 0 {
        return Ok(RateLimit::Silence);
    }
    let limit = account.limit(tx.context.settings.answers_per_hour as usize);
    let (now, key) = (tx.context.now.timestamp(), account.key());
    let said = RateLimit::of(tx.count_since(&key, now - limit.within)?, limit);
    let is_days_first = || Ok::<_, ClubError>(tx.count_since(&key, now - DAY)? == 0);
    if said == RateLimit::Silence && limit.then_daily && is_days_first()? {
        return Ok(RateLimit::Answer);
    }
    Ok(said)
}

/// Whether there is something left on all of these.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn have_room(tx: &Transaction<'_>, accounts: &[Account]) -> Result<bool, ClubError> {
    for account in accounts {
        if rate_limit(tx, account)? != RateLimit::Answer {
            return Ok(false);
        }
    }
    Ok(true)
}

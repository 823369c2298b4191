//! Whether there is something left on an account.

use crate::mail::manners::Manners;
use crate::process::office::OfficeError;
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::store::Class;

/// Whether there is something left on an account.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn manners(tx: &Transaction<'_>, account: &Account) -> Result<Manners, OfficeError> {
    // Where no letter goes to strangers, none shall wait for it.
    if account.class() == Class::Stranger && tx.office.settings.stranger_letters_per_day == 0 {
        return Ok(Manners::Silence);
    }
    let limit = account.limit(tx.office.settings.answers_per_hour as usize);
    let since = tx.office.now.timestamp() - limit.within;
    Ok(Manners::of(tx.count_since(&account.key(), since)?, limit))
}

/// Whether there is something left on all of these.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn have_room(tx: &Transaction<'_>, accounts: &[Account]) -> Result<bool, OfficeError> {
    for account in accounts {
        if manners(tx, account)? != Manners::Answer {
            return Ok(false);
        }
    }
    Ok(true)
}

//! A member's settings by the command line, with the words of his letters.

use crate::club::clock::ClockRules;
use crate::club::{Member, MemberLine, WrongLine};
use crate::process::blame::Blame;
use crate::process::commit;
use crate::process::context::Context;
use crate::process::lobby::members::MemberRefusal;
use crate::process::session::reader;
use crate::process::transaction::Transaction;
use crate::rules::Message;

/// The member after a setting, and what they are told of it.
///
/// # Errors
/// What is wrong with the setting in this club.
pub(crate) fn set(
    context: &Context,
    member: &Member,
    setting: MemberLine,
) -> Result<(Member, Message), WrongLine> {
    let rules = context.settings.clock.as_ref();
    let vacation_days =
        rules.map_or(ClockRules::VACATION_DAYS, |rules| rules.vacation_days_per_year);
    let languages: Vec<&str> = context.library.tags().collect();
    setting.onto(member, context.now, (vacation_days, &languages))
}

/// Does for the member with this number or address what a line of a letter of his would, and
/// gives the member with what he would be told.
///
/// # Errors
/// When the club cannot be read or written.
pub fn set_member(
    context: &Context,
    who: &str,
    line: &str,
) -> Result<(Member, Message), Blame<MemberRefusal>> {
    commit::transact(context, |tx| {
        let (member, word) = setting(tx, who, line)?;
        tx.change(member.clone());
        Ok((member, word))
    })
}

/// The member as the line would leave it, and what there is to say of that; nothing is changed.
///
/// # Errors
/// When the club cannot be read.
pub fn rehearse_setting(
    context: &Context,
    who: &str,
    line: &str,
) -> Result<(Member, Message), Blame<MemberRefusal>> {
    setting(&Transaction::begin(context), who, line)
}

fn setting(
    tx: &Transaction<'_>,
    who: &str,
    line: &str,
) -> Result<(Member, Message), Blame<MemberRefusal>> {
    let Some(before) = reader::member_on(tx, who)? else {
        return Err(Blame::Theirs(MemberRefusal::NoMember(who.to_owned())));
    };
    let Some(read) = MemberLine::read(line) else {
        return Err(Blame::Theirs(MemberRefusal::NoSetting(line.to_owned())));
    };
    let set = read.and_then(|setting| set(tx.context, &before, setting));
    set.map_err(|why| Blame::Theirs(MemberRefusal::WrongSetting(why)))
}

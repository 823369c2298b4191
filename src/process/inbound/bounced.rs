//! Members whose letters come back: when that is believed, and what follows from it.
//!
//! A forged report could silence a member. So one counts only if it gives back a reply token, which
//! nobody has but the seat's member and the servers on the way to him: Message-IDs of ours are easy
//! to guess. And it counts only of a letter that was posted in the last days, since nobody hears of
//! an older one from a server, but a member can write such a report himself whenever he likes. All
//! others stay in quarantine.
//!
//! Only that there is no such mailbox or host is believed at once. What a server's rules say, and
//! that a mailbox is full, is nothing that its owner can mend or even sees: the fifth in a row
//! counts as much, and the moderator hears when it is said of several members.

use crate::club::Member;
use crate::mail::{Bounce, Cause, Failed, Letter, Position, ReplyAction, Token};
use crate::process::context::ClubError;
use crate::process::outbound::answers;
use crate::process::outbound::delivery::KNOWN_AS_POSTED;
use crate::process::session::lost::{self, SOFT_MAX, untell};
use crate::process::session::reader::{marks_of, marks_of_seat};
use crate::process::transaction::Transaction;
use crate::process::transaction::effect::{Disposition, LetterEffect};
use crate::rules::Seat;
use crate::store::{Posted, Repository};

/// What a mail server's report leads to; `None` when it is no report that is believed here.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn bounced(
    tx: &mut Transaction<'_>,
    letter: &Letter,
) -> Result<Option<LetterEffect>, ClubError> {
    let Some(bounce) = Bounce::of(letter, &tx.context.settings.address) else { return Ok(None) };
    let Some((member, failed)) = lost(tx, &bounce)? else { return Ok(None) };
    let Some(posted) = posted(tx, &bounce)? else { return Ok(None) };
    let mut effect = LetterEffect::of(Disposition::Done);
    if tx.seen_letter(letter.digest.bytes())?.is_some() {
        return Ok(Some(effect));
    }
    effect.remembered = Some(answers::remembered(tx.context, letter, None, None));
    let kind = if failed.cause.is_hard() { "hard" } else { "soft" };
    effect.bounced = Some(format!("{}: {kind} {}", failed.address, failed.status));
    // Nothing is sent to the others of a member's addresses; what is late may come yet.
    let written_to = member.addresses.first() == Some(&failed.address);
    if !written_to || member.undeliverable.is_some() || failed.cause == Cause::Late {
        return Ok(Some(effect));
    }
    effect.report = lost::refused_by_rule(tx, member.id, &failed)?;
    let told = told_by(tx, &member, &bounce.tokens, &posted)?;
    untell(tx, member.id, &told)?;
    let mut member = member;
    member.soft_bounces = member.soft_bounces.saturating_add(1);
    if failed.cause.is_hard() || member.soft_bounces >= SOFT_MAX {
        let (lost, word) = lost::lose(tx, member, &failed)?;
        member = lost;
        effect.report = Some(word);
    }
    effect.member = Some(member);
    Ok(Some(effect))
}

/// What a letter with these marks told, as far as they are valid and a member's: each seat with
/// the record before the first that it told of, as far as that is known.
fn told_by(
    tx: &Transaction<'_>,
    member: &Member,
    tokens: &[Token],
    posted: &Posted,
) -> Result<Vec<(u32, Seat, u32)>, ClubError> {
    let mut told = Vec::new();
    for token in tokens {
        let Position { game, seat, seq } = token.what;
        let seat = Seat::new(seat);
        let seats = tx.seats(game)?;
        let opens = |seated| tx.context.secret.opens(token, marks_of_seat(seated, member));
        let is_valid = seats.get(seat.index()).is_some_and(opens);
        let known = posted.told.iter().filter(|told| (told.0, told.1) == (game, seat));
        let before = known.map(|told| told.2).chain([seq.saturating_sub(1)]).min();
        told.extend(before.filter(|_| is_valid).map(|before| (game, seat, before)));
    }
    Ok(told)
}

/// The letter that a report gives back, if it was posted so short a time ago that a server may
/// tell of it only now. Some give back no Message-ID, but the mark of a turn's letter.
fn posted(tx: &Transaction<'_>, bounce: &Bounce) -> Result<Option<Posted>, ClubError> {
    let host = tx.context.settings.host();
    let of_seats = bounce.tokens.iter().map(|token| {
        let Position { game, seat, seq } = token.what;
        format!("g{game}.s{seat}.r{seq}@{host}")
    });
    for id in bounce.letters.iter().cloned().chain(of_seats) {
        let posted = tx.posted(&id, tx.context.now - KNOWN_AS_POSTED, tx.context.now)?;
        if posted.is_some() {
            return Ok(posted);
        }
    }
    Ok(None)
}

/// The member whose letter a report gives back, if it was his address that failed.
fn lost(tx: &Transaction<'_>, bounce: &Bounce) -> Result<Option<(Member, Failed)>, ClubError> {
    let own_address = |member: &Member| {
        let mut own = member.addresses.iter();
        own.find_map(|own| bounce.failed.iter().find(|f| f.address == *own)).cloned()
    };
    for token in &bounce.tokens {
        let seat = Seat::new(token.what.seat).index();
        let seats = tx.seats(token.what.game)?;
        let Some(seated) = seats.get(seat) else { continue };
        let Some(member) = tx.member(seated.member)? else { continue };
        if tx.context.secret.opens(token, marks_of_seat(seated, &member))
            && let Some(failed) = own_address(&member)
        {
            return Ok(Some((member, failed)));
        }
    }
    for token in &bounce.errands {
        let (ReplyAction::Member(id) | ReplyAction::Invited { member: id, .. }) = token.what else {
            continue;
        };
        let Some(member) = tx.member(id)? else { continue };
        if tx.context.secret.opens_action(token, &token.what.bond("", marks_of(&member)))
            && let Some(failed) = own_address(&member)
        {
            return Ok(Some((member, failed)));
        }
    }
    Ok(None)
}

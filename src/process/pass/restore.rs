//! A club's store rebuilt from its journal.
//!
//! Knows nothing of what is owed to its players: see `lost_letters`.

use crate::club::clock::{GameClock, Pulse};
use crate::mail::Maildir;
use crate::process::fence::fenced;
use crate::process::office::{Office, OfficeError};
use crate::process::pass::lost_letters::{self, Unserved, unserved_after};
use crate::process::timing::pulse::pulse_of;
use crate::process::transaction::Transaction;
use crate::process::transaction::copy_out;
use crate::rules::Turn;
use crate::store::journal::{self, Present, Waiting};
use crate::store::{Batch, LogLine, Outbox, SeenLetter};
use crate::table::{Cause, Openings, Table};
use chrono::TimeDelta;
use std::collections::BTreeMap;
use std::path::Path;

/// What came back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// Games.
    pub games: usize,
    /// Records of all games.
    pub records: usize,
    /// Members.
    pub members: usize,
    /// Letters that wait to be posted.
    pub letters: usize,
}

/// After a restore no player's time is over before this.
const RESPITE: TimeDelta = TimeDelta::hours(24);
/// Where nobody knows which letters were posted, a game's last ones are written again for so long
/// after its end.
const LATELY: TimeDelta = TimeDelta::days(7);
/// How many games go into one commit.
const GAMES_A_COMMIT: usize = 1_000;

/// Fills an empty store from a journal, and makes the folders that letters come and go by.
/// Letters that were read are known again; those that waited to be posted wait again, or are
/// written once more; everyone else whose turn it is will be reminded by the next pass. Time
/// since the last pass is given back like that of any outage.
///
/// The club's own journal is written anew, so this one must have all that stands in it.
///
/// # Errors
/// When the journal is damaged, or the store or the folders cannot be written.
pub fn restore(office: &Office, journal: &Path) -> Result<Restored, OfficeError> {
    let found = journal::read(journal)?;
    let present = journal::present(journal);
    make_maildirs(office)?;
    // From here on nobody else opens it, so nothing that is decided below is decided anew.
    office.store.rebuild()?;
    let mut restored = Restored {
        games: found.games.len(),
        records: found.games.iter().map(|(_, lines)| lines.len().saturating_sub(1)).sum(),
        members: found.members.len(),
        letters: 0,
    };
    let lately = restore_games(office, &found, present.as_ref())?;
    let restored_at = Some(office.now);
    let people = people(found, present.as_ref());
    // What an older journal's clocks waited for before is no outage of this store's passes.
    let pulse = people.pulse.or(Some(Pulse::first(office.now)));
    let mut tx = Transaction::begin(office);
    *tx.write() = Batch { restored: restored_at, pulse, ..people };
    tx.commit()?;
    let unserved = match &present {
        Some(present) => unserved_after(present),
        None => lately.into_iter().map(|game| (game, Unserved::to_everyone())).collect(),
    };
    lost_letters::write_again(office, &unserved, present.as_ref())?;
    restored.letters = Transaction::begin(office).outbox_length()?;
    copy_out(office)?;
    office.store.rebuilt()?;
    Ok(restored)
}

/// Creates what is missing of the folders that letters come and go by: a backup need not have
/// them.
fn make_maildirs(office: &Office) -> Result<(), OfficeError> {
    let out = office.settings.mail_out.maildir.iter();
    let out = out.map(|maildir| Maildir::new(office.folder.join(maildir)));
    for maildir in out.chain([office.inbox()]) {
        maildir.create().map_err(|error| OfficeError::file(maildir.root(), error))?;
    }
    Ok(())
}

/// Writes the games' logs and clocks. Gives the games that run or have ended lately.
fn restore_games(
    office: &Office,
    found: &journal::Restored,
    present: Option<&Present>,
) -> Result<Vec<u32>, OfficeError> {
    // What the next pass knows for an outage it gives back by itself.
    let pulse = present.and_then(|present| present.pulse);
    let outage = pulse.and_then(|pulse| pulse_of(&office.folder, pulse).beat(office.now).1);
    let clocks: BTreeMap<u32, &GameClock> =
        found.clocks.iter().map(|(game, clock)| (*game, clock)).collect();
    let mut openings = Openings::default();
    let mut lately = Vec::new();
    for games in found.games.chunks(GAMES_A_COMMIT) {
        let mut tx = Transaction::begin(office);
        let batch = tx.write();
        for (game, lines) in games {
            // Of one that cannot be read the next pass tells the moderator.
            let fold = || Ok(Table::fold(&mut openings, lines.iter().map(String::as_str)));
            let table = fenced(fold)?.ok().and_then(Result::ok);
            batch.seen_letters.extend(table.iter().flat_map(seen_letters));
            batch.clocks.extend(clocks.get(game).map(|clock| {
                let mut clock = (*clock).clone();
                if pulse.is_none() {
                    clock.set_right(office.now, |_| None);
                }
                if outage.is_none() {
                    clock.leave_at_least(RESPITE, office.now);
                }
                (*game, clock)
            }));
            let is_over = table.as_ref().is_some_and(|table| table.turn() == Turn::Over);
            let last = table.as_ref().and_then(|table| table.records().last());
            let is_recent = last.is_some_and(|last| office.now < last.at + LATELY);
            lately.extend((!is_over || is_recent).then_some(*game));
            batch.due.push((*game, Some(office.now).filter(|_| !is_over)));
            batch.log_lines.extend((0..).zip(lines).map(|(seq, line)| LogLine {
                game: *game,
                seq,
                line: line.clone(),
            }));
        }
        tx.commit()?;
    }
    Ok(lately)
}

/// All that is not in the games' logs, in one commit.
fn people(found: journal::Restored, present: Option<&Present>) -> Batch {
    let heads: BTreeMap<u32, u32> = found
        .games
        .iter()
        .map(|(game, lines)| (*game, u32::try_from(lines.len()).unwrap_or(0).saturating_sub(1)))
        .collect();
    // A copy of a journal in use can know of records that it lacks: nobody was told of them, and a
    // letter that led to one is still to be carried out.
    let head = |game: &u32| heads.get(game).copied().unwrap_or(0);
    let (mut seats, mut seen_letters) = (found.seats, found.seen_letters);
    for (game, _, seated) in &mut seats {
        seated.told = seated.told.min(head(game));
    }
    seen_letters.retain(|(_, seen)| match (seen.game, seen.seq) {
        (Some(game), Some(seq)) => seq <= head(&game),
        _ => true,
    });
    let proposals = found
        .gatherings
        .iter()
        .filter_map(|(game, gathering)| Some((*game, Some(gathering.proposal.as_ref()?.until))));
    Batch {
        due: proposals.collect(),
        members: found.members,
        seats,
        moderator: found.moderator,
        campaign_games: found.campaign_games,
        gatherings: found.gatherings,
        minutes: found.minutes,
        seen_letters,
        outgoing: present
            .map(|present| present.letters.iter().filter_map(Waiting::whole).collect())
            .unwrap_or_default(),
        pulse: present.and_then(|present| present.pulse),
        morning: present.and_then(|present| present.morning),
        // What is in the store now need not be added to the file that it was read from.
        rewrite_journal: true,
        ..Batch::default()
    }
}

/// The letters whose orders are in a log: journals of earlier versions know no others.
fn seen_letters(table: &Table) -> impl Iterator<Item = ([u8; 16], SeenLetter)> + '_ {
    table.records().iter().filter_map(|record| {
        let Cause::Orders { letter: Some(letter), .. } = &record.cause else { return None };
        let digest = data_encoding::HEXLOWER.decode(letter.digest.as_bytes()).ok()?;
        let game = Some(table.founding().number);
        let seen = SeenLetter { at: record.at, game, seq: Some(record.seq) };
        Some((digest.try_into().ok()?, seen))
    })
}

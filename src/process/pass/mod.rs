//! One pass: letters in, one commit for many, letters out, reminders; and a club that comes back
//! from its journal.
//!
//! Nothing but the order of things, and which room a letter goes to.

use crate::mail::courier::Courier;
use crate::mail::{BYTES_MAX, Maildir, Waiting};
use crate::process::fence::{Barred, FAILED};
use crate::process::office::{Office, OfficeError};
use crate::process::pass::letters::Understood;
use crate::process::tally::PassReport;
use crate::process::timing::pulse::pulse_of;
use crate::process::transaction::outcome::{Fate, Moved, Outcome};
use crate::process::transaction::{Committed, Transaction, retry};
use crate::store::{Outbox, Repository};
use chrono::{DateTime, Utc};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
pub(crate) mod fetch;
pub(crate) mod idle;
pub(crate) mod letters;
pub(crate) mod lost_letters;
pub(crate) mod restore;
pub(crate) mod unread;

/// Whether all letters that have come so far are in the inbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Letters {
    /// They are.
    Here,
    /// Some may lie where they cannot be fetched from now.
    Elsewhere,
}

/// The games that are due.
#[derive(Default)]
struct Due {
    /// Those with a clock.
    timed: Vec<u32>,
    /// Those that wait for ever.
    untimed: Vec<u32>,
    /// Those that wait for players.
    unbegun: Vec<u32>,
}

/// What there is to count of a letter that was read.
struct Read {
    ordered: bool,
    answered: bool,
    bounced: Option<String>,
}

impl PassReport {
    fn count(&mut self, read: Read) {
        self.carried_out += usize::from(read.ordered);
        self.answered += usize::from(read.answered);
        self.bounced.extend(read.bounced);
    }
}

/// The letters of an inbox, a commit's worth at a time.
struct Portions {
    limit: usize,
    /// What lies there still although it was met: a file that cannot be read is met once a pass.
    stuck: HashSet<String>,
}

impl Portions {
    fn new(limit: usize) -> Self {
        Self { limit, stuck: HashSet::new() }
    }

    /// The next letters, at most as many as a commit takes.
    fn next(&self, inbox: &Maildir) -> std::io::Result<Vec<Waiting>> {
        let mut waiting = inbox.waiting(self.limit.saturating_add(self.stuck.len()))?;
        waiting.retain(|letter| !self.stuck.contains(&letter.name));
        waiting.truncate(self.limit);
        Ok(waiting)
    }

    /// Does not give those of these letters again that were not decided on.
    fn keep_out(&mut self, letters: &[Waiting], decided: &HashSet<&String>) {
        let names = letters.iter().map(|letter| &letter.name);
        self.stuck.extend(names.filter(|name| !decided.contains(name)).cloned());
    }
}

impl Office {
    /// Does one pass.
    ///
    /// # Errors
    /// When the club cannot be read or written. What was committed before stays, and the next pass
    /// goes on from there.
    pub fn pass(&self, courier: &mut dyn Courier) -> Result<PassReport, OfficeError> {
        let mut report = PassReport::default();
        self.copy_out()?;
        self.feel_pulse()?;
        self.take_in_all(&mut report)?;
        self.end_pass(Letters::Here, courier, report)
    }

    /// What a pass does once all letters that it has got are read.
    pub(crate) fn end_pass(
        &self,
        letters: Letters,
        courier: &mut dyn Courier,
        mut report: PassReport,
    ) -> Result<PassReport, OfficeError> {
        // Else what was in time may lie where it cannot be fetched from.
        // And who cannot be told is not late.
        if letters == Letters::Here && !self.is_closed()? {
            self.lapse_votes()?;
            let due = self.due_games()?;
            self.run_clocks(&due.timed, &mut report)?;
            self.lapse_proposals(&due.unbegun)?;
            self.remind(&due.untimed, &mut report)?;
        }
        self.write_digest()?;
        let way_out = self.deliver(courier, &mut report)?;
        self.note_way_out(way_out)?;
        // What was posted waits no more, and what could not be is not only in the store.
        self.copy_out()?;
        report.waiting = self.begin().outbox_length()?;
        Ok(report)
    }

    /// Reads every letter that waits, commit by commit.
    ///
    /// # Errors
    /// When the club cannot be read or written.
    pub fn take_in_all(&self, report: &mut PassReport) -> Result<(), OfficeError> {
        self.take_in_as_of(None, report)
    }

    /// The same while time stands still since a moment: letters came no later than then.
    pub(crate) fn take_in_as_of(
        &self,
        stands: Option<DateTime<Utc>>,
        report: &mut PassReport,
    ) -> Result<(), OfficeError> {
        let inbox = self.inbox();
        let file = |error| OfficeError::file(inbox.root(), error);
        let mut portions = Portions::new(self.settings.letters_per_commit as usize);
        loop {
            let mut letters = portions.next(&inbox).map_err(file)?;
            if letters.is_empty() {
                report.troubles.extend(self.tell_of_unreadable(&inbox)?);
                return self.tell_of_untold();
            }
            letters.iter_mut().for_each(|letter| letter.came_by(stands));
            let committed = self.take_in(&letters, report)?;
            self.copy_out()?;
            let decided = committed.fates.iter().chain(&committed.late);
            portions.keep_out(&letters, &decided.map(|(letter, _)| &letter.name).collect());
            self.put_away(&inbox, committed, report)?;
        }
    }

    /// Reads these letters and commits what they lead to. Where something that this was decided on
    /// has changed meanwhile, they are judged anew, in their place.
    ///
    /// # Errors
    /// When the club cannot be read or written; nothing of these letters is done then.
    pub fn take_in(
        &self,
        letters: &[Waiting],
        report: &mut PassReport,
    ) -> Result<Committed, OfficeError> {
        retry(|| {
            let mut barred = Barred::new();
            loop {
                let (mut tx, mut read) = (self.begin(), report.clone());
                for letter in letters {
                    self.take_letter(&mut tx, letter, &barred, &mut read)?;
                }
                let fenced = self.finish(&mut tx)?;
                let before = barred.len();
                barred.extend(fenced);
                // What failed at the end has to leave nothing of itself either.
                if barred.len() == before {
                    let committed = tx.commit()?;
                    *report = read;
                    return Ok(committed);
                }
            }
        })
    }

    /// Reads a letter into a transaction, of which nothing is left when it fails half-way.
    fn take_letter(
        &self,
        tx: &mut Transaction<'_>,
        letter: &Waiting,
        barred: &Barred,
        report: &mut PassReport,
    ) -> Result<(), OfficeError> {
        if let Some(fate) = tx.seen_file(&letter.name)? {
            tx.take_late(letter.clone(), Fate::from_text(&fate));
            return Ok(());
        }
        // What cannot be read is left there; the moderator hears of it.
        let Ok(bytes) = letter.read(BYTES_MAX) else { return Ok(()) };
        report.read += 1;
        if let Some((game, why)) = barred.get(&letter.name) {
            tx.take(letter.clone(), Outcome::of(Fate::Quarantined(why.clone())));
            tx.broken(*game, why);
            return Ok(());
        }
        let judge = |upon: &mut Transaction<'_>| {
            upon.received = letter.received;
            self.judge_letter(upon, letter, &bytes)
        };
        let why = match catch_unwind(AssertUnwindSafe(|| tx.in_savepoint(judge))) {
            Ok(Ok(done)) => {
                report.count(done);
                return Ok(());
            }
            Ok(Err(OfficeError::GameFailed { game, why })) => {
                tx.broken(game, &why);
                tx.take(letter.clone(), Outcome::of(Fate::Quarantined(why)));
                return Ok(());
            }
            Ok(Err(error @ (OfficeError::Damage(_) | OfficeError::Compose(_)))) => {
                error.to_string()
            }
            Ok(Err(error)) => return Err(error),
            Err(_) => FAILED.to_owned(),
        };
        tx.take(letter.clone(), Outcome::of(Fate::Quarantined(why)));
        Ok(())
    }

    /// Judges a letter and takes in what it leads to; what there is to count of it.
    fn judge_letter(
        &self,
        tx: &mut Transaction<'_>,
        letter: &Waiting,
        bytes: &[u8],
    ) -> Result<Read, OfficeError> {
        let Understood { outcome, .. } = self.consider(tx, bytes)?;
        let ordered = outcome.moved.as_ref().is_some_and(Moved::has_orders);
        let answered = outcome.answer.is_some() || outcome.moved.is_some() && !ordered;
        let bounced = outcome.bounced.clone();
        self.take(tx, letter.clone(), outcome)?;
        Ok(Read { ordered, answered, bounced })
    }

    fn put_away(
        &self,
        inbox: &Maildir,
        Committed { fates, late }: Committed,
        report: &mut PassReport,
    ) -> Result<(), OfficeError> {
        report.quarantined += fates.iter().filter(|(_, fate)| *fate != Fate::Done).count();
        let was_cut_short = !late.is_empty();
        let files = fates.into_iter().chain(late);
        let trays: Vec<_> = files.map(|(letter, fate)| (letter, fate.tray())).collect();
        for (name, error) in
            inbox.put(&trays).map_err(|error| OfficeError::file(inbox.root(), error))?
        {
            report.troubles.push(format!("{name}: {error}"));
        }
        // The pass that was killed may have let letters out of quarantine.
        if was_cut_short { self.tidy_quarantine() } else { Ok(()) }
    }

    /// The games that something must be done for now; no other game is looked at.
    fn due_games(&self) -> Result<Due, OfficeError> {
        let (tx, mut due) = (self.begin(), Due::default());
        for game in tx.due(self.now)? {
            let games = match tx.clock(game)? {
                Some(_) => &mut due.timed,
                None if tx.log_length(game)? == 0 => &mut due.unbegun,
                None => &mut due.untimed,
            };
            games.push(game);
        }
        Ok(due)
    }

    /// Reads every letter that is here, although it may be that no pass could read any for long.
    ///
    /// That time is given back only once it is over, after these letters: so nobody is later than
    /// when it began.
    pub(crate) fn take_in_while_standing(
        &self,
        report: &mut PassReport,
    ) -> Result<(), OfficeError> {
        let tx = self.begin();
        let pulse = tx.pulse()?.filter(|_| tx.has_clocks().unwrap_or(true));
        let outage = pulse.and_then(|pulse| pulse_of(&self.folder, pulse).beat(self.now).1);
        self.take_in_as_of(outage.map(|outage| outage.since), report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::Tray;

    #[test]
    fn no_commit_takes_more_letters_than_it_may_and_none_is_met_twice() {
        let folder = tempfile::tempdir().expect("a folder");
        let inbox = Maildir::new(folder.path().to_owned());
        inbox.create().expect("created");
        for n in 0..50 {
            std::fs::write(inbox.root().join(format!("new/{n:02}")), "x").expect("written");
        }
        let mut portions = Portions::new(7);
        let mut met = Vec::new();
        loop {
            let letters = portions.next(&inbox).expect("listed");
            if letters.is_empty() {
                break;
            }
            assert!(letters.len() <= 7, "{}", letters.len());
            met.extend(letters.iter().map(|letter| letter.name.clone()));
            let readable = |letter: &&Waiting| !letter.name.ends_with('3');
            let done: Vec<&Waiting> = letters.iter().filter(readable).collect();
            portions.keep_out(&letters, &done.iter().map(|letter| &letter.name).collect());
            let moves: Vec<_> =
                done.into_iter().map(|letter| (letter.clone(), Tray::Done)).collect();
            inbox.put(&moves).expect("moved");
        }
        assert_eq!(met, (0..50).map(|n| format!("{n:02}")).collect::<Vec<_>>());
        assert_eq!(inbox.waiting(99).expect("listed").len(), 5);
    }
}

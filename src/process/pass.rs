//! One pass: letters in, one commit for many, letters out, reminders.

use super::clock::GAMES_A_COMMIT;
use super::desk::{Desk, Fate, Moved, Outcome, broken_game};
use super::fence::{FAILED, fenced};
use super::intake::Understood;
use super::office::{Office, OfficeError};
use super::post::ToSeat;
use crate::mail::courier::Courier;
use crate::mail::{BYTES_MAX, Maildir, Waiting};
use crate::report::{Occasion, Page};
use crate::rules::{Message, Turn};
use crate::store::Batch;
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Whether all letters that have come so far are in the inbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Letters {
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

/// What a pass did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PassReport {
    /// Letters that were read.
    pub read: usize,
    /// Letters whose orders were carried out.
    pub carried_out: usize,
    /// Letters that were answered otherwise.
    pub answered: usize,
    /// Letters that went to quarantine.
    pub quarantined: usize,
    /// Reminders that were written.
    pub reminded: usize,
    /// Reports of letters that did not arrive: address, kind and status.
    pub bounced: Vec<String>,
    /// Turns that were done for absent players.
    pub absent: usize,
    /// Letters that were posted.
    pub posted: usize,
    /// Letters that wait in the outbox still.
    pub waiting: usize,
    /// What went wrong and will be tried again by the next pass.
    pub troubles: Vec<String>,
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
        self.store.write_journal(&self.journal())?;
        self.feel_pulse()?;
        self.take_in_all(&mut report)?;
        self.end_pass(Letters::Here, courier, report)
    }

    /// What a pass does once all letters that it has got are read.
    pub(super) fn end_pass(
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
        self.store.write_journal(&self.journal())?;
        report.waiting = self.store.outbox_length()?;
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
    pub(super) fn take_in_as_of(
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
            let desk = self.take_in(&letters, report)?;
            self.store.write_journal(&self.journal())?;
            let decided = desk.fates.iter().chain(&desk.late).map(|(letter, _)| &letter.name);
            portions.keep_out(&letters, &decided.collect());
            self.put_away(&inbox, desk, report)?;
        }
    }

    /// Reads these letters and commits what they lead to.
    ///
    /// # Errors
    /// When the club cannot be read or written; nothing of these letters is done then.
    pub fn take_in(
        &self,
        letters: &[Waiting],
        report: &mut PassReport,
    ) -> Result<Desk, OfficeError> {
        let mut desk = Desk::default();
        for letter in letters {
            if let Some(fate) = self.store.seen_file(&letter.name)? {
                desk.late.push((letter.clone(), Fate::from_text(&fate)));
                continue;
            }
            // What cannot be read is left there; the moderator hears of it.
            let Ok(bytes) = letter.read(BYTES_MAX) else { continue };
            desk.received = letter.received;
            let outcome = self.safely(&mut desk, &bytes)?;
            report.read += 1;
            let ordered = outcome.moved.as_ref().is_some_and(Moved::has_orders);
            report.carried_out += usize::from(ordered);
            let moved = outcome.moved.is_some();
            report.answered += usize::from(outcome.answer.is_some() || moved && !ordered);
            report.bounced.extend(outcome.bounced.clone());
            self.take(&mut desk, letter.clone(), outcome)?;
        }
        self.finish(&mut desk)?;
        self.store.commit(&desk.batch)?;
        Ok(desk)
    }

    /// Takes in on a desk what a letter led to, its vote included.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(super) fn take(
        &self,
        desk: &mut Desk,
        file: Waiting,
        outcome: Outcome,
    ) -> Result<(), OfficeError> {
        let ballot = outcome
            .moved
            .as_ref()
            .and_then(|moved| Some((moved.table.founding().number, moved.seat, moved.ballot?)));
        desk.take(file, outcome, self.now.timestamp());
        if let Some((game, seat, line)) = ballot
            && let Err(why) = fenced(|| self.vote(desk, game, seat, line))?
        {
            desk.fence_off(game, &why);
        }
        Ok(())
    }

    /// Considers a letter so that nothing in it can stop the others.
    fn safely(&self, desk: &mut Desk, bytes: &[u8]) -> Result<Outcome, OfficeError> {
        match catch_unwind(AssertUnwindSafe(|| self.consider(desk, bytes))) {
            Ok(Ok(Understood { outcome, .. })) => Ok(outcome),
            Ok(Err(error @ (OfficeError::Damage(_) | OfficeError::Compose(_)))) => {
                Ok(Outcome::of(Fate::Quarantined(error.to_string())))
            }
            Ok(Err(error)) => Err(error),
            Err(_) => Ok(Outcome::of(Fate::Quarantined(FAILED.to_owned()))),
        }
    }

    fn put_away(
        &self,
        inbox: &Maildir,
        desk: Desk,
        report: &mut PassReport,
    ) -> Result<(), OfficeError> {
        let quarantined = desk.fates.iter().filter(|(_, fate)| *fate != Fate::Done).count();
        report.quarantined += quarantined;
        let was_cut_short = !desk.late.is_empty();
        let trays: Vec<_> = desk
            .fates
            .into_iter()
            .chain(desk.late)
            .map(|(letter, fate)| (letter, fate.tray()))
            .collect();
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
        let mut due = Due::default();
        for game in self.store.due(self.now)? {
            let games = match self.store.clock(game)? {
                Some(_) => &mut due.timed,
                None if self.store.log_length(game)? == 0 => &mut due.unbegun,
                None => &mut due.untimed,
            };
            games.push(game);
        }
        Ok(due)
    }

    /// Writes to everyone whom a game without a clock has waited for too long.
    fn remind(&self, games: &[u32], report: &mut PassReport) -> Result<(), OfficeError> {
        for games in games.chunks(GAMES_A_COMMIT) {
            let mut batch = Batch::default();
            let mut matters = Vec::new();
            for game in games {
                match fenced(|| self.reminders(&mut batch, *game))? {
                    Ok((written, lost)) => {
                        report.reminded += written;
                        matters.extend(lost);
                    }
                    Err(why) => {
                        // It is looked at again after the usual time: the note comes once a week.
                        let days = self.settings.reminder_days.max(1);
                        let next = self.now.checked_add_signed(TimeDelta::days(days.into()));
                        batch.due.push((*game, next));
                        matters.push(broken_game(*game, &why));
                    }
                }
            }
            if !matters.is_empty() {
                batch.outgoing.push(self.report(matters)?);
            }
            self.keep(&batch)?;
        }
        Ok(())
    }

    /// Writes a game's reminders. The batch is touched only once nothing can go wrong any more.
    fn reminders(
        &self,
        batch: &mut Batch,
        game: u32,
    ) -> Result<(usize, Option<Message>), OfficeError> {
        let mut playing = self.open_game(game)?;
        let Turn::Awaiting(seats) = playing.table.turn() else {
            self.due(batch, &playing);
            return Ok((0, None));
        };
        let since = playing.table.records().last().map_or(self.now, |record| record.at);
        let days = (self.now - since).num_days();
        let mark = format!("r{}.w{days}", playing.table.head());
        let mut letters = Vec::new();
        {
            let mut page = Page::new(&playing.table, &playing.names);
            for seat in &seats {
                let to = ToSeat::unasked(*seat, Occasion::Reminder { days: days.max(0) }, &mark);
                letters.extend(self.game_letter(&mut page, &playing, &to)?);
            }
        }
        let (written, lost) = (letters.len(), self.waits_for_lost(&playing));
        seats.iter().for_each(|seat| playing.told(*seat));
        self.due(batch, &playing);
        batch.outgoing.extend(letters);
        playing.keep_seats(batch);
        Ok((written, lost))
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

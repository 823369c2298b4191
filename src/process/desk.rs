//! What one commit in the making holds: nothing of it is true before the store has taken it.

use super::bounced::Changed;
use super::budget::Account;
use super::office::{Office, OfficeError};
use crate::club::clock::GameClock;
use crate::club::vote::VoteLine;
use crate::club::{Command, Gathering, Member, Minute, Notes, Seated};
use crate::mail::{Digest, Tray, Waiting};
use crate::rules::{Message, Seat};
use crate::store::{Batch, LogLine, Outgoing, SeenLetter};
use crate::table::{OrderLine, Record, StandingOrders, Table};
use chrono::{DateTime, Utc};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A game with the people who play it.
#[derive(Clone)]
pub struct Playing {
    /// The game.
    pub table: Table,
    /// The players' names, by seat.
    pub names: Vec<String>,
    /// Who sits where, by seat.
    pub seats: Vec<(Seated, Member)>,
    /// How its time is kept; none when it waits for ever.
    pub clock: Option<GameClock>,
    /// The last record that the store has.
    pub(super) stored: u32,
    /// The last record that the clock was set to.
    pub(super) timed: u32,
    /// The seats as the store has them.
    stored_seats: Vec<Seated>,
    /// The clock as the store has it.
    pub(super) stored_clock: Option<GameClock>,
    /// When the first of its votes lapses; none when there is none.
    pub(super) lapses: Option<DateTime<Utc>>,
    /// The same as the store has it.
    pub(super) stored_lapses: Option<DateTime<Utc>>,
}

impl Playing {
    /// A game as the store has it.
    pub fn new(table: Table, seats: Vec<(Seated, Member)>) -> Self {
        let names = seats.iter().map(|(_, member)| member.name.clone()).collect();
        let stored = table.head();
        let stored_seats = seats.iter().map(|(seated, _)| seated.clone()).collect();
        let (clock, stored_clock) = (None, None);
        let (lapses, stored_lapses) = (None, None);
        let timed = stored;
        Self {
            table,
            names,
            seats,
            clock,
            stored,
            timed,
            stored_seats,
            stored_clock,
            lapses,
            stored_lapses,
        }
    }

    /// A game that the store does not have yet.
    pub fn founded(table: Table, seats: Vec<(Seated, Member)>) -> Self {
        Self { stored: 0, timed: 0, stored_seats: Vec::new(), ..Self::new(table, seats) }
    }

    /// The game once all of it is in a commit.
    pub fn kept(mut self) -> Self {
        self.stored = self.table.head();
        self
    }

    /// Whether there are records that the store does not have yet.
    pub fn has_moved(&self) -> bool {
        self.table.head() > self.stored
    }

    /// The game's number.
    pub fn number(&self) -> u32 {
        self.table.founding().number
    }

    /// The seat and its member.
    pub fn seat(&self, seat: Seat) -> Option<&(Seated, Member)> {
        self.seats.get(seat.index())
    }

    /// What the store does not have yet.
    pub fn new_lines(&self) -> impl Iterator<Item = LogLine> + '_ {
        let line =
            |record: &Record| LogLine { game: self.number(), seq: record.seq, line: record.line() };
        self.table.records_since(self.stored).iter().map(move |record| line(record))
    }

    /// Notes that a seat has been told of everything so far, its news included, if its member can
    /// be told anything.
    pub fn told(&mut self, seat: Seat) {
        let head = self.table.head();
        if let Some((seated, member)) = self.seats.get_mut(seat.index())
            && member.undeliverable.is_none()
        {
            seated.told = head;
            seated.news.clear();
        }
    }

    /// Puts the seats that have changed into a batch.
    pub fn keep_seats(&mut self, batch: &mut Batch) {
        for (index, (seated, _)) in self.seats.iter().enumerate() {
            if self.stored_seats.get(index) != Some(seated) {
                batch.seats.push((self.number(), Seat::from_index(index), seated.clone()));
            }
        }
        self.keep_clock(batch);
        self.stored_seats = self.seats.iter().map(|(seated, _)| seated.clone()).collect();
    }
}

/// Accepted letters of one seat, to be answered with its turn letter.
#[derive(Clone, Debug, Default)]
pub struct Acknowledged {
    /// The Message-IDs of the letters, as far as they had some.
    pub answers: Vec<String>,
    /// The lines that were carried out.
    pub lines: Vec<OrderLine>,
    /// What their writer should know about how they were read.
    pub remarks: Vec<Message>,
    /// What their writer asked to see besides.
    pub asked: Vec<Command>,
    /// Whether an order was among the lines, and not only plans.
    pub carried_out: bool,
    /// By what the last of the letters is known again.
    pub digest: String,
    /// When the first of the letters that brought an order came; else the first letter.
    pub received: Option<DateTime<Utc>>,
}

/// What becomes of a letter's file once the commit is durable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It has been dealt with.
    Done,
    /// It goes to quarantine for this reason, which is the moderator's to read.
    Quarantined(String),
}

impl Fate {
    /// The fate as the store keeps it: a reason, or nothing.
    pub fn text(&self) -> &str {
        match self {
            Self::Done => "",
            Self::Quarantined(why) => why,
        }
    }

    /// The fate that the store kept.
    pub fn from_text(text: &str) -> Self {
        if text.is_empty() { Self::Done } else { Self::Quarantined(text.to_owned()) }
    }

    /// Where the file goes.
    pub const fn tray(&self) -> Tray {
        match self {
            Self::Done => Tray::Done,
            Self::Quarantined(_) => Tray::Quarantine,
        }
    }
}

/// What one letter led to.
pub struct Outcome {
    /// What becomes of its file.
    pub fate: Fate,
    /// By what it will be known again.
    pub remembered: Option<(Digest, SeenLetter)>,
    /// The game that it moved.
    pub moved: Option<Moved>,
    /// The answer to it.
    pub answer: Option<Answer>,
    /// Letters to others that it leads to.
    pub letters: Vec<Answer>,
    /// What else is limited and counted once more, as often as it stands here.
    pub counted: Vec<String>,
    /// What the moderator should know.
    pub report: Option<Message>,
    /// A member whom it changed.
    pub member: Option<Member>,
    /// A seat's notes that it changed: game, seat, the notes afterwards.
    pub notes: Option<(u32, Seat, Notes)>,
    /// The report that it is, if it is one that is believed: address, kind and status.
    pub bounced: Option<String>,
}

/// A game that a letter moved.
pub struct Moved {
    /// Whose letter.
    pub seat: Seat,
    /// The game afterwards.
    pub table: Table,
    /// What the mover has planned afterwards.
    pub standing: StandingOrders,
    /// What the mover is told.
    pub acknowledged: Acknowledged,
    /// What he says to other players.
    pub said: Vec<Minute>,
    /// What he has voted.
    pub ballot: Option<VoteLine>,
}

/// A letter that one leads to, if only as its answer.
pub struct Answer {
    /// The letter.
    pub letter: Outgoing,
    /// What it is charged to.
    pub account: Account,
    /// The game and seat that has been told of everything by it.
    pub told: Option<(u32, Seat)>,
}

impl Outcome {
    /// A letter that leads to nothing but its file's fate.
    pub const fn of(fate: Fate) -> Self {
        Self {
            fate,
            remembered: None,
            moved: None,
            answer: None,
            letters: Vec::new(),
            counted: Vec::new(),
            report: None,
            member: None,
            notes: None,
            bounced: None,
        }
    }
}

/// The movers of one game on one desk.
#[derive(Default)]
pub struct Movers {
    /// What each is told.
    pub acknowledged: BTreeMap<Seat, Acknowledged>,
    /// Which of the desk's files moved the game.
    pub files: Vec<usize>,
    /// What each seat should know of its plans.
    pub words: Vec<(Seat, Message)>,
    /// What each seat is told of what was done to the game from outside of its rules.
    pub notes: Vec<(Seat, Message)>,
    /// What each seat reads of what was said.
    pub talk: Vec<(Seat, Minute)>,
    /// Which seats are asked at once for their answer to a vote.
    pub asked: BTreeSet<Seat>,
}

/// One commit in the making.
#[derive(Default)]
pub struct Desk {
    /// What will be written.
    pub batch: Batch,
    /// What becomes of the files that were read.
    pub fates: Vec<(Waiting, Fate)>,
    /// Files whose letters an earlier commit dealt with: they are moved, and nothing else.
    pub late: Vec<(Waiting, Fate)>,
    /// Games that were opened, as they stand on this desk.
    pub games: BTreeMap<u32, Playing>,
    /// Games that moved.
    pub moved: BTreeMap<u32, Movers>,
    /// What the moderator should know.
    pub reports: Vec<Message>,
    /// When the letter came that is being read.
    pub(super) received: Option<DateTime<Utc>>,
    /// Who is around games, as it stands on this desk.
    pub(super) gatherings: BTreeMap<u32, Gathering>,
    /// Members who were changed.
    pub(super) changed: Changed,
    seen: HashMap<Digest, SeenLetter>,
    answered: HashMap<String, Vec<i64>>,
}

impl Desk {
    /// When this letter was dealt with before, here or in an earlier pass.
    pub fn seen(
        &self,
        office: &Office,
        digest: &Digest,
    ) -> Result<Option<SeenLetter>, OfficeError> {
        match self.seen.get(digest) {
            Some(seen) => Ok(Some(seen.clone())),
            None => Ok(office.store.seen_letter(digest.bytes())?),
        }
    }

    /// The game with this number, opened once.
    pub fn playing(&mut self, office: &Office, game: u32) -> Result<&Playing, OfficeError> {
        use std::collections::btree_map::Entry;
        Ok(match self.games.entry(game) {
            Entry::Occupied(open) => open.into_mut(),
            Entry::Vacant(shut) => {
                let mut playing = office.open_game(game)?;
                self.changed.correct(&mut playing);
                shut.insert(playing)
            }
        })
    }

    /// How often this was counted since `since`, in earlier passes and on this desk.
    pub fn answers_since(
        &self,
        office: &Office,
        what: &str,
        since: i64,
    ) -> Result<usize, OfficeError> {
        // What was counted while the machine's clock was ahead limits nobody.
        let mut earlier = office.store.answers_since(what, since)?;
        earlier.retain(|at| *at <= office.now.timestamp());
        let earlier = earlier.len();
        Ok(earlier + self.answered.get(what).map_or(0, Vec::len))
    }

    /// Notes that a letter, or what is used once, has been dealt with.
    pub(super) fn remember(&mut self, digest: Digest, seen: SeenLetter) {
        self.batch.seen_letters.push((*digest.bytes(), seen.clone()));
        self.seen.insert(digest, seen);
    }

    /// Takes in what a letter led to.
    pub fn take(&mut self, file: Waiting, outcome: Outcome, now: i64) {
        self.batch.seen_files.push((file.name.clone(), outcome.fate.text().to_owned()));
        let index = self.fates.len();
        let received = file.received;
        self.fates.push((file, outcome.fate));
        self.reports.extend(outcome.report);
        if let Some(member) = outcome.member {
            self.change(member);
        }
        if let Some((game, seat, notes)) = outcome.notes {
            self.keep_notes(game, seat, notes);
        }
        if let Some((digest, seen)) = outcome.remembered {
            self.remember(digest, seen);
        }
        if let Some(mut moved) = outcome.moved {
            moved.acknowledged.received = received;
            self.take_move(index, moved, now);
        }
        outcome.counted.into_iter().for_each(|what| self.count(what, now));
        for answer in outcome.answer.into_iter().chain(outcome.letters) {
            self.post(answer.letter, &answer.account, now);
            if let Some((game, seat)) = answer.told
                && let Some(playing) = self.games.get_mut(&game)
            {
                playing.told(seat);
                playing.keep_seats(&mut self.batch);
                // What it is asked stood in that letter.
                if let Some(movers) = self.moved.get_mut(&game) {
                    movers.asked.remove(&seat);
                }
            }
        }
    }

    /// Takes a letter that goes out, and charges it.
    pub(super) fn post(&mut self, mut letter: Outgoing, account: &Account, now: i64) {
        if let Some(label) = &mut letter.label {
            label.class = account.class();
        }
        self.batch.outgoing.push(letter);
        self.count(account.key(), now);
    }

    /// Counts something that is limited by how often it was done.
    pub(super) fn count(&mut self, counted: String, now: i64) {
        self.answered.entry(counted.clone()).or_default().push(now);
        self.batch.answers.push((counted, now));
    }

    fn take_move(&mut self, file: usize, moved: Moved, now: i64) {
        let game = moved.table.founding().number;
        let movers = self.moved.entry(game).or_default();
        movers.files.push(file);
        let told = movers.acknowledged.entry(moved.seat).or_default();
        if told.received.is_none() || moved.acknowledged.carried_out && !told.carried_out {
            told.received = moved.acknowledged.received;
        }
        told.answers.extend(moved.acknowledged.answers);
        told.lines.extend(moved.acknowledged.lines);
        told.remarks.extend(moved.acknowledged.remarks);
        told.asked.extend(moved.acknowledged.asked);
        told.asked.sort_unstable();
        told.asked.dedup();
        told.carried_out |= moved.acknowledged.carried_out;
        told.digest = moved.acknowledged.digest;
        if let Some(playing) = self.games.get_mut(&game) {
            playing.table = moved.table;
            if let Some((seated, _)) = playing.seats.get_mut(moved.seat.index()) {
                seated.standing = moved.standing;
            }
        }
        self.take_talk(game, moved.seat, moved.said, now);
    }

    /// Whether this desk writes to a seat of a game that was moved, or around which something was
    /// said or done. What is said to others in private does not count.
    pub(super) fn writes_to(&self, game: u32, seat: Seat) -> bool {
        let has_moved = self.games.get(&game).is_some_and(Playing::has_moved);
        self.moved.get(&game).is_some_and(|movers| has_moved || movers.writes_to(seat))
    }

    /// A desk on which something can be tried as on this one, to be thrown away; its batch is
    /// empty.
    pub(super) fn trial(&self) -> Self {
        Self {
            fates: self.fates.clone(),
            received: self.received,
            games: self.games.clone(),
            gatherings: self.gatherings.clone(),
            changed: self.changed.clone(),
            seen: self.seen.clone(),
            answered: self.answered.clone(),
            ..Self::default()
        }
    }

    /// Takes a game off the desk at which something failed: what moved it goes to quarantine.
    pub fn fence_off(&mut self, game: u32, why: &str) {
        for index in self.moved.remove(&game).map(|movers| movers.files).unwrap_or_default() {
            if let Some((file, fate)) = self.fates.get_mut(index) {
                *fate = Fate::Quarantined(why.to_owned());
                let name = file.name.clone();
                self.batch.seen_files.retain(|(other, _)| *other != name);
                self.batch.seen_files.push((name, why.to_owned()));
            }
        }
        self.games.remove(&game);
        self.gatherings.remove(&game);
        self.batch.minutes.retain(|(other, _)| *other != game);
        self.batch.seats.retain(|(other, ..)| *other != game);
        self.batch.seen_letters.retain(|(_, seen)| seen.game != Some(game));
        self.broken(game, why);
    }

    /// Tells the moderator of a game that cannot be played on.
    pub fn broken(&mut self, game: u32, why: &str) {
        self.reports.push(broken_game(game, why));
    }
}

/// What the moderator is told of a game that cannot be played on.
pub(super) fn broken_game(game: u32, why: &str) -> Message {
    Message::new("report-broken-game").with("number", game).with("why", why)
}

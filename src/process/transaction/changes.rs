//! What a transaction has decided so far, and how the effect of a letter is taken in.

use super::Transaction;
use crate::club::{ActivityEntry, GameRoom, Happening, Member, News, NewsWish, Notes, Seated};
use crate::mail::{LetterHash, Waiting};
use crate::process::isolate::{Barred, broken_game};
use crate::process::transaction::account::Account;
use crate::process::transaction::effect::{Acknowledged, Disposition, Fate, LetterEffect, Moved};
use crate::process::transaction::game_session::GameSession;
use crate::rules::{Message, Seat, Turn};
use crate::store::{Batch, Outgoing, Reader, Repository, SeenLetter, StoreError};
use chrono::{DateTime, Utc};
use std::collections::{BTreeMap, BTreeSet};

/// What differs from the store, or from the transaction below a savepoint.
#[derive(Default)]
pub(crate) struct Changes {
    /// What the commit writes besides the rest.
    pub(crate) batch: Batch,
    /// The fates of the files that were read.
    pub(crate) fates: Vec<(Waiting, Disposition)>,
    /// Files whose letters an earlier commit dealt with.
    pub late: Vec<(Waiting, Fate)>,
    /// The games that were opened, as they stand now.
    pub games: BTreeMap<u32, GameSession>,
    /// The games whose players are told something.
    pub(crate) moved: BTreeMap<u32, Movers>,
    /// What the moderator should know.
    pub(crate) reports: Vec<Message>,
    pub rooms: BTreeMap<u32, GameRoom>,
    /// The members that were changed.
    pub members: BTreeMap<u32, Member>,
    /// The members who can be reached again.
    pub(crate) back: BTreeMap<u32, Back>,
    /// New entries of activity logs.
    pub minutes: BTreeMap<u32, Vec<ActivityEntry>>,
    /// The letters that were dealt with, by their digests.
    pub(crate) seen: BTreeMap<[u8; 16], SeenLetter>,
    /// What was counted, and when, in Unix seconds.
    pub answered: BTreeMap<String, Vec<i64>>,
}

impl Changes {
    /// Whether there is anything to commit.
    pub(crate) fn are_some(&self) -> bool {
        !self.batch.is_empty()
            || !self.fates.is_empty()
            || !self.moved.is_empty()
            || !self.reports.is_empty()
            || !self.rooms.is_empty()
            || !self.members.is_empty()
            || !self.minutes.is_empty()
            || !self.seen.is_empty()
            || !self.answered.is_empty()
    }

    /// Takes over what a savepoint upon this has decided.
    pub(crate) fn absorb(&mut self, upper: Self) {
        self.batch.extend(upper.batch);
        self.fates.extend(upper.fates);
        self.late.extend(upper.late);
        self.games.extend(upper.games);
        self.moved.extend(upper.moved);
        self.reports.extend(upper.reports);
        self.rooms.extend(upper.rooms);
        self.members.extend(upper.members);
        self.back.extend(upper.back);
        self.minutes.extend(upper.minutes);
        self.seen.extend(upper.seen);
        for (what, times) in upper.answered {
            self.answered.entry(what).or_default().extend(times);
        }
    }

    /// Puts all that has changed into the batch.
    pub(crate) fn settle(&mut self, store: &dyn Repository) -> Result<(), StoreError> {
        let batch = &mut self.batch;
        for session in self.games.values() {
            session.keep(batch);
        }
        for (game, around) in std::mem::take(&mut self.rooms) {
            if store.room(game)? != around {
                batch.rooms.push((game, around));
            }
        }
        batch.members.extend(std::mem::take(&mut self.members).into_values());
        for (game, minutes) in std::mem::take(&mut self.minutes) {
            batch.minutes.extend(minutes.into_iter().map(|minute| (game, minute)));
        }
        batch.seen_letters.extend(std::mem::take(&mut self.seen));
        for (what, times) in std::mem::take(&mut self.answered) {
            batch.answers.extend(times.into_iter().map(|at| (what.clone(), at)));
        }
        for (file, disposition) in &self.fates {
            batch.seen_files.push((file.name.clone(), Fate::of(file, disposition).text()));
        }
        Ok(())
    }
}

/// A member who can be reached again.
#[derive(Clone)]
pub(crate) struct Back {
    /// What distinguishes the letters that the member gets.
    pub digest: String,
    /// Since when letters to them came back.
    pub since: Option<DateTime<Utc>>,
    /// The last record that each of their seats was told of.
    pub told: Vec<(u32, Seat, u32)>,
}

/// What the players of a game are told of what happened in one transaction.
#[derive(Clone, Default)]
pub(crate) struct Movers {
    /// What the letters of each seat led to.
    pub(crate) acknowledged: BTreeMap<Seat, Acknowledged>,
    /// The names of the files of the letters that moved the game.
    pub(crate) files: Vec<String>,
    /// What each seat is told of what was done to the game from outside of its rules.
    pub notes: Vec<(Seat, Message)>,
    /// What each seat reads of what was said.
    pub talk: Vec<(Seat, ActivityEntry)>,
    /// The seats that are asked at once to vote.
    pub asked: BTreeSet<Seat>,
    /// The seats that are told something that cannot wait, whatever letters their players want.
    pub(crate) urgent: BTreeSet<Seat>,
}

/// What one seat's letter is to say.
pub(crate) struct ToMover<'a> {
    /// What its own letters led to.
    pub(crate) own: Option<&'a Acknowledged>,
    /// What it is told of what was done to the game, or asked for it.
    pub notes: Vec<Message>,
    /// What it reads of what was said.
    pub talk: Vec<ActivityEntry>,
}

impl ToMover<'_> {
    /// Returns what distinguishes this letter from others that answer none. It is made only from
    /// what the reader sees, so it does not betray who spoke anonymously.
    pub(crate) fn digest(&self, now: DateTime<Utc>, news: &[News]) -> LetterHash {
        let text = |minute: &ActivityEntry| match &minute.what {
            Happening::Said { text, .. } => text.clone(),
            _ => String::new(),
        };
        let said: Vec<String> = self.talk.iter().map(text).collect();
        let news = if news.is_empty() { String::new() } else { format!(" {news:?}") };
        LetterHash::of(format!("{now} {:?} {said:?}{news}", self.notes).as_bytes())
    }
}

impl Movers {
    /// Whether a seat is written to even if the game has not moved.
    pub(crate) fn writes_to(&self, seat: Seat) -> bool {
        self.acknowledged.contains_key(&seat)
            || self.notes.iter().any(|(to, _)| *to == seat)
            || self.talk.iter().any(|(to, _)| *to == seat)
            || self.asked.contains(&seat)
    }

    /// Whether a seat gets a letter now. A player who wants letters only for their turns gets one
    /// when the game waits for them, when it has ended, and for what is asked of them or told to
    /// them alone.
    pub(crate) fn lead_to_letter(&self, session: &GameSession, seat: Seat) -> bool {
        if session.has_news_for(seat) || !self.writes_to(seat) {
            return session.has_news_for(seat);
        }
        let turn = session.table.turn();
        !session.wants_turns(seat)
            || turn == Turn::Over
            || turn.awaits(seat)
            || self.acknowledged.contains_key(&seat)
            || self.asked.contains(&seat)
            || self.urgent.contains(&seat) && self.notes.iter().any(|(to, _)| *to == seat)
            || self.talk.iter().any(|(to, minute)| *to == seat && minute.is_private())
    }

    pub(crate) fn to(&self, seat: Seat) -> ToMover<'_> {
        let own = self.acknowledged.get(&seat);
        let mut notes = of(&self.notes, seat);
        notes.dedup();
        // A letter that has no orders or plans has no other place for remarks.
        if let Some(own) = own
            && !own.carried_out
            && own.lines.is_empty()
        {
            notes.extend(own.remarks.iter().cloned());
        }
        ToMover { own, notes, talk: of(&self.talk, seat) }
    }
}

/// Returns what of a list is for this seat.
fn of<T: Clone>(list: &[(Seat, T)], seat: Seat) -> Vec<T> {
    list.iter().filter(|(to, _)| *to == seat).map(|(_, what)| what.clone()).collect()
}

impl Moved {
    /// Whether there were orders or plans in the letter.
    pub(crate) const fn has_orders(&self) -> bool {
        !self.acknowledged.lines.is_empty()
    }
}

impl Transaction<'_> {
    /// Takes in the effect of a letter.
    pub(crate) fn take(&mut self, file: Waiting, effect: LetterEffect) {
        let (name, received) = (file.name.clone(), file.received);
        self.own.fates.push((file, effect.disposition));
        self.own.reports.extend(effect.report);
        self.take_settings(effect.member, effect.notes, effect.wish);
        if let Some((digest, seen)) = effect.remembered {
            self.remember(digest, seen);
        }
        if let Some(mut moved) = effect.moved {
            moved.acknowledged.received = received;
            self.take_move(name, moved);
        }
        effect.counted.into_iter().for_each(|what| self.count(what));
        for answer in effect.answer.into_iter().chain(effect.letters) {
            self.post(answer.letter, &answer.account);
            if let Some((game, seat)) = answer.told
                && let Some(session) = self.game_mut(game)
            {
                session.told(seat);
                // That letter has asked it to vote.
                if let Some(movers) = self.movers_known(game) {
                    movers.asked.remove(&seat);
                }
            }
        }
    }

    /// Takes in what a letter changes of its writer: the member, the seat's notes, and the news of
    /// a game that the seat wants letters for.
    pub(crate) fn take_settings(
        &mut self,
        member: Option<Member>,
        notes: Option<(u32, Seat, Notes)>,
        wish: Option<(u32, Seat, Option<NewsWish>)>,
    ) {
        if let Some(member) = member {
            self.change(member);
        }
        if let Some((game, seat, notes)) = notes
            && let Some(session) = self.game_mut(game)
        {
            session.set_notes(seat, notes);
        }
        if let Some((game, seat, wish)) = wish
            && let Some(session) = self.game_mut(game)
        {
            session.set_wish(seat, wish);
        }
    }

    /// Notes that an earlier commit dealt with this file's letter, so that the file is only moved.
    pub(crate) fn take_late(&mut self, file: Waiting, fate: Fate) {
        self.own.late.push((file, fate));
    }

    /// Returns the fates of the files that were read in here.
    pub(crate) fn fates(&self) -> impl Iterator<Item = &(Waiting, Disposition)> {
        self.layers().flat_map(|layer| &layer.fates)
    }

    /// Queues a letter, and charges it to an account.
    pub(crate) fn post(&mut self, mut letter: Outgoing, account: &Account) {
        if let Some(label) = &mut letter.label {
            label.class = account.class();
        }
        self.own.batch.outgoing.push(letter);
        self.count(account.key());
    }

    fn take_move(&mut self, file: String, moved: Moved) {
        let game = moved.table.founding().number;
        let movers = self.movers_mut(game);
        movers.files.push(file);
        movers.acknowledged.entry(moved.seat).or_default().join(moved.acknowledged);
        let mut finished = None;
        if let Some(session) = self.game_mut(game) {
            let has_moved = session.table.head() < moved.table.head();
            session.table = moved.table;
            let is_done = has_moved && !session.table.turn().awaits(moved.seat);
            if let Some((seated, member)) = session.seats.get_mut(moved.seat.index()) {
                seated.standing = moved.standing;
                finished = Some(member.clone()).filter(|_| is_done);
            }
        }
        // A newcomer who has played a turn is more than an address.
        if let Some(member) = finished.filter(|member| member.invitations_left.is_some()) {
            self.change(Member { invitations_left: None, ..member });
        }
        self.take_talk(game, moved.seat, moved.said);
    }

    /// Forgets what the player of a seat kept private, and makes the seat's tokens void.
    pub(crate) fn forget_player(&mut self, game: u32, seat: Seat) {
        let session = self.game_mut(game);
        let place = session.and_then(|session| session.seats.get_mut(seat.index()));
        if let Some((seated, _)) = place {
            seated.forget_private();
            seated.generation = seated.generation.saturating_add(1);
        }
    }

    /// Whether this transaction leads to a letter about this game to this seat. What is said to
    /// others in private does not count.
    pub(crate) fn writes_to(&self, game: u32, seat: Seat) -> bool {
        let place = self.game(game).zip(self.movers(game));
        place.is_some_and(|(session, movers)| movers.lead_to_letter(session, seat))
    }

    /// Returns the seats of a member, without those that they have left.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(crate) fn seats_held(&self, member: u32) -> Result<Vec<(u32, Seat)>, StoreError> {
        let mut held = Vec::new();
        for (game, seat) in self.seats_of(member)? {
            let sits = |seated: &Seated| seated.member == member && !seated.left;
            if self.seats(game)?.get(seat.index()).is_some_and(sits) {
                held.push((game, seat));
            }
        }
        Ok(held)
    }

    /// Readdresses letters to members who leave the club in here to the address that they had,
    /// because the member is unknown when the letters leave.
    pub(crate) fn write_to_leavers(&mut self) {
        let left = self.changed_members().into_iter().filter(Member::has_left);
        let left: Vec<u32> = left.map(|member| member.id).collect();
        let labels = self.own.batch.outgoing.iter_mut().filter_map(|letter| letter.label.as_mut());
        for label in labels {
            if matches!(&label.reader, Reader::Member(id) if left.contains(id)) {
                label.reader = Reader::Address;
            }
        }
    }

    /// Takes out a game that failed. The letters that moved it go to quarantine; returns their
    /// files.
    pub(crate) fn isolate_game(&mut self, game: u32, why: &Message) -> Barred {
        let files = self.own.moved.remove(&game).map(|Movers { files, .. }| files);
        let files = files.unwrap_or_default();
        for (file, disposition) in &mut self.own.fates {
            if files.contains(&file.name) {
                *disposition = Disposition::Quarantined(why.clone());
            }
        }
        self.own.games.remove(&game);
        self.own.rooms.remove(&game);
        self.own.minutes.remove(&game);
        self.own.seen.retain(|_, seen| seen.game != Some(game));
        self.broken(game, why);
        files.into_iter().map(|file| (file, (game, why.clone()))).collect()
    }

    /// Tells the moderator that a game cannot go on.
    pub(crate) fn broken(&mut self, game: u32, why: &Message) {
        self.tell_moderator(broken_game(game, why.clone()));
    }
}

impl Transaction<'_> {
    /// Takes in what a letter of this seat says. It goes to all who may read it, the writer
    /// included, and counts as one letter.
    pub(crate) fn take_talk(&mut self, game: u32, from: Seat, said: Vec<ActivityEntry>) {
        if said.is_empty() {
            return;
        }
        let seats = self.game(game).map_or(0, |session| session.table.founding().seats);
        let movers = self.movers_mut(game);
        for minute in &said {
            let readers = Seat::all(seats).filter(|seat| minute.is_for(*seat));
            movers.talk.extend(readers.map(|seat| (seat, minute.clone())));
        }
        movers.notes.push((from, Message::new("talk-said")));
        self.minutes_mut(game).extend(said);
        self.count(talk_counter(game, from));
    }

    /// Takes back what was told in here to the previous player of a seat alone, because it is not
    /// for the successor. Its writers are told so.
    pub(crate) fn untell(&mut self, game: u32, seat: Seat, name: &str) {
        if let Some(movers) = self.movers_known(game) {
            movers.untell(seat, name);
            let minutes = self.minutes_mut(game);
            let said = std::mem::take(minutes).into_iter();
            *minutes = said.filter_map(|minute| minute.untold_to(seat)).collect();
        }
    }
}

impl Movers {
    fn untell(&mut self, seat: Seat, name: &str) {
        let writes = |reader: Seat, minute: &ActivityEntry| {
            matches!(&minute.what, Happening::Said { from, to, .. }
                if *from == reader && reader != seat && to.contains(&seat))
        };
        let own = self.talk.iter().filter(|(reader, minute)| writes(*reader, minute));
        let writers: BTreeSet<Seat> = own.map(|(reader, _)| *reader).collect();
        let talk = std::mem::take(&mut self.talk).into_iter();
        let talk = talk.filter(|(reader, minute)| *reader != seat || !minute.is_private());
        let left =
            |(reader, minute): (Seat, ActivityEntry)| Some((reader, minute.untold_to(seat)?));
        self.talk = talk.filter_map(left).collect();
        // Else the successor learns that the player spoke anonymously.
        self.notes.retain(|(to, note)| *to != seat || !note.key.starts_with("talk-"));
        for writer in writers {
            let says = |(_, minute): &(Seat, ActivityEntry)| minute.is_from(writer);
            if !self.talk.iter().any(says) {
                self.notes.retain(|(to, note)| *to != writer || note.key != "talk-said");
            }
            self.notes.push((writer, Message::new("talk-lost").with("name", name)));
        }
    }
}

/// The key under which the store counts the letters of a seat that say something. No address is
/// without an @.
pub(crate) fn talk_counter(game: u32, seat: Seat) -> String {
    format!("press {game}.{seat}")
}

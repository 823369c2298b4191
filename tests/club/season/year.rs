//! The season as it goes: passes every four hours, members who write, a moderator who begins the
//! rounds, and the days on which something breaks.

use super::calendar::utc;
use super::ledger::{self, Ask, Closed, Known, Noted};
use super::robots::{BOUNCES, FULL, GONE, LATE, ON_VACATION, RETURNS, Robot, Written};
use crate::common::sample_or_all;
use crate::rig::{Club, Posted, outlines_hold, report, without_outline};
use chrono::{DateTime, TimeDelta, Utc};
use postrider::club::Intervention;
use postrider::club::campaign::Campaign;
use postrider::mail::transport::{OutgoingMessage, PostError, Transport};
use postrider::process::{self, Context, MemberChange, NotStarted, PassReport};
use postrider::rules::{Seed, Turn};
use postrider::table::Cause;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

const STEP: TimeDelta = TimeDelta::hours(4);
const CLOCK: &str = "clock:\n  deadline: Mon,Tue,Wed,Thu,Fri,Sat,Sun 20:00 Europe/Madrid\n  \
                     nmr: forfeit\n  grace: 2 hours\n  bank: 1 day\n";
/// The outage begins after the first pass from then on that leaves the absent member on turn.
const OUTAGE_FROM: &str = "2026-11-17 00:00";
const OUTAGE: TimeDelta = TimeDelta::hours(72);
/// From the first pass that could post nothing to the first one that could.
const CLOSED: (&str, &str) = ("2026-12-01 19:00", "2026-12-03 15:00");
const FULL_BOX: (&str, &str) = ("2026-11-13 00:00", "2026-11-14 12:00");
/// Outlines are compared after one in this number of plain passes.
const OUTLINES_EACH: usize = 7;
const LOST: &str = "2026-09-30 00:00";
const MENDED: &str = "2026-10-14 10:00";

/// What the season came to.
#[derive(Debug, Default)]
pub struct Figures {
    pub games: usize,
    pub passes: usize,
    pub letters_in: usize,
    pub letters_out: usize,
    pub reminders: usize,
    pub forfeits: usize,
    pub bounces: usize,
    pub troubles: usize,
    /// Letters that were posted again after a pass was killed in the middle.
    pub twice_posted: usize,
    pub kills: usize,
    /// Letters to an address from which they come back.
    pub lost: usize,
    pub began: DateTime<Utc>,
    pub ended: DateTime<Utc>,
    pub rounds: Vec<DateTime<Utc>>,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, passes, letters_in, letters_out, reminders, forfeits, .. } = self;
        let Self { bounces, troubles, twice_posted, kills, began, ended, rounds, .. } = self;
        let day = |at: &DateTime<Utc>| at.format("%Y-%m-%d").to_string();
        let rounds: Vec<String> = rounds.iter().map(day).collect();
        write!(
            f,
            "{games} games from {} to {}, rounds begun {rounds:?}; {passes} passes, {kills} of \
             them killed\n\
             letters: {letters_in} in, {letters_out} out, {twice_posted} of them twice; \
             {reminders} reminders, {forfeits} turns without the player, {bounces} bounces, \
             {troubles} troubles of the post",
            day(began),
            day(ended)
        )
    }
}

/// How a pass fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Day {
    Plain,
    /// The way out is closed.
    Down,
    /// It closes after some letters.
    Breaks,
    /// The pass is killed after some letters.
    Killed,
    /// It runs again in the same minute.
    Twice,
}

/// The way out on such a day.
struct Post<'a> {
    to: &'a mut Vec<Posted>,
    day: Day,
    left: usize,
    full: Option<String>,
    /// Whether it was closed to a letter.
    closed: bool,
}

impl Transport for Post<'_> {
    fn post(&mut self, outgoing: &OutgoingMessage<'_>) -> Result<(), PostError> {
        if self.day == Day::Down || (self.day == Day::Breaks && self.left == 0) {
            self.closed = true;
            return Err(PostError::Down("no route to host".to_owned()));
        }
        if self.full.as_deref() == Some(outgoing.recipient) {
            return Err(PostError::Later("452 4.2.2 mailbox full".to_owned()));
        }
        self.to.push(Posted {
            to: outgoing.recipient.to_owned(),
            message_id: outgoing.message_id.to_owned(),
            bytes: outgoing.bytes.to_vec(),
        });
        assert!(self.day != Day::Killed || self.left > 0, "killed");
        self.left = self.left.saturating_sub(1);
        Ok(())
    }

    fn batch_size(&self) -> usize {
        if self.day == Day::Killed { 1 } else { 100 }
    }
}

/// The season.
pub struct Year {
    club: Club,
    /// The open club. It is kept from one pass to the next, as opening it takes as long as a short
    /// pass. A killed pass and an outage close it.
    open: Option<Context>,
    campaign: Campaign,
    robots: Vec<Robot>,
    noted: Vec<Noted>,
    written: Vec<Written>,
    passes: Vec<DateTime<Utc>>,
    posted: Vec<DateTime<Utc>>,
    known_ids: BTreeSet<String>,
    round: u32,
    unfinished: usize,
    outage: Option<DateTime<Utc>>,
    /// Whether the last pass could not post what it wanted.
    closed: bool,
    notes_to_moderator: Vec<String>,
    pub figures: Figures,
}

/// The number of members at the beginning. One more comes with the third round.
fn members() -> u32 {
    sample_or_all(12, 24)
}

/// The number of rounds that are played, of three.
fn rounds() -> u32 {
    sample_or_all(2, 3)
}

fn campaign() -> Campaign {
    let entrants: Vec<String> =
        (1..=members()).map(|n| format!("  - P{n} <p{n}@example.org>\n")).collect();
    let round = "  - {kind: trick-of-the-rails, tables: [4]}\n".repeat(3);
    let new = members() + 1;
    let text = format!(
        "name: Autumn\nseed: 5\npoints: [6, 3, 1, 0]\nentrants:\n{}rounds:\n{round}\
         replace: [{{from_round: 3, out: p{GONE}@example.org, in: P{new} <p{new}@example.org>}}]\n",
        entrants.concat()
    );
    Campaign::read(&text).unwrap_or_else(|error| panic!("{error}"))
}

impl Year {
    /// A club on the evening before the season.
    pub fn begin() -> Self {
        let mut club = Club::with(CLOCK);
        club.now = utc("2026-09-28 07:00");
        let figures = Figures { began: club.now, ..Figures::default() };
        Self {
            club,
            open: None,
            campaign: campaign(),
            robots: (1..=members() + 1).map(Robot::new).collect(),
            noted: Vec::new(),
            written: Vec::new(),
            passes: Vec::new(),
            posted: Vec::new(),
            known_ids: BTreeSet::new(),
            round: 0,
            unfinished: 0,
            outage: None,
            closed: false,
            notes_to_moderator: Vec::new(),
            figures,
        }
    }

    /// Whether all rounds are played.
    pub fn is_over(&self) -> bool {
        assert!(self.club.now < utc("2027-03-20 00:00"), "it does not end");
        self.round == rounds() && self.unfinished == 0
    }

    /// Takes the open club, or opens it.
    fn opened(&mut self) -> Context {
        let mut context = self.open.take().unwrap_or_else(|| self.club.context());
        context.now = self.club.now;
        context
    }

    /// Four hours of the season.
    pub fn step(&mut self) {
        let now = self.club.now;
        let closed = self.outage.is_some_and(|from| from < now && now < from + OUTAGE);
        if self.robots.iter().any(|robot| robot.has_to_write(now)) {
            let context = self.opened();
            for robot in &mut self.robots {
                self.written.extend(robot.writes(&mut self.club, &context));
            }
            self.open = Some(context);
        }
        if closed {
            self.open = None;
        } else {
            self.moderate();
            let day = self.day();
            self.pass(day);
            if now >= utc(OUTAGE_FROM) && self.robots[GONE as usize - 1].is_on_turn() {
                self.outage.get_or_insert(now);
            }
            if day == Day::Twice {
                let again = self.pass(Day::Plain);
                assert_eq!(again, PassReport::default(), "nothing is left to do");
            }
        }
        self.club.now += STEP;
    }

    fn day(&self) -> Day {
        match self.figures.rounds.as_slice() {
            [_, second] if *second == self.club.now => return Day::Killed,
            [_, _, third] if *third == self.club.now => return Day::Breaks,
            _ if self.outage.is_some_and(|from| from + OUTAGE == self.club.now) => {
                return Day::Twice;
            }
            _ => {}
        }
        if (utc(CLOSED.0)..utc(CLOSED.1)).contains(&self.club.now) {
            return Day::Down;
        }
        let text = self.club.now.format("%Y-%m-%d %H").to_string();
        match text.as_str() {
            "2026-09-30 11" | "2026-09-30 15" => Day::Down,
            "2026-10-04 19" | "2026-11-18 19" => Day::Breaks,
            "2026-10-06 19" | "2026-10-07 19" | "2026-11-19 19" => Day::Killed,
            "2026-10-13 19" | "2026-10-25 19" | "2026-12-02 19" => Day::Twice,
            _ => Day::Plain,
        }
    }

    /// What the moderator does before this pass.
    fn moderate(&mut self) {
        let now = self.club.now;
        if self.unfinished == 0 && self.round < rounds() {
            let context = self.opened();
            let seed = Seed::rehearsal(u64::from(self.round) + 1);
            match process::start_round(&context, &self.campaign, None, false, &seed) {
                Ok(started) => {
                    self.round = started.round;
                    self.unfinished = started.founded.len();
                    self.figures.games += started.founded.len();
                    self.figures.rounds.push(now);
                    // The books are kept of every turn.
                    for member in context.store.members().expect("members") {
                        process::set_member(&context, &member.id.to_string(), "letters all")
                            .expect("it can be");
                    }
                }
                Err(NotStarted::Unfinished { .. }) => {}
                Err(error) => panic!("{error}"),
            }
            self.open = Some(context);
        }
        if now == utc(MENDED) + TimeDelta::hours(1) {
            let address = format!("p{BOUNCES}@mended.example");
            let change = MemberChange::AddAddress { address, first: true };
            let member = format!("p{BOUNCES}@example.org");
            let context = self.opened();
            process::change_member(&context, &member, &change).expect("free");
            self.open = Some(context);
        }
        if now == utc("2026-10-01 11:00") {
            let context = self.opened();
            let game = members() / 6;
            let head = process::open_game(&context, game).expect("it opens").table.head();
            assert!(head > 4, "{head}");
            process::moderate(&context, game, &Intervention::Rewind(head - 3), "a slip of the pen")
                .expect("legal");
            self.open = Some(context);
        }
    }

    fn pass(&mut self, day: Day) -> PassReport {
        let now = self.club.now;
        let full = (utc(FULL_BOX.0)..utc(FULL_BOX.1)).contains(&now);
        let full = full.then(|| format!("p{FULL}@example.org"));
        let before = self.club.pigeon.posted.len();
        let context = self.opened();
        let mut post = Post { to: &mut self.club.pigeon.posted, day, left: 2, full, closed: false };
        let done = catch_unwind(AssertUnwindSafe(|| process::pass(&context, &mut post)));
        let closed = post.closed;
        // To open all games after each pass would take as long as the passes.
        if day != Day::Plain || self.figures.passes.is_multiple_of(OUTLINES_EACH) {
            outlines_hold(&context);
        }
        self.open = done.is_ok().then_some(context);
        self.figures.kills += usize::from(done.is_err());
        self.posted.extend((!closed && done.is_ok()).then_some(now));
        let report =
            done.map_or_else(|_| PassReport::default(), |done| done.expect("the pass works"));
        if !std::mem::replace(&mut self.closed, closed) {
            self.passes.push(now);
        }
        self.figures.passes += 1;
        self.figures.letters_in += report.read;
        self.figures.bounces += report.bounced.len();
        self.figures.troubles += report.troubles.len();
        assert!(report.quarantined == 0, "{report:?}");
        let posted = self.club.pigeon.posted[before..].to_vec();
        for letter in posted {
            self.delivered(&letter);
        }
        report
    }

    fn delivered(&mut self, letter: &Posted) {
        let now = self.club.now;
        if !self.known_ids.insert(letter.message_id.clone()) {
            self.figures.twice_posted += 1;
            return;
        }
        self.figures.letters_out += 1;
        if letter.to.starts_with("mod@") {
            self.notes_to_moderator.push(letter.text());
            return;
        }
        let bouncing = format!("p{BOUNCES}@example.org");
        if letter.to == bouncing && (utc(LOST)..utc(MENDED)).contains(&now) {
            self.figures.lost += 1;
            self.club.arrives(report(letter, &bouncing, "failed", "5.1.1"));
            return;
        }
        let Some(noted) = ledger::note(letter, now) else { return };
        let robot = &mut self.robots[noted.member as usize - 1];
        robot.reads(&noted, letter, now);
        self.figures.reminders += usize::from(noted.reminder);
        if !noted.result.is_empty() {
            let first = |other: &Noted| other.game == noted.game && !other.result.is_empty();
            self.unfinished -= usize::from(!self.noted.iter().any(first));
        }
        self.noted.push(noted);
    }

    /// Audits all turns of the season; all of them.
    pub fn audited(&mut self) -> Vec<Ask> {
        self.figures.ended = self.club.now;
        self.open = None;
        let vacation = ("2026-11-23".parse().expect("a day"), "2026-11-30".parse().expect("a day"));
        let outage = self.outage.expect("there was one");
        let known = Known {
            passes: self.passes.clone(),
            posted: self.posted.clone(),
            written: self.written.clone(),
            places: self.robots.iter().map(|robot| (robot.number, robot.place)).collect(),
            vacations: BTreeMap::from([(ON_VACATION, vacation)]),
            unreachable: (BOUNCES, utc(LOST), utc(MENDED) + STEP),
            outages: vec![(outage, outage + OUTAGE), (utc(CLOSED.0), utc(CLOSED.1))],
        };
        let mut told: BTreeMap<(u32, u32), Vec<&Noted>> = BTreeMap::new();
        for noted in &self.noted {
            told.entry((noted.game, noted.member)).or_default().push(noted);
        }
        let mut asks = Vec::new();
        for letters in told.values_mut() {
            letters.sort_by_key(|letter| letter.date);
            let own = ledger::follow(letters);
            ledger::audit(&own, &known);
            asks.extend(own);
        }
        self.agrees_with_the_logs(&asks);
        asks
    }

    /// Every turn that a log has for an absent player is one of the books.
    fn agrees_with_the_logs(&mut self, asks: &[Ask]) {
        let context = self.club.context();
        assert_eq!(without_outline(&context), vec![0; 0]);
        outlines_hold(&context);
        for game in context.store.games().expect("games") {
            let session = process::open_game(&context, game).expect("it opens");
            assert_eq!(session.table.turn(), Turn::Over, "game {game}");
            assert_eq!(session.table.verify().findings, vec![], "game {game}");
            for record in session.table.records() {
                let Cause::Absent { seat, .. } = record.cause else { continue };
                self.figures.forfeits += 1;
                let member = session.names[seat.index()][1..].parse().expect("a number");
                let closed = Some((record.at, Closed::Forfeited));
                let told =
                    |ask: &&Ask| (ask.game, ask.member, ask.closed) == (game, member, closed);
                assert!(asks.iter().find(told).is_some(), "{game} {record:?}");
                assert_ne!(member, BOUNCES, "no time ran while nothing reached him");
            }
        }
    }

    /// What the program counts is what the letters' results come to.
    pub fn standings_are_right(&self) {
        let mut results: BTreeMap<u32, &Vec<(u32, String, i64)>> = BTreeMap::new();
        for noted in self.noted.iter().filter(|noted| !noted.result.is_empty()) {
            let first = results.entry(noted.game).or_insert(&noted.result);
            let sorted = |result: &[(u32, String, i64)]| {
                let mut result = result.to_vec();
                result.sort();
                result
            };
            assert_eq!(sorted(first), sorted(&noted.result), "game {}", noted.game);
        }
        assert_eq!(results.len(), (members() / 4 * rounds()) as usize);
        let mut sixtieths: BTreeMap<String, i64> = BTreeMap::new();
        for result in results.values() {
            assert_eq!(result.len(), 4);
            for (rank, name, _) in *result {
                let equal = result.iter().filter(|other| other.0 == *rank).count();
                let first = *rank as usize - 1;
                let points: i64 = [6, 3, 1, 0][first..first + equal].iter().sum();
                let equal = i64::try_from(equal).expect("few");
                *sixtieths.entry(name.clone()).or_default() += 60 * points / equal;
            }
        }
        let context = self.club.context();
        let season = process::season(&context, &self.campaign).expect("it stands");
        assert_eq!(season.rows.len(), members() as usize + 1);
        for row in &season.rows {
            let own = sixtieths.get(&row.name).copied().unwrap_or(0);
            let points: f64 = row.points.to_string().parse().expect("a number");
            assert!((points - own as f64 / 60.0).abs() < 0.01, "{row:?} {own}");
        }
        assert!(season.rows.windows(2).all(|two| two[0].points >= two[1].points));
    }

    /// The season had in it what it was made for.
    pub fn everything_was_met(&self, asks: &[Ask]) {
        let words: BTreeSet<&str> = asks.iter().map(|ask| ask.due_words.as_str()).collect();
        let expected = ["20:00 CEST", "20:00 CET", "14:00 EDT", "15:00 EDT", "14:00 EST"];
        assert!(expected.iter().all(|one| words.contains(one)), "{words:?}");
        let Figures { bounces, kills, lost, twice_posted, .. } = self.figures;
        assert!(kills >= sample_or_all(2, 3) && twice_posted <= kills, "{:?}", self.figures);
        assert!(bounces == lost && (3..=8).contains(&lost), "only probes go there: {lost}");
        let late = self.noted.iter().filter(|noted| noted.posted > noted.date);
        let to: BTreeSet<u32> = late.map(|noted| noted.member).collect();
        assert!(to.contains(&FULL) && to.len() > 4, "the post never failed: {to:?}");
        let outages = self.notes_to_moderator.iter().filter(|note| note.contains("No pass ran"));
        assert_eq!(outages.count(), 1);
        let notes: BTreeSet<&String> = self.notes_to_moderator.iter().collect();
        assert_eq!(notes.len(), self.notes_to_moderator.len(), "the moderator is told once");
        self.absence_was_met(asks);
    }

    /// Only those who were absent were taken for absent.
    fn absence_was_met(&self, asks: &[Ask]) {
        let how = |ask: &Ask| ask.closed.map(|(_, how)| how);
        let forfeited = asks.iter().filter(|ask| how(ask) == Some(Closed::Forfeited));
        let absent: BTreeSet<u32> = forfeited.map(|ask| ask.member).collect();
        assert_eq!(absent, BTreeSet::from([LATE, GONE, RETURNS]));
        let played = |ask: &&Ask| ask.closed.is_some_and(|(at, _)| at > utc("2026-10-15 00:00"));
        assert!(asks.iter().filter(played).any(|ask| ask.member == RETURNS));
        let waited = |ask: &&Ask| ask.due - ask.asked > TimeDelta::days(4);
        assert!(asks.iter().filter(waited).any(|ask| ask.member == ON_VACATION));
        assert!(asks.iter().any(|ask| ask.changed && ask.member != ON_VACATION), "an outage");
        assert!(asks.iter().any(|ask| how(ask) == Some(Closed::TakenBack)));
    }
}

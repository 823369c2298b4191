//! The simulation of the season: a pass every four hours, robots as members, a moderator who starts
//! the rounds, and planned failures on fixed days.

use super::calendar::parse_utc;
use super::ledger::{self, LetterFacts, SeasonFacts, TurnEnd, TurnRequest};
use super::robots::{
    ABSENT_PLAYER, BOUNCING_PLAYER, FULL_MAILBOX_PLAYER, LATE_PLAYER, OrderLetter,
    RETURNING_PLAYER, Robot, VACATION_PLAYER,
};
use super::season_transport::{PassMode, SeasonTransport};
use crate::rig::{
    Club, PostedLetter, assert_outlines_match_logs, compose_bounce_report, games_without_outline,
};
use chrono::{DateTime, TimeDelta, Utc};
use postrider::club::Intervention;
use postrider::club::campaign::Campaign;
use postrider::games::SHIPPED;
use postrider::process::{self, Context, MemberChange, PassReport, RoundStartError};
use postrider::rules::{Seed, Turn};
use postrider::table::Cause;
use postrider::testing::sample_or_all;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

const STEP: TimeDelta = TimeDelta::hours(4);
const CLOCK: &str = "clock:\n  deadline: Mon,Tue,Wed,Thu,Fri,Sat,Sun 20:00 Europe/Madrid\n  \
                     nmr: forfeit\n  grace: 2 hours\n  bank: 1 day\n";
/// The outage starts after the first pass from this time on in which it is the absent member's
/// turn.
const OUTAGE_FROM: &str = "2026-11-17 00:00";
const OUTAGE: TimeDelta = TimeDelta::hours(72);
/// The time from the first pass that could post nothing to the first pass that could post again.
const DELIVERY_OUTAGE: (&str, &str) = ("2026-12-01 19:00", "2026-12-03 15:00");
const FULL_MAILBOX_PERIOD: (&str, &str) = ("2026-11-13 00:00", "2026-11-14 12:00");
/// Every seventh plain pass is followed by a comparison of all outlines with their logs.
const OUTLINE_CHECK_INTERVAL: usize = 7;
const BOUNCES_FROM: &str = "2026-09-30 00:00";
const BOUNCES_UNTIL: &str = "2026-10-14 10:00";

/// Totals of the season, which the test prints.
#[derive(Debug, Default)]
pub struct SeasonFigures {
    pub games: usize,
    pub passes: usize,
    pub letters_in: usize,
    pub letters_out: usize,
    pub reminders: usize,
    pub forfeits: usize,
    pub bounces: usize,
    pub troubles: usize,
    /// Letters that were posted again because a pass was killed while it posted.
    pub twice_posted: usize,
    pub kills: usize,
    /// Letters to an address that bounces.
    pub undelivered: usize,
    pub began: DateTime<Utc>,
    pub ended: DateTime<Utc>,
    pub rounds: Vec<DateTime<Utc>>,
}

impl fmt::Display for SeasonFigures {
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

/// A club and its robots, with all letters that they have sent so far.
pub struct SeasonRun {
    club: Club,
    /// The open club, which is kept from one pass to the next. Opening a club takes as long as a
    /// short pass. A killed pass and an outage close it.
    open_context: Option<Context>,
    campaign: Campaign,
    robots: Vec<Robot>,
    game_letters: Vec<LetterFacts>,
    order_letters: Vec<OrderLetter>,
    passes: Vec<DateTime<Utc>>,
    posted: Vec<DateTime<Utc>>,
    known_ids: BTreeSet<String>,
    round: u32,
    unfinished: usize,
    outage: Option<DateTime<Utc>>,
    /// Whether the outbound transport was closed in the last pass.
    is_delivery_closed: bool,
    notes_to_moderator: Vec<String>,
    pub figures: SeasonFigures,
}

/// Returns the number of members at the start. The third round adds one member.
fn member_count() -> u32 {
    sample_or_all(12, 24)
}

/// Returns the number of rounds to play: two in a sample, else three.
fn round_count() -> u32 {
    sample_or_all(2, 3)
}

fn season_campaign() -> Campaign {
    let entrants: Vec<String> =
        (1..=member_count()).map(|n| format!("  - P{n} <p{n}@example.org>\n")).collect();
    let round = "  - {kind: trick-of-the-rails, tables: [4]}\n".repeat(3);
    let new = member_count() + 1;
    let text = format!(
        "name: Autumn\nseed: 5\npoints: [6, 3, 1, 0]\nentrants:\n{}rounds:\n{round}\
         replace: [{{from_round: 3, out: p{ABSENT_PLAYER}@example.org, \
         in: P{new} <p{new}@example.org>}}]\n",
        entrants.concat()
    );
    Campaign::parse(&text, SHIPPED).unwrap_or_else(|error| panic!("{error}"))
}

impl SeasonRun {
    /// Creates the club on the day before the first round.
    pub fn new() -> Self {
        let mut club = Club::with_settings(CLOCK);
        club.now = parse_utc("2026-09-28 07:00");
        let figures = SeasonFigures { began: club.now, ..SeasonFigures::default() };
        Self {
            club,
            open_context: None,
            campaign: season_campaign(),
            robots: (1..=member_count() + 1).map(Robot::new).collect(),
            game_letters: Vec::new(),
            order_letters: Vec::new(),
            passes: Vec::new(),
            posted: Vec::new(),
            known_ids: BTreeSet::new(),
            round: 0,
            unfinished: 0,
            outage: None,
            is_delivery_closed: false,
            notes_to_moderator: Vec::new(),
            figures,
        }
    }

    pub fn is_over(&self) -> bool {
        assert!(self.club.now < parse_utc("2027-03-20 00:00"), "it does not end");
        self.round == round_count() && self.unfinished == 0
    }

    /// Returns the open club, and opens it first if necessary.
    fn take_open_context(&mut self) -> Context {
        let mut context = self.open_context.take().unwrap_or_else(|| self.club.open_context());
        context.now = self.club.now;
        context
    }

    /// Simulates four hours: the robots write, the moderator acts, and a pass runs.
    pub fn step(&mut self) {
        let now = self.club.now;
        let closed = self.outage.is_some_and(|from| from < now && now < from + OUTAGE);
        if self.robots.iter().any(|robot| robot.has_letters_due(now)) {
            let context = self.take_open_context();
            for robot in &mut self.robots {
                self.order_letters.extend(robot.write_due_letters(&mut self.club, &context));
            }
            self.open_context = Some(context);
        }
        if closed {
            self.open_context = None;
        } else {
            self.moderate();
            let mode = self.pass_mode();
            self.run_pass(mode);
            if now >= parse_utc(OUTAGE_FROM) && self.robots[ABSENT_PLAYER as usize - 1].is_on_turn()
            {
                self.outage.get_or_insert(now);
            }
            if mode == PassMode::Twice {
                let again = self.run_pass(PassMode::Plain);
                assert_eq!(again, PassReport::default(), "nothing is left to do");
            }
        }
        self.club.now += STEP;
    }

    fn pass_mode(&self) -> PassMode {
        match self.figures.rounds.as_slice() {
            [_, _, third] if *third == self.club.now => return PassMode::Breaks,
            _ if self.outage.is_some_and(|from| from + OUTAGE == self.club.now) => {
                return PassMode::Twice;
            }
            _ => {}
        }
        if (parse_utc(DELIVERY_OUTAGE.0)..parse_utc(DELIVERY_OUTAGE.1)).contains(&self.club.now) {
            return PassMode::Down;
        }
        let text = self.club.now.format("%Y-%m-%d %H").to_string();
        match text.as_str() {
            "2026-09-30 11" | "2026-09-30 15" => PassMode::Down,
            "2026-10-04 19" | "2026-11-18 19" => PassMode::Breaks,
            "2026-10-13 19" | "2026-10-25 19" | "2026-12-02 19" => PassMode::Twice,
            _ if self.figures.kills < self.count_planned_kills() => PassMode::Killed,
            _ => PassMode::Plain,
        }
    }

    /// Returns the number of passes that should have been killed by now. Only a pass that posts
    /// three letters can be killed, so passes are killed until the number is reached.
    fn count_planned_kills(&self) -> usize {
        let dates = ["2026-10-06 19:00", "2026-10-07 19:00", "2026-11-19 19:00"];
        let due = dates.iter().filter(|date| parse_utc(date) <= self.club.now).count();
        due + usize::from(self.figures.rounds.len() > 1)
    }

    /// Does what the moderator does before this pass: starts a round, corrects an address, or
    /// rewinds a game.
    fn moderate(&mut self) {
        let now = self.club.now;
        if self.unfinished == 0 && self.round < round_count() {
            let context = self.take_open_context();
            let seed = Seed::from_number(u64::from(self.round) + 1);
            match process::start_round(&context, &self.campaign, None, false, &seed) {
                Ok(started) => {
                    self.round = started.round;
                    self.unfinished = started.founded.len();
                    self.figures.games += started.founded.len();
                    self.figures.rounds.push(now);
                    // The ledger must see every turn, so all members get all letters.
                    for member in context.store.members().expect("members") {
                        process::change_member_setting(
                            &context,
                            &member.id.to_string(),
                            "letters all",
                        )
                        .expect("it can be");
                    }
                }
                Err(RoundStartError::Unfinished { .. }) => {}
                Err(error) => panic!("{error}"),
            }
            self.open_context = Some(context);
        }
        if now == parse_utc(BOUNCES_UNTIL) + TimeDelta::hours(1) {
            let address = format!("p{BOUNCING_PLAYER}@mended.example");
            let change = MemberChange::AddAddress { address, first: true };
            let member = format!("p{BOUNCING_PLAYER}@example.org");
            let context = self.take_open_context();
            process::change_member(&context, &member, &change).expect("free");
            self.open_context = Some(context);
        }
        if now == parse_utc("2026-10-01 11:00") {
            let context = self.take_open_context();
            // The ledger learns of the rewind by letter, so the bouncing player is not in the game.
            let is_reached = |game: &u32| {
                let mut letters = self.game_letters.iter();
                !letters.any(|facts| (facts.game, facts.member) == (*game, BOUNCING_PLAYER))
            };
            let mut games = (1..).take(self.figures.games).filter(is_reached);
            let running = games.find_map(|game| {
                let stored = process::load_stored_game(&context, game).expect("it opens");
                let head = stored.table.last_record_number();
                (stored.table.turn() != Turn::Over && head > 4).then_some((game, head))
            });
            let (game, head) = running.expect("a game in progress");
            process::moderate_game(
                &context,
                game,
                &Intervention::Rewind(head - 3),
                "a slip of the pen",
            )
            .expect("legal");
            self.open_context = Some(context);
        }
    }

    fn run_pass(&mut self, day: PassMode) -> PassReport {
        let now = self.club.now;
        let full =
            (parse_utc(FULL_MAILBOX_PERIOD.0)..parse_utc(FULL_MAILBOX_PERIOD.1)).contains(&now);
        let full = full.then(|| format!("p{FULL_MAILBOX_PLAYER}@example.org"));
        let before = self.club.transport.posted.len();
        let context = self.take_open_context();
        let mut post = SeasonTransport {
            posted: &mut self.club.transport.posted,
            mode: day,
            left: 2,
            full_mailbox: full,
            was_closed: false,
        };
        let done = catch_unwind(AssertUnwindSafe(|| process::run_pass(&context, &mut post)));
        let closed = post.was_closed;
        // Opening all games takes as long as a pass, so this is not done after each pass.
        if day != PassMode::Plain || self.figures.passes.is_multiple_of(OUTLINE_CHECK_INTERVAL) {
            assert_outlines_match_logs(&context);
        }
        self.open_context = done.is_ok().then_some(context);
        self.figures.kills += usize::from(done.is_err());
        self.posted.extend((!closed && done.is_ok()).then_some(now));
        let report =
            done.map_or_else(|_| PassReport::default(), |done| done.expect("the pass works"));
        if !std::mem::replace(&mut self.is_delivery_closed, closed) {
            self.passes.push(now);
        }
        self.figures.passes += 1;
        self.figures.letters_in += report.letters_read;
        self.figures.bounces += report.bounced.len();
        self.figures.troubles += report.troubles.len();
        assert!(report.quarantined == 0, "{report:?}");
        let posted = self.club.transport.posted[before..].to_vec();
        for letter in posted {
            self.handle_posted_letter(&letter);
        }
        report
    }

    fn handle_posted_letter(&mut self, letter: &PostedLetter) {
        let now = self.club.now;
        if !self.known_ids.insert(letter.message_id.clone()) {
            self.figures.twice_posted += 1;
            return;
        }
        self.figures.letters_out += 1;
        if letter.to.starts_with("mod@") {
            self.notes_to_moderator.push(letter.body_text());
            return;
        }
        let bouncing = format!("p{BOUNCING_PLAYER}@example.org");
        if letter.to == bouncing
            && (parse_utc(BOUNCES_FROM)..parse_utc(BOUNCES_UNTIL)).contains(&now)
        {
            self.figures.undelivered += 1;
            self.club.deliver(compose_bounce_report(letter, &bouncing, "failed", "5.1.1"));
            return;
        }
        let Some(facts) = ledger::read_game_letter(letter, now) else { return };
        let robot = &mut self.robots[facts.member as usize - 1];
        robot.read_letter(&facts, letter, now);
        self.figures.reminders += usize::from(facts.reminder);
        if !facts.result.is_empty() {
            let first = |other: &LetterFacts| other.game == facts.game && !other.result.is_empty();
            self.unfinished -= usize::from(!self.game_letters.iter().any(first));
        }
        self.game_letters.push(facts);
    }

    /// Audits all turns of the season, and returns them.
    pub fn audit_all_turns(&mut self) -> Vec<TurnRequest> {
        self.figures.ended = self.club.now;
        self.open_context = None;
        let vacation = ("2026-11-23".parse().expect("a day"), "2026-11-30".parse().expect("a day"));
        let outage = self.outage.expect("there was one");
        let known = SeasonFacts {
            passes: self.passes.clone(),
            posted: self.posted.clone(),
            order_letters: self.order_letters.clone(),
            places: self.robots.iter().map(|robot| (robot.number, robot.place)).collect(),
            vacations: BTreeMap::from([(VACATION_PLAYER, vacation)]),
            unreachable: (
                BOUNCING_PLAYER,
                parse_utc(BOUNCES_FROM),
                parse_utc(BOUNCES_UNTIL) + STEP,
            ),
            outages: vec![
                (outage, outage + OUTAGE),
                (parse_utc(DELIVERY_OUTAGE.0), parse_utc(DELIVERY_OUTAGE.1)),
            ],
        };
        let mut by_reader: BTreeMap<(u32, u32), Vec<&LetterFacts>> = BTreeMap::new();
        for facts in &self.game_letters {
            by_reader.entry((facts.game, facts.member)).or_default().push(facts);
        }
        let mut requests = Vec::new();
        for letters in by_reader.values_mut() {
            letters.sort_by_key(|letter| letter.date);
            let own = ledger::collect_turn_requests(letters);
            ledger::audit_turns(&own, &known);
            requests.extend(own);
        }
        self.assert_logs_agree(&requests);
        requests
    }

    /// Asserts that all games are over and valid, and that the letters reported every forfeit of
    /// the logs. Adds the forfeits to the figures.
    fn assert_logs_agree(&mut self, requests: &[TurnRequest]) {
        let context = self.club.open_context();
        assert_eq!(games_without_outline(&context), vec![0; 0]);
        assert_outlines_match_logs(&context);
        for game in context.store.game_numbers().expect("games") {
            let session = process::load_stored_game(&context, game).expect("it opens");
            assert_eq!(session.table.turn(), Turn::Over, "game {game}");
            assert_eq!(session.table.verify().findings, vec![], "game {game}");
            for record in session.table.records() {
                let Cause::Absent { seat, .. } = record.cause else { continue };
                self.figures.forfeits += 1;
                let member = session.names[seat.index()][1..].parse().expect("a number");
                let closed = Some((record.at, TurnEnd::Forfeited));
                let is_reported = |request: &&TurnRequest| {
                    (request.game, request.member, request.end_of_turn) == (game, member, closed)
                };
                assert!(requests.iter().find(is_reported).is_some(), "{game} {record:?}");
                assert_ne!(member, BOUNCING_PLAYER, "no time ran while letters bounced");
            }
        }
    }

    /// Asserts that the standings of the campaign are those that the results in the letters add up
    /// to.
    pub fn assert_standings(&self) {
        let mut results: BTreeMap<u32, &Vec<(u32, String, i64)>> = BTreeMap::new();
        for facts in self.game_letters.iter().filter(|facts| !facts.result.is_empty()) {
            let first = results.entry(facts.game).or_insert(&facts.result);
            let sorted = |result: &[(u32, String, i64)]| {
                let mut result = result.to_vec();
                result.sort();
                result
            };
            assert_eq!(sorted(first), sorted(&facts.result), "game {}", facts.game);
        }
        assert_eq!(results.len(), (member_count() / 4 * round_count()) as usize);
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
        let context = self.club.open_context();
        let season = process::load_campaign_status(&context, &self.campaign).expect("it stands");
        assert_eq!(season.rows.len(), member_count() as usize + 1);
        for row in &season.rows {
            let own = sixtieths.get(&row.name).copied().unwrap_or(0);
            let points: f64 = row.points.to_string().parse().expect("a number");
            assert!((points - own as f64 / 60.0).abs() < 0.01, "{row:?} {own}");
        }
        assert!(season.rows.windows(2).all(|two| two[0].points >= two[1].points));
    }

    /// Asserts that all planned failures and clock changes occurred, so the season tested what it
    /// is for.
    pub fn assert_all_events_happened(&self, requests: &[TurnRequest]) {
        let words: BTreeSet<&str> =
            requests.iter().map(|request| request.due_words.as_str()).collect();
        let expected = ["20:00 CEST", "20:00 CET", "14:00 EDT", "15:00 EDT", "14:00 EST"];
        assert!(expected.iter().all(|one| words.contains(one)), "{words:?}");
        let SeasonFigures { bounces, kills, undelivered: lost, twice_posted, .. } = self.figures;
        assert!(kills == self.count_planned_kills() && twice_posted <= kills, "{:?}", self.figures);
        assert!(bounces == lost && (3..=8).contains(&lost), "only probes go there: {lost}");
        let late = self.game_letters.iter().filter(|facts| facts.posted > facts.date);
        let to: BTreeSet<u32> = late.map(|facts| facts.member).collect();
        assert!(to.contains(&FULL_MAILBOX_PLAYER) && to.len() > 4, "the post never failed: {to:?}");
        let outages = self.notes_to_moderator.iter().filter(|note| note.contains("No pass ran"));
        assert_eq!(outages.count(), 1);
        let notes: BTreeSet<&String> = self.notes_to_moderator.iter().collect();
        assert_eq!(notes.len(), self.notes_to_moderator.len(), "no note is sent twice");
        self.assert_absences(requests);
    }

    /// Asserts that only members who were absent or late forfeited turns.
    fn assert_absences(&self, requests: &[TurnRequest]) {
        let how = |request: &TurnRequest| request.end_of_turn.map(|(_, how)| how);
        let forfeited = requests.iter().filter(|request| how(request) == Some(TurnEnd::Forfeited));
        let absent: BTreeSet<u32> = forfeited.map(|request| request.member).collect();
        assert_eq!(absent, BTreeSet::from([LATE_PLAYER, ABSENT_PLAYER, RETURNING_PLAYER]));
        let played = |request: &&TurnRequest| {
            request.end_of_turn.is_some_and(|(at, _)| at > parse_utc("2026-10-15 00:00"))
        };
        assert!(requests.iter().filter(played).any(|request| request.member == RETURNING_PLAYER));
        let waited = |request: &&TurnRequest| request.due - request.asked > TimeDelta::days(4);
        assert!(requests.iter().filter(waited).any(|request| request.member == VACATION_PLAYER));
        assert!(
            requests.iter().any(|request| request.changed && request.member != VACATION_PLAYER),
            "an outage"
        );
        assert!(requests.iter().any(|request| how(request) == Some(TurnEnd::TakenBack)));
    }
}

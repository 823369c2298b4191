//! Tests members who want few letters: news is held for the next letter or for the time of the
//! daily digest.

use crate::common::sample_or_all;
use crate::memory::Memory;
use crate::open_club::OpenClub;
use crate::rig::{self, Club, first_letter_to, letters_to};
use postrider::club::clock::Length;
use postrider::club::{Intervention, LetterStyle, NewsPreference, Substitute};
use postrider::games::find_kind;
use postrider::process::{self, Context, IdleOutcome};
use postrider::rules::{Dice, Seat, Seed, Turn};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The first player of each seat, and the substitute who takes it over.
const PLAYERS_AND_SUBSTITUTES: [(&str, &str); 3] = [("Ann", "Ann"), ("Bob", "Fay"), ("Cid", "Eve")];

/// The facts that a reader has learned about a game: sentences of news, and the `Mark` words of
/// messages and interventions.
type KnownFacts = BTreeSet<String>;

/// Returns all facts in these letters.
fn collect_facts(letters: &[&rig::PostedLetter]) -> KnownFacts {
    let mut known = KnownFacts::new();
    for letter in letters {
        let mut is_news = false;
        let mut news = String::new();
        for line in letter.body_text().lines() {
            if line.starts_with("SINCE YOUR LAST") || line.starts_with("HOW IT BEGAN") {
                is_news = true;
            } else if line.starts_with(|c: char| !c.is_whitespace()) {
                is_news = false;
            } else if is_news {
                news.push_str(line.trim());
                news.push(' ');
            }
            let words = line.split(|c: char| !c.is_ascii_alphanumeric());
            known.extend(words.filter(|word| word.starts_with("Mark")).map(str::to_owned));
        }
        for (before, after) in PLAYERS_AND_SUBSTITUTES {
            news = news.replace(after, before);
        }
        known.extend(news.split(". ").map(|sentence| sentence.trim().to_owned()));
    }
    known
}

/// A played game, and what each player knew at each of their turns and at the end.
struct GameRun {
    open: OpenClub,
    players: [&'static str; 3],
    known: BTreeMap<(u32, &'static str), KnownFacts>,
    /// For each reader, the number of posted letters that have been searched, and the facts in
    /// them.
    read: BTreeMap<&'static str, (usize, KnownFacts)>,
}

impl GameRun {
    fn start(game: &str, wishes: &[&str]) -> Self {
        let club = Club::with_settings("clock: {deadline: 20 days}\nanswers_per_hour: 1000\n");
        let mut club = club.with_memory_store(&Arc::new(Memory::default()));
        club.start_game(find_kind(game).expect("it ships"), 3, 7);
        let seated = PLAYERS_AND_SUBSTITUTES.map(|(first, _)| first);
        for name in seated {
            wishes.iter().for_each(|wish| club.set_preference(name, wish));
        }
        Self {
            open: OpenClub::new(club),
            players: seated,
            known: BTreeMap::new(),
            read: BTreeMap::new(),
        }
    }

    /// Returns the open club's context, set to the current time.
    fn updated_context(&mut self) -> &Context {
        self.open.context.now = self.open.club.now;
        &self.open.context
    }

    /// Runs a pass, and another one after the time of the daily digests.
    fn run_passes(&mut self) {
        self.open.run_pass();
        let now = self.open.club.now;
        let evening = now.date_naive().and_hms_opt(18, 30, 0).expect("a time").and_utc();
        self.open.club.now =
            if evening < now { evening + chrono::TimeDelta::days(1) } else { evening };
        self.open.run_pass();
    }

    /// Returns all facts that a reader has learned so far.
    fn facts_known_to(&mut self, name: &'static str) -> KnownFacts {
        let posted = &self.open.club.transport.posted;
        let (count, known) = self.read.entry(name).or_default();
        known.extend(collect_facts(&letters_to(&posted[*count..], name)));
        *count = posted.len();
        known.clone()
    }

    fn try_intervention(&mut self, what: &Intervention, step: u32) -> bool {
        let reason = format!("of Mark{step}.");
        process::moderate_game(self.updated_context(), 1, what, &reason).is_ok()
    }

    fn intervene(&mut self, what: &Intervention, step: u32) {
        assert!(self.try_intervention(what, step), "{what:?}");
    }

    fn replace_player(&mut self, seat: usize, wishes: &[&str], step: u32) {
        let (_, name) = PLAYERS_AND_SUBSTITUTES[seat];
        let by = Substitute::from(&*format!("{name} <{}>", rig::address(name)));
        self.open.club.ensure_answered_member(name, &rig::address(name));
        self.intervene(&Intervention::Replace { seat: Seat::new(seat as u8 + 1), by }, step);
        wishes.iter().for_each(|wish| self.open.club.set_preference(name, wish));
        self.players[seat] = name;
    }

    /// Performs the talk, votes and interventions of this step, before its orders.
    fn act_before_orders(&mut self, step: u32, wishes: &[&str]) {
        let [ann, bob, cid] = self.players;
        let club = &mut self.open.club;
        match step {
            2 | 17 => drop(club.send_reply(cid, &format!("say Mark{step} for all."))),
            3 => drop(club.send_reply(ann, &format!("tell {bob}: Mark{step}\nsay Mark{step}b"))),
            4 => self.intervene(&Intervention::Extend(Length::Days(2)), step),
            5 => self.intervene(&Intervention::Pause, step),
            6 => self.intervene(&Intervention::Resume, step),
            8 => drop(club.send_reply(bob, &format!("say Mark{step}\ntell {cid}: Mark{step}c"))),
            10 => {
                // Only some records can be rewound to, so several are tried.
                let head = self.open.club.record_count();
                let mut try_rewind = |to| self.try_intervention(&Intervention::Rewind(to), step);
                assert!((2..8).any(|back_by| try_rewind(head - back_by)));
            }
            11 => self.replace_player(2, wishes, step),
            13 => {
                [ann, bob, cid]
                    .iter()
                    .for_each(|who| drop(club.send_reply(who, "vote extend 3 days")));
            }
            14 => drop(club.send_reply(bob, "vote pause")),
            15 => drop(club.send_reply(cid, "vote no")),
            16 => self.intervene(&Intervention::Announce, step),
            18 => self.replace_player(1, wishes, step),
            _ => {}
        }
    }

    /// Notes what each awaited player knows, and sends a random order for each. Returns `false` if
    /// the game is over.
    fn order_for_awaited_players(&mut self, step: u32) -> bool {
        let session = process::open_game(self.updated_context(), 1).expect("it opens");
        let Turn::Awaiting(seats) = session.table.turn() else { return false };
        for seat in seats {
            let name = self.players[seat.index()];
            let known = self.facts_known_to(name);
            self.known.insert((step, name), known);
            let dice = |n| Dice::new(&Seed::from_number(u64::from(step) + n), 0);
            let mut ahead = session.table.game().clone_box();
            let line =
                ahead.play_random_line(seat, &mut dice(1), &mut dice(2)).map(|(line, _)| line);
            self.open.club.send_reply(name, &line.expect("a line"));
        }
        if matches!(step, 7 | 9) {
            // The last player takes the orders back, as far as possible.
            self.open.run_pass();
            let mover = self.known.keys().last().map(|(_, name)| *name).expect("somebody");
            self.open.club.send_reply(mover, "undo");
        }
        true
    }

    fn play(game: &str, wishes: &[&str]) -> Self {
        let mut story = Self::start(game, wishes);
        story.run_passes();
        for step in 1..=20 {
            story.act_before_orders(step, wishes);
            story.run_passes();
            if !story.order_for_awaited_players(step) {
                break;
            }
            story.run_passes();
        }
        story.intervene(&Intervention::End, 99);
        story.run_passes();
        for name in story.players {
            let all = story.facts_known_to(name);
            story.known.insert((99, name), all);
        }
        story
    }
}

/// The settings by which a player gets fewer letters.
const FEW_LETTER_SETTINGS: [&[&str]; 4] = [
    &["letters turns"],
    &["letters digest"],
    &["letters turns", "letters digest 18:00"],
    &["letters digest 18:00"],
];

#[test]
fn paris_connection_few_letters_lose_nothing() {
    assert_no_news_lost("paris-connection", &FEW_LETTER_SETTINGS[..1]);
}

#[test]
fn trick_of_the_rails_few_letters_lose_nothing() {
    assert_no_news_lost("trick-of-the-rails", &FEW_LETTER_SETTINGS[1..3]);
}

#[test]
fn off_the_rails_few_letters_lose_nothing() {
    assert_no_news_lost("off-the-rails", &FEW_LETTER_SETTINGS[3..]);
}

/// Checks at each turn that players with each of these settings know as much as players who get all
/// letters. A full run tries all settings.
fn assert_no_news_lost(game: &str, sample: &[&[&str]]) {
    let all = GameRun::play(game, &["letters all"]);
    assert!(all.known.len() > 20, "{game}: {}", all.known.len());
    let marks = all.known[&(99, "Ann")].iter().filter(|fact| fact.starts_with("Mark")).count();
    assert!(marks >= 10, "{game}: {marks}");
    for wishes in sample_or_all(sample, &FEW_LETTER_SETTINGS) {
        let few = GameRun::play(game, wishes);
        for (place, known) in &all.known {
            let found = few.known.get(place).unwrap_or_else(|| panic!("{game} {place:?}"));
            let lost: Vec<_> = known.difference(found).collect();
            let more: Vec<_> = found.difference(known).collect();
            assert!(
                lost.is_empty() && more.is_empty(),
                "{game} {wishes:?} {place:?}\nlost: {lost:#?}\nmore: {more:#?}"
            );
        }
        let (posted, before) =
            (few.open.club.transport.posted.len(), all.open.club.transport.posted.len());
        let is_fewer = posted < before || *wishes == ["letters digest"];
        assert!(is_fewer && posted <= before, "{game} {wishes:?}: {posted} of {before}");
    }
}

/// Creates a club with three games of Ann, Bob and Cid, and posts the first letters. Bob has the
/// setting `wish`.
fn start_three_games(clock: &str, wish: &str) -> Club {
    let mut club = Club::with_settings(&format!("clock: {{deadline: {clock}}}\n"));
    for _ in 1..=3 {
        club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    }
    club.run_pass();
    club.set_preference("Bob", wish);
    club
}

/// Replies to the player's first letter of a game, and runs a pass. Returns the number of queued
/// letters, and the letters to Bob.
fn write_and_get_bobs_letters(
    club: &mut Club,
    name: &str,
    game: usize,
    body: &str,
) -> (usize, Vec<rig::PostedLetter>) {
    let seat = rig::NAMES.iter().position(|known| *known == name).expect("a player");
    let first = club.transport.posted[(game - 1) * 3 + seat].clone();
    club.deliver(club.compose_reply_to(name, &first, body));
    pass_and_get_bobs_letters(club)
}

fn pass_and_get_bobs_letters(club: &mut Club) -> (usize, Vec<rig::PostedLetter>) {
    let (report, letters) = club.run_pass();
    (report.queued_letters, letters_to(&letters, "Bob").into_iter().cloned().collect())
}

const MOVE_ORDER: &str = "build red G23, Troyes";

#[test]
fn daily_digest_leaves_on_time_sorted_by_deadline() {
    let mut club = start_three_games("20 days", "letters digest 20:15");
    // Two passes run at 19:00 and 20:00. The pass at 21:00 is the first after the digest's time.
    for game in [2, 1] {
        let (waiting, letters) = write_and_get_bobs_letters(&mut club, "Ann", game, MOVE_ORDER);
        assert!(waiting == 0 && letters.is_empty(), "it is owed, and kept for its time");
    }
    let (_, letters) = write_and_get_bobs_letters(&mut club, "Ann", 3, MOVE_ORDER);
    assert_eq!(letters.len(), 1);
    let text = letters[0].body_text();
    let place = |game| text.find(&format!("games+{game}.2.2.")).expect("an address");
    assert!(place(2) < place(1) && place(1) < place(3), "{text}");
    assert!(pass_and_get_bobs_letters(&mut club).1.is_empty(), "nothing has come up since");
    // Later news waits for the next evening, even if passes are missed.
    assert!(write_and_get_bobs_letters(&mut club, "Cid", 2, "say Hello").1.is_empty());
    club.now += chrono::TimeDelta::hours(20);
    assert!(pass_and_get_bobs_letters(&mut club).1.is_empty(), "19:00");
    club.now += chrono::TimeDelta::days(3);
    let (_, letters) = pass_and_get_bobs_letters(&mut club);
    assert!(letters.len() == 1 && letters[0].contains("Hello"), "{letters:?}");
    // The digest's time is in Bob's time zone: 20:15 in Madrid is 19:15 UTC.
    club.set_preference("Bob", "zone Europe/Madrid");
    club.now = "2026-01-12T18:30:00Z".parse().expect("a time");
    assert!(write_and_get_bobs_letters(&mut club, "Cid", 1, "say Hello").1.is_empty());
    assert_eq!(pass_and_get_bobs_letters(&mut club).1.len(), 1);
}

#[test]
fn due_digest_includes_news_of_same_pass() {
    let mut club = start_three_games("10 days", "letters digest 19:00");
    club.now += chrono::TimeDelta::seconds(20);
    assert_eq!(
        write_and_get_bobs_letters(&mut club, "Ann", 1, MOVE_ORDER).1.len(),
        1,
        "the first pass after its time"
    );
    club.now -= chrono::TimeDelta::minutes(30);
    assert!(
        write_and_get_bobs_letters(&mut club, "Ann", 2, MOVE_ORDER).1.is_empty(),
        "today's has left"
    );
    club.now += chrono::TimeDelta::hours(23);
    assert_eq!(pass_and_get_bobs_letters(&mut club).1.len(), 1);
}

#[test]
fn urgent_news_leaves_at_once_with_held_news() {
    let mut club = start_three_games("10 days", "letters digest 18:00");
    assert!(write_and_get_bobs_letters(&mut club, "Cid", 2, "say Hello").1.is_empty());
    assert!(write_and_get_bobs_letters(&mut club, "Cid", 3, "say Good evening").1.is_empty());
    let (_, letters) = write_and_get_bobs_letters(&mut club, "Bob", 2, "status");
    let told: String = letters.iter().map(rig::PostedLetter::body_text).collect();
    assert!(told.contains("Hello") && !told.contains("Good evening"), "{told}");
    // The vote stays open longer, so the question to Bob can wait. An intervention of the moderator
    // cannot.
    assert!(write_and_get_bobs_letters(&mut club, "Cid", 1, "vote pause").1.is_empty());
    let rotate = Intervention::Rotate(Seat::new(2));
    process::moderate_game(&club.open_context(), 1, &rotate, "a slip").expect("it can be");
    let (_, letters) = pass_and_get_bobs_letters(&mut club);
    assert!(letters.len() == 1 && letters[0].contains("vote no"), "{letters:?}");
    // News is urgent if the player would have less than two days left after the next digest.
    let mut club = start_three_games("60 hours", "letters digest 18:00");
    assert_eq!(
        write_and_get_bobs_letters(&mut club, "Ann", 1, MOVE_ORDER).1.len(),
        1,
        "60 - 23 hours"
    );
    let mut club = start_three_games("60 hours", "letters digest 21:00");
    assert!(
        write_and_get_bobs_letters(&mut club, "Ann", 1, MOVE_ORDER).1.is_empty(),
        "60 - 2 hours"
    );
    assert!(pass_and_get_bobs_letters(&mut club).1.is_empty());
    assert_eq!(pass_and_get_bobs_letters(&mut club).1.len(), 1);
}

#[test]
fn held_digest_news_is_always_sent() {
    let club_with_held_news = || {
        let mut club = start_three_games("10 days", "letters digest 18:00");
        assert!(write_and_get_bobs_letters(&mut club, "Ann", 1, MOVE_ORDER).1.is_empty());
        club
    };
    let mut club = club_with_held_news();
    club.set_preference("Bob", "letters each");
    assert_eq!(pass_and_get_bobs_letters(&mut club).1.len(), 1, "he wants no digest any more");
    let mut club = club_with_held_news();
    club.set_preference("Bob", "letters digest 19:30");
    assert_eq!(pass_and_get_bobs_letters(&mut club).1.len(), 1, "his time has come");
    let mut club = club_with_held_news();
    club.now -= chrono::TimeDelta::days(30);
    assert_eq!(pass_and_get_bobs_letters(&mut club).1.len(), 1, "the clock was ahead");
    let mut club = club_with_held_news();
    club.set_preference("Bob", "vacation 2026-01-06 to 2026-01-08");
    process::moderate_game(&club.open_context(), 1, &Intervention::End, "enough")
        .expect("it can be");
    club.restore_from_journal();
    club.now += chrono::TimeDelta::days(1);
    let (_, letters) = pass_and_get_bobs_letters(&mut club);
    assert!(letters.iter().any(|letter| letter.contains("enough")), "{letters:?}");
    assert!(pass_and_get_bobs_letters(&mut club).1.is_empty());
}

#[test]
fn held_digest_news_is_dropped_for_former_reader() {
    let club_with_held_news = || {
        let mut club = start_three_games("10 days", "letters digest 18:00");
        assert!(write_and_get_bobs_letters(&mut club, "Ann", 1, MOVE_ORDER).1.is_empty());
        club
    };
    let outbox = |club: &Club| club.open_context().store.outbox_length().expect("it reads");
    let mut club = club_with_held_news();
    let by = Substitute::from("Eve <eve@example.org>");
    club.ensure_answered_member("Eve", "eve@example.org");
    let replace = Intervention::Replace { seat: Seat::new(2), by };
    process::moderate_game(&club.open_context(), 1, &replace, "Bob is ill").expect("it can be");
    let letters = club.run_pass().1;
    assert!(
        first_letter_to(&letters, "Eve").contains("G23")
            && letters_to(&letters, "Bob").iter().all(|l| !l.contains("G23"))
    );
    club.now += chrono::TimeDelta::days(1);
    let left = (pass_and_get_bobs_letters(&mut club).1, outbox(&club));
    assert!(left.0.is_empty() && left.1 == 0, "{left:?}");
    let mut club = club_with_held_news();
    write_and_get_bobs_letters(&mut club, "Bob", 2, "leave club yes");
    let left = (pass_and_get_bobs_letters(&mut club).1, outbox(&club));
    assert!(left.0.is_empty() && left.1 == 0, "{left:?}");
}

#[test]
fn idle_pass_wakes_for_due_digest() {
    let mut club = start_three_games("10 days", "letters digest 20:40");
    write_and_get_bobs_letters(&mut club, "Ann", 1, MOVE_ORDER);
    let context = club.open_context();
    let report = process::run_pass(&context, &mut club.transport).expect("the pass works");
    process::write_idle_note(&context, &report).expect("it is left");
    drop(context);
    let due = "2026-01-05T20:40:00Z".parse().expect("a time");
    let settings = process::read_settings(club.folder()).expect("they can be read");
    let is_idle_at = |now| {
        let idle = process::try_idle_pass(club.folder(), &settings, None, now).expect("it works");
        matches!(idle, IdleOutcome::Done(_))
    };
    assert!(is_idle_at(due - chrono::TimeDelta::minutes(1)) && !is_idle_at(due));
}

#[test]
fn letter_frequency_can_differ_for_one_game() {
    let mut club = Club::with_paris_game("");
    club.set_preference("Bob", "letters turns");
    let refused = process::change_member_setting(
        &club.open_context(),
        &rig::address("Bob"),
        "letters all here",
    );
    assert!(refused.is_err(), "of which game?");
    club.send_reply("Bob", "letters all here\nsettings");
    let letters = club.run_pass().1;
    let told = first_letter_to(&letters, "Bob");
    assert!(told.contains("Letters about this game come whenever something happens in it."));
    assert!(
        told.contains("In this game, letters come whenever it has moved"),
        "{}",
        told.body_text()
    );
    club.send_reply("Cid", "say Hello");
    assert!(first_letter_to(&club.run_pass().1, "Bob").contains("Hello"));
    // The setting belongs to the player. A successor starts with their own general setting.
    let by = "eve@example.org".into();
    club.ensure_answered_member("Eve", "eve@example.org");
    let replace = Intervention::Replace { seat: Seat::new(2), by };
    process::moderate_game(&club.open_context(), 1, &replace, "Bob is ill").expect("it can be");
    club.run_pass();
    let eve = club.member("Eve");
    assert_eq!(eve.letters, LetterStyle { only_turns: true, ..LetterStyle::default() });
    let bobs_seat =
        || process::open_game(&club.open_context(), 1).expect("it opens").seats[1].0.clone();
    assert_eq!(bobs_seat().news_preference, None);
    club.send_reply("Cid", "say Hello again");
    assert!(letters_to(&club.run_pass().1, "Eve").is_empty(), "in her next one");
    for (line, wish) in [
        ("letters all here", Some(NewsPreference::All)),
        ("letters turns here", Some(NewsPreference::Turns)),
        ("letters as usual", None),
    ] {
        club.send_reply("Eve", line);
        club.run_pass();
        let seats = process::open_game(&club.open_context(), 1).expect("it opens").seats;
        assert_eq!(seats[1].0.news_preference, wish, "{line}");
    }
}

#[test]
fn new_member_gets_turn_letters_and_one_hint() {
    let mut club = Club::with_paris_game("");
    club.ensure_answered_member("Eve", "eve@example.org");
    let seat = Intervention::Replace { seat: Seat::new(3), by: "Eve <eve@example.org>".into() };
    process::moderate_game(&club.open_context(), 1, &seat, "Cid is ill").expect("it can be");
    let letters = club.run_pass().1;
    let how = "For a letter whenever something happens, write \"letters all\"";
    assert!(
        first_letter_to(&letters, "Eve").contains(how)
            && !first_letter_to(&letters, "Ann").contains(how),
        "{letters:?}"
    );
    club.send_reply("Eve", "status");
    assert!(!first_letter_to(&club.run_pass().1, "Eve").contains(how));
    // Messages to all wait for Eve's turn, even if the store is lost and restored. A message to Eve
    // alone leaves at once.
    club.send_reply("Bob", "say Hello");
    assert!(letters_to(&club.run_pass().1, "Eve").is_empty());
    club.restore_from_journal();
    club.run_pass();
    club.send_reply("Ann", MOVE_ORDER);
    assert!(letters_to(&club.run_pass().1, "Eve").is_empty());
    club.send_reply("Bob", "tell Eve: Psst");
    let letters = club.run_pass().1;
    let told = first_letter_to(&letters, "Eve");
    assert!(told.contains("Psst") && told.contains("G23"), "{}", told.body_text());
    let heard =
        letters_to(&club.transport.posted, "Eve").iter().filter(|l| l.contains("Hello")).count();
    assert_eq!(heard, 1, "once, by whatever letter came first");
    club.send_reply("Ann", "say Bye");
    process::moderate_game(&club.open_context(), 1, &Intervention::End, "enough")
        .expect("it can be");
    let letters = club.run_pass().1;
    assert!(first_letter_to(&letters, "Eve").contains("Bye"), "no other letter would tell her");
}

//! Members who want few letters: what waits for the next one, or for the time of the day at which a
//! member wants them, and that nothing of it is lost.

use crate::common::sample_or_all;
use crate::memory::Memory;
use crate::open_club::OpenClub;
use crate::rig::{self, Club, all_to, to};
use postrider::club::clock::Length;
use postrider::club::{Intervention, LetterStyle, NewsWish, Substitute};
use postrider::games::kind;
use postrider::process::{self, Context, Idle};
use postrider::rules::{Dice, Seat, Seed, Turn};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Who sits where, and who takes the seat over.
const PLAYERS: [(&str, &str); 3] = [("Ann", "Ann"), ("Bob", "Fay"), ("Cid", "Eve")];

/// What somebody has read of a game: the sentences on what happened, and the marks of what was said
/// and done around it.
type Known = BTreeSet<String>;

/// Everything that these letters told their reader.
fn told(letters: &[&rig::Posted]) -> Known {
    let mut known = Known::new();
    for letter in letters {
        let mut is_news = false;
        let mut news = String::new();
        for line in letter.text().lines() {
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
        for (before, after) in PLAYERS {
            news = news.replace(after, before);
        }
        known.extend(news.split(". ").map(|sentence| sentence.trim().to_owned()));
    }
    known
}

/// A game, and what each player knew at each of his turns and in the end.
struct Story {
    open: OpenClub,
    seated: [&'static str; 3],
    known: BTreeMap<(u32, &'static str), Known>,
    /// For each reader, the number of the club's letters that were looked through, and all that the
    /// reader was told in them.
    read: BTreeMap<&'static str, (usize, Known)>,
}

impl Story {
    fn begin(game: &str, wishes: &[&str]) -> Self {
        let club = Club::with("clock: {deadline: 20 days}\nanswers_per_hour: 1000\n");
        let mut club = club.over(&Arc::new(Memory::default()));
        club.found(kind(game).expect("it ships"), 3, 7);
        let seated = PLAYERS.map(|(first, _)| first);
        for name in seated {
            wishes.iter().for_each(|wish| club.wants(name, wish));
        }
        Self { open: OpenClub::new(club), seated, known: BTreeMap::new(), read: BTreeMap::new() }
    }

    /// The open club at this time.
    fn context(&mut self) -> &Context {
        self.open.context.now = self.open.club.now;
        &self.open.context
    }

    /// A pass, and one after the time at which digests are due.
    fn passes(&mut self) {
        self.open.pass();
        let now = self.open.club.now;
        let evening = now.date_naive().and_hms_opt(18, 30, 0).expect("a time").and_utc();
        self.open.club.now =
            if evening < now { evening + chrono::TimeDelta::days(1) } else { evening };
        self.open.pass();
    }

    /// Everything that a reader was told so far.
    fn known_to(&mut self, name: &'static str) -> Known {
        let posted = &self.open.club.pigeon.posted;
        let (count, known) = self.read.entry(name).or_default();
        known.extend(told(&all_to(&posted[*count..], name)));
        *count = posted.len();
        known.clone()
    }

    fn try_to(&mut self, what: &Intervention, step: u32) -> bool {
        let reason = format!("of Mark{step}.");
        process::moderate(self.context(), 1, what, &reason).is_ok()
    }

    fn moderate(&mut self, what: &Intervention, step: u32) {
        assert!(self.try_to(what, step), "{what:?}");
    }

    fn replace(&mut self, seat: usize, wishes: &[&str], step: u32) {
        let (_, name) = PLAYERS[seat];
        let by = Substitute::from(&*format!("{name} <{}>", rig::address(name)));
        self.open.club.has_heard_from(name, &rig::address(name));
        self.moderate(&Intervention::Replace { seat: Seat::new(seat as u8 + 1), by }, step);
        wishes.iter().for_each(|wish| self.open.club.wants(name, wish));
        self.seated[seat] = name;
    }

    /// What is said and done around the game before its orders of this step.
    fn around(&mut self, step: u32, wishes: &[&str]) {
        let [ann, bob, cid] = self.seated;
        let club = &mut self.open.club;
        match step {
            2 | 17 => drop(club.writes(cid, &format!("say Mark{step} for all."))),
            3 => drop(club.writes(ann, &format!("tell {bob}: Mark{step}\nsay Mark{step}b"))),
            4 => self.moderate(&Intervention::Extend(Length::Days(2)), step),
            5 => self.moderate(&Intervention::Pause, step),
            6 => self.moderate(&Intervention::Resume, step),
            8 => drop(club.writes(bob, &format!("say Mark{step}\ntell {cid}: Mark{step}c"))),
            10 => {
                // Not every record is one that a game can go back to.
                let head = self.open.club.head();
                let mut back = |to| self.try_to(&Intervention::Rewind(to), step);
                assert!((2..8).any(|back_by| back(head - back_by)));
            }
            11 => self.replace(2, wishes, step),
            13 => {
                [ann, bob, cid].iter().for_each(|who| drop(club.writes(who, "vote extend 3 days")));
            }
            14 => drop(club.writes(bob, "vote pause")),
            15 => drop(club.writes(cid, "vote no")),
            16 => self.moderate(&Intervention::Announce, step),
            18 => self.replace(1, wishes, step),
            _ => {}
        }
    }

    /// Whoever is awaited knows what he knows, and orders.
    fn turn(&mut self, step: u32) -> bool {
        let session = process::open_game(self.context(), 1).expect("it opens");
        let Turn::Awaiting(seats) = session.table.turn() else { return false };
        for seat in seats {
            let name = self.seated[seat.index()];
            let known = self.known_to(name);
            self.known.insert((step, name), known);
            let dice = |n| Dice::new(&Seed::rehearsal(u64::from(step) + n), 0);
            let mut ahead = session.table.game().copy();
            let line = ahead.play_at_random(seat, &mut dice(1), &mut dice(2)).map(|(line, _)| line);
            self.open.club.writes(name, &line.expect("a line"));
        }
        if matches!(step, 7 | 9) {
            // What was ordered last is taken back, as far as it can be.
            self.open.pass();
            let mover = self.known.keys().last().map(|(_, name)| *name).expect("somebody");
            self.open.club.writes(mover, "undo");
        }
        true
    }

    fn played(game: &str, wishes: &[&str]) -> Self {
        let mut story = Self::begin(game, wishes);
        story.passes();
        for step in 1..=20 {
            story.around(step, wishes);
            story.passes();
            if !story.turn(step) {
                break;
            }
            story.passes();
        }
        story.moderate(&Intervention::End, 99);
        story.passes();
        for name in story.seated {
            let all = story.known_to(name);
            story.known.insert((99, name), all);
        }
        story
    }
}

/// The settings by which a player gets fewer letters.
const WISHES: [&[&str]; 4] = [
    &["letters turns"],
    &["letters digest"],
    &["letters turns", "letters digest 18:00"],
    &["letters digest 18:00"],
];

#[test]
fn paris_connection_few_letters_miss_nothing() {
    readers_of_few_letters_miss_nothing("paris-connection", &WISHES[..1]);
}

#[test]
fn trick_of_the_rails_few_letters_miss_nothing() {
    readers_of_few_letters_miss_nothing("trick-of-the-rails", &WISHES[1..3]);
}

#[test]
fn off_the_rails_few_letters_miss_nothing() {
    readers_of_few_letters_miss_nothing("off-the-rails", &WISHES[3..]);
}

/// Checks at each turn that players with each of these wishes know as much as players who get all
/// letters. A full run tries all wishes.
fn readers_of_few_letters_miss_nothing(game: &str, sample: &[&[&str]]) {
    let all = Story::played(game, &["letters all"]);
    assert!(all.known.len() > 20, "{game}: {}", all.known.len());
    let marks = all.known[&(99, "Ann")].iter().filter(|fact| fact.starts_with("Mark")).count();
    assert!(marks >= 10, "{game}: {marks}");
    for wishes in sample_or_all(sample, &WISHES) {
        let few = Story::played(game, wishes);
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
            (few.open.club.pigeon.posted.len(), all.open.club.pigeon.posted.len());
        let is_fewer = posted < before || *wishes == ["letters digest"];
        assert!(is_fewer && posted <= before, "{game} {wishes:?}: {posted} of {before}");
    }
}

/// A club with three games of Ann, Bob and Cid, whose first letters are out; Bob wants this.
fn three_games(clock: &str, wish: &str) -> Club {
    let mut club = Club::with(&format!("clock: {{deadline: {clock}}}\n"));
    for _ in 1..=3 {
        club.found(kind("paris-connection").expect("it ships"), 3, 7);
    }
    club.pass();
    club.wants("Bob", wish);
    club
}

/// Somebody answers his first letter of a game, and a pass reads it; how many letters it left to
/// wait, and those that Bob got.
fn writes(club: &mut Club, name: &str, game: usize, body: &str) -> (usize, Vec<rig::Posted>) {
    let seat = rig::NAMES.iter().position(|known| *known == name).expect("a player");
    let first = club.pigeon.posted[(game - 1) * 3 + seat].clone();
    club.arrives(club.reply_to(name, &first, body));
    bobs(club)
}

fn bobs(club: &mut Club) -> (usize, Vec<rig::Posted>) {
    let (report, letters) = club.pass();
    (report.waiting, all_to(&letters, "Bob").into_iter().cloned().collect())
}

const MOVE: &str = "build red G23, Troyes";

#[test]
fn a_digest_goes_once_a_day_at_its_time_with_the_least_time_left_first() {
    let mut club = three_games("20 days", "letters digest 20:15");
    // At 19:00 and 20:00; at 21:00 comes the first pass after the digest's time.
    for game in [2, 1] {
        let (waiting, letters) = writes(&mut club, "Ann", game, MOVE);
        assert!(waiting == 0 && letters.is_empty(), "it is owed, and kept for its time");
    }
    let (_, letters) = writes(&mut club, "Ann", 3, MOVE);
    assert_eq!(letters.len(), 1);
    let text = letters[0].text();
    let place = |game| text.find(&format!("games+{game}.2.2.")).expect("an address");
    assert!(place(2) < place(1) && place(1) < place(3), "{text}");
    assert!(bobs(&mut club).1.is_empty(), "nothing has come up since");
    // What is said now waits for the next evening, whatever passes are missed.
    assert!(writes(&mut club, "Cid", 2, "say Hello").1.is_empty());
    club.now += chrono::TimeDelta::hours(20);
    assert!(bobs(&mut club).1.is_empty(), "19:00");
    club.now += chrono::TimeDelta::days(3);
    let (_, letters) = bobs(&mut club);
    assert!(letters.len() == 1 && letters[0].says("Hello"), "{letters:?}");
    // The clock is his own: 20:15 is 19:15 here.
    club.wants("Bob", "zone Europe/Madrid");
    club.now = "2026-01-12T18:30:00Z".parse().expect("a time");
    assert!(writes(&mut club, "Cid", 1, "say Hello").1.is_empty());
    assert_eq!(bobs(&mut club).1.len(), 1);
}

#[test]
fn a_pass_that_brings_something_up_at_the_digests_time_takes_it_along() {
    let mut club = three_games("10 days", "letters digest 19:00");
    club.now += chrono::TimeDelta::seconds(20);
    assert_eq!(writes(&mut club, "Ann", 1, MOVE).1.len(), 1, "the first pass after its time");
    club.now -= chrono::TimeDelta::minutes(30);
    assert!(writes(&mut club, "Ann", 2, MOVE).1.is_empty(), "today's has left");
    club.now += chrono::TimeDelta::hours(23);
    assert_eq!(bobs(&mut club).1.len(), 1);
}

#[test]
fn what_cannot_wait_for_a_digest_comes_at_once_with_what_came_before_it() {
    let mut club = three_games("10 days", "letters digest 18:00");
    assert!(writes(&mut club, "Cid", 2, "say Hello").1.is_empty());
    assert!(writes(&mut club, "Cid", 3, "say Good evening").1.is_empty());
    let (_, letters) = writes(&mut club, "Bob", 2, "status");
    let told: String = letters.iter().map(rig::Posted::text).collect();
    assert!(told.contains("Hello") && !told.contains("Good evening"), "{told}");
    // A vote that asks him is open for longer, and one game is the moderator's business.
    assert!(writes(&mut club, "Cid", 1, "vote pause").1.is_empty());
    let rotate = Intervention::Rotate(Seat::new(2));
    process::moderate(&club.context(), 1, &rotate, "a slip").expect("it can be");
    let (_, letters) = bobs(&mut club);
    assert!(letters.len() == 1 && letters[0].says("vote no"), "{letters:?}");
    // Less than two days would be left of these.
    let mut club = three_games("60 hours", "letters digest 18:00");
    assert_eq!(writes(&mut club, "Ann", 1, MOVE).1.len(), 1, "60 - 23 hours");
    let mut club = three_games("60 hours", "letters digest 21:00");
    assert!(writes(&mut club, "Ann", 1, MOVE).1.is_empty(), "60 - 2 hours");
    assert!(bobs(&mut club).1.is_empty());
    assert_eq!(bobs(&mut club).1.len(), 1);
}

#[test]
fn nothing_that_is_owed_by_a_digest_stays_behind() {
    let asleep = || {
        let mut club = three_games("10 days", "letters digest 18:00");
        assert!(writes(&mut club, "Ann", 1, MOVE).1.is_empty());
        club
    };
    let mut club = asleep();
    club.wants("Bob", "letters each");
    assert_eq!(bobs(&mut club).1.len(), 1, "he wants no digest any more");
    let mut club = asleep();
    club.wants("Bob", "letters digest 19:30");
    assert_eq!(bobs(&mut club).1.len(), 1, "his time has come");
    let mut club = asleep();
    club.now -= chrono::TimeDelta::days(30);
    assert_eq!(bobs(&mut club).1.len(), 1, "the clock was ahead");
    let mut club = asleep();
    club.wants("Bob", "vacation 2026-01-06 to 2026-01-08");
    process::moderate(&club.context(), 1, &Intervention::End, "enough").expect("it can be");
    club.restored();
    club.now += chrono::TimeDelta::days(1);
    let (_, letters) = bobs(&mut club);
    assert!(letters.iter().any(|letter| letter.says("enough")), "{letters:?}");
    assert!(bobs(&mut club).1.is_empty());
}

#[test]
fn what_is_held_for_a_digest_ends_with_its_reader() {
    let asleep = || {
        let mut club = three_games("10 days", "letters digest 18:00");
        assert!(writes(&mut club, "Ann", 1, MOVE).1.is_empty());
        club
    };
    let outbox = |club: &Club| club.context().store.outbox_length().expect("it reads");
    let mut club = asleep();
    let by = Substitute::from("Eve <eve@example.org>");
    club.has_heard_from("Eve", "eve@example.org");
    let replace = Intervention::Replace { seat: Seat::new(2), by };
    process::moderate(&club.context(), 1, &replace, "Bob is ill").expect("it can be");
    let letters = club.pass().1;
    assert!(
        to(&letters, "Eve").says("G23") && all_to(&letters, "Bob").iter().all(|l| !l.says("G23"))
    );
    club.now += chrono::TimeDelta::days(1);
    let left = (bobs(&mut club).1, outbox(&club));
    assert!(left.0.is_empty() && left.1 == 0, "{left:?}");
    let mut club = asleep();
    writes(&mut club, "Bob", 2, "leave club yes");
    let left = (bobs(&mut club).1, outbox(&club));
    assert!(left.0.is_empty() && left.1 == 0, "{left:?}");
}

#[test]
fn a_pass_that_has_nothing_else_to_do_wakes_for_a_digest() {
    let mut club = three_games("10 days", "letters digest 20:40");
    writes(&mut club, "Ann", 1, MOVE);
    let context = club.context();
    let report = process::pass(&context, &mut club.pigeon).expect("the pass works");
    process::leave_idle_mark(&context, &report).expect("it is left");
    drop(context);
    let due = "2026-01-05T20:40:00Z".parse().expect("a time");
    let settings = process::read_settings(club.folder()).expect("they can be read");
    let idle = |now| {
        let idle = process::idle_pass(club.folder(), &settings, None, now).expect("it works");
        matches!(idle, Idle::Done(_))
    };
    assert!(idle(due - chrono::TimeDelta::minutes(1)) && !idle(due));
}

#[test]
fn a_player_can_want_more_or_fewer_letters_of_one_game() {
    let mut club = Club::paris("");
    club.wants("Bob", "letters turns");
    let refused = process::set_member(&club.context(), &rig::address("Bob"), "letters all here");
    assert!(refused.is_err(), "of which game?");
    club.writes("Bob", "letters all here\nsettings");
    let letters = club.pass().1;
    let told = to(&letters, "Bob");
    assert!(told.says("Letters about this game come whenever something happens in it."));
    assert!(told.says("In this game, letters come whenever it has moved"), "{}", told.text());
    club.writes("Cid", "say Hello");
    assert!(to(&club.pass().1, "Bob").says("Hello"));
    // It is the player's own: who takes the seat over has what he wants of all games.
    let by = "eve@example.org".into();
    club.has_heard_from("Eve", "eve@example.org");
    let replace = Intervention::Replace { seat: Seat::new(2), by };
    process::moderate(&club.context(), 1, &replace, "Bob is ill").expect("it can be");
    club.pass();
    let eve = club.member("Eve");
    assert_eq!(eve.letters, LetterStyle { turns: true, ..LetterStyle::default() });
    let seat = || process::open_game(&club.context(), 1).expect("it opens").seats[1].0.clone();
    assert_eq!(seat().letters, None);
    club.writes("Cid", "say Hello again");
    assert!(all_to(&club.pass().1, "Eve").is_empty(), "in her next one");
    for (line, wish) in [
        ("letters all here", Some(NewsWish::All)),
        ("letters turns here", Some(NewsWish::Turns)),
        ("letters as usual", None),
    ] {
        club.writes("Eve", line);
        club.pass();
        let seats = process::open_game(&club.context(), 1).expect("it opens").seats;
        assert_eq!(seats[1].0.letters, wish, "{line}");
    }
}

#[test]
fn a_new_member_gets_letters_for_his_turns_and_reads_once_how_to_get_all() {
    let mut club = Club::paris("");
    club.has_heard_from("Eve", "eve@example.org");
    let seat = Intervention::Replace { seat: Seat::new(3), by: "Eve <eve@example.org>".into() };
    process::moderate(&club.context(), 1, &seat, "Cid is ill").expect("it can be");
    let letters = club.pass().1;
    let how = "For a letter whenever something happens, write \"letters all\"";
    assert!(to(&letters, "Eve").says(how) && !to(&letters, "Ann").says(how), "{letters:?}");
    club.writes("Eve", "status");
    assert!(!to(&club.pass().1, "Eve").says(how));
    // What is said to all waits for her turn, also over the loss of the store; what is said to her
    // alone does not.
    club.writes("Bob", "say Hello");
    assert!(all_to(&club.pass().1, "Eve").is_empty());
    club.restored();
    club.pass();
    club.writes("Ann", MOVE);
    assert!(all_to(&club.pass().1, "Eve").is_empty());
    club.writes("Bob", "tell Eve: Psst");
    let letters = club.pass().1;
    let told = to(&letters, "Eve");
    assert!(told.says("Psst") && told.says("G23"), "{}", told.text());
    let heard = all_to(&club.pigeon.posted, "Eve").iter().filter(|l| l.says("Hello")).count();
    assert_eq!(heard, 1, "once, by whatever letter came first");
    club.writes("Ann", "say Bye");
    process::moderate(&club.context(), 1, &Intervention::End, "enough").expect("it can be");
    let letters = club.pass().1;
    assert!(to(&letters, "Eve").says("Bye"), "no other letter would tell her");
}

//! A club is moved to a database server and back, where tests are told of one: nobody can tell by
//! any letter, whatever the move was killed after, and what was left stays left.

use crate::rig::command::{program, run};
use crate::rig::{self, Club, Posted, all_to};
use crate::server::Schema;
use postrider::disk::ABORT_AFTER;
use postrider::games::kind;
use postrider::mail::transport::PostError;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const NOW: &str = "2026-01-06T18:00:00Z";
const SETTINGS: &str = "answers_per_hour: 2\nclock: {deadline: 20 days, nmr: wait}\n";
/// Fewer steps than a move has, and more.
const STEPS: std::ops::Range<u64> = 20..400;

/// A club in its folder, in mid-game: a private plan, a vote, somebody who watches, a digest that
/// is held, a letter that was postponed, answers that are used up, a letter in quarantine.
fn story() -> Club {
    let mut club = Club::in_its_folder(SETTINGS);
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.found(kind("trick-of-the-rails").expect("it ships"), 3, 2);
    club.found(kind("paris-connection").expect("it ships"), 4, 2);
    club.pass();
    let first = |club: &Club, place: usize| club.pigeon.posted[place].clone();
    club.wants("Cid", "letters turns");
    club.wants("Cid", "letters digest 06:00");
    let plan = club.reply_to("Bob", &first(&club, 4), "if led PRR play PRR 2");
    club.arrives(plan);
    let watch = club.reply("Dot", "watch 1");
    club.arrives(watch);
    club.pass();
    for n in 0..6 {
        let nonsense = club.reply("Ann", &format!("nonsense {n}"));
        club.arrives(nonsense.replace("ann-", &format!("ann{n}-")));
    }
    let order = club.reply_to("Ann", &first(&club, 0), "say Hello\nbuild red G23, Troyes");
    club.arrives(order);
    let vote = club.reply_to("Bob", &first(&club, 1), "vote extend 2 days");
    club.arrives(vote);
    let elsewhere = club.reply_to("Bob", &first(&club, 1), "build red G21");
    club.arrives(elsewhere.replace("bob@", "bob@work.").replace("bob-", "work-"));
    let later = PostError::Later("not now".to_owned());
    club.pigeon.fails_to.insert(rig::address("Bob"), later);
    let (report, _) = club.pass();
    club.pigeon.fails_to.clear();
    // His digest is looked at in the morning.
    club.now -= chrono::TimeDelta::minutes(50);
    assert!(report.waiting > 0 && club.in_quarantine() == 1, "{report:?}");
    let context = club.context();
    let room = context.store.room(1).expect("a room");
    assert!(!room.observers.is_empty() && !room.open_votes.is_empty(), "{room:?}");
    assert!(context.store.outbox_length().expect("an outbox") >= 2);
    assert!(context.store.unposted().expect("an outbox").iter().any(|(_, tried)| *tried > 0));
    drop(context);
    club
}

/// A club that is moved, and what club.yaml said at first.
struct Moving {
    club: Club,
    schema: Schema,
    before: String,
}

impl Moving {
    fn new(story: &Club) -> Self {
        let schema = Schema::needed();
        let club = Club::copy_of(story.folder(), story.now);
        schema.setting(club.folder());
        let before = fs::read_to_string(club.folder().join("club.yaml")).expect("settings");
        Self { club, schema, before }
    }

    fn there(&self) {
        there(self.club.folder());
    }

    fn back(&self) {
        back(self.club.folder(), &self.before);
    }

    /// A copy of it with a database of its own, which is empty where the club lies in its folder.
    fn copied(&self) -> (TempDir, Schema) {
        let folder = crate::common::folder();
        rig::copy(self.club.folder(), folder.path());
        let schema = match fs::read_to_string(folder.path().join("club.yaml")) {
            Ok(text) if text == self.before => Schema::needed(),
            _ => Schema::copy_of(self.club.folder()).expect("a server"),
        };
        schema.setting(folder.path());
        (folder, schema)
    }
}

/// Moves a club to its server, as its moderator does.
fn there(folder: &Path) {
    let (code, said) = run(folder, NOW, &["migrate", "--to", "database", "--name", "spring"]);
    assert_eq!(code, Some(0), "{said}");
    let lines = said.split_once("\nstore:\n").expect("the lines are said").1;
    refuses(folder, "the server that database names");
    let settings = fs::read_to_string(folder.join("club.yaml")).expect("settings");
    fs::write(folder.join("club.yaml"), format!("{settings}store:\n{lines}")).expect("written");
}

/// Moves it back into its folder; club.yaml says this again.
fn back(folder: &Path, settings: &str) {
    let (code, said) = run(folder, NOW, &["migrate", "--to", "."]);
    assert!(code == Some(0) && said.contains("Take `store`"), "{said}");
    refuses(folder, "its folder");
    fs::write(folder.join("club.yaml"), settings).expect("written");
}

/// Every command says where the club is, and does nothing.
fn refuses(folder: &Path, place: &str) {
    let sentence = format!("the club was moved to {place}, and nothing is done here any more");
    // Cron's tick tells the same once a day; who watches is told each time.
    for command in [&["list"][..], &["tick", "--verbose"], &["restore"], &["member", "list"]] {
        // A server may need a moment to see that the last command is gone, which held the club.
        let mut answers = (0..50).map(|_| run(folder, NOW, command));
        let answer = answers.find(|(code, _)| *code != Some(75));
        let (code, said) = answer.expect("the club is free again");
        assert!(code == Some(78) && said.contains(&sentence), "{command:?}: {code:?} {said}");
    }
}

/// A whole journal of a club, file by file.
fn journal(folder: &Path) -> BTreeMap<PathBuf, String> {
    let to = crate::common::folder();
    let (code, said) = run(folder, NOW, &["journal", &to.path().to_string_lossy()]);
    assert_eq!(code, Some(0), "{said}");
    let games = fs::read_dir(to.path().join("games")).expect("games");
    let games = games.map(|file| file.expect("a file").path());
    let others = ["club.jsonl", "present.jsonl"].map(|name| to.path().join(name));
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a file");
        (path.strip_prefix(to.path()).expect("inside").to_owned(), text)
    };
    games.chain(others).map(read).collect()
}

#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn a_club_comes_back_as_it_went_as_often_as_one_likes() {
    let story = story();
    let moving = Moving::new(&story);
    let folder = moving.club.folder();
    let before = journal(folder);
    for _ in 0..2 {
        moving.there();
        assert_eq!(journal(folder), before);
        assert!(!folder.join("journal").exists(), "nobody is to go back to it");
        moving.back();
        assert_eq!(journal(folder), before);
    }
    // The old store on the server stays left.
    let there = moving.before.clone() + &moving.schema.setting(folder);
    fs::write(folder.join("club.yaml"), there.replace("test}}", "spring}}")).expect("ours");
    refuses(folder, "its folder");
    fs::write(folder.join("club.yaml"), &moving.before).expect("written");
    let (code, said) = run(folder, NOW, &["doctor", "--all"]);
    assert!(said.contains("ok    journal"), "{code:?} {said}");
}

/// What a pass posts once these have come.
fn posted(club: &mut Club, letters: &[String]) -> Vec<Posted> {
    letters.iter().for_each(|letter| drop(club.arrives(letter)));
    club.pass().1
}

#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn nobody_can_tell_by_any_letter_that_his_club_was_moved() {
    let story = story();
    let mut moving = Moving::new(&story);
    let mut twin = Club::copy_of(story.folder(), story.now);
    let first = |place: usize| &story.pigeon.posted[place];
    let same = |moved: &[Posted], twin: &[Posted]| {
        let all = |letters: &[Posted]| -> Vec<(String, String)> {
            letters.iter().map(|letter| (letter.to.clone(), letter.raw())).collect()
        };
        assert_eq!(all(moved), all(twin));
    };
    moving.there();
    // What is used up stays used up, and what was put off is not forgotten.
    let nonsense = story.reply("Ann", "nonsense 7").replace("ann-", "ann7-");
    let agrees = story.reply_to("Cid", first(2), "vote extend 2 days");
    let mail = [nonsense, agrees];
    let (here, there) = (posted(&mut twin, &mail), posted(&mut moving.club, &mail));
    same(&there, &here);
    assert!(all_to(&there, "Ann").iter().all(|letter| !letter.says("nonsense")), "{there:?}");
    let mut all = there.len();
    for _ in 0..6 {
        let (here, there) = (posted(&mut twin, &[]), posted(&mut moving.club, &[]));
        same(&there, &here);
        all += there.len();
    }
    // Letters that wait on the server, and one that is held there, come back with the club.
    let elsewhere = story.reply_to("Cid", first(2), "build red G21").replace("cid@", "cid@work.");
    let mail = [elsewhere];
    let (here, there) = (posted(&mut twin, &mail), posted(&mut moving.club, &mail));
    same(&there, &here);
    assert_eq!((moving.club.in_quarantine(), twin.in_quarantine()), (2, 2));
    moving.back();
    assert_eq!((moving.club.in_quarantine(), twin.in_quarantine()), (2, 2));
    let led = story.reply_to("Ann", first(3), "lead PRR 5").replace("ann-", "led-");
    let order = story.reply_to("Bob", first(1), "build red G21").replace("bob-", "order-");
    let note = story.reply("Ann", "nonsense 8").replace("ann-", "ann8-");
    let mail = [led, order, note];
    let (here, there) = (posted(&mut twin, &mail), posted(&mut moving.club, &mail));
    same(&there, &here);
    assert!(all > 1 && !there.is_empty(), "letters were posted");
    for _ in 0..30 {
        same(&posted(&mut moving.club, &[]), &posted(&mut twin, &[]));
    }
    assert_eq!(journal_of_games(&moving.club), journal_of_games(&twin));
}

/// The games' logs.
fn journal_of_games(club: &Club) -> Vec<Vec<String>> {
    let context = club.context();
    let games = context.store.games().expect("games").into_iter();
    games.map(|game| context.store.log(game).expect("a log")).collect()
}

/// Kills a move after each of its steps in turn, and gives what was left to `check`.
fn killed(moving: &Moving, command: &[&str], check: impl Fn(&Path, u64)) {
    for step in 1..STEPS.end {
        let (folder, _schema) = moving.copied();
        let mut killed = program(folder.path(), NOW);
        killed.env(ABORT_AFTER, step.to_string());
        let code = killed.args(command).output().expect("it runs").status.code();
        check(folder.path(), step);
        if code == Some(0) {
            assert!(step > STEPS.start, "only {step} kill points");
            return;
        }
        assert_eq!(code, None, "step {step}");
    }
    panic!("the move has more than {} steps", STEPS.end);
}

#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn a_move_that_is_killed_after_any_step_is_made_by_the_next_one() {
    let story = story();
    let mut moving = Moving::new(&story);
    let before = journal(moving.club.folder());
    killed(&moving, &["migrate", "--to", "database", "--name", "spring"], |folder, step| {
        there(folder);
        assert_eq!(journal(folder), before, "killed after {step}");
    });
    moving.there();
    // A letter is held there, and one waits that no pass has dealt with.
    let first = |place: usize| &story.pigeon.posted[place];
    let held = story.reply_to("Cid", first(2), "build red G21").replace("cid@", "cid@work.");
    posted(&mut moving.club, &[held]);
    moving.schema.hand_in("spring", "1767722400.1.waits", "From: x@example.net\r\n\r\nhello\r\n");
    let before = journal(moving.club.folder());
    let settings = moving.before.clone();
    killed(&moving, &["migrate", "--to", "."], |folder, step| {
        back(folder, &settings);
        assert_eq!(journal(folder), before, "killed after {step}");
        let lying = |part: &str| fs::read_dir(folder.join(part)).expect("a folder").count();
        let waits = fs::read_to_string(folder.join("inbox/new/1767722400.1.waits"));
        assert!(waits.expect("it came back").contains("hello"), "killed after {step}");
        assert_eq!(lying("inbox/new"), 1, "killed after {step}");
        assert_eq!(lying("inbox/.quarantine/cur"), 2, "killed after {step}");
    });
}

#[cfg(feature = "postgres")]
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn a_club_is_not_moved_to_where_something_is_nor_away_from_somebody_at_work() {
    let story = story();
    let moving = Moving::new(&story);
    let folder = moving.club.folder();
    let migrate = |to: &[&str]| run(folder, NOW, &[&["migrate", "--to"], to].concat());
    let (code, said) = migrate(&["."]);
    assert!(code == Some(64) && said.contains("there already"), "{said}");
    let open = moving.club.context();
    let (code, said) = migrate(&["database"]);
    assert!(code == Some(75) && said.contains("another pass"), "{said}");
    drop(open);
    let other = moving.schema.store("taken");
    let at = "2026-01-01T00:00:00Z".parse().expect("a time");
    let seen = postrider::store::SeenLetter { at, game: None, seq: None };
    let member = postrider::club::Member { id: 1, ..postrider::club::Member::default() };
    let batch = postrider::store::Batch {
        seen_letters: vec![([7; 16], seen)],
        members: vec![member],
        ..postrider::store::Batch::default()
    };
    postrider::store::GameStore::write(&other, &batch).expect("written");
    drop(other);
    let (code, said) = migrate(&["database", "--name", "taken"]);
    assert!(code == Some(78) && said.contains("another secret"), "{said}");
    moving.there();
    let open = moving.club.context();
    let (code, said) = migrate(&["."]);
    assert!(code == Some(75) && said.contains("another pass"), "{said}");
    drop(open);
    let (code, said) = migrate(&["database", "--name", "spring"]);
    assert!(code == Some(64) && said.contains("there already"), "{said}");
    // From one place on a server to another.
    let (code, said) = migrate(&["database", "--name", "summer"]);
    assert!(code == Some(0) && said.contains("club: \"summer\""), "{said}");
    refuses(folder, "the server that database names");
}

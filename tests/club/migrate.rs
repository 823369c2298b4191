//! A club is moved to a database server and back, where tests are told of one: nobody can tell by
//! any letter, whatever the move was killed after, and what was left stays left.

use crate::rig::postrider_program::{postrider_command, run_postrider};
use crate::rig::{self, Club, PostedLetter, letters_to};
use crate::server::Schema;
use postrider::disk::ABORT_AFTER_VARIABLE;
use postrider::games::find_kind;
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
fn prepare_busy_club() -> Club {
    let mut club = Club::with_local_store(SETTINGS);
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.start_game(find_kind("trick-of-the-rails").expect("it ships"), 3, 2);
    club.start_game(find_kind("paris-connection").expect("it ships"), 4, 2);
    club.run_pass();
    let first = |club: &Club, place: usize| club.transport.posted[place].clone();
    club.set_preference("Cid", "letters turns");
    club.set_preference("Cid", "letters digest 06:00");
    let plan = club.compose_reply_to("Bob", &first(&club, 4), "if led PRR play PRR 2");
    club.deliver(plan);
    let watch = club.compose_reply("Dot", "watch 1");
    club.deliver(watch);
    club.run_pass();
    for n in 0..6 {
        let nonsense = club.compose_reply("Ann", &format!("nonsense {n}"));
        club.deliver(nonsense.replace("ann-", &format!("ann{n}-")));
    }
    let order = club.compose_reply_to("Ann", &first(&club, 0), "say Hello\nbuild red G23, Troyes");
    club.deliver(order);
    let vote = club.compose_reply_to("Bob", &first(&club, 1), "vote extend 2 days");
    club.deliver(vote);
    let elsewhere = club.compose_reply_to("Bob", &first(&club, 1), "build red G21");
    club.deliver(elsewhere.replace("bob@", "bob@work.").replace("bob-", "work-"));
    let later = PostError::Temporary("not now".to_owned());
    club.transport.errors_by_address.insert(rig::address("Bob"), later);
    let (report, _) = club.run_pass();
    club.transport.errors_by_address.clear();
    // His digest is looked at in the morning.
    club.now -= chrono::TimeDelta::minutes(50);
    assert!(report.queued_letters > 0 && club.quarantined_count() == 1, "{report:?}");
    let context = club.open_context();
    let room = context.store.game_info(1).expect("a room");
    assert!(!room.observers.is_empty() && !room.open_votes.is_empty(), "{room:?}");
    assert!(context.store.outbox_length().expect("an outbox") >= 2);
    assert!(
        context.store.failed_deliveries().expect("an outbox").iter().any(|(_, tried)| *tried > 0)
    );
    drop(context);
    club
}

/// A club that is moved, and what club.yaml said at first.
struct MigratingClub {
    club: Club,
    schema: Schema,
    original_settings: String,
}

impl MigratingClub {
    fn new(story: &Club) -> Self {
        let schema = Schema::needed();
        let club = Club::copy_from(story.folder(), story.now);
        schema.setting(club.folder());
        let before = fs::read_to_string(club.folder().join("club.yaml")).expect("settings");
        Self { club, schema, original_settings: before }
    }

    fn move_to_server(&self) {
        move_to_server(self.club.folder());
    }

    fn move_to_folder(&self) {
        move_to_folder(self.club.folder(), &self.original_settings);
    }

    /// A copy of it with a database of its own, which is empty where the club lies in its folder.
    fn copy_with_database(&self) -> (TempDir, Schema) {
        let folder = crate::common::folder();
        rig::copy_folder(self.club.folder(), folder.path());
        let schema = match fs::read_to_string(folder.path().join("club.yaml")) {
            Ok(text) if text == self.original_settings => Schema::needed(),
            _ => Schema::copy_of(self.club.folder()).expect("a server"),
        };
        schema.setting(folder.path());
        (folder, schema)
    }
}

/// Moves a club to its server, as its moderator does.
fn move_to_server(folder: &Path) {
    let (code, said) =
        run_postrider(folder, NOW, &["migrate", "--to", "database", "--name", "spring"]);
    assert_eq!(code, Some(0), "{said}");
    let lines = said.split_once("\nstore:\n").expect("the lines are said").1;
    assert_commands_refuse(folder, "the server that database names");
    let settings = fs::read_to_string(folder.join("club.yaml")).expect("settings");
    fs::write(folder.join("club.yaml"), format!("{settings}store:\n{lines}")).expect("written");
}

/// Moves it back into its folder; club.yaml says this again.
fn move_to_folder(folder: &Path, settings: &str) {
    let (code, said) = run_postrider(folder, NOW, &["migrate", "--to", "."]);
    assert!(code == Some(0) && said.contains("Remove `store`"), "{said}");
    assert_commands_refuse(folder, "its folder");
    fs::write(folder.join("club.yaml"), settings).expect("written");
}

/// Every command says where the club is, and does nothing.
fn assert_commands_refuse(folder: &Path, place: &str) {
    let sentence = format!("the club was moved to {place}, so nothing is processed here");
    // Cron's tick tells the same once a day; who watches is told each time.
    for command in [&["list"][..], &["tick", "--verbose"], &["restore"], &["member", "list"]] {
        // A server may need a moment to see that the last command is gone, which held the club.
        let mut answers = (0..50).map(|_| run_postrider(folder, NOW, command));
        let answer = answers.find(|(code, _)| *code != Some(75));
        let (code, said) = answer.expect("the club is free again");
        assert!(code == Some(78) && said.contains(&sentence), "{command:?}: {code:?} {said}");
    }
}

/// A whole journal of a club, file by file.
fn export_journal(folder: &Path) -> BTreeMap<PathBuf, String> {
    let to = crate::common::folder();
    let (code, said) = run_postrider(folder, NOW, &["journal", &to.path().to_string_lossy()]);
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
fn repeated_migration_there_and_back_keeps_club() {
    let story = prepare_busy_club();
    let moving = MigratingClub::new(&story);
    let folder = moving.club.folder();
    let before = export_journal(folder);
    for _ in 0..2 {
        moving.move_to_server();
        assert_eq!(export_journal(folder), before);
        assert!(!folder.join("journal").exists(), "nobody is to go back to it");
        moving.move_to_folder();
        assert_eq!(export_journal(folder), before);
    }
    // The old store on the server stays left.
    let there = moving.original_settings.clone() + &moving.schema.setting(folder);
    fs::write(folder.join("club.yaml"), there.replace("test}}", "spring}}")).expect("ours");
    assert_commands_refuse(folder, "its folder");
    fs::write(folder.join("club.yaml"), &moving.original_settings).expect("written");
    let (code, said) = run_postrider(folder, NOW, &["doctor", "--all"]);
    assert!(said.contains("ok    journal"), "{code:?} {said}");
}

/// What a pass posts once these have come.
fn deliver_and_post(club: &mut Club, letters: &[String]) -> Vec<PostedLetter> {
    letters.iter().for_each(|letter| drop(club.deliver(letter)));
    club.run_pass().1
}

#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn migration_changes_no_letter() {
    let story = prepare_busy_club();
    let mut moving = MigratingClub::new(&story);
    let mut twin = Club::copy_from(story.folder(), story.now);
    let first = |place: usize| &story.transport.posted[place];
    let assert_same_letters = |moved: &[PostedLetter], twin: &[PostedLetter]| {
        let all = |letters: &[PostedLetter]| -> Vec<(String, String)> {
            letters.iter().map(|letter| (letter.to.clone(), letter.raw())).collect()
        };
        assert_eq!(all(moved), all(twin));
    };
    moving.move_to_server();
    // What is used up stays used up, and what was put off is not forgotten.
    let nonsense = story.compose_reply("Ann", "nonsense 7").replace("ann-", "ann7-");
    let agrees = story.compose_reply_to("Cid", first(2), "vote extend 2 days");
    let mail = [nonsense, agrees];
    let (here, there) =
        (deliver_and_post(&mut twin, &mail), deliver_and_post(&mut moving.club, &mail));
    assert_same_letters(&there, &here);
    assert!(
        letters_to(&there, "Ann").iter().all(|letter| !letter.contains("nonsense")),
        "{there:?}"
    );
    let mut all = there.len();
    for _ in 0..6 {
        let (here, there) =
            (deliver_and_post(&mut twin, &[]), deliver_and_post(&mut moving.club, &[]));
        assert_same_letters(&there, &here);
        all += there.len();
    }
    // Letters that wait on the server, and one that is held there, come back with the club.
    let elsewhere =
        story.compose_reply_to("Cid", first(2), "build red G21").replace("cid@", "cid@work.");
    let mail = [elsewhere];
    let (here, there) =
        (deliver_and_post(&mut twin, &mail), deliver_and_post(&mut moving.club, &mail));
    assert_same_letters(&there, &here);
    assert_eq!((moving.club.quarantined_count(), twin.quarantined_count()), (2, 2));
    moving.move_to_folder();
    assert_eq!((moving.club.quarantined_count(), twin.quarantined_count()), (2, 2));
    let led = story.compose_reply_to("Ann", first(3), "lead PRR 5").replace("ann-", "led-");
    let order = story.compose_reply_to("Bob", first(1), "build red G21").replace("bob-", "order-");
    let note = story.compose_reply("Ann", "nonsense 8").replace("ann-", "ann8-");
    let mail = [led, order, note];
    let (here, there) =
        (deliver_and_post(&mut twin, &mail), deliver_and_post(&mut moving.club, &mail));
    assert_same_letters(&there, &here);
    assert!(all > 1 && !there.is_empty(), "letters were posted");
    for _ in 0..30 {
        assert_same_letters(
            &deliver_and_post(&mut moving.club, &[]),
            &deliver_and_post(&mut twin, &[]),
        );
    }
    assert_eq!(read_game_logs(&moving.club), read_game_logs(&twin));
}

/// The games' logs.
fn read_game_logs(club: &Club) -> Vec<Vec<String>> {
    let context = club.open_context();
    let games = context.store.games().expect("games").into_iter();
    games.map(|game| context.store.log(game).expect("a log")).collect()
}

/// Kills a move after each of its steps in turn, and gives what was left to `check`.
fn kill_migration_at_each_step(
    moving: &MigratingClub,
    command: &[&str],
    check: impl Fn(&Path, u64),
) {
    for step in 1..STEPS.end {
        let (folder, _schema) = moving.copy_with_database();
        let mut killed = postrider_command(folder.path(), NOW);
        killed.env(ABORT_AFTER_VARIABLE, step.to_string());
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
fn killed_migration_is_completed_by_next_one() {
    let story = prepare_busy_club();
    let mut moving = MigratingClub::new(&story);
    let before = export_journal(moving.club.folder());
    kill_migration_at_each_step(
        &moving,
        &["migrate", "--to", "database", "--name", "spring"],
        |folder, step| {
            move_to_server(folder);
            assert_eq!(export_journal(folder), before, "killed after {step}");
        },
    );
    moving.move_to_server();
    // A letter is held there, and one waits that no pass has dealt with.
    let first = |place: usize| &story.transport.posted[place];
    let held =
        story.compose_reply_to("Cid", first(2), "build red G21").replace("cid@", "cid@work.");
    deliver_and_post(&mut moving.club, &[held]);
    moving.schema.hand_in("spring", "1767722400.1.waits", "From: x@example.net\r\n\r\nhello\r\n");
    let before = export_journal(moving.club.folder());
    let settings = moving.original_settings.clone();
    kill_migration_at_each_step(&moving, &["migrate", "--to", "."], |folder, step| {
        move_to_folder(folder, &settings);
        assert_eq!(export_journal(folder), before, "killed after {step}");
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
fn migration_refuses_occupied_target_or_running_pass() {
    let story = prepare_busy_club();
    let moving = MigratingClub::new(&story);
    let folder = moving.club.folder();
    let migrate = |to: &[&str]| run_postrider(folder, NOW, &[&["migrate", "--to"], to].concat());
    let (code, said) = migrate(&["."]);
    assert!(code == Some(64) && said.contains("already there"), "{said}");
    let open = moving.club.open_context();
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
    moving.move_to_server();
    let open = moving.club.open_context();
    let (code, said) = migrate(&["."]);
    assert!(code == Some(75) && said.contains("another pass"), "{said}");
    drop(open);
    let (code, said) = migrate(&["database", "--name", "spring"]);
    assert!(code == Some(64) && said.contains("already there"), "{said}");
    // From one place on a server to another.
    let (code, said) = migrate(&["database", "--name", "summer"]);
    assert!(code == Some(0) && said.contains("club: \"summer\""), "{said}");
    assert_commands_refuse(folder, "the server that database names");
}

//! The migration of a club to a database server and back. It changes no letter and can be killed
//! after any step. Afterwards, the commands refuse to work at the old place.

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
/// A lower and an upper limit for the number of steps of a migration.
const STEPS: std::ops::Range<u64> = 20..400;

/// Returns a club in its folder, in mid-game. It has a private plan, a vote, an observer, a held
/// digest, a deferred letter, used-up answers, and a letter in quarantine.
fn prepare_busy_club() -> Club {
    let mut club = Club::with_local_store(SETTINGS);
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.start_game(find_kind("trick-of-the-rails").expect("it ships"), 3, 2);
    club.start_game(find_kind("paris-connection").expect("it ships"), 4, 2);
    club.run_pass();
    let first = |club: &Club, index: usize| club.transport.posted[index].clone();
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
    let quarantined = club.compose_reply_to("Bob", &first(&club, 1), "build red G21");
    club.deliver(quarantined.replace("bob@", "bob@work.").replace("bob-", "work-"));
    let error = PostError::Temporary("not now".to_owned());
    club.transport.errors_by_address.insert(rig::address("Bob"), error);
    let (report, _) = club.run_pass();
    club.transport.errors_by_address.clear();
    // From here on, passes run ten minutes past each hour. Cid's digest is due at 06:00.
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

/// A club that is migrated, and its first club.yaml.
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

    fn migrate_to_server(&self) {
        move_to_server(self.club.folder());
    }

    fn migrate_to_folder(&self) {
        move_to_folder(self.club.folder(), &self.original_settings);
    }

    /// Copies the folder, with a database that is empty unless the club is on its server.
    fn copy_with_database(&self) -> (TempDir, Schema) {
        let folder = postrider::testing::create_folder();
        rig::copy_folder(self.club.folder(), folder.path());
        let schema = match fs::read_to_string(folder.path().join("club.yaml")) {
            Ok(text) if text == self.original_settings => Schema::needed(),
            _ => Schema::copy_of(self.club.folder()).expect("a server"),
        };
        schema.setting(folder.path());
        (folder, schema)
    }
}

fn move_to_server(folder: &Path) {
    let (code, said) =
        run_postrider(folder, NOW, &["migrate", "--to", "database", "--name", "spring"]);
    assert_eq!(code, Some(0), "{said}");
    let lines = said.split_once("\nstore:\n").expect("the lines are said").1;
    assert_commands_refuse(folder, "the server that database names");
    let settings = fs::read_to_string(folder.join("club.yaml")).expect("settings");
    fs::write(folder.join("club.yaml"), format!("{settings}store:\n{lines}")).expect("written");
}

/// Migrates the club back into its folder and restores this club.yaml.
fn move_to_folder(folder: &Path, settings: &str) {
    let (code, said) = run_postrider(folder, NOW, &["migrate", "--to", "."]);
    assert!(code == Some(0) && said.contains("Remove `store`"), "{said}");
    assert_commands_refuse(folder, "its folder");
    fs::write(folder.join("club.yaml"), settings).expect("written");
}

/// Checks that every command only reports where the club is now.
fn assert_commands_refuse(folder: &Path, place: &str) {
    let sentence = format!("the club was moved to {place}, so nothing is processed here");
    // A `tick` by cron reports this once a day. With `--verbose`, it reports this every time.
    for command in [&["list"][..], &["tick", "--verbose"], &["restore"], &["member", "list"]] {
        // The server may notice late that the connection of the last command has ended.
        let mut answers = (0..50).map(|_| run_postrider(folder, NOW, command));
        let answer = answers.find(|(code, _)| *code != Some(75));
        let (code, output) = answer.expect("the club is free again");
        assert!(code == Some(78) && output.contains(&sentence), "{command:?}: {code:?} {output}");
    }
}

fn export_journal(folder: &Path) -> BTreeMap<PathBuf, String> {
    let to = postrider::testing::create_folder();
    let (code, output) = run_postrider(folder, NOW, &["journal", &to.path().to_string_lossy()]);
    assert_eq!(code, Some(0), "{output}");
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
        moving.migrate_to_server();
        assert_eq!(export_journal(folder), before);
        assert!(!folder.join("journal").exists(), "nobody should go back to the old journal");
        moving.migrate_to_folder();
        assert_eq!(export_journal(folder), before);
    }
    // The club stays unusable at its old place on the server.
    let server_settings = moving.original_settings.clone() + &moving.schema.setting(folder);
    fs::write(folder.join("club.yaml"), server_settings.replace("test}}", "spring}}"))
        .expect("ours");
    assert_commands_refuse(folder, "its folder");
    fs::write(folder.join("club.yaml"), &moving.original_settings).expect("written");
    let (code, output) = run_postrider(folder, NOW, &["doctor", "--all"]);
    assert!(output.contains("ok    journal"), "{code:?} {output}");
}

fn deliver_and_run_pass(club: &mut Club, letters: &[String]) -> Vec<PostedLetter> {
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
    moving.migrate_to_server();
    // The server has kept the used-up answers and the deferred letters.
    let nonsense = story.compose_reply("Ann", "nonsense 7").replace("ann-", "ann7-");
    let agrees = story.compose_reply_to("Cid", first(2), "vote extend 2 days");
    let mail = [nonsense, agrees];
    let (here, there) =
        (deliver_and_run_pass(&mut twin, &mail), deliver_and_run_pass(&mut moving.club, &mail));
    assert_same_letters(&there, &here);
    assert!(
        letters_to(&there, "Ann").iter().all(|letter| !letter.contains("nonsense")),
        "{there:?}"
    );
    let mut all = there.len();
    for _ in 0..6 {
        let (here, there) =
            (deliver_and_run_pass(&mut twin, &[]), deliver_and_run_pass(&mut moving.club, &[]));
        assert_same_letters(&there, &here);
        all += there.len();
    }
    // A letter in quarantine on the server returns with the club.
    let elsewhere =
        story.compose_reply_to("Cid", first(2), "build red G21").replace("cid@", "cid@work.");
    let mail = [elsewhere];
    let (here, there) =
        (deliver_and_run_pass(&mut twin, &mail), deliver_and_run_pass(&mut moving.club, &mail));
    assert_same_letters(&there, &here);
    assert_eq!((moving.club.quarantined_count(), twin.quarantined_count()), (2, 2));
    moving.migrate_to_folder();
    assert_eq!((moving.club.quarantined_count(), twin.quarantined_count()), (2, 2));
    let led = story.compose_reply_to("Ann", first(3), "lead PRR 5").replace("ann-", "led-");
    let order = story.compose_reply_to("Bob", first(1), "build red G21").replace("bob-", "order-");
    let note = story.compose_reply("Ann", "nonsense 8").replace("ann-", "ann8-");
    let mail = [led, order, note];
    let (here, there) =
        (deliver_and_run_pass(&mut twin, &mail), deliver_and_run_pass(&mut moving.club, &mail));
    assert_same_letters(&there, &here);
    assert!(all > 1 && !there.is_empty(), "letters were posted");
    for _ in 0..30 {
        assert_same_letters(
            &deliver_and_run_pass(&mut moving.club, &[]),
            &deliver_and_run_pass(&mut twin, &[]),
        );
    }
    assert_eq!(read_game_logs(&moving.club), read_game_logs(&twin));
}

fn read_game_logs(club: &Club) -> Vec<Vec<String>> {
    let context = club.open_context();
    let games = context.store.game_numbers().expect("games").into_iter();
    games.map(|game| context.store.game_log_lines(game).expect("a log")).collect()
}

/// Kills a migration after each of its steps, in one copy of the club each. Calls `check` with the
/// folder and the step.
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
    moving.migrate_to_server();
    // The club has one letter in quarantine, and one that no pass has read.
    let first = |place: usize| &story.transport.posted[place];
    let held =
        story.compose_reply_to("Cid", first(2), "build red G21").replace("cid@", "cid@work.");
    deliver_and_run_pass(&mut moving.club, &[held]);
    moving.schema.hand_in("spring", "1767722400.1.waits", "From: x@example.net\r\n\r\nhello\r\n");
    let before = export_journal(moving.club.folder());
    let settings = moving.original_settings.clone();
    kill_migration_at_each_step(&moving, &["migrate", "--to", "."], |folder, step| {
        move_to_folder(folder, &settings);
        assert_eq!(export_journal(folder), before, "killed after {step}");
        let count_files = |part: &str| fs::read_dir(folder.join(part)).expect("a folder").count();
        let unread_letter = fs::read_to_string(folder.join("inbox/new/1767722400.1.waits"));
        assert!(unread_letter.expect("it came back").contains("hello"), "killed after {step}");
        assert_eq!(count_files("inbox/new"), 1, "killed after {step}");
        assert_eq!(count_files("inbox/.quarantine/cur"), 2, "killed after {step}");
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
    let (code, output) = migrate(&["."]);
    assert!(code == Some(64) && output.contains("already there"), "{output}");
    let open = moving.club.open_context();
    let (code, output) = migrate(&["database"]);
    assert!(code == Some(75) && output.contains("another pass"), "{output}");
    drop(open);
    let other = moving.schema.store("taken");
    let at = "2026-01-01T00:00:00Z".parse().expect("a time");
    let seen = postrider::store::SeenLetter { at, game: None, seq: None, of_member: None };
    let member = postrider::club::Member { id: 1, ..postrider::club::Member::default() };
    let batch = postrider::store::Batch {
        seen_letters: vec![([7; 16], seen)],
        members: vec![member],
        ..postrider::store::Batch::default()
    };
    postrider::store::GameStore::write_without_conflict_check(&other, &batch).expect("written");
    drop(other);
    let (code, output) = migrate(&["database", "--name", "taken"]);
    assert!(code == Some(78) && output.contains("another secret"), "{output}");
    moving.migrate_to_server();
    let open = moving.club.open_context();
    let (code, output) = migrate(&["."]);
    assert!(code == Some(75) && output.contains("another pass"), "{output}");
    drop(open);
    let (code, output) = migrate(&["database", "--name", "spring"]);
    assert!(code == Some(64) && output.contains("already there"), "{output}");
    // A club can also migrate from one name on a server to another.
    let (code, output) = migrate(&["database", "--name", "summer"]);
    assert!(code == Some(0) && output.contains("club: \"summer\""), "{output}");
    assert_commands_refuse(folder, "the server that database names");
}

//! A club in a temporary folder: letters in, passes, letters out as files, and commands.

use super::drawn_setup::{DrawnSetup, MODERATOR, NAMES, OBSERVER, address};
use super::game_course::CourseStep;
use chrono::{DateTime, TimeDelta, Utc};
use postrider::cli::{self, Environment};
use postrider::mail::Maildir;
use postrider::process::{self, Context, FoundingResult, GameTerms, Player};
use postrider::rules::Seed;
use postrider::table::{Cause, GameSetup, OrderLine, QueuedOrders, Submission, Table, Verdict};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The number of the game that is compared.
pub const GAME: u32 = 1;

/// A letter that the club has sent.
#[derive(Clone, Debug)]
pub struct PostedLetter {
    /// The name of its file.
    pub name: String,
    /// The recipient's address.
    pub to: String,
    /// The complete letter.
    pub text: String,
}

impl PostedLetter {
    /// Returns a header of the letter, unfolded.
    pub fn header(&self, name: &str) -> Option<String> {
        let head = self.text.split("\n\n").next()?.replace("\n ", " ");
        let of = format!("{name}: ");
        head.lines().find_map(|line| line.strip_prefix(&of)).map(str::to_owned)
    }
}

/// A club, its simulated time, and its sent letters.
pub struct TwinClub {
    home: TempDir,
    /// The simulated time.
    pub now: DateTime<Utc>,
    /// The sent letters, pass by pass, and by file name within a pass.
    pub posted: Vec<PostedLetter>,
}

impl TwinClub {
    /// Founds the club of a setup with its games, the observer and all settings, and writes its
    /// journal. No pass has run yet.
    pub fn found_with_setup(drawn: &DrawnSetup, now: DateTime<Utc>) -> Self {
        let club = Self::create_empty(drawn, now);
        let players: Vec<Player> =
            NAMES.into_iter().take(drawn.seats.into()).map(player_named).collect();
        let context = club.open_context();
        let setup = GameSetup {
            kind: drawn.kind,
            definition: drawn.kind.shipped_definition(),
            options: &drawn.options,
            seats: drawn.seats,
        };
        let terms =
            GameTerms { hints: drawn.seed.is_multiple_of(2), ..GameTerms::default_for(&context) };
        let seed = Seed::from_number(drawn.seed);
        match process::found_with_terms(&context, setup, &players, &seed, &terms) {
            Ok(FoundingResult::Game(GAME)) => {}
            _ => panic!("the game is not founded"),
        }
        if let Some(kind) = drawn.second_game {
            let (definition, options) = (kind.shipped_definition(), &BTreeMap::new());
            let setup = GameSetup { kind, definition, options, seats: drawn.seats };
            let founded =
                process::found_game(&context, setup, &players, &Seed::from_number(!drawn.seed));
            assert!(
                matches!(founded, Ok(FoundingResult::Game(_))),
                "the second game is not founded"
            );
        }
        let watcher = format!("{OBSERVER} <{}>", address(OBSERVER));
        let Ok(member) = process::add_member(&context, &watcher, false) else {
            panic!("the observer cannot watch")
        };
        assert!(
            process::run_lobby_line_for_member(&context, &member, "watch 1").is_ok(),
            "the observer cannot watch"
        );
        for (name, line) in &drawn.styles {
            let changed = process::change_member_setting(&context, &address(name), line);
            assert!(changed.is_ok(), "{name}: {line}");
        }
        context.store.update_journal(&context.journal_folder()).expect("a journal");
        drop(context);
        club
    }

    /// Restores a copy of this club from its journal, with `dealt` as record 1 of the compared
    /// game.
    pub fn restore_with_deal(&self, drawn: &DrawnSetup, dealt: &str) -> Self {
        let club = Self::create_empty(drawn, self.now);
        let journal = club.home.path().join("journal-before");
        copy_folder(&self.folder().join("journal"), &journal);
        let log = journal.join(format!("games/{GAME:06}.jsonl"));
        let text = fs::read_to_string(&log).expect("a log");
        let mut lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2, "the founding and the deal");
        lines[1] = dealt;
        fs::write(&log, lines.join("\n") + "\n").expect("written");
        process::restore(&club.open_context(), &journal).expect("it comes back");
        club
    }

    fn create_empty(drawn: &DrawnSetup, now: DateTime<Utc>) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("club");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("club.yaml"), &drawn.settings).expect("settings");
        fs::write(folder.join("secret"), "5b".repeat(32)).expect("a secret");
        for maildir in ["inbox", "outbox"] {
            Maildir::new(folder.join(maildir)).create_folders().expect("a Maildir");
        }
        Self { home, now, posted: Vec::new() }
    }

    pub fn folder(&self) -> PathBuf {
        self.home.path().join("club")
    }

    pub fn open_context(&self) -> Context {
        Context::open(postrider::games::SHIPPED, &self.folder(), self.now).expect("the club opens")
    }

    pub fn advance_clock(&mut self, minutes: i64) {
        self.now += TimeDelta::minutes(minutes);
    }

    /// Delivers a letter in a file with this name.
    pub fn deliver(&self, name: &str, text: &str) {
        let path = self.folder().join("inbox/new").join(name);
        fs::write(&path, text).expect("delivered");
        let file = fs::File::options().append(true).open(path).expect("it is there");
        file.set_modified(self.now.into()).expect("it has a time");
    }

    /// Runs `tick`, collects the letters that it sent, and returns its output.
    pub fn run_pass(&mut self) -> CommandOutput {
        let said = self.run_command(&["tick"]);
        let outbox = self.folder().join("outbox/new");
        let mut files: Vec<PathBuf> = fs::read_dir(&outbox)
            .expect("an outbox")
            .map(|file| file.expect("one").path())
            .collect();
        files.sort();
        for path in files {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).expect("our letters are text");
            fs::remove_file(&path).expect("it is taken");
            let mut letter = PostedLetter { name, to: String::new(), text };
            let to = letter.header("To").expect("a reader");
            letter.to = to.rsplit('<').next().unwrap_or(&to).trim_end_matches('>').to_owned();
            self.posted.push(letter);
        }
        said
    }

    /// Runs a command and returns its output.
    pub fn run_command(&self, words: &[&str]) -> CommandOutput {
        let folder = self.folder().to_string_lossy().into_owned();
        let all = [&["postrider", "-C", &folder][..], words].concat();
        let environment = Environment {
            games: postrider::games::SHIPPED,
            now: self.now,
            clock: chrono::Utc::now,
            random: |_| Err("no chance".to_owned()),
            variable: |_| None,
        };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let exit =
            cli::run_with_stderr(all.iter().map(Into::into), &environment, &mut out, &mut err)
                .code();
        let text = |bytes| String::from_utf8(bytes).expect("text").replace(&folder, "CLUB");
        CommandOutput { exit, out: text(out), err: text(err) }
    }

    /// Whether a record after `since` was caused by an absence, by queued orders, or by a bot in
    /// another seat than the viewer's, and not by a letter.
    pub fn advanced_without_letter(&self, since: u32, drawn: &DrawnSetup) -> bool {
        let session = process::load_stored_game(&self.open_context(), GAME).expect("it opens");
        session.table.records_since(since).iter().any(|record| match &record.cause {
            Cause::Absent { .. } | Cause::Orders { letter: None, .. } => true,
            Cause::Bot { bot, .. } => Some(bot.seat) != drawn.viewer_seat(),
            _ => false,
        })
    }

    /// The number of turns that bots have played.
    pub fn bot_turn_count(&self) -> usize {
        let session = process::load_stored_game(&self.open_context(), GAME).expect("it opens");
        let records = session.table.records().iter();
        records.filter(|record| matches!(record.cause, Cause::Bot { .. })).count()
    }

    /// Whether the step leads to its planned position in this club, so that it neither carries out
    /// nor drops a plan.
    pub fn keeps_plans_after(&self, step: &CourseStep, world: usize) -> bool {
        let ((table, mut standing), at) = (self.game_and_plans(), step.seat.index());
        let Some(lines) = &step.line else { return false };
        let lines = [OrderLine::new(1, lines[world].clone())];
        let seen = table.last_record_number();
        let secret = step.secret[world].iter().cloned();
        standing[at].secret_lines.extend(secret);
        let letter = Submission {
            seat: step.seat,
            lines: &lines,
            seen_record: seen,
            letter: None,
            queued: &standing[at].clone(),
        };
        let Verdict::Accepted { table, queued: own, .. } = table.submit(&letter, self.now) else {
            return false;
        };
        standing[at] = own;
        let carried = table.play_queued_orders(&standing, &[], self.now);
        (carried.table.last_record_number(), carried.table.game().public_data()) == step.after
    }

    /// Whether the compared game is over and hides nothing any more.
    pub fn is_over(&self) -> bool {
        process::load_stored_game(&self.open_context(), GAME).expect("it opens").table.is_over()
    }

    /// The compared game and the queued orders, by seat.
    pub fn game_and_plans(&self) -> (Table, Vec<QueuedOrders>) {
        let session = process::load_stored_game(&self.open_context(), GAME).expect("it opens");
        let standing = session.seats.into_iter().map(|(seated, _)| seated.queued_orders).collect();
        (session.table, standing)
    }

    /// The hashes of the game's records. Without the seed, they cannot be told from random numbers.
    pub fn record_hashes(&self) -> Vec<String> {
        let session = process::load_stored_game(&self.open_context(), GAME).expect("it opens");
        let hash = |line: &str| {
            let record: Value = serde_json::from_str(line).expect("a record");
            record["hash"].as_str().unwrap_or_default().to_owned()
        };
        session.table.records().iter().map(|record| hash(&record.to_line())).collect()
    }

    /// The state of the game that the viewer sees: the number of the last record, the public state
    /// and the private state.
    pub fn visible_state(&self, drawn: &DrawnSetup) -> (u32, Value, Option<Value>) {
        let session = process::load_stored_game(&self.open_context(), GAME).expect("it opens");
        let game = session.table.game();
        (
            session.table.last_record_number(),
            game.public_data(),
            drawn.viewer_seat().map(|seat| game.private_data(seat)),
        )
    }

    /// Returns a reply by this person to the last letter about the game that both clubs have sent
    /// them, or `None` if there is none. The sender thus knows equally much of the game in both.
    pub fn reply_to_last_letter(
        &self,
        other: &Self,
        name: &str,
        id: &str,
        body: &str,
    ) -> Option<String> {
        let (to, mine) = (address(name), |letter: &&PostedLetter| letter.to == address(name));
        let letter = self.posted.iter().rev().filter(mine).find(|letter| {
            let went_too = || other.posted.iter().any(|twin| twin.name == letter.name);
            letter.header("List-Id").is_some_and(|id| id.contains("<g1.")) && went_too()
        })?;
        let header = |name| letter.header(name).unwrap_or_default();
        let reply_to = letter.header("Reply-To").unwrap_or_else(|| "games@club.example".to_owned());
        Some(format!(
            "Return-Path: <{to}>\nFrom: {name} <{to}>\nTo: {reply_to}\nSubject: Re: {}\n\
             Message-ID: <{id}@mail.example>\nIn-Reply-To: {}\n\n{body}\n",
            header("Subject"),
            header("Message-ID"),
        ))
    }

    /// Whether the letter went to the viewer, the observer or the moderator.
    pub fn is_for_compared_reader(letter: &PostedLetter, drawn: &DrawnSetup) -> bool {
        [address(drawn.viewer_name()), address(OBSERVER), MODERATOR.to_owned()].contains(&letter.to)
    }
}

/// The output of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOutput {
    /// The exit code.
    pub exit: u8,
    /// The standard output.
    pub out: String,
    /// The standard error output.
    pub err: String,
}

fn player_named(name: &str) -> Player {
    Player { name: name.to_owned(), address: address(name) }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let place = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy_folder(&entry.path(), &place);
        } else {
            fs::copy(entry.path(), place).expect("it is copied");
        }
    }
}

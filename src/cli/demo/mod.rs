//! `postrider demo`: plays five days of a sample club, with the same passes that cron runs.

mod pen_pal;

use super::{Call, Environment, Exit, Failure, club_folder};
use crate::disk;
use crate::games;
use crate::mail::transport::MaildirTransport;
use crate::mail::{Letter, Maildir, first_header};
use crate::process::{self, Context, FoundingResult, Player};
use crate::rules::Seed;
use crate::table::GameSetup;
use chrono::{DateTime, TimeDelta, Utc};
use pen_pal::PenPal;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Show a club at work: real letters in, real passes, real letters out.
///
/// Makes a club in ./postrider-demo, founds a game of Paris Connection for three, puts letters into
/// its inbox and runs the same passes as cron. You can look at the folder afterwards. The next demo
/// deletes it and starts again.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Where to make the club.
    #[arg(long, default_value = "postrider-demo")]
    dir: PathBuf,
}

/// An empty file that marks a folder as a demo, so that the next demo may delete the folder.
const DEMO_FILE: &str = ".postrider-demo";
/// The time of the demo's first day: a Monday, 18:00 UTC, in seconds since 1970.
const FIRST_EVENING: i64 = 1_767_636_000;
/// The seed of the demo's game. With this one, Ann begins.
const DEAL_SEED: u64 = 7;
/// The demo club's secret. It is fixed, so that every demo prints the same letters.
const SECRET: [u8; 32] = [7; 32];

/// The letters that arrive before one evening's pass, and the line that announces them.
struct Evening {
    story: &'static str,
    /// Each letter's template, and the player whose last letter it answers (empty for a stranger).
    letters: &'static [(&'static str, &'static str)],
}

const EVENINGS: &[Evening] = &[
    Evening {
        story: "Ann builds, from her phone, with the whole letter quoted below; a stranger writes; \
               Bob's mail program says that he is away.",
        letters: &[
            (include_str!("build.eml"), "ann"),
            (include_str!("stranger.eml"), ""),
            (include_str!("vacation.eml"), "bob"),
        ],
    },
    Evening {
        story: "Bob trades, from a web mailer that sends HTML, and his letter arrives twice.",
        letters: &[(include_str!("trade.eml"), "bob"), (include_str!("trade.eml"), "bob")],
    },
    Evening {
        story: "Cid builds where nobody may build.",
        letters: &[(include_str!("refused.eml"), "cid")],
    },
    Evening {
        story: "Cid thinks again, in a mail program that quotes a letter without any mark.",
        letters: &[(include_str!("quoted.eml"), "cid")],
    },
];

pub(super) fn run(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let out = &mut *call.out;
    recreate_demo_folder(&args.dir)?;
    let mut demo = Demo { folder: args.dir.clone(), shown: Vec::new(), arrived: 0 };
    let evening =
        |day: usize| DateTime::UNIX_EPOCH + TimeDelta::seconds(FIRST_EVENING + 86_400 * day as i64);
    demo.found_game(&Environment { now: evening(0), ..*call.environment }, out)?;
    for (day, Evening { story: what, letters }) in EVENINGS.iter().enumerate() {
        writeln!(out, "\n######## Day {}: {what}\n", day + 2)?;
        for (letter, player) in *letters {
            demo.deliver_letter(letter, player, out)?;
        }
        demo.run_pass(evening(day + 1), out)?;
    }
    print_next_steps(&args.dir, out)?;
    Ok(Exit::Done)
}

/// Removes an earlier demo and creates the folder. Fails if the folder holds anything else.
fn recreate_demo_folder(folder: &Path) -> Result<(), Failure> {
    if folder.join(DEMO_FILE).exists() {
        disk::remove_folder(folder).map_err(|error| Failure::for_path(folder, &error))?;
    }
    if std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        let what = format!("{} is there already, and is no demo of mine", folder.display());
        return Err(Failure::new(Exit::CannotCreate, what)
            .add_hint("name another folder: postrider demo --dir DIR"));
    }
    disk::create_folder(folder)
        .and_then(|()| {
            disk::append_and_sync(&folder.join(DEMO_FILE), b"", disk::FileMode::OwnerOnly)
        })
        .map_err(|error| Failure::for_path(folder, &error))
}

struct Demo {
    folder: PathBuf,
    /// The file names of the letters that were already printed.
    shown: Vec<String>,
    arrived: u32,
}

impl Demo {
    fn found_game(
        &mut self,
        environment: &Environment,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let settings = club_folder::settings_text(
            "The Postal Club",
            "games@example.org",
            ("Moderator", "moderator@example.org"),
        );
        club_folder::create_club(&self.folder, &settings, SECRET)?;
        let context = club_folder::open(&self.folder, environment)?;
        let players = ["Ann", "Bob", "Cid"].map(|name| Player {
            name: name.to_owned(),
            address: format!("{}@example.org", name.to_lowercase()),
        });
        let Some(kind) = games::find_kind("paris-connection") else {
            return Err(Failure::new(Exit::Internal, "there is no paris-connection"));
        };
        let setup = GameSetup {
            kind,
            definition: kind.shipped_definition(),
            options: &BTreeMap::new(),
            seats: 3,
        };
        let founded =
            process::found_game(&context, setup, &players, &Seed::from_number(DEAL_SEED))?;
        if !matches!(founded, FoundingResult::Game(_)) {
            return Err(Failure::new(Exit::Internal, "the game cannot be founded"));
        }
        drop(context);
        writeln!(out, "######## Day 1: a club, and a game of Paris Connection for three.\n")?;
        self.run_pass(environment.now, out)
    }

    /// Puts a letter into the inbox, as a mail server does, and prints its first lines.
    fn deliver_letter(
        &mut self,
        template: &str,
        player: &str,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let failed = |error: std::io::Error| Failure::for_path(&self.folder, &error);
        let pal = PenPal::find_last_letter(&self.folder.join("outbox/new"), player);
        let letter = pal.map_err(failed)?.fill_answer_template(template);
        self.arrived += 1;
        let name = format!("{}.demo.{}", FIRST_EVENING, self.arrived);
        let inbox = Maildir::new(self.folder.join("inbox"));
        inbox.insert(&name, letter.as_bytes(), None).map_err(failed)?;
        writeln!(out, "  >>> into the inbox:")?;
        for line in letter
            .lines()
            .filter(|line| !line.is_empty())
            .take(40)
            .filter(|line| !line.starts_with([' ', '<']) && line.len() < 100)
            .take(18)
        {
            writeln!(out, "  | {line}")?;
        }
        Ok(writeln!(out)?)
    }

    /// Runs one pass, as cron does, and prints the letters that it posted.
    fn run_pass(&mut self, now: DateTime<Utc>, out: &mut dyn Write) -> Result<(), Failure> {
        let context = Context::open(&self.folder, now)?;
        let outbox = self.folder.join("outbox");
        let report = process::run_pass(&context, &mut MaildirTransport::new(outbox.clone()))?;
        writeln!(
            out,
            "  --- postrider tick: {} letters read, {} carried out, {} answered, {} posted ---",
            report.letters_read, report.carried_out, report.answered, report.posted
        )?;
        let failed = |error: std::io::Error| Failure::for_path(&outbox, &error);
        let mut posted =
            Maildir::new(outbox.clone()).pending_letters(usize::MAX).map_err(failed)?;
        posted.retain(|letter| !self.shown.contains(&letter.name));
        for letter in posted {
            print_letter(&letter.read(usize::MAX).map_err(failed)?, out)?;
            self.shown.push(letter.name);
        }
        Ok(())
    }
}

/// Prints a letter as its reader sees it in a terminal.
fn print_letter(bytes: &[u8], out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "\n{}", "=".repeat(76))?;
    for name in ["From", "To", "Reply-To", "Subject", "Message-ID", "In-Reply-To"] {
        if let Some(value) = first_header(bytes, name) {
            writeln!(out, "{name}: {value}")?;
        }
    }
    let letter = Letter::parse(bytes).map_err(|error| Failure::new(Exit::Internal, error))?;
    Ok(writeln!(out, "\n{}", letter.body.trim_end())?)
}

fn print_next_steps(folder: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let dir = folder.display();
    writeln!(out, "\n######## The club is in {dir}. What to try next:\n")?;
    for (command, what) in [
        ("list", "its games"),
        ("show 1 --seat 2 --secrets", "the game as Bob sees it"),
        ("log 1", "everything that happened in it"),
        ("verify 1", "whether its log holds"),
        ("doctor", "whether anything should be mended"),
        ("explain FILE.eml", "what a letter of yours would lead to"),
    ] {
        writeln!(out, "  postrider -C {dir} {command:28}{what}")?;
    }
    writeln!(
        out,
        "  postrider init my-club                               a club of your own; see the README"
    )?;
    Ok(())
}

//! `postrider demo`: plays five days of a sample club, with the same passes that cron runs.
//! `postrider answer`: goes on with that club.

mod answer;
mod correspondence;
mod index_page;
mod printing;
mod story;

pub(super) use answer::{AnswerArgs, run as run_answer};

use self::correspondence::{
    DemoLetter, date_of_letter, fill_answer_template, last_game_letter_to, load_letters,
};
use self::printing::{Incoming, LetterPrinter};
use super::{Call, Environment, Exit, Failure, club_folder, site};
use crate::disk;
use crate::games::SHIPPED;
use crate::mail::Maildir;
use crate::mail::transport::MaildirTransport;
use crate::process::{self, Context, FoundingResult, Player};
use crate::rules::{Seat, Seed};
use crate::store::CacheSize;
use crate::table::GameSetup;
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Show a club at work: real letters in, real passes, real letters out.
///
/// Makes a club in ./postrider-demo, founds a game of Paris Connection for three, puts letters into
/// its inbox and runs the same passes as cron. Then it is your turn: `postrider answer` sends an
/// order of yours. The folder's index.html shows all letters as people see them. The next demo
/// deletes the folder and starts again.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Where to make the club.
    #[arg(long, default_value = "postrider-demo")]
    dir: PathBuf,
    /// Print every letter in full.
    #[arg(long)]
    all: bool,
    /// Also write the club's web site into this folder, as `postrider site` does.
    #[arg(long, value_name = "DIR")]
    site: Option<PathBuf>,
}

/// An empty file that marks a folder as a demo. Only such a folder is deleted by the next demo, and
/// only its players are answered for by `postrider answer`.
const DEMO_FILE: &str = ".postrider-demo";
/// The number of the demo's game.
const GAME: u32 = 1;
/// The time of the demo's first day: a Monday, 18:00 UTC, in seconds since 1970.
const FIRST_EVENING: i64 = 1_767_636_000;
/// The seed of the demo's game. With this one, Ann begins.
const DEAL_SEED: u64 = 7;
/// The demo club's secret. It is fixed, so that every demo prints the same letters.
const SECRET: [u8; 32] = [7; 32];
/// The clock of the demo's game, in club.yaml.
const CLOCK: &str = "\nclock:\n  deadline: 3 days\n";

pub(super) fn run(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let out = &mut *call.out;
    recreate_demo_folder(&args.dir)?;
    let evening =
        |day: usize| DateTime::UNIX_EPOCH + TimeDelta::seconds(FIRST_EVENING + 86_400 * day as i64);
    found_game(&args.dir, &Environment { now: evening(0), ..*call.environment })?;
    let mut demo = Demo { folder: &args.dir, printer: LetterPrinter::new(args.all, Vec::new()) };
    printing::print_day(1, evening(0), out)?;
    writeln!(out, "  The moderator starts a game of Paris Connection for Ann, Bob and Carmen.")?;
    demo.run_pass(evening(0), &[], out)?;
    demo.printer.print_new_letters(&load_letters(&args.dir)?, "ann", false, out)?;
    for (index, day) in story::DAYS.iter().enumerate() {
        let now = evening(index + 1);
        printing::print_day(index + 2, now, out)?;
        let letters = load_letters(&args.dir)?;
        let mut incoming = Vec::new();
        for arrival in day.arrivals {
            let answered = last_game_letter_to(&letters, arrival.player);
            let letter = fill_answer_template(arrival.template, answered);
            for _ in 0..arrival.copies {
                demo.deliver_letter(letter.as_bytes())?;
            }
            incoming.push(Incoming { sender: arrival.sender, bytes: letter.into_bytes() });
        }
        demo.run_pass(now, &incoming, out)?;
        let is_last = index + 1 == story::DAYS.len();
        demo.printer.print_new_letters(&load_letters(&args.dir)?, day.featured, is_last, out)?;
    }
    let last_evening = evening(story::DAYS.len());
    finish(&args.dir, last_evening, out)?;
    if let Some(site) = &args.site {
        let environment = Environment { now: last_evening, ..*call.environment };
        write_site(&args.dir, site, &environment, out)?;
    }
    printing::print_next_steps(&args.dir, out)?;
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

/// Creates the club and its game.
fn found_game(folder: &Path, environment: &Environment) -> Result<(), Failure> {
    let settings = club_folder::settings_text(
        "The Postal Club",
        "games@example.org",
        ("Moderator", "moderator@example.org"),
    );
    club_folder::create_club(folder, &(settings + CLOCK), SECRET)?;
    let context = club_folder::open(folder, environment)?;
    let players = ["Ann", "Bob", "Carmen"].map(|name| Player {
        name: name.to_owned(),
        address: format!("{}@example.org", name.to_lowercase()),
    });
    let Some(kind) = SHIPPED.find_kind("paris-connection") else {
        return Err(Failure::new(Exit::Internal, "there is no paris-connection"));
    };
    let setup = GameSetup {
        kind,
        definition: kind.shipped_definition(),
        options: &BTreeMap::new(),
        seats: 3,
    };
    let founded = process::found_game(&context, setup, &players, &Seed::from_number(DEAL_SEED))?;
    if !matches!(founded, FoundingResult::Game(GAME)) {
        return Err(Failure::new(Exit::Internal, "the game cannot be founded"));
    }
    Ok(())
}

/// A demo's club, and the printer of its letters.
struct Demo<'a> {
    folder: &'a Path,
    printer: LetterPrinter,
}

impl Demo<'_> {
    /// Puts a letter into the inbox, as a mail server does.
    fn deliver_letter(&mut self, letter: &[u8]) -> Result<(), Failure> {
        let failed = |error: std::io::Error| Failure::for_path(self.folder, &error);
        let inbox = Maildir::new(self.folder.join("inbox"));
        let names = inbox.letter_names_with_archives().map_err(failed)?;
        let name = format!("{FIRST_EVENING}.demo.{:04}", names.len() + 1);
        inbox.insert(&name, letter, Some(date_of_letter(letter))).map_err(failed)
    }

    /// Runs one pass, as cron does, and prints what it did with each of these letters.
    fn run_pass(
        &mut self,
        now: DateTime<Utc>,
        incoming: &[Incoming<'_>],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let context = Context::open_if_store_intact(SHIPPED, self.folder, CacheSize::Large, now)?;
        let outbox = self.folder.join("outbox");
        process::run_pass(&context, &mut MaildirTransport::new(outbox))?;
        incoming.iter().try_for_each(|letter| self.printer.print_incoming(&context, letter, out))
    }
}

/// Returns a page that shows all letters of the club in this folder, whose outbox is a Maildir.
pub(crate) fn render_letters_page(
    folder: &Path,
    title: &str,
    more: &str,
) -> Result<String, Failure> {
    Ok(index_page::render(&load_letters(folder)?, title, more))
}

/// Writes the page with all letters, and prints its path and an order that is legal now.
fn finish(folder: &Path, now: DateTime<Utc>, out: &mut dyn Write) -> Result<(), Failure> {
    let page = folder.join("index.html");
    let more = " You can play on with <code>postrider answer</code>.";
    let text = render_letters_page(folder, "The letters of a demo", more)?;
    super::write_file(&page, text.as_bytes())?;
    let dir = folder.display();
    writeln!(out, "\nAll letters as people see them: open {dir}/index.html in a browser.")?;
    let context = Context::open_if_store_intact(SHIPPED, folder, CacheSize::Large, now)?;
    match find_next_order(&context)? {
        Some((player, order)) => writeln!(
            out,
            "\nIt's {player}'s turn, and you are {player}. Type this order, or another one:\n\n  \
             postrider -C {dir} answer {} \"{order}\"",
            player.to_lowercase()
        )?,
        None => writeln!(out, "\nThe game is over. A new one: postrider demo")?,
    }
    Ok(())
}

/// Writes the club's web site, on which Ann is named, and prints its path.
fn write_site(
    folder: &Path,
    site: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let context = club_folder::open(folder, environment)?;
    let named = process::change_member_setting(&context, "ann@example.org", "site name");
    named.map_err(|_| Failure::new(Exit::Internal, "Ann cannot be named"))?;
    drop(context);
    site::write(folder, site, &[], environment)?;
    writeln!(out, "\nThe club's web site: open {}/index.html in a browser.", site.display())?;
    Ok(())
}

/// Returns the player whose turn it is, and an order that is legal now. Returns `None` after the
/// game.
fn find_next_order(context: &Context) -> Result<Option<(String, String)>, Failure> {
    let session = process::load_stored_game(context, GAME)?;
    let found = Seat::all(session.table.founding().seats).find_map(|seat| {
        let line = session.table.game().suggest_lines(seat).into_iter().next()?.line;
        Some((session.names.get(seat.index())?.clone(), line))
    });
    Ok(found.filter(|_| !session.table.is_over()))
}

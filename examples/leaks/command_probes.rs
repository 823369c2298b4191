//! Command lines that show only what one seat or an observer may know, with the text and files that
//! they produce.

use super::drawn_setup::{DrawnSetup, address};
use super::twin_club::{CommandOutput, TwinClub};
use postrider::rules::Dice;
use std::fs;
use std::path::Path;

/// Returns a random command whose output could disclose the number or the owner of hidden things.
pub fn counting_command(drawn: &DrawnSetup, dice: &mut Dice) -> Vec<Vec<String>> {
    let own =
        drawn.viewer_seat().map(|seat| split_words(format!("show 1 --secrets --seat {seat}")));
    let all = ["list", "clock 1", "show 1 --at 9999"].map(split_words);
    let mut all: Vec<_> = all.into_iter().chain(own).collect();
    dice.shuffle(&mut all);
    all.truncate(1);
    all
}

fn split_words(line: impl AsRef<str>) -> Vec<String> {
    line.as_ref().split(' ').map(str::to_owned).collect()
}

/// Returns two random commands.
pub fn random_commands(drawn: &DrawnSetup, dice: &mut Dice, head: u32) -> Vec<Vec<String>> {
    let mut all = all_commands(drawn, head);
    dice.shuffle(&mut all);
    all.truncate(2);
    all
}

/// Returns all commands that are compared. `letters from` is not, because it tells the moderator
/// who wrote and when, and one of two clubs may get more letters. `head` is the number of the
/// game's last record.
pub fn all_commands(drawn: &DrawnSetup, head: u32) -> Vec<Vec<String>> {
    let earlier = head.div_ceil(2).to_string();
    let mut lines = vec![
        "list".to_owned(),
        "list --json".to_owned(),
        "list --all".to_owned(),
        "lobby --as wat@mail.example games".to_owned(),
        "show 1".to_owned(),
        "show 1 --json".to_owned(),
        format!("show 1 --at {earlier}"),
        format!("show 1 --at {earlier} --json"),
        "show 1 --at 9999".to_owned(),
        "show 1 --secrets --seat 9".to_owned(),
        "show 3".to_owned(),
        "show 1 --picture board.svg".to_owned(),
        "show 1 --picture board.png".to_owned(),
        "site SITE".to_owned(),
        "log 1".to_owned(),
        "log 1 --json".to_owned(),
        "log 1 --secrets --seat 9".to_owned(),
        "log 3".to_owned(),
        "verify 1".to_owned(),
        "verify 3".to_owned(),
        "export 1".to_owned(),
        "export 3".to_owned(),
        "export 1 --public".to_owned(),
        "clock 1".to_owned(),
        "doctor".to_owned(),
        "letters list".to_owned(),
        "moderate list".to_owned(),
        format!("member settings {}", address(drawn.viewer_name())),
        format!("rewind 1 --to {earlier} --reason why --dry-run"),
    ];
    if let Some(seat) = drawn.viewer_seat() {
        lines.push(format!("show 1 --secrets --seat {seat}"));
        lines.push(format!("show 1 --secrets --seat {seat} --json"));
        lines.push(format!("show 1 --secrets --seat {seat} --at {earlier}"));
        lines.push(format!("log 1 --secrets --seat {seat}"));
    }
    lines.iter().map(split_words).collect()
}

/// Runs a command in a club. Its output includes the files that it writes.
pub fn run_in_club(club: &TwinClub, words: &[String]) -> CommandOutput {
    let folder = club.folder();
    let site = folder.with_file_name("site");
    let place = |word: &String| match word.strip_prefix("board.") {
        Some(_) => folder.join(word).to_string_lossy().into_owned(),
        None if word == "SITE" => site.to_string_lossy().into_owned(),
        None => word.clone(),
    };
    let words: Vec<String> = words.iter().map(place).collect();
    let mut said = club.run_command(&words.iter().map(String::as_str).collect::<Vec<_>>());
    if words[0] == "verify" && said.exit == 1 {
        // `verify` rightly reports one of the clubs, because its deal was not drawn from its seed.
        said.exit = 0;
        said.out = said.out.lines().next().unwrap_or_default().to_owned();
    } else if words[0] == "verify" {
        said.out = said.out.lines().next().unwrap_or_default().to_owned();
    }
    if words[0] == "doctor" {
        // The number of queued letters may differ. `doctor` is for the operator, and counts the
        // letters of all members.
        let is_count =
            |line: &&str| line.contains("letters queued") || line.contains("letters pending");
        let lines = said.out.lines().filter(|line| !is_count(line));
        said.out = lines.collect::<Vec<_>>().join("\n");
    }
    if site.exists() {
        said.out += &read_site(&site, "");
    }
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("a folder")
        .map(|file| file.expect("one").path())
        .filter(|path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().contains("board"))
        })
        .collect();
    files.sort();
    for path in files {
        let bytes = fs::read(&path).expect("it is there");
        said.out += &format!("{}: {bytes:?}\n", path.file_name().unwrap_or_default().display());
        fs::remove_file(&path).expect("it goes");
    }
    said
}

/// Returns the paths and texts of all files of a web site.
fn read_site(folder: &Path, within: &str) -> String {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("one").path());
    let mut paths: Vec<_> = entries.collect();
    paths.sort();
    let mut text = String::new();
    for path in paths {
        let name = format!("{within}/{}", path.file_name().unwrap_or_default().display());
        if path.is_dir() {
            text += &read_site(&path, &name);
        } else {
            let file = fs::read_to_string(&path).expect("text");
            text += &format!("{name}:\n{file}\n");
        }
    }
    text
}

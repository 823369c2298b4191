//! What can be asked on the command line for a seat or for who watches, with what it writes.

use super::drawn_setup::{DrawnSetup, address};
use super::twin_club::{CommandOutput, TwinClub};
use postrider::rules::Dice;
use std::fs;

/// One of those that could tell how many there are of something, or whose it is.
pub fn counting_command(lot: &DrawnSetup, dice: &mut Dice) -> Vec<Vec<String>> {
    let own = lot.viewer_seat().map(|seat| split_words(format!("show 1 --secrets --seat {seat}")));
    let all = ["list", "clock 1", "show 1 --at 9999"].map(split_words);
    let mut all: Vec<_> = all.into_iter().chain(own).collect();
    dice.shuffle(&mut all);
    all.truncate(1);
    all
}

fn split_words(line: impl AsRef<str>) -> Vec<String> {
    line.as_ref().split(' ').map(str::to_owned).collect()
}

/// A few of them.
pub fn random_commands(lot: &DrawnSetup, dice: &mut Dice, head: u32) -> Vec<Vec<String>> {
    let mut all = all_commands(lot, head);
    dice.shuffle(&mut all);
    all.truncate(2);
    all
}

/// All of them.
pub fn all_commands(lot: &DrawnSetup, head: u32) -> Vec<Vec<String>> {
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
        "log 1".to_owned(),
        "log 1 --json".to_owned(),
        "log 1 --secrets --seat 9".to_owned(),
        "log 3".to_owned(),
        "verify 1".to_owned(),
        "verify 3".to_owned(),
        "export 1".to_owned(),
        "export 3".to_owned(),
        "clock 1".to_owned(),
        "doctor".to_owned(),
        "letters list".to_owned(),
        "moderate list".to_owned(),
        format!("member settings {}", address(lot.viewer_name())),
        format!("rewind 1 --to {earlier} --reason why --dry-run"),
    ];
    if let Some(seat) = lot.viewer_seat() {
        lines.push(format!("show 1 --secrets --seat {seat}"));
        lines.push(format!("show 1 --secrets --seat {seat} --json"));
        lines.push(format!("show 1 --secrets --seat {seat} --at {earlier}"));
        lines.push(format!("log 1 --secrets --seat {seat}"));
    }
    lines.iter().map(split_words).collect()
}

/// What it says in a club, and what stands in the file that it writes.
pub fn run_in_club(club: &TwinClub, words: &[String]) -> CommandOutput {
    let folder = club.folder();
    let place = |word: &String| match word.strip_prefix("board.") {
        Some(_) => folder.join(word).to_string_lossy().into_owned(),
        None => word.clone(),
    };
    let words: Vec<String> = words.iter().map(place).collect();
    let mut said = club.run_command(&words.iter().map(String::as_str).collect::<Vec<_>>());
    if words[0] == "verify" && said.exit == 1 {
        // The other world was not dealt from its seed, which is what verifying finds out.
        said.exit = 0;
        said.out = said.out.lines().next().unwrap_or_default().to_owned();
    } else if words[0] == "verify" {
        said.out = said.out.lines().next().unwrap_or_default().to_owned();
    }
    if words[0] == "doctor" {
        // How many letters wait is for who keeps the machine, whosever they are.
        let lines = said
            .out
            .lines()
            .filter(|line| !line.contains("letters queued") && !line.contains("letters pending"));
        said.out = lines.collect::<Vec<_>>().join("\n");
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

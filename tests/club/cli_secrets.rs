//! Tests that commands show the secrets of a running game only with `--secrets`.

use crate::rig::Club;
use crate::rig::moderator_letters::deliver_from_other_address;
use crate::rig::postrider_program::run_postrider;
use postrider::process;
use std::fs;

/// Texts that only Ann or Bob may know: secret orders, a plan, a note, a message, private headings.
const SECRETS: [&str; 7] = [
    "claim gem collector",
    "you claim first",
    "rocks together",
    "emerald first",
    "hush",
    "only you see",
    "what you can do",
];

/// A club with a running game of Off the Rails, and copies of the letters that its players wrote.
struct ClubWithSecrets {
    club: Club,
    letters: Vec<String>,
}

impl ClubWithSecrets {
    fn new() -> Self {
        let press = "press: {allowed: all}\nclock: {deadline: 3 days}\n";
        let mut club = Club::with_game(press, "off-the-rails", 2, 3);
        let turn =
            process::load_stored_game(&club.open_context(), 1).expect("it opens").table.turn();
        let mover = if turn.awaits(postrider::rules::Seat::new(1)) { "Ann" } else { "Bob" };
        let mut letters = Vec::new();
        for body in [
            "note emerald first",
            "claim gem collector",
            "split rocks together\ndone",
            "tell bob, ann: hush",
            "claim gem colector",
            "status",
        ] {
            letters.push(club.compose_reply(mover, body));
            club.deliver(letters.last().expect("a letter"));
            club.run_pass();
        }
        // These letters are not delivered. `explain` reads them from a file.
        for body in ["split rocks together\ndone", "status", "claim gem collector", "history"] {
            letters.push(club.compose_reply("Ann", body));
            letters.push(club.compose_reply("Bob", body));
        }
        deliver_from_other_address(&mut club, "Ann", "status");
        club.run_pass();
        Self { club, letters }
    }

    fn run_command(&self, arguments: &[&str]) -> (Option<i32>, String) {
        run_postrider(self.club.folder(), &self.club.now.to_rfc3339(), arguments)
    }

    /// Returns the reply token of each letter, from its `To` address.
    fn reply_tokens(&self) -> Vec<&str> {
        let of = |letter: &'_ str| {
            let at = letter.find("games+").expect("a token") + "games+".len();
            letter[at..].find('@').map(|end| at..at + end).expect("an address")
        };
        self.letters.iter().map(|letter| &letter[of(letter)]).collect()
    }

    fn assert_no_secret_shown(&self, arguments: &[&str]) {
        let (_, said) = self.run_command(arguments);
        let small = said.to_lowercase();
        for secret in SECRETS {
            assert!(!small.contains(secret), "{arguments:?}: {secret}: {said}");
        }
        for token in self.reply_tokens() {
            assert!(!small.contains(&token.to_lowercase()), "{arguments:?}: a token: {said}");
        }
        let of_any_seat = said.contains("games+1.");
        assert!(!of_any_seat && !said.contains("\"seed\""), "{arguments:?}: {said}");
    }
}

#[test]
fn commands_show_no_secrets_of_running_games() {
    let setup = ClubWithSecrets::new();
    for arguments in [
        &["list"][..],
        &["list", "--json"],
        &["show", "1"],
        &["show", "1", "--json"],
        &["log", "1"],
        &["log", "1", "--json"],
        &["clock", "1"],
        &["verify", "1"],
        &["doctor", "--all"],
        &["status", "--json"],
        &["member", "list", "--json"],
        &["member", "settings", "1"],
        &["letters", "list"],
        &["letters", "show", "rig"],
        &["letters", "from", "Ann"],
        &["letters", "from", "2"],
        &["moderate", "list"],
        &["moderate", "log 1"],
        &["lobby", "--as", "1", "games"],
        &["tick", "--verbose"],
        &["tick", "--json"],
    ] {
        let (exit, said) = setup.run_command(arguments);
        // `doctor` exits with 78 because the test club has no outbox.
        assert!(matches!(exit, Some(0 | 78)), "{arguments:?}: {said}");
        setup.assert_no_secret_shown(arguments);
    }
    for arguments in [
        &["show", "1", "--seat", "1"][..],
        &["show", "1", "--seat", "2", "--json"],
        &["log", "1", "--seat", "1"],
        &["log", "1", "--seat", "2", "--json"],
        &["export", "1"],
    ] {
        let (exit, said) = setup.run_command(arguments);
        assert_eq!(exit, Some(77), "{arguments:?}: {said}");
        setup.assert_no_secret_shown(arguments);
    }
}

#[test]
fn explain_shows_players_letters_only_with_secrets() {
    let setup = ClubWithSecrets::new();
    let file = setup.club.folder().join("letter.eml");
    let path = file.to_string_lossy().into_owned();
    let mut shown = String::new();
    for letter in &setup.letters {
        fs::write(&file, letter).expect("written");
        setup.assert_no_secret_shown(&["explain", &path]);
        shown.push_str(&setup.run_command(&["explain", &path, "--secrets"]).1);
    }
    for said in ["Order:     line 1: claim gem collector", "ONLY YOU SEE THIS", "> done"] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    assert!(!setup.reply_tokens().iter().any(|token| shown.contains(token)), "{shown}");
}

#[test]
fn secrets_flag_shows_one_seat_only() {
    let setup = ClubWithSecrets::new();
    let log = |seat: &str| {
        let (exit, said) = setup.run_command(&["log", "1", "--json", "--secrets", "--seat", seat]);
        assert_eq!(exit, Some(0), "{said}");
        for line in said.lines() {
            let entry: serde_json::Value = serde_json::from_str(line).expect("JSON");
            assert!(entry["at"].is_string() && entry["what"].is_string(), "{line}");
            assert!(entry.get("events").is_none(), "{line}");
        }
        said.contains("rocks together")
    };
    // Only one of the two seats has given the secret order.
    assert!(log("1") != log("2"));
    let (_, shown) = setup.run_command(&["show", "1", "--seat", "1", "--secrets"]);
    assert!(shown.contains("WHAT YOU CAN DO"), "{shown}");
}

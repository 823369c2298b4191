//! Tests digests: members can get the letters about several of their games as one letter.

use crate::rig::postrider_program::{kill_after_each_step, outbox_letters, outcome_without_kill};
use crate::rig::{self, Club, PostedLetter, RecordingTransport, letters_to};
use chrono::TimeDelta;
use postrider::games::find_kind;
use postrider::mail::transport::{OutgoingMessage, PostError, Transport};
use postrider::process::{self, PassReport};

/// Creates a club with three games of Ann, Bob and Cid. Ann begins, and Bob has the setting `wish`.
fn start_three_games(settings: &str, wish: &str) -> Club {
    let mut club = Club::with_settings(settings);
    for _ in 1..=3 {
        club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    }
    club.run_pass();
    set_preference(&club, "Bob", wish);
    club
}

fn set_preference(club: &Club, name: &str, line: &str) {
    process::change_member_setting(&club.open_context(), &rig::address(name), line)
        .expect("it can be");
}

/// Sends Ann's first order in these games, which are all at their start.
fn send_anns_moves(club: &mut Club, games: &[usize]) {
    for game in games {
        let first = club.transport.posted[(game - 1) * 3].clone();
        let letter = club.compose_reply_to("Ann", &first, "build red G23, Troyes");
        club.deliver(letter);
    }
}

/// Returns the HTML part of a letter.
fn html_body(letter: &PostedLetter) -> String {
    let parsed = mail_parser::MessageParser::default().parse(&letter.bytes).expect("a letter");
    parsed.body_html(0).expect("a page").into_owned()
}

/// Returns the lines of a text that begin with a reply address.
fn reply_addresses(text: &str) -> Vec<String> {
    text.lines().filter(|line| line.starts_with("games+")).map(str::to_owned).collect()
}

#[test]
fn digest_covers_three_games_in_one_letter() {
    let mut club = start_three_games("", "letters digest");
    send_anns_moves(&mut club, &[3, 1, 2]);
    let (report, letters) = club.run_pass();
    assert_eq!((report.carried_out, report.posted, report.queued_letters), (3, 7, 0));
    let bundle = letters_to(&letters, "Bob")[0].clone();
    assert_eq!((letters_to(&letters, "Bob").len(), letters_to(&letters, "Cid").len()), (1, 3));
    let subject = "Your turn in 3 of 3 games (The Postal Club)";
    assert_eq!(bundle.header("Subject").as_deref(), Some(subject));
    let (list, thread) = (bundle.header("List-Id"), bundle.header("In-Reply-To"));
    assert_eq!((list, thread, bundle.header("References")), (None, None, None));
    let text = bundle.body_text();
    assert!(text.starts_with("=== Write your orders above this line ===\n"), "{text}");
    assert_eq!(text.matches("Write your orders above").count(), 1, "{text}");
    assert_eq!(
        text.matches("\n-- \n").count(),
        1,
        "a second signature line would cut off the rest"
    );
    assert_eq!(text.matches("It's your turn.").count(), 3, "{text}");
    let page = html_body(&bundle);
    let to_answer = reply_addresses(&text);
    for (game, address) in (1..).zip(&to_answer) {
        assert!(address.starts_with(&format!("games+{game}.2.2.")), "{text}");
        let address = address.replace('+', "%2B");
        let link = format!("mailto:{address}?subject=Re%3A%20%5BParis%20{game}%5D%20");
        assert!(page.contains(&link.replace('/', "&#x2f;")), "{link}\n{page}");
        assert!(text.contains(&format!("\nGame {game}, move 2, proof ")), "{text}");
    }
    assert_eq!((to_answer.len(), page.matches("<h1").count()), (3, 3));
    assert!(page.matches("<html").count() == 1 && page.matches("<body").count() == 1);
    let reply_to = bundle.header("Reply-To").expect("there is one");
    assert!(reply_to.contains(&to_answer[0]), "{reply_to}");
    assert!(bundle.contains("A plain reply goes to [Paris 1] Paris Connection, the first"));
}

#[test]
fn replies_to_digest_reach_their_games() {
    let mut club = start_three_games("", "letters digest");
    send_anns_moves(&mut club, &[3, 1, 2]);
    let bundle = letters_to(&club.run_pass().1, "Bob")[0].clone();
    let text = bundle.body_text();
    let to_answer = reply_addresses(&text);
    let reply_to = bundle.header("Reply-To").expect("there is one");

    // A line between the quoted parts could be meant for any game, so nothing is done.
    let quoted: String = text.lines().map(|line| format!("\n> {line}")).collect();
    let (above, below) = quoted.rsplit_once("\n> SINCE").expect("it is quoted");
    let between = format!("build black F24\n{above}\nbuild black F24\n> SINCE{below}");
    club.deliver(club.compose_reply_to("Bob", &bundle, &between));
    club.deliver(club.compose_reply_to(
        "Bob",
        &bundle,
        &format!("{above}\nsay hello\n> SINCE{below}"),
    ));
    assert_eq!(club.run_pass().0.carried_out, 0);
    let answer = club.last_letter_to("Bob").expect("an answer");
    assert!(answer.contains("is below quoted text") && answer.contains("Nothing has changed."));

    // A plain reply is for the first game. Letters to the other addresses are for their games.
    club.deliver(club.compose_reply_to("Bob", &bundle, &format!("build black F24\n{quoted}")));
    for address in &to_answer[1..] {
        let reply =
            club.compose_reply_to("Bob", &bundle, "build black F24").replace(&reply_to, address);
        club.deliver(reply);
    }
    let (report, letters) = club.run_pass();
    assert_eq!((report.carried_out, report.quarantined), (3, 0));
    let answers = letters_to(&letters, "Bob");
    assert_eq!(answers.len(), 1, "the answers come as one letter too");
    assert_eq!(answers[0].body_text().matches("We've carried out your orders.").count(), 3);
    let subject = answers[0].header("Subject");
    assert_eq!(
        subject.as_deref(),
        Some("News from 3 games (The Postal Club)"),
        "no game waits for Bob"
    );
    assert!(
        answers[0].contains("None of them is waiting for you.")
            && letters_to(&letters, "Cid").len() == 3
    );
    let lost = rig::compose_bounce_report(answers[0], "bob@example.org", "failed", "5.1.1");
    club.deliver(lost);
    assert_eq!(club.run_pass().0.bounced, ["bob@example.org: hard 5.1.1"]);
}

#[test]
fn digest_changes_only_readers_letters_about_several_games() {
    let play_games = |wish: &str, games: &[usize]| {
        let mut club = start_three_games("", wish);
        send_anns_moves(&mut club, games);
        club.run_pass().1
    };
    let raw_letters = |letters: &[PostedLetter], to_bob: bool| -> Vec<String> {
        letters
            .iter()
            .filter(|l| (l.to == rig::address("Bob")) == to_bob)
            .map(PostedLetter::raw)
            .collect()
    };
    let (digest, each) =
        (play_games("letters digest", &[1, 2, 3]), play_games("letters each", &[1, 2, 3]));
    assert_eq!(raw_letters(&digest, false), raw_letters(&each, false));
    assert_eq!((raw_letters(&digest, true).len(), raw_letters(&each, true).len()), (1, 3));
    let (digest, each) = (play_games("letters digest", &[2]), play_games("letters each", &[2]));
    assert_eq!(raw_letters(&digest, true), raw_letters(&each, true));
    assert_eq!((raw_letters(&digest, false), digest.len()), (raw_letters(&each, false), 3));
}

#[test]
fn digest_puts_awaiting_games_first_and_groups_letters() {
    let mut club = start_three_games("", "letters digest");
    // Two commits change game 1, one commit changes game 3, and the last one answers `help`.
    let mut report = PassReport::default();
    for (game, body) in [(1, "build red G23, Troyes"), (3, "build red G23, Troyes")] {
        let first = club.transport.posted[(game - 1) * 3].clone();
        club.deliver(club.compose_reply_to("Ann", &first, body));
        process::process_all_letters(&club.open_context(), &mut report).expect("it is read");
        let bob = club.transport.posted[1].clone();
        club.deliver(club.compose_reply_to(
            "Bob",
            &bob,
            if game == 1 { "build black F24" } else { "help" },
        ));
        process::process_all_letters(&club.open_context(), &mut report).expect("it is read");
    }
    let (_, letters) = club.run_pass();
    let bundle = letters_to(&letters, "Bob")[0];
    assert_eq!(letters_to(&letters, "Bob").len(), 1);
    let text = bundle.body_text();
    let answers = reply_addresses(&text);
    assert!(answers[0].starts_with("games+3.2.2.") && answers[1].starts_with("games+1.2.3."));
    assert_eq!((answers.len(), text.matches("Game 1, move ").count()), (2, 2), "{text}");
    let place = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}\n{text}"));
    // The news of both commits of game 1 comes together, before the answer to `help`.
    let places = ["carried out your orders", "move 3, proof", "HOW TO PLAY BY E-MAIL"].map(place);
    assert!(places.is_sorted(), "{places:?}\n{text}");
    assert!(bundle.contains("One of them is waiting for you."));
}

#[test]
fn digest_setting_applies_when_letters_are_posted() {
    let mut club = start_three_games("", "letters digest");
    send_anns_moves(&mut club, &[1, 2, 3]);
    process::process_all_letters(&club.open_context(), &mut PassReport::default())
        .expect("they are read");
    set_preference(&club, "Bob", "letters each");
    let (_, letters) = club.run_pass();
    let names: Vec<&str> = letters_to(&letters, "Bob").iter().map(|letter| letter.name()).collect();
    assert_eq!(names, ["g1.s2.r2", "g2.s2.r2", "g3.s2.r2"]);
    // The setting can also be changed by letter.
    club.send_reply("Bob", "letters digest");
    club.run_pass();
    assert!(club.last_letter_to("Bob").expect("an answer").contains("in one e-mail from now on"));
    club.send_reply("Bob", "settings");
    club.send_reply("Bob", "letters each");
    club.run_pass();
    assert!(club.last_letter_to("Bob").expect("an answer").contains("separate e-mail for each"));
}

#[test]
fn letter_with_uncertain_delivery_is_never_bundled() {
    /// A transport that posts Bob's letters but reports that the connection broke.
    struct UncertainTransport(RecordingTransport);
    impl Transport for UncertainTransport {
        fn post(&mut self, outgoing: &OutgoingMessage<'_>) -> Result<(), PostError> {
            self.0.post(outgoing)?;
            if outgoing.recipient != rig::address("Bob") {
                return Ok(());
            }
            Err(PostError::PossiblySent(Box::new(PostError::Unavailable(
                "the line broke".to_owned(),
            ))))
        }
        fn letters_per_save(&self) -> usize {
            1
        }
    }
    let mut club = start_three_games("", "letters digest");
    send_anns_moves(&mut club, &[1]);
    let mut doubtful = UncertainTransport(RecordingTransport::default());
    process::run_pass(&club.open_context(), &mut doubtful).expect("the pass works");
    send_anns_moves(&mut club, &[2, 3]);
    process::run_pass(&club.open_context(), &mut doubtful).expect("the pass works");
    // Letters that were possibly sent are retried only after some minutes.
    assert_eq!(club.run_pass().0.queued_letters, 2);
    club.now += TimeDelta::hours(1);
    let (report, letters) = club.run_pass();
    assert_eq!((report.posted, report.queued_letters), (2, 0));
    let names: Vec<&str> = letters_to(&letters, "Bob").iter().map(|letter| letter.name()).collect();
    assert!(names.len() == 2 && names[0] == "g1.s2.r2" && names[1].starts_with("b."), "{names:?}");
    assert!(!letters_to(&letters, "Bob")[1].raw().contains("games+1."));
}

#[test]
fn digest_survives_transport_outage() {
    let mut club = start_three_games("", "letters digest");
    send_anns_moves(&mut club, &[1, 2, 3]);
    club.transport.error = Some(PostError::Unavailable("no line".to_owned()));
    let (report, _) = club.run_pass();
    assert_eq!((report.posted, report.queued_letters), (0, 7));
    club.transport.error = Some(PostError::Temporary("full".to_owned()));
    assert_eq!(club.run_pass().0.queued_letters, 7);
    club.transport.error = None;
    let (report, letters) = club.run_pass();
    assert_eq!(
        (report.posted, report.queued_letters, letters_to(&letters, "Bob").len()),
        (7, 0, 1)
    );
    assert_eq!(reply_addresses(&letters_to(&letters, "Bob")[0].body_text()).len(), 3);
}

#[test]
fn without_plus_addressing_subject_tag_names_game() {
    let mut club = start_three_games("plus_addressing: false\n", "letters digest");
    send_anns_moves(&mut club, &[1, 2]);
    let (_, letters) = club.run_pass();
    let bundle = letters_to(&letters, "Bob")[0].clone();
    let text = bundle.body_text();
    let tags: Vec<&str> = text.lines().filter(|line| line.starts_with("[postrider ")).collect();
    let subject = bundle.header("Subject").expect("there is one").replace("\r\n", "");
    assert!(tags.len() == 2 && subject.ends_with(tags[0]), "{subject}\n{text}");
    assert!(
        html_body(&bundle).contains(
            "mailto:games@example.org?subject=Re%3A%20%5BParis%201%5D%20Orders%20and%20n"
        )
    );
    let reply = club
        .compose_reply_to("Bob", &bundle, "build black F24")
        .replace("To: ", "To: games@example.org");
    club.deliver(&reply);
    club.deliver(reply.replace(tags[0], tags[1]));
    assert_eq!(club.run_pass().0.carried_out, 2);
}

#[test]
fn long_digest_is_split_and_lists_each_deadline() {
    let mut club = Club::with_settings("clock: {deadline: 4 days, nmr: forfeit}\n");
    for _ in 1..=20 {
        club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    }
    club.run_pass();
    set_preference(&club, "Bob", "letters digest");
    set_preference(&club, "Bob", "calendar on");
    set_preference(&club, "Cid", "letters digest");
    set_preference(&club, "Cid", "subjects steady");
    send_anns_moves(&mut club, &(1..=20).collect::<Vec<_>>());
    let (_, letters) = club.run_pass();
    let bundles = letters_to(&letters, "Bob");
    let whole: usize = bundles.iter().map(|bundle| html_body(bundle).len()).sum();
    assert_eq!(bundles.len() > 1, whole > 100_000, "{whole}");
    assert!(bundles.len() < 6, "{}", bundles.len());
    let mut games = 0;
    for bundle in &bundles {
        let count = reply_addresses(&bundle.body_text()).len();
        assert!(html_body(bundle).len() < 102_400 && count > 1, "{count} games");
        let subject =
            format!("Your turn in {count} of {count} games, by Fri 19:00 (The Postal Club)");
        assert_eq!(bundle.header("Subject"), Some(subject));
        let name = format!("filename=\"deadline-{count}.ics\"");
        assert!(bundle.raw().contains(&name), "{}", bundle.raw());
        let uids = bundle.raw().lines().filter(|line| line.starts_with("UID:g")).count();
        assert_eq!(uids, count);
        games += count;
    }
    assert_eq!(games, 20);
    for bundle in letters_to(&letters, "Cid") {
        assert_eq!(bundle.header("Subject").as_deref(), Some("Your games (The Postal Club)"));
    }
}

#[test]
fn killed_pass_posts_same_digests() {
    let mut club = start_three_games("letters_per_commit: 1\n", "letters digest");
    set_preference(&club, "Cid", "letters digest");
    send_anns_moves(&mut club, &[1, 2]);
    postrider::mail::Maildir::new(club.folder().join("outbox"))
        .create_folders()
        .expect("an outbox");
    let expected = outcome_without_kill(club.folder(), outbox_letters);
    let bundles = expected.keys().filter(|name| name.starts_with("b.")).count();
    assert_eq!((expected.len(), bundles), (4, 2));
    kill_after_each_step(club.folder(), 40..1_000, 11, |folder, step| {
        assert_eq!(outbox_letters(folder), expected, "killed after step {step}");
    });
}

#[test]
fn resignation_between_quoted_lines_is_refused() {
    let mut club = start_three_games("", "letters digest");
    send_anns_moves(&mut club, &[1, 2, 3]);
    let bundle = letters_to(&club.run_pass().1, "Bob")[0].clone();
    let quoted: String = bundle.body_text().lines().map(|line| format!("\n> {line}")).collect();
    // The line is between two games, although a plain reply is for the first one.
    let (above, below) = quoted.rsplit_once("\n> SINCE").expect("it is quoted");
    club.deliver(club.compose_reply_to(
        "Bob",
        &bundle,
        &format!("{above}\nresign yes\n> SINCE{below}"),
    ));
    club.run_pass();
    assert!(club.last_letter_to("Bob").expect("an answer").contains("is below quoted text"));
    for game in 1..=3 {
        let session = process::load_stored_game(&club.open_context(), game).expect("it opens");
        assert!(session.open_seats().is_empty(), "game {game}");
    }
}

//! Members who want the letters about several of their games as one.

use crate::rig::command::{killed_after_each_step, posted, undisturbed};
use crate::rig::{self, Club, Pigeon, Posted, all_to};
use chrono::TimeDelta;
use postrider::games::kind;
use postrider::mail::transport::{OutgoingMessage, PostError, Transport};
use postrider::process::{self, PassReport};

/// A club with three games of three members; the first letters are out, Ann begins each game, and
/// Bob wants it so.
fn club(settings: &str, wish: &str) -> Club {
    let mut club = Club::with(settings);
    for _ in 1..=3 {
        club.found(kind("paris-connection").expect("it ships"), 3, 7);
    }
    club.pass();
    set(&club, "Bob", wish);
    club
}

fn set(club: &Club, name: &str, line: &str) {
    process::set_member(&club.context(), &rig::address(name), line).expect("it can be");
}

/// Ann moves in these games, all of which are where they began.
fn ann_moves(club: &mut Club, games: &[usize]) {
    for game in games {
        let first = club.pigeon.posted[(game - 1) * 3].clone();
        let letter = club.reply_to("Ann", &first, "build red G23, Troyes");
        club.arrives(letter);
    }
}

/// The page of a letter, whatever carries it.
fn page(letter: &Posted) -> String {
    let parsed = mail_parser::MessageParser::default().parse(&letter.bytes).expect("a letter");
    parsed.body_html(0).expect("a page").into_owned()
}

/// The addresses of the club with a token that a text shows on lines of their own.
fn addresses(text: &str) -> Vec<String> {
    text.lines().filter(|line| line.starts_with("games+")).map(str::to_owned).collect()
}

#[test]
fn three_games_move_and_one_letter_tells_of_all() {
    let mut club = club("", "letters digest");
    ann_moves(&mut club, &[3, 1, 2]);
    let (report, letters) = club.pass();
    assert_eq!((report.carried_out, report.posted, report.waiting), (3, 7, 0));
    let bundle = all_to(&letters, "Bob")[0].clone();
    assert_eq!((all_to(&letters, "Bob").len(), all_to(&letters, "Cid").len()), (1, 3));
    let subject = "Your turn in 3 of 3 games (The Postal Club)";
    assert_eq!(bundle.header("Subject").as_deref(), Some(subject));
    let (list, thread) = (bundle.header("List-Id"), bundle.header("In-Reply-To"));
    assert_eq!((list, thread, bundle.header("References")), (None, None, None));
    let text = bundle.text();
    assert!(text.starts_with("=== Write your orders above this line ===\n"), "{text}");
    assert_eq!(text.matches("Write your orders above").count(), 1, "{text}");
    assert_eq!(text.matches("\n-- \n").count(), 1, "one signature, or the rest would be cut off");
    assert_eq!(text.matches("It is your turn.").count(), 3, "{text}");
    let page = page(&bundle);
    let to_answer = addresses(&text);
    for (game, address) in (1..).zip(&to_answer) {
        assert!(address.starts_with(&format!("games+{game}.2.2.")), "{text}");
        let address = address.replace('+', "%2B");
        let link = format!("mailto:{address}?subject=Re%3A%20%5BParis%20{game}%5D%20");
        assert!(page.contains(&link.replace('/', "&#x2f;")), "{link}\n{page}");
        assert!(text.contains(&format!("\nGame {game}, record 2, chain ")), "{text}");
    }
    assert_eq!((to_answer.len(), page.matches("<h1").count()), (3, 3));
    assert!(page.matches("<html").count() == 1 && page.matches("<body").count() == 1);
    let reply_to = bundle.header("Reply-To").expect("there is one");
    assert!(reply_to.contains(&to_answer[0]), "{reply_to}");
    assert!(bundle.says("A plain reply goes to [Paris 1] Paris Connection, the first"));

    // What stands between the quoted lines could be for any game.
    let quoted: String = text.lines().map(|line| format!("\n> {line}")).collect();
    let (above, below) = quoted.rsplit_once("\n> SINCE").expect("it is quoted");
    let between = format!("build black F24\n{above}\nbuild black F24\n> SINCE{below}");
    club.arrives(club.reply_to("Bob", &bundle, &between));
    club.arrives(club.reply_to("Bob", &bundle, &format!("{above}\nsay hello\n> SINCE{below}")));
    assert_eq!(club.pass().0.carried_out, 0);
    let told = club.last_to("Bob").expect("an answer");
    assert!(told.says("stands below quoted text") && told.says("Nothing has changed."));

    // A plain reply and letters to the other addresses: each is for its game.
    club.arrives(club.reply_to("Bob", &bundle, &format!("build black F24\n{quoted}")));
    for address in &to_answer[1..] {
        let reply = club.reply_to("Bob", &bundle, "build black F24").replace(&reply_to, address);
        club.arrives(reply);
    }
    let (report, letters) = club.pass();
    assert_eq!((report.carried_out, report.quarantined), (3, 0));
    let told = all_to(&letters, "Bob");
    assert_eq!(told.len(), 1, "what he has done is told in one letter too");
    assert_eq!(told[0].text().matches("Your orders have been carried out.").count(), 3);
    let subject = told[0].header("Subject");
    assert_eq!(subject.as_deref(), Some("News of 3 games (The Postal Club)"), "none waits for him");
    assert!(told[0].says("None of them waits for you.") && all_to(&letters, "Cid").len() == 3);
    let lost = rig::report(told[0], "bob@example.org", "failed", "5.1.1");
    club.arrives(lost);
    assert_eq!(club.pass().0.bounced, ["bob@example.org: hard 5.1.1"]);
}

#[test]
fn nothing_changes_for_others_nor_where_only_one_game_has_moved() {
    let played = |wish: &str, games: &[usize]| {
        let mut club = club("", wish);
        ann_moves(&mut club, games);
        club.pass().1
    };
    let bytes = |letters: &[Posted], to_bob: bool| -> Vec<String> {
        letters
            .iter()
            .filter(|l| (l.to == rig::address("Bob")) == to_bob)
            .map(Posted::raw)
            .collect()
    };
    let (digest, each) = (played("letters digest", &[1, 2, 3]), played("letters each", &[1, 2, 3]));
    assert_eq!(bytes(&digest, false), bytes(&each, false));
    assert_eq!((bytes(&digest, true).len(), bytes(&each, true).len()), (1, 3));
    let (digest, each) = (played("letters digest", &[2]), played("letters each", &[2]));
    assert_eq!(bytes(&digest, true), bytes(&each, true));
    assert_eq!((bytes(&digest, false), digest.len()), (bytes(&each, false), 3));
}

#[test]
fn the_games_that_wait_stand_first_and_two_letters_of_a_game_together() {
    let mut club = club("", "letters digest");
    // Game 1 moves, and in a later commit it is told of something again; then game 3 moves.
    let mut report = PassReport::default();
    for (game, body) in [(1, "build red G23, Troyes"), (3, "build red G23, Troyes")] {
        let first = club.pigeon.posted[(game - 1) * 3].clone();
        club.arrives(club.reply_to("Ann", &first, body));
        process::take_in_all(&club.context(), &mut report).expect("it is read");
        let bob = club.pigeon.posted[1].clone();
        club.arrives(club.reply_to(
            "Bob",
            &bob,
            if game == 1 { "build black F24" } else { "help" },
        ));
        process::take_in_all(&club.context(), &mut report).expect("it is read");
    }
    let (_, letters) = club.pass();
    let bundle = all_to(&letters, "Bob")[0];
    assert_eq!(all_to(&letters, "Bob").len(), 1);
    let text = bundle.text();
    let answers = addresses(&text);
    assert!(answers[0].starts_with("games+3.2.2.") && answers[1].starts_with("games+1.2.3."));
    assert_eq!((answers.len(), text.matches("Game 1, record ").count()), (2, 2), "{text}");
    let place = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}\n{text}"));
    // What game 1 told by two commits is told at once, before the answer.
    let told = ["have been carried out", "record 3, chain", "HOW TO PLAY BY LETTER"].map(place);
    assert!(told.is_sorted(), "{told:?}\n{text}");
    assert!(bundle.says("One of them waits for you."));
}

#[test]
fn the_wish_counts_that_stands_when_letters_leave() {
    let mut club = club("", "letters digest");
    ann_moves(&mut club, &[1, 2, 3]);
    process::take_in_all(&club.context(), &mut PassReport::default()).expect("they are read");
    set(&club, "Bob", "letters each");
    let (_, letters) = club.pass();
    let names: Vec<&str> = all_to(&letters, "Bob").iter().map(|letter| letter.name()).collect();
    assert_eq!(names, ["g1.s2.r2", "g2.s2.r2", "g3.s2.r2"]);
    // By letter, there and back.
    club.writes("Bob", "letters digest");
    club.pass();
    assert!(club.last_to("Bob").expect("an answer").says("they come as one from now on"));
    club.writes("Bob", "settings");
    club.writes("Bob", "letters each");
    club.pass();
    assert!(club.last_to("Bob").expect("an answer").says("letters come by themselves"));
}

#[test]
fn a_letter_that_was_perhaps_posted_is_never_bundled() {
    /// Hands Bob's letters over and then does not know it.
    struct Doubtful(Pigeon);
    impl Transport for Doubtful {
        fn post(&mut self, outgoing: &OutgoingMessage<'_>) -> Result<(), PostError> {
            self.0.post(outgoing)?;
            if outgoing.recipient != rig::address("Bob") {
                return Ok(());
            }
            Err(PostError::Doubtful(Box::new(PostError::Down("the line broke".to_owned()))))
        }
        fn batch_size(&self) -> usize {
            1
        }
    }
    let mut club = club("", "letters digest");
    ann_moves(&mut club, &[1]);
    let mut doubtful = Doubtful(Pigeon::default());
    process::pass(&club.context(), &mut doubtful).expect("the pass works");
    ann_moves(&mut club, &[2, 3]);
    process::pass(&club.context(), &mut doubtful).expect("the pass works");
    // Letters that were perhaps posted are put off for a few minutes.
    assert_eq!(club.pass().0.waiting, 2);
    club.now += TimeDelta::hours(1);
    let (report, letters) = club.pass();
    assert_eq!((report.posted, report.waiting), (2, 0));
    let names: Vec<&str> = all_to(&letters, "Bob").iter().map(|letter| letter.name()).collect();
    assert!(names.len() == 2 && names[0] == "g1.s2.r2" && names[1].starts_with("b."), "{names:?}");
    assert!(!all_to(&letters, "Bob")[1].raw().contains("games+1."));
}

#[test]
fn a_courier_that_is_down_finds_the_same_letters_later() {
    let mut club = club("", "letters digest");
    ann_moves(&mut club, &[1, 2, 3]);
    club.pigeon.fails = Some(PostError::Down("no line".to_owned()));
    let (report, _) = club.pass();
    assert_eq!((report.posted, report.waiting), (0, 7));
    club.pigeon.fails = Some(PostError::Later("full".to_owned()));
    assert_eq!(club.pass().0.waiting, 7);
    club.pigeon.fails = None;
    let (report, letters) = club.pass();
    assert_eq!((report.posted, report.waiting, all_to(&letters, "Bob").len()), (7, 0, 1));
    assert_eq!(addresses(&all_to(&letters, "Bob")[0].text()).len(), 3);
}

#[test]
fn without_plus_addresses_the_subject_tells_the_game() {
    let mut club = club("plus_addressing: false\n", "letters digest");
    ann_moves(&mut club, &[1, 2]);
    let (_, letters) = club.pass();
    let bundle = all_to(&letters, "Bob")[0].clone();
    let text = bundle.text();
    let tags: Vec<&str> = text.lines().filter(|line| line.starts_with("[postrider ")).collect();
    let subject = bundle.header("Subject").expect("there is one").replace("\r\n", "");
    assert!(tags.len() == 2 && subject.ends_with(tags[0]), "{subject}\n{text}");
    assert!(
        page(&bundle)
            .contains("mailto:games@example.org?subject=Re%3A%20%5BParis%201%5D%20Paris%20Conn")
    );
    let reply =
        club.reply_to("Bob", &bundle, "build black F24").replace("To: ", "To: games@example.org");
    club.arrives(&reply);
    club.arrives(reply.replace(tags[0], tags[1]));
    assert_eq!(club.pass().0.carried_out, 2);
}

#[test]
fn each_deadline_is_an_entry_of_its_own_and_a_long_page_is_two() {
    let mut club = Club::with("clock: {deadline: 4 days, nmr: forfeit}\n");
    for _ in 1..=20 {
        club.found(kind("paris-connection").expect("it ships"), 3, 7);
    }
    club.pass();
    set(&club, "Bob", "letters digest");
    set(&club, "Bob", "calendar on");
    set(&club, "Cid", "letters digest");
    set(&club, "Cid", "subjects steady");
    ann_moves(&mut club, &(1..=20).collect::<Vec<_>>());
    let (_, letters) = club.pass();
    let bundles = all_to(&letters, "Bob");
    let whole: usize = bundles.iter().map(|bundle| page(bundle).len()).sum();
    assert_eq!(bundles.len() > 1, whole > 100_000, "{whole}");
    assert!(bundles.len() < 6, "{}", bundles.len());
    let mut told = 0;
    for bundle in &bundles {
        let count = addresses(&bundle.text()).len();
        assert!(page(bundle).len() < 102_400 && count > 1, "{count} games");
        let subject =
            format!("Your turn in {count} of {count} games, by Fri 19:00 (The Postal Club)");
        assert_eq!(bundle.header("Subject"), Some(subject));
        let name = format!("filename=\"deadline-{count}.ics\"");
        assert!(bundle.raw().contains(&name), "{}", bundle.raw());
        let uids = bundle.raw().lines().filter(|line| line.starts_with("UID:g")).count();
        assert_eq!(uids, count);
        told += count;
    }
    assert_eq!(told, 20);
    for bundle in all_to(&letters, "Cid") {
        assert_eq!(bundle.header("Subject").as_deref(), Some("Your games (The Postal Club)"));
    }
}

#[test]
fn a_pass_killed_after_any_step_posts_the_same_letters() {
    let mut club = club("letters_per_commit: 1\n", "letters digest");
    set(&club, "Cid", "letters digest");
    ann_moves(&mut club, &[1, 2]);
    postrider::mail::Maildir::new(club.folder().join("outbox")).create().expect("an outbox");
    let expected = undisturbed(club.folder(), posted);
    let bundles = expected.keys().filter(|name| name.starts_with("b.")).count();
    assert_eq!((expected.len(), bundles), (4, 2));
    killed_after_each_step(club.folder(), 40..1_000, 11, |folder, step| {
        assert_eq!(posted(folder), expected, "killed after step {step}");
    });
}

#[test]
fn no_seat_is_left_by_a_word_between_the_quoted_lines() {
    let mut club = club("", "letters digest");
    ann_moves(&mut club, &[1, 2, 3]);
    let bundle = all_to(&club.pass().1, "Bob")[0].clone();
    let quoted: String = bundle.text().lines().map(|line| format!("\n> {line}")).collect();
    // Below the second game, though a plain reply is the first one's.
    let (above, below) = quoted.rsplit_once("\n> SINCE").expect("it is quoted");
    club.arrives(club.reply_to("Bob", &bundle, &format!("{above}\nresign yes\n> SINCE{below}")));
    club.pass();
    assert!(club.last_to("Bob").expect("an answer").says("stands below quoted text"));
    for game in 1..=3 {
        let session = process::open_game(&club.context(), game).expect("it opens");
        assert!(session.open_seats().is_empty(), "game {game}");
    }
}

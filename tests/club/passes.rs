//! The letters that a pass sends in reaction to each kind of letter.

use crate::rig::{Club, PostedLetter, first_letter_to, letters_to};
use postrider::club::Intervention;
use postrider::games::find_kind;
use postrider::mail::transport::PostError;
use postrider::process::{self, PassReport};

/// Creates a club with one game of Paris Connection that Ann begins.
fn paris_club() -> Club {
    let mut club = Club::new();
    start_first_game(&mut club);
    club
}

fn start_first_game(club: &mut Club) {
    let game = club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    assert_eq!(game, 1);
    let (report, letters) = club.run_pass();
    assert_eq!((report.posted, letters.len()), (3, 3));
}

#[test]
fn order_moves_game_and_everyone_gets_letter() {
    let mut club = paris_club();
    club.send_reply("Ann", "build red G23, Troyes");
    let (report, letters) = club.run_pass();
    assert_eq!((report.letters_read, report.carried_out, report.posted), (1, 1, 3));
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(to, ["ann@example.org", "bob@example.org", "cid@example.org"]);
    assert!(club.last_text_to("Ann").contains("We've carried out your orders."));
    assert!(club.last_text_to("Bob").contains("It's your turn."));
    assert!(club.last_text_to("Cid").contains("Ann builds red on G23 and G25 Troyes"));
    assert_eq!(letters[0].header("In-Reply-To").as_deref(), Some("<ann-1@example.org>"));
    assert_eq!(letters[1].name(), "g1.s2.r2");
    assert_eq!(letters[1].header("Auto-Submitted").as_deref(), Some("auto-generated"));
    assert_eq!(letters[0].header("Auto-Submitted").as_deref(), Some("auto-replied"));
    assert_eq!(club.inbox_files(".done/cur").len(), 1);
}

#[test]
fn idle_pass_posts_and_changes_nothing() {
    let mut club = paris_club();
    assert_eq!(*club.run_pass().0, PassReport::default());
}

#[test]
fn question_is_answered_once_in_its_thread() {
    let mut club = paris_club();
    for (question, answer) in [
        ("status", "THE TABLE"),
        ("Board?", "THE BOARD"),
        ("history", "THE GAME SO FAR"),
        ("LEGAL", "WHAT YOU CAN DO"),
        ("rules", "THE RULES"),
        ("help", "HOW TO WRITE ORDERS"),
    ] {
        let id = club.next_message_id("Ann");
        club.send_reply("Ann", question);
        let (_, letters) = club.run_pass();
        let [letter] = letters.as_slice() else { panic!("{question}: {letters:?}") };
        assert!(letter.body_text().contains(answer), "{question}: {}", letter.body_text());
        assert_eq!(letter.header("In-Reply-To").as_deref(), Some(id.as_str()), "{question}");
        assert!(letter.header("References").is_some_and(|all| all.contains(&id)));
    }
    assert_eq!(
        process::load_stored_game(&club.open_context(), 1)
            .expect("it opens")
            .table
            .last_record_number(),
        1
    );
}

#[test]
fn preview_is_judged_but_not_carried_out() {
    let mut club = paris_club();
    club.send_reply("Ann", "preview\nbuild red G23 G25");
    club.run_pass();
    let text = club.last_text_to("Ann");
    assert!(text.contains("This is a preview. Nothing has been done."), "{text}");
    assert!(text.contains("You build red on G23 and G25 Troyes"), "{text}");
    club.send_reply("Ann", "preview build red F20");
    club.run_pass();
    assert!(club.last_text_to("Ann").contains("We couldn't carry out these orders."));
    assert_eq!(
        process::load_stored_game(&club.open_context(), 1)
            .expect("it opens")
            .table
            .last_record_number(),
        1
    );
}

#[test]
fn first_bad_line_refuses_whole_letter() {
    let mut club = paris_club();
    club.send_reply("Ann", "build red G23\ntrade red for 2 blue");
    let (report, letters) = club.run_pass();
    assert_eq!((report.carried_out, letters.len()), (0, 1));
    let text = club.last_text_to("Ann");
    assert!(text.contains("Line 2 of your e-mail: trade red for 2 blue"), "{text}");
    assert!(text.contains("Your turn ended before this line"), "{text}");
    assert_eq!(
        process::load_stored_game(&club.open_context(), 1)
            .expect("it opens")
            .table
            .last_record_number(),
        1
    );
}

#[test]
fn order_out_of_turn_names_awaited_player() {
    let mut club = paris_club();
    club.send_reply("Bob", "build red G23");
    club.run_pass();
    assert!(club.last_text_to("Bob").contains("isn't your turn. The game is waiting for Ann"));
}

#[test]
fn duplicate_letter_is_carried_out_once() {
    let mut club = paris_club();
    let letter = club.compose_reply("Ann", "build red G23");
    club.deliver(&letter);
    club.deliver(&letter);
    let (report, letters) = club.run_pass();
    assert_eq!((report.carried_out, report.answered, letters.len()), (1, 1, 4));
    assert!(
        letters_to(&letters, "Ann").iter().any(|letter| letter.contains("already got this e-mail")),
        "{letters:?}"
    );
    club.deliver(&letter);
    club.run_pass();
    assert!(club.last_text_to("Ann").contains("this e-mail on Mon 5 Jan 2026 19:00 UTC"));
    assert_eq!(club.record_count(), 2);
    // Duplicate messages and proposals also have no second effect, in one pass or in two.
    let proposal = club.compose_reply("Ann", "new paris-connection seats 3");
    let message = club.compose_reply("Ann", "say hello").replace("ann-", "word-");
    for letters in
        [[&proposal, &proposal, &message, &message], [&proposal, &message, &proposal, &message]]
    {
        letters.into_iter().for_each(|letter| {
            club.deliver(letter);
        });
        club.run_pass();
    }
    let store = club.open_context().store;
    let forming = store.game_infos().expect("they are read").into_iter();
    assert_eq!(forming.filter(|(_, room)| room.proposal.is_some()).count(), 1);
    assert_eq!(store.activity_log(1).expect("they are read").len(), 1);
}

#[test]
fn stranger_gets_one_answer_without_quotation() {
    let mut club = paris_club();
    for n in 0..3 {
        club.deliver(format!("From: x@example.net\r\nTo: games@example.org\r\n\r\nbuy {n}\r\n"));
    }
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 1);
    let text = letters[0].body_text();
    assert!(text.contains("don't know your address") && !text.contains("buy"), "{text}");
}

#[test]
fn automatic_letters_are_never_answered() {
    let mut club = paris_club();
    let own = club.last_letter_to("Ann").expect("a letter").bytes.clone();
    let reply = club.compose_reply("Ann", "I am away. build red G23");
    club.deliver(own);
    club.deliver(reply.replace("Subject:", "Auto-Submitted: auto-replied\r\nSubject:"));
    club.deliver(reply.replace("<ann@example.org>\r\nFrom", "<>\r\nFrom"));
    club.deliver(reply.replace("Subject:", "Precedence: bulk\r\nSubject:"));
    let (report, letters) = club.run_pass();
    assert_eq!((report.letters_read, letters.len()), (4, 0), "{letters:?}");
}

#[test]
fn order_under_vacation_subject_is_carried_out() {
    let mut club = paris_club();
    let away = |letter: String| {
        let subject = letter.lines().find(|line| line.starts_with("Subject: "));
        let subject = subject.expect("it has one").to_owned();
        letter.replace(&subject, "Subject: Vacation")
    };
    let notice = away(club.compose_reply("Ann", "I am on vacation until Monday.\nbye"))
        .replace("ann-", "n-");
    club.deliver(notice.replace("Vacation", "Odpowied\u{17a} automatyczna: turn 1"));
    club.deliver(notice.replace("bye", "status"));
    let (report, letters) = club.run_pass();
    assert_eq!((report.letters_read, report.answered, letters.len()), (2, 0, 0), "{letters:?}");
    let order = away(club.compose_reply("Ann", "Hello all,\nbuild red G23"));
    club.deliver(order);
    assert_eq!(club.run_pass().0.carried_out, 1);
    let own = away(club.compose_reply("Ann", "vacation 2026-02-01 to 2026-02-08"));
    club.deliver(own.replace("ann-", "v-"));
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 1, "a line with a setting is carried out too");
    // Under a vacation subject, a letter from an unknown address is ignored, not quarantined.
    let order = away(club.compose_reply("Bob", "build red G24"));
    club.deliver(order.replace("bob@example.org", "eve@example.net"));
    let (report, letters) = club.run_pass();
    assert_eq!((report.quarantined, letters.len()), (0, 0));
}

#[test]
fn token_from_wrong_address_is_quarantined_and_reported() {
    let mut club = paris_club();
    let letter =
        club.compose_reply("Ann", "build red G23").replace("ann@example.org", "eve@example.net");
    club.deliver(letter);
    let (report, letters) = club.run_pass();
    let recipients: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(
        (report.quarantined, recipients.len()),
        (1, 2),
        "one letter to Ann and one to the moderator: {recipients:?}"
    );
    assert!(!recipients.contains(&"eve@example.net"));
    assert!(first_letter_to(&letters, "Mod").contains("eve@example.net isn't an address"));
    assert_eq!(club.quarantined_count(), 1);
}

#[test]
fn member_without_token_learns_which_letter_to_answer() {
    let mut club = paris_club();
    club.deliver("From: ann@example.org\r\nTo: games@example.org\r\n\r\nbuild red G23\r\n");
    let (_, letters) = club.run_pass();
    assert!(letters[0].body_text().contains("[Paris 1] Paris Connection"));
    let forged = club.compose_reply("Ann", "build red G23").replace("+1.1.1.", "+1.2.1.");
    club.deliver(forged);
    let (_, letters) = club.run_pass();
    assert!(letters[0].contains("isn't valid, or no longer is"), "{}", letters[0].body_text());
}

#[test]
fn answers_stop_after_hourly_limit_with_notice() {
    let mut club = Club::with_settings("answers_per_hour: 3\n");
    start_first_game(&mut club);
    for n in 0..6 {
        club.deliver(
            club.compose_reply("Ann", &format!("nonsense {n}")).replace("ann-", &format!("x{n}-")),
        );
    }
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 4);
    assert!(letters[3].body_text().contains("so many e-mails"));
    // Orders are carried out beyond the limit. Later the player gets answers again.
    club.send_reply("Ann", "build red G23");
    assert_eq!(club.run_pass().0.carried_out, 1);
    club.now += chrono::TimeDelta::hours(2);
    club.send_reply("Ann", "status");
    assert_eq!(club.run_pass().1.len(), 1);
}

#[test]
fn conflicting_order_in_outdated_letter_is_refused() {
    let mut club = paris_club();
    let first = club.last_letter_to("Ann").expect("a letter").clone();
    for (name, order) in
        [("Ann", "build red G23"), ("Bob", "build black F24"), ("Cid", "build red G25")]
    {
        club.send_reply(name, order);
        club.run_pass();
    }
    // It is Ann's turn again. Her old letter did not show that Cid has changed red's supply.
    let stale = club.compose_reply_to("Ann", &first, "build red G25 G27");
    club.deliver(stale.replace("ann-", "stale-"));
    club.run_pass();
    let text = club.last_text_to("Ann");
    assert!(text.contains("We couldn't carry out your orders"), "{text}");
    assert_eq!(
        process::load_stored_game(&club.open_context(), 1)
            .expect("it opens")
            .table
            .last_record_number(),
        4
    );
}

#[test]
fn unreadable_letters_are_quarantined_and_stop_nobody() {
    let mut club = paris_club();
    for bytes in [
        &b""[..],
        b"\0\xff\xfe\x00",
        b"From: \r\n\r\n",
        b"no header at all",
        &[b'a'; 3_000],
        b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n--x\r\n--x--",
    ] {
        club.deliver(bytes);
    }
    club.deliver(vec![b'x'; 1 << 21]);
    club.send_reply("Ann", "build red G23");
    let (report, _) = club.run_pass();
    assert_eq!((report.letters_read, report.carried_out, report.quarantined), (8, 1, 7));
    assert_eq!(club.inbox_files("new").len(), 0);
    assert_eq!(club.quarantined_count(), 7);
}

#[test]
fn broken_game_does_not_stop_other_games() {
    let mut club = paris_club();
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    let (_, letters) = club.run_pass();
    let second = letters.iter().find(|l| l.to == "ann@example.org").expect("a letter").clone();
    let first = club.transport.posted[0].clone();
    let damage = postrider::store::Batch {
        log_lines: vec![postrider::store::LogLine { game: 1, seq: 2, line: "{}".to_owned() }],
        ..postrider::store::Batch::default()
    };
    club.open_context().store.write_without_conflict_check(&damage).expect("it is written");
    club.deliver(club.compose_reply_to("Ann", &first, "build red G23"));
    club.deliver(club.compose_reply_to("Ann", &second, "build red G23").replace("ann-", "ann2-"));
    let (report, letters) = club.run_pass();
    assert_eq!((report.carried_out, report.quarantined), (1, 1));
    let note = letters.iter().find(|l| l.to == "mod@example.org").expect("a note").body_text();
    assert!(note.contains("Game 1 can't go on"), "{note}");
}

#[test]
fn awaited_player_is_reminded_once_a_week() {
    let mut club = paris_club();
    let mut letters = Vec::new();
    for _ in 0..20 {
        club.now += chrono::TimeDelta::days(1);
        letters.extend(club.run_pass().1);
    }
    let days: Vec<&str> = letters.iter().map(PostedLetter::name).collect();
    assert_eq!(days, ["g1.s1.r1.h175", "g1.s1.r1.h350"]);
    assert!(
        letters[0].body_text().contains("waiting for you for 7 days"),
        "{}",
        letters[0].body_text()
    );
}

#[test]
fn unposted_letters_stay_queued_and_are_retried() {
    let mut club = paris_club();
    club.send_reply("Ann", "build red G23");
    club.transport.error = Some(PostError::Unavailable("no route".to_owned()));
    let (report, _) = club.run_pass();
    assert_eq!((report.posted, report.queued_letters), (0, 3));
    assert_eq!(report.troubles.len(), 1);
    club.transport.error = Some(PostError::Temporary("451".to_owned()));
    let (report, _) = club.run_pass();
    assert_eq!((report.posted, report.queued_letters, report.troubles.len()), (0, 3, 3));
    club.transport.error = None;
    let (report, letters) = club.run_pass();
    assert_eq!((report.posted, report.queued_letters), (3, 0));
    assert!(letters[0].body_text().contains("We've carried out your orders."));
}

#[test]
fn permanently_refused_letter_is_reported_to_moderator() {
    let mut club = paris_club();
    club.send_reply("Ann", "status");
    club.transport.error = Some(PostError::Refused("550 no such user".to_owned()));
    assert_eq!(
        club.run_pass().0.queued_letters,
        1,
        "the note to the moderator is refused too, so the fault may be the club's"
    );
    club.transport.error = None;
    let (_, letters) = club.run_pass();
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(to, ["ann@example.org"]);
    club.send_reply("Ann", "board");
    let context = club.open_context();
    let mut report = PassReport::default();
    process::process_all_letters(&context, &mut report).expect("taken in");
    let mut once =
        FailOnceTransport(Some(PostError::Refused("550 no such user".to_owned())), Vec::new());
    process::deliver(&context, &mut once, &mut report).expect("delivered");
    assert_eq!(once.1, ["mod@example.org"]);
}

/// A transport that fails once, and then notes the recipients of the letters.
struct FailOnceTransport(Option<PostError>, Vec<String>);

impl postrider::mail::transport::Transport for FailOnceTransport {
    fn post(
        &mut self,
        outgoing: &postrider::mail::transport::OutgoingMessage<'_>,
    ) -> Result<(), PostError> {
        self.1.extend(self.0.is_none().then(|| outgoing.recipient.to_owned()));
        self.0.take().map_or(Ok(()), Err)
    }

    fn letters_per_save(&self) -> usize {
        1
    }
}

#[test]
fn moderator_intervention_is_announced_to_all_players() {
    let mut club = paris_club();
    club.send_reply("Ann", "build red G23");
    club.run_pass();
    let stale = club.compose_reply("Bob", "build black F24");
    assert!(
        process::moderate_game(&club.open_context(), 1, &Intervention::Rewind(1), "a slip of mine")
            .is_ok()
    );
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 3);
    assert!(letters[0].body_text().contains("rewound the game to move 1: a slip of mine"));
    assert!(letters[0].body_text().contains("It's your turn."));
    club.deliver(stale);
    club.run_pass();
    assert!(club.last_text_to("Bob").contains("The moderator rewound the game after"));
    assert!(
        process::split_refusal(process::moderate_game(
            &club.open_context(),
            1,
            &Intervention::Rewind(9),
            "?"
        ))
        .expect("it works")
        .is_err()
    );
    assert!(
        process::moderate_game(&club.open_context(), 1, &Intervention::End, "we stop here").is_ok()
    );
    let (_, letters) = club.run_pass();
    let text = letters[0].body_text();
    assert!(text.contains("ended the game: we stop here"), "{text}");
    assert!(text.contains("The secret seed of this game was"), "{text}");
    assert!(
        process::split_refusal(process::moderate_game(
            &club.open_context(),
            1,
            &Intervention::End,
            "again"
        ))
        .expect("it works")
        .is_err()
    );
}

#[test]
fn small_talk_beside_order_is_quoted_back() {
    let mut club = paris_club();
    club.send_reply("Ann", "Sorry for the delay!\n\nbuild red G23.\n\nThis will hurt you, Bob?");
    assert_eq!(club.run_pass().0.carried_out, 1);
    let letter = club.last_letter_to("Ann").expect("a letter");
    assert!(letter.contains("We took line 1 for talk, not for an order: Sorry for the delay!"));
    assert!(letter.contains("We took line 5 for talk, not for an order"));
    // A mistyped order is not small talk, and neither is a sentence in a letter without orders.
    club.send_reply("Bob", "build black F24\nbiuld black F26");
    assert_eq!(club.run_pass().0.carried_out, 0);
    club.send_reply("Bob", "I would like to wait, please.");
    assert_eq!(club.run_pass().0.carried_out, 0);
    assert!(
        club.last_letter_to("Bob")
            .expect("a letter")
            .contains("Line 1 of your e-mail: I would like")
    );
}

//! What a pass does with each sort of letter, seen from outside: letters in, letters out.

use crate::rig::{Club, Posted, all_to, to};
use postrider::club::Intervention;
use postrider::games::kind;
use postrider::mail::transport::PostError;
use postrider::process::{self, PassReport};

/// A club with one game of Paris Connection for three that Ann begins, first letters posted.
fn club() -> Club {
    let mut club = Club::new();
    begin(&mut club);
    club
}

fn begin(club: &mut Club) {
    let game = club.found(kind("paris-connection").expect("it ships"), 3, 7);
    assert_eq!(game, 1);
    let (report, letters) = club.pass();
    assert_eq!((report.posted, letters.len()), (3, 3));
}

#[test]
fn an_order_moves_the_game_and_everyone_gets_one_letter() {
    let mut club = club();
    club.writes("Ann", "build red G23, Troyes");
    let (report, letters) = club.pass();
    assert_eq!((report.read, report.carried_out, report.posted), (1, 1, 3));
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(to, ["ann@example.org", "bob@example.org", "cid@example.org"]);
    assert!(club.last_text("Ann").contains("Your orders have been carried out."));
    assert!(club.last_text("Bob").contains("It is your turn."));
    assert!(club.last_text("Cid").contains("Ann builds red on G23 and G25 Troyes"));
    assert_eq!(letters[0].header("In-Reply-To").as_deref(), Some("<ann-1@example.org>"));
    assert_eq!(letters[1].name(), "g1.s2.r2");
    assert_eq!(letters[1].header("Auto-Submitted").as_deref(), Some("auto-generated"));
    assert_eq!(letters[0].header("Auto-Submitted").as_deref(), Some("auto-replied"));
    assert_eq!(club.mail_folder(".done/cur").len(), 1);
}

#[test]
fn an_idle_pass_says_and_changes_nothing() {
    let mut club = club();
    assert_eq!(*club.pass().0, PassReport::default());
}

#[test]
fn each_question_is_answered_once_in_its_thread_and_changes_nothing() {
    let mut club = club();
    for (question, answer) in [
        ("status", "THE TABLE"),
        ("Board?", "THE BOARD"),
        ("history", "THE GAME SO FAR"),
        ("LEGAL", "WHAT YOU CAN DO"),
        ("rules", "THE RULES"),
        ("help", "HOW TO WRITE ORDERS"),
    ] {
        let id = club.arrived_id("Ann");
        club.writes("Ann", question);
        let (_, letters) = club.pass();
        let [letter] = letters.as_slice() else { panic!("{question}: {letters:?}") };
        assert!(letter.text().contains(answer), "{question}: {}", letter.text());
        assert_eq!(letter.header("In-Reply-To").as_deref(), Some(id.as_str()), "{question}");
        assert!(letter.header("References").is_some_and(|all| all.contains(&id)));
    }
    assert_eq!(process::open_game(&club.context(), 1).expect("it opens").table.head(), 1);
}

#[test]
fn a_preview_is_judged_and_not_done() {
    let mut club = club();
    club.writes("Ann", "preview\nbuild red G23 G25");
    club.pass();
    let text = club.last_text("Ann");
    assert!(text.contains("This is a preview: nothing has been done."), "{text}");
    assert!(text.contains("You build red on G23 and G25 Troyes"), "{text}");
    club.writes("Ann", "preview build red F20");
    club.pass();
    assert!(club.last_text("Ann").contains("the orders would be refused"));
    assert_eq!(process::open_game(&club.context(), 1).expect("it opens").table.head(), 1);
}

#[test]
fn the_first_bad_line_refuses_the_whole_letter() {
    let mut club = club();
    club.writes("Ann", "build red G23\ntrade red for 2 blue");
    let (report, letters) = club.pass();
    assert_eq!((report.carried_out, letters.len()), (0, 1));
    let text = club.last_text("Ann");
    assert!(text.contains("Line 2 of your letter: trade red for 2 blue"), "{text}");
    assert!(text.contains("Your turn was over before this line"), "{text}");
    assert_eq!(process::open_game(&club.context(), 1).expect("it opens").table.head(), 1);
}

#[test]
fn a_letter_out_of_turn_names_who_is_awaited() {
    let mut club = club();
    club.writes("Bob", "build red G23");
    club.pass();
    assert!(club.last_text("Bob").contains("not your turn: the game waits for Ann"));
}

#[test]
fn the_same_letter_twice_is_done_once() {
    let mut club = club();
    let letter = club.reply("Ann", "build red G23");
    club.arrives(&letter);
    club.arrives(&letter);
    let (report, letters) = club.pass();
    assert_eq!((report.carried_out, report.answered, letters.len()), (1, 1, 4));
    assert!(all_to(&letters, "Ann").iter().any(|letter| letter.says("came before")), "{letters:?}");
    club.arrives(&letter);
    club.pass();
    assert!(club.last_text("Ann").contains("came before, on Mon 5 Jan 2026 19:00 UTC"));
    assert_eq!(club.head(), 2);
    // Nor is it said twice, or is a table opened twice, in one pass or in two.
    let table = club.reply("Ann", "new paris-connection seats 3");
    let word = club.reply("Ann", "say hello").replace("ann-", "word-");
    for letters in [[&table, &table, &word, &word], [&table, &word, &table, &word]] {
        letters.into_iter().for_each(|letter| {
            club.arrives(letter);
        });
        club.pass();
    }
    let store = club.context().store;
    let forming = store.rooms().expect("they are read").into_iter();
    assert_eq!(forming.filter(|(_, room)| room.proposal.is_some()).count(), 1);
    assert_eq!(store.minutes(1).expect("they are read").len(), 1);
}

#[test]
fn a_stranger_gets_one_short_answer_a_day_that_quotes_nothing() {
    let mut club = club();
    for n in 0..3 {
        club.arrives(format!("From: x@example.net\r\nTo: games@example.org\r\n\r\nbuy {n}\r\n"));
    }
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 1);
    let text = letters[0].text();
    assert!(text.contains("not known here") && !text.contains("buy"), "{text}");
}

#[test]
fn machines_are_never_answered() {
    let mut club = club();
    let own = club.last_to("Ann").expect("a letter").bytes.clone();
    let reply = club.reply("Ann", "I am away. build red G23");
    club.arrives(own);
    club.arrives(reply.replace("Subject:", "Auto-Submitted: auto-replied\r\nSubject:"));
    club.arrives(reply.replace("<ann@example.org>\r\nFrom", "<>\r\nFrom"));
    club.arrives(reply.replace("Subject:", "Precedence: bulk\r\nSubject:"));
    let (report, letters) = club.pass();
    assert_eq!((report.read, letters.len()), (4, 0), "{letters:?}");
}

#[test]
fn an_order_under_a_subject_like_an_absence_notices_is_carried_out() {
    let mut club = club();
    let away = |letter: String| {
        let subject = letter.lines().find(|line| line.starts_with("Subject: "));
        let subject = subject.expect("it has one").to_owned();
        letter.replace(&subject, "Subject: Vacation")
    };
    let notice =
        away(club.reply("Ann", "I am on vacation until Monday.\nbye")).replace("ann-", "n-");
    club.arrives(notice.replace("Vacation", "Odpowied\u{17a} automatyczna: turn 1"));
    club.arrives(notice.replace("bye", "status"));
    let (report, letters) = club.pass();
    assert_eq!((report.read, report.answered, letters.len()), (2, 0, 0), "{letters:?}");
    let order = away(club.reply("Ann", "Hello all,\nbuild red G23"));
    club.arrives(order);
    assert_eq!(club.pass().0.carried_out, 1);
    let own = away(club.reply("Ann", "vacation 2026-02-01 to 2026-02-08"));
    club.arrives(own.replace("ann-", "v-"));
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 1, "a line for the house is one to be done as well");
    // From somebody who is not let in such a letter is nothing.
    let order = away(club.reply("Bob", "build red G24"));
    club.arrives(order.replace("bob@example.org", "eve@example.net"));
    let (report, letters) = club.pass();
    assert_eq!((report.quarantined, letters.len()), (0, 0));
}

#[test]
fn a_token_in_other_hands_goes_to_quarantine_and_the_moderator() {
    let mut club = club();
    let letter = club.reply("Ann", "build red G23").replace("ann@example.org", "eve@example.net");
    club.arrives(letter);
    let (report, letters) = club.pass();
    let told: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!((report.quarantined, told.len()), (1, 2), "she whose mark it is, and he: {told:?}");
    assert!(!told.contains(&"eve@example.net"));
    assert!(to(&letters, "Mod").says("eve@example.net is not an address"));
    assert_eq!(club.in_quarantine(), 1);
}

#[test]
fn a_member_without_a_valid_token_is_told_which_letter_to_answer() {
    let mut club = club();
    club.arrives("From: ann@example.org\r\nTo: games@example.org\r\n\r\nbuild red G23\r\n");
    let (_, letters) = club.pass();
    assert!(letters[0].text().contains("[Paris 1] Paris Connection"));
    let forged = club.reply("Ann", "build red G23").replace("+1.1.1.", "+1.2.1.");
    club.arrives(forged);
    let (_, letters) = club.pass();
    assert!(letters[0].says("is not valid (any more)"), "{}", letters[0].text());
}

#[test]
fn a_writer_without_end_gets_a_last_word_and_then_silence() {
    let mut club = Club::with("answers_per_hour: 3\n");
    begin(&mut club);
    for n in 0..6 {
        club.arrives(
            club.reply("Ann", &format!("nonsense {n}")).replace("ann-", &format!("x{n}-")),
        );
    }
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 4);
    assert!(letters[3].text().contains("So many letters"));
    // Orders are carried out all the same, and later the person is answered again.
    club.writes("Ann", "build red G23");
    assert_eq!(club.pass().0.carried_out, 1);
    club.now += chrono::TimeDelta::hours(2);
    club.writes("Ann", "status");
    assert_eq!(club.pass().1.len(), 1);
}

#[test]
fn an_answer_to_an_old_letter_never_moves_by_surprise() {
    let mut club = club();
    let first = club.last_to("Ann").expect("a letter").clone();
    for (name, order) in
        [("Ann", "build red G23"), ("Bob", "build black F24"), ("Cid", "build red G25")]
    {
        club.writes(name, order);
        club.pass();
    }
    // It is Ann's turn again. Her old letter did not show what Cid has done to red's supply.
    let stale = club.reply_to("Ann", &first, "build red G25 G27");
    club.arrives(stale.replace("ann-", "stale-"));
    club.pass();
    let text = club.last_text("Ann");
    assert!(text.contains("Your orders were not carried out"), "{text}");
    assert_eq!(process::open_game(&club.context(), 1).expect("it opens").table.head(), 4);
}

#[test]
fn any_bytes_at_all_leave_the_inbox_and_stop_nobody() {
    let mut club = club();
    for bytes in [
        &b""[..],
        b"\0\xff\xfe\x00",
        b"From: \r\n\r\n",
        b"no header at all",
        &[b'a'; 3_000],
        b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n--x\r\n--x--",
    ] {
        club.arrives(bytes);
    }
    club.arrives(vec![b'x'; 1 << 21]);
    club.writes("Ann", "build red G23");
    let (report, _) = club.pass();
    assert_eq!((report.read, report.carried_out, report.quarantined), (8, 1, 7));
    assert_eq!(club.mail_folder("new").len(), 0);
    assert_eq!(club.in_quarantine(), 7);
}

#[test]
fn one_broken_game_is_fenced_off_and_all_others_go_on() {
    let mut club = club();
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    let (_, letters) = club.pass();
    let second = letters.iter().find(|l| l.to == "ann@example.org").expect("a letter").clone();
    let first = club.pigeon.posted[0].clone();
    let damage = postrider::store::Batch {
        log_lines: vec![postrider::store::LogLine { game: 1, seq: 2, line: "{}".to_owned() }],
        ..postrider::store::Batch::default()
    };
    club.context().store.write(&damage).expect("it is written");
    club.arrives(club.reply_to("Ann", &first, "build red G23"));
    club.arrives(club.reply_to("Ann", &second, "build red G23").replace("ann-", "ann2-"));
    let (report, letters) = club.pass();
    assert_eq!((report.carried_out, report.quarantined), (1, 1));
    let note = letters.iter().find(|l| l.to == "mod@example.org").expect("a note").text();
    assert!(note.contains("Game 1 cannot be played on"), "{note}");
}

#[test]
fn a_game_that_waits_too_long_reminds_once_a_week() {
    let mut club = club();
    let mut letters = Vec::new();
    for _ in 0..20 {
        club.now += chrono::TimeDelta::days(1);
        letters.extend(club.pass().1);
    }
    let days: Vec<&str> = letters.iter().map(Posted::name).collect();
    assert_eq!(days, ["g1.s1.r1.w7", "g1.s1.r1.w14"]);
    assert!(letters[0].text().contains("waiting for you for 7 days"), "{}", letters[0].text());
}

#[test]
fn what_cannot_be_posted_waits_and_is_tried_again() {
    let mut club = club();
    club.writes("Ann", "build red G23");
    club.pigeon.fails = Some(PostError::Down("no route".to_owned()));
    let (report, _) = club.pass();
    assert_eq!((report.posted, report.waiting), (0, 3));
    assert_eq!(report.troubles.len(), 1);
    club.pigeon.fails = Some(PostError::Later("451".to_owned()));
    let (report, _) = club.pass();
    assert_eq!((report.posted, report.waiting, report.troubles.len()), (0, 3, 3));
    club.pigeon.fails = None;
    let (report, letters) = club.pass();
    assert_eq!((report.posted, report.waiting), (3, 0));
    assert!(letters[0].text().contains("Your orders have been carried out."));
}

#[test]
fn a_letter_that_is_refused_for_good_is_told_to_the_moderator() {
    let mut club = club();
    club.writes("Ann", "status");
    club.pigeon.fails = Some(PostError::Refused("550 no such user".to_owned()));
    assert_eq!(club.pass().0.waiting, 1, "who refuses the note too may refuse us and not Ann");
    club.pigeon.fails = None;
    let (_, letters) = club.pass();
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(to, ["ann@example.org"]);
    club.writes("Ann", "board");
    let context = club.context();
    let mut report = PassReport::default();
    process::take_in_all(&context, &mut report).expect("taken in");
    let mut once = Once(Some(PostError::Refused("550 no such user".to_owned())), Vec::new());
    process::deliver(&context, &mut once, &mut report).expect("delivered");
    assert_eq!(once.1, ["mod@example.org"]);
}

/// Fails once, and keeps whom it posted to afterwards.
struct Once(Option<PostError>, Vec<String>);

impl postrider::mail::transport::Transport for Once {
    fn post(
        &mut self,
        outgoing: &postrider::mail::transport::OutgoingMessage<'_>,
    ) -> Result<(), PostError> {
        self.1.extend(self.0.is_none().then(|| outgoing.recipient.to_owned()));
        self.0.take().map_or(Ok(()), Err)
    }

    fn batch_size(&self) -> usize {
        1
    }
}

#[test]
fn the_moderators_hand_is_told_to_everyone() {
    let mut club = club();
    club.writes("Ann", "build red G23");
    club.pass();
    let stale = club.reply("Bob", "build black F24");
    assert!(
        process::moderate(&club.context(), 1, &Intervention::Rewind(1), "a slip of mine").is_ok()
    );
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 3);
    assert!(letters[0].text().contains("took the game back to record 1: a slip of mine"));
    assert!(letters[0].text().contains("It is your turn."));
    club.arrives(stale);
    club.pass();
    assert!(club.last_text("Bob").contains("took the game back after the letter"));
    assert!(
        process::answered(process::moderate(&club.context(), 1, &Intervention::Rewind(9), "?"))
            .expect("it works")
            .is_err()
    );
    assert!(process::moderate(&club.context(), 1, &Intervention::End, "we stop here").is_ok());
    let (_, letters) = club.pass();
    let text = letters[0].text();
    assert!(text.contains("ended the game: we stop here"), "{text}");
    assert!(text.contains("The secret seed of this game was"), "{text}");
    assert!(
        process::answered(process::moderate(&club.context(), 1, &Intervention::End, "again"))
            .expect("it works")
            .is_err()
    );
}

#[test]
fn a_word_to_people_beside_an_order_does_no_harm_and_is_shown_back() {
    let mut club = club();
    club.writes("Ann", "Sorry for the delay!\n\nbuild red G23.\n\nThis will hurt you, Bob?");
    assert_eq!(club.pass().0.carried_out, 1);
    let letter = club.last_to("Ann").expect("a letter");
    assert!(
        letter.says("Line 1 was taken as a word to us and not as an order: Sorry for the delay!")
    );
    assert!(letter.says("Line 5 was taken as a word to us"));
    // A mistyped order is none of that, and neither is a sentence that stands alone.
    club.writes("Bob", "build black F24\nbiuld black F26");
    assert_eq!(club.pass().0.carried_out, 0);
    club.writes("Bob", "I would like to wait, please.");
    assert_eq!(club.pass().0.carried_out, 0);
    assert!(club.last_to("Bob").expect("a letter").says("Line 1 of your letter: I would like"));
}

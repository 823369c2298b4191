//! Tests how many letters non-members get because of members, and how they stop them.

use crate::rig::moderator_letters::{ask_as_mod, introduce_mod};
use crate::rig::{Club, PostedLetter, address, first_letter_to, letters_to};
use crate::unsubscribe::compose_unsubscribe;
use chrono::TimeDelta;
use postrider::process;
use postrider::testing::sample_or_all;

const ZOE: &str = "zoe@example.net";

/// Creates a club with a game of six players. Returns it with Ann's invitation to Zoe.
fn club_with_invited_zoe(settings: &str) -> (Club, PostedLetter) {
    let mut club = Club::with_game(settings, "paris-connection", 6, 7);
    let letters =
        letters_after_line(&mut club, "Ann", &format!("new paris-connection seats 5 invite {ZOE}"));
    let asked = first_letter_to(&letters, ZOE).clone();
    (club, asked)
}

/// Sends a member's line, runs a pass, and returns all its letters.
fn letters_after_line(club: &mut Club, name: &str, line: &str) -> Vec<PostedLetter> {
    club.send_reply(name, line);
    club.run_pass().1
}

/// Sends a reply from Zoe, or a new letter if `to` is `None`. Returns the letters that she gets.
fn send_as_zoe(club: &mut Club, to: Option<&PostedLetter>, body: &str) -> Vec<PostedLetter> {
    let reply = to.and_then(|to| to.header("Reply-To"));
    let reply = reply.unwrap_or_else(|| "games@example.org".to_owned());
    let id = club.next_message_id("zoe");
    let subject = to.and_then(|to| to.header("Subject")).unwrap_or_default();
    let head =
        format!("From: Zoe <{ZOE}>\r\nTo: {reply}\r\nMessage-ID: {id}\r\nSubject: {subject}");
    club.deliver(format!("{head}\r\n\r\n{}\r\n", body.replace('\n', "\r\n")));
    letters_to(&club.run_pass().1, ZOE).into_iter().cloned().collect()
}

/// Presses a mail program's unsubscribe button. Returns the number of letters that this causes.
fn press_unsubscribe_button(club: &mut Club, letter: &PostedLetter, from: &str) -> usize {
    club.deliver(compose_unsubscribe(letter, from, "Auto-Submitted: auto-generated\r\n", ""));
    club.run_pass().1.len()
}

/// Proposes a game with an invitation and cancels it. Returns the letters after the proposal.
fn propose_and_cancel_game(club: &mut Club, name: &str, who: &str) -> Vec<PostedLetter> {
    let letters =
        letters_after_line(club, name, &format!("new paris-connection seats 5 invite {who}"));
    let infos = club.open_context().store.game_infos().expect("kept");
    let proposed = infos.iter().rfind(|(_, info)| info.proposal.is_some()).expect("proposed").0;
    letters_after_line(club, name, &format!("cancel {proposed}"));
    letters
}

/// Returns the number of letters to Zoe if these members invite her and claim her address.
fn count_letters_to_zoe(club: &mut Club, names: &[&str]) -> usize {
    let mut sent = 0;
    for name in names {
        sent += letters_to(&propose_and_cancel_game(club, name, ZOE), ZOE).len();
        sent += letters_to(&letters_after_line(club, name, &format!("address {ZOE}")), ZOE).len();
    }
    sent
}

#[test]
fn stop_reply_is_remembered_and_not_answered() {
    let words = ["Stop", "No! Stop. unsubscribe", "Please remove me.", "\"stop\"\n\nZoe"];
    for settings in ["", "strangers: join\n", "plus_addressing: false\n"] {
        // A sample tries all words under the default settings, and one word under the others.
        let count = if settings.is_empty() { 4 } else { sample_or_all(1, 4) };
        for stop in &words[..count] {
            let (mut club, asked) = club_with_invited_zoe(settings);
            assert!(asked.contains("To get no more e-mails from this club, reply with just"));
            assert_eq!(send_as_zoe(&mut club, Some(&asked), stop).len(), 0, "{stop}");
            // A second stop letter is not answered either.
            assert_eq!(send_as_zoe(&mut club, Some(&asked), stop).len(), 0, "{stop}");
            assert_eq!(count_letters_to_zoe(&mut club, &["Bob", "Cid"]), 0, "{stop}");
            club.restore_from_journal();
            club.now += TimeDelta::days(40);
            assert_eq!(count_letters_to_zoe(&mut club, &["Dot"]), 0, "{stop}");
        }
    }
}

#[test]
fn stop_reply_works_on_question_and_list() {
    let mut club = Club::with_paris_game("strangers: join\n");
    let asked = letters_after_line(&mut club, "Ann", &format!("address {ZOE}"));
    assert_eq!(send_as_zoe(&mut club, Some(first_letter_to(&asked, ZOE)), "stop").len(), 0);
    assert_eq!(count_letters_to_zoe(&mut club, &["Bob"]), 0);

    let mut club = Club::with_paris_game("strangers: join\n");
    let list = send_as_zoe(&mut club, None, "Hello?");
    assert_eq!(send_as_zoe(&mut club, list.first(), "Stop!").len(), 0);
    assert_eq!(count_letters_to_zoe(&mut club, &["Bob"]), 0);

    // The letter may have no text, or only the footer of a program.
    for body in ["", "Yahoo Mail: Search, Organize, Conquer"] {
        let (mut club, asked) = club_with_invited_zoe("");
        let letter = club.compose_reply_to("Ann", &asked, body).replace(&address("Ann"), ZOE);
        club.deliver(letter.replacen("Subject: Re:", "Subject: Unsubscribe, was:", 1));
        assert!(club.run_pass().1.is_empty(), "{body}");
        assert_eq!(count_letters_to_zoe(&mut club, &["Bob"]), 0, "{body}");
    }
}

#[test]
fn polite_no_declines_only_that_invitation() {
    for no in ["No thanks, not this time.", "no", "Sorry, I can't stop working before June."] {
        let (mut club, asked) = club_with_invited_zoe("");
        let answers = send_as_zoe(&mut club, Some(&asked), no);
        assert!(answers[0].contains("so you haven't joined anything"), "{no}");
        assert_eq!(
            count_letters_to_zoe(&mut club, &["Bob"]),
            1,
            "another member may still invite: {no}"
        );
        club.now += TimeDelta::days(7);
        assert_eq!(count_letters_to_zoe(&mut club, &["Ann"]), 1, "{no}");
    }
}

#[test]
fn unsubscribe_button_refuses_for_its_mailbox_only() {
    for settings in ["strangers: join\n", "plus_addressing: false\n"] {
        let (mut club, asked) = club_with_invited_zoe(settings);
        // A forwarded letter's button is pressed at another address. The refusal is still Zoe's.
        assert_eq!(press_unsubscribe_button(&mut club, &asked, "passed.on@example.com"), 0);
        assert_eq!(count_letters_to_zoe(&mut club, &["Bob"]), 0);
        let yan = propose_and_cancel_game(&mut club, "Cid", "yan@example.net");
        assert_eq!(letters_to(&yan, "yan@example.net").len(), 1, "only Zoe has refused");
    }
    // Every letter to a non-member has the button.
    let mut club = Club::with_paris_game("strangers: join\n");
    let list = send_as_zoe(&mut club, None, "Hello?").remove(0);
    let confirm = send_as_zoe(&mut club, Some(&list), "join club").remove(0);
    let question = first_letter_to(
        &letters_after_line(&mut club, "Bob", "address yan@example.net"),
        "yan@example.net",
    )
    .clone();
    introduce_mod(&mut club);
    ask_as_mod(&mut club, "invite una@example.net");
    let una = club.last_letter_to("una@example.net").expect("asked").clone();
    for letter in [list, confirm, question, una] {
        assert_eq!(press_unsubscribe_button(&mut club, &letter, &letter.to), 0);
        assert_eq!(
            letters_to(&propose_and_cancel_game(&mut club, "Cid", &letter.to), &letter.to).len(),
            0
        );
    }
}

#[test]
fn nonmember_gets_one_weekly_and_three_monthly_letters() {
    let mut club = Club::with_game("", "paris-connection", 6, 7);
    let all = ["Ann", "Bob", "Cid", "Dot", "Eve", "Fay"];
    assert_eq!(count_letters_to_zoe(&mut club, &["Ann", "Ann"]), 1);
    club.now += TimeDelta::days(3);
    assert_eq!(count_letters_to_zoe(&mut club, &["Ann"]), 0);
    club.now += TimeDelta::days(4);
    assert_eq!(count_letters_to_zoe(&mut club, &["Ann"]), 1);
    assert_eq!(count_letters_to_zoe(&mut club, &all), 1, "three letters a month in all");
    let other = propose_and_cancel_game(&mut club, "Eve", "zoe+x@example.net");
    assert_eq!(letters_to(&other, "zoe+x@example.net").len(), 0, "it is one mailbox");
    club.now += TimeDelta::days(31);
    assert!(club.run_pass().1.iter().all(|letter| letter.to != ZOE));
    assert_eq!(count_letters_to_zoe(&mut club, &all), 3);
}

#[test]
fn person_who_refused_may_return_by_writing() {
    for settings in ["", "strangers: join\n"] {
        let (mut club, asked) = club_with_invited_zoe(settings);
        send_as_zoe(&mut club, Some(&asked), "stop");
        let asked = send_as_zoe(&mut club, None, "join 2");
        assert_eq!(asked.len(), 1, "Zoe is asked to confirm, like any newcomer");
        // Zoe gets at most one question a month, because anyone can write in her name.
        for _ in 0..9 {
            assert_eq!(send_as_zoe(&mut club, None, "join 2").len(), 0);
        }
        let welcome = send_as_zoe(&mut club, asked.first(), "yes");
        assert!(welcome.iter().any(|letter| letter.contains("Welcome to The Postal Club, Zoe!")));
        letters_after_line(&mut club, "Bob", "new paris-connection seats 4");
        assert_eq!(
            letters_to(&letters_after_line(&mut club, "Bob", &format!("invite 3 {ZOE}")), ZOE)
                .len(),
            1
        );
    }
}

#[test]
fn moderator_learns_of_refusal_and_may_override() {
    let (mut club, asked) = club_with_invited_zoe("");
    send_as_zoe(&mut club, Some(&asked), "stop");
    introduce_mod(&mut club);
    for line in [format!("invite {ZOE}"), format!("replace 1 seat 2 by {ZOE} because x")] {
        let answer = ask_as_mod(&mut club, &line);
        assert!(
            answer.contains("has asked the club for no more e-mails"),
            "{}",
            answer.body_text()
        );
    }
    assert!(letters_to(&club.run_pass().1, ZOE).is_empty());
    process::add_member(&club.open_context(), &format!("Zoe <{ZOE}>"), false).expect("it can");
    assert_eq!(letters_to(&club.run_pass().1, ZOE).len(), 1);
}

#[test]
fn stop_without_token_or_proof_is_ignored() {
    for settings in ["", "strangers: join\n"] {
        let (mut club, _) = club_with_invited_zoe(settings);
        assert_eq!(send_as_zoe(&mut club, None, "Stop! unsubscribe").len(), 0, "it gets no answer");
        assert_eq!(count_letters_to_zoe(&mut club, &["Bob"]), 1);
    }
    // A stop without a token counts if the club's mail server has authenticated its sender.
    let (mut club, _) = club_with_invited_zoe("authserv_id: mx.example.org\n");
    let proof = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.net";
    club.deliver(format!("{proof}\r\nFrom: {ZOE}\r\nTo: games@example.org\r\n\r\nStop\r\n"));
    assert!(club.run_pass().1.is_empty());
    assert_eq!(count_letters_to_zoe(&mut club, &["Bob"]), 0);
}

#[test]
fn member_can_turn_invitations_off_and_on() {
    let mut club = Club::with_paris_game("");
    let invites = |club: &mut Club| {
        let letters = propose_and_cancel_game(club, "Ann", "bob@example.org");
        let asked =
            letters.iter().find(|letter| letter.to == address("Bob") && letter.contains("Ann inv"));
        asked.cloned()
    };
    let asked = invites(&mut club).expect("asked");
    let stop = club.compose_reply_to("Bob", &asked, "Please stop sending me these!");
    club.deliver(stop);
    let answer = first_letter_to(&club.run_pass().1, "Bob").clone();
    assert!(answer.contains("invitations to games. To get them again, write \"invitations on\""));
    assert!(!answer.contains("We ignored the rest of your e-mail"));
    assert!(invites(&mut club).is_none() && !club.member("Bob").letters.invitations);
    assert!(
        first_letter_to(&letters_after_line(&mut club, "Bob", "invitations on"), "Bob")
            .contains("We e-mail you when someone invites you")
    );
    let asked = invites(&mut club).expect("asked");
    assert_eq!(press_unsubscribe_button(&mut club, &asked, &address("Bob")), 0);
    assert!(!club.member("Bob").letters.invitations);
}

//! Tests invitations: which people get one, what the inviter learns, and how a member accepts one.

use crate::rig::{
    Club, PostedLetter, address, first_letter_to, make_undeliverable, postrider_program,
};
use chrono::TimeDelta;
use postrider::process;
use postrider::rules::Seat;

const ZOE: &str = "zoe@example.net";

fn start_paris_club(seats: u8, settings: &str) -> Club {
    Club::with_game(settings, "paris-connection", seats, 7)
}

/// Sends a letter from a player, runs a pass, and returns the answer.
fn write_and_get_answer(club: &mut Club, name: &str, body: &str) -> PostedLetter {
    club.send_reply(name, body);
    first_letter_to(&club.run_pass().1, name).clone()
}

/// The situation of Zoe when Ann invites her.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ZoeStatus {
    Stranger,
    Member,
    Undeliverable,
    WithoutInvitations,
    RefusesLetters,
    InvitedThrice,
    CapReached,
}

/// Lets Ann invite Zoe four times. Returns the letters to Zoe per invitation, and Ann's answers.
fn invite_zoe_four_times(status: ZoeStatus) -> (Vec<usize>, Vec<String>) {
    let cap = if status == ZoeStatus::CapReached { "invitations_per_day: 0\n" } else { "" };
    let mut club = start_paris_club(4, cap);
    let start = club.now;
    let is_asked = matches!(status, ZoeStatus::RefusesLetters | ZoeStatus::InvitedThrice);
    for name in ["Bob", "Cid", "Dot"] {
        let who = if is_asked { ZOE } else { "yan@example.net" };
        club.send_reply(name, &format!("new paris-connection seats 5 invite {who}"));
        let (_, letters) = club.run_pass();
        if let Some(asked) =
            letters.iter().find(|letter| letter.to == ZOE && status == ZoeStatus::RefusesLetters)
        {
            let stop = club.compose_reply_to("Ann", asked, "stop").replace(&address("Ann"), ZOE);
            club.deliver(stop);
        }
    }
    if matches!(
        status,
        ZoeStatus::Member | ZoeStatus::Undeliverable | ZoeStatus::WithoutInvitations
    ) {
        process::add_member(&club.open_context(), &format!("Zoe <{ZOE}>"), false).expect("added");
        club.run_pass();
        if status == ZoeStatus::Undeliverable {
            make_undeliverable(&mut club, ZOE);
        }
        if status == ZoeStatus::WithoutInvitations {
            process::change_member_setting(&club.open_context(), ZOE, "invitations off")
                .expect("it can");
        }
    }
    club.now = start + TimeDelta::days(2);
    // A probe to an undeliverable member leaves in this pass, so it is not counted below.
    club.run_pass();
    let lines = [format!("new paris-connection seats 5 invite {ZOE}"), format!("invite 5 {ZOE}")];
    let (mut sent, mut answers) = (Vec::new(), Vec::new());
    for (n, line) in [&lines[0], &lines[1], &lines[1], &lines[1]].into_iter().enumerate() {
        let letter = club.compose_reply("Ann", line);
        club.deliver(letter.replace(&club.next_message_id("Ann"), &format!("<{n}@example.org>")));
        let (_, letters) = club.run_pass();
        sent.push(letters.iter().filter(|letter| letter.to == ZOE).count());
        answers.push(first_letter_to(&letters, "Ann").raw());
    }
    (sent, answers)
}

#[test]
fn invitation_answer_is_same_for_any_invitee() {
    let (sent, answers) = invite_zoe_four_times(ZoeStatus::Stranger);
    assert_eq!(sent, [1, 0, 0, 0], "one invitation a week");
    for (zoe, sent) in [
        (ZoeStatus::Member, [1, 1, 1, 0]),
        (ZoeStatus::Undeliverable, [1, 1, 1, 0]),
        (ZoeStatus::WithoutInvitations, [0; 4]),
        (ZoeStatus::RefusesLetters, [0; 4]),
        (ZoeStatus::InvitedThrice, [0; 4]),
        (ZoeStatus::CapReached, [0; 4]),
    ] {
        let of_zoe = invite_zoe_four_times(zoe);
        assert_eq!(of_zoe.0, sent, "{zoe:?}");
        assert_eq!(of_zoe.1, answers, "{zoe:?}");
    }
    assert!(answers.iter().all(|letter| letter.contains("invit")), "{answers:?}");
}

#[test]
fn address_question_answer_hides_refusal() {
    let letters_and_answer = |refusing: bool| {
        let mut club = start_paris_club(4, "");
        club.send_reply("Bob", &format!("address {ZOE}"));
        let asked = first_letter_to(&club.run_pass().1, ZOE).clone();
        if refusing {
            let stop = club.compose_reply_to("Ann", &asked, "stop").replace(&address("Ann"), ZOE);
            club.deliver(stop);
        }
        club.run_pass();
        let letter = club.compose_reply("Ann", &format!("address {ZOE}"));
        club.deliver(letter.replace(&club.next_message_id("Ann"), "<1@example.org>"));
        let (_, letters) = club.run_pass();
        (
            letters.iter().filter(|letter| letter.to == ZOE).count(),
            first_letter_to(&letters, "Ann").raw(),
        )
    };
    let (free, refusing) = (letters_and_answer(false), letters_and_answer(true));
    assert_eq!((free.0, refusing.0), (1, 0));
    assert_eq!(free.1, refusing.1);
}

/// Sends a letter from a newcomer, as a reply to `answered` if given, and returns the answer.
fn exchange_newcomer_letter(
    club: &mut Club,
    who: &str,
    body: &str,
    answered: Option<&PostedLetter>,
) -> PostedLetter {
    let reply = answered.and_then(|letter| letter.header("Reply-To"));
    let reply = reply.unwrap_or_else(|| "games@example.org".to_owned());
    let id = club.next_message_id("newcomer");
    club.deliver(format!(
        "From: {who}\r\nTo: {reply}\r\nMessage-ID: {id}\r\nSubject: x\r\n\r\n{body}\r\n"
    ));
    let (_, letters) = club.run_pass();
    letters.into_iter().find(|letter| who.contains(&letter.to)).expect("an answer")
}

#[test]
fn newcomer_may_invite_five_before_first_turn() {
    let mut club = start_paris_club(3, "strangers: join\n");
    let who = format!("Zoe <{ZOE}>");
    let asked = exchange_newcomer_letter(&mut club, &who, "join club", None);
    let welcome = exchange_newcomer_letter(&mut club, &who, "yes", Some(&asked));
    let guest_addresses = |from: u32, to: u32| -> String {
        (from..=to).map(|n| format!(" g{n}@example.com")).collect()
    };
    let line = format!("new paris-connection seats 3 invite{}", guest_addresses(1, 4));
    assert!(
        exchange_newcomer_letter(&mut club, &who, &line, Some(&welcome))
            .contains("Your game 2 is open.")
    );
    let line = format!("invite 2{}", guest_addresses(5, 6));
    let refused = exchange_newcomer_letter(&mut club, &who, &line, Some(&welcome));
    assert!(
        refused.contains("you can invite one more person") && refused.contains("mod@example.org")
    );
    let line = format!("invite 2{}", guest_addresses(5, 5));
    assert!(
        exchange_newcomer_letter(&mut club, &who, &line, Some(&welcome))
            .contains("we've invited them to game 2")
    );
    let line = format!("invite 2{}", guest_addresses(6, 6));
    assert!(
        exchange_newcomer_letter(&mut club, &who, &line, Some(&welcome))
            .contains("you can invite nobody else")
    );
    // An invited friend has a limit of five too.
    let friend = club.last_letter_to("g1@example.com").expect("asked").clone();
    exchange_newcomer_letter(&mut club, "g1@example.com", "yes\r\nname Gil", Some(&friend));
    let gil = process::find_member(&club.open_context(), "g1@example.com").expect("it reads");
    assert_eq!(gil.expect("a member").invitations_left, Some(5));
    // A restore does not reset Zoe's limit.
    club.restore_from_journal();
    assert!(
        exchange_newcomer_letter(&mut club, &who, &line, Some(&welcome))
            .contains("you can invite nobody else")
    );
    let allow = ["member", "allow-invitations", ZOE];
    assert_eq!(
        postrider_program::run_postrider(club.folder(), "2026-01-06T18:00:00Z", &allow).0,
        Some(0)
    );
    assert!(
        exchange_newcomer_letter(&mut club, &who, &line, Some(&welcome))
            .contains("we've invited them to game 2")
    );
}

#[test]
fn returning_newcomer_gets_no_new_invitations() {
    let mut club = start_paris_club(3, "strangers: join\n");
    let who = format!("Zoe <{ZOE}>");
    for invited in [5, 0] {
        let asked = exchange_newcomer_letter(&mut club, &who, "join club", None);
        let welcome = exchange_newcomer_letter(&mut club, &who, "yes", Some(&asked));
        let line = "new paris-connection seats 6 invite a@x.org b@x.org c@x.org d@x.org e@x.org";
        let letter = club.compose_reply_to("Ann", &welcome, line).replace(&address("Ann"), ZOE);
        club.deliver(letter);
        let (_, letters) = club.run_pass();
        assert_eq!(letters.iter().filter(|l| l.to.ends_with("@x.org")).count(), invited);
        assert_eq!(
            first_letter_to(&letters, ZOE).contains("you can invite nobody else"),
            invited == 0
        );
        exchange_newcomer_letter(&mut club, &who, "leave club yes", Some(&welcome));
        club.now += TimeDelta::days(8);
    }
}

#[test]
fn first_order_lifts_newcomers_invitation_limit() {
    let mut club = start_paris_club(3, "strangers: join\n");
    club.send_reply("Ann", "new paris-connection seats 3 first");
    club.run_pass();
    let who = format!("Zoe <{ZOE}>");
    let asked = exchange_newcomer_letter(&mut club, &who, "join 2", None);
    exchange_newcomer_letter(&mut club, &who, "yes", Some(&asked));
    club.send_reply("Bob", "join 2");
    club.run_pass();
    let invitations_left = |club: &Club| {
        let zoe = process::find_member(&club.open_context(), ZOE).expect("it reads");
        zoe.expect("a member").invitations_left
    };
    loop {
        let session = process::load_stored_game(&club.open_context(), 2).expect("it opens");
        let turn =
            (1..=3).map(Seat::new).find(|seat| session.table.turn().awaits(*seat)).expect("a turn");
        let (_, mover) = session.seat(turn).expect("a player").clone();
        assert_eq!(invitations_left(&club), Some(5), "Zoe has not finished a turn");
        let line = session.table.game().legal_lines(turn).swap_remove(0);
        let letter = club.last_letter_to(&mover.addresses[0]).expect("a letter").clone();
        let order = club.compose_reply_to(&mover.name, &letter, &line);
        club.deliver(order.replace(&address(&mover.name), &mover.addresses[0]));
        assert_eq!(club.run_pass().0.carried_out, 1, "{line}");
        if mover.name == "Zoe" {
            break;
        }
    }
    assert_eq!(invitations_left(&club), None);
}

#[test]
fn daily_invitation_cap_holds_and_is_reported_once() {
    let mut club = start_paris_club(4, "invitations_per_day: 3\n");
    let mut reports = 0;
    let mut count_invited_non_members = |club: &mut Club, name: &str, guests: &str| {
        club.send_reply(name, &format!("new paris-connection seats 6 invite {guests}"));
        let (_, letters) = club.run_pass();
        let notes = letters.iter().filter(|letter| letter.to == "mod@example.org");
        reports +=
            notes.filter(|note| note.contains("3 invitations to non-members within a day")).count();
        assert!(first_letter_to(&letters, name).contains("is open. It starts"));
        letters.iter().filter(|letter| letter.contains(&format!("{name} invites you"))).count()
    };
    assert_eq!(
        count_invited_non_members(&mut club, "Ann", "a@example.net b@example.net bob@example.org"),
        3
    );
    assert_eq!(count_invited_non_members(&mut club, "Bob", "c@example.net d@example.net"), 1);
    assert_eq!(
        count_invited_non_members(&mut club, "Cid", "e@example.net bob@example.org"),
        1,
        "members do not count"
    );
    club.now += TimeDelta::days(1);
    assert_eq!(count_invited_non_members(&mut club, "Dot", "e@example.net"), 1);
    assert_eq!(reports, 1);
}

#[test]
fn founder_may_invite_eight_friends_at_once() {
    let mut club = Club::with_settings("");
    process::add_member(&club.open_context(), "Mod <mod@example.org>", true).expect("added");
    let welcome = club.run_pass().1.first().expect("a letter").clone();
    let guests: String = (1..=8).map(|n| format!(" j.r.smith{n}@example.net")).collect();
    let line = format!("new paris-connection seats 6 invite{guests}");
    let letter = club.compose_reply_to("Mod", &welcome, &line);
    club.deliver(letter);
    let (_, letters) = club.run_pass();
    let asked: Vec<&PostedLetter> = letters.iter().filter(|l| l.to.ends_with(".net")).collect();
    assert_eq!(asked.len(), 8);
    // The default name is the first part of the address, with spaces for its dots. Names that look
    // like web addresses are refused, because they could become links.
    for (friend, (body, name)) in asked.iter().zip([
        ("yes", "j r smith1"),
        ("yes\nname J.R. Smith", "J.R. Smith"),
        ("yes\nname Win euros at www.evila.example", ""),
        ("yes\nname evil.example", ""),
        ("yes\nname eve@example.net", ""),
    ]) {
        let from = format!("From: {0} <{0}>", friend.to);
        let letter = club.compose_reply_to("Ann", friend, body);
        club.deliver(letter.replacen("From: Ann <ann@example.org>", &from, 1));
        let (_, letters) = club.run_pass();
        let member = process::find_member(&club.open_context(), &friend.to).expect("it reads");
        let called = member.map(|member| member.name).unwrap_or_default();
        assert_eq!(called, name, "{body}");
        let refused = first_letter_to(&letters, &friend.to).contains("it looks like a web address");
        assert_eq!(refused, name.is_empty(), "{body}");
    }
}

#[test]
fn invitation_including_club_address_is_refused_entirely() {
    let mut club = start_paris_club(4, "");
    write_and_get_answer(&mut club, "Ann", "new paris-connection seats 5");
    // If one of two addresses is invalid, neither is invited, and the game is not proposed.
    for line in [
        "invite 2 fay@example.net games@example.org",
        "new paris-connection seats 3 private invite fay@example.net games@example.org",
    ] {
        club.send_reply("Ann", line);
        let (_, letters) = club.run_pass();
        assert_eq!(letters.len(), 1, "{line}: {letters:?}");
        assert!(letters[0].contains("We can't send e-mail to games@example.org"), "{line}");
        assert!(letters[0].contains("nothing was done and nobody was invited"), "{line}");
    }
    let infos = club.open_context().store.game_infos().expect("they are kept");
    let proposed = infos.iter().filter(|(_, info)| info.proposal.is_some()).map(|(game, _)| *game);
    assert_eq!(proposed.collect::<Vec<_>>(), [2]);
    assert!(
        infos
            .iter()
            .all(|(_, info)| !info.invited_addresses.contains(&"fay@example.net".to_owned()))
    );
    club.send_reply("Ann", "invite 2 fay@example.net");
    assert!(club.run_pass().1.iter().any(|letter| letter.to == "fay@example.net"));

    // If the daily quota is used up, the invitation is queued and leaves later.
    let mut club = start_paris_club(4, "letters_per_day: 5\n");
    club.send_reply("Ann", "new paris-connection seats 5 invite fay@example.net");
    let (_, letters) = club.run_pass();
    assert!(letters.iter().all(|letter| letter.to != "fay@example.net"), "{letters:?}");
    club.now += TimeDelta::days(1);
    assert!(club.run_pass().1.iter().any(|letter| letter.to == "fay@example.net"));
}

#[test]
fn invited_member_may_accept_or_send_commands() {
    let mut club = start_paris_club(4, "");
    club.send_reply("Ann", "new paris-connection seats 5 invite bob@example.org cid@example.org");
    let (_, letters) = club.run_pass();
    let (bobs, cids) =
        (first_letter_to(&letters, "Bob").clone(), first_letter_to(&letters, "Cid").clone());
    assert!(bobs.contains("reply within three days with just \"yes\" on the first line"));
    let answer = |club: &mut Club, name: &str, asked: &PostedLetter, body: &str| {
        let letter = club.compose_reply_to(name, asked, body);
        club.deliver(letter);
        first_letter_to(&club.run_pass().1, name).clone()
    };
    for prose in ["Yes please, later!", "Who else plays?", "no\nyes", "ok"] {
        let unread = answer(&mut club, "Bob", &bobs, prose);
        assert!(unread.contains("so you haven't joined game 2"), "{prose}: {}", unread.body_text());
    }
    assert!(answer(&mut club, "Bob", &bobs, "games").contains("So far: Ann"));
    assert!(answer(&mut club, "Bob", &bobs, "zone Asia/Tokyo").contains("Asia/Tokyo"));
    assert!(answer(&mut club, "Bob", &bobs, "Yes please!").contains("You're in! Game 2"));
    assert!(answer(&mut club, "Bob", &bobs, "leave 2").contains("You're out of game 2"));
    assert!(answer(&mut club, "Bob", &bobs, "yes").contains("only the first reply counts"));
    // An invitation is for its invitee only, and for three days. `join` works later too.
    let stolen = club.compose_reply_to("Cid", &bobs, "yes");
    club.deliver(stolen);
    assert_eq!(club.run_pass().0.quarantined, 1);
    club.now += TimeDelta::days(4);
    let late = answer(&mut club, "Cid", &cids, "yes");
    assert!(
        late.contains("That question has expired") && late.contains("reply \"join 2\""),
        "{}",
        late.body_text()
    );
    assert!(answer(&mut club, "Cid", &cids, "join 2 last").contains("You're in! Game 2"));

    // An invitation to begin a game does not cover a seat that opens later.
    club.send_reply("Ann", "new paris-connection seats 3 invite bob@example.org");
    let asked = first_letter_to(&club.run_pass().1, "Bob").clone();
    ["Cid", "Dot"].iter().for_each(|name| drop(club.send_reply(name, "join 3")));
    club.run_pass();
    club.send_reply("Cid", "resign yes");
    club.run_pass();
    assert!(answer(&mut club, "Bob", &asked, "yes").contains("Game 3 has started without you"));
}

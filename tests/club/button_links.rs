//! Tests the buttons of letters (`mailto:` links): each sends its line, and none leaks its token.

use crate::rig::letter_links::{Link, has_reply_token, html_page, link_with_body, links};
use crate::rig::pass_result::PassResult;
use crate::rig::{Club, PostedLetter, address, first_letter_to, letters_to};
use chrono::TimeDelta;
use postrider::process;
use postrider::rules::Seat;
use postrider::testing::sample_or_all;
use std::collections::BTreeSet;

const GAMES: [&str; 3] = ["paris-connection", "trick-of-the-rails", "off-the-rails"];
const FRIEND: &str = "friend@example.net";

/// Sends the letter that the link opens, from the address of `name`, and runs a pass.
fn tap_link(club: &mut Club, name: &str, link: &Link) -> (PassResult, Vec<PostedLetter>) {
    let id = club.next_message_id("tap").replace(['<', '>', '@'], "-");
    club.deliver(link.compose_letter_from(name, &id));
    club.run_pass()
}

/// Copies a club and the list of letters that it has posted.
fn copy_club(club: &Club) -> Club {
    let mut copy = Club::copy_from(club.folder(), club.now);
    copy.transport.posted.clone_from(&club.transport.posted);
    copy
}

#[test]
fn doubt_is_answered_with_button_for_orders() {
    let mut club = Club::with_paris_game("clock: {deadline: 4 days}\n");
    club.send_reply("Ann", "Please don't do this yet:\nbuild red G23, Troyes\nvote pause");
    let (report, letters) = club.run_pass();
    let answer = first_letter_to(&letters, "Ann").clone();
    assert_eq!((report.carried_out, letters.len()), (0, 1));
    let text = answer.body_text();
    assert!(text.contains("Line 1 of your e-mail: Please don't do this yet:"), "{text}");
    let link = link_with_body(&answer, "build red G23, Troyes\r\nvote pause");
    let (report, letters) = tap_link(&mut club, "Ann", &link);
    let answer = first_letter_to(&letters, "Ann");
    assert_eq!(report.carried_out, 1, "{}", answer.body_text());
}

#[test]
fn each_button_sends_the_order_it_shows() {
    for (seed, game) in (7..).zip(GAMES) {
        let mut club = Club::with_game("", game, 3, seed);
        for _ in 0..sample_or_all(2, 4) {
            let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
            let turn = session.table.turn();
            let Some(seat) = (1..=3).map(Seat::new).find(|seat| turn.awaits(*seat)) else { break };
            let name = ["Ann", "Bob", "Cid"][seat.index()];
            let letter = club.last_letter_to(name).expect("a letter").clone();
            let offered = links(&letter);
            assert!((1..=12).contains(&offered.len()), "{offered:?}");
            for one in session.table.game().suggest_lines(seat).iter().take(6) {
                let link = link_with_body(&letter, &one.line);
                assert!(html_page(&letter).contains(&format!(">{}</a>", one.line)), "{}", one.line);
                let mut club = copy_club(&club);
                let (report, letters) = tap_link(&mut club, name, &link);
                let answer = first_letter_to(&letters, name);
                assert_eq!(report.carried_out, 1, "{}: {}", one.line, answer.body_text());
                assert!(answer.contains(&format!("1: {}", one.line)), "{}", answer.body_text());
            }
            let (report, letters) =
                tap_link(&mut copy_club(&club), name, &link_with_body(&letter, "help"));
            assert_eq!((report.carried_out, letters.len()), (0, 1));
            assert!(letters[0].contains("HOW TO WRITE ORDERS"), "{}", letters[0].body_text());
            let line = session.table.game().legal_lines(seat).swap_remove(0);
            let (report, _) =
                tap_link(&mut club, name, &link_with_body(&letter, "help").with_body(&line));
            assert_eq!(report.carried_out, 1, "{line}");
        }
    }
}

#[test]
fn links_are_short_ascii_and_carry_token() {
    let mut seen = 0;
    for settings in ["", "plus_addressing: false\n"] {
        let mut club = Club::with_paris_game(settings);
        club.send_reply("Bob", "vote abandon");
        club.run_pass();
        for letter in &club.transport.posted {
            let mut lines = BTreeSet::new();
            for Link { href, to, subject, body } in links(letter) {
                seen += 1;
                assert!(href.is_ascii() && href.len() < 500, "{href}");
                assert!(!href.contains(['+', ' ', '"', '<', '>', '\'']), "{href}");
                assert_eq!(href.matches('@').count(), 1, "{href}");
                assert!(!body.contains(['\r', '\n']) && lines.insert(body.clone()), "{body}");
                // The letter's subject says what is asked. The link's subject names only the game.
                let shown = "[Paris 1] Orders and news";
                assert!(letter.header("Subject").expect("one").starts_with("[Paris 1] "));
                if settings.is_empty() {
                    let reply_to = letter.header("Reply-To").expect("one");
                    assert!(reply_to.ends_with(&format!("<{to}>")), "{reply_to} {to}");
                    assert_eq!(subject, format!("Re: {shown}"));
                } else {
                    let marked = format!("Re: {shown} [postrider 1.");
                    assert_eq!(to, "games@example.org");
                    assert!(subject.starts_with(&marked), "{subject}");
                }
            }
            if lines.is_empty() {
                continue;
            }
            let page = html_page(letter);
            assert!(page.contains("send the e-mail, from "), "{page}");
            assert!(page.contains(&letter.to) && !page.contains("Reply-To"), "{page}");
        }
    }
    assert!(seen > 12, "{seen}");
}

/// Returns the button by which the player agrees to end the game.
fn agree_link(club: &Club, name: &str) -> Link {
    link_with_body(club.last_letter_to(name).expect("a letter"), "vote abandon")
}

#[test]
fn votes_and_undo_work_by_button() {
    let mut club = Club::with_paris_game("");
    club.send_reply("Ann", "build red G23, Troyes");
    let (_, letters) = club.run_pass();
    let undo = link_with_body(first_letter_to(&letters, "Ann"), "undo");
    assert!(links(first_letter_to(&letters, "Bob")).iter().all(|link| link.body != "undo"));
    let mut other = copy_club(&club);
    let (_, letters) = tap_link(&mut other, "Ann", &undo);
    assert!(first_letter_to(&letters, "Ann").contains("Undone: build red G23, Troyes"));
    // A second tap of this button changes nothing and is answered with a notice.
    let (_, letters) = tap_link(&mut other, "Ann", &undo);
    assert!(first_letter_to(&letters, "Ann").contains("already undone your orders"), "{letters:?}");
    club.send_reply("Ann", "vote abandon");
    let (_, letters) = club.run_pass();
    let [yes, no] = ["vote abandon", "vote no"]
        .map(|line| link_with_body(first_letter_to(&letters, "Bob"), line));
    assert!(
        links(first_letter_to(&letters, "Ann")).iter().all(|link| !link.body.starts_with("vote"))
    );
    // The buttons of a vote are right below the proposal.
    let page = html_page(first_letter_to(&letters, "Bob"));
    let places = ["proposes to end the game", "vote%20abandon", "The board</h2>", ">legal</a>"];
    let places = places.map(|part| page.find(part).unwrap_or_else(|| panic!("{part}\n{page}")));
    assert!(places.is_sorted(), "{places:?}");
    club.send_reply("Cid", "I want to resign");
    let (_, letters) = club.run_pass();
    let answer = first_letter_to(&letters, "Cid");
    assert!(answer.contains("reply `resign`"), "{}", answer.body_text());
    assert!(links(answer).iter().all(|link| link.body != "resign"));
    let open =
        |club: &Club| club.open_context().store.game_info(1).expect("it reads").open_votes.len();
    let mut other = copy_club(&club);
    tap_link(&mut other, "Bob", &no);
    assert_eq!((open(&club), open(&other)), (1, 0));
    tap_link(&mut club, "Bob", &yes);
    let agree = agree_link(&club, "Cid");
    let (_, letters) = tap_link(&mut club, "Cid", &agree);
    assert!(first_letter_to(&letters, "Ann").contains("The game is over"), "{letters:?}");
}

#[test]
fn stranger_joins_game_by_two_taps() {
    let mut club = Club::with_paris_game("strangers: join\n");
    club.send_reply("Ann", "new paris-connection seats 5");
    club.run_pass();
    club.deliver(format!("From: {FRIEND}\r\nTo: games@example.org\r\nSubject: x\r\n\r\ngames\r\n"));
    let list = first_letter_to(&club.run_pass().1, FRIEND).clone();
    let (_, letters) = tap_link(&mut club, FRIEND, &link_with_body(&list, "join 2"));
    let asked = first_letter_to(&letters, FRIEND).clone();
    assert_eq!(links(&asked).len(), 1, "{}", html_page(&asked));
    // The link admits only the address that it was sent to.
    let (_, letters) = tap_link(&mut club, "eve@example.com", &link_with_body(&asked, "yes"));
    assert!(letters_to(&letters, FRIEND).is_empty(), "{letters:?}");
    let (_, letters) = tap_link(&mut club, FRIEND, &link_with_body(&asked, "yes"));
    assert!(
        first_letter_to(&letters, FRIEND).contains("Welcome to The Postal Club"),
        "{letters:?}"
    );
    // A member can join by a button too.
    club.deliver("From: bob@example.org\r\nTo: games@example.org\r\n\r\nhello\r\n");
    let none = first_letter_to(&club.run_pass().1, "Bob").clone();
    let (_, letters) = tap_link(&mut club, "Bob", &link_with_body(&none, "games"));
    let (_, letters) =
        tap_link(&mut club, "Bob", &link_with_body(first_letter_to(&letters, "Bob"), "join 2"));
    let proposal =
        club.open_context().store.game_info(2).expect("it reads").proposal.expect("it is open");
    assert_eq!(proposal.players.len(), 3, "{letters:?}");
}

#[test]
fn repeated_or_outdated_tap_is_judged_again() {
    let mut club = Club::with_paris_game("");
    let old = link_with_body(club.last_letter_to("Ann").expect("a letter"), "help");
    let order = old.with_body("build red G23, Troyes");
    assert_eq!(tap_link(&mut club, "Ann", &order).0.carried_out, 1);
    let (report, letters) = tap_link(&mut club, "Ann", &order);
    assert_eq!((report.carried_out, letters.len()), (0, 1));
    assert!(letters[0].contains("It isn't your turn. The game is waiting for Bob"), "{letters:?}");
    for name in ["Bob", "Cid"] {
        club.send_reply(
            name,
            &process::load_stored_game(&club.open_context(), 1)
                .expect("it opens")
                .table
                .game()
                .legal_lines(Seat::new(if name == "Bob" { 2 } else { 3 }))[0],
        );
        club.run_pass();
    }
    club.now += TimeDelta::days(7);
    // It is Ann's turn again. The order from last week's letter is judged by the current position.
    let (report, letters) = tap_link(&mut club, "Ann", &order);
    assert_eq!(report.carried_out, 0, "{letters:?}");
    let line = process::load_stored_game(&club.open_context(), 1)
        .expect("it opens")
        .table
        .game()
        .legal_lines(Seat::new(1))
        .into_iter()
        .find(|line| line.starts_with("build"))
        .expect("one");
    let new =
        link_with_body(club.last_letter_to("Ann").expect("a letter"), "help").with_body(&line);
    // Ann taps twice before the pass: the first order is carried out, the second is refused.
    club.deliver(new.compose_letter_from("Ann", "one"));
    club.deliver(new.compose_letter_from("Ann", "two"));
    let (report, letters) = club.run_pass();
    assert_eq!(report.carried_out, 1, "{letters:?}");
    assert!(letters_to(&letters, "Ann").iter().any(|letter| letter.contains("It isn't your turn")));
}

#[test]
fn tap_in_forwarded_letter_is_quarantined_and_reported() {
    let mut club = Club::with_paris_game("");
    let first = club.last_letter_to("Ann").expect("a letter").clone();
    let order = link_with_body(&first, "help").with_body("build red G23, Troyes");
    let head = club.record_count();
    let (report, letters) = tap_link(&mut club, FRIEND, &order);
    assert_eq!((report.quarantined, club.record_count()), (1, head));
    assert!(letters_to(&letters, FRIEND).is_empty(), "{letters:?}");
    let warning = first_letter_to(&letters, "Ann").clone();
    assert!(warning.contains(&format!("An e-mail from {FRIEND} came")), "{}", warning.body_text());
    assert!(warning.contains(&format!("\"address {FRIEND}\"")));
    // Ann gets no second report about this letter, from any address and on any day.
    for (day, name) in [(0, FRIEND), (1, FRIEND), (2, "m@example.com"), (3, "n@example.com")] {
        club.now += TimeDelta::days(day);
        let (_, letters) = tap_link(&mut club, name, &order.with_body(&format!("status {day}")));
        assert!(letters_to(&letters, "Ann").is_empty(), "{letters:?}");
    }
    // Taps in another letter to Ann are reported separately.
    club.send_reply("Ann", "status");
    club.run_pass();
    assert_eq!(tap_link(&mut club, "Ann", &order).0.carried_out, 1);
    club.now += TimeDelta::days(1);
    let next = link_with_body(club.last_letter_to("Ann").expect("a letter"), "undo");
    assert!(!letters_to(&tap_link(&mut club, FRIEND, &next).1, "Ann").is_empty());
    assert!(club.record_count() > head);
}

#[test]
fn token_only_admission_puts_no_token_in_html() {
    let mut club = Club::with_paris_game("admission: token\n");
    club.start_game(postrider::games::find_kind("paris-connection").expect("it ships"), 3, 8);
    process::change_member_setting(&club.open_context(), &address("Bob"), "letters digest")
        .expect("it can be");
    club.send_reply("Ann", "vote abandon");
    club.deliver("From: ann@example.org\r\nTo: games@example.org\r\n\r\nhello\r\n");
    club.run_pass();
    for letter in &club.transport.posted {
        let page = html_page(letter);
        assert!(!has_reply_token(&page) && links(letter).is_empty(), "{page}");
        // A digest shows one reply address per game in plain text, so it has no HTML part.
        assert_eq!(page.is_empty(), letter.message_id.starts_with("b."), "{}", letter.body_text());
    }
    let letter = club.last_letter_of_game_1("Ann");
    assert!(html_page(&letter).contains("Reply with one of these lines at the top"));
    assert!(html_page(&letter).contains(">help</span>"), "{}", html_page(&letter));
    club.send_reply("Ann", "help");
    assert!(first_letter_to(&club.run_pass().1, "Ann").contains("HOW TO WRITE ORDERS"));
}

#[test]
fn quoted_html_is_ignored_and_pasted_tokens_removed() {
    for settings in ["", "plus_addressing: false\n"] {
        let mut club = Club::with_paris_game(settings);
        let letter = club.last_letter_to("Ann").expect("a letter").clone();
        let (page, href) = (html_page(&letter), links(&letter)[0].href.clone());
        let head = club.compose_reply_to("Ann", &letter, "");
        let head =
            head.trim_end().to_owned() + "\r\nContent-Type: text/html; charset=utf-8\r\n\r\n";
        let quoted = format!(
            "<div dir=\"ltr\">build red G23, Troyes<br></div><br><div class=\"gmail_quote\"><div \
             class=\"gmail_attr\">On Mon, Nov 23, 2026 at 8:00 PM The Postal Club &lt;<a \
             href=\"{href}\">games@example.org</a>&gt; wrote:<br></div><blockquote \
             class=\"gmail_quote\" style=\"margin:0 0 0 .8ex\">{page}</blockquote></div>"
        );
        club.deliver(format!("{head}{quoted}"));
        let (report, letters) = club.run_pass();
        assert_eq!(report.carried_out, 1, "{letters:?}");
        assert!(first_letter_to(&letters, "Ann").contains("1: build red G23, Troyes"));
        // The token of a pasted link is removed from talk, even if the link has been wrapped.
        let (start, end) = href.split_at(href.len() / 4);
        for pasted in [href.clone(), format!("{start}=\n{end}"), format!("<{start}\n{end}>")] {
            let letters = {
                club.send_reply("Ann", &format!("say look:\n{pasted}\nend"));
                club.run_pass().1
            };
            assert_eq!(letters.len(), 1, "{letters:?}");
            assert!(!has_reply_token(&letters[0].body_text()));
        }
        // Refusals, notes and letters to the moderator show no token (`run_pass` checks this).
        club.send_reply("Ann", &format!("note {href}\nhm {href}"));
        club.run_pass();
        club.send_reply("Ann", &format!("build {href}"));
        club.run_pass();
    }
}

#[test]
fn digest_has_own_buttons_for_each_game() {
    let mut club = Club::with_paris_game("");
    club.start_game(postrider::games::find_kind("trick-of-the-rails").expect("it ships"), 3, 2);
    process::change_member_setting(&club.open_context(), &address("Ann"), "letters digest")
        .expect("it can be");
    club.run_pass();
    club.send_reply_in_game_1("Bob", "say hello");
    let two = club.transport.posted.iter().rev().find(|letter| {
        letter.to == address("Bob") && letter.header("Subject").is_some_and(|s| s.contains("Trick"))
    });
    let two = club.compose_reply_to("Bob", two.expect("a letter"), "say hello");
    club.deliver(two);
    let (_, letters) = club.run_pass();
    let bundle = first_letter_to(&letters, "Ann").clone();
    assert!(bundle.message_id.starts_with("b."), "{bundle:?}");
    let offered = links(&bundle);
    assert!(
        offered.len() <= 12 + 2,
        "at most twelve orders, and a reply button for each game: {offered:?}"
    );
    let help: Vec<&Link> = offered.iter().filter(|link| link.body == "help").collect();
    let marks: BTreeSet<&String> = help.iter().map(|link| &link.to).collect();
    assert!(!help.is_empty() && marks.len() == help.len(), "{offered:?}");
    let whole = html_page(&bundle);
    assert!(whole.contains(">Reply to this game</a>") && !whole.contains(">games+"), "{whole}");
}

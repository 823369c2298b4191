//! Buttons: what a letter's links write is done when it is sent, and nothing else is; and a mark in
//! a link gets into no other hands by us.

use crate::common::sample_or_all;
use crate::rig::passed::Passed;
use crate::rig::tapped::{Link, link, links, page, shows_mark};
use crate::rig::{Club, Posted, address, all_to, to};
use chrono::TimeDelta;
use postrider::process;
use postrider::rules::Seat;
use std::collections::BTreeSet;

const GAMES: [&str; 3] = ["paris-connection", "trick-of-the-rails", "off-the-rails"];
const FRIEND: &str = "friend@example.net";

/// Somebody taps this, and sends what that opens.
fn taps(club: &mut Club, name: &str, link: &Link) -> (Passed, Vec<Posted>) {
    let id = club.arrived_id("tap").replace(['<', '>', '@'], "-");
    club.arrives(link.sent_by(name, &id));
    club.pass()
}

/// A copy of a club, with all the letters that it has posted.
fn again(club: &Club) -> Club {
    let mut copy = Club::copy_of(club.folder(), club.now);
    copy.pigeon.posted.clone_from(&club.pigeon.posted);
    copy
}

#[test]
fn each_button_of_every_game_does_what_stands_on_it() {
    for (seed, game) in (7..).zip(GAMES) {
        let mut club = Club::session("", game, 3, seed);
        for _ in 0..sample_or_all(2, 4) {
            let session = process::open_game(&club.context(), 1).expect("it opens");
            let turn = session.table.turn();
            let Some(seat) = (1..=3).map(Seat::new).find(|seat| turn.awaits(*seat)) else { break };
            let name = ["Ann", "Bob", "Cid"][seat.index()];
            let letter = club.last_to(name).expect("a letter").clone();
            let offered = links(&letter);
            assert!((1..=12).contains(&offered.len()), "{offered:?}");
            for one in session.table.game().suggestions(seat).iter().take(6) {
                let link = link(&letter, &one.line);
                assert!(page(&letter).contains(&format!(">{}</a>", one.line)), "{}", one.line);
                let mut club = again(&club);
                let (report, letters) = taps(&mut club, name, &link);
                let told = to(&letters, name);
                assert_eq!(report.carried_out, 1, "{}: {}", one.line, told.text());
                assert!(told.says(&format!("1: {}", one.line)), "{}", told.text());
            }
            let (report, letters) = taps(&mut again(&club), name, &link(&letter, "help"));
            assert_eq!((report.carried_out, letters.len()), (0, 1));
            assert!(letters[0].says("HOW TO WRITE ORDERS"), "{}", letters[0].text());
            let line = session.table.game().legal(seat).swap_remove(0);
            let (report, _) = taps(&mut club, name, &link(&letter, "help").saying(&line));
            assert_eq!(report.carried_out, 1, "{line}");
        }
    }
}

#[test]
fn a_link_is_what_every_mail_program_follows() {
    let mut seen = 0;
    for settings in ["", "plus_addressing: false\n"] {
        let mut club = Club::paris(settings);
        club.writes("Bob", "vote abandon");
        club.pass();
        for letter in &club.pigeon.posted {
            let mut lines = BTreeSet::new();
            for Link { href, to, subject, body } in links(letter) {
                seen += 1;
                assert!(href.is_ascii() && href.len() < 500, "{href}");
                assert!(!href.contains(['+', ' ', '"', '<', '>', '\'']), "{href}");
                assert_eq!(href.matches('@').count(), 1, "{href}");
                assert!(!body.contains(['\r', '\n']) && lines.insert(body.clone()), "{body}");
                // The letter's own says what is asked; an answer is about the game.
                let shown = "[Paris 1] Paris Connection";
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
            let page = page(letter);
            assert!(page.contains("you send it, from "), "{page}");
            assert!(page.contains(&letter.to) && !page.contains("Reply-To"), "{page}");
        }
    }
    assert!(seen > 12, "{seen}");
}

/// The button by which somebody agrees to end the game.
fn yes_of(club: &Club, name: &str) -> Link {
    link(club.last_to(name).expect("a letter"), "vote abandon")
}

#[test]
fn a_vote_and_what_was_ordered_are_answered_by_a_tap() {
    let mut club = Club::paris("");
    club.writes("Ann", "build red G23, Troyes");
    let (_, letters) = club.pass();
    let undo = link(to(&letters, "Ann"), "undo");
    assert!(links(to(&letters, "Bob")).iter().all(|link| link.body != "undo"));
    let mut other = again(&club);
    let (_, letters) = taps(&mut other, "Ann", &undo);
    assert!(to(&letters, "Ann").says("Taken back: build red G23, Troyes"));
    // The second tap of the same button does nothing, and says so.
    let (_, letters) = taps(&mut other, "Ann", &undo);
    assert!(to(&letters, "Ann").says("taken your orders back already"), "{letters:?}");
    club.writes("Ann", "vote abandon");
    let (_, letters) = club.pass();
    let [yes, no] = ["vote abandon", "vote no"].map(|line| link(to(&letters, "Bob"), line));
    assert!(links(to(&letters, "Ann")).iter().all(|link| !link.body.starts_with("vote")));
    let open = |club: &Club| club.context().store.room(1).expect("it reads").open_votes.len();
    let mut other = again(&club);
    taps(&mut other, "Bob", &no);
    assert_eq!((open(&club), open(&other)), (1, 0));
    taps(&mut club, "Bob", &yes);
    let agree = yes_of(&club, "Cid");
    let (_, letters) = taps(&mut club, "Cid", &agree);
    assert!(to(&letters, "Ann").says("The game is over"), "{letters:?}");
}

#[test]
fn a_stranger_comes_into_a_game_by_two_taps() {
    let mut club = Club::paris("strangers: join\n");
    club.writes("Ann", "new paris-connection seats 5");
    club.pass();
    club.arrives(format!("From: {FRIEND}\r\nTo: games@example.org\r\nSubject: x\r\n\r\ngames\r\n"));
    let list = to(&club.pass().1, FRIEND).clone();
    let (_, letters) = taps(&mut club, FRIEND, &link(&list, "join 2"));
    let asked = to(&letters, FRIEND).clone();
    assert_eq!(links(&asked).len(), 1, "{}", page(&asked));
    // Nobody else is let in by that link.
    let (_, letters) = taps(&mut club, "eve@example.com", &link(&asked, "yes"));
    assert!(all_to(&letters, FRIEND).is_empty(), "{letters:?}");
    let (_, letters) = taps(&mut club, FRIEND, &link(&asked, "yes"));
    assert!(to(&letters, FRIEND).says("Welcome to The Postal Club"), "{letters:?}");
    // A member takes a seat by one.
    club.arrives("From: bob@example.org\r\nTo: games@example.org\r\n\r\nhello\r\n");
    let none = to(&club.pass().1, "Bob").clone();
    let (_, letters) = taps(&mut club, "Bob", &link(&none, "games"));
    let (_, letters) = taps(&mut club, "Bob", &link(to(&letters, "Bob"), "join 2"));
    let proposal = club.context().store.room(2).expect("it reads").proposal.expect("it is open");
    assert_eq!(proposal.players.len(), 3, "{letters:?}");
}

#[test]
fn a_second_tap_and_one_in_an_old_letter_are_judged_as_things_stand() {
    let mut club = Club::paris("");
    let old = link(club.last_to("Ann").expect("a letter"), "help");
    let order = old.saying("build red G23, Troyes");
    assert_eq!(taps(&mut club, "Ann", &order).0.carried_out, 1);
    let (report, letters) = taps(&mut club, "Ann", &order);
    assert_eq!((report.carried_out, letters.len()), (0, 1));
    assert!(letters[0].says("It is not your turn: the game waits for Bob"), "{letters:?}");
    for name in ["Bob", "Cid"] {
        club.writes(
            name,
            &process::open_game(&club.context(), 1)
                .expect("it opens")
                .table
                .game()
                .legal(Seat::new(if name == "Bob" { 2 } else { 3 }))[0],
        );
        club.pass();
    }
    club.now += TimeDelta::days(7);
    // It is her turn again: what last week's letter says is judged by what has moved since.
    let (report, letters) = taps(&mut club, "Ann", &order);
    assert_eq!(report.carried_out, 0, "{letters:?}");
    let line = process::open_game(&club.context(), 1)
        .expect("it opens")
        .table
        .game()
        .legal(Seat::new(1))
        .into_iter()
        .find(|line| line.starts_with("build"))
        .expect("one");
    let new = link(club.last_to("Ann").expect("a letter"), "help").saying(&line);
    // Two letters tapped one after the other: one is done, the other is told why not.
    club.arrives(new.sent_by("Ann", "one"));
    club.arrives(new.sent_by("Ann", "two"));
    let (report, letters) = club.pass();
    assert_eq!(report.carried_out, 1, "{letters:?}");
    assert!(all_to(&letters, "Ann").iter().any(|letter| letter.says("It is not your turn")));
}

#[test]
fn a_letter_that_was_passed_on_moves_for_nobody_and_its_owner_hears_of_it_once() {
    let mut club = Club::paris("");
    let first = club.last_to("Ann").expect("a letter").clone();
    let order = link(&first, "help").saying("build red G23, Troyes");
    let head = club.head();
    let (report, letters) = taps(&mut club, FRIEND, &order);
    assert_eq!((report.quarantined, club.head()), (1, head));
    assert!(all_to(&letters, FRIEND).is_empty(), "{letters:?}");
    let told = to(&letters, "Ann").clone();
    assert!(told.says(&format!("came from {FRIEND}")) && told.says("\"new marks\""));
    assert!(told.says(&format!("\"address {FRIEND}\" alone")));
    // Not again, whoever taps it and on whatever day.
    for (day, name) in [(0, FRIEND), (1, FRIEND), (2, "m@example.com"), (3, "n@example.com")] {
        club.now += TimeDelta::days(day);
        let (_, letters) = taps(&mut club, name, &order.saying(&format!("status {day}")));
        assert!(all_to(&letters, "Ann").is_empty(), "{letters:?}");
    }
    // Another letter of hers is another matter.
    club.writes("Ann", "status");
    club.pass();
    assert_eq!(taps(&mut club, "Ann", &order).0.carried_out, 1);
    club.now += TimeDelta::days(1);
    let next = link(club.last_to("Ann").expect("a letter"), "undo");
    assert!(!all_to(&taps(&mut club, FRIEND, &next).1, "Ann").is_empty());
    assert!(club.head() > head);
}

#[test]
fn where_a_mark_alone_lets_in_no_page_holds_one() {
    let mut club = Club::paris("admission: token\n");
    club.found(postrider::games::kind("paris-connection").expect("it ships"), 3, 8);
    process::set_member(&club.context(), &address("Bob"), "letters digest").expect("it can be");
    club.writes("Ann", "vote abandon");
    club.arrives("From: ann@example.org\r\nTo: games@example.org\r\n\r\nhello\r\n");
    club.pass();
    for letter in &club.pigeon.posted {
        let page = page(letter);
        assert!(!shows_mark(&page) && links(letter).is_empty(), "{page}");
        // Who is sent several games at once has an address for each, in plain text.
        assert_eq!(page.is_empty(), letter.message_id.starts_with("b."), "{}", letter.text());
    }
    let letter = club.of_game_1("Ann");
    assert!(page(&letter).contains("Answer this letter with one of these lines"));
    assert!(page(&letter).contains(">help</span>"), "{}", page(&letter));
    club.writes("Ann", "help");
    assert!(to(&club.pass().1, "Ann").says("HOW TO WRITE ORDERS"));
}

#[test]
fn a_quoted_page_of_ours_is_never_read_and_its_links_go_nowhere() {
    for settings in ["", "plus_addressing: false\n"] {
        let mut club = Club::paris(settings);
        let letter = club.last_to("Ann").expect("a letter").clone();
        let (page, mark) = (page(&letter), links(&letter)[0].href.clone());
        let head = club.reply_to("Ann", &letter, "");
        let head =
            head.trim_end().to_owned() + "\r\nContent-Type: text/html; charset=utf-8\r\n\r\n";
        let quoted = format!(
            "<div dir=\"ltr\">build red G23, Troyes<br></div><br><div class=\"gmail_quote\"><div \
             class=\"gmail_attr\">On Mon, Nov 23, 2026 at 8:00 PM The Postal Club &lt;<a \
             href=\"{mark}\">games@example.org</a>&gt; wrote:<br></div><blockquote \
             class=\"gmail_quote\" style=\"margin:0 0 0 .8ex\">{page}</blockquote></div>"
        );
        club.arrives(format!("{head}{quoted}"));
        let (report, letters) = club.pass();
        assert_eq!(report.carried_out, 1, "{letters:?}");
        assert!(to(&letters, "Ann").says("1: build red G23, Troyes"));
        // What is copied out of a page is said to nobody, however a program has broken it.
        let (start, end) = mark.split_at(mark.len() / 4);
        for said in [mark.clone(), format!("{start}=\n{end}"), format!("<{start}\n{end}>")] {
            let letters = {
                club.writes("Ann", &format!("say look:\n{said}\nend"));
                club.pass().1
            };
            assert_eq!(letters.len(), 1, "{letters:?}");
            assert!(!shows_mark(&letters[0].text()));
        }
        // Nor is it shown back, kept as a note, or shown to the moderator.
        club.writes("Ann", &format!("note {mark}\nhm {mark}"));
        club.pass();
        club.writes("Ann", &format!("build {mark}"));
        club.pass();
    }
}

#[test]
fn each_game_of_a_digest_has_buttons_of_its_own() {
    let mut club = Club::paris("");
    club.found(postrider::games::kind("trick-of-the-rails").expect("it ships"), 3, 2);
    process::set_member(&club.context(), &address("Ann"), "letters digest").expect("it can be");
    club.pass();
    club.writes_in_game_1("Bob", "say hello");
    let two = club.pigeon.posted.iter().rev().find(|letter| {
        letter.to == address("Bob") && letter.header("Subject").is_some_and(|s| s.contains("Trick"))
    });
    let two = club.reply_to("Bob", two.expect("a letter"), "say hello");
    club.arrives(two);
    let (_, letters) = club.pass();
    let bundle = to(&letters, "Ann").clone();
    assert!(bundle.message_id.starts_with("b."), "{bundle:?}");
    let offered = links(&bundle);
    assert!(offered.len() <= 12 + 2, "twelve lines, and how each game is answered: {offered:?}");
    let help: Vec<&Link> = offered.iter().filter(|link| link.body == "help").collect();
    let marks: BTreeSet<&String> = help.iter().map(|link| &link.to).collect();
    assert!(!help.is_empty() && marks.len() == help.len(), "{offered:?}");
    let whole = page(&bundle);
    assert!(whole.contains(">Answer this game</a>") && !whole.contains(">games+"), "{whole}");
}

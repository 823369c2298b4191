//! Invitations: each leaves or is refused, the same for everybody, and a member says yes to one.

use crate::rig::{Club, Posted, address, report, to};
use chrono::TimeDelta;

/// A club with game 1 of Paris Connection for these.
fn club_of(seats: u8, settings: &str) -> Club {
    Club::session(settings, "paris-connection", seats, 7)
}

/// What this player is told when he writes this.
fn told(club: &mut Club, name: &str, body: &str) -> Posted {
    club.writes(name, body);
    to(&club.pass().1, name).clone()
}

#[test]
fn what_becomes_of_an_invitation_does_not_tell_whether_somebody_is_a_member() {
    let told_of = |invited: &str, lost: bool| {
        let mut club = club_of(3, "");
        if lost {
            let letter = club.last_to("Bob").expect("a letter").clone();
            club.arrives(report(&letter, &address("Bob"), "failed", "5.1.1"));
            club.pass();
            assert!(club.member("Bob").undeliverable.is_some());
        }
        told(&mut club, "Ann", "new paris-connection seats 5");
        let mut said = Vec::new();
        for _ in 0..5 {
            club.writes("Ann", &format!("invite 2 {invited}"));
            let (_, letters) = club.pass();
            let sent = letters.iter().filter(|letter| letter.to == invited).count();
            let answer = to(&letters, "Ann").text().replace(invited, "WHO");
            said.push((sent, answer.split_whitespace().collect::<Vec<_>>().join(" ")));
        }
        said
    };
    let stranger = told_of("not@example.net", false);
    assert_eq!(stranger, told_of("bob@example.org", false));
    assert_eq!(stranger, told_of("bob@example.org", true), "it leaves though letters come back");
    let sent: Vec<usize> = stranger.iter().map(|(sent, _)| *sent).collect();
    assert_eq!(sent, [1, 1, 1, 0, 0]);
    assert!(stranger[3].1.contains("No letter can go to WHO now"), "{}", stranger[3].1);
}

#[test]
fn an_invitation_leaves_or_is_refused_with_all_that_its_letter_asks() {
    let mut club = club_of(4, "");
    let gus = "gus@example.net";
    for _ in 0..3 {
        club.writes("Ann", &format!("new paris-connection seats 5 invite {gus}"));
        club.pass();
        club.now -= TimeDelta::minutes(55);
    }
    // Of two, one of whom cannot be asked now, none is, and the game is not on the table.
    told(&mut club, "Ann", "cancel 4");
    for line in [
        &format!("invite 2 fay@example.net {gus}"),
        &format!("new paris-connection seats 3 private invite fay@example.net {gus}"),
    ] {
        club.writes("Ann", line);
        let (_, letters) = club.pass();
        assert_eq!(letters.len(), 1, "{line}: {letters:?}");
        assert!(letters[0].says("No letter can go to gus@example.net now"), "{line}");
        assert!(letters[0].says("nothing was done, and nobody was invited"), "{line}");
    }
    let rooms = club.context().store.rooms().expect("they are kept");
    let formed = rooms.iter().filter(|(_, room)| room.proposal.is_some()).map(|(game, _)| *game);
    assert_eq!(formed.collect::<Vec<_>>(), [2, 3]);
    assert!(rooms.iter().all(|(_, room)| !room.invited.contains(&"fay@example.net".to_owned())));
    // What it says to do can be done: without him, and tomorrow with him.
    club.writes("Ann", "invite 2 fay@example.net");
    assert!(club.pass().1.iter().any(|letter| letter.to == "fay@example.net"));
    club.now += TimeDelta::days(1);
    club.writes("Ann", &format!("invite 2 {gus}"));
    assert!(club.pass().1.iter().any(|letter| letter.to == gus));

    // Where the day has no letter left it waits, and leaves later.
    let mut club = club_of(4, "letters_per_day: 5\n");
    club.writes("Ann", "new paris-connection seats 5 invite fay@example.net");
    let (_, letters) = club.pass();
    assert!(letters.iter().all(|letter| letter.to != "fay@example.net"), "{letters:?}");
    club.now += TimeDelta::days(1);
    assert!(club.pass().1.iter().any(|letter| letter.to == "fay@example.net"));
}

#[test]
fn a_member_who_is_invited_says_yes_or_writes_anything_else() {
    let mut club = club_of(4, "");
    club.writes("Ann", "new paris-connection seats 5 invite bob@example.org cid@example.org");
    let (_, letters) = club.pass();
    let (bobs, cids) = (to(&letters, "Bob").clone(), to(&letters, "Cid").clone());
    assert!(bobs.says("answer this letter within three days with the word \"yes\" alone"));
    let answer = |club: &mut Club, name: &str, asked: &Posted, body: &str| {
        let letter = club.reply_to(name, asked, body);
        club.arrives(letter);
        to(&club.pass().1, name).clone()
    };
    for prose in ["Yes please!", "Who else plays?", "no\nyes", "ok"] {
        let unread = answer(&mut club, "Bob", &bobs, prose);
        assert!(unread.says("so you have not joined game 2"), "{prose}: {}", unread.text());
    }
    assert!(answer(&mut club, "Bob", &bobs, "games").says("In so far: Ann"));
    assert!(answer(&mut club, "Bob", &bobs, "zone Asia/Tokyo").says("Asia/Tokyo"));
    assert!(answer(&mut club, "Bob", &bobs, "Yes.").says("You are in: game 2"));
    assert!(answer(&mut club, "Bob", &bobs, "leave 2").says("You are out"));
    assert!(answer(&mut club, "Bob", &bobs, "yes").says("counts once"));
    // It is his alone, for three days, and he may write otherwise later.
    let stolen = club.reply_to("Cid", &bobs, "yes");
    club.arrives(stolen);
    assert_eq!(club.pass().0.quarantined, 1);
    club.now += TimeDelta::days(4);
    let late = answer(&mut club, "Cid", &cids, "yes");
    assert!(late.says("within three days") && late.says("write \"join 2\""), "{}", late.text());
    assert!(answer(&mut club, "Cid", &cids, "join 2 last").says("You are in: game 2"));

    // To begin a game is not to go on with one.
    club.writes("Ann", "new paris-connection seats 3 invite bob@example.org");
    let asked = to(&club.pass().1, "Bob").clone();
    ["Cid", "Dot"].iter().for_each(|name| drop(club.writes(name, "join 3")));
    club.pass();
    club.writes("Cid", "resign yes");
    club.pass();
    assert!(answer(&mut club, "Bob", &asked, "yes").says("Game 3 has begun without you"));
}

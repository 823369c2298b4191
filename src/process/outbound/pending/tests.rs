//! What is owed is kept as it is, and two notifications to one seat become one.

use super::*;
use crate::club::Happening;
use crate::mail::Stop;
use crate::render::StandingsLine;
use crate::rules::{Arg, Refusal};
use crate::table::{OrderLine, Refused};

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).unwrap()
}

fn said(text: &str) -> ActivityEntry {
    let (from, to, text) = (Seat::new(1), vec![Seat::new(2)], text.to_owned());
    let what = Happening::Said { from, to, anonymous: false, text, former: false };
    ActivityEntry { at: at(9), what }
}

fn line(text: &str) -> OrderLine {
    OrderLine::new(3, text.to_owned())
}

/// A telling that has something of everything, by one word.
fn telling(told: u32, head: u32, occasion: Occasion, word: &'static str) -> Telling {
    let message = || Message::new(word).with("who", Seat::new(2)).with("of", Arg::Term(word));
    Telling {
        game: 1,
        seat: Seat::new(2),
        told,
        head,
        id: format!("g1.s2.{word}@x.org"),
        occasion,
        answer: false,
        asked: vec![Command::Status],
        answers: vec![format!("{word}@x.org")],
        words: vec![message()],
        notes: vec![message()],
        talk: vec![said(word)],
        clock: vec![message()],
        pace: Some(message()),
        awaits: true,
        due: Some(at(head.into())),
        minutes: Some(3),
    }
}

fn occasions() -> Vec<Occasion> {
    let lines = || vec![line("build red G23")];
    let remarks = || vec![Message::new("remark")];
    let refused = Refused {
        line: Some(line("x")),
        refusal: Refusal::illegal(Message::new("no")).or(Message::new("instead")),
    };
    vec![
        Occasion::Welcome,
        Occasion::News,
        Occasion::Accepted { lines: lines(), remarks: remarks() },
        Occasion::Planned { lines: lines(), remarks: remarks() },
        Occasion::Refused { refused, preview: true },
        Occasion::Previewed { lines: lines(), outcome: remarks(), remarks: Vec::new() },
        Occasion::Answered,
        Occasion::Repeated { at: at(7) },
        Occasion::NothingWritten,
        Occasion::Unread(Message::new("unread")),
        Occasion::Clock { words: remarks() },
        Occasion::Told,
        Occasion::Reminder { days: 4 },
    ]
}

fn plain() -> Vec<Owed> {
    let line = StandingsLine {
        rank: 1,
        name: "Ann".to_owned(),
        points: "2".to_owned(),
        games: 2,
        wins: 1,
        share: "0.5".to_owned(),
        opponents: "3".to_owned(),
        you: true,
        gap: false,
    };
    let standings = StandingsLetter {
        campaign: "spring".to_owned(),
        round: 1,
        rounds: 2,
        waiting: 3,
        players: 4,
        rank: 1,
        lines: vec![line],
    };
    let message = Message::new("m").with("n", 3_u8);
    let sections = vec![Section { head: message.clone(), lines: vec![message.clone()] }];
    let (subject, minutes) = (message.clone(), vec![said("hello")]);
    let says = [
        Says::Notice(Notice::Stranger { moderator: "m@x.org".to_owned() }),
        Says::Notice(Notice::NoGame { games: vec!["a game".to_owned()] }),
        Says::Notice(Notice::BadToken),
        Says::Notice(Notice::Said(vec![message.clone()])),
        Says::Notice(Notice::TooMany),
        Says::Notice(Notice::TooManyRefused),
        Says::Probe,
        Says::Report(vec![message]),
        Says::Sections { subject, sections },
        Says::Standings(standings),
        Says::Watching { game: 1, told: 2, head: 3, minutes },
    ];
    let errands = [
        None,
        Some(ReplyAction::Member(7)),
        Some(ReplyAction::Moderator),
        Some(ReplyAction::Join { game: 1, day: 2 }),
        Some(ReplyAction::Address { member: 3, day: 4 }),
        Some(ReplyAction::Invited { member: 3, game: 1, day: 4 }),
        Some(ReplyAction::Club { day: 4 }),
        Some(ReplyAction::Visit { hour: 5 }),
        Some(ReplyAction::Stop { member: 3, what: Stop::Watching(1) }),
    ];
    let to = Addressee { name: "Ann".to_owned(), language: "en".to_owned(), ..<_>::default() };
    let to = Addressee { generation: 1, moves: 2, ..to };
    let owed = |(says, action): (Says, &Option<ReplyAction>)| {
        let (action, answers, to) = (*action, Some("a@x.org".to_owned()), to.clone());
        Owed::Plain(Box::new(Plain { says, action, answers, to }))
    };
    says.into_iter().zip(errands.iter().cycle()).map(owed).collect()
}

#[test]
fn whatever_is_owed_is_kept_as_it_is() {
    let seats = occasions().into_iter().map(|occasion| telling(1, 2, occasion, "word"));
    let mut all: Vec<Owed> = seats.clone().map(|one| Owed::Seat(Box::new(one))).collect();
    all.push(Owed::Seats(seats.collect()));
    all.extend(plain());
    for owed in all {
        let text = serde_json::to_string(&owed.kept()).unwrap();
        let read = Owed::of(&serde_json::from_str(&text).unwrap());
        assert_eq!(read.as_ref(), Ok(&owed), "{text}");
    }
    assert!(Owed::of(&serde_json::json!({"later": 1})).is_err());
}

#[test]
fn of_two_tellings_one_tells_everything_once() {
    let accepted = Occasion::Accepted { lines: vec![line("a")], remarks: Vec::new() };
    let planned = Occasion::Planned { lines: vec![line("b")], remarks: Vec::new() };
    let both = telling(2, 3, accepted, "older").and(telling(3, 5, planned, "newer"));
    assert_eq!((both.told, both.head, both.due), (2, 5, Some(at(5))));
    assert_eq!((both.id.as_str(), both.clock[0].key), ("g1.s2.newer@x.org", "newer"));
    let keys = |all: &[Message]| all.iter().map(|one| one.key).collect::<Vec<_>>();
    assert_eq!((keys(&both.notes), keys(&both.words)), (vec!["older", "newer"], keys(&both.notes)));
    assert_eq!((both.talk.len(), both.answers.len(), both.asked.len()), (2, 2, 1));
    let lines = |texts: [&str; 2]| texts.map(line).to_vec();
    let lines = Occasion::Accepted { lines: lines(["a", "b"]), remarks: Vec::new() };
    assert_eq!(both.occasion, lines);
    let again = both.clone().and(Telling { told: 4, ..both.clone() });
    assert_eq!((again.notes, again.talk, again.answers), (both.notes, both.talk, both.answers));
}

#[test]
fn weightier_of_two_occasions_is_told() {
    let clock = || Occasion::Clock { words: vec![Message::new("tick")] };
    let both = |a: Occasion, b: Occasion, heads: [u32; 2]| {
        let [a, b] = [telling(1, heads[0], a, "a"), telling(1, heads[1], b, "b")];
        let both = a.and(b);
        (both.occasion, both.notes.iter().any(|note| note.key == "tick"))
    };
    use Occasion::{News, Reminder, Told, Welcome};
    let reminder = || Reminder { days: 4 };
    assert_eq!(both(News, Told, [2, 2]).0, News);
    assert_eq!(both(Told, News, [2, 3]).0, News);
    assert_eq!(both(Welcome, News, [1, 2]).0, Welcome);
    assert_eq!(both(News, reminder(), [2, 2]).0, reminder());
    assert_eq!(both(reminder(), News, [2, 3]).0, News);
    assert_eq!(both(clock(), Told, [2, 2]), (Told, true));
    assert_eq!(both(clock(), News, [2, 3]), (News, false), "that time is over");
    assert_eq!(both(Welcome, clock(), [2, 2]), (Welcome, true));
    assert_eq!(both(News, clock(), [2, 2]), (clock(), false), "it says so itself");
}

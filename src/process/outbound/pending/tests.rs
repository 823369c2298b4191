//! Tests that payloads survive storage and that two updates for one seat merge into one.

use super::*;
use crate::club::ActivityEvent;
use crate::mail::UnsubscribeKind;
use crate::render::StandingsLine;
use crate::rules::{Arg, Refusal};
use crate::table::{LetterRefusal, OrderLine};

fn time_at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).unwrap()
}

fn talk_entry(text: &str) -> ActivityEntry {
    let (from, to, text) = (Seat::new(1), vec![Seat::new(2)], text.to_owned());
    let what =
        ActivityEvent::Said { from, to, anonymous: false, text, is_from_former_player: false };
    ActivityEntry { at: time_at(9), event: what }
}

fn order_line(text: &str) -> OrderLine {
    OrderLine::new(3, text.to_owned())
}

/// An update with a value in every field, each made from `word`.
fn seat_update(told: u32, head: u32, occasion: Occasion, word: &'static str) -> SeatUpdate {
    let message = || Message::new(word).with("who", Seat::new(2)).with("of", Arg::Term(word));
    SeatUpdate {
        game: 1,
        seat: Seat::new(2),
        last_seen_record: told,
        head,
        message_id: format!("g1.s2.{word}@x.org"),
        occasion,
        is_answer: false,
        questions: vec![Question::Status],
        answered_ids: vec![format!("{word}@x.org")],
        answered_digests: vec![word.to_owned()],
        plan_notes: vec![message()],
        notes: vec![message()],
        talk: vec![talk_entry(word)],
        clock: vec![message()],
        pace: Some(message()),
        is_turn: true,
        due: Some(time_at(head.into())),
        activity_length: Some(3),
    }
}

fn all_occasions() -> Vec<Occasion> {
    let lines = || vec![order_line("build red G23")];
    let remarks = || vec![Message::new("remark")];
    let refused = LetterRefusal {
        line: Some(order_line("x")),
        refusal: Refusal::illegal(Message::new("no")).with_alternative(Message::new("instead")),
    };
    vec![
        Occasion::Welcome,
        Occasion::News,
        Occasion::Accepted { lines: lines(), remarks: remarks() },
        Occasion::Planned { lines: lines(), remarks: remarks() },
        Occasion::Refused { refused, preview: true },
        Occasion::Previewed {
            lines: lines(),
            outcome: remarks(),
            remarks: Vec::new(),
            events: vec!["{}".to_owned()],
        },
        Occasion::Answered,
        Occasion::Repeated { at: time_at(7) },
        Occasion::NothingWritten,
        Occasion::Unreadable(Message::new("unread")),
        Occasion::Clock { words: remarks() },
        Occasion::TalkOrNotices,
        Occasion::Reminder { days: 4 },
    ]
}

fn plain_letters() -> Vec<OutboxPayload> {
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
    let (subject, minutes) = (message.clone(), vec![talk_entry("hello")]);
    let says = [
        NoticeBody::Notice(Notice::Stranger { moderator: "m@x.org".to_owned() }),
        NoticeBody::Notice(Notice::NoGame { games: vec!["a game".to_owned()] }),
        NoticeBody::Notice(Notice::BadToken),
        NoticeBody::Notice(Notice::Said(vec![message.clone()])),
        NoticeBody::Notice(Notice::TooMany),
        NoticeBody::Notice(Notice::TooManyRefused),
        NoticeBody::Probe,
        NoticeBody::Report(vec![message]),
        NoticeBody::Sections { subject, sections },
        NoticeBody::Standings(standings),
        NoticeBody::ObserverUpdate { game: 1, last_seen_record: 2, head: 3, talk: minutes },
    ];
    let actions = [
        None,
        Some(ReplyAction::SpeakAsMember(7)),
        Some(ReplyAction::SpeakAsModerator),
        Some(ReplyAction::JoinGame { game: 1, day: 2 }),
        Some(ReplyAction::ConfirmAddress { member: 3, day: 4 }),
        Some(ReplyAction::AcceptInvitation { member: 3, game: 1, day: 4 }),
        Some(ReplyAction::JoinClub { day: 4 }),
        Some(ReplyAction::ContinueVisit { hour: 5 }),
        Some(ReplyAction::Unsubscribe { member: 3, what: UnsubscribeKind::Observing(1) }),
    ];
    let to = Addressee { name: "Ann".to_owned(), language: "en".to_owned(), ..<_>::default() };
    let to = Addressee { generation: 1, address_changes: 2, ..to };
    let owed = |(says, action): (NoticeBody, &Option<ReplyAction>)| {
        let (action, answers, to) = (*action, Some("a@x.org".to_owned()), to.clone());
        OutboxPayload::Plain(Box::new(PlainLetter { body: says, action, answered_id: answers, to }))
    };
    says.into_iter().zip(actions.iter().cycle()).map(owed).collect()
}

#[test]
fn every_payload_survives_storage() {
    let seats = all_occasions().into_iter().map(|occasion| seat_update(1, 2, occasion, "word"));
    let mut all: Vec<OutboxPayload> =
        seats.clone().map(|one| OutboxPayload::Seat(Box::new(one))).collect();
    all.push(OutboxPayload::Seats(seats.collect()));
    all.extend(plain_letters());
    for owed in all {
        let text = serde_json::to_string(&owed.to_json()).unwrap();
        let read = OutboxPayload::from_json(&serde_json::from_str(&text).unwrap());
        assert_eq!(read.as_ref(), Ok(&owed), "{text}");
    }
    assert!(OutboxPayload::from_json(&serde_json::json!({"later": 1})).is_err());
}

#[test]
fn merged_update_tells_everything_once() {
    let accepted = Occasion::Accepted { lines: vec![order_line("a")], remarks: Vec::new() };
    let planned = Occasion::Planned { lines: vec![order_line("b")], remarks: Vec::new() };
    let both = seat_update(2, 3, accepted, "older").merge(seat_update(3, 5, planned, "newer"));
    assert_eq!((both.last_seen_record, both.head, both.due), (2, 5, Some(time_at(5))));
    assert_eq!((both.message_id.as_str(), both.clock[0].key), ("g1.s2.newer@x.org", "newer"));
    let keys = |all: &[Message]| all.iter().map(|one| one.key).collect::<Vec<_>>();
    assert_eq!(
        (keys(&both.notes), keys(&both.plan_notes)),
        (vec!["older", "newer"], keys(&both.notes))
    );
    assert_eq!((both.talk.len(), both.answered_ids.len(), both.questions.len()), (2, 2, 1));
    let lines = |texts: [&str; 2]| texts.map(order_line).to_vec();
    let lines = Occasion::Accepted { lines: lines(["a", "b"]), remarks: Vec::new() };
    assert_eq!(both.occasion, lines);
    let again = both.clone().merge(SeatUpdate { last_seen_record: 4, ..both.clone() });
    assert_eq!(
        (again.notes, again.talk, again.answered_ids),
        (both.notes, both.talk, both.answered_ids)
    );
}

#[test]
fn merged_update_keeps_weightier_occasion() {
    let clock = || Occasion::Clock { words: vec![Message::new("tick")] };
    let both = |a: Occasion, b: Occasion, heads: [u32; 2]| {
        let [a, b] = [seat_update(1, heads[0], a, "a"), seat_update(1, heads[1], b, "b")];
        let both = a.merge(b);
        (both.occasion, both.notes.iter().any(|note| note.key == "tick"))
    };
    use Occasion::{News, Reminder, TalkOrNotices, Welcome};
    let reminder = || Reminder { days: 4 };
    assert_eq!(both(News, TalkOrNotices, [2, 2]).0, News);
    assert_eq!(both(TalkOrNotices, News, [2, 3]).0, News);
    assert_eq!(both(Welcome, News, [1, 2]).0, Welcome);
    assert_eq!(both(News, reminder(), [2, 2]).0, reminder());
    assert_eq!(both(reminder(), News, [2, 3]).0, News);
    assert_eq!(both(clock(), TalkOrNotices, [2, 2]), (TalkOrNotices, true));
    assert_eq!(both(clock(), News, [2, 3]), (News, false), "that time is over");
    assert_eq!(both(Welcome, clock(), [2, 2]), (Welcome, true));
    assert_eq!(both(News, clock(), [2, 2]), (clock(), false), "it says so itself");
}

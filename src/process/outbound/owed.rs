//! What somebody is owed by letter, as data: who is told what, up to which record, and why.
//!
//! It is fixed in the commit that leads to it, and worded when it leaves. What it promises stands
//! in it: a deadline, what was decided, the last record that it tells of. What it shows besides
//! (plans, notes, settings, marks, an address) is its reader's as it is when it leaves. May know
//! neither words nor the store.

use crate::club::{ActivityEntry, Command};
use crate::mail::ReplyAction;
use crate::render::{Notice, Occasion, Section, StandingsLetter};
use crate::rules::{Message, Seat};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a letter owes its reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Owed {
    /// Who sits there hears of his game.
    Seat(Box<Telling>),
    /// He hears of several games, in this order; a game can stand there more than once.
    Seats(Vec<Telling>),
    /// Something that is for no seat of a game.
    Plain(Box<Plain>),
}

/// What is told to a seat of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Telling {
    /// The game's number.
    pub game: u32,
    /// The seat that is told.
    pub seat: Seat,
    /// The last record that the reader knew of before it; 0 for none.
    pub told: u32,
    /// The last record that it tells of.
    pub(crate) head: u32,
    /// The Message-ID of a letter that tells nothing else.
    pub id: String,
    /// Why it is told.
    pub occasion: Occasion,
    /// Whether it answers a letter by itself, and tells nothing of others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) answer: bool,
    /// What the reader asked to see besides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<Command>,
    /// The Message-IDs of the letters that it answers, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<String>,
    /// What the reader should know of his plans.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<Message>,
    /// What was done to the game from outside of its rules, news of votes included.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Message>,
    /// What players have said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub talk: Vec<ActivityEntry>,
    /// How the reader's clock stood.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clock: Vec<Message>,
    /// How fast the game is, for who asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pace: Option<Message>,
    /// Whether it was his turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) awaits: bool,
    /// Until when he has time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<DateTime<Utc>>,
    /// How many minutes the game had, for who asked for its history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<usize>,
}

/// A letter that is for no seat of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Plain {
    /// What it says.
    pub(crate) says: Says,
    /// What a reply to it does.
    #[serde(default, rename = "errand", skip_serializing_if = "Option::is_none")]
    pub(crate) action: Option<ReplyAction>,
    /// The Message-ID of the letter that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<String>,
    /// Who reads what goes to its address, where nothing else is known of him.
    pub(crate) to: Addressee,
}

/// What a letter says that is for no seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Says {
    /// A few sentences.
    Notice(Notice),
    /// That it is a probe, and that there is nothing to do.
    Probe,
    /// What the moderator should know, a sentence each.
    Report(Vec<Message>),
    /// Lists with a heading each: what the moderator reads.
    Sections {
        /// What the letter's subject says.
        subject: Message,
        /// The lists, in their order.
        sections: Vec<Section>,
    },
    /// The standings of a campaign.
    Standings(StandingsLetter),
    /// A game as everyone may see it, to who watches it.
    Watching {
        /// The game's number.
        game: u32,
        /// The last record that the reader knew of before it; 0 for none.
        told: u32,
        /// The last record that it tells of.
        head: u32,
        /// What was said to all since.
        minutes: Vec<ActivityEntry>,
    },
}

/// Who reads what goes to an address, as he was when the letter was owed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Addressee {
    /// His name, if we know one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The language that he reads.
    pub language: String,
    /// What the mark of the letter is sealed with. It becomes void with all others of that time: a
    /// letter that has waited must not bring back what was made void since.
    #[serde(default, skip_serializing_if = "is_none")]
    pub generation: u32,
    /// The same, by how often its member's addresses have changed.
    #[serde(default, skip_serializing_if = "is_none")]
    pub moves: u32,
}

const fn is_none(number: &u32) -> bool {
    *number == 0
}

impl Owed {
    /// The form in which it is kept.
    pub(crate) fn kept(&self) -> Value {
        // It has no keys but texts, so nothing can go wrong; what cannot be read the moderator is
        // told of when it is to leave.
        serde_json::to_value(self).unwrap_or_default()
    }

    /// What was kept; why it cannot be read.
    pub(crate) fn of(kept: &Value) -> Result<Self, Message> {
        Self::deserialize(kept)
            .map_err(|error| Message::new("fault-said").with("what", error.to_string()))
    }

    /// What it tells of seats.
    pub(crate) fn tellings(&self) -> &[Telling] {
        match self {
            Self::Seat(telling) => std::slice::from_ref(telling),
            Self::Seats(tellings) => tellings,
            Self::Plain(_) => &[],
        }
    }
}

impl Plain {
    /// Whether it answers a letter, as all do that the moderator gets in return.
    pub(crate) const fn is_answer(&self) -> bool {
        self.answers.is_some() || matches!(self.action, Some(ReplyAction::Moderator))
    }
}

impl Telling {
    /// Whether both are told to the same seat.
    pub(crate) fn is_beside(&self, other: &Self) -> bool {
        (self.game, self.seat) == (other.game, other.seat)
    }

    /// One that tells all that both tell, as nobody has read this one when the newer one is to
    /// leave: from what this one began with to where the newer one ends, and until when there is
    /// time by that.
    pub(crate) fn and(self, newer: Self) -> Self {
        let has_moved = newer.head > self.head;
        let mut notes = self.notes;
        let occasion = match (self.occasion, newer.occasion) {
            (Occasion::Clock { words }, now) if !has_moved => {
                let again: &[Message] = match &now {
                    Occasion::Clock { words } => words,
                    _ => &[],
                };
                notes.splice(0..0, words.into_iter().filter(|word| !again.contains(word)));
                now
            }
            (before, now) => joined(before, now, &mut notes),
        };
        let mut asked = [self.asked, newer.asked].concat();
        asked.sort_unstable();
        asked.dedup();
        Self {
            told: self.told.min(newer.told),
            occasion,
            answers: once_each(self.answers, newer.answers),
            words: once_each(self.words, newer.words),
            notes: once_each(notes, newer.notes),
            talk: once_each(self.talk, newer.talk),
            pace: newer.pace.or(self.pace),
            minutes: newer.minutes.or(self.minutes),
            asked,
            ..newer
        }
    }
}

/// Why a letter is written that is written for both: what became of the reader's orders comes
/// before a game's beginning, that before what happened in it, and that before what was said.
fn joined(before: Occasion, now: Occasion, notes: &mut Vec<Message>) -> Occasion {
    use Occasion::{Accepted, Clock, News, Planned, Told, Welcome};
    let both =
        |a: (Vec<_>, Vec<_>), b: (Vec<_>, Vec<_>)| ([a.0, b.0].concat(), [a.1, b.1].concat());
    match (before, now) {
        (Planned { lines: a, remarks: b }, Planned { lines: c, remarks: d }) => {
            let (lines, remarks) = both((a, b), (c, d));
            Planned { lines, remarks }
        }
        (
            Accepted { lines: a, remarks: b } | Planned { lines: a, remarks: b },
            Accepted { lines: c, remarks: d } | Planned { lines: c, remarks: d },
        ) => {
            let (lines, remarks) = both((a, b), (c, d));
            Accepted { lines, remarks }
        }
        (before @ (Accepted { .. } | Planned { .. } | Welcome), Clock { words }) => {
            notes.extend(words);
            before
        }
        (_, now @ (Accepted { .. } | Planned { .. })) => now,
        (before @ (Accepted { .. } | Planned { .. } | Welcome), _) => before,
        (News, Told) => News,
        (_, now) => now,
    }
}

/// These and those, without what is in both.
fn once_each<T: PartialEq>(mut these: Vec<T>, those: Vec<T>) -> Vec<T> {
    for one in those {
        if !these.contains(&one) {
            these.push(one);
        }
    }
    these
}

#[cfg(test)]
mod tests {
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
        assert_eq!(
            (keys(&both.notes), keys(&both.words)),
            (vec!["older", "newer"], keys(&both.notes))
        );
        assert_eq!((both.talk.len(), both.answers.len(), both.asked.len()), (2, 2, 1));
        let lines = |texts: [&str; 2]| texts.map(line).to_vec();
        let lines = Occasion::Accepted { lines: lines(["a", "b"]), remarks: Vec::new() };
        assert_eq!(both.occasion, lines);
        let again = both.clone().and(Telling { told: 4, ..both.clone() });
        assert_eq!((again.notes, again.talk, again.answers), (both.notes, both.talk, both.answers));
    }

    #[test]
    fn the_weightier_of_two_occasions_is_the_one_that_is_told() {
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
}

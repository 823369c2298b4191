//! The people around a game besides those who sit at it, and what is said and done there.
//!
//! Pure. None of it stands in the game's log: who counts the log's records must not learn who talks
//! to whom. May not know how letters look or where anything is kept.

use super::clock::Outage;
use super::press::PressTerms;
use super::undo_terms::UndoTerm;
use super::vote::{Vote, VoteRules};
use super::{Aside, GameName, Intervention, Proposal, SeatOffer};
use crate::rules::{Message, Seat};
use crate::table::Reason;
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// Who is around a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRoom {
    /// The members who watch: their numbers, in the order in which they came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observers: Vec<u32>,
    /// The members who would take over a seat, first come first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<u32>,
    /// Those who have left their seats, or lost them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former: Vec<Former>,
    /// The game as it is being formed; none once it has begun, or never shall.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Box<Proposal>>,
    /// Whether only those who are invited may play and watch.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
    /// The addresses of those who are invited, lower case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invited: Vec<String>,
    /// The game that was proposed for the same table after this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch: Option<u32>,
    /// What may be said, as it was settled at the founding; the usual terms when it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub press: Option<PressTerms>,
    /// How votes are counted, as it was settled at the founding; as usual when it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub votes: Option<VoteRules>,
    /// The table of a campaign that the game was founded for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campaign: Option<CampaignTable>,
    /// What the game is called besides its number; nothing where nobody has named it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<GameName>,
    /// How long players may take their last orders back, as it was settled at the founding; not at
    /// all when it was not: nothing changes in the middle of a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<UndoTerm>,
    /// The votes that are open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open_votes: Vec<Vote>,
    /// The seats that somebody is asked to take over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<SeatOffer>,
}

/// A table of a campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignTable {
    /// The campaign's name.
    pub name: String,
    /// The round, from 1.
    pub round: u32,
    /// The table of the round, from 1.
    pub table: u32,
}

/// Somebody who sat at a game once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Former {
    /// The seat that was left.
    pub seat: Seat,
    /// The member's number.
    pub member: u32,
    /// Whether the moderator took him out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) removed: bool,
    /// What is kept for him, where the seat was lent and he may come back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aside: Option<Box<Aside>>,
}

/// Something that was said or done around a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivityEntry {
    /// When it was said or done.
    pub at: DateTime<Utc>,
    /// What was said or done.
    pub what: Happening,
}

/// What was said or done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Happening {
    /// A player said something.
    Said {
        /// The seat whose player said it.
        from: Seat,
        /// To whom; to all when it is empty.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        to: Vec<Seat>,
        /// Whether his name is kept back.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        anonymous: bool,
        /// What: lines that are parted by a line feed, without other control characters.
        text: String,
        /// Whether who said it sits there no more; reckoned for each reading, and never kept.
        #[serde(skip)]
        former: bool,
    },
    /// Something was done to the game from outside of its rules.
    Intervened {
        /// Who did it.
        by: Actor,
        /// What was done to the game.
        what: Intervention,
        /// Why, as it was said to all.
        #[serde(default, skip_serializing_if = "Reason::is_empty")]
        reason: Reason,
    },
    /// A member proposed the game.
    Proposed {
        /// The number of the member who proposed it.
        by: u32,
        /// Which game it is to be.
        kind: String,
    },
    /// All its seats were taken.
    Begun,
    /// The moderator made void all reply marks of a member.
    MarksVoided {
        /// The member's number.
        member: u32,
        /// The reason that was given.
        reason: String,
    },
    /// The moderator decided about a letter in quarantine. That a seat has written may tell the
    /// others more than they should know.
    LetterJudged {
        /// The name of the letter's file.
        name: String,
        /// Whether it was let in.
        accepted: bool,
        /// The reason that was given.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
    },
    /// The moderator noted something for himself.
    Noted {
        /// What the moderator noted.
        text: String,
    },
}

/// Who did something about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// The moderator, by letter or by command.
    Moderator,
    /// A member, by number.
    Member(u32),
    /// The program, by the rules that the game was founded with.
    House,
}

impl ActivityEntry {
    /// Whether the player of this seat may read it: what was said to all, to him or by him, and
    /// all that was done.
    pub(crate) fn is_for(&self, seat: Seat) -> bool {
        match &self.what {
            Happening::Said { from, to, .. } => {
                to.is_empty() || to.contains(&seat) || *from == seat
            }
            Happening::Intervened { what: Intervention::Rotate(_), .. }
            | Happening::MarksVoided { .. }
            | Happening::LetterJudged { .. }
            | Happening::Noted { .. } => false,
            Happening::Intervened { .. } | Happening::Proposed { .. } | Happening::Begun => true,
        }
    }
}

impl ActivityEntry {
    /// What is left of it when it cannot be told to the player of a seat; nothing when he was the
    /// only one whom it was meant for.
    #[must_use]
    pub(crate) fn untold_to(mut self, seat: Seat) -> Option<Self> {
        if let Happening::Said { from, to, .. } = &mut self.what
            && *from != seat
            && to.contains(&seat)
        {
            to.retain(|other| *other != seat);
            return (!to.is_empty()).then_some(self);
        }
        Some(self)
    }

    /// Whether the player of this seat said it.
    pub(crate) fn is_from(&self, seat: Seat) -> bool {
        matches!(&self.what, Happening::Said { from, .. } if *from == seat)
    }

    /// Whether it was told to some alone.
    pub(crate) fn is_private(&self) -> bool {
        matches!(&self.what, Happening::Said { to, .. } if !to.is_empty())
    }
}

impl GameRoom {
    /// Whether nobody is there and nothing is to be remembered.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Settles what holds for the whole game; what is usual needs no words.
    pub(crate) fn settle(&mut self, press: PressTerms, votes: VoteRules, undo: UndoTerm) {
        self.undo = Some(undo);
        self.press = Some(press).filter(|press| *press != PressTerms::default());
        self.votes = Some(votes).filter(|votes| *votes != VoteRules::default());
    }

    /// When the first of the open votes and offers ends.
    pub fn lapses(&self) -> Option<DateTime<Utc>> {
        let offers = self.offers.iter().map(|offer| offer.until);
        self.open_votes.iter().map(|vote| vote.until).chain(offers).min()
    }

    /// Gives votes and a game that waits for players the time of an outage back, if theirs was over
    /// in it or is over by `until`; whether there is anything.
    pub(crate) fn stood_still(&mut self, outage: Outage, until: DateTime<Utc>) -> bool {
        let mut any = false;
        for end in self.ends() {
            if outage.since < *end && *end <= until {
                *end = (*end + outage.length).max(until);
                any = true;
            }
        }
        any
    }

    /// Puts right what was reckoned while the machine's clock was ahead: nothing lasts longer from
    /// now than it does from its beginning; whether there is anything.
    pub(crate) fn set_right(&mut self, now: DateTime<Utc>, proposal_lasts: TimeDelta) -> bool {
        let vote_lasts = TimeDelta::days(self.vote_rules().days.into());
        let votes = self.open_votes.iter_mut().map(|vote| (&mut vote.until, vote_lasts));
        let proposal = self.proposal.as_mut().map(|own| (&mut own.until, proposal_lasts));
        let offers = self.offers.iter_mut().map(|offer| (&mut offer.until, SeatOffer::LASTS));
        let mut any = false;
        for (end, lasts) in
            votes.chain(proposal).chain(offers).filter(|(end, lasts)| **end > now + *lasts)
        {
            *end = now + lasts;
            any = true;
        }
        any
    }

    /// When what is open around the game is over.
    fn ends(&mut self) -> impl Iterator<Item = &mut DateTime<Utc>> {
        let votes = self.open_votes.iter_mut().map(|vote| &mut vote.until);
        votes.chain(self.proposal.as_mut().map(|proposal| &mut proposal.until))
    }

    /// How votes are counted in the game.
    pub(crate) fn vote_rules(&self) -> VoteRules {
        self.votes.unwrap_or_default()
    }

    /// Notes that somebody sits here no more.
    pub(crate) fn part_with(&mut self, former: Former) {
        self.former.retain(|other| (other.seat, other.member) != (former.seat, former.member));
        self.former.push(former);
    }

    /// Takes out what was kept for a member who comes back to this seat.
    pub(crate) fn take_aside(&mut self, seat: Seat, member: u32) -> Option<Aside> {
        let mut own = self.former.iter_mut();
        let own = own.find(|former| (former.seat, former.member) == (seat, member))?;
        own.aside.take().map(|aside| *aside)
    }

    /// Why a member cannot take this seat over by himself: nobody sees two hands of one game, and
    /// who was taken out stays out.
    ///
    /// # Errors
    /// The reason.
    pub(crate) fn may_take(&self, seat: Seat, member: u32) -> Result<(), Message> {
        let mut own = self.former.iter().filter(|former| former.member == member);
        if own.clone().any(|former| former.removed) {
            return Err(Message::new("seat-barred"));
        }
        if own.any(|former| former.seat != seat) {
            Err(Message::new("seat-two-hands"))
        } else {
            Ok(())
        }
    }

    /// How long players may take their last orders back.
    pub fn undo_term(&self) -> UndoTerm {
        self.undo.unwrap_or(UndoTerm::Off)
    }

    /// What players are told of the terms of the game; what is usual needs no words.
    pub(crate) fn terms_words(&self) -> Vec<Message> {
        let undo = self.undo.and_then(UndoTerm::words);
        self.press_terms().words().into_iter().chain(undo).collect()
    }

    /// What may be said in the game.
    pub(crate) fn press_terms(&self) -> PressTerms {
        self.press.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_can_be_taken_back_in_a_game_that_began_before_it_could() {
        assert_eq!(GameRoom::default().undo_term(), UndoTerm::Off);
        let room = GameRoom { undo: Some(UndoTerm::default()), ..GameRoom::default() };
        assert_eq!(serde_json::to_string(&room).unwrap(), r#"{"undo":"1 hour"}"#);
        assert!(room.terms_words().is_empty(), "what is usual needs no words");
    }

    #[test]
    fn what_is_told_to_one_is_for_the_two_of_them() {
        let (ann, bob, cid) = (Seat::new(1), Seat::new(2), Seat::new(3));
        let said = |to: Vec<Seat>| ActivityEntry {
            at: DateTime::UNIX_EPOCH,
            what: Happening::Said {
                from: ann,
                to,
                anonymous: false,
                text: "hello".to_owned(),
                former: false,
            },
        };
        let readers = |minute: &ActivityEntry| [ann, bob, cid].map(|seat| minute.is_for(seat));
        assert_eq!(readers(&said(vec![bob])), [true, true, false]);
        assert_eq!(readers(&said(Vec::new())), [true, true, true]);
        let what = Happening::Noted { text: "hush".to_owned() };
        assert_eq!(readers(&ActivityEntry { at: DateTime::UNIX_EPOCH, what }), [false; 3]);
    }

    #[test]
    fn what_was_said_is_from_one_seat() {
        let (ann, bob) = (Seat::new(1), Seat::new(2));
        let text = "hello".to_owned();
        let what =
            Happening::Said { from: ann, to: vec![bob], anonymous: true, text, former: false };
        let said = ActivityEntry { at: DateTime::UNIX_EPOCH, what };
        assert!(said.is_from(ann) && !said.is_from(bob));
        let begun = ActivityEntry { at: DateTime::UNIX_EPOCH, what: Happening::Begun };
        assert!(!begun.is_from(ann));
    }

    /// So many hours after the beginning.
    fn hour(hours: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::hours(hours)
    }

    /// A room with votes that lapse at these hours, and a proposal that lapses at the last.
    fn room(ends: &[i64]) -> GameRoom {
        let (by, rules) = (Seat::new(1), VoteRules::default());
        let vote = |end: &i64| {
            let vote = Vote::open(Intervention::Pause, by, &rules, DateTime::UNIX_EPOCH);
            Vote { until: hour(*end), ..vote }
        };
        let (last, votes) = ends.split_last().expect("a proposal");
        let until = serde_json::to_value(hour(*last)).expect("a form");
        let proposal = serde_json::json!({"kind": "x", "seats": 4, "players": [], "until": until});
        let proposal = serde_json::from_value(proposal).expect("it is one");
        let open_votes = votes.iter().map(vote).collect();
        GameRoom { open_votes, proposal: Some(proposal), ..GameRoom::default() }
    }

    #[test]
    fn votes_and_proposals_get_the_time_of_an_outage_back_in_which_they_would_have_lapsed() {
        let outage = Outage { since: hour(10), length: TimeDelta::hours(24) };
        let mut all = room(&[9, 10, 11, 40, 41, 20]);
        assert!(all.stood_still(outage, hour(40)));
        assert_eq!(all, room(&[9, 10, 40, 64, 41, 44]));
        let mut none = room(&[9, 10, 41]);
        assert!(!none.stood_still(outage, hour(40)));
        assert_eq!(none, room(&[9, 10, 41]));
    }

    #[test]
    fn nothing_lasts_longer_from_now_than_from_its_beginning() {
        // Votes last a week, and proposals two days here.
        let lasts = TimeDelta::days(2);
        let mut ahead = room(&[168, 168 + 5, 168 + 6, 5 + 48 + 1]);
        assert!(ahead.set_right(hour(5), lasts));
        assert_eq!(ahead, room(&[168, 168 + 5, 168 + 5, 5 + 48]));
        assert!(!ahead.set_right(hour(5), lasts), "once is enough");
    }

    #[test]
    fn what_is_kept_for_who_sat_here_is_kept_once_and_given_to_him() {
        let aside = Aside { letters: Some(crate::club::NewsWish::All), ..Aside::default() };
        let left = |seat, member, aside: Option<&Aside>| {
            let aside = aside.cloned().map(Box::new);
            Former { seat: Seat::new(seat), member, removed: false, aside }
        };
        let mut room = GameRoom::default();
        assert!(room.is_empty());
        for former in [left(1, 7, None), left(2, 7, None), left(1, 8, None)] {
            room.part_with(former);
        }
        room.part_with(left(1, 7, Some(&aside)));
        assert!(!room.is_empty());
        let others = [left(2, 7, None), left(1, 8, None)];
        assert_eq!(room.former[..2], others, "others stay as they were");
        assert_eq!(room.former[2..], [left(1, 7, Some(&aside))]);
        assert_eq!(room.take_aside(Seat::new(2), 7), None);
        assert_eq!(room.take_aside(Seat::new(1), 7), Some(aside));
        assert_eq!(room.take_aside(Seat::new(1), 7), None, "it was his, and he has it");
    }
}

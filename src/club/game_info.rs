//! The people around a game besides those who sit at it, and what is said and done there.
//!
//! Pure. None of it stands in the game's log: who counts the log's records must not learn who talks
//! to whom. May not know how letters look or where anything is kept.

use super::clock::Outage;
use super::press::PressTerms;
use super::undo_term::UndoTerm;
use super::vote::{Vote, VoteRules};
use super::{GameName, Intervention, Proposal, SavedSeatData, SeatOffer};
use crate::rules::{Message, Seat};
use crate::table::Reason;
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// Who is around a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameInfo {
    /// The members who watch: their numbers, in the order in which they came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observers: Vec<u32>,
    /// The members who would take over a seat, first come first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "waiting")]
    pub waiting_list: Vec<u32>,
    /// Those who have left their seats, or lost them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "former")]
    pub former_players: Vec<FormerPlayer>,
    /// The game as it is being formed; none once it has begun, or never shall.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Box<Proposal>>,
    /// Whether only those who are invited may play and watch.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
    /// The addresses of those who are invited, lower case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "invited")]
    pub invited_addresses: Vec<String>,
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
    #[serde(rename = "offers")]
    pub seat_offers: Vec<SeatOffer>,
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
pub struct FormerPlayer {
    /// The seat that was left.
    pub seat: Seat,
    /// The member's number.
    pub member: u32,
    /// Whether the moderator took him out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) removed: bool,
    /// What is kept for him, where the seat was lent and he may come back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "aside")]
    pub saved: Option<Box<SavedSeatData>>,
}

/// Something that was said or done around a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivityEntry {
    /// When it was said or done.
    pub at: DateTime<Utc>,
    /// What was said or done.
    #[serde(rename = "what")]
    pub event: ActivityEvent,
}

/// What was said or done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActivityEvent {
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
        is_from_former_player: bool,
    },
    /// Something was done to the game from outside of its rules.
    Intervened {
        /// Who did it.
        by: Actor,
        /// What was done to the game.
        #[serde(rename = "what")]
        intervention: Intervention,
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
    #[serde(rename = "marks_voided")]
    ReplyTokensVoided {
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
    #[serde(rename = "house")]
    Program,
}

impl ActivityEntry {
    /// Whether the player of this seat may read it: what was said to all, to him or by him, and
    /// all that was done.
    pub(crate) fn is_visible_to(&self, seat: Seat) -> bool {
        match &self.event {
            ActivityEvent::Said { from, to, .. } => {
                to.is_empty() || to.contains(&seat) || *from == seat
            }
            ActivityEvent::Intervened { intervention: Intervention::Rotate(_), .. }
            | ActivityEvent::ReplyTokensVoided { .. }
            | ActivityEvent::LetterJudged { .. }
            | ActivityEvent::Noted { .. } => false,
            ActivityEvent::Intervened { .. }
            | ActivityEvent::Proposed { .. }
            | ActivityEvent::Begun => true,
        }
    }
}

impl ActivityEntry {
    /// What is left of it when it cannot be told to the player of a seat; nothing when he was the
    /// only one whom it was meant for.
    #[must_use]
    pub(crate) fn without_recipient(mut self, seat: Seat) -> Option<Self> {
        if let ActivityEvent::Said { from, to, .. } = &mut self.event
            && *from != seat
            && to.contains(&seat)
        {
            to.retain(|other| *other != seat);
            return (!to.is_empty()).then_some(self);
        }
        Some(self)
    }

    /// Whether the player of this seat said it.
    pub(crate) fn is_said_by(&self, seat: Seat) -> bool {
        matches!(&self.event, ActivityEvent::Said { from, .. } if *from == seat)
    }

    /// Whether it was told to some alone.
    pub(crate) fn is_private(&self) -> bool {
        matches!(&self.event, ActivityEvent::Said { to, .. } if !to.is_empty())
    }
}

impl GameInfo {
    /// Whether nobody is there and nothing is to be remembered.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Settles what holds for the whole game; what is usual needs no words.
    pub(crate) fn set_terms(&mut self, press: PressTerms, votes: VoteRules, undo: UndoTerm) {
        self.undo = Some(undo);
        self.press = Some(press).filter(|press| *press != PressTerms::default());
        self.votes = Some(votes).filter(|votes| *votes != VoteRules::default());
    }

    /// When the first of the open votes and offers ends.
    pub fn next_expiry(&self) -> Option<DateTime<Utc>> {
        let offers = self.seat_offers.iter().map(|offer| offer.until);
        self.open_votes.iter().map(|vote| vote.until).chain(offers).min()
    }

    /// Gives votes and a game that waits for players the time of an outage back, if theirs was over
    /// in it or is over by `until`; whether there is anything.
    pub(crate) fn refund_outage(&mut self, outage: Outage, until: DateTime<Utc>) -> bool {
        let mut any = false;
        for end in self.expiry_times_mut() {
            if outage.since < *end && *end <= until {
                *end = (*end + outage.length).max(until);
                any = true;
            }
        }
        any
    }

    /// Puts right what was reckoned while the machine's clock was ahead: nothing lasts longer from
    /// now than it does from its beginning; whether there is anything.
    pub(crate) fn correct_clock_ahead(
        &mut self,
        now: DateTime<Utc>,
        proposal_lasts: TimeDelta,
    ) -> bool {
        let vote_lasts = TimeDelta::days(self.vote_rules().days.into());
        let votes = self.open_votes.iter_mut().map(|vote| (&mut vote.until, vote_lasts));
        let proposal = self.proposal.as_mut().map(|own| (&mut own.until, proposal_lasts));
        let offers =
            self.seat_offers.iter_mut().map(|offer| (&mut offer.until, SeatOffer::OFFER_DURATION));
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
    fn expiry_times_mut(&mut self) -> impl Iterator<Item = &mut DateTime<Utc>> {
        let votes = self.open_votes.iter_mut().map(|vote| &mut vote.until);
        votes.chain(self.proposal.as_mut().map(|proposal| &mut proposal.until))
    }

    /// How votes are counted in the game.
    pub(crate) fn vote_rules(&self) -> VoteRules {
        self.votes.unwrap_or_default()
    }

    /// Notes that somebody sits here no more.
    pub(crate) fn record_former_player(&mut self, former: FormerPlayer) {
        self.former_players
            .retain(|other| (other.seat, other.member) != (former.seat, former.member));
        self.former_players.push(former);
    }

    /// Takes out what was kept for a member who comes back to this seat.
    pub(crate) fn take_saved_data(&mut self, seat: Seat, member: u32) -> Option<SavedSeatData> {
        let mut own = self.former_players.iter_mut();
        let own = own.find(|former| (former.seat, former.member) == (seat, member))?;
        own.saved.take().map(|aside| *aside)
    }

    /// Why a member cannot take this seat over by himself: nobody sees two hands of one game, and
    /// who was taken out stays out.
    ///
    /// # Errors
    /// The reason.
    pub(crate) fn check_takeover(&self, seat: Seat, member: u32) -> Result<(), Message> {
        let mut own = self.former_players.iter().filter(|former| former.member == member);
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
    pub(crate) fn describe_terms(&self) -> Vec<Message> {
        let undo = self.undo.and_then(UndoTerm::describe);
        self.press_terms().describe().into_iter().chain(undo).collect()
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
    fn game_without_undo_term_forbids_undo() {
        assert_eq!(GameInfo::default().undo_term(), UndoTerm::Off);
        let info = GameInfo { undo: Some(UndoTerm::default()), ..GameInfo::default() };
        assert_eq!(serde_json::to_string(&info).unwrap(), r#"{"undo":"1 hour"}"#);
        assert!(info.describe_terms().is_empty(), "what is usual needs no words");
    }

    #[test]
    fn private_message_is_for_sender_and_recipient() {
        let (ann, bob, cid) = (Seat::new(1), Seat::new(2), Seat::new(3));
        let said = |to: Vec<Seat>| ActivityEntry {
            at: DateTime::UNIX_EPOCH,
            event: ActivityEvent::Said {
                from: ann,
                to,
                anonymous: false,
                text: "hello".to_owned(),
                is_from_former_player: false,
            },
        };
        let readers = |entry: &ActivityEntry| [ann, bob, cid].map(|seat| entry.is_visible_to(seat));
        assert_eq!(readers(&said(vec![bob])), [true, true, false]);
        assert_eq!(readers(&said(Vec::new())), [true, true, true]);
        let what = ActivityEvent::Noted { text: "hush".to_owned() };
        assert_eq!(readers(&ActivityEntry { at: DateTime::UNIX_EPOCH, event: what }), [false; 3]);
    }

    #[test]
    fn message_comes_only_from_its_sender() {
        let (ann, bob) = (Seat::new(1), Seat::new(2));
        let text = "hello".to_owned();
        let what = ActivityEvent::Said {
            from: ann,
            to: vec![bob],
            anonymous: true,
            text,
            is_from_former_player: false,
        };
        let said = ActivityEntry { at: DateTime::UNIX_EPOCH, event: what };
        assert!(said.is_said_by(ann) && !said.is_said_by(bob));
        let begun = ActivityEntry { at: DateTime::UNIX_EPOCH, event: ActivityEvent::Begun };
        assert!(!begun.is_said_by(ann));
    }

    /// So many hours after the beginning.
    fn hour(hours: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::hours(hours)
    }

    /// A room with votes that lapse at these hours, and a proposal that lapses at the last.
    fn game_info(ends: &[i64]) -> GameInfo {
        let (by, rules) = (Seat::new(1), VoteRules::default());
        let vote = |end: &i64| {
            let vote = Vote::new(Intervention::Pause, by, &rules, DateTime::UNIX_EPOCH);
            Vote { until: hour(*end), ..vote }
        };
        let (last, votes) = ends.split_last().expect("a proposal");
        let until = serde_json::to_value(hour(*last)).expect("a form");
        let proposal = serde_json::json!({"kind": "x", "seats": 4, "players": [], "until": until});
        let proposal = serde_json::from_value(proposal).expect("it is one");
        let open_votes = votes.iter().map(vote).collect();
        GameInfo { open_votes, proposal: Some(proposal), ..GameInfo::default() }
    }

    #[test]
    fn outage_extends_votes_and_proposals() {
        let outage = Outage { since: hour(10), length: TimeDelta::hours(24) };
        let mut all = game_info(&[9, 10, 11, 40, 41, 20]);
        assert!(all.refund_outage(outage, hour(40)));
        assert_eq!(all, game_info(&[9, 10, 40, 64, 41, 44]));
        let mut none = game_info(&[9, 10, 41]);
        assert!(!none.refund_outage(outage, hour(40)));
        assert_eq!(none, game_info(&[9, 10, 41]));
    }

    #[test]
    fn clock_correction_shortens_votes_and_proposals() {
        // Votes last a week, and proposals two days here.
        let lasts = TimeDelta::days(2);
        let mut ahead = game_info(&[168, 168 + 5, 168 + 6, 5 + 48 + 1]);
        assert!(ahead.correct_clock_ahead(hour(5), lasts));
        assert_eq!(ahead, game_info(&[168, 168 + 5, 168 + 5, 5 + 48]));
        assert!(!ahead.correct_clock_ahead(hour(5), lasts), "once is enough");
    }

    #[test]
    fn saved_seat_data_is_returned_once() {
        let aside = SavedSeatData {
            news_preference: Some(crate::club::NewsPreference::All),
            ..SavedSeatData::default()
        };
        let left = |seat, member, aside: Option<&SavedSeatData>| {
            let aside = aside.cloned().map(Box::new);
            FormerPlayer { seat: Seat::new(seat), member, removed: false, saved: aside }
        };
        let mut info = GameInfo::default();
        assert!(info.is_empty());
        for former in [left(1, 7, None), left(2, 7, None), left(1, 8, None)] {
            info.record_former_player(former);
        }
        info.record_former_player(left(1, 7, Some(&aside)));
        assert!(!info.is_empty());
        let others = [left(2, 7, None), left(1, 8, None)];
        assert_eq!(info.former_players[..2], others, "others stay as they were");
        assert_eq!(info.former_players[2..], [left(1, 7, Some(&aside))]);
        assert_eq!(info.take_saved_data(Seat::new(2), 7), None);
        assert_eq!(info.take_saved_data(Seat::new(1), 7), Some(aside));
        assert_eq!(info.take_saved_data(Seat::new(1), 7), None, "it was his, and he has it");
    }
}

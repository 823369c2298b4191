//! The data about a game that is not in the game's log: observers, waiting list, former players,
//! terms, open votes, and the activity log.
//!
//! Pure. Players can count the records of a game's log, and must not learn from that which players
//! talk to each other. So this data is kept out of the log. It knows neither letters nor the store.

use super::clock::Outage;
use super::press::PressTerms;
use super::undo_term::UndoTerm;
use super::vote::{Vote, VoteRules};
use super::{GameName, Intervention, Proposal, SavedSeatData, SeatOffer};
use crate::rules::{Message, Seat};
use crate::table::Reason;
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// The data about a game that is neither in its log nor in its seats.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameInfo {
    /// The numbers of the members who observe the game, in the order in which they came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observers: Vec<u32>,
    /// The numbers of the members who wait for a free seat, in the order in which they came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "waiting")]
    pub waiting_list: Vec<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "former")]
    pub former_players: Vec<FormerPlayer>,
    /// The proposal of a game that has not begun. `None` once the game has begun or its proposal
    /// has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Box<Proposal>>,
    /// Whether only invitees may play and observe.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
    /// Whether this is a member's practice game against bots. It is private, unlisted and unrated,
    /// and undo reaches beyond the turns of bots.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub practice: bool,
    /// Whether players may ask for hints. They always may in practice games.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hints: bool,
    /// The addresses of the invitees, in canonical form.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "invited")]
    pub invited_addresses: Vec<String>,
    /// The number of the game that was proposed as a rematch of this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch: Option<u32>,
    /// The press terms that were fixed when the game was founded. `None` means the defaults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub press: Option<PressTerms>,
    /// The vote rules that were fixed when the game was founded. `None` means the defaults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub votes: Option<VoteRules>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campaign: Option<CampaignTable>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<GameName>,
    /// The undo term that was fixed when the game was founded. `None` means that undo is off,
    /// because games from before this setting must not change. In a proposed game, this is the term
    /// that its founder named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<UndoTerm>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open_votes: Vec<Vote>,
    /// The offers of seats to members who have not answered yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "offers")]
    pub seat_offers: Vec<SeatOffer>,
    /// The people whom the moderator has invited to the club by name. Only the number 0, which
    /// stands for the club itself, has any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub club_invitees: Vec<ClubInvitee>,
    /// The numbers of the members that are bots. Only the number 0, which stands for the club
    /// itself, has any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bots: Vec<u32>,
}

/// A person whom the moderator has invited to the club by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClubInvitee {
    /// The address of the invitation, in canonical form.
    pub address: String,
    pub name: String,
    /// The day of the invitation, in days since 1970.
    pub day: u32,
}

/// The time without orders after which a practice game ends.
pub(crate) const PRACTICE_SILENCE_MAX: TimeDelta = TimeDelta::days(14);

/// The place of a game in a campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignTable {
    pub name: String,
    pub round: u32,
    /// The number of the table in the round, from 1.
    pub table: u32,
}

/// A player who has left or lost a seat of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormerPlayer {
    pub seat: Seat,
    pub member: u32,
    /// Whether the moderator removed the player.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) removed: bool,
    /// The private data of a player who may come back from an absence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "aside")]
    pub saved: Option<Box<SavedSeatData>>,
}

/// An entry of the activity log, which lists talk, votes, interventions and new players of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivityEntry {
    pub at: DateTime<Utc>,
    #[serde(rename = "what")]
    pub event: ActivityEvent,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActivityEvent {
    /// A player sent a message to other players.
    Said {
        from: Seat,
        /// The seats of the recipients. Empty for a message to all.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        to: Vec<Seat>,
        /// Whether readers do not see the author's name.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        anonymous: bool,
        /// The lines of the message, separated by line feeds. There are no other control
        /// characters.
        text: String,
        /// Whether the author no longer holds the seat. Computed for each reading, and never
        /// stored.
        #[serde(skip)]
        is_from_former_player: bool,
    },
    /// The game was changed from outside its rules.
    Intervened {
        by: Actor,
        #[serde(rename = "what")]
        intervention: Intervention,
        /// The reason, which all players can read.
        #[serde(default, skip_serializing_if = "Reason::is_empty")]
        reason: Reason,
    },
    Proposed {
        by: u32,
        kind: String,
    },
    /// All seats were taken, and the game began.
    Begun,
    /// The moderator voided all reply tokens of a member.
    #[serde(rename = "marks_voided")]
    ReplyTokensVoided {
        member: u32,
        reason: String,
    },
    /// The moderator decided about a letter in quarantine. Players cannot see this entry, because
    /// they should not learn that a seat has sent a letter.
    LetterJudged {
        name: String,
        accepted: bool,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
    },
    /// The moderator wrote a note for themselves.
    Noted {
        text: String,
    },
}

/// The person or program that changed a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// The moderator, by letter or on the command line.
    Moderator,
    Member(u32),
    /// The program, by the rules that were fixed when the game was founded.
    #[serde(rename = "house")]
    Program,
}

impl ActivityEntry {
    /// Whether the player of a seat may read the entry. The player may read messages to everybody,
    /// to the seat and from it. Of the other events, only the moderator's private ones are hidden.
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
    /// Removes a seat from the recipients of a private message, because the club cannot deliver it
    /// to that seat. Returns `None` if the seat was the only recipient. Other entries are returned
    /// unchanged.
    #[must_use]
    pub(crate) fn remove_recipient(mut self, seat: Seat) -> Option<Self> {
        if let ActivityEvent::Said { from, to, .. } = &mut self.event
            && *from != seat
            && to.contains(&seat)
        {
            to.retain(|other| *other != seat);
            return (!to.is_empty()).then_some(self);
        }
        Some(self)
    }

    /// Whether the entry is a message from this seat.
    pub(crate) fn is_said_by(&self, seat: Seat) -> bool {
        matches!(&self.event, ActivityEvent::Said { from, .. } if *from == seat)
    }

    /// Whether the entry is a message to some seats only.
    pub(crate) fn is_private(&self) -> bool {
        matches!(&self.event, ActivityEvent::Said { to, .. } if !to.is_empty())
    }
}

impl GameInfo {
    /// Whether all data has its default value, so that nothing is stored.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the club's web site shows the game. This is the only place that decides it.
    pub(crate) fn is_published(&self) -> bool {
        !self.private && !self.practice
    }

    /// Fixes the terms of the game when it is founded. Press terms and vote rules are stored only
    /// if they differ from the defaults.
    pub(crate) fn set_terms(&mut self, press: PressTerms, votes: VoteRules, undo: UndoTerm) {
        self.undo = Some(undo);
        self.press = Some(press).filter(|press| *press != PressTerms::default());
        self.votes = Some(votes).filter(|votes| *votes != VoteRules::default());
    }

    /// Returns when the next open vote or seat offer expires.
    pub fn next_vote_or_offer_expiry(&self) -> Option<DateTime<Utc>> {
        let offers = self.seat_offers.iter().map(|offer| offer.until);
        self.open_votes.iter().map(|vote| vote.until).chain(offers).min()
    }

    /// Extends open votes and the proposal that expired during an outage or expire by `until`. Each
    /// gets the length of the outage, and lasts until `until` at least. Returns `true` if there is
    /// one.
    pub(crate) fn extend_expiry_for_outage(
        &mut self,
        outage: Outage,
        until: DateTime<Utc>,
    ) -> bool {
        let mut any = false;
        for end in self.expiry_times_mut() {
            if outage.since < *end && *end <= until {
                *end = (*end + outage.length).max(until);
                any = true;
            }
        }
        any
    }

    /// Corrects expiry times that were computed while the machine's clock was ahead. Nothing
    /// expires later than if it began now. Returns `true` if anything changed.
    pub(crate) fn correct_expiry_set_ahead(
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

    fn expiry_times_mut(&mut self) -> impl Iterator<Item = &mut DateTime<Utc>> {
        let votes = self.open_votes.iter_mut().map(|vote| &mut vote.until);
        votes.chain(self.proposal.as_mut().map(|proposal| &mut proposal.until))
    }

    pub(crate) fn vote_rules(&self) -> VoteRules {
        self.votes.unwrap_or_default()
    }

    /// Adds a former player. Replaces an older entry of the same member and seat.
    pub(crate) fn record_former_player(&mut self, former: FormerPlayer) {
        self.former_players
            .retain(|other| (other.seat, other.member) != (former.seat, former.member));
        self.former_players.push(former);
    }

    /// Takes out the saved private data of a member who comes back to this seat.
    pub(crate) fn take_saved_data(&mut self, seat: Seat, member: u32) -> Option<SavedSeatData> {
        let mut own = self.former_players.iter_mut();
        let own = own.find(|former| (former.seat, former.member) == (seat, member))?;
        own.saved.take().map(|aside| *aside)
    }

    /// Checks whether a member may take over a seat. A player whom the moderator removed may not. A
    /// former player of another seat may not either, because a player may not know the secrets of
    /// two seats.
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

    pub fn undo_term(&self) -> UndoTerm {
        self.undo.unwrap_or(UndoTerm::Off)
    }

    /// Returns the messages about the game's terms. Default terms are not mentioned.
    pub(crate) fn describe_terms(&self) -> Vec<Message> {
        if self.practice {
            return vec![Message::new("practice-terms")];
        }
        let undo = self.undo.and_then(UndoTerm::describe);
        let hints = self.hints.then(|| Message::new("hint-terms"));
        self.press_terms().describe().into_iter().chain(undo).chain(hints).collect()
    }

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

    fn hour(hours: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::hours(hours)
    }

    /// Returns a game with votes that expire at these hours, and a proposal that expires at the
    /// last of them.
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
        assert!(all.extend_expiry_for_outage(outage, hour(40)));
        assert_eq!(all, game_info(&[9, 10, 40, 64, 41, 44]));
        let mut none = game_info(&[9, 10, 41]);
        assert!(!none.extend_expiry_for_outage(outage, hour(40)));
        assert_eq!(none, game_info(&[9, 10, 41]));
    }

    #[test]
    fn clock_correction_shortens_votes_and_proposals() {
        // Votes last a week, and this test's proposals two days.
        let lasts = TimeDelta::days(2);
        let mut ahead = game_info(&[168, 168 + 5, 168 + 6, 5 + 48 + 1]);
        assert!(ahead.correct_expiry_set_ahead(hour(5), lasts));
        assert_eq!(ahead, game_info(&[168, 168 + 5, 168 + 5, 5 + 48]));
        assert!(!ahead.correct_expiry_set_ahead(hour(5), lasts), "once is enough");
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

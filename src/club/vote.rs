//! Votes of a game's players on decisions that otherwise only the moderator makes: more time, a
//! pause, a rewind, an early end.
//!
//! Pure. It knows no game and no letter. The unreachable players are passed in as an argument.

use super::Intervention;
use crate::rules::{Message, Seat};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// The section `votes` of `club.yaml`: how long votes stay open, and the quorum for each topic. By
/// default, `rewind` and `abandon` need all players, and other topics a majority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct VoteRules {
    /// The number of days after which an open vote expires. Default: 7.
    pub(crate) days: u32,
    pub(crate) extend: Quorum,
    pub(crate) pause: Quorum,
    pub(crate) resume: Quorum,
    pub(crate) rewind: Quorum,
    pub(crate) abandon: Quorum,
}

/// The players who must agree before a vote passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Quorum {
    /// More than half of the players must agree. Unreachable players count only if they have voted.
    Majority,
    /// All players must agree, even the unreachable ones.
    All,
    /// Players cannot vote on the topic.
    None,
}

impl Default for VoteRules {
    fn default() -> Self {
        Self {
            days: 7,
            extend: Quorum::Majority,
            pause: Quorum::Majority,
            resume: Quorum::Majority,
            rewind: Quorum::All,
            abandon: Quorum::All,
        }
    }
}

impl VoteRules {
    pub(crate) const DAYS_MAX: u32 = 60;

    /// Returns the quorum for a vote on an intervention.
    pub(crate) const fn quorum_for(&self, what: &Intervention) -> Quorum {
        match what.vote_topic() {
            Some(VoteTopic::Extend) => self.extend,
            Some(VoteTopic::Pause) => self.pause,
            Some(VoteTopic::Resume) => self.resume,
            Some(VoteTopic::Rewind) => self.rewind,
            Some(VoteTopic::Abandon) => self.abandon,
            None => Quorum::None,
        }
    }
}

/// The topic of a vote: the intervention without its values. A game has at most one open vote per
/// topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoteTopic {
    Extend,
    Pause,
    Resume,
    Rewind,
    Abandon,
}

impl VoteTopic {
    fn parse(word: &str) -> Option<Self> {
        let all = [Self::Extend, Self::Pause, Self::Resume, Self::Rewind, Self::Abandon];
        all.into_iter().find(|matter| matter.keyword() == word)
    }

    /// Returns the word for this topic of a vote in lines of letters, such as `extend`.
    pub(crate) const fn keyword(self) -> &'static str {
        match self {
            Self::Extend => "extend",
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Rewind => "rewind",
            Self::Abandon => "abandon",
        }
    }
}

impl Intervention {
    /// Returns the topic of a vote on this intervention. `None` if players cannot vote on it.
    pub(crate) const fn vote_topic(&self) -> Option<VoteTopic> {
        match self {
            Self::Extend(_) => Some(VoteTopic::Extend),
            Self::Pause => Some(VoteTopic::Pause),
            Self::Resume => Some(VoteTopic::Resume),
            Self::Rewind(_) => Some(VoteTopic::Rewind),
            Self::End => Some(VoteTopic::Abandon),
            _ => None,
        }
    }
}

/// A line of a letter about a vote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ballot {
    /// Proposes an intervention, or agrees to it if a vote on it is open.
    For(Intervention),
    /// Votes against an open vote: `vote no`, or `vote no rewind` if several votes are open.
    Against(Option<VoteTopic>),
}

impl Ballot {
    /// Parses a line in plain characters. `None` if the line does not begin with `vote`.
    ///
    /// `vote rewind` takes the game back to record `back`. Without `back` it names record 0, to
    /// which no game can be taken back.
    pub fn parse(line: &str, back: Option<u32>) -> Option<Result<Self, Message>> {
        let line = line.trim().trim_end_matches(['.', '!']).to_lowercase();
        let mut words = line.split(|c: char| c.is_whitespace() || c == ':' || c == ',');
        if words.next() != Some("vote") {
            return None;
        }
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let read = match words.as_slice() {
            ["no"] => Some(Self::Against(None)),
            ["no", matter] => VoteTopic::parse(matter).map(|matter| Self::Against(Some(matter))),
            ["rewind"] => Some(Self::For(Intervention::Rewind(back.unwrap_or(0)))),
            ["abandon"] => Some(Self::For(Intervention::End)),
            [verb, rest @ ..] if VoteTopic::parse(verb).is_some() => {
                Intervention::parse(verb, rest).ok().flatten().map(Self::For)
            }
            _ => None,
        };
        Some(read.ok_or(Message::new("vote-how")))
    }
}

/// The open vote that a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BallotTarget {
    /// The line is about the open vote at this index.
    Open(usize),
    /// No open vote matches the line, but the vote at this index has the same topic.
    SameTopic(usize),
    /// The line matches several open votes.
    Ambiguous,
    /// The line matches no open vote.
    None,
}

impl Ballot {
    pub(crate) fn find_target(&self, open: &[Vote]) -> BallotTarget {
        match self {
            Self::For(what) => {
                let place = |is: &dyn Fn(&Vote) -> bool| open.iter().position(is);
                let same = place(&|vote| vote.intervention == *what).map(BallotTarget::Open);
                let alike = || place(&|vote| vote.intervention.vote_topic() == what.vote_topic());
                same.or_else(|| alike().map(BallotTarget::SameTopic)).unwrap_or(BallotTarget::None)
            }
            Self::Against(matter) => {
                let refused =
                    |vote: &Vote| matter.is_none() || vote.intervention.vote_topic() == *matter;
                let mut places = (0..).zip(open).filter(|(_, vote)| refused(vote));
                match (places.next(), places.next()) {
                    (Some((at, _)), None) => BallotTarget::Open(at),
                    (Some(_), Some(_)) => BallotTarget::Ambiguous,
                    (None, _) => BallotTarget::None,
                }
            }
        }
    }
}

/// The number of votes that a seat can open in a game within a day.
pub(crate) const VOTE_PROPOSALS_PER_DAY: usize = 3;

/// An open vote of a game's players on an intervention.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    #[serde(rename = "what")]
    pub intervention: Intervention,
    /// The quorum at the time when the vote was opened.
    pub(crate) quorum: Quorum,
    pub(crate) by: Seat,
    pub(crate) until: DateTime<Utc>,
    /// The seats that have agreed, including the one that opened the vote.
    pub(crate) yes: Vec<Seat>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) no: Vec<Seat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoteState {
    /// The vote is open. This many more seats must agree before it passes.
    Open(usize),
    Passed,
    /// The vote can no longer pass.
    Failed,
}

impl Vote {
    pub(crate) fn new(what: Intervention, by: Seat, rules: &VoteRules, now: DateTime<Utc>) -> Self {
        let until = now + TimeDelta::days(rules.days.into());
        Self {
            quorum: rules.quorum_for(&what),
            intervention: what,
            by,
            until,
            yes: vec![by],
            no: Vec::new(),
        }
    }

    /// Returns the line with which a player proposes this vote, or agrees to it.
    pub(crate) fn yes_line(&self) -> String {
        match &self.intervention {
            Intervention::Extend(by) => format!("vote extend {by}"),
            Intervention::Rewind(to) => format!("vote rewind to {to}"),
            what => {
                format!("vote {}", what.vote_topic().map(VoteTopic::keyword).unwrap_or_default())
            }
        }
    }

    /// Returns the line with which a player votes against this vote. `among_others` says whether
    /// other votes are open, so that the line must name the topic.
    pub(crate) fn no_line(&self, among_others: bool) -> String {
        match self.intervention.vote_topic() {
            Some(matter) if among_others => format!("vote no {}", matter.keyword()),
            _ => "vote no".to_owned(),
        }
    }

    /// Records a seat's answer to this vote, yes or no. It replaces the seat's earlier answer.
    pub(crate) fn record_answer(&mut self, seat: Seat, agrees: bool) {
        self.yes.retain(|other| *other != seat);
        self.no.retain(|other| *other != seat);
        let answers = if agrees { &mut self.yes } else { &mut self.no };
        answers.push(seat);
        answers.sort_unstable();
    }

    /// Returns the state of the vote among the `seated` players. The players in `lost` are
    /// unreachable.
    ///
    /// For a majority, unreachable players count only if they have voted. If all must agree, they
    /// always count. The vote also fails if the seat that opened it votes no.
    pub fn state(&self, seated: &[Seat], unreachable: &[Seat]) -> VoteState {
        let silent = |seat: &&Seat| !self.yes.contains(seat) && !self.no.contains(seat);
        let counted =
            seated.iter().filter(|seat| !(unreachable.contains(seat) && silent(seat))).count();
        let (needed, most) = match self.quorum {
            Quorum::Majority => (counted / 2 + 1, counted),
            Quorum::All | Quorum::None => (seated.len(), seated.len()),
        };
        if self.no.contains(&self.by) || most - self.no.len().min(most) < needed {
            VoteState::Failed
        } else if self.yes.len() >= needed {
            VoteState::Passed
        } else {
            VoteState::Open(needed - self.yes.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::clock::Length;
    use super::*;

    fn open_vote(what: Intervention) -> Vote {
        Vote::new(what, Seat::new(1), &VoteRules::default(), DateTime::UNIX_EPOCH)
    }

    #[test]
    fn vote_lines_are_parsed_strictly() {
        let read =
            |line: &str| Ballot::parse(line, Some(4)).map(|vote| vote.map_err(|wrong| wrong.key));
        let votes = |what| Some(Ok(Ballot::For(what)));
        assert_eq!(read("Vote extend 3 days."), votes(Intervention::Extend(Length::Days(3))));
        assert_eq!(read("vote extend by 3d"), votes(Intervention::Extend(Length::Days(3))));
        assert_eq!(read("vote: rewind to 5"), votes(Intervention::Rewind(5)));
        assert_eq!(read("vote rewind"), votes(Intervention::Rewind(4)));
        assert_eq!(read("VOTE NO!"), Some(Ok(Ballot::Against(None))));
        assert_eq!(read("vote no: rewind"), Some(Ok(Ballot::Against(Some(VoteTopic::Rewind)))));
        for wrong in ["no thanks", "yes", "extend", "end", "force seat 2", "abandon it"] {
            assert_eq!(read(&format!("vote {wrong}")), Some(Err("vote-how")), "{wrong}");
        }
        assert_eq!(read("votes are fun"), None);
        for what in [
            Intervention::Extend(Length::Minutes(90)),
            Intervention::Rewind(7),
            Intervention::Pause,
            Intervention::End,
        ] {
            assert_eq!(read(&open_vote(what.clone()).yes_line()), votes(what));
        }
    }

    #[test]
    fn ballot_matches_named_or_only_open_vote() {
        let votes =
            [open_vote(Intervention::Extend(Length::Days(2))), open_vote(Intervention::Pause)];
        let meant = |line: &str, open: &[Vote]| {
            Ballot::parse(line, None).expect("a vote").expect("it is right").find_target(open)
        };
        assert_eq!(meant("vote pause", &votes), BallotTarget::Open(1));
        assert_eq!(meant("vote extend 2 days", &votes), BallotTarget::Open(0));
        assert_eq!(meant("vote extend 3 days", &votes), BallotTarget::SameTopic(0));
        assert_eq!(meant("vote abandon", &votes), BallotTarget::None);
        assert_eq!(meant("vote no", &votes), BallotTarget::Ambiguous);
        assert_eq!(meant("vote no pause", &votes), BallotTarget::Open(1));
        assert_eq!(meant("vote no rewind", &votes), BallotTarget::None);
        assert_eq!(meant("vote no", &votes[1..]), BallotTarget::Open(0));
        assert_eq!(meant("vote no", &[]), BallotTarget::None);
    }

    fn vote_state(quorum: Quorum, seats: u8, yes: &[u8], no: &[u8], lost: &[u8]) -> VoteState {
        let of = |seats: &[u8]| seats.iter().map(|seat| Seat::new(*seat)).collect::<Vec<_>>();
        let rules = VoteRules { pause: quorum, ..VoteRules::default() };
        let mut vote = Vote::new(Intervention::Pause, Seat::new(1), &rules, DateTime::UNIX_EPOCH);
        of(yes).into_iter().for_each(|seat| vote.record_answer(seat, true));
        of(no).into_iter().for_each(|seat| vote.record_answer(seat, false));
        vote.state(&Seat::all(seats).collect::<Vec<_>>(), &of(lost))
    }

    #[test]
    fn majority_is_over_half_of_reachable_voters() {
        let majority = |seats, yes: &[u8], no: &[u8], lost: &[u8]| {
            vote_state(Quorum::Majority, seats, yes, no, lost)
        };
        assert_eq!(majority(3, &[], &[], &[]), VoteState::Open(1));
        assert_eq!(majority(3, &[2], &[3], &[]), VoteState::Passed);
        assert_eq!(majority(3, &[], &[2, 3], &[]), VoteState::Failed);
        assert_eq!(majority(4, &[2], &[], &[]), VoteState::Open(1), "half is no majority");
        assert_eq!(majority(4, &[], &[2, 3], &[]), VoteState::Failed);
        assert_eq!(majority(4, &[2], &[], &[4]), VoteState::Passed);
        assert_eq!(majority(2, &[], &[], &[2]), VoteState::Passed);
        assert_eq!(majority(2, &[], &[2], &[2]), VoteState::Failed, "who answers counts");
    }

    #[test]
    fn unanimity_needs_all_and_proposer_may_withdraw() {
        assert_eq!(vote_state(Quorum::All, 3, &[2], &[], &[3]), VoteState::Open(1));
        assert_eq!(vote_state(Quorum::All, 3, &[2, 3], &[], &[]), VoteState::Passed);
        assert_eq!(vote_state(Quorum::All, 3, &[2], &[3], &[]), VoteState::Failed);
        assert_eq!(vote_state(Quorum::Majority, 5, &[2], &[1], &[]), VoteState::Failed);
    }

    #[test]
    fn last_answer_replaces_earlier_ones() {
        let mut vote = open_vote(Intervention::Pause);
        let [one, two] = [1, 2].map(Seat::new);
        for (seat, agrees, yes, no) in [
            (two, false, vec![one], vec![two]),
            (two, true, vec![one, two], vec![]),
            (two, true, vec![one, two], vec![]),
            (two, false, vec![one], vec![two]),
            (one, false, vec![], vec![one, two]),
            (one, true, vec![one], vec![two]),
        ] {
            vote.record_answer(seat, agrees);
            assert_eq!((&vote.yes, &vote.no), (&yes, &no), "{seat} {agrees}");
        }
    }

    #[test]
    fn unreachable_voter_who_answered_counts() {
        let majority = |yes: &[u8], no: &[u8]| vote_state(Quorum::Majority, 4, yes, no, &[2]);
        assert_eq!(majority(&[2], &[]), VoteState::Open(1), "two of four");
        assert_eq!(majority(&[], &[2]), VoteState::Open(2));
        assert_eq!(majority(&[3], &[]), VoteState::Passed, "two of the three others");
    }
}

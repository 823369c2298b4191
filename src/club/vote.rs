//! Votes of a game's players on what is otherwise the moderator's: more time, a pause, a turn taken
//! back, an end.
//!
//! Pure. Knows no game and no letter; who can be reached comes in as an argument.

use super::clock::Length;
use crate::rules::{Message, Seat};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How votes are counted in a club.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct VoteRules {
    /// After how many days a vote lapses.
    pub days: u32,
    /// Who must agree that the deadline is put off.
    pub extend: Quorum,
    /// That the clock stands still.
    pub pause: Quorum,
    /// That it runs again.
    pub resume: Quorum,
    /// That the game is taken back.
    pub rewind: Quorum,
    /// That the game ends as it stands.
    pub abandon: Quorum,
}

/// Who must agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quorum {
    /// More than half of those who can be reached.
    Majority,
    /// Everyone.
    All,
    /// There is no such vote.
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
    /// The most days that a vote may stay open.
    pub const DAYS_MAX: u32 = 60;

    /// Who must agree to this.
    pub const fn quorum(&self, proposal: Proposal) -> Quorum {
        match proposal {
            Proposal::Extend(_) => self.extend,
            Proposal::Pause => self.pause,
            Proposal::Resume => self.resume,
            Proposal::Rewind(_) => self.rewind,
            Proposal::Abandon => self.abandon,
        }
    }
}

/// What is voted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proposal {
    /// Everyone who is waited for gets so much more time.
    Extend(Length),
    /// The clock stands still.
    Pause,
    /// It runs again.
    Resume,
    /// The game is taken back to where it was after this record.
    Rewind(u32),
    /// The game ends as it stands.
    Abandon,
}

/// As it is written in a letter.
impl fmt::Display for Proposal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Extend(by) => write!(f, "vote extend {by}"),
            Self::Pause => f.write_str("vote pause"),
            Self::Resume => f.write_str("vote resume"),
            Self::Rewind(to) => write!(f, "vote rewind to {to}"),
            Self::Abandon => f.write_str("vote abandon"),
        }
    }
}

/// What a vote is about. No more than one is open of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matter {
    /// How long everyone has.
    Extend,
    /// Whether the clock stops.
    Pause,
    /// Whether it goes on.
    Resume,
    /// Whether the game is taken back.
    Rewind,
    /// Whether it ends.
    Abandon,
}

impl Matter {
    fn read(word: &str) -> Option<Self> {
        let all = [Self::Extend, Self::Pause, Self::Resume, Self::Rewind, Self::Abandon];
        all.into_iter().find(|matter| matter.word() == word)
    }

    /// As it is written in a letter.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Extend => "extend",
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Rewind => "rewind",
            Self::Abandon => "abandon",
        }
    }
}

impl Proposal {
    /// What it is about.
    pub const fn matter(self) -> Matter {
        match self {
            Self::Extend(_) => Matter::Extend,
            Self::Pause => Matter::Pause,
            Self::Resume => Matter::Resume,
            Self::Rewind(_) => Matter::Rewind,
            Self::Abandon => Matter::Abandon,
        }
    }
}

/// A line of a letter about a vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoteLine {
    /// `vote extend 3 days`.
    Extend(Length),
    /// `vote pause`.
    Pause,
    /// `vote resume`.
    Resume,
    /// `vote rewind`, `vote rewind to 12`: without a number one turn back.
    Rewind(Option<u32>),
    /// `vote abandon`.
    Abandon,
    /// `vote no`, `vote no rewind`.
    No(Option<Matter>),
}

impl VoteLine {
    /// The vote that a folded line is; none when it is about no vote.
    pub fn read(line: &str) -> Option<Result<Self, Message>> {
        let line = line.trim().trim_end_matches(['.', '!']).to_lowercase();
        let mut words = line.split(|c: char| c.is_whitespace() || c == ':' || c == ',');
        if words.next() != Some("vote") {
            return None;
        }
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let how = || Message::new("vote-how");
        Some(match words.as_slice() {
            ["extend", "by", length @ ..] | ["extend", length @ ..] if !length.is_empty() => {
                Length::read(&length.join(" ")).map(Self::Extend).map_err(|_| how())
            }
            ["pause"] => Ok(Self::Pause),
            ["resume"] => Ok(Self::Resume),
            ["rewind"] => Ok(Self::Rewind(None)),
            ["rewind", "to", to] | ["rewind", to] => {
                to.parse().map(|to| Self::Rewind(Some(to))).map_err(|_| how())
            }
            ["abandon"] => Ok(Self::Abandon),
            ["no"] => Ok(Self::No(None)),
            ["no", matter] => {
                Matter::read(matter).map(|matter| Self::No(Some(matter))).ok_or_else(how)
            }
            _ => Err(how()),
        })
    }

    /// The same with the record that it means named: one turn back is to this one.
    #[must_use]
    pub fn exact(self, one_turn: Option<u32>) -> Self {
        match self {
            Self::Rewind(to) => Self::Rewind(to.or(one_turn)),
            other => other,
        }
    }

    /// What it proposes, or agrees to when that is proposed already; none when it refuses. Without
    /// the record that it means, it is to record 0, which no game can be taken back to.
    pub fn proposal(self) -> Option<Proposal> {
        match self {
            Self::Extend(by) => Some(Proposal::Extend(by)),
            Self::Pause => Some(Proposal::Pause),
            Self::Resume => Some(Proposal::Resume),
            Self::Rewind(to) => Some(Proposal::Rewind(to.unwrap_or(0))),
            Self::Abandon => Some(Proposal::Abandon),
            Self::No(_) => None,
        }
    }
}

/// Which of the open votes a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meant {
    /// The one in this place.
    Open(usize),
    /// None, and the one in this place is about the same matter.
    Other(usize),
    /// Any of several.
    Several,
    /// None.
    None,
}

impl VoteLine {
    /// Which of these open votes it is about.
    pub fn meant(self, open: &[Vote]) -> Meant {
        let Some(what) = self.proposal() else {
            let Self::No(matter) = self else { return Meant::None };
            let refused = |vote: &Vote| matter.is_none_or(|matter| vote.what.matter() == matter);
            let mut places = (0..).zip(open).filter(|(_, vote)| refused(vote));
            return match (places.next(), places.next()) {
                (Some((at, _)), None) => Meant::Open(at),
                (Some(_), Some(_)) => Meant::Several,
                (None, _) => Meant::None,
            };
        };
        let place = |is: &dyn Fn(Proposal) -> bool| open.iter().position(|vote| is(vote.what));
        let same = place(&|other| other == what).map(Meant::Open);
        let alike = || place(&|other| other.matter() == what.matter()).map(Meant::Other);
        same.or_else(alike).unwrap_or(Meant::None)
    }
}

/// How many proposals a seat can make in a game within a day.
pub const PROPOSALS_A_DAY: usize = 3;

/// A vote that is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    /// What is voted on.
    pub what: Proposal,
    /// Who must agree.
    pub quorum: Quorum,
    /// Who proposed it.
    pub by: Seat,
    /// When it lapses.
    pub until: DateTime<Utc>,
    /// Who agrees, the proposer among them.
    pub yes: Vec<Seat>,
    /// Who refuses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub no: Vec<Seat>,
}

/// How a vote stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tally {
    /// So many more must agree.
    Open(usize),
    /// It has carried.
    Carried,
    /// It cannot carry any more.
    Failed,
}

impl Vote {
    /// A vote that a seat opens.
    pub fn open(what: Proposal, by: Seat, rules: &VoteRules, now: DateTime<Utc>) -> Self {
        let until = now + TimeDelta::days(rules.days.into());
        Self { what, quorum: rules.quorum(what), by, until, yes: vec![by], no: Vec::new() }
    }

    /// Takes a seat's answer in place of the one that it gave before.
    pub fn answer(&mut self, seat: Seat, agrees: bool) {
        self.yes.retain(|other| *other != seat);
        self.no.retain(|other| *other != seat);
        let answers = if agrees { &mut self.yes } else { &mut self.no };
        answers.push(seat);
        answers.sort_unstable();
    }

    /// How it stands among those who sit at the game, of whom some are lost: they cannot be
    /// expected to answer. They count for a majority only when they have; where all must agree they
    /// count in any case.
    pub fn tally(&self, seated: &[Seat], lost: &[Seat]) -> Tally {
        let silent = |seat: &&Seat| !self.yes.contains(seat) && !self.no.contains(seat);
        let counted = seated.iter().filter(|seat| !(lost.contains(seat) && silent(seat))).count();
        let (needed, most) = match self.quorum {
            Quorum::Majority => (counted / 2 + 1, counted),
            Quorum::All | Quorum::None => (seated.len(), seated.len()),
        };
        if self.no.contains(&self.by) || most - self.no.len().min(most) < needed {
            Tally::Failed
        } else if self.yes.len() >= needed {
            Tally::Carried
        } else {
            Tally::Open(needed - self.yes.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_vote_only_when_it_says_so() {
        let read = |line| VoteLine::read(line).map(|vote| vote.map_err(|wrong| wrong.key));
        assert_eq!(read("Vote extend 3 days."), Some(Ok(VoteLine::Extend(Length::Days(3)))));
        assert_eq!(read("vote extend by 3d"), Some(Ok(VoteLine::Extend(Length::Days(3)))));
        assert_eq!(read("vote: rewind to 4"), Some(Ok(VoteLine::Rewind(Some(4)))));
        assert_eq!(read("vote rewind"), Some(Ok(VoteLine::Rewind(None))));
        assert_eq!(read("VOTE NO!"), Some(Ok(VoteLine::No(None))));
        assert_eq!(read("vote no: rewind"), Some(Ok(VoteLine::No(Some(Matter::Rewind)))));
        assert_eq!(read("vote no thanks"), Some(Err("vote-how")));
        assert_eq!(read("vote yes"), Some(Err("vote-how")), "to what?");
        assert_eq!(read("vote extend"), Some(Err("vote-how")));
        assert_eq!(read("votes are fun"), None);
        for what in [Proposal::Extend(Length::Minutes(90)), Proposal::Rewind(7), Proposal::Pause] {
            let again = VoteLine::read(&what.to_string()).expect("a vote").expect("it is right");
            assert_eq!(again.exact(Some(1)).proposal(), Some(what));
        }
        assert_eq!(VoteLine::Rewind(None).exact(Some(4)).proposal(), Some(Proposal::Rewind(4)));
    }

    #[test]
    fn a_line_means_the_vote_that_it_names_and_a_plain_no_the_only_one() {
        let rules = VoteRules::default();
        let open = |what| Vote::open(what, Seat::new(1), &rules, DateTime::UNIX_EPOCH);
        let votes = [open(Proposal::Extend(Length::Days(2))), open(Proposal::Pause)];
        let meant = |line: &str, open: &[Vote]| {
            VoteLine::read(line).expect("a vote").expect("it is right").meant(open)
        };
        assert_eq!(meant("vote pause", &votes), Meant::Open(1));
        assert_eq!(meant("vote extend 2 days", &votes), Meant::Open(0));
        assert_eq!(meant("vote extend 3 days", &votes), Meant::Other(0));
        assert_eq!(meant("vote abandon", &votes), Meant::None);
        assert_eq!(meant("vote no", &votes), Meant::Several);
        assert_eq!(meant("vote no pause", &votes), Meant::Open(1));
        assert_eq!(meant("vote no rewind", &votes), Meant::None);
        assert_eq!(meant("vote no", &votes[1..]), Meant::Open(0));
        assert_eq!(meant("vote no", &[]), Meant::None);
    }

    fn tally(quorum: Quorum, seats: u8, yes: &[u8], no: &[u8], lost: &[u8]) -> Tally {
        let of = |seats: &[u8]| seats.iter().map(|seat| Seat::new(*seat)).collect::<Vec<_>>();
        let rules = VoteRules { pause: quorum, ..VoteRules::default() };
        let mut vote = Vote::open(Proposal::Pause, Seat::new(1), &rules, DateTime::UNIX_EPOCH);
        of(yes).into_iter().for_each(|seat| vote.answer(seat, true));
        of(no).into_iter().for_each(|seat| vote.answer(seat, false));
        vote.tally(&Seat::all(seats).collect::<Vec<_>>(), &of(lost))
    }

    #[test]
    fn a_majority_is_more_than_half_of_those_who_can_be_reached() {
        let majority = |seats, yes: &[u8], no: &[u8], lost: &[u8]| {
            tally(Quorum::Majority, seats, yes, no, lost)
        };
        assert_eq!(majority(3, &[], &[], &[]), Tally::Open(1));
        assert_eq!(majority(3, &[2], &[3], &[]), Tally::Carried);
        assert_eq!(majority(3, &[], &[2, 3], &[]), Tally::Failed);
        assert_eq!(majority(4, &[2], &[], &[]), Tally::Open(1), "half is no majority");
        assert_eq!(majority(4, &[], &[2, 3], &[]), Tally::Failed);
        assert_eq!(majority(4, &[2], &[], &[4]), Tally::Carried);
        assert_eq!(majority(2, &[], &[], &[2]), Tally::Carried);
        assert_eq!(majority(2, &[], &[2], &[2]), Tally::Failed, "who answers counts");
    }

    #[test]
    fn all_are_all_and_who_proposed_can_take_it_back() {
        assert_eq!(tally(Quorum::All, 3, &[2], &[], &[3]), Tally::Open(1));
        assert_eq!(tally(Quorum::All, 3, &[2, 3], &[], &[]), Tally::Carried);
        assert_eq!(tally(Quorum::All, 3, &[2], &[3], &[]), Tally::Failed);
        assert_eq!(tally(Quorum::Majority, 5, &[2], &[1], &[]), Tally::Failed);
    }
}

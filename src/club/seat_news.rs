//! News at the top of a seat's next letter. It does not cause a letter by itself.
//!
//! Pure. It is stored as data, and becomes words only when the letter is composed.

use super::Intervention;
use super::vote::Vote;
use crate::rules::Seat;
use serde::{Deserialize, Serialize};

/// The most news that is stored for a seat's next letter. Older news is dropped.
const NEWS_MAX: usize = 20;

/// A piece of news for a seat's next letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatNews {
    /// A vote was opened, and the seat has not voted.
    #[serde(rename = "asked")]
    VoteOpened {
        /// The vote as it was proposed.
        vote: Vote,
        /// Whether other votes are open, so that a plain "no" would be ambiguous.
        among_others: bool,
    },
    #[serde(rename = "fell")]
    VoteFailed {
        #[serde(rename = "what")]
        intervention: Intervention,
        /// The seats that had agreed.
        yes: Vec<Seat>,
        /// The seats that had voted no.
        no: Vec<Seat>,
    },
}

impl SeatNews {
    pub(crate) const fn voted_intervention(&self) -> &Intervention {
        match self {
            Self::VoteOpened { vote, .. } => &vote.intervention,
            Self::VoteFailed { intervention: what, .. } => what,
        }
    }

    const fn is_vote_question(&self) -> bool {
        matches!(self, Self::VoteOpened { .. })
    }

    /// Adds this news for the next letter. Replaces older news of the same kind about the same
    /// intervention.
    pub(crate) fn add_and_replace_older(self, others: &mut Vec<Self>) {
        others.retain(|other| {
            other.is_vote_question() != self.is_vote_question()
                || other.voted_intervention() != self.voted_intervention()
        });
        others.push(self);
        let surplus = others.len().saturating_sub(NEWS_MAX);
        others.drain(..surplus);
    }

    /// Removes the question about a vote. Returns `true` if the news still contained it.
    pub(crate) fn withdraw_vote_question(others: &mut Vec<Self>, what: &Intervention) -> bool {
        let before = others.len();
        others.retain(|other| !(other.is_vote_question() && other.voted_intervention() == what));
        others.len() < before
    }
}

#[cfg(test)]
mod tests {
    use super::super::vote::VoteRules;
    use super::*;
    use chrono::DateTime;

    #[test]
    fn newer_news_replaces_older_on_same_vote() {
        let asked = |what| {
            let vote = Vote::new(what, Seat::new(1), &VoteRules::default(), DateTime::UNIX_EPOCH);
            SeatNews::VoteOpened { vote, among_others: false }
        };
        let fell = |what, no| SeatNews::VoteFailed {
            intervention: what,
            yes: Vec::new(),
            no: vec![Seat::new(no)],
        };
        let mut news = Vec::new();
        for one in [
            fell(Intervention::Pause, 1),
            asked(Intervention::Pause),
            fell(Intervention::End, 2),
            fell(Intervention::Pause, 3),
            asked(Intervention::Pause),
        ] {
            one.add_and_replace_older(&mut news);
        }
        let told =
            [fell(Intervention::End, 2), fell(Intervention::Pause, 3), asked(Intervention::Pause)];
        assert_eq!(news, told);
        assert!(
            !SeatNews::withdraw_vote_question(&mut news, &Intervention::End),
            "it is not asked for that"
        );
        assert!(SeatNews::withdraw_vote_question(&mut news, &Intervention::Pause));
        assert_eq!(news, told[..2]);
        (0..100).for_each(|to| fell(Intervention::Rewind(to), 1).add_and_replace_older(&mut news));
        assert_eq!(news.len(), NEWS_MAX);
        let json = serde_json::to_string(&told).unwrap();
        assert_eq!(serde_json::from_str::<Vec<SeatNews>>(&json).unwrap(), told);
    }
}

//! What a seat reads at the head of its next letter, whenever that comes: news for which alone no
//! letter is written.
//!
//! Pure. It is kept as what happened, and put into words only when it is told.

use super::Intervention;
use super::vote::Vote;
use crate::rules::Seat;
use serde::{Deserialize, Serialize};

/// The most that waits for a seat's next letter; what is older than that matters to nobody.
const NEWS_MAX: usize = 20;

/// Something that a seat is told by its next letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatNews {
    /// A vote waits for its answer.
    #[serde(rename = "asked")]
    VoteOpened {
        /// As it was proposed.
        vote: Vote,
        /// Whether others are open besides, so that a plain "no" could mean any of them.
        among_others: bool,
    },
    /// A vote has come to nothing.
    #[serde(rename = "fell")]
    VoteFailed {
        /// What was voted on.
        #[serde(rename = "what")]
        intervention: Intervention,
        /// Who had agreed.
        yes: Vec<Seat>,
        /// Who had refused.
        no: Vec<Seat>,
    },
}

impl SeatNews {
    /// What it is about.
    pub(crate) const fn intervention(&self) -> &Intervention {
        match self {
            Self::VoteOpened { vote, .. } => &vote.intervention,
            Self::VoteFailed { intervention: what, .. } => what,
        }
    }

    const fn is_vote_question(&self) -> bool {
        matches!(self, Self::VoteOpened { .. })
    }

    /// Puts this among what waits for a letter, in place of older news of the same.
    pub(crate) fn add_to(self, others: &mut Vec<Self>) {
        others.retain(|other| {
            other.is_vote_question() != self.is_vote_question()
                || other.intervention() != self.intervention()
        });
        others.push(self);
        let surplus = others.len().saturating_sub(NEWS_MAX);
        others.drain(..surplus);
    }

    /// Takes back that a seat is asked; whether it was still to be told.
    pub(crate) fn withdraw_vote_question(others: &mut Vec<Self>, what: &Intervention) -> bool {
        let before = others.len();
        others.retain(|other| !(other.is_vote_question() && other.intervention() == what));
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
            one.add_to(&mut news);
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
        (0..100).for_each(|to| fell(Intervention::Rewind(to), 1).add_to(&mut news));
        assert_eq!(news.len(), NEWS_MAX);
        let json = serde_json::to_string(&told).unwrap();
        assert_eq!(serde_json::from_str::<Vec<SeatNews>>(&json).unwrap(), told);
    }
}

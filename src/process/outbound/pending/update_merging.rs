//! Merging two updates for one seat into one, before its player got either.

use super::SeatUpdate;
use crate::render::Occasion;
use crate::rules::Message;

impl SeatUpdate {
    /// Merges this update with a newer one for the same seat, before the reader got either. The
    /// result covers both ranges of records and has the newer one's deadline.
    pub(crate) fn merge(self, newer: Self) -> Self {
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
            (before, now) => merge_occasions(before, now, &mut notes),
        };
        let mut asked = [self.questions, newer.questions].concat();
        asked.sort_unstable();
        asked.dedup();
        Self {
            last_seen_record: self.last_seen_record.min(newer.last_seen_record),
            occasion,
            answered_ids: append_missing(self.answered_ids, newer.answered_ids),
            answered_digests: append_missing(self.answered_digests, newer.answered_digests),
            plan_notes: append_missing(self.plan_notes, newer.plan_notes),
            notes: append_missing(notes, newer.notes),
            talk: append_missing(self.talk, newer.talk),
            pace: newer.pace.or(self.pace),
            activity_length: newer.activity_length.or(self.activity_length),
            questions: asked,
            ..newer
        }
    }
}

/// Returns the occasion of a merged letter. The reader's own orders or plans come first, then the
/// game's beginning, then its news, then messages. Moves the words about the clock into `notes` if
/// another occasion wins.
fn merge_occasions(before: Occasion, now: Occasion, notes: &mut Vec<Message>) -> Occasion {
    use Occasion::{Accepted, Clock, News, Planned, TalkOrNotices, Welcome};
    let are_plans = matches!((&before, &now), (Planned { .. }, Planned { .. }));
    match (before, now) {
        (
            Accepted { lines: a, remarks: b } | Planned { lines: a, remarks: b },
            Accepted { lines: c, remarks: d } | Planned { lines: c, remarks: d },
        ) => {
            let (lines, remarks) = ([a, c].concat(), [b, d].concat());
            if are_plans { Planned { lines, remarks } } else { Accepted { lines, remarks } }
        }
        (before @ (Accepted { .. } | Planned { .. } | Welcome), Clock { words }) => {
            notes.extend(words);
            before
        }
        (_, now @ (Accepted { .. } | Planned { .. })) => now,
        (before @ (Accepted { .. } | Planned { .. } | Welcome), _) => before,
        (News, TalkOrNotices) => News,
        (_, now) => now,
    }
}

/// Appends the items of `those` that `these` does not contain yet.
fn append_missing<T: PartialEq>(mut these: Vec<T>, those: Vec<T>) -> Vec<T> {
    for one in those {
        if !these.contains(&one) {
            these.push(one);
        }
    }
    these
}

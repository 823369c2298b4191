//! Records when each letter was written and when its effect was first seen, and checks that the
//! final state is consistent with those times.
//!
//! If the effect of one letter was seen before another was written, it must come first in the
//! game's log or activity log. This holds for every writer and every worker.

use crate::soak_club::{WORD_PREFIX, address, people_of, word_of_letter};
use postrider::club::{ActivityEntry, ActivityEvent};
use postrider::mail::Letter;
use postrider::rules::Seat;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;

/// The letters that were written in one game.
#[derive(Default)]
pub struct GameHistory {
    /// The length of the game's log at the last look.
    pub head: u32,
    /// The orders. At most one of them is in flight, so its effect can be recognised by the length
    /// of the log.
    pub orders: Vec<WrittenLetter>,
    words: Vec<WrittenLetter>,
}

/// A letter that a simulated player has written.
pub struct WrittenLetter {
    seat: Seat,
    line: String,
    number: u32,
    written_at: Instant,
    /// The time at which its effect was first seen.
    pub seen: Option<Instant>,
}

/// The result of the final checks.
#[derive(Default)]
pub struct Judgement {
    /// A description of each violation.
    pub faults: Vec<String>,
    /// The number of letters that the club has sent.
    pub letters: usize,
    /// The number of letters that were sent more than once.
    pub twice: usize,
    /// The number of turns that bots have played.
    pub bot_turns: usize,
    orders: usize,
    words: usize,
    /// The number of pairs of messages whose order is known, and was checked.
    pairs: usize,
}

impl Judgement {
    /// Returns one line with the numbers of what was checked and of the violations.
    pub fn summary(&self) -> String {
        let Self { orders, words, bot_turns, pairs, letters, twice, faults } = self;
        let wrong = faults.len();
        format!(
            "{orders} orders and {words} messages, each once; {bot_turns} turns of bots; {pairs} \
             pairs in a known order; {letters} letters sent, {twice} of them more than once; \
             {wrong} violations"
        )
    }
}

impl GameHistory {
    /// Notes a letter with the current time. Must be called before the letter is delivered, because
    /// a worker may process the letter immediately.
    pub fn note_written(&mut self, seat: Seat, line: &str, number: u32) {
        let letter = WrittenLetter {
            seat,
            line: line.to_owned(),
            number,
            written_at: Instant::now(),
            seen: None,
        };
        let is_word = line.starts_with("say ");
        if is_word { &mut self.words } else { &mut self.orders }.push(letter);
    }

    /// Notes which letters have taken effect, from the activity log and the length of the game's
    /// log.
    pub fn note_seen(&mut self, minutes: &[ActivityEntry], lines: u32) {
        let now = Instant::now();
        if lines > self.head {
            // At most one order is in flight, so a longer log means that all orders have taken
            // effect.
            self.orders.iter_mut().for_each(|order| _ = order.seen.get_or_insert(now));
            self.head = lines;
        }
        let said: HashSet<&str> = public_messages(minutes).map(|(_, text)| text).collect();
        for letter in &mut self.words {
            if letter.seen.is_none() && said.contains(&*word_of_letter(letter.number)) {
                letter.seen = Some(now);
            }
        }
    }

    /// Checks that the log and the activity log hold every letter once and in a possible order.
    pub fn judge_game(
        &self,
        game: u32,
        minutes: &[ActivityEntry],
        orders: &[(Seat, String)],
        judged: &mut Judgement,
    ) {
        let written: Vec<(Seat, String)> =
            self.orders.iter().map(|order| (order.seat, order.line.clone())).collect();
        if written != orders {
            judged.faults.push(format!("game {game}: written {written:?}, in the log {orders:?}"));
        }
        judged.orders += orders.len();
        let of_text: HashMap<String, &WrittenLetter> =
            self.words.iter().map(|letter| (word_of_letter(letter.number), letter)).collect();
        let mut there: HashMap<&str, u32> = HashMap::new();
        let mut in_order: Vec<&WrittenLetter> = Vec::new();
        for (seat, text) in public_messages(minutes) {
            *there.entry(text).or_default() += 1;
            match of_text.get(text) {
                Some(letter) if letter.seat == seat => in_order.push(letter),
                _ => judged.faults.push(format!("game {game}: nobody wrote {text} from {seat}")),
            }
        }
        for text in of_text.keys() {
            let times = there.get(&**text).copied().unwrap_or_default();
            if times != 1 {
                judged
                    .faults
                    .push(format!("game {game}: {text} is in the activity log {times} times"));
            }
        }
        judged.words += of_text.len();
        judge_letter_order(game, &in_order, judged);
    }

    /// Checks that each message reached the other people in the game.
    pub fn judge_notifications(&self, game: u32, posted: &PostedLetters, judged: &mut Judgement) {
        for letter in &self.words {
            let told = posted.told.get(&letter.number);
            for other in people_of(game).filter(|other| *other != letter.seat) {
                if !told.is_some_and(|told| told.contains(&address(game, other))) {
                    let text = word_of_letter(letter.number);
                    judged.faults.push(format!("game {game}: {text} did not reach {other}"));
                }
            }
        }
    }
}

/// Checks the order of the messages, which are listed as they were processed. A writer's own
/// messages must keep their order, and so must those that were seen before others were written.
fn judge_letter_order(game: u32, letters: &[&WrittenLetter], judged: &mut Judgement) {
    for (place, later) in letters.iter().enumerate() {
        for earlier in letters.iter().take(place) {
            let is_one_writers = later.seat == earlier.seat;
            let was_seen = |letter: &WrittenLetter, before: Instant| {
                letter.seen.is_some_and(|seen| seen < before)
            };
            judged.pairs += usize::from(is_one_writers || was_seen(earlier, later.written_at));
            let is_wrong = is_one_writers && later.number < earlier.number;
            if is_wrong || was_seen(later, earlier.written_at) {
                let (later, earlier) =
                    (word_of_letter(later.number), word_of_letter(earlier.number));
                judged.faults.push(format!("game {game}: {later} must come before {earlier}"));
            }
        }
    }
}

/// The letters that the club has sent.
#[derive(Default)]
pub struct PostedLetters {
    /// Their number, with duplicates.
    pub letters: usize,
    /// The addresses that received each message, by the number of the letter that said it.
    told: HashMap<u32, HashSet<String>>,
    ids: BTreeMap<String, u32>,
}

impl PostedLetters {
    /// Counts a letter and notes the messages in it.
    pub fn add_letter(&mut self, letter: &Letter) {
        self.letters += 1;
        *self.ids.entry(letter.message_id.clone().unwrap_or_default()).or_default() += 1;
        let mut rest = &*letter.body;
        while let Some((_, after)) = rest.split_once(WORD_PREFIX) {
            let number = after.split('-').next().and_then(|number| number.parse().ok());
            for (number, to) in number.into_iter().zip(letter.recipients.first()) {
                self.told.entry(number).or_default().insert(to.clone());
            }
            rest = after;
        }
    }

    /// Returns the number of Message-IDs that were sent more than once.
    pub fn count_duplicates(&self) -> usize {
        self.ids.values().filter(|times| **times > 1).count()
    }
}

fn public_messages(minutes: &[ActivityEntry]) -> impl Iterator<Item = (Seat, &str)> {
    minutes.iter().filter_map(|entry| match &entry.event {
        ActivityEvent::Said { from, text, .. } => Some((*from, &**text)),
        _ => None,
    })
}

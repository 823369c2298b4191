//! What was written when and seen when, and whether what came of it can be true.
//!
//! A letter that was seen to be dealt with before another one was written comes before that one,
//! in its game's log or minutes, whoever wrote them and whichever worker read them.

use crate::soak_club::{WORD_PREFIX, word_of_letter};
use postrider::club::{ActivityEntry, ActivityEvent};
use postrider::mail::Letter;
use postrider::rules::Seat;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;

/// What was written in a game.
#[derive(Default)]
pub struct GameHistory {
    /// Its last record, as far as it was looked at.
    pub head: u32,
    /// The orders, of which one is on its way at the most.
    pub orders: Vec<WrittenLetter>,
    words: Vec<WrittenLetter>,
}

/// A letter.
pub struct WrittenLetter {
    seat: Seat,
    line: String,
    number: u32,
    written_at: Instant,
    /// When it was first seen to be dealt with.
    pub seen: Option<Instant>,
}

/// What was found in the end.
#[derive(Default)]
pub struct Judgement {
    /// What does not hold.
    pub faults: Vec<String>,
    /// How many letters were posted.
    pub letters: usize,
    /// How many of those were posted more than once.
    pub twice: usize,
    orders: usize,
    words: usize,
    /// Pairs of letters that can have come in one order only.
    pairs: usize,
}

impl Judgement {
    /// What was looked at, and how much of it does not hold.
    pub fn summary(&self) -> String {
        let Self { orders, words, pairs, letters, twice, faults } = self;
        let wrong = faults.len();
        format!(
            "{orders} orders and {words} words, each once; {pairs} pairs in the order in which \
             they came; {letters} letters posted, {twice} of them more than once; {wrong} wrong"
        )
    }
}

impl GameHistory {
    /// Notes that somebody is about to send this.
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

    /// Notes what is seen: the minutes, and the length of the log.
    pub fn note_seen(&mut self, minutes: &[ActivityEntry], lines: u32) {
        let now = Instant::now();
        if lines > self.head {
            // One order is on its way at the most.
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

    /// Judges what is in the game by what was written.
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
                _ => judged.faults.push(format!("game {game}: nobody said {text}")),
            }
        }
        for text in of_text.keys() {
            let times = there.get(&**text).copied().unwrap_or_default();
            if times != 1 {
                judged.faults.push(format!("game {game}: {text} {times} times"));
            }
        }
        judged.words += of_text.len();
        judge_letter_order(game, &in_order, judged);
    }

    /// Judges whether the others were told what each has said.
    pub fn judge_notifications(
        &self,
        address: impl Fn(Seat) -> String,
        game: u32,
        posted: &PostedLetters,
        judged: &mut Judgement,
    ) {
        for letter in &self.words {
            let told = posted.told.get(&letter.number);
            for other in Seat::all(3).filter(|other| *other != letter.seat) {
                if !told.is_some_and(|told| told.contains(&address(other))) {
                    let text = word_of_letter(letter.number);
                    judged.faults.push(format!("game {game}: {text} did not reach {other}"));
                }
            }
        }
    }
}

/// Judges the order of these, which is that in which they were dealt with.
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
                judged.faults.push(format!("game {game}: {earlier} was overtaken: {later}"));
            }
        }
    }
}

/// The letters that left.
#[derive(Default)]
pub struct PostedLetters {
    /// How many there are.
    pub letters: usize,
    /// Who was told what the letter of a number says.
    told: HashMap<u32, HashSet<String>>,
    ids: BTreeMap<String, u32>,
}

impl PostedLetters {
    /// Takes in a letter.
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

    /// How many were posted more than once.
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

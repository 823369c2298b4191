//! Lines and remarks that hold back the orders beside them, or ask about them. Such a letter is not
//! carried out. The answer quotes the doubt, and offers the same orders without it.

use crate::club::{Doubts, LinePlace, ParsedLetter, Question};
use crate::render::Library;
use crate::rules::{Message, Refusal};
use crate::table::{LetterRefusal, OrderLine, OrderWithAside, PhraseBook, original_parts};
use std::sync::Arc;

/// Searches the lines of a letter for the doubts of all languages, because people mix languages.
pub(crate) struct DoubtFinder<'a> {
    doubts: Vec<&'a Doubts>,
    phrases: Arc<PhraseBook>,
}

/// An order of a letter, as its line and as its parts.
pub(super) type WordedOrder<'l> = (&'l OrderLine, Option<OrderWithAside<'l>>);

impl<'a> DoubtFinder<'a> {
    pub(crate) fn new(library: &'a Library) -> Self {
        Self { doubts: library.doubts().collect(), phrases: library.phrases() }
    }

    /// Whether a sentence beside an order in one line holds that order back.
    pub(super) fn is_doubt(&self, sentence: &str) -> bool {
        let places = [LinePlace::DirectlyAbove, LinePlace::Below];
        places.into_iter().any(|place| self.holds_back(sentence, place))
            || self.doubts.iter().any(|doubts| doubts.has_doubt_behind_greeting(sentence))
    }

    fn holds_back(&self, text: &str, place: LinePlace) -> bool {
        self.doubts.iter().any(|doubts| doubts.holds_back(text, place))
    }

    /// Whether a text below an order, or behind it, takes it back or corrects it. A text that would
    /// also hold the order back from above, such as a question, does not.
    fn takes_back(&self, text: &str) -> bool {
        self.doubts.iter().any(|doubts| doubts.takes_back(text))
            && !self.holds_back(text, LinePlace::Apart)
    }

    /// Refuses a letter with a doubt beside its orders or club commands. `orders` are its orders,
    /// and `commands` its club commands. `others` are the lines that are neither. An order that
    /// cannot be parsed may be a doubt that names a place of the board. It is one also if
    /// `is_unsure` is `true` for it. A preview is not refused, because nothing of it is carried
    /// out. The refusal offers the orders without the doubt, unless they are taken back.
    pub(super) fn refuse_doubts(
        &self,
        request: &ParsedLetter,
        (orders, commands): (&[WordedOrder<'_>], &[&OrderLine]),
        others: &[&OrderLine],
        is_unsure: &dyn Fn(&OrderLine) -> bool,
    ) -> Result<(), LetterRefusal> {
        if request.questions.contains(&Question::Preview) {
            return Ok(());
        }
        let readable = orders.iter().filter(|(_, worded)| worded.is_some());
        let numbers = readable.map(|(line, _)| line.number);
        let numbers: Vec<u32> = numbers.chain(commands.iter().map(|line| line.number)).collect();
        let matches = |line: &OrderLine, fits: &dyn Fn(&str, LinePlace) -> bool| {
            let mut places = places_beside(line.number, &numbers, request);
            places.any(|place| {
                let translated = line.english.as_deref();
                fits(&line.text, place) || translated.is_some_and(|text| fits(text, place))
            })
        };
        let is_doubt =
            |line: &OrderLine| matches(line, &|text, place| self.holds_back(text, place));
        let others = others.iter().copied().filter(|line| is_doubt(line));
        let unparsed = orders.iter().filter(|(_, worded)| worded.is_none()).map(|(line, _)| *line);
        let unparsed =
            unparsed.filter(|line| !numbers.is_empty() && is_unsure(line) || is_doubt(line));
        let mut beside: Vec<&OrderLine> = others.chain(unparsed).collect();
        beside.sort_by_key(|line| line.number);
        beside.retain(|line| !request.is_quoted(line.number));
        let holds_back = |text: &str| self.holds_back(text, LinePlace::Below);
        let takes_back = |text: &str| self.takes_back(text);
        let behind = || orders.iter().find(|order| self.has_remark(order, &holds_back));
        let first = beside.first().copied();
        let Some(doubt) = first.or_else(|| behind().map(|(line, _)| *line)) else {
            return Ok(());
        };
        let refusal = Refusal::unreadable(Message::new("held-back"));
        let is_below = |text: &str, place| place == LinePlace::Below && takes_back(text);
        if beside.iter().any(|line| matches(line, &is_below))
            || orders.iter().any(|order| self.has_remark(order, &takes_back))
        {
            let refusal = refusal.with_alternative(Message::new("line-doubt-how"));
            return Err(LetterRefusal { line: Some(doubt.clone()), refusal });
        }
        let own = orders.iter().filter(|(line, _)| !beside.contains(line));
        let own = own.map(|order| (order.0.number, self.strip_doubt(order)));
        let mut lines: Vec<(u32, &str)> =
            own.chain(commands.iter().map(|line| (line.number, &*line.text))).collect();
        // Several orders of one line have the same number, and must keep their order.
        lines.sort_by_key(|(number, _)| *number);
        let refusal = refusal.with_alternative(Message::new("held-back-how"));
        let refusal = refusal.with_lines_to_send(lines.into_iter().map(|(_, line)| line));
        Err(LetterRefusal { line: Some(doubt.clone()), refusal })
    }

    /// Whether the text behind an order in its line fits, in the words of the player or in English.
    fn has_remark(&self, (line, worded): &WordedOrder<'_>, fits: &dyn Fn(&str) -> bool) -> bool {
        let Some(worded) = *worded else { return false };
        let behind = line.text_to_parse().split_once(worded.order).map(|(_, behind)| behind);
        let own = original_parts(&self.phrases, line, worded).aside;
        [behind.unwrap_or_default(), own].into_iter().any(fits)
    }

    /// Returns the text of an order, without a remark that holds it back.
    fn strip_doubt<'l>(&self, order: &WordedOrder<'l>) -> &'l str {
        let (line, worded) = *order;
        let holds_back = |text: &str| self.holds_back(text, LinePlace::Below);
        match worded.filter(|_| self.has_remark(order, &holds_back)) {
            Some(worded) => original_parts(&self.phrases, line, worded).order,
            None => &line.text,
        }
    }
}

/// Returns the places of a line relative to the lines with these numbers, which hold orders.
fn places_beside(
    number: u32,
    orders: &[u32],
    request: &ParsedLetter,
) -> impl Iterator<Item = LinePlace> {
    let first = orders.iter().min();
    let is_below = |number: u32| first.is_some_and(|first| *first < number);
    let said = &request.press.own_lines;
    let is_said = said.binary_search_by_key(&number, |(said, _)| *said).is_ok();
    let mut closing = request.below_closing.iter().map(|line| line.number);
    let mut is_below_closing = || closing.any(|closing| is_below(closing) && closing < number);
    let place_below = match is_said {
        true => LinePlace::Apart,
        false if is_below_closing() => LinePlace::BelowClosing,
        false => LinePlace::Below,
    };
    let below = is_below(number).then_some(place_below);
    let next = request.lines.iter().map(|line| line.order.number).filter(|other| *other > number);
    let is_next = next.min().is_some_and(|next| orders.contains(&next));
    let above = orders.iter().any(|order| *order > number);
    let above = above.then_some(if is_next { LinePlace::DirectlyAbove } else { LinePlace::Apart });
    below.into_iter().chain(above)
}

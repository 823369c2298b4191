//! Separates the orders of a letter from talk, which is addressed to people. It finds the orders in
//! lines of several sentences, and refuses lines that hold an order back.

use crate::club::press::{LineClass, begins_with_say_or_tell};
use crate::club::{ARGUMENT_WORDS, ParsedLetter, classify_line, words_rare_in_prose};
use crate::process::inbound::doubts::DoubtFinder;
use crate::process::inbound::intake::classify_seat_line;
use crate::process::inbound::intents::IntentFinder;
use crate::render::Library;
use crate::rules::{
    GameRegistry, LineGuess, Message, Refusal, Seat, Vocabulary, excerpt, lowercase_words,
};
use crate::table::{LetterRefusal, OrderLine, SeatVocabulary, SentenceReader, Table, is_question};
use std::cell::OnceCell;

/// The number of words from which a line counts as talk, if it follows no order and only names
/// pieces or places. A shorter line counts as an order.
const SENTENCE_WORDS_MIN: usize = 4;
/// The most lines of talk that an answer quotes.
const SHOWN_LINES_MAX: usize = 5;

/// A letter's lines for the game, separated into orders and talk.
#[derive(Default)]
pub(crate) struct SortedLines {
    pub(crate) orders: Vec<OrderLine>,
    /// Lines that are addressed to people and not to the game. The answer quotes them.
    pub talk: Vec<OrderLine>,
}

/// Separates the lines of one letter into orders and talk, for one seat of a table.
pub(crate) struct LineSorter<'a> {
    table: &'a Table,
    seat: Seat,
    /// The words that the seat's orders may use. `vocabulary` also holds the words of club
    /// commands, and is filled on first use.
    words: SeatVocabulary<'a>,
    vocabulary: OnceCell<Vocabulary>,
    /// The words of the writer's names, and of all players' names.
    own_names: Vec<String>,
    all_names: Vec<String>,
    doubts: DoubtFinder<'a>,
    games: GameRegistry,
    intents: IntentFinder<'a>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    Order,
    Talk,
    /// A name or a single word, which the answer does not quote.
    Signature,
}

impl<'a> LineSorter<'a> {
    /// Creates the sorter for a letter of this seat. `own` are the writer's names, and `names` the
    /// names of the table's players.
    pub(crate) fn new(
        (table, seat): (&'a Table, Seat),
        (own, names): (&[&str], &[String]),
        library: &'a Library,
        intents: IntentFinder<'a>,
    ) -> Self {
        let own: Vec<String> = own.iter().flat_map(|name| lowercase_words(name)).collect();
        let people =
            names.iter().flat_map(|name| lowercase_words(name)).chain(own.clone()).collect();
        let (words, vocabulary) = (table.seat_vocabulary(seat), OnceCell::new());
        let (doubts, games) = (DoubtFinder::new(library), library.games());
        let own_names = own;
        Self {
            table,
            seat,
            words,
            vocabulary,
            own_names,
            all_names: people,
            doubts,
            games,
            intents,
        }
    }

    fn vocabulary(&self) -> &Vocabulary {
        let with_house = || {
            self.words
                .vocabulary()
                .clone()
                .with_non_order_words(&words_rare_in_prose(), &ARGUMENT_WORDS)
        };
        self.vocabulary.get_or_init(with_house)
    }

    /// Separates the lines that are not club commands into orders and talk.
    ///
    /// # Errors
    /// The refusal of a line that holds an order back. Also the refusal of a line below the closing
    /// that may be meant for the club, because nothing there is read.
    pub(crate) fn separate_orders_from_talk(
        &self,
        lines: Vec<OrderLine>,
        request: &ParsedLetter,
    ) -> Result<SortedLines, LetterRefusal> {
        let (mut sorted, mut alone) = (SortedLines::default(), Vec::new());
        let commands: Vec<&OrderLine> = request
            .lines
            .iter()
            .map(|line| &line.order)
            .filter(|line| classify_line(self.games, line.text_to_parse()) == LineClass::Order)
            .collect();
        let first = commands.first().map(|line| line.number);
        for line in lines.into_iter().flat_map(|line| self.split_sentences(line, request)) {
            let above = first.is_some_and(|first| first < line.number);
            match self.classify_order_or_talk(&line, above || !sorted.orders.is_empty()) {
                LineKind::Order => sorted.orders.push(line),
                LineKind::Talk => sorted.talk.push(line),
                LineKind::Signature => alone.push(line),
            }
        }
        let said = request.press.own_lines.iter();
        let said: Vec<_> =
            said.map(|(number, line)| OrderLine::new(*number, line.clone())).collect();
        let others = request.greeting.iter().chain(&sorted.talk).chain(&alone).chain(&said);
        let others = others.chain(&request.below_closing).collect();
        self.refuse_doubts(&sorted.orders, &commands, others, request)?;
        let beside = request.below_closing.iter().find(|line| self.is_meant_for_club(line));
        if let Some(line) = beside {
            let refusal = Refusal::unreadable(Message::new("below-thanks"));
            return Err(LetterRefusal { line: Some(line.clone()), refusal });
        }
        // A single word that is the whole letter is meant as an order, unless it is the writer's
        // name.
        let is_all = sorted.orders.is_empty() && sorted.talk.is_empty();
        alone.retain(|line| !self.is_writer_name(&line.text));
        if is_all && !request.has_more_than_orders() {
            sorted.orders = std::mem::take(&mut alone);
        }
        // A line that asks the club for something is named, even as a single word or below the
        // closing.
        let beside = alone.into_iter().chain(request.below_closing.iter().cloned());
        sorted.talk.extend(beside.filter(|line| self.intents.is_intent(&line.text)));
        sorted.talk.sort_by_key(|line| line.number);
        self.refuse_orders_inside_messages(&sorted, request)?;
        Ok(sorted)
    }

    /// Splits a line of several sentences into the orders in it. Returns other lines unchanged, and
    /// lines that may continue a message to other players.
    fn split_sentences(&self, line: OrderLine, request: &ParsedLetter) -> Vec<OrderLine> {
        let is_doubt = |sentence: &str| self.doubts.is_doubt(sentence);
        // The doubts of all languages are known, so the line is searched as it was written.
        if SentenceReader::split_line(&line.text).any(is_doubt)
            || request.press.paragraph_end_lines.contains(&line.number)
        {
            return vec![line];
        }
        let (table, seat, words) = (self.table, self.seat, &self.words);
        let is_own_name = &|name: &str| self.is_writer_name(name);
        let reader = SentenceReader { table, seat, words, is_own_name };
        let Some(orders) = reader.find_orders(line.text_to_parse()) else { return vec![line] };
        if let [order] = &*orders {
            let english = Some(order.as_str().into());
            return vec![OrderLine { english, ..line }];
        }
        orders.into_iter().map(|order| OrderLine::new(line.number, order)).collect()
    }

    /// Returns the refusal of a letter that contains only talk. It offers the commands that the
    /// lines ask for, and says how to send a message to players, how to ask, and which order the
    /// line resembles.
    pub(crate) fn talk_only_refusal(&self, sorted: &SortedLines) -> Option<LetterRefusal> {
        let asking = sorted.talk.iter().filter(|line| self.intents.is_intent(&line.text));
        let asking: Vec<OrderLine> = asking.take(SHOWN_LINES_MAX).cloned().collect();
        let line = asking.first().or(sorted.talk.first())?;
        let mut refusal = Refusal::not_an_order(Message::new("words-unsaid"));
        refusal.alternatives = self.intents.name_lines(&asking);
        if !asking.is_empty() {
            refusal.alternatives.remove(0);
        }
        let say = Message::new("words-say").with("line", excerpt(&line.text));
        let refusal = refusal.with_alternative(say);
        let refusal = match asking.is_empty() {
            true => refusal.with_alternative(Message::new("words-ask")),
            false => refusal,
        };
        let refusal = match self.table.suggest_meant_order(&self.words, line.text_to_parse()) {
            Some(meant) => refusal.with_first_alternative(meant),
            None => refusal,
        };
        Some(LetterRefusal { line: Some(line.clone()), refusal })
    }

    /// Returns the sentences that quote the lines taken for talk, at most [`SHOWN_LINES_MAX`] of
    /// them, and offer the commands that they ask for.
    pub(crate) fn talk_remarks(&self, sorted: &SortedLines) -> Vec<Message> {
        let (shown, more) = sorted.talk.split_at(sorted.talk.len().min(SHOWN_LINES_MAX));
        let more =
            (!more.is_empty()).then(|| Message::new("not-an-order-more").with("count", more.len()));
        self.intents.name_lines(shown).into_iter().chain(more).collect()
    }

    /// Refuses a letter in which a line or a remark holds back the orders beside it.
    fn refuse_doubts(
        &self,
        orders: &[OrderLine],
        commands: &[&OrderLine],
        mut others: Vec<&OrderLine>,
        request: &ParsedLetter,
    ) -> Result<(), LetterRefusal> {
        others.sort_by_key(|line| line.number);
        let worded = |line| self.table.extract_order(&self.words, self.seat, line);
        let orders = orders.iter().filter(|line| !commands.contains(line));
        let orders: Vec<_> = orders.map(|line| (line, worded(line.text_to_parse()))).collect();
        let is_unsure = |line: &OrderLine| {
            let text = line.text_to_parse();
            is_question(text) || self.table.phrases().begins_with_negation(text)
        };
        let orders_and_commands = (orders.as_slice(), commands);
        self.doubts.refuse_doubts(request, orders_and_commands, &others, &is_unsure)
    }

    /// Refuses an order that is surrounded by other words, if a message to other players may
    /// continue in its line. The words could belong to that message.
    fn refuse_orders_inside_messages(
        &self,
        sorted: &SortedLines,
        request: &ParsedLetter,
    ) -> Result<(), LetterRefusal> {
        let goes_on = |line: &&OrderLine| request.press.paragraph_end_lines.contains(&line.number);
        let looked_for = |line: &&OrderLine| {
            let meant = line.text_to_parse();
            let worded = self.table.extract_order(&self.words, self.seat, meant);
            worded.is_some_and(|worded| worded.order != meant)
                || self.table.phrases().has_lead_in(meant)
        };
        match sorted.orders.iter().filter(goes_on).find(looked_for) {
            Some(line) => {
                let refusal = Refusal::unreadable(Message::new("line-after-talk"));
                Err(LetterRefusal { line: Some(line.clone()), refusal })
            }
            None => Ok(()),
        }
    }

    /// Classifies a line as order, talk or signature. `has_order_above` says whether an order is
    /// above it in the letter.
    fn classify_order_or_talk(&self, line: &OrderLine, has_order_above: bool) -> LineKind {
        let own = self.is_writer_name(&line.text);
        let line = line.text_to_parse();
        let words = lowercase_words(line);
        if self.table.extract_order(&self.words, self.seat, line).is_some() {
            let verb = || words.first().is_some_and(|word| self.vocabulary().verbs.contains(word));
            return if own && !verb() { LineKind::Signature } else { LineKind::Order };
        }
        if own {
            return LineKind::Signature;
        }
        if classify_line(self.games, line) != LineClass::Prose {
            return LineKind::Order;
        }
        // A line that begins like `next: ...` is a plan, even if the text after the colon is not an
        // order.
        let label = line.split_once(':').map(|(label, _)| label.trim().to_lowercase());
        if label.is_some_and(|label| self.vocabulary().non_order_first_words.contains(&label)) {
            return LineKind::Order;
        }
        let is_correction = has_order_above && self.is_correction(line);
        match self.guess_line_without_names(line, has_order_above) {
            LineGuess::Order => LineKind::Order,
            LineGuess::NamesOnly if has_order_above || words.len() < SENTENCE_WORDS_MIN => {
                LineKind::Order
            }
            _ if is_correction => LineKind::Order,
            _ if words.len() <= 1 => LineKind::Signature,
            _ => LineKind::Talk,
        }
    }

    /// Whether a line below an order begins like a correction, and names something of the game.
    fn is_correction(&self, line: &str) -> bool {
        self.table.phrases().begins_correction(line) && self.vocabulary().names_something(line)
    }

    /// Guesses what a line is from its words, without the names of players.
    fn guess_line_without_names(&self, line: &str, has_order_above: bool) -> LineGuess {
        let foreign = |word: &&str| {
            let said = lowercase_words(word);
            said.is_empty() || said.iter().any(|word| !self.all_names.contains(word))
        };
        let rest: Vec<&str> = line.split_whitespace().filter(foreign).collect();
        let rest = rest.join(" ");
        match has_order_above {
            true => self.vocabulary().guess_line_below_order(&rest, SENTENCE_WORDS_MIN),
            false => self.vocabulary().guess_line(&rest),
        }
    }

    /// Whether a line holds only the writer's name, a part of it, or its initials.
    fn is_writer_name(&self, line: &str) -> bool {
        let words = lowercase_words(line);
        let initial = |word: &String| {
            word.chars().count() == 1 && self.own_names.iter().any(|name| name.starts_with(&**word))
        };
        let initials: String =
            self.own_names.iter().filter_map(|name| name.chars().next()).collect();
        let own =
            |word: &String| self.own_names.contains(word) || initial(word) || *word == initials;
        !words.is_empty() && words.iter().all(own)
    }

    /// Whether a line below the closing, where nothing is read, was probably meant for the club: a
    /// message to players, or an order.
    fn is_meant_for_club(&self, line: &OrderLine) -> bool {
        let is_own = self.is_writer_name(&line.text);
        let line = line.text_to_parse();
        let words = lowercase_words(line);
        if is_own || words.len() < 2 && !line.contains(char::is_numeric) {
            return false;
        }
        begins_with_say_or_tell(line)
            || classify_seat_line(self.games, (self.table, self.seat), line) == LineClass::Order
            || self.guess_line_without_names(line, true) == LineGuess::Order
    }
}

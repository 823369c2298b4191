//! What a letter's lines come to: each is judged by itself, and what is talk is sorted from what is
//! an order. Nothing is changed here: it is done with the whole letter or not at all, and a preview
//! only tells of it.

use crate::club::clock::ClockRules;
use crate::club::press::{Reads, says_something};
use crate::club::vote::Ballot;
use crate::club::{
    ActivityEntry, Deed, Line, Member, MemberLine, NewsWish, Notes, ReadLine, Request, VALUES,
    WrongLine, distinct_words, house_line,
};
use crate::process::blame::{Blame, answered};
use crate::process::commit;
use crate::process::context::Context;
use crate::process::inbound::intake::reads;
use crate::process::inbound::member_letter;
use crate::process::lobby::members::MemberRefusal;
use crate::process::session::reader;
use crate::process::table::voting;
use crate::process::transaction::Transaction;
use crate::rules::{Hint, Message, Refusal, Seat, Vocabulary, excerpt, pieces};
use crate::table::{OrderLine, Refused, Table, Words, is_led_in};
use std::cell::OnceCell;

/// What a letter's lines come to.
#[derive(Default)]
pub(crate) struct Effects {
    /// The member afterwards; none when nothing changed.
    pub member: Option<Member>,
    /// The seat's notes afterwards; none when nothing changed.
    pub notes: Option<Notes>,
    /// For which news of the seat's game he wants letters from now on; none when nothing changed.
    pub(crate) wish: Option<Option<NewsWish>>,
    /// Addresses that he says are his.
    pub(crate) confirm: Vec<String>,
    /// What he is told of all this.
    pub words: Vec<Message>,
    /// What he says to other players.
    pub(crate) said: Vec<ActivityEntry>,
    /// What he votes.
    pub(crate) ballot: Option<Ballot>,
    /// The line by which he takes his last orders back.
    pub(crate) undo: Option<OrderLine>,
    /// What he is told of lines that were taken for words between people.
    pub(crate) asides: Vec<Message>,
    /// What is left for the game.
    pub(crate) orders: Vec<OrderLine>,
}

/// Whose lines are judged, and where.
pub(crate) struct Writer<'a> {
    /// The member who wrote the letter.
    pub member: &'a Member,
    /// The seat that he writes for, with the notes that it has; none in a letter about no game.
    pub seat: Option<(u32, Seat, &'a Notes)>,
}

impl Effects {
    /// Judges the lines of a letter, in their order.
    ///
    /// # Errors
    /// When the club cannot be read; inside, the first line that cannot be done: then the whole
    /// letter is not.
    pub(crate) fn of(
        tx: &Transaction<'_>,
        writer: &Writer<'_>,
        lines: &[ReadLine],
    ) -> Result<Self, Blame<Refused>> {
        let mut effects = Self::default();
        for ReadLine { order, what } in lines {
            let is_here = |line: &&Line| line.is_permitted(writer.seat.is_some());
            let taken = match what.as_ref().filter(is_here).map(|line| &line.deed) {
                Some(Ok(deed)) => answered(effects.take(tx, writer, order, deed))?,
                Some(Err(why)) => Err(why.clone()),
                None => {
                    effects.orders.push(order.clone());
                    Ok(())
                }
            };
            if let Err(why) = taken {
                let (line, refusal) = (Some(order.clone()), Refusal::illegal(why));
                return Err(Blame::Theirs(Refused { line, refusal }));
            }
        }
        member_letter::may_name(tx, writer.member, &effects.confirm)?;
        Ok(effects)
    }

    /// Judges one line.
    fn take(
        &mut self,
        tx: &Transaction<'_>,
        writer: &Writer<'_>,
        order: &OrderLine,
        deed: &Deed,
    ) -> Result<(), Blame<WrongLine>> {
        match (deed, writer.seat) {
            (Deed::Address(address), _) => {
                self.words.push(Message::new("address-asked").with("address", address.as_str()));
                self.confirm.push(address.clone());
            }
            (Deed::Set(MemberLine::Here(wish)), Some(_)) => {
                self.words.push(NewsWish::kept(*wish));
                self.wish = Some(*wish);
            }
            (Deed::Set(setting), _) => {
                let now = self.member.as_ref().unwrap_or(writer.member);
                let (after, said) = set(tx.context, now, setting.clone())?;
                self.member = Some(after);
                self.words.push(said);
            }
            (Deed::Note(note), Some((_, _, notes))) => {
                let (after, said) = self.notes.as_ref().unwrap_or(notes).changed(note.clone())?;
                self.notes = Some(after);
                self.words.push(said);
            }
            (Deed::Vote(ballot), Some((game, seat, _))) => {
                voting::may_answer(tx, (game, seat), ballot, self.ballot.is_some())?;
                self.ballot = Some(ballot.clone());
            }
            (Deed::Undo, Some(_)) if self.undo.is_some() => {
                return Err(Message::new("undo-once").into());
            }
            (Deed::Undo, Some(_)) => self.undo = Some(order.clone()),
            (Deed::Note(_) | Deed::Vote(_) | Deed::Undo, None)
            | (Deed::Ask(_) | Deed::Lobby(_) | Deed::Moderate(_), _) => {}
        }
        Ok(())
    }

    /// Whether nothing of it is done.
    pub(crate) const fn is_nothing(&self) -> bool {
        self.orders.is_empty() && self.words.is_empty() && !self.is_around()
    }

    /// Whether it says or does something around the game.
    pub(crate) const fn is_around(&self) -> bool {
        !self.said.is_empty() || self.ballot.is_some()
    }
}

/// Applies a setting. Returns the changed member, and what they are told.
///
/// # Errors
/// What is wrong with the setting in this club.
pub(crate) fn set(
    context: &Context,
    member: &Member,
    setting: MemberLine,
) -> Result<(Member, Message), WrongLine> {
    let rules = context.settings.clock.as_ref();
    let vacation_days =
        rules.map_or(ClockRules::VACATION_DAYS, |rules| rules.vacation_days_per_year);
    let languages: Vec<&str> = context.library.tags().collect();
    setting.onto(member, context.now, (vacation_days, &languages))
}

/// Does for the member with this number or address what a line of a letter of his would, and
/// gives the member with what he would be told.
///
/// # Errors
/// When the club cannot be read or written.
pub fn set_member(
    context: &Context,
    who: &str,
    line: &str,
) -> Result<(Member, Message), Blame<MemberRefusal>> {
    commit::transact(context, |tx| {
        let (member, word) = setting(tx, who, line)?;
        tx.change(member.clone());
        Ok((member, word))
    })
}

/// The member as the line would leave it, and what there is to say of that; nothing is changed.
///
/// # Errors
/// When the club cannot be read.
pub fn rehearse_setting(
    context: &Context,
    who: &str,
    line: &str,
) -> Result<(Member, Message), Blame<MemberRefusal>> {
    setting(&Transaction::begin(context), who, line)
}

fn setting(
    tx: &Transaction<'_>,
    who: &str,
    line: &str,
) -> Result<(Member, Message), Blame<MemberRefusal>> {
    let Some(before) = reader::member_on(tx, who)? else {
        return Err(Blame::Theirs(MemberRefusal::NoMember(who.to_owned())));
    };
    let Some(read) = MemberLine::read(line) else {
        return Err(Blame::Theirs(MemberRefusal::NoSetting(line.to_owned())));
    };
    let set = read.and_then(|setting| set(tx.context, &before, setting));
    set.map_err(|why| Blame::Theirs(MemberRefusal::WrongSetting(why)))
}

/// Words by which people take back or put off what they wrote above.
const RETRACTIONS: &str = "\
    cancel, change my mind, changed my mind, correction, disregard, forget it, forget that, \
    hold off, hold on, ignore, instead, meant, mistake, only after, only if, oops, provided, \
    retract, scrap that, scratch that, second thought, second thoughts, take it back, \
    take that back, take this back, undo, unless, withdraw, wrong";
/// The least number of words before an order that make the line a sentence.
const SENTENCE_MIN: usize = 4;
/// The most lines taken for talk that are shown back.
const SHOWN_MAX: usize = 5;

/// A letter's lines, told apart.
#[derive(Default)]
pub(crate) struct Sorted {
    /// For the game.
    pub(crate) orders: Vec<OrderLine>,
    /// Words between people, to be shown back.
    pub words: Vec<OrderLine>,
}

/// Who wrote a letter, and to which table.
pub(crate) struct Sorter<'a> {
    table: &'a Table,
    seat: Seat,
    /// The words of the game's lines, and the same with those of the house's, once they matter.
    words: Words<'a>,
    vocabulary: OnceCell<Vocabulary>,
    /// The words of the writer's own names, and of the others'.
    own: Vec<String>,
    people: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Order,
    Words,
    /// A name or a word alone, which nobody needs to see again.
    Signature,
}

impl<'a> Sorter<'a> {
    /// For a letter of a seat whose player has these names, at a table where these sit.
    pub(crate) fn new(table: &'a Table, seat: Seat, own: &[&str], names: &[String]) -> Self {
        let own: Vec<String> = own.iter().flat_map(|name| pieces(name)).collect();
        let people = names.iter().flat_map(|name| pieces(name)).chain(own.clone()).collect();
        let (words, vocabulary) = (table.words(seat), OnceCell::new());
        Self { table, seat, words, vocabulary, own, people }
    }

    fn vocabulary(&self) -> &Vocabulary {
        let with_house = || self.words.all().clone().besides(&distinct_words(), &VALUES);
        self.vocabulary.get_or_init(with_house)
    }

    /// Tells the lines that are not for the house apart.
    ///
    /// # Errors
    /// The line that may be for us, and stands where nothing is read.
    pub(crate) fn sort(&self, lines: Vec<OrderLine>, request: &Request) -> Result<Sorted, Refused> {
        let beside = request.beside.iter().find(|line| self.is_for_us(line));
        if let Some(line) = beside {
            let refusal = Refusal::unreadable(Message::new("below-thanks"));
            return Err(Refused { line: Some(line.clone()), refusal });
        }
        let (mut sorted, mut alone) = (Sorted::default(), Vec::new());
        let mut of_house =
            request.lines.iter().filter(|line| house_line(line.order.meant()) == Reads::Order);
        let first = of_house.next().map(|line| line.order.number);
        for line in lines {
            let above = first.is_some_and(|first| first < line.number);
            match self.kind(&line, above || !sorted.orders.is_empty()) {
                Kind::Order => sorted.orders.push(line),
                Kind::Words => sorted.words.push(line),
                Kind::Signature => alone.push(line),
            }
        }
        // One word that is all that was written was meant for us.
        let is_all = sorted.orders.is_empty() && sorted.words.is_empty();
        if is_all && !request.does_more() {
            alone.retain(|line| !self.is_own_name(&line.text));
            sorted.orders = alone;
        }
        self.not_of_talk(&sorted, request)?;
        Ok(sorted)
    }

    /// The answer to a letter of nothing but words.
    pub(crate) fn unsaid(&self, sorted: &Sorted) -> Option<Refused> {
        let line = sorted.words.first()?;
        let say = Message::new("words-say").with("line", excerpt(&line.text));
        let refusal = Refusal::foreign(Message::new("words-unsaid")).or(say);
        let refusal = refusal.or(Message::new("words-ask"));
        let refusal = match self.table.perhaps_meant(&self.words, line.meant()) {
            Some(meant) => refusal.first(meant),
            None => refusal,
        };
        Some(Refused { line: Some(line.clone()), refusal })
    }

    /// An order that must be looked for in a line is not looked for where words to others may go
    /// on.
    fn not_of_talk(&self, sorted: &Sorted, request: &Request) -> Result<(), Refused> {
        let goes_on = |line: &&OrderLine| request.talk.ended_by.contains(&line.number);
        let looked_for = |line: &&OrderLine| {
            let meant = line.meant();
            let worded = self.table.worded(&self.words, self.seat, meant);
            worded.is_some_and(|worded| worded.order != meant) || is_led_in(meant)
        };
        match sorted.orders.iter().filter(goes_on).find(looked_for) {
            Some(line) => {
                let refusal = Refusal::unreadable(Message::new("line-after-talk"));
                Err(Refused { line: Some(line.clone()), refusal })
            }
            None => Ok(()),
        }
    }

    /// What a line is; `ordered`: something was ordered above it.
    fn kind(&self, line: &OrderLine, ordered: bool) -> Kind {
        let own = self.is_own_name(&line.text);
        let line = line.meant();
        let words = pieces(line);
        if self.table.worded(&self.words, self.seat, line).is_some() {
            let verb = || words.first().is_some_and(|word| self.vocabulary().verbs.contains(word));
            return if own && !verb() { Kind::Signature } else { Kind::Order };
        }
        if own {
            return Kind::Signature;
        }
        if house_line(line) != Reads::Prose {
            return Kind::Order;
        }
        // `next: ...` is a plan, whatever follows.
        let label = line.split_once(':').map(|(label, _)| label.trim().to_lowercase());
        if label.is_some_and(|label| self.vocabulary().soft_verbs.contains(&label)) {
            return Kind::Order;
        }
        let retracts = ordered && retracts(&words);
        match self.hint(line) {
            Hint::Order => Kind::Order,
            Hint::Named if ordered || words.len() < SENTENCE_MIN => Kind::Order,
            _ if retracts => Kind::Order,
            _ if words.len() <= 1 => Kind::Signature,
            _ => Kind::Words,
        }
    }

    /// What the words of a line speak for that are nobody's name.
    fn hint(&self, line: &str) -> Hint {
        let foreign = |word: &&str| {
            let said = pieces(word);
            said.is_empty() || said.iter().any(|word| !self.people.contains(word))
        };
        let rest: Vec<&str> = line.split_whitespace().filter(foreign).collect();
        self.vocabulary().hint(&rest.join(" "))
    }

    /// Whether a line is nothing but the writer's name, a part of it, or its initials.
    fn is_own_name(&self, line: &str) -> bool {
        let words = pieces(line);
        let initial = |word: &String| {
            word.chars().count() == 1 && self.own.iter().any(|name| name.starts_with(&**word))
        };
        let initials: String = self.own.iter().filter_map(|name| name.chars().next()).collect();
        let own = |word: &String| self.own.contains(word) || initial(word) || *word == initials;
        !words.is_empty() && words.iter().all(own)
    }

    /// Whether a line where nothing is read was perhaps meant to be read: it says something to
    /// others, or orders something, or takes it back.
    fn is_for_us(&self, line: &OrderLine) -> bool {
        let is_own = self.is_own_name(&line.text);
        let line = line.meant();
        let words = pieces(line);
        if is_own || words.len() < 2 && !line.contains(char::is_numeric) {
            return false;
        }
        says_something(line)
            || reads(self.table, self.seat, line) == Reads::Order
            || self.hint(line) == Hint::Order
            || retracts(&words)
    }
}

fn retracts(words: &[String]) -> bool {
    // "Wait!", "Hmm, no": a condition, or a call to stop, by all of its words or the first.
    let calls = |word: &String| ["no", "stop", "wait"].contains(&word.as_str());
    let short = words.len() <= 2 && words.last().is_some_and(calls);
    if short || words.first().is_some_and(|word| word == "if") {
        return true;
    }
    let line = format!(" {} ", words.join(" "));
    RETRACTIONS.split(", ").any(|word| line.contains(&format!(" {word} ")))
}

impl Sorted {
    /// What the writer is told of the lines that were taken for words.
    pub(crate) fn remarks(&self) -> Vec<Message> {
        let shown = self.words.iter().take(SHOWN_MAX).map(|line| {
            let text = excerpt(&line.text);
            Message::new("not-an-order").with("number", line.number).with("line", text)
        });
        let more = self.words.len().saturating_sub(SHOWN_MAX);
        let more = (more > 0).then(|| Message::new("not-an-order-more").with("count", more));
        shown.chain(more).collect()
    }
}

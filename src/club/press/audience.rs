//! The first line of press: to whom it is, and where its text begins.

use crate::club::Lexicon;
use crate::rules::{Arg, Message, Seat, excerpt};

/// To whom something is said.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Audience<'t> {
    /// To all when it is empty.
    pub(crate) to: Vec<Seat>,
    pub(crate) anonymous: bool,
    /// What stands on the same line.
    pub text: &'t str,
}

/// The English words for everybody at the table.
pub(crate) const EVERYBODY: [&str; 3] = ["all", "everyone", "everybody"];

/// The English word that joins two names.
pub(crate) const AND: &str = "and";

/// The longest name in a list that ends in a colon, in words.
const NAME_WORDS: usize = 4;

/// What a line opens, if it is one that says something to players.
pub(crate) fn opening<'t>(
    line: &'t str,
    people: &People<'_>,
) -> Option<Result<Audience<'t>, Message>> {
    let line = line.trim();
    let (rest, is_say) = match (after_word(line, "say"), after_word(line, "tell")) {
        (Some(rest), _) => (rest, true),
        (None, Some(rest)) => (rest, false),
        (None, None) => return None,
    };
    let unsigned = after_word(rest, "anonymously").or_else(|| people.unsigned(rest));
    let (rest, anonymous) = (unsigned.unwrap_or(rest), unsigned.is_some());
    if is_say {
        return Some(Ok(Audience { to: Vec::new(), anonymous, text: rest }));
    }
    let to = |(to, text)| Audience { to, anonymous, text };
    Some(people.listed(rest).unwrap_or_else(|| people.named(rest)).map(to))
}

/// Whether a line begins with the word that says something to players.
pub(crate) fn says_something(line: &str) -> bool {
    ["say", "tell"].iter().any(|word| after_word(line.trim(), word).is_some())
}

/// What follows a word at the beginning, without the blanks and the colon that part it.
fn after_word<'t>(line: &'t str, word: &str) -> Option<&'t str> {
    let (first, rest) = line.split_at_checked(word.len())?;
    let parted = rest.is_empty() || rest.starts_with([' ', ':', '：']);
    (first.eq_ignore_ascii_case(word) && parted).then(|| rest.trim_start_matches([' ', ':', '：']))
}

/// Who can be told something, and by whom.
pub(crate) struct People<'a> {
    /// The players' names, by seat.
    pub names: &'a [String],
    /// Who says it.
    pub own: Seat,
    /// The words of his language, beside the English ones.
    pub words: Option<&'a Lexicon>,
}

type Told<'t> = Result<(Vec<Seat>, &'t str), Message>;

impl People<'_> {
    /// What follows the word by which the writer's name is kept back.
    fn unsigned<'t>(&self, rest: &'t str) -> Option<&'t str> {
        let (means, text) = self.words?.lead(rest)?;
        (means == "anonymously").then(|| text.trim_start_matches([' ', ':', '：']))
    }

    /// Returns the names in a part of a list, which words like `and` join. A name that has such a
    /// word in it is one.
    ///
    /// # Errors
    /// Refuses what is one player's name and may be several others'.
    fn parted<'t>(&self, list: &'t str) -> Result<Vec<&'t str>, Message> {
        let ways = self.words.into_iter().flat_map(|words| words.ways(AND));
        let ways: Vec<String> = ways.chain([AND]).map(|and| format!(" {and} ")).collect();
        let parts = ways.iter().fold(vec![list], |parts, and| {
            parts.into_iter().flat_map(|part| part.split(and.as_str())).collect()
        });
        let parts: Vec<&str> =
            parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect();
        let list = list.trim();
        if parts == [list] || !self.is_whole_name(list) {
            return Ok(parts);
        }
        let whole = self.who(list)?;
        let is_other = |part: &&str| self.who(part).is_ok_and(|seats| seats != whole);
        if parts.iter().any(is_other) { Err(which(list)) } else { Ok(vec![list]) }
    }

    /// `2, 3: text`, `ann and bob: text`, `2 3: text`; none when what stands before the colon is no
    /// such list.
    fn listed<'t>(&self, rest: &'t str) -> Option<Told<'t>> {
        let (head, text) = rest.split_once([':', '：'])?;
        let parts = head.split([',', ';', '&']).map(|part| self.parted(part));
        let items: Vec<&str> = match parts.collect::<Result<Vec<_>, _>>() {
            Ok(parts) => parts.into_iter().flatten().collect(),
            Err(why) => return Some(Err(why)),
        };
        let many = items.len() > 1;
        if items.is_empty() || items.iter().any(|item| item.split_whitespace().count() > NAME_WORDS)
        {
            return None;
        }
        let mut to = Vec::new();
        for item in items {
            let numbers: Option<Vec<Seat>> =
                item.split_whitespace().map(|word| self.number(word)).collect();
            match numbers.map_or_else(|| self.who(item), Ok) {
                Ok(seats) => to.extend(seats),
                Err(why) if many => return Some(Err(why)),
                // The colon belongs to the text.
                Err(_) => return None,
            }
        }
        Some(self.others(to).map(|to| (to, text.trim())))
    }

    /// `2 text`, `2 3 text`, `ann text`: numbers, or one name.
    fn named<'t>(&self, rest: &'t str) -> Told<'t> {
        let ends = word_ends(rest);
        let upto = |count: usize| {
            let end = count.checked_sub(1).and_then(|last| ends.get(last));
            rest.split_at(end.copied().unwrap_or(0))
        };
        let words: Vec<&str> = rest.split_whitespace().collect();
        let bare = |word: &&str| self.number(word.trim_end_matches(',')).is_some();
        let numbers = words.iter().take_while(|word| bare(word)).count();
        let seats = words.iter().take(numbers).filter_map(|w| self.number(w.trim_matches(',')));
        if numbers > 0 {
            let to: Vec<Seat> = seats.collect();
            let text = upto(numbers).1;
            self.one_more(text).map_or(Ok(()), Err)?;
            return Ok((self.others(to)?, text.trim()));
        }
        let names = (2..=NAME_WORDS.min(words.len())).rev();
        let whole = names.map(upto).find(|(name, _)| self.is_whole_name(name));
        whole.map_or(Ok(()), |(name, _)| self.parted(name).map(drop))?;
        let (name, text) = whole.unwrap_or_else(|| upto(1));
        let to = self.who(name.trim_end_matches(','))?;
        let comma = if name.ends_with(',') { "," } else { "" };
        self.one_more(&format!("{comma}{text}")).map_or(Ok(()), Err)?;
        Ok((self.others(to)?, text.trim()))
    }

    /// Whether a text goes on with one more of those who are told: only a colon can say that.
    fn one_more(&self, text: &str) -> Option<Message> {
        let text = text.trim_start();
        let and = self.words.and_then(|words| words.lead(text));
        let and = and.filter(|(means, _)| *means == AND).map(|(_, rest)| rest);
        let signs = || [",", "&", "and "].iter().find_map(|part| text.strip_prefix(part));
        let rest = and.or_else(signs)?;
        let next = rest.split_whitespace().next()?.trim_end_matches(',');
        self.who(next).is_ok().then(|| Message::new("talk-colon"))
    }

    /// Everyone who is told but the writer.
    fn others(&self, mut to: Vec<Seat>) -> Result<Vec<Seat>, Message> {
        to.sort_unstable();
        to.dedup();
        let named = !to.is_empty();
        to.retain(|seat| *seat != self.own);
        if named && to.is_empty() { Err(Message::new("talk-to-yourself")) } else { Ok(to) }
    }

    fn number(&self, word: &str) -> Option<Seat> {
        let number = word.parse::<u8>().ok()?;
        (1..=self.names.len()).contains(&usize::from(number)).then(|| Seat::new(number))
    }

    fn is_whole_name(&self, name: &str) -> bool {
        self.names.iter().any(|other| plain(other) == plain(name))
    }

    /// Whom a name means: nobody in particular when it is everyone's.
    fn who(&self, name: &str) -> Result<Vec<Seat>, Message> {
        // What stands behind a name is no part of it.
        let name = name.trim().trim_end_matches([':', ',']).trim_end();
        let called = self.is_whole_name(name);
        let english = self.words.and_then(|words| words.english(name));
        let meant = english.as_deref().unwrap_or(name);
        let is_everybody = EVERYBODY.contains(&&*plain(meant));
        if called && is_everybody {
            return Err(which(name));
        }
        let meant = if called { name } else { meant };
        let bare =
            after_word(meant, "seat").or_else(|| after_word(meant, "player")).unwrap_or(meant);
        if let Some(seat) = self.number(bare) {
            return Ok(vec![seat]);
        }
        let wanted = plain(name);
        let tiers: [&dyn Fn(&str) -> bool; 3] = [
            &|other| other == wanted,
            &|other| other.split(' ').any(|part| part == wanted),
            &|other| wanted.chars().count() > 1 && other.starts_with(&wanted),
        ];
        for fits in tiers.into_iter().filter(|_| !wanted.is_empty()) {
            let found: Vec<Seat> = (0..self.names.len())
                .filter(|at| self.names.get(*at).is_some_and(|other| fits(&plain(other))))
                .map(Seat::from_index)
                .collect();
            match found.as_slice() {
                [] => {}
                [_] => return Ok(found),
                _ => return Err(which(name)),
            }
        }
        if is_everybody {
            let all = (0..self.names.len()).map(Seat::from_index);
            return Ok(all.collect());
        }
        let seats: Vec<Arg> = self
            .names
            .iter()
            .zip(1_u8..)
            .map(|(name, number)| {
                Arg::from(Message::new("talk-seat").with("number", number).with("name", &**name))
            })
            .collect();
        let key = if name.trim().is_empty() { "talk-to-whom" } else { "talk-nobody" };
        let why = Message::new(key).with("name", excerpt(name));
        Err(why.with("seats", Arg::List(seats)))
    }
}

/// The refusal of a name that may be more than one player's.
fn which(name: &str) -> Message {
    Message::new("talk-which").with("name", excerpt(name))
}

/// Whether a line is nothing but this name or its first word.
pub(crate) fn is_name(line: &str, name: &str) -> bool {
    let (line, name) = (plain(line), plain(name));
    !line.is_empty() && (line == name || name.split(' ').next() == Some(line.as_str()))
}

/// Where the words of a text end, in bytes.
fn word_ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut before = ' ';
    for (at, now) in text.char_indices().chain([(text.len(), ' ')]) {
        if now.is_whitespace() && !before.is_whitespace() {
            ends.push(at);
        }
        before = now;
    }
    ends
}

/// A name as it is compared: letters and digits in lower case, words parted by one blank.
fn plain(name: &str) -> String {
    let letters: String = name
        .chars()
        .filter(|c| c.is_alphanumeric() || c.is_whitespace())
        .flat_map(char::to_lowercase)
        .collect();
    letters.split_whitespace().collect::<Vec<_>>().join(" ")
}

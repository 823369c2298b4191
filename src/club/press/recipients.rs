//! The parser for the first line of a message to players: its recipients, and the beginning of its
//! text.

use crate::club::Lexicon;
use crate::rules::{Arg, Message, Seat, excerpt};

/// The recipients of a message, and the text on its first line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ParsedRecipients<'t> {
    /// The recipients. Empty for a message to all.
    pub(crate) recipients: Vec<Seat>,
    pub(crate) anonymous: bool,
    /// The message's text on the first line. Empty if the message is a block.
    pub text: &'t str,
}

/// The English words for all players of the game.
pub(crate) const EVERYBODY_WORDS: [&str; 3] = ["all", "everyone", "everybody"];

/// The English word that may stand before a name, as in `say to ann`.
const TO_WORD: &str = "to";
/// The least characters of an abbreviated name behind `say`. Shorter words are usually text.
const SHORT_NAME_MIN: usize = 3;

/// The English word that joins two names.
pub(crate) const AND_WORD: &str = "and";

/// The most words of a player's name in a list of recipients.
const NAME_WORDS_MAX: usize = 4;

/// Parses a line that may begin a message: `say ...` or `tell ...`. `None` if it does not.
pub(crate) fn parse_opening_line<'t>(
    line: &'t str,
    people: &PlayerNames<'_>,
) -> Option<Result<ParsedRecipients<'t>, Message>> {
    let line = line.trim();
    let (rest, is_say) = match (strip_word(line, "say"), strip_word(line, "tell")) {
        (Some(rest), _) => (rest, true),
        (None, Some(rest)) => (rest, false),
        (None, None) => return None,
    };
    let unsigned = strip_word(rest, "anonymously").or_else(|| people.strip_anonymously(rest));
    let (rest, anonymous) = (unsigned.unwrap_or(rest), unsigned.is_some());
    if is_say {
        if let Some(wrong) = people.private_message_error(rest, anonymous) {
            return Some(Err(wrong));
        }
        return Some(Ok(ParsedRecipients { recipients: Vec::new(), anonymous, text: rest }));
    }
    let to = |(to, text)| ParsedRecipients { recipients: to, anonymous, text };
    Some(
        people
            .parse_recipient_list(rest)
            .unwrap_or_else(|| people.parse_leading_recipients(rest))
            .map(to),
    )
}

/// Whether a line begins with `say` or `tell`.
pub(crate) fn begins_with_say_or_tell(line: &str) -> bool {
    ["say", "tell"].iter().any(|word| strip_word(line.trim(), word).is_some())
}

/// Returns the text behind `word` at the beginning of a line, without blanks and colons before it.
fn strip_word<'t>(line: &'t str, word: &str) -> Option<&'t str> {
    let (first, rest) = line.split_at_checked(word.len())?;
    let parted = rest.is_empty() || rest.starts_with([' ', ':', '：']);
    (first.eq_ignore_ascii_case(word) && parted).then(|| rest.trim_start_matches([' ', ':', '：']))
}

/// The names by which the letters of one sender may call players.
pub(crate) struct PlayerNames<'a> {
    pub names: &'a [String],
    pub sender: Seat,
    pub lexicon: Option<&'a Lexicon>,
    /// The lexicon of club commands in the sender's language.
    pub commands: Option<&'a Lexicon>,
}

type RecipientsAndText<'t> = Result<(Vec<Seat>, &'t str), Message>;

impl PlayerNames<'_> {
    fn strip_anonymously<'t>(&self, rest: &'t str) -> Option<&'t str> {
        let (means, text) = self.lexicon?.translate_first_phrase(rest)?;
        (means == "anonymously").then(|| text.trim_start_matches([' ', ':', '：']))
    }

    /// Returns the refusal of a message to all that begins like one to some players: `say ann:
    /// text` or `say to ann text`. It may be meant for them alone, and it cannot be taken back.
    fn private_message_error(&self, rest: &str, anonymous: bool) -> Option<Message> {
        let means_to = |(means, _): &(&str, &str)| *means == TO_WORD;
        let own = self.commands.and_then(|words| words.translate_first_phrase(rest));
        let own = own.filter(means_to).map(|(_, names)| names.trim_start());
        let to = strip_word(rest, TO_WORD).or(own);
        let names = to.unwrap_or(rest);
        let is_private = self.begins_with_list(names)
            || to.is_some() && self.is_part_of_name(names.split(' ').next().unwrap_or_default());
        is_private.then(|| {
            let tell = self.commands.map(|words| words.translate_from_english("tell"));
            let tell = tell.as_deref().unwrap_or("tell");
            let tell = if anonymous { format!("{tell} anonymously") } else { tell.to_owned() };
            Message::new("talk-say-name").with("line", format!("{tell} {names}"))
        })
    }

    /// Whether a text begins with names of players and a colon. A clock time such as `2:30`, and a
    /// mention such as `@ann:`, do not count.
    fn begins_with_list(&self, text: &str) -> bool {
        let Some((head, behind)) = text.split_once([':', '：']) else { return false };
        let is_time = head.ends_with(|c: char| c.is_ascii_digit())
            && behind.starts_with(|c: char| c.is_ascii_digit());
        let list = match self.parse_recipient_list(text) {
            Some(Ok(_)) => Some(head),
            // A list in which only the first name is known may be meant for that player.
            Some(Err(_)) => head.split([',', ';', '&']).next(),
            None => None,
        };
        !is_time
            && !head.starts_with('@')
            && list.is_some_and(|list| list.split([',', ';', '&']).any(|name| self.is_name(name)))
    }

    /// Whether a word or phrase names one player: a number, a whole word of the name, or its first
    /// three letters or more. A word for all players does not count.
    fn is_name(&self, name: &str) -> bool {
        let is_long = name.trim().chars().count() >= SHORT_NAME_MIN
            || self.parse_seat(name.trim()).is_some()
            || self.is_part_of_name(name);
        let is_one = |item: &&str| self.find_seats(item).is_ok_and(|seats| seats.len() == 1);
        is_long && self.split_joined_names(name).is_ok_and(|items| items.iter().any(is_one))
    }

    /// Whether a word is a whole word of a player's name.
    fn is_part_of_name(&self, word: &str) -> bool {
        let wanted = normalize_name(word);
        let has_word = |name: &String| normalize_name(name).split(' ').any(|part| part == wanted);
        !wanted.is_empty() && self.names.iter().any(has_word)
    }

    /// Splits one item of a list into names, at words such as `and`. A player's name that contains
    /// such a word stays whole. Refuses an item that is one player's name, but could also mean
    /// several other players.
    fn split_joined_names<'t>(&self, list: &'t str) -> Result<Vec<&'t str>, Message> {
        let ways = self.lexicon.into_iter().flat_map(|words| words.synonyms_of(AND_WORD));
        let ways: Vec<String> = ways.chain([AND_WORD]).map(|and| format!(" {and} ")).collect();
        let parts = ways.iter().fold(vec![list], |parts, and| {
            parts.into_iter().flat_map(|part| part.split(and.as_str())).collect()
        });
        let parts: Vec<&str> =
            parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect();
        let list = list.trim();
        if parts == [list] || !self.is_full_name(list) {
            return Ok(parts);
        }
        let whole = self.find_seats(list)?;
        let is_other = |part: &&str| self.find_seats(part).is_ok_and(|seats| seats != whole);
        if parts.iter().any(is_other) { Err(ambiguous_name_error(list)) } else { Ok(vec![list]) }
    }

    /// Parses a list of recipients that ends with a colon: `2, 3: text`, `ann and bob: text`, `2 3:
    /// text`. `None` if the text before the colon is not such a list.
    fn parse_recipient_list<'t>(&self, rest: &'t str) -> Option<RecipientsAndText<'t>> {
        let (head, text) = rest.split_once([':', '：'])?;
        let parts = head.split([',', ';', '&']).map(|part| self.split_joined_names(part));
        let items: Vec<&str> = match parts.collect::<Result<Vec<_>, _>>() {
            Ok(parts) => parts.into_iter().flatten().collect(),
            Err(why) => return Some(Err(why)),
        };
        let many = items.len() > 1;
        if items.is_empty()
            || items.iter().any(|item| item.split_whitespace().count() > NAME_WORDS_MAX)
        {
            return None;
        }
        let mut to = Vec::new();
        for item in items {
            let numbers: Option<Vec<Seat>> =
                item.split_whitespace().map(|word| self.parse_seat(word)).collect();
            match numbers.map_or_else(|| self.find_seats(item), Ok) {
                Ok(seats) => to.extend(seats),
                Err(why) if many => return Some(Err(why)),
                // The colon belongs to the text.
                Err(_) => return None,
            }
        }
        Some(self.exclude_sender(to).map(|to| (to, text.trim())))
    }

    /// Parses recipients without a colon: seat numbers, or one name, as in `2 text`, `2 3 text`,
    /// `ann text`.
    fn parse_leading_recipients<'t>(&self, rest: &'t str) -> RecipientsAndText<'t> {
        let ends = find_word_ends(rest);
        let upto = |count: usize| {
            let end = count.checked_sub(1).and_then(|last| ends.get(last));
            rest.split_at(end.copied().unwrap_or(0))
        };
        let words: Vec<&str> = rest.split_whitespace().collect();
        let bare = |word: &&str| self.parse_seat(word.trim_end_matches(',')).is_some();
        let numbers = words.iter().take_while(|word| bare(word)).count();
        let seats = words.iter().take(numbers).filter_map(|w| self.parse_seat(w.trim_matches(',')));
        if numbers > 0 {
            let to: Vec<Seat> = seats.collect();
            let text = upto(numbers).1;
            self.missing_colon_in_list_error(text).map_or(Ok(()), Err)?;
            return Ok((self.exclude_sender(to)?, text.trim()));
        }
        let names = (2..=NAME_WORDS_MAX.min(words.len())).rev();
        let whole = names.map(upto).find(|(name, _)| self.is_full_name(name));
        whole.map_or(Ok(()), |(name, _)| self.split_joined_names(name).map(drop))?;
        let (name, text) = whole.unwrap_or_else(|| upto(1));
        let to = self.find_seats(name.trim_end_matches(','))?;
        let comma = if name.ends_with(',') { "," } else { "" };
        self.missing_colon_in_list_error(&format!("{comma}{text}")).map_or(Ok(()), Err)?;
        Ok((self.exclude_sender(to)?, text.trim()))
    }

    /// Returns an error if the text begins with "and" or a comma and another player's name. A list
    /// of names needs a colon, as it is ambiguous without one.
    fn missing_colon_in_list_error(&self, text: &str) -> Option<Message> {
        let text = text.trim_start();
        let and = self.lexicon.and_then(|words| words.translate_first_phrase(text));
        let and = and.filter(|(means, _)| *means == AND_WORD).map(|(_, rest)| rest);
        let signs = || [",", "&", "and "].iter().find_map(|part| text.strip_prefix(part));
        let rest = and.or_else(signs)?;
        let next = rest.split_whitespace().next()?.trim_end_matches(',');
        self.find_seats(next).is_ok().then(|| Message::new("talk-colon"))
    }

    /// Removes the sender from the recipients. Refuses a message to the sender alone.
    fn exclude_sender(&self, mut to: Vec<Seat>) -> Result<Vec<Seat>, Message> {
        to.sort_unstable();
        to.dedup();
        let named = !to.is_empty();
        to.retain(|seat| *seat != self.sender);
        if named && to.is_empty() { Err(Message::new("talk-to-yourself")) } else { Ok(to) }
    }

    fn parse_seat(&self, word: &str) -> Option<Seat> {
        let number = word.parse::<u8>().ok()?;
        (1..=self.names.len()).contains(&usize::from(number)).then(|| Seat::new(number))
    }

    fn is_full_name(&self, name: &str) -> bool {
        self.names.iter().any(|other| normalize_name(other) == normalize_name(name))
    }

    /// Returns the seats of the players whom a name means. It may be a seat number, a full name, a
    /// word of a name, or the beginning of a name. A word for all players means every seat.
    fn find_seats(&self, name: &str) -> Result<Vec<Seat>, Message> {
        // Punctuation behind a name is not a part of it.
        let name = name.trim().trim_end_matches([':', ',']).trim_end();
        let called = self.is_full_name(name);
        let english = self.lexicon.and_then(|words| words.translate_to_english(name));
        let meant = english.as_deref().unwrap_or(name);
        let is_everybody = EVERYBODY_WORDS.contains(&&*normalize_name(meant));
        if called && is_everybody {
            return Err(ambiguous_name_error(name));
        }
        let meant = if called { name } else { meant };
        let bare =
            strip_word(meant, "seat").or_else(|| strip_word(meant, "player")).unwrap_or(meant);
        if let Some(seat) = self.parse_seat(bare) {
            return Ok(vec![seat]);
        }
        let wanted = normalize_name(name);
        let tiers: [&dyn Fn(&str) -> bool; 3] = [
            &|other| other == wanted,
            &|other| other.split(' ').any(|part| part == wanted),
            &|other| wanted.chars().count() > 1 && other.starts_with(&wanted),
        ];
        for fits in tiers.into_iter().filter(|_| !wanted.is_empty()) {
            let found: Vec<Seat> = (0..self.names.len())
                .filter(|at| self.names.get(*at).is_some_and(|other| fits(&normalize_name(other))))
                .map(Seat::from_index)
                .collect();
            match found.as_slice() {
                [] => {}
                [_] => return Ok(found),
                _ => return Err(ambiguous_name_error(name)),
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

/// Returns the refusal of a name that may mean several players.
fn ambiguous_name_error(name: &str) -> Message {
    Message::new("talk-which").with("name", excerpt(name))
}

/// Whether a line consists of this name or its first word only.
pub(crate) fn is_full_or_first_name(line: &str, name: &str) -> bool {
    let (line, name) = (normalize_name(line), normalize_name(name));
    !line.is_empty() && (line == name || name.split(' ').next() == Some(line.as_str()))
}

fn find_word_ends(text: &str) -> Vec<usize> {
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

/// Reduces a name to lower-case letters and digits, with one blank between words. Names are
/// compared in this form.
fn normalize_name(name: &str) -> String {
    let letters: String = name
        .chars()
        .filter(|c| c.is_alphanumeric() || c.is_whitespace())
        .flat_map(char::to_lowercase)
        .collect();
    letters.split_whitespace().collect::<Vec<_>>().join(" ")
}

//! The parser for commands that change a member's settings: the time zone, vacations, reminders,
//! language and letters.
//!
//! A letter's settings are parsed before its orders. They apply to all games of the member, except
//! those that name the game of the letter.

use super::clock::{
    Length, ReminderChoice, Vacation, VacationError, describe_day, describe_duration,
    describe_moment, parse_zone,
};
use super::digest_time::DigestTime;
use super::letter_style::{Colours, NewsPreference, parse_style_line, set_language, set_switch};
use super::{Member, parse_mailbox};
use crate::rules::{Arg, Message};
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;

/// A command that changes a member's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingCommand {
    /// Sets the zone of all times and deadlines: `zone Europe/Madrid`.
    Zone(Tz),
    /// Adds a vacation of several days or one day: `vacation 2026-12-20 to 2027-01-03`.
    Vacation(Vacation),
    /// Removes the vacation days from today on: `no vacation`.
    NoVacation,
    /// Sets the interval of reminders: `remind 12h`, `remind off` or `remind as usual`.
    Reminders(ReminderChoice),
    /// Sets the language of letters: `language en`. The tag may be one that the club does not have.
    Language(String),
    /// Sets a setting with two values: `letters text`, `calendar on` and similar lines.
    Switch(String),
    /// Sets the use of colours: `colours on`, `colours patterns` or `colours off`.
    Colours(Colours),
    /// Sends queued letters of several games as one, with or without a time of day: `letters
    /// digest`, `letters digest 18:00`.
    Digest(DigestTime),
    /// Sends each letter by itself: `letters each`.
    NoDigest,
    /// Sets which news of the game of the answered letter causes letters: `letters turns here`,
    /// `letters all here` or `letters as usual`.
    NewsInGame(Option<NewsPreference>),
}

/// The message that says what is wrong with a command in a letter.
pub type LineError = Message;

impl SettingCommand {
    /// Parses a line that may change a member's setting. `None` if the line is not about a setting.
    pub fn parse(line: &str) -> Option<Result<Self, LineError>> {
        let line = line.trim().trim_end_matches(['.', '!']);
        let words: Vec<&str> =
            line.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()).collect();
        let (first, rest) = words.split_first()?;
        match (first.trim_end_matches(':').to_lowercase().as_str(), rest) {
            ("zone" | "timezone", [zone]) => Some(
                parse_zone(zone)
                    .map(Self::Zone)
                    .map_err(|_| Message::new("zone-unknown").with("zone", *zone)),
            ),
            ("vacation" | "holiday", ["off" | "none"]) => Some(Ok(Self::NoVacation)),
            ("no", ["vacation"]) => Some(Ok(Self::NoVacation)),
            ("vacation" | "holiday", rest) => Some(parse_vacation(rest).map(Self::Vacation)),
            (first, rest) => {
                let rest: Vec<String> = rest.iter().map(|word| word.to_lowercase()).collect();
                let words: Vec<&str> =
                    std::iter::once(first).chain(rest.iter().map(String::as_str)).collect();
                parse_reminder_line(&words)
                    .map(|choice| choice.map(Self::Reminders))
                    .or_else(|| parse_style_line(&words))
            }
        }
    }

    /// Applies the command to a member. Returns the changed member and the confirmation. A year may
    /// have at most `vacation_days` vacation days. `languages` are the tags that the club has.
    /// Refuses, for example, a vacation for which too few days are left.
    pub(crate) fn apply_to(
        self,
        member: &Member,
        now: DateTime<Utc>,
        (vacation_days, languages): (u32, &[&str]),
    ) -> Result<(Member, Message), LineError> {
        let mut member = member.clone();
        let today = member.time.local_day(now);
        let said = match self {
            Self::Zone(zone) => {
                member.time.zone = Some(zone);
                Message::new("zone-kept")
                    .with("zone", zone.name())
                    .with("now", describe_moment(now, &member.time))
            }
            Self::Vacation(vacation) => {
                member.time = member
                    .time
                    .with_vacation(vacation, today, vacation_days)
                    .map_err(|why| refusal_message(why, vacation_days))?;
                Message::new("vacation-kept")
                    .with("from", describe_day(vacation.from))
                    .with("to", describe_day(vacation.to))
            }
            Self::NoVacation => {
                member.time = member.time.without_future_vacation(today);
                Message::new("vacation-off")
            }
            Self::Reminders(choice) => {
                member.time.reminders = choice;
                choice.describe_with("remind-kept")
            }
            Self::Language(tag) => set_language(&tag, &mut member, languages)?,
            Self::Switch(line) => set_switch(&line, &mut member)?,
            Self::Colours(colours) => {
                member.letters.colours = colours;
                Message::new("colours-kept").with("colours", colours.keyword())
            }
            Self::Digest(at) => {
                (member.letters.digest, member.letters.digest_at) = (true, at);
                match at {
                    DigestTime::Off => Message::new("letters-digest-kept"),
                    DigestTime::At(_) => Message::new("letters-digest-at-kept")
                        .with("time", at.to_string())
                        .with("zone", member.time.zone().name()),
                }
            }
            Self::NoDigest => {
                (member.letters.digest, member.letters.digest_at) = (false, DigestTime::Off);
                Message::new("letters-each-kept")
            }
            Self::NewsInGame(_) => return Err(Message::new("letters-here-where")),
        };
        Ok((member, said))
    }
}

/// Parses `address ann@example.org`. `None` if the line is not about an address. The sender says
/// that the address is theirs. Letters go there only after the sender has answered a letter to it.
pub fn parse_address_line(line: &str) -> Option<Result<String, LineError>> {
    let line = line.trim().trim_end_matches(['.', '!']);
    let (first, rest) = line.split_once([' ', ':'])?;
    if !first.eq_ignore_ascii_case("address") {
        return None;
    }
    let rest = rest.trim_start_matches([' ', ':']);
    let address = parse_mailbox(rest).map(|(_, address)| address);
    Some(address.ok_or_else(|| Message::new("address-unread").with("address", rest)))
}

/// Parses the words of a line about reminders, in lower case. Prose may begin with the same word,
/// so a line of several words without a number is no error.
fn parse_reminder_line(words: &[&str]) -> Option<Result<ReminderChoice, LineError>> {
    let words = match words {
        ["no", "reminders"] => return Some(Ok(ReminderChoice::Off)),
        ["remind", "me", "every", rest @ ..]
        | ["remind", "me" | "every", rest @ ..]
        | ["remind", rest @ ..] => rest,
        _ => return None,
    };
    let interval = Length::parse(&words.join(" ")).ok();
    let is_allowed = |length: &Length| length.to_time_delta() >= ReminderChoice::INTERVAL_MIN;
    let begins_with_digit = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    match (words, interval.filter(is_allowed)) {
        (["off"], _) => Some(Ok(ReminderChoice::Off)),
        (["as", "usual"], _) => Some(Ok(ReminderChoice::Usual)),
        (_, Some(interval)) => Some(Ok(ReminderChoice::Every(interval))),
        ([_, _, ..], None) if !words.first().is_some_and(begins_with_digit) => None,
        _ => {
            let least = describe_duration(ReminderChoice::INTERVAL_MIN);
            Some(Err(Message::new("remind-unread").with("least", least)))
        }
    }
}

impl ReminderChoice {
    /// Returns the message with this key about the choice.
    pub(super) fn describe_with(self, key: &'static str) -> Message {
        let word = Message::new(key).with("choice", self.keyword());
        let interval = self.interval_or(None).map(describe_duration);
        let interval = interval.map_or(Arg::from(""), Arg::from);
        word.with("interval", interval)
    }
}

fn parse_vacation(words: &[&str]) -> Result<Vacation, LineError> {
    let wrong = || Message::new("vacation-unread");
    let mut days = Vec::new();
    for word in words.iter().filter(|word| !matches!(**word, "from" | "to" | "until" | "-")) {
        days.push(word.parse::<NaiveDate>().map_err(|_| wrong())?);
    }
    match days.as_slice() {
        [day] => Ok(Vacation { from: *day, to: *day }),
        [from, to] => Ok(Vacation { from: *from, to: *to }),
        _ => Err(wrong()),
    }
}

fn refusal_message(why: VacationError, allowed: u32) -> Message {
    match why {
        VacationError::EndsBeforeStart => Message::new("vacation-backwards"),
        VacationError::StartsInPast => Message::new("vacation-past"),
        VacationError::TooFarAhead => Message::new("vacation-far"),
        VacationError::TooFewDaysLeft { year, left } => Message::new("vacation-spent")
            .with("year", year.to_string())
            .with("left", left)
            .with("allowed", allowed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_commands_are_distinguished_from_orders() {
        let read = |line| SettingCommand::parse(line).map(|line| line.map_err(|wrong| wrong.key));
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let winter = Vacation { from: day("2026-12-20"), to: day("2027-01-03") };
        let taken = Some(Ok(SettingCommand::Vacation(winter)));
        assert_eq!(read("Vacation 2026-12-20 to 2027-01-03."), taken);
        assert_eq!(read("vacation: from 2026-12-20 until 2027-01-03"), taken);
        assert_eq!(read("no vacation"), Some(Ok(SettingCommand::NoVacation)));
        assert_eq!(read("zone europe/madrid"), Some(Ok(SettingCommand::Zone(Tz::Europe__Madrid))));
        assert_eq!(read("zone Atlantis"), Some(Err("zone-unknown")));
        assert_eq!(read("vacation next week"), Some(Err("vacation-unread")));
        assert_eq!(read("build red G23"), None);
        assert_eq!(read("no plans"), None);
    }

    #[test]
    fn address_line_accepts_optional_name() {
        let read =
            |line| parse_address_line(line).map(|address| address.map_err(|wrong| wrong.key));
        let new = Some(Ok("new@example.org".to_owned()));
        assert_eq!(read("Address: New@Example.org."), new);
        assert_eq!(read("address Ann <new@example.org>"), new);
        assert_eq!(read("address unknown"), Some(Err("address-unread")));
        assert_eq!(read("addresses are hard"), None);
    }

    #[test]
    fn letter_style_lines_are_parsed() {
        let read = |line| SettingCommand::parse(line).map(|line| line.map_err(|wrong| wrong.key));
        let style = |style| Some(Ok(style));
        let switch = |line: &str| style(SettingCommand::Switch(line.to_owned()));
        assert_eq!(read("Language: EN"), style(SettingCommand::Language("en".to_owned())));
        for (line, usual) in [
            ("letters text", "letters text"),
            ("plain text.", "letters text"),
            ("HTML letters", "letters html"),
            ("Unicode boards!", "board unicode"),
            ("board: ascii", "board ascii"),
            ("calendar on", "calendar on"),
            ("Letters: turns.", "letters turns"),
            ("letters all", "letters all"),
        ] {
            assert_eq!(read(line), switch(usual), "{line}");
        }
        assert_eq!(read("colors patterns"), style(SettingCommand::Colours(Colours::Patterns)));
        assert_eq!(read("no colours"), style(SettingCommand::Colours(Colours::Off)));
        assert_eq!(read("letters digest"), style(SettingCommand::Digest(DigestTime::Off)));
        let at = DigestTime::try_from("18:00".to_owned()).unwrap();
        for line in ["Letters digest 18:00.", "letters digest at 18:00", "digest 18:00"] {
            assert_eq!(read(line), style(SettingCommand::Digest(at)), "{line}");
        }
        for line in ["letters each", "letters digest off", "no digest"] {
            assert_eq!(read(line), style(SettingCommand::NoDigest), "{line}");
        }
        assert_eq!(
            read("letters all here"),
            style(SettingCommand::NewsInGame(Some(NewsPreference::All)))
        );
        assert_eq!(
            read("letters turns here"),
            style(SettingCommand::NewsInGame(Some(NewsPreference::Turns)))
        );
        assert_eq!(read("letters as usual"), style(SettingCommand::NewsInGame(None)));
        for (line, wrong) in [
            ("letters pdf", "letters-unread"),
            ("letters digest 25:00", "digest-time-unread"),
            ("colours red", "colours-unread"),
            ("calendar weekly", "calendar-unread"),
        ] {
            assert_eq!(read(line), Some(Err(wrong)), "{line}");
        }
        for line in ["board", "board red", "board ascii G23", "text", "letters take long", "on"] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}

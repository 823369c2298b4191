//! Interventions: changes of a game from outside its rules. This is the one list of them, with
//! their syntax and their messages in the activity log.
//!
//! Players can vote on some of them, and the moderator can order them by letter or on the command
//! line. Others follow from the clock, or from players who come and go. Pure: other modules carry
//! them out.

use super::clock::{ClockRule, Deadline, Length};
use super::moderator_command::ModeratorLineError;
use crate::rules::{Message, Seat};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A change of a game from outside its rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intervention {
    /// All awaited players get this much more time.
    Extend(Length),
    /// The game's clock stops for all seats.
    Pause,
    /// The game's clock runs again after a pause. Each player has as much time left as before the
    /// pause.
    Resume,
    /// The game uses these clock rules from now on. If they change when orders are due, awaited
    /// seats get new deadlines, but keep more time that they were given.
    Set(Vec<ClockRule>),
    /// The game goes back to the state after this record.
    Rewind(u32),
    /// The game ends as it stands.
    End,
    /// The game does what its rules say for an absent player, for this awaited seat.
    Force(Seat),
    /// The reply tokens of this seat become void. Players cannot see this in the activity log,
    /// because it would show whose mail was at risk.
    Rotate(Seat),
    /// Another person takes this seat over, with its history.
    Replace { seat: Seat, by: Substitute },
    /// The player of this seat leaves the game, and the seat is open to others.
    Vacate(Seat),
    /// All players get an announcement. Its text is stored as the reason.
    Announce,
}

/// The person who takes a seat over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Substitute {
    Member(u32),
    /// An address or name, or a newcomer as `Ann <ann@example.org>`. It is replaced by the member's
    /// number when the seat changes.
    Named(String),
}

impl From<&str> for Substitute {
    fn from(who: &str) -> Self {
        who.parse().map_or_else(|_| Self::Named(who.to_owned()), Self::Member)
    }
}

/// Writes the person as letters and the command line name them: by number, address or name.
impl fmt::Display for Substitute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Member(number) => write!(f, "{number}"),
            Self::Named(who) => f.write_str(who),
        }
    }
}

impl Intervention {
    /// Parses an intervention from its verb and the other words, in lower case. The game's number
    /// is not among them. `None` if the words have another form.
    ///
    /// # Errors
    /// The message that says which value is wrong.
    pub fn parse(verb: &str, rest: &[&str]) -> Result<Option<Self>, ModeratorLineError> {
        Ok(match (verb, rest) {
            ("pause", []) => Some(Self::Pause),
            ("resume", []) => Some(Self::Resume),
            ("end", []) => Some(Self::End),
            ("extend", ["by", by @ ..] | by) => Some(Self::Extend(parse_length(&by.join(" "))?)),
            ("rewind", ["to", to] | [to]) => parse_positive_number(to).map(Self::Rewind),
            ("force", rest) => parse_only_seat(rest).map(Self::Force),
            ("rotate", rest) => parse_only_seat(rest).map(Self::Rotate),
            ("remove", rest) => parse_only_seat(rest).map(Self::Vacate),
            ("replace", rest) => match parse_leading_seat(rest) {
                Some((seat, ["by" | "with", by @ ..])) if !by.is_empty() => {
                    Some(Self::Replace { seat, by: Substitute::from(&*by.join(" ")) })
                }
                _ => None,
            },
            ("set", [rule, value @ ..]) if !value.is_empty() => {
                Some(Self::Set(vec![parse_clock_rule(rule, &value.join(" "))?]))
            }
            _ => None,
        })
    }

    /// Returns the message that describes the intervention in the activity log.
    pub(crate) fn describe(&self) -> Message {
        let of_seat = |key, seat: &Seat| Message::new(key).with("seat", seat.number());
        match self {
            Self::Extend(by) => Message::new("minute-extend").with("by", by.describe()),
            Self::Pause => Message::new("minute-pause"),
            Self::Resume => Message::new("minute-resume"),
            Self::Set(rules) => {
                Message::new("minute-set").with("rules", ClockRule::describe_all(rules))
            }
            Self::Rewind(to) => Message::new("minute-rewind").with("to", *to),
            Self::End => Message::new("minute-end"),
            Self::Force(seat) => of_seat("minute-force", seat),
            Self::Rotate(seat) => of_seat("minute-rotate", seat),
            Self::Replace { seat, by } => {
                of_seat("minute-replace", seat).with("by", by.to_string())
            }
            Self::Vacate(seat) => of_seat("minute-vacate", seat),
            Self::Announce => Message::new("minute-announce"),
        }
    }
}

/// Parses `seat N` at the beginning of the words. Returns the seat and the remaining words.
fn parse_leading_seat<'a>(words: &'a [&'a str]) -> Option<(Seat, &'a [&'a str])> {
    match words {
        ["seat", seat, rest @ ..] => {
            let seat = u8::try_from(parse_positive_number(seat)?).ok()?;
            Some((Seat::new(seat), rest))
        }
        _ => None,
    }
}

/// Parses `seat N`. `None` if there are further words.
pub(super) fn parse_only_seat(words: &[&str]) -> Option<Seat> {
    parse_leading_seat(words).filter(|(_, rest)| rest.is_empty()).map(|(seat, _)| seat)
}

/// Parses a number from 1 on, with or without `#`.
pub(super) fn parse_positive_number(word: &str) -> Option<u32> {
    word.trim_start_matches('#').parse().ok().filter(|number| *number > 0)
}

fn parse_length(text: &str) -> Result<Length, ModeratorLineError> {
    let text = text.trim_matches(['"', '\'']);
    Length::parse(text).map_err(|_| Message::new("moderator-no-length").with("what", text))
}

fn parse_clock_rule(rule: &str, value: &str) -> Result<ClockRule, ModeratorLineError> {
    let value = value.trim_matches(['"', '\'']);
    let wrong = |key| Message::new(key).with("what", value);
    let length_or_none = |value: &str| match value {
        "none" | "off" | "0" => Ok(None),
        value => parse_length(value).map(Some),
    };
    match rule {
        "deadline" => Deadline::parse(value)
            .map(ClockRule::Deadline)
            .map_err(|_| wrong("moderator-no-deadline")),
        "grace" => length_or_none(value).map(ClockRule::Grace),
        "bank" => length_or_none(value).map(ClockRule::Bank),
        "increment" => length_or_none(value).map(ClockRule::Increment),
        "nmr" => value.parse().map(ClockRule::Nmr).map_err(|_| wrong("moderator-no-nmr")),
        _ => Err(Message::new("moderator-no-rule").with("what", rule)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::clock::NmrRule;
    use super::*;

    #[test]
    fn stored_interventions_round_trip() {
        let seat = Seat::new(2);
        let rules = vec![ClockRule::Nmr(NmrRule::StandIn), ClockRule::Grace(None)];
        for (kept, what) in [
            (r#""pause""#, Intervention::Pause),
            (r#"{"extend":"3 days"}"#, Intervention::Extend(Length::Days(3))),
            (r#"{"rewind":4}"#, Intervention::Rewind(4)),
            (r#"{"set":[{"nmr":"stand-in"},{"grace":null}]}"#, Intervention::Set(rules)),
            (
                r#"{"replace":{"seat":2,"by":5}}"#,
                Intervention::Replace { seat, by: Substitute::Member(5) },
            ),
            (r#"{"vacate":2}"#, Intervention::Vacate(seat)),
        ] {
            assert_eq!(serde_json::to_string(&what).expect("it has a form"), kept);
            assert_eq!(serde_json::from_str::<Intervention>(kept).expect(kept), what);
        }
    }

    #[test]
    fn set_without_value_is_no_intervention() {
        assert_eq!(Intervention::parse("set", &["nmr"]), Ok(None));
        assert_eq!(Intervention::parse("set", &[]), Ok(None));
        assert!(Intervention::parse("set", &["nmr", "never"]).is_err());
    }
}

//! What is done to a game from outside of its rules: one list of it, how it is written, kept, and
//! told of in the minutes.
//!
//! Players vote on some of it, the moderator orders it by letter or on the command line, the clock
//! and players who come and go lead to the rest. Pure. May not know how anything of it is done.

use super::clock::{ClockRule, Deadline, Length};
use super::moderator_command::ModeratorLineError;
use crate::rules::{Message, Seat};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Something that is done to a game from outside of its rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intervention {
    /// Everyone who is waited for gets so much more time.
    Extend(Length),
    /// The clock stands still.
    Pause,
    /// It runs again, and everyone has as much time left as before.
    Resume,
    /// The game is played by these rules of time from now on. Who is waited for begins anew where
    /// they say something new of when orders are due, and keeps what he was given besides.
    Set(Vec<ClockRule>),
    /// The game is taken back to where it was after this record.
    Rewind(u32),
    /// The game ends as it stands.
    End,
    /// What the rules have for an absent player is done for this seat, which is waited for.
    Force(Seat),
    /// The reply marks of this seat become void. Whose letters were in danger is nobody else's
    /// business.
    Rotate(Seat),
    /// Somebody else takes this seat over with its history.
    Replace {
        /// The seat that changes hands.
        seat: Seat,
        /// The member or newcomer who takes it over.
        by: Substitute,
    },
    /// Whoever sits here leaves the game, and the seat is open to others.
    Vacate(Seat),
    /// All players are told something, which stands in the place of a reason.
    Announce,
}

/// Who takes a seat over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Substitute {
    /// The member of this number.
    Member(u32),
    /// Who has this address, or is new as `Ann <ann@example.org>`; only until it is done.
    Named(String),
}

impl From<&str> for Substitute {
    fn from(who: &str) -> Self {
        who.parse().map_or_else(|_| Self::Named(who.to_owned()), Self::Member)
    }
}

/// As it is written in a letter or on the command line.
impl fmt::Display for Substitute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Member(number) => write!(f, "{number}"),
            Self::Named(who) => f.write_str(who),
        }
    }
}

impl Intervention {
    /// Reads what a line names besides its game: the word that it begins with and those at its end,
    /// lower case. None when it is written otherwise.
    ///
    /// # Errors
    /// What is wrong with a value in it.
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
                Some((seat, ["by" | "with", by])) => {
                    Some(Self::Replace { seat, by: Substitute::from(*by) })
                }
                _ => None,
            },
            ("set", [rule, value @ ..]) if !value.is_empty() => {
                Some(Self::Set(vec![parse_clock_rule(rule, &value.join(" "))?]))
            }
            _ => None,
        })
    }

    /// What the minutes say of it.
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

/// A seat that words begin with, and the words after it.
fn parse_leading_seat<'a>(words: &'a [&'a str]) -> Option<(Seat, &'a [&'a str])> {
    match words {
        ["seat", seat, rest @ ..] => {
            let seat = u8::try_from(parse_positive_number(seat)?).ok()?;
            Some((Seat::new(seat), rest))
        }
        _ => None,
    }
}

/// The seat that words name, and nothing else.
pub(super) fn parse_only_seat(words: &[&str]) -> Option<Seat> {
    parse_leading_seat(words).filter(|(_, rest)| rest.is_empty()).map(|(seat, _)| seat)
}

/// A number from 1 on.
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

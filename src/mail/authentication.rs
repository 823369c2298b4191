//! Reads `Authentication-Results` headers (RFC 8601), in which the club's mail server reports
//! whether a letter's sender is genuine.
//!
//! Anybody can add such headers to a letter. Only the topmost header of the club's own server is
//! trusted, because that server removes other headers with its name and puts its own above the
//! rest. The functions are pure and know no members.

use super::address::canonical_host;
use crate::rules::Message;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct AuthenticationResults {
    /// The name of the server that checked the letter, in lower case. `None` if it cannot be read.
    server: Option<String>,
    /// The results of the checks. `None` if they cannot be read.
    found: Option<Vec<Finding>>,
}

/// The result that one check of a letter, such as DMARC, reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Finding {
    /// The method, such as `dmarc`, in lower case.
    method: String,
    /// The result, such as `pass`, in lower case.
    result: String,
    /// The checked values by name, such as `header.from`, in lower case.
    properties: Vec<(String, String)>,
}

/// The reason why a letter's sender is not proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SenderDoubt {
    /// The letter has no header of the club's server.
    Unchecked,
    /// The header of the club's server is malformed, for example an unclosed comment.
    Unreadable,
    /// The header contains no DMARC result.
    NoDmarc,
    /// DMARC did not pass.
    Failed,
    /// DMARC passed for a domain that differs from the sender's.
    OtherDomain,
}

impl SenderDoubt {
    /// Whether a server checked the letter and found that the sender may be forged.
    pub(crate) const fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::OtherDomain)
    }

    /// Returns the reason as a translatable clause for the moderator.
    pub const fn to_message(self) -> Message {
        Message::new(match self {
            Self::Unchecked => "doubt-unchecked",
            Self::Unreadable => "doubt-unreadable",
            Self::NoDmarc => "doubt-no-dmarc",
            Self::Failed => "doubt-failed",
            Self::OtherDomain => "doubt-other-domain",
        })
    }
}

/// Checks that the mail server named `server` reports a DMARC pass for the sender `address`.
/// `headers` are the letter's `Authentication-Results`, topmost first.
///
/// # Errors
/// If the sender is not proven. The error is the reason.
pub fn verify_dmarc(headers: &[String], server: &str, address: &str) -> Result<(), SenderDoubt> {
    let domain = address.rsplit_once('@').map_or("", |(_, domain)| domain);
    let results = headers
        .iter()
        .map(|header| parse_authentication_results(header))
        .find(|results| results.may_be_from_server(server))
        .ok_or(SenderDoubt::Unchecked)?;
    let found = results.found.ok_or(SenderDoubt::Unreadable)?;
    let mut dmarc = found.iter().filter(|finding| finding.method == "dmarc").peekable();
    if dmarc.peek().is_none() {
        return Err(SenderDoubt::NoDmarc);
    }
    for finding in dmarc {
        if finding.result != "pass" {
            return Err(SenderDoubt::Failed);
        }
        let mut of = finding.properties.iter().filter(|(name, _)| name == "header.from").peekable();
        if of.peek().is_none() || !of.all(|(_, of)| canonical_host(of) == canonical_host(domain)) {
            return Err(SenderDoubt::OtherDomain);
        }
    }
    Ok(())
}

/// The servers that added `Authentication-Results` to a letter. Helps the moderator to find the
/// setting for the club's own server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuthenticationSummary {
    /// The number of headers in the name of the club's server that contain a DMARC result. A server
    /// that removes forged headers leaves exactly one.
    pub(crate) dmarc_headers: usize,
    /// The names of the other servers, topmost first.
    pub(crate) other_servers: Vec<String>,
}

impl AuthenticationSummary {
    /// Summarizes a letter's `Authentication-Results` headers, which are given topmost first.
    /// `server` is the name of the club's server.
    pub(crate) fn from_headers(headers: &[String], server: &str) -> Self {
        let mut checks = Self::default();
        for results in headers.iter().map(|header| parse_authentication_results(header)) {
            if results.may_be_from_server(server) {
                let mut found = results.found.iter().flatten();
                checks.dmarc_headers += usize::from(found.any(|finding| finding.method == "dmarc"));
            } else {
                checks.other_servers.extend(results.server);
            }
        }
        checks
    }
}

impl AuthenticationResults {
    /// Whether the header may be from the server. A header without a readable name may be from any
    /// server.
    fn may_be_from_server(&self, server: &str) -> bool {
        self.server.as_ref().is_none_or(|writer| writer.eq_ignore_ascii_case(server))
    }
}

/// Parses one header. Never skips a malformed header. Otherwise the next header, which may be
/// forged, would be trusted instead.
fn parse_authentication_results(header: &str) -> AuthenticationResults {
    let (clauses, whole) = split_clauses(header);
    let mut clauses = clauses.into_iter();
    let server = match clauses.next().and_then(|clause| clause.into_iter().next()) {
        Some(ClauseToken::Word(server)) => Some(server.to_lowercase()),
        Some(ClauseToken::Equals) | None => None,
    };
    let found = clauses
        .filter(|clause| !clause.is_empty())
        .filter_map(|clause| parse_clause_pairs(&clause));
    let found: Vec<Finding> = found.collect();
    let readable = whole && server.is_some();
    AuthenticationResults { server, found: readable.then_some(found) }
}

/// Parses a clause into pairs, of which the first is method and result. Returns `None` for the
/// single word `none`.
fn parse_clause_pairs(clause: &[ClauseToken]) -> Option<Finding> {
    let mut pairs = Vec::new();
    for place in clause.windows(3) {
        if let [ClauseToken::Word(name), ClauseToken::Equals, ClauseToken::Word(value)] = place {
            pairs.push((name.to_lowercase(), value.to_lowercase()));
        }
    }
    let mut pairs = pairs.into_iter();
    let (method, result) = pairs.next()?;
    let method = method.split('/').next().unwrap_or_default().to_owned();
    Some(Finding { method, result, properties: pairs.collect() })
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ClauseToken {
    Word(String),
    Equals,
}

/// Splits a header at semicolons into clauses, and drops comments. Also returns whether every
/// comment and quoted string is closed.
fn split_clauses(text: &str) -> (Vec<Vec<ClauseToken>>, bool) {
    let mut clauses = vec![Vec::new()];
    let whole = push_clauses(text, &mut clauses).is_some();
    (clauses, whole)
}

fn push_clauses(text: &str, clauses: &mut Vec<Vec<ClauseToken>>) -> Option<()> {
    let mut word: Option<String> = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let is_value =
            clauses.last().and_then(|clause| clause.last()) == Some(&ClauseToken::Equals);
        match character {
            '"' => word.get_or_insert_default().push_str(&read_quoted_string(&mut characters)?),
            // The base64 value of a signature may contain more equals signs.
            '=' if is_value && word.is_some() => word.get_or_insert_default().push('='),
            '(' | ';' | '=' => {
                let clause = clauses.last_mut()?;
                clause.extend(word.take().map(ClauseToken::Word));
                match character {
                    '(' => skip_comment(&mut characters)?,
                    ';' => clauses.push(Vec::new()),
                    _ => clause.push(ClauseToken::Equals),
                }
            }
            _ if character.is_whitespace() => {
                clauses.last_mut()?.extend(word.take().map(ClauseToken::Word));
            }
            _ => word.get_or_insert_default().push(character),
        }
    }
    clauses.last_mut()?.extend(word.take().map(ClauseToken::Word));
    Some(())
}

/// Reads the rest of a quoted string. Returns `None` if it is not closed.
fn read_quoted_string(characters: &mut std::str::Chars<'_>) -> Option<String> {
    let mut text = String::new();
    loop {
        match characters.next()? {
            '"' => return Some(text),
            '\\' => text.push(characters.next()?),
            character => text.push(character),
        }
    }
}

/// Skips the rest of a comment and its nested comments. Returns `None` if it is not closed.
fn skip_comment(characters: &mut std::str::Chars<'_>) -> Option<()> {
    let mut depth = 1;
    while depth > 0 {
        match characters.next()? {
            '(' => depth += 1,
            ')' => depth -= 1,
            '\\' => drop(characters.next()?),
            _ => {}
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verify_headers(headers: &[&str]) -> Result<(), SenderDoubt> {
        let headers: Vec<String> = headers.iter().map(|header| (*header).to_owned()).collect();
        verify_dmarc(&headers, "mx.example.org", "ann@example.net")
    }

    #[test]
    fn dmarc_pass_of_own_server_is_accepted() {
        let plain = "mx.example.org; dmarc=pass header.from=example.net";
        assert_eq!(verify_headers(&[plain]), Ok(()));
        let rich = "MX.example.org (ours; \"quoted\" (nested \\) still)) 1; spf=fail \
                    smtp.mailfrom=x@example.net; dkim = pass (2048-bit key; dmarc=fail) \
                    header.d=example.net header.b=\"aB;c=\" reason=\"dmarc=fail\"; \
                    dmarc/1=PASS (p=reject dis=none) header.from=\"Example.NET\"";
        assert_eq!(verify_headers(&[rich]), Ok(()));
    }

    #[test]
    fn only_topmost_header_of_own_server_counts() {
        let pass = "mx.example.org; dmarc=pass header.from=example.net";
        let other = pass.replace("mx.example.org", "mx.example.com");
        let fail = pass.replace("pass", "fail");
        assert_eq!(verify_headers(&[]), Err(SenderDoubt::Unchecked));
        assert_eq!(verify_headers(&[&other]), Err(SenderDoubt::Unchecked));
        assert_eq!(verify_headers(&[&fail, pass]), Err(SenderDoubt::Failed));
        assert_eq!(verify_headers(&[&other, pass]), Ok(()));
        assert_eq!(
            verify_headers(&["mx.example.org.evil.example; dmarc=pass header.from=example.net"]),
            Err(SenderDoubt::Unchecked)
        );
    }

    #[test]
    fn dmarc_must_pass_for_sender_domain() {
        let say = |what: &str| verify_headers(&[&format!("mx.example.org; {what}")]);
        assert_eq!(say("none"), Err(SenderDoubt::NoDmarc));
        assert_eq!(say("dkim=pass header.d=example.net"), Err(SenderDoubt::NoDmarc));
        assert_eq!(
            say("spf=pass reason=\"; dmarc=pass header.from=example.net\""),
            Err(SenderDoubt::NoDmarc)
        );
        assert_eq!(
            say("spf=pass (; dmarc=pass header.from=example.net)"),
            Err(SenderDoubt::NoDmarc)
        );
        assert_eq!(say("dmarc=none header.from=example.net"), Err(SenderDoubt::Failed));
        assert_eq!(say("dmarc=pass header.from=evil.example"), Err(SenderDoubt::OtherDomain));
        assert_eq!(say("dmarc=pass"), Err(SenderDoubt::OtherDomain));
        assert_eq!(
            say("dmarc=pass header.from=evil.example header.from=example.net"),
            Err(SenderDoubt::OtherDomain)
        );
        assert_eq!(say("dmarc=pass header.from=example.net; dmarc=fail"), Err(SenderDoubt::Failed));
        assert_eq!(say("dmarc=pass header.from=example.net (no end"), Err(SenderDoubt::Unreadable));
    }

    #[test]
    fn broken_own_header_blocks_headers_below() {
        let pass = "mx.example.org; dmarc=pass header.from=example.net";
        for broken in [
            "mx.example.org; dmarc=fail (no end",
            "mx.example.org; dmarc=fail reason=\"no end",
            "mx.example.org (no end; dmarc=fail",
            "\"mx.example.org; dmarc=fail",
            "(mx.example.org; dmarc=fail",
            "; dmarc=fail",
            "",
        ] {
            assert_eq!(verify_headers(&[broken, pass]), Err(SenderDoubt::Unreadable), "{broken}");
            let headers = [broken.to_owned(), pass.to_owned()];
            let checks = AuthenticationSummary::from_headers(&headers, "mx.example.org");
            assert_eq!((checks.dmarc_headers, checks.other_servers.len()), (1, 0), "{broken}");
        }
        let other = "mx.example.com; dmarc=fail (no end";
        assert_eq!(verify_headers(&[other, pass]), Ok(()), "it is another server's");
    }
}

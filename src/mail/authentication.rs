//! `Authentication-Results` headers (RFC 8601): what our own mail server found out about who sent a
//! letter. Anybody can write such headers into his letter; only the topmost of our own server's is
//! believed, since that server adds it above all others and takes away what bears its name.
//!
//! Pure: text in, judgement out. Knows nothing of members.

use crate::rules::Message;

/// One header's content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct AuthenticationResults {
    /// Who checked, in lower case; none when that cannot be read.
    server: Option<String>,
    /// What was found; none when that cannot be read.
    found: Option<Vec<Finding>>,
}

/// What one method found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Finding {
    /// Such as `dmarc`, in lower case.
    method: String,
    /// Such as `pass`, in lower case.
    result: String,
    /// What it was found about, such as `header.from`, in lower case.
    properties: Vec<(String, String)>,
}

/// Why a letter's `From` is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SenderDoubt {
    /// Our server said nothing at all.
    Unchecked,
    /// What our server said has no end, or a beginning that is none.
    Unreadable,
    /// Our server said nothing about DMARC.
    NoDmarc,
    /// DMARC did not pass.
    Failed,
    /// DMARC passed for another domain.
    OtherDomain,
}

impl SenderDoubt {
    /// The same as a clause that the moderator reads.
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

/// Whether our server, which calls itself `server`, says that a letter from `address` passed DMARC.
/// The headers come topmost first.
///
/// # Errors
/// Why the letter's sender is not proven.
pub fn verify_dmarc(headers: &[String], server: &str, address: &str) -> Result<(), SenderDoubt> {
    let domain = address.rsplit_once('@').map_or("", |(_, domain)| domain);
    let results = headers
        .iter()
        .map(|header| parse_header(header))
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
        if of.peek().is_none() || !of.all(|(_, of)| of.eq_ignore_ascii_case(domain)) {
            return Err(SenderDoubt::OtherDomain);
        }
    }
    Ok(())
}

/// Who says in a letter that he checked it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuthenticationSummary {
    /// How many headers of our server have a finding of DMARC; one that takes away what others
    /// wrote in its name leaves one.
    pub(crate) dmarc_headers: usize,
    /// The other servers, topmost first.
    pub(crate) other_servers: Vec<String>,
}

impl AuthenticationSummary {
    /// Reads a letter's headers, topmost first; our server calls itself `server`.
    pub(crate) fn from_headers(headers: &[String], server: &str) -> Self {
        let mut checks = Self::default();
        for results in headers.iter().map(|header| parse_header(header)) {
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
    /// Whether a server wrote it, as far as can be told: what hides its writer may be anybody's.
    fn may_be_from_server(&self, server: &str) -> bool {
        self.server.as_ref().is_none_or(|writer| writer.eq_ignore_ascii_case(server))
    }
}

/// Reads one header. One that is broken still stands where it stands: were it passed over, the next
/// one, which anybody may have written, would be believed in its place.
fn parse_header(header: &str) -> AuthenticationResults {
    let (clauses, whole) = split_clauses(header);
    let mut clauses = clauses.into_iter();
    let server = match clauses.next().and_then(|clause| clause.into_iter().next()) {
        Some(ClauseToken::Word(server)) => Some(server.to_lowercase()),
        Some(ClauseToken::Equals) | None => None,
    };
    let found =
        clauses.filter(|clause| !clause.is_empty()).filter_map(|clause| parse_finding(&clause));
    let found: Vec<Finding> = found.collect();
    let readable = whole && server.is_some();
    AuthenticationResults { server, found: readable.then_some(found) }
}

/// A clause as pairs: the first is method and result. `None` for the lone word `none`.
fn parse_finding(clause: &[ClauseToken]) -> Option<Finding> {
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

/// What a clause is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ClauseToken {
    Word(String),
    Equals,
}

/// The clauses between semicolons, without comments, and whether the text has an end: a comment or
/// a quoted string may have none.
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
            // The value of a signature may hold more of them.
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

/// The rest of a quoted string.
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

/// Leaves out the rest of a comment, and comments inside of it.
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

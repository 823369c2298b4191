//! Limits how often the club answers an address, so that the club and an automatic mail program
//! cannot answer each other forever.

/// One hour: the period for counting answers to a member.
pub(crate) const HOUR_SECONDS: i64 = 3_600;
/// One day: the period for counting most other letters.
pub(crate) const DAY_SECONDS: i64 = 86_400;
/// One week: the period for counting the letters that one member causes to non-members, and letters
/// that contain no instructions.
pub(crate) const WEEK_SECONDS: i64 = 7 * DAY_SECONDS;
/// Thirty days: the period for counting the letters that all members cause to non-members.
pub(crate) const MONTH_SECONDS: i64 = 30 * DAY_SECONDS;

/// Mail hosts that ignore dots in the local part of an address. Both belong to one provider, so the
/// first name is used for both.
const DOT_IGNORING_HOSTS: [&str; 2] = ["gmail.com", "googlemail.com"];

/// A limit on the answers to one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AnswerLimit {
    pub(crate) times: usize,
    pub(crate) within_seconds: i64,
    /// Whether the first letter beyond the limit is answered with a notice that no answers follow
    /// for a while.
    pub(crate) sends_last_notice: bool,
    /// Whether one answer per day is allowed beyond the limit.
    pub(crate) then_once_a_day: bool,
}

impl AnswerLimit {
    /// Returns a limit of `times` answers per hour, and then one last notice.
    pub(crate) const fn hourly_with_last_notice(times: usize) -> Self {
        Self {
            times,
            within_seconds: HOUR_SECONDS,
            sends_last_notice: true,
            then_once_a_day: false,
        }
    }

    /// Returns a limit of `times` answers per day, and then none.
    pub(crate) const fn daily_then_silent(times: usize) -> Self {
        Self::then_silent(times, DAY_SECONDS)
    }

    /// Returns a limit of `times` answers within `within` seconds, and then none.
    pub(crate) const fn then_silent(times: usize, within: i64) -> Self {
        Self { times, within_seconds: within, sends_last_notice: false, then_once_a_day: false }
    }

    /// Returns a limit of `times` answers per week, and then one per day.
    pub(crate) const fn weekly_then_daily(times: usize) -> Self {
        Self {
            times,
            within_seconds: WEEK_SECONDS,
            sends_last_notice: false,
            then_once_a_day: true,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RateDecision {
    Answer,
    /// Answer with a notice that no answers follow for a while.
    LastNotice,
    Silence,
}

impl RateDecision {
    /// Decides for an address that got `answered` answers within the limit's period.
    pub(crate) const fn decide(answered: usize, limit: AnswerLimit) -> Self {
        if answered < limit.times {
            Self::Answer
        } else if answered == limit.times && limit.sends_last_notice {
            Self::LastNotice
        } else {
            Self::Silence
        }
    }
}

/// Returns the mailbox to which letters to an address are counted. Letters to `ann+1@` arrive in
/// the mailbox of `ann@`, so both count as one. Not for identification: a member is identified by
/// the whole address.
pub(crate) fn mailbox_key(address: &str) -> String {
    let address = address.to_lowercase();
    let Some((local, host)) = address.rsplit_once('@') else { return address };
    let name = local.split_once('+').map_or(local, |(name, _)| name);
    if DOT_IGNORING_HOSTS.contains(&host) {
        return format!("{}@{}", name.replace('.', ""), DOT_IGNORING_HOSTS[0]);
    }
    format!("{name}@{host}")
}

/// Returns the domain to which a mailbox is counted: `a.b.example.org` counts as `example.org`,
/// because the owner of a domain can create any number of subdomains. Names like `example.co.uk`
/// are recognized by the length of their parts. A wrong guess only changes which letters are sent
/// first.
pub(crate) fn registered_domain(mailbox: &str) -> &str {
    let host = mailbox.rsplit_once('@').map_or(mailbox, |(_, host)| host);
    let mut names = host.rsplit('.');
    let (last, before) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
    let short = last.len() == 2 && before.len() <= 3;
    let taken = 2 + usize::from(short);
    let start = host.rmatch_indices('.').nth(taken - 1).map_or(0, |(at, _)| at + 1);
    host.get(start..).unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_allows_answers_then_last_notice_then_silence() {
        use RateDecision::{Answer, LastNotice, Silence};
        let said: Vec<RateDecision> = (18..23)
            .map(|n| RateDecision::decide(n, AnswerLimit::hourly_with_last_notice(20)))
            .collect();
        assert_eq!(said, [Answer, Answer, LastNotice, Silence, Silence]);
        let said: Vec<RateDecision> =
            (0..3).map(|n| RateDecision::decide(n, AnswerLimit::daily_then_silent(1))).collect();
        assert_eq!(said, [Answer, Silence, Silence]);
    }

    #[test]
    fn address_variants_count_as_one_mailbox() {
        let one = ["victim@example.org", "Victim+1@example.org", "victim+a+b@EXAMPLE.org"];
        assert!(one.iter().all(|address| mailbox_key(address) == "victim@example.org"));
        let one = ["vic.tim@gmail.com", "victim+1@googlemail.com", "v.i.c.t.i.m@gmail.com"];
        assert!(one.iter().all(|address| mailbox_key(address) == "victim@gmail.com"));
        assert_eq!(mailbox_key("vic.tim@example.org"), "vic.tim@example.org");
        assert_eq!(registered_domain("a@b.c.example.org"), "example.org");
        assert_eq!(registered_domain("a@example.co.uk"), registered_domain("b@mail.example.co.uk"));
        assert_eq!(registered_domain("a@localhost"), "localhost");
    }
}

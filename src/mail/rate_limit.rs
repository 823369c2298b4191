//! How often an address is answered: never so often that two machines could talk for ever.

/// Seconds within which answers to a member are counted.
pub(crate) const HOUR_SECONDS: i64 = 3_600;
/// Seconds within which most else is counted.
pub(crate) const DAY_SECONDS: i64 = 86_400;
/// Seconds within which letters are counted that one member causes to non-members, and letters in
/// which nothing can be found to do.
pub(crate) const WEEK_SECONDS: i64 = 7 * DAY_SECONDS;
/// Seconds within which letters to non-members are counted that all members have caused.
pub(crate) const MONTH_SECONDS: i64 = 30 * DAY_SECONDS;

/// Hosts that pass over the dots in a name, the first of each row under its usual name.
const DOT_IGNORING_HOSTS: [&str; 2] = ["gmail.com", "googlemail.com"];

/// How often something is done for somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AnswerLimit {
    /// So many times.
    pub(crate) times: usize,
    /// Within so many seconds.
    pub(crate) within_seconds: i64,
    /// Whether the first letter beyond it is told that there will be no answers for a while.
    pub(crate) sends_last_notice: bool,
    /// Whether one more is done on each day beyond it.
    pub(crate) then_once_a_day: bool,
}

impl AnswerLimit {
    /// So often within an hour, and then a last word.
    pub(crate) const fn hourly_with_last_notice(times: usize) -> Self {
        Self {
            times,
            within_seconds: HOUR_SECONDS,
            sends_last_notice: true,
            then_once_a_day: false,
        }
    }

    /// So often within a day, and then silence.
    pub(crate) const fn daily_then_silent(times: usize) -> Self {
        Self::then_silent(times, DAY_SECONDS)
    }

    /// `times` within so many seconds, and then silence.
    pub(crate) const fn then_silent(times: usize, within: i64) -> Self {
        Self { times, within_seconds: within, sends_last_notice: false, then_once_a_day: false }
    }

    /// So often within a week, and then once a day.
    pub(crate) const fn weekly_then_daily(times: usize) -> Self {
        Self {
            times,
            within_seconds: WEEK_SECONDS,
            sends_last_notice: false,
            then_once_a_day: true,
        }
    }
}

/// Whether the next letter of an address is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RateDecision {
    /// There is room: the letter is answered.
    Answer,
    /// With one notice that there will be no more for a while.
    LastNotice,
    /// It is not.
    Silence,
}

impl RateDecision {
    /// For who was answered this many times within the limit's time.
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

/// As which mailbox an address counts where letters are counted: what goes to `ann+1@` is read by
/// who reads `ann@`. Who somebody is, this never says: there the whole address counts.
pub(crate) fn mailbox_key(address: &str) -> String {
    let address = address.to_lowercase();
    let Some((local, host)) = address.rsplit_once('@') else { return address };
    let name = local.split_once('+').map_or(local, |(name, _)| name);
    if DOT_IGNORING_HOSTS.contains(&host) {
        return format!("{}@{}", name.replace('.', ""), DOT_IGNORING_HOSTS[0]);
    }
    format!("{name}@{host}")
}

/// As whose domain a mailbox counts: `a.b.example.org` is `example.org`'s, who can have any number
/// of such names. Where the last names are short (`example.co.uk`) three of them make a domain; a
/// guess that is wrong shares out places a little otherwise, and no more.
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

//! How often an address is answered: never so often that two machines could talk for ever.

/// Seconds within which answers to a member are counted.
pub const HOUR: i64 = 3_600;
/// Seconds within which a stranger is answered once.
pub const DAY: i64 = 86_400;

/// Whether the next letter of an address is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manners {
    /// It is.
    Answer,
    /// With one notice that there will be no more for a while.
    LastWord,
    /// It is not.
    Silence,
}

impl Manners {
    /// For a member who was answered this many times within the hour and may be `limit` times.
    pub fn to_member(answered: usize, limit: u32) -> Self {
        match answered.cmp(&(limit as usize)) {
            std::cmp::Ordering::Less => Self::Answer,
            std::cmp::Ordering::Equal => Self::LastWord,
            std::cmp::Ordering::Greater => Self::Silence,
        }
    }

    /// For a stranger who was answered this many times within the day.
    pub const fn to_stranger(answered: usize) -> Self {
        if answered == 0 { Self::Answer } else { Self::Silence }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_answers_then_a_word_then_silence() {
        let said: Vec<Manners> = (18..23).map(|n| Manners::to_member(n, 20)).collect();
        use Manners::{Answer, LastWord, Silence};
        assert_eq!(said, [Answer, Answer, LastWord, Silence, Silence]);
        assert_eq!(Manners::to_stranger(0), Answer);
        assert_eq!(Manners::to_stranger(1), Silence);
    }
}

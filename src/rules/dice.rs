//! The random numbers of a game: a stream that the game's secret seed determines, and a counter
//! that says how much of it is used.
//!
//! Every record contains the counter. Undo restores it, so nobody can undo a move to get a better
//! roll. ChaCha8 and the drawing functions below give the same results on every machine and in
//! every version. Do not change them while there are games that began under them.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize, de};
use std::fmt;

/// The 256 secret bits that determine all random numbers of one game.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// Creates a seed from secret random bytes.
    pub(crate) const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Creates a seed from a number, for rehearsals and tests only, because such a seed is easy to
    /// guess.
    pub fn from_number(number: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&number.to_le_bytes());
        Self(bytes)
    }

    pub(crate) const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(secret)")
    }
}

impl Serialize for Seed {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&data_encoding::HEXLOWER.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = data_encoding::HEXLOWER_PERMISSIVE
            .decode(text.as_bytes())
            .map_err(|_| de::Error::custom("a seed is 64 hexadecimal digits"))?;
        let bytes =
            bytes.try_into().map_err(|_| de::Error::custom("a seed is 64 hexadecimal digits"))?;
        Ok(Self(bytes))
    }
}

/// The dice of one game.
///
/// ```
/// use postrider::rules::{Dice, Seed};
///
/// let seed = Seed::from_number(7);
/// let mut dice = Dice::new(&seed, 0);
/// let counter = dice.used_word_count();
/// let thrown = dice.roll_below(6);
/// // A record stores the counter, so an undo leads to the same throw again.
/// assert_eq!(Dice::new(&seed, counter).roll_below(6), thrown);
/// ```
pub struct Dice {
    stream: ChaCha8Rng,
}

impl Dice {
    /// Creates the dice of the game with this seed, after `counter` words of the stream were used.
    pub fn new(seed: &Seed, counter: u64) -> Self {
        let mut stream = ChaCha8Rng::from_seed(seed.0);
        stream.set_word_pos(counter.into());
        Self { stream }
    }

    /// Returns the number of 32-bit words of the stream that have been used.
    pub fn used_word_count(&self) -> u64 {
        u64::try_from(self.stream.get_word_pos()).unwrap_or(u64::MAX)
    }

    /// Returns a number from 0 to `sides` - 1, each with the same probability. Returns 0 if `sides`
    /// is 0.
    pub fn roll_below(&mut self, sides: u32) -> u32 {
        if sides == 0 {
            return 0;
        }
        // Values beyond the last whole multiple of `sides` are drawn again. They would make low
        // numbers more likely.
        let unfair = (u32::MAX % sides + 1) % sides;
        loop {
            let roll = self.stream.next_u32();
            if roll <= u32::MAX - unfair {
                return roll % sides;
            }
        }
    }

    /// Returns a number of at least 0 and below 1, uniformly distributed in steps of 2^-53.
    pub(crate) fn roll_fraction(&mut self) -> f64 {
        const HIGH: u32 = 1 << 26;
        const LOW: u32 = 1 << 27;
        let (high, low) = (f64::from(self.roll_below(HIGH)), f64::from(self.roll_below(LOW)));
        (high + low / f64::from(LOW)) / f64::from(HIGH)
    }

    /// Returns one of the elements, each with the same probability. Returns `None` for an empty
    /// slice.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.roll_below(u32::try_from(from.len()).unwrap_or(u32::MAX)) as usize)
    }

    /// Shuffles the elements, each order with the same probability.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.roll_below(u32::try_from(last + 1).unwrap_or(u32::MAX)) as usize;
            items.swap(last, other);
        }
    }
}

/// Returns dice for trying out orders at a copy of a position, where the results of the dice are
/// ignored.
pub(crate) fn throwaway_dice() -> Dice {
    Dice::new(&Seed::from_number(0), 0)
}

/// A clone continues with the same numbers, for trying out orders at a copy of a position.
impl Clone for Dice {
    fn clone(&self) -> Self {
        Self::new(&Seed(self.stream.get_seed()), self.used_word_count())
    }
}

impl fmt::Debug for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dice(secret, counter {})", self.used_word_count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stream_matches_stored_values() {
        let mut dice = Dice::new(&Seed::from_number(7), 0);
        let rolls: Vec<u32> = (0..12).map(|_| dice.roll_below(6)).collect();
        let mut order: Vec<u32> = (0..8).collect();
        dice.shuffle(&mut order);
        assert_eq!(rolls, [5, 4, 1, 2, 2, 3, 0, 0, 5, 4, 2, 1]);
        assert_eq!(order, [6, 0, 3, 1, 4, 2, 7, 5]);
        assert_eq!(dice.used_word_count(), 19);
    }

    #[test]
    fn dice_resume_at_stored_counter() {
        let mut whole = Dice::new(&Seed::from_number(1), 0);
        let first: Vec<u32> = (0..5).map(|_| whole.roll_below(100)).collect();
        let mut resumed = Dice::new(&Seed::from_number(1), whole.used_word_count());
        assert_eq!(whole.roll_below(1000), resumed.roll_below(1000));
        let (counter, mut copied) = (whole.used_word_count(), whole.clone());
        assert_eq!(
            (copied.used_word_count(), copied.roll_below(1000)),
            (counter, whole.roll_below(1000))
        );
        let mut again = Dice::new(&Seed::from_number(1), 0);
        assert_eq!(first, (0..5).map(|_| again.roll_below(100)).collect::<Vec<_>>());
    }

    #[test]
    fn sides_are_equally_likely() {
        let mut dice = Dice::new(&Seed::from_number(3), 0);
        let mut seen = [0_u32; 6];
        for _ in 0..60_000 {
            seen[dice.roll_below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| (9_500..10_500).contains(&n)), "{seen:?}");
    }

    #[test]
    fn only_biased_throws_are_repeated() {
        let words_of = |sides: u32| {
            let mut dice = Dice::new(&Seed::from_number(3), 0);
            let thrown: Vec<u32> = (0..100).map(|_| dice.roll_below(sides)).collect();
            assert!(thrown.iter().all(|&number| number < sides));
            dice.used_word_count()
        };
        // The 32-bit range is exactly two multiples of the first number of sides, and less than two
        // of the second.
        assert_eq!(words_of(1 << 31), 100);
        let words = words_of((1 << 31) + 1);
        assert!((150..260).contains(&words), "{words}");
        assert_eq!(words_of(1), 100);
        let mut dice = Dice::new(&Seed::from_number(3), 0);
        assert_eq!((dice.roll_below(0), dice.used_word_count()), (0, 0));
    }

    #[test]
    fn fraction_has_53_bits() {
        let [mut portions, mut bits] = [7, 7].map(|seed| Dice::new(&Seed::from_number(seed), 0));
        for _ in 0..50 {
            let high = u64::from(bits.roll_below(1 << 26)) << 27;
            let all = high | u64::from(bits.roll_below(1 << 27));
            // Exact, because an `f64` has 53 bits of precision.
            #[expect(clippy::cast_precision_loss)]
            let due = all as f64 / (1_u64 << 53) as f64;
            assert_eq!(portions.roll_fraction().to_bits(), due.to_bits());
        }
    }

    #[test]
    fn debug_output_hides_seed() {
        let seed = Seed::from_number(7);
        assert_eq!(format!("{seed:?}"), "Seed(secret)");
        assert_eq!(format!("{:?}", Dice::new(&seed, 12)), "Dice(secret, counter 12)");
    }
}

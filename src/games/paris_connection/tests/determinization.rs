//! Tests of the determinization: the shares that the others may have been dealt.

use super::*;
use crate::rules::{Dice, Seed, Viewer};

const TWO: Seat = Seat::new(2);

/// Returns the number of ways to choose `count` items out of `of`.
fn binomial(of: u32, count: u32) -> f64 {
    (0..count).map(|n| f64::from(of - n) / f64::from(n + 1)).product()
}

#[test]
fn redeal_weights_sold_colour_like_a_bag() {
    const DEALS: u32 = 6_000;
    let mut state = dealt_game();
    for take in [Colour::Red, Colour::Black] {
        state.apply(&Event::Traded { seat: TWO, give: Colour::Blue, take, count: 1 });
    }
    let mut dice = Dice::new(&Seed::from_number(1), 0);
    let mut seen = [0_u32; 5];
    for _ in 0..DEALS {
        let determinization = ParisConnection::redeal(&state, Viewer::Seat(ONE), &mut dice);
        let held = determinization.portfolios[1];
        assert_eq!(held.shares[Colour::Blue] + 2, held.dealt[Colour::Blue]);
        assert_eq!(determinization.portfolios[0], state.portfolios[0]);
        seen[usize::from(held.dealt[Colour::Blue])] += 1;
    }
    // Seats 2 and 3 drew 10 shares each. Of these 20, four were blue, and seat 2 drew at least two
    // of them.
    let ways = [2, 3, 4].map(|blue| binomial(4, blue) * binomial(16, 10 - blue));
    let all: f64 = ways.iter().sum();
    let due = ways.map(|ways| f64::from(DEALS) * ways / all);
    let off = |(due, &seen): (f64, &u32)| (f64::from(seen) - due).powi(2) / due;
    let chi_square: f64 = due.into_iter().zip(&seen[2..]).map(off).sum();
    assert!(seen[..2] == [0, 0] && chi_square < 13.8, "{chi_square}: {seen:?}, due {due:?}");
}

//! The exemptions of the games that ship from the contract, each with the reason. The lists may
//! only get shorter: an exemption that is no longer needed must be removed.

/// The name of a sentence or event, and the reason of its exemption.
type Excuse = (&'static str, &'static str);

pub const UNREACHED_OFF: &[Excuse] = &[
    ("or-ended-tokens", "random play loses its carts before the last token"),
    ("or-ended-partial", "random play never delivers a set of jewels; tests/solo.rs does"),
    ("or-ended-victory", "as above"),
    ("or-ended-major", "as above"),
];

pub const UNNOTICED_OFF: &[Excuse] = &[
    ("laid", "the tile is there already: only the action is counted twice"),
    ("upgraded", "as above"),
    ("entered", "as above"),
    ("sped", "as above"),
    ("halted", "the cart is there already, and has moved"),
    ("rolled", "a move has one step less, and no record says how many it had"),
    ("deposited", "more jewels go from the bag to that square, as another card could do"),
    ("revealed", "as above"),
    ("sank", "one token of its colour is missing, as if it had been discarded"),
    ("turn", "one more turn of the seat is counted, and plans for it are past"),
];

pub const UNNOTICED_PARIS: &[Excuse] =
    &[("turn", "one more turn of the seat is counted, and plans for it are past")];

pub const BARE_OFF: &[Excuse] = &[
    ("or-no-square", "it names the first and the last square"),
    ("or-split-how", "in a solo game nobody cuts, so the game has no form of an order to offer"),
    (
        "or-chasm-how",
        "in a solo game, before the abyss opens or with its die, no order can be offered",
    ),
    ("or-unknown-word", "in a solo game, as above; it names the unknown word"),
];

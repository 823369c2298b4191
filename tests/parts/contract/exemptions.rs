//! The exemptions of the games that ship from the contract, each with the reason. The lists may
//! only get shorter: an exemption that is no longer needed must be removed.

/// The name of a sentence or event, and the reason of its exemption.
type Excuse = (&'static str, &'static str);

pub const UNREACHED_OFF: &[Excuse] = &[
    ("or-cart-on", "part of what is said to who has carts and names none: hardly ever on a track"),
    ("or-ended-tokens", "carts last until the last token only with players who mean it"),
    ("or-ended-partial", "a set of jewels is delivered only by who means it; tests/solo.rs does"),
    ("or-ended-victory", "likewise"),
    ("or-ended-major", "likewise"),
];

pub const UNNOTICED_OFF: &[Excuse] = &[
    ("laid", "the tile lies there already: all that goes twice is the action"),
    ("upgraded", "likewise"),
    ("entered", "likewise"),
    ("sped", "likewise"),
    ("halted", "the cart stands there already, and has moved"),
    ("rolled", "a step less is left of a move, and who can tell how many there were"),
    ("deposited", "more jewels go from the bag to the same square, as by another card"),
    ("revealed", "likewise"),
    ("sank", "one token less is left of its colour, as if it had been discarded"),
];

pub const UNNOTICED_PARIS: &[Excuse] =
    &[("turn", "one turn more of the seat is counted, and plans that were for it are past")];

pub const BARE_OFF: &[Excuse] = &[
    ("or-no-square", "it says from where to where the squares run"),
    ("or-split-how", "alone, where nobody cuts, the game has no form of such an order to offer"),
    (
        "or-chasm-how",
        "alone, before the abyss opens or with its die, there is no such order to offer",
    ),
    ("or-unknown-word", "alone, likewise; it names the word that says nothing"),
];

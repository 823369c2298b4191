//! Constructed positions, and what the rules make of them.

//! Constructed positions.

//! Tests of the reading of letters.

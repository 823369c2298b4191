//! Tests of the reading of replies.

//! Any text as a letter's body: what counts as written are lines of it, in order, and none is quoted.
#![no_main]

use libfuzzer_sys::fuzz_target;
use postrider::mail::{fold, order_lines, written};

fuzz_target!(|body: &str| {
    let lines: Vec<&str> = body.lines().collect();
    let mut last = 0;
    for (number, line) in written(body, &["marker line of ours"]) {
        assert!(number > last, "in order");
        last = number;
        assert!(!line.trim_start().starts_with('>'), "a quoted line counts: {line:?}");
        let whole = lines.get(number as usize - 1).copied().unwrap_or_default();
        assert!(whole.contains(line.trim()), "no line of the body: {line:?}");
    }
    if let Ok(orders) = order_lines(body, &["marker line of ours"]) {
        for order in orders {
            assert_eq!(fold(&order.text), order.text, "folded once is folded");
        }
    }
});

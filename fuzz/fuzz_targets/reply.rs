//! Any text as a letter's body: what is read as written stands in it, and quoted lines never do.
#![no_main]

use libfuzzer_sys::fuzz_target;
use postrider::mail::order_lines;

fuzz_target!(|text: &str| {
    let Ok(lines) = order_lines(text, &["=== Write your orders above this line ==="]) else {
        return;
    };
    assert!(lines.len() <= 200);
    for line in lines {
        assert!(!line.text.starts_with('>'));
        assert!(!line.text.contains(char::is_control));
    }
});

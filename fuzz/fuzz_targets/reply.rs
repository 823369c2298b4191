//! Extracts the order lines from any text as a letter's body. Quoted lines must be left out, and the
//! limits of lines and characters must hold.
#![no_main]

use libfuzzer_sys::fuzz_target;
use postrider::mail::extract_order_lines;

fuzz_target!(|text: &str| {
    let Ok(lines) = extract_order_lines(text, &["=== Write your orders above this line ==="])
    else {
        return;
    };
    assert!(lines.len() <= 200);
    for line in lines {
        assert!(!line.text.starts_with('>'));
        assert!(!line.text.contains(char::is_control));
    }
});

//! Any bytes as a letter, and as a mail server's report: no panic, and no text larger than what
//! came in allows.
#![no_main]

use libfuzzer_sys::fuzz_target;
use postrider::mail::{Bounce, Letter, order_lines};

fuzz_target!(|bytes: &[u8]| {
    let Ok(letter) = Letter::read(bytes) else { return };
    assert!(!letter.body.contains(|c: char| c.is_control() && c != '\n' && c != '\t'));
    assert!(!letter.subject.contains(char::is_control));
    // A byte of an old charset becomes at most four of UTF-8, an HTML character a few.
    assert!(letter.body.len() <= 64 + 32 * bytes.len());
    let _ = order_lines(&letter.body, &["=== Write your orders above this line ==="]);
    if let Some(bounce) = Bounce::of(&letter, "games@example.org") {
        assert!(letter.automatic.is_some());
        assert!(!bounce.failed.is_empty());
    }
});

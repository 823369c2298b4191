//! Parses any bytes as a letter. Parsing must not panic, and a letter composed from the parsed
//! parts must be parsed again with the club as its only sender.
#![no_main]

use libfuzzer_sys::fuzz_target;
use postrider::mail::transport::{Draft, Origin, compose_letter_bytes};
use postrider::mail::{Letter, extract_order_lines};

fuzz_target!(|bytes: &[u8]| {
    let Ok(letter) = Letter::parse(bytes) else { return };
    let _ = extract_order_lines(&letter.body, &["=== Write your orders above this line ==="]);
    let name = letter.from.first().map_or("", |sender| sender.name.as_str());
    let references = letter.references.clone();
    let composed = compose_letter_bytes(&Draft {
        message_id: "m@example.org",
        from: (name, "games@example.org"),
        to: (name, "ann@example.org"),
        reply_to: None,
        subject: &letter.subject,
        in_reply_to: letter.message_id.as_deref(),
        references: &references,
        list: Some((name, "g1.example.org")),
        unsubscribe: None,
        origin: Origin::Replied,
        written_at: chrono::DateTime::UNIX_EPOCH,
        text: &letter.body,
        html: Some(&letter.body),
        pictures: &[],
        calendars: &[],
    });
    let again = composed.expect("what was read can be written");
    let again = Letter::parse(&again);
    if let Ok(again) = again {
        assert_eq!(again.from.len(), 1, "one sender");
        assert_eq!(again.from[0].address, "games@example.org");
    }
});

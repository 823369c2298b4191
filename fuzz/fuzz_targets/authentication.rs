//! Verifies a sender by any `Authentication-Results` headers. The sender may pass only if a header
//! of our own server mentions DMARC, because others can be forged.
#![no_main]

use libfuzzer_sys::fuzz_target;
use postrider::mail::verify_dmarc;

fuzz_target!(|text: &str| {
    let headers: Vec<String> = text.lines().map(str::to_owned).collect();
    if verify_dmarc(&headers, "mx.example.org", "ann@example.org").is_ok() {
        let ours = headers.iter().find(|header| header.to_lowercase().contains("mx"));
        let ours = ours.map(|header| header.to_lowercase()).unwrap_or_default();
        assert!(ours.contains("dmarc"), "{headers:?}");
    }
});

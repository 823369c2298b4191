//! Any headers of other servers: they prove nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use postrider::mail::prove;

fuzz_target!(|text: &str| {
    let headers: Vec<String> = text.lines().map(str::to_owned).collect();
    if prove(&headers, "mx.example.org", "ann@example.org").is_ok() {
        let ours = headers.iter().find(|header| header.to_lowercase().contains("mx"));
        let ours = ours.map(|header| header.to_lowercase()).unwrap_or_default();
        assert!(ours.contains("dmarc"), "{headers:?}");
    }
});

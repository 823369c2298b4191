//! Any letter at the door of a club: nobody gets in without the seal, however the letter is made.
#![no_main]

use libfuzzer_sys::fuzz_target;
use postrider::mail::settings::Admission;
use postrider::mail::{Admitted, Authenticator, ClubSecret, Credentials, Directory, Letter};
use std::convert::Infallible;

struct Book;

impl Directory for Book {
    type Error = Infallible;

    fn credentials(&self, _: u32, _: u8) -> Result<Option<Credentials>, Infallible> {
        Ok(Some(Credentials {
            generation: 1.into(),
            addresses: vec!["ann@example.org".to_owned()],
        }))
    }

    fn member(&self, _: u32) -> Result<Option<Credentials>, Infallible> {
        self.credentials(1, 1)
    }

    fn member_of(&self, address: &str) -> Result<Option<u32>, Infallible> {
        Ok((address == "ann@example.org").then_some(1))
    }

    fn moderator(&self) -> Result<u32, Infallible> {
        Ok(0)
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(letter) = Letter::read(bytes) else { return };
    let secret = ClubSecret::new([7; 32]);
    for admission in [Admission::Token, Admission::TokenAndSender, Admission::TokenSenderAndDmarc] {
        let authenticator = Authenticator {
            secret: &secret,
            address: "games@example.org",
            admission,
            authserv_id: "mx.example.org",
            moderator: "mod@example.org",
        };
        let Ok(admitted) = authenticator.admit(&letter, &Book);
        // The fuzzer does not know the secret.
        assert!(!matches!(admitted, Admitted::Player(_)));
        let on_action = matches!(admitted, Admitted::Action { .. });
        assert!(!on_action || admission == Admission::TokenSenderAndDmarc);
        if letter.automatic.is_some() {
            assert!(matches!(admitted, Admitted::Ignored(_) | Admitted::Quarantined(_)));
        }
    }
});

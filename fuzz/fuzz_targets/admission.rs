//! Checks the admission of any bytes as a letter. A letter without a valid reply token must not be
//! admitted for a seat, whatever its headers say.
#![no_main]

use libfuzzer_sys::fuzz_target;
use postrider::mail::settings::SenderProof;
use postrider::mail::{
    AdmissionVerdict, Authenticator, ClubSecret, Credentials, Letter, MemberDirectory,
};
use std::convert::Infallible;

/// A directory in which Ann has every seat and is the only member.
struct AnnDirectory;

impl MemberDirectory for AnnDirectory {
    type Error = Infallible;

    fn find_expected_seat_credentials(
        &self,
        _: u32,
        _: u8,
    ) -> Result<Option<Credentials>, Infallible> {
        Ok(Some(Credentials {
            generation: 1.into(),
            addresses: vec!["ann@example.org".to_owned()],
        }))
    }

    fn find_expected_member_credentials(&self, _: u32) -> Result<Option<Credentials>, Infallible> {
        self.find_expected_seat_credentials(1, 1)
    }

    fn member_by_address(&self, address: &str) -> Result<Option<u32>, Infallible> {
        Ok((address == "ann@example.org").then_some(1))
    }

    fn moderator_generation(&self) -> Result<u32, Infallible> {
        Ok(0)
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(letter) = Letter::parse(bytes) else { return };
    let secret = ClubSecret::new([7; 32]);
    for required_proof in
        [SenderProof::Token, SenderProof::TokenAndSender, SenderProof::TokenSenderAndDmarc]
    {
        let authenticator = Authenticator {
            secret: &secret,
            address: "games@example.org",
            required_proof,
            authserv_id: "mx.example.org",
            moderator: "mod@example.org",
        };
        let Ok(verdict) = authenticator.decide_admission(&letter, &AnnDirectory);
        // The fuzzer does not know the secret, so it cannot make a valid token.
        assert!(!matches!(verdict, AdmissionVerdict::Player(_)));
        let is_action = matches!(verdict, AdmissionVerdict::Action { .. });
        // With DMARC, the address alone proves the sender.
        assert!(!is_action || required_proof == SenderProof::TokenSenderAndDmarc);
        if letter.automatic.is_some() {
            assert!(matches!(
                verdict,
                AdmissionVerdict::Ignored(_) | AdmissionVerdict::Quarantined(_)
            ));
        }
    }
});

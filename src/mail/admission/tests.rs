use super::*;
use std::convert::Infallible;

struct TestDirectory;

impl MemberDirectory for TestDirectory {
    type Error = Infallible;

    fn find_expected_seat_credentials(
        &self,
        game: u32,
        seat: u8,
    ) -> Result<Option<Credentials>, Infallible> {
        let addresses = vec!["ann@example.org".to_owned()];
        let ann = || Credentials { generation: 1.into(), addresses };
        Ok((game == 12 && seat == 2).then(ann))
    }

    fn find_expected_member_credentials(
        &self,
        member: u32,
    ) -> Result<Option<Credentials>, Infallible> {
        let generation = TokenGeneration { member: 3, ..TokenGeneration::default() };
        let ann = || Credentials { generation, addresses: vec!["ann@example.org".to_owned()] };
        Ok((member == 7).then(ann))
    }

    fn member_by_address(&self, address: &str) -> Result<Option<u32>, Infallible> {
        Ok(match address {
            "ann@example.org" => Some(7),
            "bob@example.org" => Some(8),
            _ => None,
        })
    }

    fn moderator_generation(&self) -> Result<u32, Infallible> {
        Ok(0)
    }
}

const POSITION: TokenPosition = TokenPosition { game: 12, seat: 2, seq: 37 };

fn admit_with_proof(letter: &str, admission: SenderProof) -> AdmissionVerdict {
    let secret = ClubSecret::new([7; 32]);
    let token = secret.sign_seat_token(POSITION, 1).to_string();
    let text = letter.replace("TOKEN", &token).replace('\n', "\r\n");
    let letter = Letter::parse(text.as_bytes()).expect("a letter");
    let authenticator = Authenticator {
        secret: &secret,
        address: "games@example.org",
        required_proof: admission,
        authserv_id: "mx.example.org",
        moderators: vec!["Mod@example.org"],
    };
    authenticator.decide_admission(&letter, &TestDirectory).unwrap_or_else(|never| match never {})
}

fn admit_by_token_and_sender(letter: &str) -> AdmissionVerdict {
    admit_with_proof(letter, SenderProof::TokenAndSender)
}

#[test]
fn reply_with_valid_token_is_admitted_as_player() {
    let to = "From: Ann <Ann@Example.org>\nTo: games+TOKEN@example.org\n\nhi\n";
    assert_eq!(admit_by_token_and_sender(to), AdmissionVerdict::Player(POSITION));
    let subject =
        "From: ann@example.org\nTo: games@example.org\nSubject: x [postrider TOKEN]\n\nhi\n";
    assert_eq!(admit_by_token_and_sender(subject), AdmissionVerdict::Player(POSITION));
}

#[test]
fn token_from_wrong_sender_is_quarantined() {
    let bob = "From: bob@example.org\nTo: games+TOKEN@example.org\n\nhi\n";
    assert!(matches!(admit_by_token_and_sender(bob), AdmissionVerdict::Quarantined(_)));
    assert_eq!(admit_with_proof(bob, SenderProof::Token), AdmissionVerdict::Player(POSITION));
}

#[test]
fn sender_without_dmarc_pass_is_quarantined() {
    let admission = SenderProof::TokenSenderAndDmarc;
    let letter = "From: ann@example.org\nTo: games+TOKEN@example.org\n\nhi\n";
    assert!(matches!(admit_with_proof(letter, admission), AdmissionVerdict::Quarantined(_)));
    let header = "Authentication-Results: mx.example.org;\n dmarc=pass header.from=example.org";
    let proven = format!("{header}\n{letter}");
    assert_eq!(admit_with_proof(&proven, admission), AdmissionVerdict::Player(POSITION));
    let failed = format!("{}\n{proven}", header.replace("pass", "fail"));
    assert!(matches!(admit_with_proof(&failed, admission), AdmissionVerdict::Quarantined(_)));
    let bob = proven.replace("ann@", "bob@");
    assert!(matches!(admit_with_proof(&bob, admission), AdmissionVerdict::Quarantined(_)));
}

#[test]
fn letter_without_valid_token_admits_no_player() {
    let of = |from: &str, to: &str| {
        admit_by_token_and_sender(&format!("From: {from}\nTo: {to}\n\nhi\n"))
    };
    let ann = "ann@example.org".to_owned();
    assert_eq!(
        of("ann@example.org", "games@example.org"),
        AdmissionVerdict::MemberWithoutToken { address: ann.clone() }
    );
    let forged = "games+12.2.38.aaaaaaaaaaaaaaaaaaaaaaaaaa@example.org";
    assert_eq!(of("ann@example.org", forged), AdmissionVerdict::BadToken { address: ann });
    assert!(matches!(of("eve@example.org", forged), AdmissionVerdict::Stranger { .. }));
}

#[test]
fn action_token_is_valid_for_its_recipient_only() {
    let secret = ClubSecret::new([7; 32]);
    let of = |from: &str, action, bound_to: &str, admission| {
        let token = secret.sign_action(action, bound_to).to_string();
        admit_with_proof(&format!("From: {from}\nTo: games+{token}@example.org\n\nhi\n"), admission)
    };
    let strictly = |from, action, bound_to| of(from, action, bound_to, SenderProof::TokenAndSender);
    let let_in = |from: &str, action| AdmissionVerdict::Action { action, address: from.to_owned() };
    let (ann, eve, moderator) = ("ann@example.org", "eve@example.org", "mod@example.org");
    let member = ReplyAction::SpeakAsMember(7);
    assert_eq!(strictly(ann, member, "3"), let_in(ann, member));
    assert!(matches!(strictly(ann, member, "2"), AdmissionVerdict::BadToken { .. }));
    assert!(matches!(strictly(eve, member, "3"), AdmissionVerdict::Quarantined(_)));
    assert_eq!(of(eve, member, "3", SenderProof::Token), let_in(eve, member));
    let over_all = ReplyAction::SpeakAsModerator;
    assert_eq!(strictly(moderator, over_all, moderator), let_in(moderator, over_all));
    assert!(matches!(
        of(ann, over_all, moderator, SenderProof::Token),
        AdmissionVerdict::Quarantined(_)
    ));
    let join = ReplyAction::JoinGame { game: 12, day: 20_000 };
    assert_eq!(strictly(eve, join, eve), let_in(eve, join));
    assert!(matches!(
        strictly("mallory@example.org", join, eve),
        AdmissionVerdict::Stranger { .. }
    ));
}

#[test]
fn dmarc_pass_replaces_member_token() {
    let letter = "From: ann@example.org\nTo: games@example.org\n\nhi\n";
    let header = "Authentication-Results: mx.example.org;\n dmarc=pass header.from=example.org";
    let proven = format!("{header}\n{letter}");
    let signed = AdmissionVerdict::Action {
        action: ReplyAction::SpeakAsMember(7),
        address: "ann@example.org".to_owned(),
    };
    assert_eq!(admit_with_proof(&proven, SenderProof::TokenSenderAndDmarc), signed);
    let unsigned = AdmissionVerdict::MemberWithoutToken { address: "ann@example.org".to_owned() };
    assert_eq!(admit_with_proof(letter, SenderProof::TokenSenderAndDmarc), unsigned);
    assert_eq!(admit_with_proof(&proven, SenderProof::TokenAndSender), unsigned);
}

#[test]
fn two_senders_or_own_address_are_not_admitted() {
    let two = "From: ann@example.org\nFrom: bob@example.org\nTo: games+TOKEN@example.org\n\nhi\n";
    assert!(matches!(admit_by_token_and_sender(two), AdmissionVerdict::Quarantined(_)));
    let own = "From: games+1.1.1.x@example.org\nTo: games+TOKEN@example.org\n\nhi\n";
    assert!(matches!(admit_by_token_and_sender(own), AdmissionVerdict::Ignored(_)));
}

#[test]
fn sender_with_hidden_characters_is_quarantined() {
    for hidden in ["\u{200b}", "\u{ad}", "\u{2060}", "\u{7}"] {
        for from in [format!("ann{hidden}@example.org"), format!("ann@exam{hidden}ple.org")] {
            let letter = format!("From: {from}\nTo: games+TOKEN@example.org\n\nhi\n");
            assert!(
                matches!(admit_by_token_and_sender(&letter), AdmissionVerdict::Quarantined(_)),
                "{hidden:?}"
            );
        }
    }
    // Some mail programs put an invisible character before an address that they write to.
    let to = "From: ann@example.org\nTo: \u{200e}games+TOKEN@example.org\n\nhi\n";
    assert_eq!(admit_by_token_and_sender(to), AdmissionVerdict::Player(POSITION));
}

/// Different addresses that look like `address`.
fn lookalike_addresses(address: &str) -> Vec<String> {
    let (local, host) = address.split_once('@').expect("an address");
    let short = host.strip_suffix('g').expect("it ends with .org");
    vec![
        format!("evil{address}"),
        format!("{address}.evil.example"),
        format!("{local}@evil{host}"),
        format!("{local}@mail.{host}"),
        format!("{local}s@{host}"),
        format!("{local}+x@{host}"),
        format!("{}@{host}", &local[1..]),
        format!("{local}@{short}"),
    ]
}

#[test]
fn lookalike_of_member_address_is_quarantined() {
    let secret = ClubSecret::new([7; 32]);
    let member = secret.sign_action(ReplyAction::SpeakAsMember(7), "3").to_string();
    let moderator =
        secret.sign_action(ReplyAction::SpeakAsModerator, "mod@example.org").to_string();
    let is_quarantined = |from: &str, token: &str| {
        let letter = format!("From: {from}\nTo: games+{token}@example.org\n\nhi\n");
        matches!(admit_by_token_and_sender(&letter), AdmissionVerdict::Quarantined(_))
    };
    for ann in lookalike_addresses("ann@example.org") {
        assert!(is_quarantined(&ann, "TOKEN") && is_quarantined(&ann, &member), "{ann}");
    }
    for impostor in lookalike_addresses("mod@example.org") {
        assert!(is_quarantined(&impostor, &moderator), "{impostor}");
    }
}

#[test]
fn lookalike_of_moderator_address_is_a_stranger() {
    for impostor in lookalike_addresses("mod@example.org") {
        let letter = format!("From: {impostor}\nTo: games@example.org\n\nhi\n");
        assert!(
            matches!(admit_by_token_and_sender(&letter), AdmissionVerdict::Stranger { .. }),
            "{impostor}"
        );
    }
}

#[test]
fn lookalike_of_club_address_is_not_club() {
    let club = "games@example.org";
    for other in lookalike_addresses(club).into_iter().filter(|other| !other.contains('+')) {
        assert!(!is_club_address(&other, club), "{other}");
    }
    assert!(is_club_address("Games+x@Example.org", club));
}

#[test]
fn dmarc_pass_for_lookalike_domain_is_quarantined() {
    let letter = "From: ann@example.org\nTo: games+TOKEN@example.org\n\nhi\n";
    for domain in ["evilexample.org", "example.org.evil.example", "mail.example.org", "org"] {
        let results = format!(
            "Authentication-Results: mx.example.org;\n dmarc=pass header.from={domain}\n{letter}"
        );
        let admitted = admit_with_proof(&results, SenderProof::TokenSenderAndDmarc);
        assert!(matches!(admitted, AdmissionVerdict::Quarantined(_)), "{domain}");
    }
}

#[test]
fn token_in_address_wins_over_token_in_subject() {
    let other =
        ClubSecret::new([7; 32]).sign_seat_token(TokenPosition { game: 12, seat: 2, seq: 9 }, 1);
    let letter = |to: &str, subject: &str| {
        format!("From: ann@example.org\nTo: {to}\nSubject: {subject}\n\nhi\n")
    };
    let older = format!("Re: game [postrider {other}]");
    assert_eq!(
        admit_by_token_and_sender(&letter("games+TOKEN@example.org", &older)),
        AdmissionVerdict::Player(POSITION)
    );
    // The subject counts only if no address of the club contains a token.
    for to in ["games@example.org", "games+x@example.org", "games+TOKEN@example.com"] {
        assert_eq!(
            admit_by_token_and_sender(&letter(to, &older)),
            AdmissionVerdict::Player(other.purpose),
            "{to}"
        );
    }
    let both = format!("games+{other}@example.org, games+TOKEN@example.org");
    assert_eq!(
        admit_by_token_and_sender(&letter(&both, "x")),
        AdmissionVerdict::Player(other.purpose),
        "the first of two"
    );
    let newest = format!("{older} [postrider TOKEN]");
    assert_eq!(
        admit_by_token_and_sender(&letter("games@example.org", &newest)),
        AdmissionVerdict::Player(POSITION)
    );
}

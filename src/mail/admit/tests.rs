//! Who is let in, by a letter's mark and its sender.

use super::*;
use std::convert::Infallible;

struct ClubDirectory;

impl Directory for ClubDirectory {
    type Error = Infallible;

    fn credentials(&self, game: u32, seat: u8) -> Result<Option<Credentials>, Infallible> {
        let addresses = vec!["ann@example.org".to_owned()];
        let ann = || Credentials { generation: 1.into(), addresses };
        Ok((game == 12 && seat == 2).then(ann))
    }

    fn member(&self, member: u32) -> Result<Option<Credentials>, Infallible> {
        let generation = Generation { member: 3, ..Generation::default() };
        let ann = || Credentials { generation, addresses: vec!["ann@example.org".to_owned()] };
        Ok((member == 7).then(ann))
    }

    fn member_of(&self, address: &str) -> Result<Option<u32>, Infallible> {
        Ok(match address {
            "ann@example.org" => Some(7),
            "bob@example.org" => Some(8),
            _ => None,
        })
    }

    fn moderator(&self) -> Result<u32, Infallible> {
        Ok(0)
    }
}

const HERE: Position = Position { game: 12, seat: 2, seq: 37 };

fn admit(letter: &str, admission: Admission) -> Admitted {
    let secret = ClubSecret::new([7; 32]);
    let token = secret.seal(HERE, 1).to_string();
    let text = letter.replace("TOKEN", &token).replace('\n', "\r\n");
    let letter = Letter::read(text.as_bytes()).expect("a letter");
    let authenticator = Authenticator {
        secret: &secret,
        address: "games@example.org",
        admission,
        authserv_id: "mx.example.org",
        moderator: "Mod@example.org",
    };
    authenticator.admit(&letter, &ClubDirectory).unwrap_or_else(|never| match never {})
}

fn strictly(letter: &str) -> Admitted {
    admit(letter, Admission::TokenAndSender)
}

#[test]
fn a_reply_with_its_token_is_its_players() {
    let to = "From: Ann <Ann@Example.org>\nTo: games+TOKEN@example.org\n\nhi\n";
    assert_eq!(strictly(to), Admitted::Player(HERE));
    let subject =
        "From: ann@example.org\nTo: games@example.org\nSubject: x [postrider TOKEN]\n\nhi\n";
    assert_eq!(strictly(subject), Admitted::Player(HERE));
}

#[test]
fn a_token_in_other_hands_is_for_the_moderator() {
    let bob = "From: bob@example.org\nTo: games+TOKEN@example.org\n\nhi\n";
    assert!(matches!(strictly(bob), Admitted::Quarantined(_)));
    assert_eq!(admit(bob, Admission::Token), Admitted::Player(HERE));
}

#[test]
fn a_sender_may_have_to_be_proven() {
    let admission = Admission::TokenSenderAndDmarc;
    let letter = "From: ann@example.org\nTo: games+TOKEN@example.org\n\nhi\n";
    assert!(matches!(admit(letter, admission), Admitted::Quarantined(_)));
    let header = "Authentication-Results: mx.example.org;\n dmarc=pass header.from=example.org";
    let proven = format!("{header}\n{letter}");
    assert_eq!(admit(&proven, admission), Admitted::Player(HERE));
    let failed = format!("{}\n{proven}", header.replace("pass", "fail"));
    assert!(matches!(admit(&failed, admission), Admitted::Quarantined(_)));
    let bob = proven.replace("ann@", "bob@");
    assert!(matches!(admit(&bob, admission), Admitted::Quarantined(_)));
}

#[test]
fn without_a_valid_token_a_member_is_told_and_a_stranger_too() {
    let of = |from: &str, to: &str| strictly(&format!("From: {from}\nTo: {to}\n\nhi\n"));
    let ann = "ann@example.org".to_owned();
    assert_eq!(
        of("ann@example.org", "games@example.org"),
        Admitted::NoGame { address: ann.clone() }
    );
    let forged = "games+12.2.38.aaaaaaaaaaaaaaaaaaaaaaaaaa@example.org";
    assert_eq!(of("ann@example.org", forged), Admitted::BadToken { address: ann });
    assert!(matches!(of("eve@example.org", forged), Admitted::Stranger { .. }));
}

#[test]
fn a_letter_on_an_errand_is_from_whom_it_went_to() {
    let secret = ClubSecret::new([7; 32]);
    let of = |from: &str, action, bound_to: &str, admission| {
        let token = secret.seal_action(action, bound_to).to_string();
        admit(&format!("From: {from}\nTo: games+{token}@example.org\n\nhi\n"), admission)
    };
    let strictly = |from, action, bound_to| of(from, action, bound_to, Admission::TokenAndSender);
    let let_in = |from: &str, action| Admitted::Action { action, address: from.to_owned() };
    let (ann, eve, moderator) = ("ann@example.org", "eve@example.org", "mod@example.org");
    let member = ReplyAction::Member(7);
    assert_eq!(strictly(ann, member, "3"), let_in(ann, member));
    assert!(matches!(strictly(ann, member, "2"), Admitted::BadToken { .. }));
    assert!(matches!(strictly(eve, member, "3"), Admitted::Quarantined(_)));
    assert_eq!(of(eve, member, "3", Admission::Token), let_in(eve, member));
    let over_all = ReplyAction::Moderator;
    assert_eq!(strictly(moderator, over_all, moderator), let_in(moderator, over_all));
    assert!(matches!(of(ann, over_all, moderator, Admission::Token), Admitted::Quarantined(_)));
    let join = ReplyAction::Join { game: 12, day: 20_000 };
    assert_eq!(strictly(eve, join, eve), let_in(eve, join));
    assert!(matches!(strictly("mallory@example.org", join, eve), Admitted::Stranger { .. }));
}

#[test]
fn where_senders_are_proven_a_member_needs_no_token_to_speak() {
    let letter = "From: ann@example.org\nTo: games@example.org\n\nhi\n";
    let header = "Authentication-Results: mx.example.org;\n dmarc=pass header.from=example.org";
    let proven = format!("{header}\n{letter}");
    let signed =
        Admitted::Action { action: ReplyAction::Member(7), address: "ann@example.org".to_owned() };
    assert_eq!(admit(&proven, Admission::TokenSenderAndDmarc), signed);
    let unsigned = Admitted::NoGame { address: "ann@example.org".to_owned() };
    assert_eq!(admit(letter, Admission::TokenSenderAndDmarc), unsigned);
    assert_eq!(admit(&proven, Admission::TokenAndSender), unsigned);
}

#[test]
fn two_senders_and_ourselves_are_nobody() {
    let two = "From: ann@example.org\nFrom: bob@example.org\nTo: games+TOKEN@example.org\n\nhi\n";
    assert!(matches!(strictly(two), Admitted::Quarantined(_)));
    let own = "From: games+1.1.1.x@example.org\nTo: games+TOKEN@example.org\n\nhi\n";
    assert!(matches!(strictly(own), Admitted::Ignored(_)));
}

#[test]
fn sender_with_hidden_characters_is_somebody_else() {
    for hidden in ["\u{200b}", "\u{ad}", "\u{2060}", "\u{7}"] {
        for from in [format!("ann{hidden}@example.org"), format!("ann@exam{hidden}ple.org")] {
            let letter = format!("From: {from}\nTo: games+TOKEN@example.org\n\nhi\n");
            assert!(matches!(strictly(&letter), Admitted::Quarantined(_)), "{hidden:?}");
        }
    }
    // A mail program may put an invisible sign before an address that it writes to.
    let to = "From: ann@example.org\nTo: \u{200e}games+TOKEN@example.org\n\nhi\n";
    assert_eq!(strictly(to), Admitted::Player(HERE));
}

/// Addresses that look like this one and are others.
fn lookalikes(address: &str) -> Vec<String> {
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
fn sender_resembling_the_member_is_quarantined() {
    let secret = ClubSecret::new([7; 32]);
    let member = secret.seal_action(ReplyAction::Member(7), "3").to_string();
    let moderator = secret.seal_action(ReplyAction::Moderator, "mod@example.org").to_string();
    let is_quarantined = |from: &str, token: &str| {
        let letter = format!("From: {from}\nTo: games+{token}@example.org\n\nhi\n");
        matches!(strictly(&letter), Admitted::Quarantined(_))
    };
    for ann in lookalikes("ann@example.org") {
        assert!(is_quarantined(&ann, "TOKEN") && is_quarantined(&ann, &member), "{ann}");
    }
    for impostor in lookalikes("mod@example.org") {
        assert!(is_quarantined(&impostor, &moderator), "{impostor}");
    }
}

#[test]
fn sender_resembling_the_moderator_is_a_stranger() {
    for impostor in lookalikes("mod@example.org") {
        let letter = format!("From: {impostor}\nTo: games@example.org\n\nhi\n");
        assert!(matches!(strictly(&letter), Admitted::Stranger { .. }), "{impostor}");
    }
}

#[test]
fn address_resembling_the_club_is_another() {
    let club = "games@example.org";
    for other in lookalikes(club).into_iter().filter(|other| !other.contains('+')) {
        assert!(!is_own(&other, club), "{other}");
    }
    assert!(is_own("Games+x@Example.org", club));
}

#[test]
fn dmarc_of_a_lookalike_domain_proves_nothing() {
    let letter = "From: ann@example.org\nTo: games+TOKEN@example.org\n\nhi\n";
    for domain in ["evilexample.org", "example.org.evil.example", "mail.example.org", "org"] {
        let results = format!(
            "Authentication-Results: mx.example.org;\n dmarc=pass header.from={domain}\n{letter}"
        );
        let admitted = admit(&results, Admission::TokenSenderAndDmarc);
        assert!(matches!(admitted, Admitted::Quarantined(_)), "{domain}");
    }
}

#[test]
fn token_in_address_beats_token_in_subject() {
    let other = ClubSecret::new([7; 32]).seal(Position { game: 12, seat: 2, seq: 9 }, 1);
    let letter = |to: &str, subject: &str| {
        format!("From: ann@example.org\nTo: {to}\nSubject: {subject}\n\nhi\n")
    };
    let older = format!("Re: game [postrider {other}]");
    assert_eq!(strictly(&letter("games+TOKEN@example.org", &older)), Admitted::Player(HERE));
    // The subject counts where no address of the club has a token.
    for to in ["games@example.org", "games+x@example.org", "games+TOKEN@example.com"] {
        assert_eq!(strictly(&letter(to, &older)), Admitted::Player(other.what), "{to}");
    }
    let both = format!("games+{other}@example.org, games+TOKEN@example.org");
    assert_eq!(strictly(&letter(&both, "x")), Admitted::Player(other.what), "the first of two");
    let newest = format!("{older} [postrider TOKEN]");
    assert_eq!(strictly(&letter("games@example.org", &newest)), Admitted::Player(HERE));
}

//! Letters that no person would send.

use proptest::prelude::*;

use super::*;

fn read(letter: &str) -> Result<Letter, Unreadable> {
    Letter::read(letter.as_bytes())
}

fn good(letter: &str) -> Letter {
    match read(letter) {
        Ok(letter) => letter,
        Err(reason) => panic!("{reason}"),
    }
}

#[test]
fn every_limit_has_its_answer() {
    let head = "From: ann@example.org\n";
    let large = format!("{head}\n{}", "a".repeat(BYTES_MAX));
    assert_eq!(read(&large), Err(Unreadable::TooLarge));
    let hops = "Received: from a by b\n".repeat(HOPS_MAX + 1);
    assert_eq!(read(&format!("{hops}{head}\nbuy 3\n")), Err(Unreadable::TooManyHops));
    let long = "a\n ".repeat(HEAD_MAX / 3);
    assert_eq!(read(&format!("{head}X: {long}\n\nbuy 3\n")), Err(Unreadable::LargeHead));
    let mixed = "Content-Type: multipart/mixed; boundary=b\n\n";
    let parts = "--b\n\nbuy 3\n".repeat(PARTS_MAX);
    assert_eq!(read(&format!("{head}{mixed}{parts}")), Err(Unreadable::TooManyParts));
    let mut nested = head.to_owned();
    for depth in 0..=DEPTH_MAX {
        nested += &format!("Content-Type: multipart/mixed; boundary=b{depth}\n\n--b{depth}\n");
    }
    assert_eq!(read(&nested), Err(Unreadable::TooDeep));
    assert_eq!(read("Subject: x\n\nbuy 3\n"), Err(Unreadable::NoSender));
    assert_eq!(read(""), Err(Unreadable::NotALetter));
}

#[test]
fn letters_inside_of_letters_are_not_opened() {
    let inner = "Content-Type: message/rfc822\n\n".repeat(30_000);
    let letter = good(&format!("From: ann@example.org\n{inner}"));
    assert_eq!(letter.body, "");
}

#[test]
fn a_null_return_path_is_not_a_missing_one() {
    let path = |header: &str| good(&format!("{header}From: a@example.org\n\n")).return_path;
    assert_eq!(path(""), None);
    assert_eq!(path("Return-Path: <>\n"), Some(String::new()));
    assert_eq!(path("Return-Path: <b@example.org>\n"), Some("b@example.org".to_owned()));
}

#[test]
fn of_repeated_headers_all_or_the_topmost_count() {
    let letter = "Message-ID: <1@a>\nMessage-ID: <2@a>\nAuthentication-Results: mx; dkim=pass\n\
                  Authentication-Results: evil; dkim=pass\nReferences: <x@a>\n <y@a>\n\
                  In-Reply-To: Yours of Monday <x@a>\nFrom: ann@example.org\n\nbuy 3\n";
    let letter = good(letter);
    assert_eq!(letter.message_id.as_deref(), Some("1@a"));
    assert_eq!(letter.authentication_results, ["mx; dkim=pass", "evil; dkim=pass"]);
    assert_eq!(letter.references, ["x@a", "y@a"]);
}

#[test]
fn a_part_without_an_end_or_a_boundary_is_still_read() {
    let head = "From: ann@example.org\nContent-Type: multipart/mixed; boundary=b\n\n";
    assert_eq!(good(&format!("{head}--b\n\nbuy 3\n")).body, "buy 3\n");
    assert_eq!(good(&format!("{head}buy 3\n")).body, "buy 3\n");
}

#[test]
fn controls_go_and_no_quotation_is_left_through_them() {
    let body = good("From: ann@example.org\n\nbuy\0 3\u{7}\n> a\u{2028}b\u{85}c\n").body;
    assert_eq!(body, "buy 3\n> a b c\n");
}

#[test]
fn names_and_subjects_are_one_visible_line() {
    let letter = "From: =?utf-8?q?Ann=0D=0ABcc:_x=E2=80=AE?= <ANN@Example.org>\n\
                  Subject: =?utf-8?q?a=0D=0AX-Evil:_b?=\n\nbuy 3\n";
    let letter = good(letter);
    assert_eq!(letter.subject, "a X-Evil: b");
    let mailbox = Mailbox { name: "Ann Bcc: x".into(), address: "ann@example.org".into() };
    assert_eq!(letter.from, [mailbox]);
}

#[test]
fn a_digest_is_hex_and_the_same_for_both_line_ends() {
    assert_eq!(LetterHash::of(b"a\r\nb\r\n"), LetterHash::of(b"a\nb\n"));
    assert_ne!(LetterHash::of(b"a\nb"), LetterHash::of(b"ab"));
    assert_eq!(LetterHash::of(b"").to_string(), "e3b0c44298fc1c149afbf4c8996fb924");
}

/// Letters made of the things that matter here.
fn letters() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..20),
        "[ -~]{0,30}".prop_map(String::into_bytes),
        prop::sample::select(vec![
            "From: Ann <ann@example.org>",
            "From: =?utf-8?b?w?= <",
            "Subject: =?x?q?=0?=",
            "",
            "Content-Type: text/html",
            "Content-Type: multipart/alternative; boundary=\"b\"",
            "Content-Type: text/plain; charset=utf-7; format=flowed",
            "--b",
            "--b--",
            "Content-Transfer-Encoding: base64",
            "Content-Transfer-Encoding: quoted-printable",
            "<blockquote style='",
            "&#x110000;",
            "<!--",
            "=E2=82",
            "> wrote: ",
            "References: <<a>",
        ])
        .prop_map(|line| line.as_bytes().to_vec()),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|lines| lines.join(&b'\n'))
}

proptest! {
    #[test]
    fn any_bytes_are_a_letter_or_a_reason(bytes in letters()) {
        if let Ok(letter) = Letter::read(&bytes) {
            prop_assert!(!letter.body.contains(|c: char| c.is_control() && c != '\n' && c != '\t'));
            prop_assert!(!letter.subject.contains(char::is_control));
        }
    }

    #[test]
    fn line_ends_do_not_change_the_digest(lines in prop::collection::vec("[ -~]{0,20}", 0..8)) {
        let letter = format!("From: ann@example.org\nSubject: g7\n\n{}\n", lines.join("\n"));
        let wire = letter.replace('\n', "\r\n");
        prop_assert_eq!(good(&letter).digest, good(&wire).digest);
        prop_assert_eq!(LetterHash::of(letter.as_bytes()), LetterHash::of(wire.as_bytes()));
    }
}

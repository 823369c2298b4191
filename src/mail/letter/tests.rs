use proptest::prelude::*;

use super::*;

fn parse(letter: &str) -> Result<Letter, LetterError> {
    Letter::parse(letter.as_bytes())
}

fn parse_valid(letter: &str) -> Letter {
    match parse(letter) {
        Ok(letter) => letter,
        Err(reason) => panic!("{reason}"),
    }
}

#[test]
fn every_exceeded_limit_has_its_error() {
    let head = "From: ann@example.org\n";
    let large = format!("{head}\n{}", "a".repeat(BYTES_MAX));
    assert_eq!(parse(&large), Err(LetterError::TooLarge));
    let hops = "Received: from a by b\n".repeat(HOPS_MAX + 1);
    assert_eq!(parse(&format!("{hops}{head}\nbuy 3\n")), Err(LetterError::TooManyHops));
    let long = "a\n ".repeat(HEAD_MAX / 3);
    assert_eq!(parse(&format!("{head}X: {long}\n\nbuy 3\n")), Err(LetterError::HeadersTooLarge));
    let mixed = "Content-Type: multipart/mixed; boundary=b\n\n";
    let parts = "--b\n\nbuy 3\n".repeat(PARTS_MAX);
    assert_eq!(parse(&format!("{head}{mixed}{parts}")), Err(LetterError::TooManyParts));
    let mut nested = head.to_owned();
    for depth in 0..=DEPTH_MAX {
        nested += &format!("Content-Type: multipart/mixed; boundary=b{depth}\n\n--b{depth}\n");
    }
    assert_eq!(parse(&nested), Err(LetterError::TooDeep));
    assert_eq!(parse("Subject: x\n\nbuy 3\n"), Err(LetterError::NoSender));
    assert_eq!(parse(""), Err(LetterError::NotALetter));
}

#[test]
fn enclosed_letters_are_not_opened() {
    let inner = "Content-Type: message/rfc822\n\n".repeat(30_000);
    let letter = parse_valid(&format!("From: ann@example.org\n{inner}"));
    assert_eq!(letter.body, "");
}

#[test]
fn empty_return_path_differs_from_missing_one() {
    let path = |header: &str| parse_valid(&format!("{header}From: a@example.org\n\n")).return_path;
    assert_eq!(path(""), None);
    assert_eq!(path("Return-Path: <>\n"), Some(String::new()));
    assert_eq!(path("Return-Path: <b@example.org>\n"), Some("b@example.org".to_owned()));
}

#[test]
fn repeated_headers_are_merged_or_topmost_wins() {
    let letter = "Message-ID: <1@a>\nMessage-ID: <2@a>\nAuthentication-Results: mx; dkim=pass\n\
                  Authentication-Results: evil; dkim=pass\nReferences: <x@a>\n <y@a>\n\
                  In-Reply-To: Yours of Monday <x@a>\nFrom: ann@example.org\n\nbuy 3\n";
    let letter = parse_valid(letter);
    assert_eq!(letter.message_id.as_deref(), Some("1@a"));
    assert_eq!(letter.authentication_results, ["mx; dkim=pass", "evil; dkim=pass"]);
    assert_eq!(letter.references, ["x@a", "y@a"]);
}

#[test]
fn multipart_without_end_or_boundary_is_read() {
    let head = "From: ann@example.org\nContent-Type: multipart/mixed; boundary=b\n\n";
    assert_eq!(parse_valid(&format!("{head}--b\n\nbuy 3\n")).body, "buy 3\n");
    assert_eq!(parse_valid(&format!("{head}buy 3\n")).body, "buy 3\n");
}

/// Contents of letters below the first header, and whether they are encrypted.
const ENCRYPTED: [(&str, bool); 8] = [
    (
        "Content-Type: multipart/encrypted; boundary=b\n\n--b\nContent-Type: \
         application/pgp-encrypted\n\nVersion: 1\n--b\nContent-Type: application/octet-stream\n\n\
         -----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----\n--b--\n",
        true,
    ),
    (
        "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\
         Content-Disposition: attachment; filename=smime.p7m\n\nMIIB\n",
        true,
    ),
    ("Content-Type: text/plain\n\n\n-----BEGIN PGP MESSAGE-----\n\nhQEM\n", true),
    ("\n-----BEGIN PGP SIGNED MESSAGE-----\n\nbuy 3\n", false),
    ("\nbuy 3\n\n> -----BEGIN PGP MESSAGE-----\n", false),
    (
        "Content-Type: multipart/signed; boundary=b\n\n--b\n\nbuy 3\n--b\n\
         Content-Type: application/pkcs7-signature\n\nMIIB\n--b--\n",
        false,
    ),
    (
        "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nbuy 3\n--b\n\
         Content-Type: application/pkcs7-mime\n\nMIIB\n--b--\n",
        false,
    ),
    ("\n", false),
];

#[test]
fn encrypted_letter_is_recognized_in_each_format() {
    for (content, expected) in ENCRYPTED {
        let letter = parse_valid(&format!("From: ann@example.org\n{content}"));
        assert_eq!(letter.is_encrypted, expected, "{content}");
    }
}

#[test]
fn struck_out_words_count_over_plain_text() {
    let body = |html: &str| {
        let head = "From: ann@example.org\nContent-Type: multipart/alternative; boundary=b\n\n";
        let plain = "--b\n\nbuy 3\nbuy 4\n";
        let html = format!("--b\nContent-Type: text/html\n\n{html}\n--b--\n");
        parse_valid(&format!("{head}{plain}{html}")).body
    };
    assert_eq!(body("<s>buy 3</s><br>buy 4").trim(), "buy 4");
    assert_eq!(body("<p style='text-decoration:line-through'>buy 3</p>buy 4").trim(), "buy 4");
    assert_eq!(body("buy 3<br>buy 4<blockquote><s>old</s></blockquote>"), "buy 3\nbuy 4\n");
    assert_eq!(body("something else"), "buy 3\nbuy 4\n");
}

#[test]
fn control_characters_cannot_end_quotation() {
    let body = parse_valid("From: ann@example.org\n\nbuy\0 3\u{7}\n> a\u{2028}b\u{85}c\n").body;
    assert_eq!(body, "buy 3\n> a b c\n");
}

#[test]
fn name_and_subject_become_one_visible_line() {
    let letter = "From: =?utf-8?q?Ann=0D=0ABcc:_x=E2=80=AE?= <ANN@Example.org>\n\
                  Subject: =?utf-8?q?a=0D=0AX-Evil:_b?=\n\nbuy 3\n";
    let letter = parse_valid(letter);
    assert_eq!(letter.subject, "a X-Evil: b");
    let mailbox = Mailbox { name: "Ann Bcc: x".into(), address: "ann@example.org".into() };
    assert_eq!(letter.from, [mailbox]);
}

#[test]
fn letter_hash_is_hex_and_ignores_carriage_returns() {
    assert_eq!(LetterHash::compute(b"a\r\nb\r\n"), LetterHash::compute(b"a\nb\n"));
    assert_ne!(LetterHash::compute(b"a\nb"), LetterHash::compute(b"ab"));
    assert_eq!(LetterHash::compute(b"").to_string(), "e3b0c44298fc1c149afbf4c8996fb924");
}

/// Letters composed of random bytes and of header and body lines that are hard to parse.
fn arbitrary_letters() -> impl Strategy<Value = Vec<u8>> {
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
    fn parsed_letter_has_no_control_characters(bytes in arbitrary_letters()) {
        if let Ok(letter) = Letter::parse(&bytes) {
            prop_assert!(!letter.body.contains(|c: char| c.is_control() && c != '\n' && c != '\t'));
            prop_assert!(!letter.subject.contains(char::is_control));
        }
    }

    #[test]
    fn line_ends_do_not_change_letter_hash(lines in prop::collection::vec("[ -~]{0,20}", 0..8)) {
        let letter = format!("From: ann@example.org\nSubject: g7\n\n{}\n", lines.join("\n"));
        let wire = letter.replace('\n', "\r\n");
        prop_assert_eq!(parse_valid(&letter).hash, parse_valid(&wire).hash);
        let [unix, wire] = [&letter, &wire].map(|text| LetterHash::compute(text.as_bytes()));
        prop_assert_eq!(unix, wire);
    }
}

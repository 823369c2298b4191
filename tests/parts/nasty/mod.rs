//! Letters that somebody made to cost as much as they can.

pub mod work;

use postrider::mail::HEAD_MAX;

/// Lines that end the headers; what follows is the body.
const BODY: &str = "\r\n";

/// What a letter is made of, and what makes it: so many bytes below the headers `From` and `To`.
pub type Nasty = (&'static str, fn(usize) -> String);

/// Letters that are nothing but headers.
pub const HEADS: &[Nasty] = &[
    ("many headers", |n| filled("", "a:b\r\n", n, "")),
    ("many From headers", |n| filled("", "From: a@b.c\r\n", n, "")),
    ("many senders", |n| filled("From: ", "a@b.c,", n, "")),
    ("many recipients", |n| counted("", "Cc: a#@b.c,d#@b.c,e#@b.c\r\n", n, "")),
    ("one folded header", |n| filled("X: ", "a\r\n ", n, "")),
    ("a name without end", |n| filled("From: \"", "\\a", n, "")),
    ("comments in comments", |n| filled("From: ", "(", n, "")),
    ("groups in groups", |n| filled("To: ", "a:b@c,", n, "")),
    ("words that are encoded", |n| filled("Subject: ", "=?utf-8?q?=41?= ", n, "")),
    ("encoded words that end nowhere", |n| filled("Subject: ", "=?utf-8?b?", n, "")),
    ("encoded words without content", |n| filled("Subject: ", "=?a?q??=", n, "")),
    ("encoded names", |n| filled("From: ", "=?big5?b?pKSk5A==?= <a@b.c>,\r\n ", n, "")),
    ("one encoded word", |n| filled("Subject: =?windows-1252?q?", "=80", n, "")),
    ("many references", |n| counted("References: ", "<#>", n, "")),
    ("brackets that stay open", |n| filled("References: ", "<", n, "")),
    ("parameters of a content type", |n| counted(TYPE, ";a#=b", n, "")),
    ("continued parameters", |n| counted(TYPE, ";a*#=b", n, "")),
    ("parameters with their languages", |n| counted(TYPE, ";a#*=x'y'z", n, "")),
    ("parameters with two numbers", |n| counted(TYPE, ";a#*1=b", n, "")),
    ("a content type with a gap", |n| counted("C ontent-Type: a", ";a*#=b", n, "")),
    ("a content type below junk", |n| counted("junk\r\n Content-Type: a", ";a*#=b", n, "")),
    ("one parameter again and again", |n| counted(TYPE, ";a*1=b", n, "")),
    ("tags in a subject", |n| filled("Subject: ", "[postrider ", n, "")),
    ("reports of other servers", |n| filled("", "Authentication-Results: a;b=c\r\n", n, "")),
    ("our server's clauses", |n| filled(OURS, "a;", n, "")),
    ("our server's words", |n| filled(OURS, "a ", n, "")),
    ("our server's pairs", |n| filled(OURS, "a=b ", n, "")),
    ("our server's equals", |n| filled(OURS, "=", n, "")),
    ("our server's comments", |n| filled(OURS, "(", n, "")),
    ("our server's findings", |n| filled(OURS, "dmarc=pass header.from=example.org;", n, "")),
    ("failed recipients", |n| filled("X-Failed-Recipients: ", "a@b.example ", n, "")),
];

/// Letters with a body.
pub const BODIES: &[Nasty] = &[
    // Parts.
    ("parts inside of parts", |n| nested(n, 9, "text/html", "<p>a")),
    ("parts too deep", |n| nested(n, 200, "text/plain", "a\r\n")),
    ("parts too many", |n| filled(MIXED, "--b\r\n\r\na\r\n", n, "")),
    ("a hundred parts", |n| counted_parts(n, "text/html", "<td>a&amp;")),
    ("almost a boundary", |n| filled(MIXED, "--c\r\n", n, "")),
    ("nothing but line ends", |n| filled(MIXED, "\n", n, "")),
    ("heads of parts", |n| counted_parts(n, "text/plain\r\na:b", "\r\na:b")),
    ("content types of parts", types),
    ("letters in letters", |n| nested(n, 9, "message/rfc822", "From: a@b.c\r\n\r\n")),
    // Encodings.
    ("quoted-printable", |n| filled(PRINTABLE, "=41", n, "")),
    ("quoted-printable, soft line ends", |n| filled(PRINTABLE, "=\r\n", n, "")),
    ("quoted-printable, broken", |n| filled(PRINTABLE, "=", n, "")),
    ("base64", |n| filled(&base64("utf-8"), "gICA", n, "")),
    ("base64, broken", |n| filled(&base64("utf-8"), "g=", n, "")),
    ("a charset of one byte", |n| filled(&base64("windows-1252"), "gICA", n, "")),
    ("a charset of two bytes", |n| filled(&base64("utf-16"), "QUFB", n, "")),
    ("a charset with states", |n| filled(&base64("iso-2022-jp"), "GyRC", n, "")),
    ("a charset of up to four bytes", |n| filled(&base64("gb18030"), "gTCBMIE5", n, "")),
    ("a charset of seven bits", |n| filled(&base64("utf-7"), "K0FBLUFB", n, "")),
    ("a charset that nobody knows", |n| filled(&base64("x"), "/////////", n, "")),
    ("flowed lines", |n| filled(FLOWED, "a \r\n", n, "")),
    ("flowed quotations", |n| filled(FLOWED, ">> \r\n> \r\n", n, "")),
    // HTML.
    ("nested blocks", |n| filled(HTML, "<div>", n, "")),
    ("nested quotations", |n| filled(HTML, "<blockquote>", n, "")),
    ("lines of nested quotations", |n| filled(&quoted_html(), "<br>", n, "")),
    ("letters in nested quotations", |n| filled(&quoted_html(), "a<br>", n, "")),
    ("table cells", |n| filled(HTML, "<td>", n, "")),
    ("full table cells", |n| filled(HTML, "<td>a", n, "")),
    ("entities", |n| filled(HTML, "&NotNestedGreaterGreater;", n, "")),
    ("short entities", |n| filled(HTML, "&lt;", n, "")),
    ("numbers of characters", |n| filled(HTML, "&#9;", n, "")),
    ("nothing but ampersands", |n| filled(HTML, "&", n, "")),
    ("entities that end nowhere", |n| filled(HTML, "&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", n, "")),
    ("tags that end nowhere", |n| filled(HTML, "<a", n, "")),
    ("quotation marks in tags", |n| filled(HTML, "<a b=\">", n, "")),
    ("comments that end nowhere", |n| filled(HTML, "<!--", n, "")),
    ("brackets that are no tags", |n| filled(HTML, "< ", n, "")),
    ("long attributes", |n| filled(HTML, "<div a=bbbbbbbbbbbbbbbbbbbbbbbbbbbb>", n, "")),
    ("one attribute", |n| filled(&format!("{HTML}<div "), "border:none;", n, ">")),
    ("what is not shown", |n| filled(HTML, "<head><style><p>", n, "")),
    ("preformatted", |n| filled(&format!("{HTML}<pre>"), "\n", n, "")),
    ("spaces", |n| filled(HTML, "&nbsp; ", n, "")),
    // Text.
    ("one line", |n| filled(BODY, "a", n, "")),
    ("one line of words", |n| filled(BODY, "a b ", n, "")),
    ("one line of colons", |n| filled(BODY, ": ", n, "")),
    ("one line of capitals", |n| filled(BODY, "\u{130}\u{1e9e}", n, "")),
    ("one line of dots", |n| filled(BODY, "…", n, "")),
    ("one line of thanks", |n| filled(BODY, "thanks ", n, "")),
    ("one line of dashes", |n| filled(BODY, "-", n, "message -")),
    ("quotations", |n| filled(BODY, ">\n", n, "")),
    ("marks of quotations", |n| filled(BODY, ">", n, "")),
    ("initials of quotations", |n| filled(BODY, "AB> a\n", n, "")),
    ("open brackets", |n| filled(BODY, "<", n, "")),
    ("lines with open brackets", |n| filled(BODY, "<<<<<<<<<<<<<<<<<<<<<<<<<\n", n, "")),
    ("introductions", |n| filled(BODY, "On 2026-01-01 10:00 a@b.c wrote:\n>\n", n, "")),
    ("what is almost an introduction", |n| filled(BODY, &slow("a", "wrot ", "b:"), n, "")),
    ("what is almost both", |n| filled(BODY, &slow("a: b", "wrot ", "c:"), n, "")),
    ("capitals of two bytes", |n| filled(BODY, &slow("a", "\u{41d}\u{410}\u{41f}", "b:"), n, "")),
    ("capitals of three bytes", |n| filled(BODY, &slow("a", "\u{1e9e}\u{2126}", "b:"), n, "")),
    ("what is almost a header", |n| filled(BODY, &slow("a: b", "wrot ", "c: d"), n, "")),
    ("long lines without an end", |n| filled(BODY, &format!("{}\n", "On a".repeat(98)), n, "")),
    ("rules of lists", |n| filled(BODY, "-----\na b c d e f g h i j k l m n o p\n", n, "")),
    ("footers", |n| filled(BODY, "Sent from a\n", n, "")),
    ("footers of programs", |n| filled(BODY, "Outlook <http://a>\n\n", n, "")),
    ("names of programs", |n| filled(BODY, "Sent from Outlook\nOutlook\n", n, "")),
    ("secrets", |n| filled(BODY, "confidential\n\n----------\n", n, "")),
    ("texts that are signed", |n| filled(BODY, "-----BEGIN PGP SIGNED MESSAGE-----\na\n", n, "")),
    ("introductions between angles", |n| filled(BODY, ">>> a@b.c 2026-01-01\n\n", n, "")),
    ("introductions of several lines", |n| filled(BODY, "On 2026-01-01\na@b.c\n\n", n, "")),
    ("tabs and blank lines", |n| filled(BODY, "a\t2026\n\nb\ta@b.c\n\n", n, "")),
    ("greetings", |n| filled(BODY, "hello\n", n, "")),
    ("regards", |n| filled(BODY, "thanks Ann Bob\n", n, "")),
    ("orders", |n| filled(BODY, "build red G23, Troyes; sell 3\n", n, "")),
    // Reports of servers.
    ("a report of many recipients", |n| counted(&status(), &recipient(), n, "")),
    ("a report with many addresses", |n| counted(&words(), "a#@b.example\n", n, "")),
    ("a report with many tokens", |n| filled(&words(), "games+1.1.1.aaaa@example.org ", n, "")),
    ("a report to many", addressed),
    ("a report with much HTML", |n| counted_parts(n, "text/html", "<br>a@b.example")),
    ("reports in reports", reports),
];

const TYPE: &str = "Content-Type: text/plain";
const OURS: &str = "Authentication-Results: mx.example.org;";
const MIXED: &str = "Content-Type: multipart/mixed; boundary=b\r\n\r\n";
const PRINTABLE: &str = "Content-Transfer-Encoding: quoted-printable\r\n\r\n";
const FLOWED: &str = "Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n";
const HTML: &str = "Content-Type: text/html\r\n\r\n";

/// The same again and again, as often as fits.
fn filled(before: &str, again: &str, size: usize, after: &str) -> String {
    let room = size.saturating_sub(before.len() + after.len());
    format!("{before}{}{after}", again.repeat(room / again.len()))
}

/// As `filled`, with a number in place of each `#`.
fn counted(before: &str, again: &str, size: usize, after: &str) -> String {
    let mut text = before.to_owned();
    for number in 0_u32.. {
        if text.len() + again.len() + 8 + after.len() > size {
            break;
        }
        text.push_str(&again.replace('#', &number.to_string()));
    }
    text + after
}

/// Parts inside of parts; the innermost is as long as the rest.
fn nested(size: usize, depth: usize, kind: &str, again: &str) -> String {
    let mut text = String::new();
    for level in 0..depth {
        let kind = format!("Content-Type: multipart/mixed; boundary=b{level}");
        text.push_str(&format!("{kind}\r\n\r\n--b{level}\r\n"));
    }
    filled(&format!("{text}Content-Type: {kind}\r\n\r\n"), again, size, "")
}

/// As many parts as are allowed.
fn counted_parts(size: usize, kind: &str, again: &str) -> String {
    let mut text = "Content-Type: multipart/report; boundary=b\r\n\r\n".to_owned();
    for _ in 0..98 {
        let part = format!("--b\r\nContent-Type: {kind}\r\n\r\n");
        text.push_str(&filled(&part, again, size / 99, "\r\n"));
    }
    text
}

/// A few parts, each with as many parameters as fit.
fn types(size: usize) -> String {
    let part = counted("--b\r\nContent-Type: a", ";a*#=b", size / 9, "\r\n\r\n");
    format!("{MIXED}{}", part.repeat(8))
}

fn base64(charset: &str) -> String {
    format!(
        "Content-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    )
}

fn quoted_html() -> String {
    format!("{HTML}{}", "<blockquote>".repeat(20))
}

/// Six lines of which only the last one tells that they are nothing, as wide as lines that are
/// looked at, and as many as are.
fn slow(line: &str, word: &str, last: &str) -> String {
    let line = format!("{line} {}\n", word.repeat(45 / word.len()));
    format!("{}{last}\n", line.repeat(5))
}

fn status() -> String {
    let kind = "Content-Type: multipart/report; boundary=b\r\n\r\n";
    format!("{kind}--b\r\nContent-Type: message/delivery-status\r\n\r\n")
}

fn recipient() -> String {
    "Final-Recipient: rfc822; a#@b.example\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n".to_owned()
}

fn words() -> String {
    "Subject: Undelivered Mail\r\n\r\n".to_owned()
}

/// A report to as many as headers have room for, which names others in words.
fn addressed(size: usize) -> String {
    let to = counted("", "Cc: a#@b.c\r\n", size.min(HEAD_MAX - 200), &words());
    counted(&to, "b#@b.c\n", size, "")
}

/// Reports inside of letters inside of reports, each as long as the rest.
fn reports(size: usize) -> String {
    let mut text = String::new();
    for level in 0..9 {
        let kind = format!("Content-Type: multipart/report; boundary=b{level}");
        text.push_str(&format!("{kind}\r\n\r\n--b{level}\r\nContent-Type: message/rfc822\r\n\r\n"));
    }
    filled(&text, "a: a@b.example\r\n", size, "")
}

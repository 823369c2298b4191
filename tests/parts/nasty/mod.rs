//! Hostile letters: texts that cost a parser as much as possible.

pub mod work;

use postrider::mail::HEAD_MAX;

/// An empty line, which ends the headers. The body follows.
const END_OF_HEADERS: &str = "\r\n";

/// A name, and a function that makes a letter's text of about this many bytes. The headers `From`
/// and `To` come before it.
pub type Nasty = (&'static str, fn(usize) -> String);

/// Letters that consist of headers only.
pub const HEADS: &[Nasty] = &[
    ("many headers", |n| repeat_to_size("", "a:b\r\n", n, "")),
    ("many From headers", |n| repeat_to_size("", "From: a@b.c\r\n", n, "")),
    ("many senders", |n| repeat_to_size("From: ", "a@b.c,", n, "")),
    ("many recipients", |n| repeat_numbered("", "Cc: a#@b.c,d#@b.c,e#@b.c\r\n", n, "")),
    ("one folded header", |n| repeat_to_size("X: ", "a\r\n ", n, "")),
    ("a name without end", |n| repeat_to_size("From: \"", "\\a", n, "")),
    ("comments in comments", |n| repeat_to_size("From: ", "(", n, "")),
    ("groups in groups", |n| repeat_to_size("To: ", "a:b@c,", n, "")),
    ("words that are encoded", |n| repeat_to_size("Subject: ", "=?utf-8?q?=41?= ", n, "")),
    ("encoded words that end nowhere", |n| repeat_to_size("Subject: ", "=?utf-8?b?", n, "")),
    ("encoded words without content", |n| repeat_to_size("Subject: ", "=?a?q??=", n, "")),
    ("encoded names", |n| repeat_to_size("From: ", "=?big5?b?pKSk5A==?= <a@b.c>,\r\n ", n, "")),
    ("one encoded word", |n| repeat_to_size("Subject: =?windows-1252?q?", "=80", n, "")),
    ("many references", |n| repeat_numbered("References: ", "<#>", n, "")),
    ("brackets that stay open", |n| repeat_to_size("References: ", "<", n, "")),
    ("parameters of a content type", |n| repeat_numbered(TYPE, ";a#=b", n, "")),
    ("continued parameters", |n| repeat_numbered(TYPE, ";a*#=b", n, "")),
    ("parameters with their languages", |n| repeat_numbered(TYPE, ";a#*=x'y'z", n, "")),
    ("parameters with two numbers", |n| repeat_numbered(TYPE, ";a#*1=b", n, "")),
    ("a content type with a gap", |n| repeat_numbered("C ontent-Type: a", ";a*#=b", n, "")),
    ("a content type below junk", |n| repeat_numbered("junk\r\n Content-Type: a", ";a*#=b", n, "")),
    ("one parameter again and again", |n| repeat_numbered(TYPE, ";a*1=b", n, "")),
    ("tags in a subject", |n| repeat_to_size("Subject: ", "[postrider ", n, "")),
    ("reports of other servers", |n| {
        repeat_to_size("", "Authentication-Results: a;b=c\r\n", n, "")
    }),
    ("our server's clauses", |n| repeat_to_size(OUR_SERVERS_RESULTS, "a;", n, "")),
    ("our server's words", |n| repeat_to_size(OUR_SERVERS_RESULTS, "a ", n, "")),
    ("our server's pairs", |n| repeat_to_size(OUR_SERVERS_RESULTS, "a=b ", n, "")),
    ("our server's equals", |n| repeat_to_size(OUR_SERVERS_RESULTS, "=", n, "")),
    ("our server's comments", |n| repeat_to_size(OUR_SERVERS_RESULTS, "(", n, "")),
    ("our server's findings", |n| {
        repeat_to_size(OUR_SERVERS_RESULTS, "dmarc=pass header.from=example.org;", n, "")
    }),
    ("failed recipients", |n| repeat_to_size("X-Failed-Recipients: ", "a@b.example ", n, "")),
];

pub const BODIES: &[Nasty] = &[
    // Parts
    ("parts inside of parts", |n| nested_parts(n, 9, "text/html", "<p>a")),
    ("parts too deep", |n| nested_parts(n, 200, "text/plain", "a\r\n")),
    ("parts too many", |n| repeat_to_size(MIXED, "--b\r\n\r\na\r\n", n, "")),
    ("a hundred parts", |n| many_parts(n, "text/html", "<td>a&amp;")),
    ("almost a boundary", |n| repeat_to_size(MIXED, "--c\r\n", n, "")),
    ("nothing but line ends", |n| repeat_to_size(MIXED, "\n", n, "")),
    ("heads of parts", |n| many_parts(n, "text/plain\r\na:b", "\r\na:b")),
    ("content types of parts", parts_with_parameters),
    ("letters in letters", |n| nested_parts(n, 9, "message/rfc822", "From: a@b.c\r\n\r\n")),
    // Encodings
    ("quoted-printable", |n| repeat_to_size(PRINTABLE, "=41", n, "")),
    ("quoted-printable, soft line ends", |n| repeat_to_size(PRINTABLE, "=\r\n", n, "")),
    ("quoted-printable, broken", |n| repeat_to_size(PRINTABLE, "=", n, "")),
    ("base64", |n| repeat_to_size(&base64_headers("utf-8"), "gICA", n, "")),
    ("base64, broken", |n| repeat_to_size(&base64_headers("utf-8"), "g=", n, "")),
    ("a charset of one byte", |n| repeat_to_size(&base64_headers("windows-1252"), "gICA", n, "")),
    ("a charset of two bytes", |n| repeat_to_size(&base64_headers("utf-16"), "QUFB", n, "")),
    ("a charset with states", |n| repeat_to_size(&base64_headers("iso-2022-jp"), "GyRC", n, "")),
    ("a charset of up to four bytes", |n| {
        repeat_to_size(&base64_headers("gb18030"), "gTCBMIE5", n, "")
    }),
    ("a charset of seven bits", |n| repeat_to_size(&base64_headers("utf-7"), "K0FBLUFB", n, "")),
    ("a charset that nobody knows", |n| repeat_to_size(&base64_headers("x"), "/////////", n, "")),
    ("flowed lines", |n| repeat_to_size(FLOWED, "a \r\n", n, "")),
    ("flowed quotations", |n| repeat_to_size(FLOWED, ">> \r\n> \r\n", n, "")),
    // HTML
    ("nested blocks", |n| repeat_to_size(HTML, "<div>", n, "")),
    ("nested quotations", |n| repeat_to_size(HTML, "<blockquote>", n, "")),
    ("lines of nested quotations", |n| repeat_to_size(&quoted_html(), "<br>", n, "")),
    ("letters in nested quotations", |n| repeat_to_size(&quoted_html(), "a<br>", n, "")),
    ("table cells", |n| repeat_to_size(HTML, "<td>", n, "")),
    ("full table cells", |n| repeat_to_size(HTML, "<td>a", n, "")),
    ("entities", |n| repeat_to_size(HTML, "&NotNestedGreaterGreater;", n, "")),
    ("short entities", |n| repeat_to_size(HTML, "&lt;", n, "")),
    ("numbers of characters", |n| repeat_to_size(HTML, "&#9;", n, "")),
    ("nothing but ampersands", |n| repeat_to_size(HTML, "&", n, "")),
    ("entities that end nowhere", |n| {
        repeat_to_size(HTML, "&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", n, "")
    }),
    ("tags that end nowhere", |n| repeat_to_size(HTML, "<a", n, "")),
    ("quotation marks in tags", |n| repeat_to_size(HTML, "<a b=\">", n, "")),
    ("comments that end nowhere", |n| repeat_to_size(HTML, "<!--", n, "")),
    ("brackets that are no tags", |n| repeat_to_size(HTML, "< ", n, "")),
    ("long attributes", |n| repeat_to_size(HTML, "<div a=bbbbbbbbbbbbbbbbbbbbbbbbbbbb>", n, "")),
    ("one attribute", |n| repeat_to_size(&format!("{HTML}<div "), "border:none;", n, ">")),
    ("what is not shown", |n| repeat_to_size(HTML, "<head><style><p>", n, "")),
    ("preformatted", |n| repeat_to_size(&format!("{HTML}<pre>"), "\n", n, "")),
    ("spaces", |n| repeat_to_size(HTML, "&nbsp; ", n, "")),
    // Text
    ("one line", |n| repeat_to_size(END_OF_HEADERS, "a", n, "")),
    ("one line of words", |n| repeat_to_size(END_OF_HEADERS, "a b ", n, "")),
    ("one line of colons", |n| repeat_to_size(END_OF_HEADERS, ": ", n, "")),
    ("one line of capitals", |n| repeat_to_size(END_OF_HEADERS, "\u{130}\u{1e9e}", n, "")),
    ("one line of dots", |n| repeat_to_size(END_OF_HEADERS, "…", n, "")),
    ("one line of thanks", |n| repeat_to_size(END_OF_HEADERS, "thanks ", n, "")),
    ("one line of dashes", |n| repeat_to_size(END_OF_HEADERS, "-", n, "message -")),
    ("quotations", |n| repeat_to_size(END_OF_HEADERS, ">\n", n, "")),
    ("marks of quotations", |n| repeat_to_size(END_OF_HEADERS, ">", n, "")),
    ("initials of quotations", |n| repeat_to_size(END_OF_HEADERS, "AB> a\n", n, "")),
    ("open brackets", |n| repeat_to_size(END_OF_HEADERS, "<", n, "")),
    ("lines with open brackets", |n| {
        repeat_to_size(END_OF_HEADERS, "<<<<<<<<<<<<<<<<<<<<<<<<<\n", n, "")
    }),
    ("introductions", |n| {
        repeat_to_size(END_OF_HEADERS, "On 2026-01-01 10:00 a@b.c wrote:\n>\n", n, "")
    }),
    ("what is almost an introduction", |n| {
        repeat_to_size(END_OF_HEADERS, &slow_lines("a", "wrot ", "b:"), n, "")
    }),
    ("what is almost both", |n| {
        repeat_to_size(END_OF_HEADERS, &slow_lines("a: b", "wrot ", "c:"), n, "")
    }),
    ("capitals of two bytes", |n| {
        repeat_to_size(END_OF_HEADERS, &slow_lines("a", "\u{41d}\u{410}\u{41f}", "b:"), n, "")
    }),
    ("capitals of three bytes", |n| {
        repeat_to_size(END_OF_HEADERS, &slow_lines("a", "\u{1e9e}\u{2126}", "b:"), n, "")
    }),
    ("what is almost a header", |n| {
        repeat_to_size(END_OF_HEADERS, &slow_lines("a: b", "wrot ", "c: d"), n, "")
    }),
    ("long lines without an end", |n| {
        repeat_to_size(END_OF_HEADERS, &format!("{}\n", "On a".repeat(98)), n, "")
    }),
    ("one line of a footer", |n| repeat_to_size("\r\nsent from ", "a ", n, "")),
    ("one line above an introduction", |n| {
        repeat_to_size("\r\n2024 9:05 ", "A ", n, "\n(b@x.org) wrote:\n")
    }),
    ("rules of lists", |n| {
        repeat_to_size(END_OF_HEADERS, "-----\na b c d e f g h i j k l m n o p\n", n, "")
    }),
    ("words of footers", |n| {
        repeat_to_size(END_OF_HEADERS, &format!("{}b\n", "Sent from iOS ".repeat(28)), n, "")
    }),
    ("footers", |n| repeat_to_size(END_OF_HEADERS, "Sent from a\n", n, "")),
    ("footers of programs", |n| repeat_to_size(END_OF_HEADERS, "Outlook <http://a>\n\n", n, "")),
    ("names of programs", |n| {
        repeat_to_size(END_OF_HEADERS, "Sent from Outlook\nOutlook\n", n, "")
    }),
    ("secrets", |n| repeat_to_size(END_OF_HEADERS, "confidential\n\n----------\n", n, "")),
    ("texts that are signed", |n| {
        repeat_to_size(END_OF_HEADERS, "-----BEGIN PGP SIGNED MESSAGE-----\na\n", n, "")
    }),
    ("introductions between angles", |n| {
        repeat_to_size(END_OF_HEADERS, ">>> a@b.c 2026-01-01\n\n", n, "")
    }),
    ("introductions of several lines", |n| {
        repeat_to_size(END_OF_HEADERS, "On 2026-01-01\na@b.c\n\n", n, "")
    }),
    ("tabs and blank lines", |n| repeat_to_size(END_OF_HEADERS, "a\t2026\n\nb\ta@b.c\n\n", n, "")),
    ("greetings", |n| repeat_to_size(END_OF_HEADERS, "hello\n", n, "")),
    ("regards", |n| repeat_to_size(END_OF_HEADERS, "thanks Ann Bob\n", n, "")),
    ("orders", |n| repeat_to_size(END_OF_HEADERS, "build red G23, Troyes; sell 3\n", n, "")),
    // Bounce reports
    ("a report of many recipients", |n| {
        repeat_numbered(&status_headers(), &recipient_fields(), n, "")
    }),
    ("a report with many addresses", |n| {
        repeat_numbered(&bounce_headers(), "a#@b.example\n", n, "")
    }),
    ("a report with many tokens", |n| {
        repeat_to_size(&bounce_headers(), "games+1.1.1.aaaa@example.org ", n, "")
    }),
    ("a report to many", report_to_many),
    ("a report with much HTML", |n| many_parts(n, "text/html", "<br>a@b.example")),
    ("reports in reports", nested_reports),
];

const TYPE: &str = "Content-Type: text/plain";
const OUR_SERVERS_RESULTS: &str = "Authentication-Results: mx.example.org;";
const MIXED: &str = "Content-Type: multipart/mixed; boundary=b\r\n\r\n";
const PRINTABLE: &str = "Content-Transfer-Encoding: quoted-printable\r\n\r\n";
const FLOWED: &str = "Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n";
const HTML: &str = "Content-Type: text/html\r\n\r\n";

/// Repeats `again` as often as it fits between `before` and `after`.
fn repeat_to_size(before: &str, again: &str, size: usize, after: &str) -> String {
    let room = size.saturating_sub(before.len() + after.len());
    format!("{before}{}{after}", again.repeat(room / again.len()))
}

/// Like [`repeat_to_size`], with a number in place of each `#`.
fn repeat_numbered(before: &str, again: &str, size: usize, after: &str) -> String {
    let mut text = before.to_owned();
    for number in 0_u32.. {
        if text.len() + again.len() + 8 + after.len() > size {
            break;
        }
        text.push_str(&again.replace('#', &number.to_string()));
    }
    text + after
}

/// Makes nested parts. The innermost one fills the remaining size.
fn nested_parts(size: usize, depth: usize, kind: &str, again: &str) -> String {
    let mut text = String::new();
    for level in 0..depth {
        let kind = format!("Content-Type: multipart/mixed; boundary=b{level}");
        text.push_str(&format!("{kind}\r\n\r\n--b{level}\r\n"));
    }
    repeat_to_size(&format!("{text}Content-Type: {kind}\r\n\r\n"), again, size, "")
}

/// Makes about as many parts as a letter may have.
fn many_parts(size: usize, kind: &str, again: &str) -> String {
    let mut text = "Content-Type: multipart/report; boundary=b\r\n\r\n".to_owned();
    for _ in 0..98 {
        let part = format!("--b\r\nContent-Type: {kind}\r\n\r\n");
        text.push_str(&repeat_to_size(&part, again, size / 99, "\r\n"));
    }
    text
}

/// Makes eight parts, each with as many parameters as fit.
fn parts_with_parameters(size: usize) -> String {
    let part = repeat_numbered("--b\r\nContent-Type: a", ";a*#=b", size / 9, "\r\n\r\n");
    format!("{MIXED}{}", part.repeat(8))
}

fn base64_headers(charset: &str) -> String {
    format!(
        "Content-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    )
}

fn quoted_html() -> String {
    format!("{HTML}{}", "<blockquote>".repeat(20))
}

/// Makes six lines of which only the last one shows that they are no introduction. They have the
/// maximal width and number of lines that the parser examines.
fn slow_lines(line: &str, word: &str, last: &str) -> String {
    let line = format!("{line} {}\n", word.repeat(45 / word.len()));
    format!("{}{last}\n", line.repeat(5))
}

fn status_headers() -> String {
    let kind = "Content-Type: multipart/report; boundary=b\r\n\r\n";
    format!("{kind}--b\r\nContent-Type: message/delivery-status\r\n\r\n")
}

fn recipient_fields() -> String {
    "Final-Recipient: rfc822; a#@b.example\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n".to_owned()
}

fn bounce_headers() -> String {
    "Subject: Undelivered Mail\r\n\r\n".to_owned()
}

/// Makes a report with as many recipients as the headers have room for, and other addresses in the
/// text.
fn report_to_many(size: usize) -> String {
    let to = repeat_numbered("", "Cc: a#@b.c\r\n", size.min(HEAD_MAX - 200), &bounce_headers());
    repeat_numbered(&to, "b#@b.c\n", size, "")
}

/// Makes reports nested in letters, of which the innermost fills the remaining size.
fn nested_reports(size: usize) -> String {
    let mut text = String::new();
    for level in 0..9 {
        let kind = format!("Content-Type: multipart/report; boundary=b{level}");
        text.push_str(&format!("{kind}\r\n\r\n--b{level}\r\nContent-Type: message/rfc822\r\n\r\n"));
    }
    repeat_to_size(&text, "a: a@b.example\r\n", size, "")
}

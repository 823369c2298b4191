//! Tests of separating the sender's own text from quotations and footers. Each file of
//! `tests/replies` contains cases: a line `=== title`, then the lines of a body. Lines of the
//! sender begin with `+ `, all others with `. `. Blank lines are ignored.

use postrider::mail::{Letter, written_lines};
use std::fmt::Write;
use std::fs;
use std::path::Path;

const MARKERS: [&str; 1] = ["Reply above this line"];

fn read_reply(body: &str) -> Vec<&str> {
    let lines = written_lines(body, &MARKERS).into_iter().map(|(_, line)| line.trim());
    lines.filter(|line| !line.is_empty()).collect()
}

#[test]
fn only_lines_written_by_person_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/replies");
    let (mut faults, mut count) = (String::new(), 0);
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        for case in text.split("=== ").skip(1) {
            let (title, lines) = case.split_once('\n').unwrap();
            let is_marked = |line: &str| line.starts_with(['+', '.']);
            assert!(
                lines.lines().all(is_marked),
                "{}: {title}: a line without + or .",
                path.display()
            );
            let body: Vec<&str> = lines.lines().map(|line| line.get(2..).unwrap_or("")).collect();
            let expected = lines.lines().filter_map(|line| line.strip_prefix("+ "));
            let expected: Vec<&str> = expected.map(str::trim).collect();
            let body = body.join("\n");
            let found = read_reply(&body);
            if found != expected {
                writeln!(faults, "== {}: {title}\n{}", path.display(), found.join("\n")).unwrap();
            }
            count += 1;
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
    assert!(count >= 190, "only {count} cases");
}

#[test]
fn quoted_text_in_html_reply_is_skipped() {
    let order = "<div>build red G23</div>";
    for (what, below) in [
        (
            "Gmail",
            "<div class=gmail_quote><div class=gmail_attr>On Sat, Nov 21, 2026 at 10:05 AM Bob \
             &lt;bob@example.org&gt; wrote:<br></div><blockquote class=gmail_quote>build blue \
             H18</blockquote></div>",
        ),
        (
            "Outlook on a phone",
            "<div id=\"ms-outlook-mobile-signature\">Outlook für <a href='https://aka.ms/x'>iOS\
             </a> beziehen</div><hr><div id=\"divRplyFwdMsg\"><b>Von:</b> Bob<br><b>Gesendet:</b> \
             Samstag</div><div>build blue H18</div>",
        ),
        (
            "headers below a rule, which nothing else tells",
            "<br>Get <a href='https://aka.ms/x'>Outlook for iOS</a><hr><p><b>Nuo:</b> Bob \
             &lt;bob@example.org&gt;</p><p><b>Kam:</b> Ann</p><p><b>Data:</b> 2026-11-21 10:05</p>\
             <p><b>Tema:</b> turn 3</p><p>build blue H18</p>",
        ),
        (
            "a table of headers",
            "<table><tr><td>Od:</td><td>Bob &lt;bob@example.org&gt;</td></tr><tr><td>Za:</td>\
             <td>Ann</td></tr><tr><td>Zadeva:</td><td>turn 3</td></tr></table><p>build blue H18",
        ),
        (
            "Yahoo",
            "<div class=\"ydp1yahoo_quoted\"><div>On Saturday Bob wrote:</div><div>build blue \
             H18</div></div>",
        ),
        (
            "Thunderbird",
            "<div class=moz-cite-prefix>On 21.11.2026 10:05, Bob wrote:<br></div><blockquote \
             type=cite>build blue H18</blockquote><p></p>",
        ),
        (
            "Zoho",
            "<br><div class=\"zmail_extra\" style='border-top: 1px solid'><div>Bob, le 21 novembre\
             </div><div>build blue H18</div></div>",
        ),
        (
            "QQ",
            "<div><br></div><div style=\"font-size:12px\">------------------&nbsp;原始邮件&nbsp;\
             ------------------</div><div><b>发件人:</b> Bob</div><div>build blue H18</div>",
        ),
    ] {
        let bytes = format!(
            "From: ann@example.org\nTo: games@example.org\nContent-Type: text/html; \
             charset=utf-8\n\n<html><body>{order}{below}</body></html>\n"
        );
        let letter = Letter::parse(bytes.as_bytes()).unwrap();
        assert_eq!(read_reply(&letter.body), ["build red G23"], "{what}:\n{}", letter.body);
    }
}

/// A company's disclaimer below an order must not make the letter too long to read.
#[test]
fn long_footer_below_order_is_tolerated() {
    let long = "This message is for its reader alone, and nobody else may know of it. ".repeat(9);
    let body = format!("build red G23\n\n{long}\n");
    let lines = postrider::mail::extract_order_lines(&body, &MARKERS).unwrap();
    assert_eq!(lines.iter().map(|line| &*line.text).collect::<Vec<_>>(), ["build red G23"]);
    let above = format!("{long}\n\nbuild red G23\n");
    assert!(
        postrider::mail::extract_order_lines(&above, &MARKERS).is_err(),
        "the sender may have written the long text"
    );
}

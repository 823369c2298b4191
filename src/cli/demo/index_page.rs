//! The page that shows all letters of a club as people see them.
//!
//! The page has no scripts and loads nothing: pictures are `data:` URLs, and the letters are in
//! sandboxed frames.

use super::DemoLetter;

/// The smallest and largest height of a letter's frame, in pixels.
const HEIGHTS: std::ops::Range<usize> = 180..680;

/// Returns the page with these letters, which are in order of time. `more` is HTML below the title.
pub(super) fn render(letters: &[DemoLetter], title: &str, more: &str) -> String {
    let days = letters.chunk_by(|a, b| a.at.date_naive() == b.at.date_naive());
    let days: Vec<String> = days.map(render_day).collect();
    include_str!("index.html")
        .replace("{title}", &escape_html(title))
        .replace("{more}", more)
        .replace("{days}", &days.join("\n"))
}

fn render_day(letters: &[DemoLetter]) -> String {
    let date = letters.first().map(|letter| letter.at.format("%A %-d %B %Y").to_string());
    let mut day = format!("<h2>{}</h2>\n", date.unwrap_or_default());
    for letters in letters.chunk_by(|a, b| a.is_inbound == b.is_inbound) {
        let letters: Vec<String> = letters.iter().map(render_letter).collect();
        day += &format!("<div class=\"letters\">\n{}\n</div>\n", letters.join("\n"));
    }
    day
}

fn render_letter(letter: &DemoLetter) -> String {
    let (class, person) = match letter.is_inbound {
        true => ("in", format!("From {}", letter.from)),
        false => ("out", format!("To {}", letter.to)),
    };
    let (person, subject) = (escape_html(&person), escape_html(&letter.subject));
    let text = escape_html(letter.text.trim());
    let body = match letter.as_web_page() {
        Some(page) => format!(
            "<iframe sandbox style=\"height:{}px\" title=\"{subject}\" srcdoc=\"{}\"></iframe>\n\
             <details><summary>As plain text</summary><pre>{text}</pre></details>",
            estimate_frame_height(&letter.text),
            escape_html(&page)
        ),
        None => format!("<pre>{text}</pre>"),
    };
    format!(
        "<article class=\"{class}\">\n<h3>{person}</h3>\n<p class=\"head\">{subject}</p>\n\
         {body}\n</article>"
    )
}

/// Returns a height for the frame of a letter with this text, in pixels. A page without scripts
/// cannot measure the letter.
fn estimate_frame_height(text: &str) -> usize {
    let lines: usize = text.lines().map(|line| 1 + line.len() / 40).sum();
    (100 + 26 * lines).clamp(HEIGHTS.start, HEIGHTS.end)
}

fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

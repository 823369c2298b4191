//! Converts `text/markdown` (RFC 7763) to the text that its writer meant. Markdown is readable as
//! it is, so only its escapes are undone, and what is struck out is removed.

/// Returns the text without struck-out words (`~~no~~`), without the backslashes that Markdown
/// needs before punctuation, and without those at the ends of lines, which mean a line break. Code
/// between fences of backticks or tildes stays as it is, without the fences. Lines keep their
/// numbers.
pub(super) fn to_text(markdown: &str) -> String {
    let mut text = String::with_capacity(markdown.len());
    let mut paragraph = Vec::new();
    let mut open_fence = None;
    for line in markdown.lines() {
        let mark = fence_mark(line);
        let is_fence = mark.is_some() && open_fence.is_none_or(|open| mark == Some(open));
        if !(open_fence.is_some() || is_fence || line.trim().is_empty()) {
            paragraph.push(line);
            continue;
        }
        push_paragraph(&std::mem::take(&mut paragraph), &mut text);
        text.push_str(if is_fence { "" } else { line });
        text.push('\n');
        if is_fence {
            open_fence = mark.filter(|_| open_fence.is_none());
        }
    }
    push_paragraph(&paragraph, &mut text);
    text
}

/// Returns the character of which this line is a fence, if it is one.
fn fence_mark(line: &str) -> Option<char> {
    let line = line.trim_start();
    let is_fence = |mark: &char| {
        let behind = line.trim_start_matches(*mark);
        line.len() - behind.len() >= 3 && !behind.contains(*mark)
    };
    ['`', '~'].into_iter().find(is_fence)
}

fn push_paragraph(lines: &[&str], text: &mut String) {
    if lines.is_empty() {
        return;
    }
    for line in remove_struck_text(&lines.join("\n")).split('\n') {
        push_unescaped(line, text);
        text.push('\n');
    }
}

/// Returns a paragraph without struck-out words. Its line ends stay.
fn remove_struck_text(paragraph: &str) -> String {
    let (mut kept, mut rest) = (String::new(), paragraph);
    while let Some((before, after)) = rest.split_once("~~")
        && let Some((struck, behind)) = after.split_once("~~")
    {
        kept.push_str(before);
        kept.extend(struck.matches('\n'));
        rest = behind;
    }
    kept + rest
}

fn push_unescaped(line: &str, text: &mut String) {
    let mut rest = line.strip_suffix('\\').unwrap_or(line);
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        if !after.starts_with(|c: char| c.is_ascii_punctuation()) {
            text.push('\\');
        }
        // The escaped character is copied here, because it may be another backslash.
        let end = after.chars().next().map_or(0, char::len_utf8);
        let (escaped, after) = after.split_at(end);
        text.push_str(escaped);
        rest = after;
    }
    text.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::to_text;

    #[test]
    fn escapes_and_fences_are_removed() {
        for (markdown, text) in [
            ("build red F16, Rouen\n", "build red F16, Rouen\n"),
            ("B\\&O 3\\\nnote \\*hi\\*\n", "B&O 3\nnote *hi*\n"),
            ("a\\\\b C:\\dir é\\é\n", "a\\b C:\\dir é\\é\n"),
            ("```\nB&O 3\\!\n```\nPRR 6\n", "\nB&O 3\\!\n\nPRR 6\n"),
            ("~~~\nB&O 3\n~~~\nPRR 6\n", "\nB&O 3\n\nPRR 6\n"),
            ("~~~\n```\n~~a~~\n~~~\n~~b~~\n", "\n```\n~~a~~\n\n\n"),
            ("> build red\n", "> build red\n"),
            ("~~build red G23~~\n~~lay D1~~ PRR 6 ~~\n", "\n PRR 6 ~~\n"),
            ("a ~~build red G23\nPRR 4~~ PRR 6\n", "a \n PRR 6\n"),
            ("~~build red G23\n\nPRR 6 ~~\n", "~~build red G23\n\nPRR 6 ~~\n"),
        ] {
            assert_eq!(to_text(markdown), text, "{markdown}");
        }
    }
}

//! Makes a web page of a letter's HTML, with its pictures inside.

use super::head::{self, LetterHeaders};
use super::mime_parts::{decode_content, split_parts};
use super::{BYTES_MAX, DEPTH_MAX};

/// Returns the letter's first HTML part as a page that needs no other file: each picture that it
/// shows by its Content-ID becomes a `data:` URL. Returns `None` if the letter has no HTML.
pub(crate) fn letter_as_web_page(letter: &[u8]) -> Option<String> {
    let mut leaves = Vec::new();
    collect_leaves(letter.get(..BYTES_MAX).unwrap_or(letter), 1, &mut leaves);
    let is_html = |(head, _): &&(LetterHeaders, &[u8])| head.content.media_type == "text/html";
    let (head, body) = leaves.iter().find(is_html)?;
    let mut page = decode_content(&head.content, body);
    for (head, body) in &leaves {
        let kind = &head.content.media_type;
        let Some(id) = head.value("content-id").map(|id| id.trim_matches(['<', '>'])) else {
            continue;
        };
        if kind.starts_with("image/") && head.content.encoding == "base64" {
            let picture: String = String::from_utf8_lossy(body).split_whitespace().collect();
            page = page.replace(&format!("cid:{id}"), &format!("data:{kind};base64,{picture}"));
        }
    }
    Some(page)
}

/// Collects the parts that have no subparts, in order.
fn collect_leaves<'a>(part: &'a [u8], depth: usize, leaves: &mut Vec<(LetterHeaders, &'a [u8])>) {
    let (head, body) = head::split_headers(part);
    let head = LetterHeaders::parse(head).unwrap_or_default();
    match head.content.boundary.as_deref() {
        Some(boundary) if depth < DEPTH_MAX => {
            for part in split_parts(body, boundary) {
                collect_leaves(part, depth + 1, leaves);
            }
        }
        _ => leaves.push((head, body)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_letter_become_data_urls() {
        let letter = "Content-Type: multipart/alternative; boundary=a\n\n\
            --a\nContent-Type: text/plain\n\nplain\n\
            --a\nContent-Type: multipart/related; boundary=b\n\n\
            --b\nContent-Type: text/html; charset=utf-8\n\
            Content-Transfer-Encoding: quoted-printable\n\n<img src=3D\"cid:1@board\">=C3=A9\n\
            --b\nContent-Type: image/png\nContent-ID: <1@board>\n\
            Content-Transfer-Encoding: base64\n\niVBO\nRw0K\n--b--\n--a--\n";
        let page = letter_as_web_page(letter.as_bytes()).expect("it has HTML");
        assert_eq!(page.trim_end(), "<img src=\"data:image/png;base64,iVBORw0K\">é");
        assert_eq!(letter_as_web_page(b"From: a@b.c\n\nplain\n"), None);
    }
}

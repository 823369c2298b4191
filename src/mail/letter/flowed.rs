//! Rejoins lines that a mail program broke, in `format=flowed` text (RFC 3676).

/// Joins each line that ends in a space with the next line, if both have equal quote depth. With
/// `delsp`, removes the space at the join.
pub(super) fn join_flowed_lines(text: &str, delsp: bool) -> String {
    let mut unwrapped = String::with_capacity(text.len());
    // The quote depth of the line that continues on the next line.
    let mut open: Option<usize> = None;
    for line in text.lines() {
        let unquoted = line.trim_start_matches('>');
        let depth = line.len() - unquoted.len();
        let content = unquoted.strip_prefix(' ').unwrap_or(unquoted);
        let signature = content == "-- ";
        if open.is_some_and(|open| open != depth || signature) {
            unwrapped.push('\n');
            open = None;
        }
        if open.is_none() && depth > 0 {
            unwrapped.extend(std::iter::repeat_n('>', depth));
            unwrapped.push(' ');
        }
        let flows = content.ends_with(' ') && !signature;
        let kept = if flows && delsp { content.strip_suffix(' ') } else { None };
        unwrapped.push_str(kept.unwrap_or(content));
        open = flows.then_some(depth);
        if !flows {
            unwrapped.push('\n');
        }
    }
    unwrapped
}

#[cfg(test)]
mod tests {
    use super::join_flowed_lines;

    #[test]
    fn flowed_lines_are_joined_per_quote_level() {
        let text = "move A \nto B\n> they said \n> so\n>> and \nbuy 3 \n-- \nAnn\n";
        let whole = "move A to B\n> they said so\n>> and \nbuy 3 \n-- \nAnn\n";
        assert_eq!(join_flowed_lines(text, false), whole);
    }

    #[test]
    fn delsp_removes_space_at_line_break() {
        assert_eq!(join_flowed_lines("東 \n京\n", true), "東京\n");
    }

    #[test]
    fn space_stuffing_is_removed() {
        assert_eq!(join_flowed_lines(" From here\n  indented\n", false), "From here\n indented\n");
    }
}

//! Finds the styles and attributes of HTML elements whose words are struck out or hidden.

/// The HTML elements whose content is struck out.
pub(super) const STRIKING_ELEMENTS: [&str; 3] = ["s", "strike", "del"];

/// The reason why the words of an element are not seen.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum UnseenReason {
    StruckOut,
    /// The font size is 0. An element inside may set its own size, and so become visible.
    FontSize,
    #[default]
    Hidden,
}

/// Returns the reason why the words of an element are not seen, or `None` if they are seen.
pub(super) fn find_unseen_reason(name: &str, attributes: &str) -> Option<UnseenReason> {
    if STRIKING_ELEMENTS.contains(&name) {
        return Some(UnseenReason::StruckOut);
    }
    if attributes.is_empty() {
        return None;
    }
    let style = compact_attributes(attributes);
    if strikes_through(&style) {
        Some(UnseenReason::StruckOut)
    } else if hides_content(&style) || has_attribute(attributes, "hidden") {
        Some(UnseenReason::Hidden)
    } else {
        font_sizes(&style).any(|(size, _)| size <= 0.0).then_some(UnseenReason::FontSize)
    }
}

/// Whether a style strikes words out. Office writes `text-line-through:none` for words that it does
/// not strike out.
pub(super) fn strikes_through(style: &str) -> bool {
    let mut found = style.match_indices("line-through");
    found.any(|(at, _)| !style.get(..at).is_some_and(|before| before.ends_with("text-")))
}

/// Whether a style hides the content of its element, also that of the elements inside. The style is
/// in the form of [`compact_attributes`].
fn hides_content(style: &str) -> bool {
    ["display:none", "visibility:hidden", "mso-hide:all"].iter().any(|sign| style.contains(sign))
}

/// Returns the font sizes in a style, each as a number and the text behind it. The style is in the
/// form of [`compact_attributes`].
fn font_sizes(style: &str) -> impl Iterator<Item = (f32, &str)> {
    style.split("font-size:").skip(1).filter_map(|size| {
        let end = size.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(size.len());
        let (number, unit) = size.split_at_checked(end)?;
        Some((number.parse().ok()?, unit))
    })
}

/// Whether the attributes set a font size above 0 that does not depend on the size around the
/// element.
pub(super) fn has_own_font_size(attributes: &str) -> bool {
    let style = compact_attributes(attributes);
    let is_own = |unit: &str| ["px", "pt", "rem"].iter().any(|own| unit.starts_with(own));
    !hides_content(&style) && font_sizes(&style).any(|(size, unit)| size > 0.0 && is_own(unit))
}

/// Whether a tag has the attribute `name`. Text inside quotation marks does not count.
fn has_attribute(attributes: &str, name: &str) -> bool {
    let (mut open, mut bare) = (None, String::new());
    for character in attributes.chars().take(1000) {
        match open {
            None if matches!(character, '"' | '\'') => open = Some(character),
            None => bare.push(character.to_ascii_lowercase()),
            Some(mark) if mark == character => open = None,
            Some(_) => {}
        }
    }
    let mut names = bare.split_whitespace().map(|part| part.split(['=', '/']).next());
    names.any(|other| other == Some(name))
}

/// Returns the first 1000 characters of a tag's attributes in lower case, without white space and
/// quotation marks.
pub(super) fn compact_attributes(attributes: &str) -> String {
    let kept = |character: &char| !(character.is_whitespace() || "\"'".contains(*character));
    let shown = attributes.chars().take(1000).filter(kept);
    shown.collect::<String>().to_ascii_lowercase()
}

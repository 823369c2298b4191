//! Renders every template once with sample data when a club's own templates are loaded. This finds
//! a template that fails before a real letter needs it.

use super::blocks::Block;
use super::game_letter::LetterFrame;
use super::library::{Language, TemplateFault};
use super::markdown::{self, MarkdownPiece};
use super::{BundledGame, Picture, position_rows};
use crate::club::{Colours, LetterStyle};
use crate::rules::{Ink, Message, PositionRow};
use minijinja::value::{Serde, merge_maps};
use minijinja::{Value, context};

/// Returns sample data for a letter about a game, with a block of each kind.
fn sample_letter(language: &Language) -> Value {
    let rows = [
        PositionRow::named(Message::new("you"), [Message::new("you")]).with_label(Ink::BLUE, "B"),
        PositionRow::named(Message::new("you"), []),
        PositionRow::from_sentence(Message::new("you")),
    ];
    let rows = position_rows::localize_rows(&rows, |message| language.localize(message));
    let mut prose = markdown::parse("# X\n## X\nx\n- x\n\n| x | x |\n| y |\n\n| x | x | x |\n");
    prose.push(MarkdownPiece::Quote { lines: vec!["x".to_owned()] });
    let picture = Picture { id: "x".to_owned(), alt: "x".to_owned(), bytes: [].into() };
    let block = |id, title: &str| Block::from_text(id, title.to_owned(), "A");
    let blocks = [
        block("board", "Board").with_rows(rows.clone()).with_picture(Some(&picture)),
        block("private", "Hand").with_rows(rows),
        block("rules", "Rules").with_prose(prose),
        Block::from_lines("choices", "Choices".to_owned(), vec!["x".to_owned()]),
    ];
    context! {
        awaited => true,
        intro => ["x", "y"],
        blocks => Serde(&blocks),
        footer => ["x"],
        facts => ["x"],
        taps => sample_links(),
    }
}

/// Returns sample links: lines with and without a link, in a group with a title and in one without.
fn sample_links() -> Value {
    let taps = Value::from_iter([Some("x"), None].map(|link| context! { line => "x", link }));
    let group = |title| context! { title, taps => &taps, are_short => true };
    context! { how => "x", groups => [group("x"), group("")] }
}

/// Renders the templates of every kind of letter, in every colour setting, wide and narrow.
pub(super) fn test_letter_templates(language: &Language) -> Result<(), TemplateFault> {
    let (texts, htmls) = (vec!["x"], vec!["x"]);
    let (title, subject, reply, link) = ("x", "x", "x", Some("x"));
    let game =
        BundledGame { title, subject, waits: true, reply, link, texts, htmls, picture: None };
    let line = context! {
        rank => 1, name => "x", points => "1", games => 1, wins => 1, share => "1",
        opponents => "1", you => true, gap => true, figures => "x",
    };
    let letters = [
        ("letter", sample_letter(language)),
        ("letter-part", sample_letter(language)),
        (
            "bundle",
            context! {
                lead => "x", plain => "x", plain_taps => "x", how => "x", answer => "x",
                games => Serde([&game, &game]), footer => ["x"],
            },
        ),
        ("notice", context! { lines => ["x"], taps => sample_links() }),
        ("moderator", context! { sections => [context! { head => "x", lines => ["x"] }] }),
        ("campaign", context! { lead => "x", open => "x", lines => [line] }),
    ];
    for (colours, narrow) in Colours::ALL.into_iter().flat_map(|of| [(of, true), (of, false)]) {
        let style = LetterStyle { colours, narrow_text: narrow, ..LetterStyle::default() };
        let shell = LetterFrame { language, style, subject: "x" }.template_variables("x");
        for (name, letter) in &letters {
            let context = merge_maps([letter.clone(), shell.clone()]);
            language.try_render_template(true, &format!("{name}.txt"), &context)?;
            language.try_render_template(true, &format!("{name}.html"), &context)?;
        }
    }
    language.try_render_template(true, "help.txt", &context! { club => "x" })?;
    Ok(())
}

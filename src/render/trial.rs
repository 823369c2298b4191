//! Trial letters: each template is filled once before a club's own templates serve, so that none
//! fails when a letter is to leave.

use super::blocks::Block;
use super::letter::Shell;
use super::library::{Language, TemplateFault};
use super::markdown::{self, Piece};
use super::{BundledGame, Picture, rows};
use crate::club::{Colours, LetterStyle};
use crate::rules::{Ink, Message, Row};
use minijinja::value::{Serde, merge_maps};
use minijinja::{Value, context};

/// The parts that a letter about a game may have, a little of each kind.
fn letter(language: &Language) -> Value {
    let rows = [
        Row::of(Message::new("you"), [Message::new("you")]).marked(Ink::BLUE, "B"),
        Row::of(Message::new("you"), []),
        Row::saying(Message::new("you")),
    ];
    let rows = rows::shown(&rows, |message| language.say(message));
    let mut prose = markdown::parse("# X\n## X\nx\n- x\n\n| x | x |\n| y |\n\n| x | x | x |\n");
    prose.push(Piece::quote("| x"));
    let picture = Picture { id: "x".to_owned(), alt: "x".to_owned(), bytes: [].into() };
    let block = |id, title: &str| Block::text(id, title.to_owned(), "A");
    let blocks = [
        block("board", "Board").with_rows(rows.clone()).with_picture(Some(&picture)),
        block("private", "Hand").with_rows(rows),
        block("rules", "Rules").with_prose(prose),
        Block::lines("choices", "Choices".to_owned(), vec!["x".to_owned()]),
    ];
    context! {
        awaited => true,
        intro => ["x", "y"],
        blocks => Serde(&blocks),
        footer => ["x"],
        facts => ["x"],
        taps => taps(),
    }
}

/// Lines with a link and without, in a group with a title and in one without.
fn taps() -> Value {
    let taps = Value::from_iter([Some("x"), None].map(|link| context! { line => "x", link }));
    let group = |title| context! { title, taps => &taps, are_short => true };
    context! { how => "x", groups => [group("x"), group("")] }
}

/// Fills the templates of every kind of letter in every use of colours, wide and narrow.
pub(super) fn try_templates(language: &Language) -> Result<(), TemplateFault> {
    let (texts, htmls) = (vec!["x"], vec!["<!--board-->"]);
    let (title, reply, link, picture) = ("x", "x", Some("x"), Some(("x", "x")));
    let game = BundledGame { title, waits: true, reply, link, texts, htmls, picture };
    let line = context! {
        rank => 1, name => "x", points => "1", games => 1, wins => 1, share => "1",
        opponents => "1", you => true, gap => true, figures => "x",
    };
    let letters = [
        ("letter", letter(language)),
        ("letter-part", letter(language)),
        (
            "bundle",
            context! {
                lead => "x", plain => "x", plain_taps => "x", how => "x", answer => "x",
                games => Serde([&game, &game]), footer => ["x"],
            },
        ),
        ("notice", context! { lines => ["x"], taps => taps() }),
        ("moderator", context! { sections => [context! { head => "x", lines => ["x"] }] }),
        ("campaign", context! { lead => "x", open => "x", lines => [line] }),
    ];
    for (colours, narrow) in Colours::ALL.into_iter().flat_map(|of| [(of, true), (of, false)]) {
        let style = LetterStyle { colours, narrow, ..LetterStyle::default() };
        let shell = Shell { language, style, subject: "x" }.context("x");
        for (name, letter) in &letters {
            let context = merge_maps([letter.clone(), shell.clone()]);
            language.try_fill(true, &format!("{name}.txt"), &context)?;
            language.try_fill(true, &format!("{name}.html"), &context)?;
        }
    }
    language.try_fill(true, "help.txt", &context! { club => "x" })?;
    Ok(())
}

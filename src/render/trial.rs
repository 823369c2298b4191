//! Letters on trial: each template is filled once before a club's own serve, so that none fails
//! when a letter is to leave.

use super::Picture;
use super::block::Block;
use super::library::{Language, TemplateFault};
use super::links::Tappable;
use super::prose;
use super::rows;
use super::shell::Shell;
use crate::club::{Colours, LetterStyle};
use crate::rules::{Ink, Message, Row};
use minijinja::value::Serde;
use minijinja::{Value, context};

/// Every use of colours, wide and narrow.
pub(super) fn styles() -> impl Iterator<Item = LetterStyle> {
    let narrow = |colours| {
        [true, false].map(|narrow| LetterStyle { colours, narrow, ..LetterStyle::default() })
    };
    Colours::ALL.into_iter().flat_map(narrow)
}

/// What a letter about a game may hold, of each kind a little.
pub(super) fn letter(language: &Language, style: LetterStyle) -> Value {
    let rows = [
        Row::of(Message::new("you"), [Message::new("you")]).marked(Ink::BLUE, "B"),
        Row::of(Message::new("you"), []),
        Row::saying(Message::new("you")),
    ];
    let rows = rows::shown(&rows, |message| language.say(message));
    let prose = prose::read("HEAD\nName\nx  x\ny  y\n\n- x\n\nx\n\n  x\n  x  y\n| x\n");
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
        taps => Serde(Tappable::trial()),
        ..Shell { language, style, subject: "x" }.context("x")
    }
}

/// Fills the templates of letters that are about no game.
pub(super) fn plain(language: &Language) -> Result<(), TemplateFault> {
    for style in styles() {
        let shell = Shell { language, style, subject: "x" }.context("x");
        let line = context! {
            rank => 1, name => "x", points => "1", games => 1, wins => 1, share => "1",
            opponents => "1", you => true, gap => true, figures => "x",
        };
        let section = context! { head => "x", lines => ["x"] };
        for (name, context) in [
            (
                "notice",
                context! { lines => ["x"], taps => Serde(Tappable::trial()), ..shell.clone() },
            ),
            ("moderator", context! { sections => [section], ..shell.clone() }),
            ("campaign", context! { lead => "x", open => "x", lines => [line], ..shell.clone() }),
        ] {
            language.try_fill(&format!("{name}.txt"), &context)?;
            language.try_fill(&format!("{name}.html"), &context)?;
        }
    }
    Ok(())
}

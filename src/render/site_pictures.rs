//! Draws the pictures of a game's page on the web site: one for each record, over a backdrop that
//! all of them share.

use super::ending::score_history_messages;
use super::library::Language;
use super::plot;
use super::site_pages::Site;
use crate::picture::{self, TranslateMessage};
use crate::rules::{Message, PictureStyle, Scene, UnreadableData};
use crate::table::{Record, Table};
use serde::Serialize;

const BACKDROP_FILE: &str = "board.svg";
const PLOT_FILE: &str = "scores.svg";

/// A picture as a page shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct ShownPicture {
    /// The name of the file, beside the game's page.
    file: String,
    height: u16,
    /// The text that is shown instead of the picture. Empty if it is beside the picture.
    alt: String,
}

/// The pictures of one game, drawn so far.
pub(super) struct GamePictures {
    game: u32,
    pub backdrop: Option<ShownPicture>,
    last: Option<ShownPicture>,
    /// The paths within the site and the pictures as SVG, in the order in which a page needs them.
    pub files: Vec<(String, String)>,
}

impl Site<'_> {
    /// Returns the paths of all pictures that a game with this number of records may have.
    pub(crate) fn game_picture_paths(game: u32, records: u32) -> impl Iterator<Item = String> {
        let names = [BACKDROP_FILE, PLOT_FILE].map(str::to_owned).into_iter();
        names.chain((1..=records).map(record_file)).map(move |name| path_of(game, &name))
    }
}

impl GamePictures {
    pub(super) const fn new(game: u32) -> Self {
        Self { game, backdrop: None, last: None, files: Vec::new() }
    }

    /// Draws the board after a record. Returns the picture of the record before if both look the
    /// same.
    pub(super) fn draw_record(
        &mut self,
        record: &Record,
        after: &Table,
        say: TranslateMessage<'_>,
    ) -> Result<ShownPicture, UnreadableData> {
        let style = PictureStyle { has_backdrop: true, ..PictureStyle::default() };
        let scene = after.game().draw_board_picture(&record.events, style)?;
        if self.backdrop.is_none()
            && let Some(svg) = picture::render_backdrop_svg(&scene, say)
        {
            self.backdrop = Some(self.add_file(BACKDROP_FILE.to_owned(), &scene, svg));
        }
        let svg = picture::render_svg_over_backdrop(&scene, say);
        if let (Some(last), Some((_, drawn))) = (&self.last, self.files.last())
            && *drawn == svg
        {
            return Ok(last.clone());
        }
        let shown = self.add_file(record_file(record.seq), &scene, svg);
        self.last = Some(shown.clone());
        Ok(shown)
    }

    /// Draws the plot of the scores. Returns `None` if the game is in play or has few records.
    pub(super) fn draw_plot(
        &mut self,
        table: &Table,
        words: &Language,
        names: &[String],
    ) -> Result<Option<ShownPicture>, UnreadableData> {
        let Some(history) = table.history()? else { return Ok(None) };
        let course = &history.scores_by_record;
        let Some(scene) = plot::draw_plot(course) else { return Ok(None) };
        let say = |message: &Message| words.localize_for_observer(message, names);
        let scores: Vec<String> = score_history_messages(course).iter().map(say).collect();
        let alt = say(&Message::new("picture-alt-plot").with("scores", scores.join(" ")));
        let svg = picture::render_svg(&scene, &say);
        let shown = self.add_file(PLOT_FILE.to_owned(), &scene, svg);
        Ok(Some(ShownPicture { alt, ..shown }))
    }

    fn add_file(&mut self, name: String, scene: &Scene, svg: String) -> ShownPicture {
        self.files.push((path_of(self.game, &name), svg));
        ShownPicture { file: name, height: scene.height, alt: String::new() }
    }
}

fn record_file(record: u32) -> String {
    format!("{record}.svg")
}

fn path_of(game: u32, file: &str) -> String {
    Site::game_folder(game) + file
}

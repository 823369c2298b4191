//! One game's position, rendered for all letters about it. Parts that several readers share are
//! rendered once and cached.

use super::blocks::GameLetterWriter;
use super::library::{Language, Library, TemplateFault};
use super::sentences::People;
use super::{GameLetter, Picture, RenderedLetter, position_rows};
use crate::club::{Colours, Member};
use crate::picture;
use crate::rules::{
    Charset, EventText, FormExample, Message, PictureStyle, PositionRow, Scene, Seat,
    UnreadableData,
};
use crate::table::{GameHistory, Table};
use minijinja::value::Serde;
use minijinja::{Value, context};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The template of a game's card of orders, which lists the forms of lines.
const ORDER_CARD: &str = "orders.txt";

/// One game's position, from which the letters to its players and observers are rendered. It caches
/// every part that several of them show.
pub struct Page<'a> {
    pub(super) table: &'a Table,
    pub(super) names: &'a [String],
    public: Value,
    boards: HashMap<(u32, Charset), String>,
    publics: HashMap<String, String>,
    in_words: HashMap<u32, Vec<PositionRow>>,
    /// The pictures of the board drawn so far. `None` if the page draws no pictures.
    pictures: Option<HashMap<(u32, PictureStyle, String), Option<Picture>>>,
    /// The history of the game, cached on first use. The inner `None` means that the game is not
    /// over.
    pub(super) course: Option<Option<Arc<GameHistory>>>,
    /// The plots of the game's scores drawn so far, by language tag.
    pub(super) plots: HashMap<String, Option<Picture>>,
}

impl<'a> Page<'a> {
    /// Creates the page of a table. `names` are the players' names by seat.
    pub fn new(table: &'a Table, names: &'a [String]) -> Self {
        let public = Value::from(Serde(table.game().public_data()));
        let (boards, publics, in_words) = Default::default();
        let (pictures, course, plots) = Default::default();
        Self { table, names, public, boards, publics, in_words, pictures, course, plots }
    }

    /// Sets whether the page draws pictures for the readers who want them. The default is no
    /// pictures.
    #[must_use]
    pub fn with_pictures(self, wanted: bool) -> Self {
        Self { pictures: wanted.then(HashMap::new), ..self }
    }

    /// Renders the letter to one player.
    ///
    /// # Errors
    /// If the log holds an event that this program's rules cannot read.
    pub fn render_letter(
        &mut self,
        library: &Library,
        letter: &GameLetter<'_>,
    ) -> Result<RenderedLetter, UnreadableData> {
        let language = library.language(&letter.reader.language);
        match self.table.with_secret_orders(letter.seat, letter.queued_orders) {
            Some(known) => {
                let pictures = self.pictures.is_some();
                let page = &mut Page::new(&known, self.names).with_pictures(pictures);
                GameLetterWriter::new(page, language, letter).render_letter()
            }
            None => GameLetterWriter::new(self, language, letter).render_letter(),
        }
    }

    /// Renders the public position in a language: the board in ASCII and the public data.
    ///
    /// # Errors
    /// If the log holds an event that this program's rules cannot read.
    pub(crate) fn render_public_position(
        &mut self,
        library: &Library,
        tag: &str,
    ) -> Result<String, UnreadableData> {
        let board = self.board_text(self.table.last_record_number(), Charset::Ascii)?;
        let public = self.render_public_data(library.language(tag), tag);
        Ok(format!("{board}\n\n{public}"))
    }

    /// Returns the board as text. It highlights the changes since the reader's last letter.
    pub(super) fn board_text(
        &mut self,
        last_seen_record: u32,
        charset: Charset,
    ) -> Result<String, UnreadableData> {
        if let Some(board) = self.boards.get(&(last_seen_record, charset)) {
            return Ok(board.clone());
        }
        let board = self
            .table
            .game()
            .draw_board_text(&self.events_to_highlight(last_seen_record), charset)?
            .join("\n");
        self.boards.insert((last_seen_record, charset), board.clone());
        Ok(board)
    }

    /// Returns the position in words. It says which parts are new since the reader's last letter.
    pub(super) fn position_rows(
        &mut self,
        last_seen_record: u32,
    ) -> Result<Vec<PositionRow>, UnreadableData> {
        if let Some(rows) = self.in_words.get(&last_seen_record) {
            return Ok(rows.clone());
        }
        let rows =
            self.table.game().describe_position(&self.events_to_highlight(last_seen_record))?;
        self.in_words.insert(last_seen_record, rows.clone());
        Ok(rows)
    }

    /// Returns the board as a picture with the changes since the reader's last letter highlighted,
    /// or `None` if the reader gets no pictures.
    pub(super) fn board_picture(
        &mut self,
        language: &Language,
        last_seen_record: u32,
        reader: &Member,
    ) -> Result<Option<Picture>, UnreadableData> {
        let wanted = self.has_pictures_for(reader);
        let Some(drawn) = self.pictures.as_ref().filter(|_| wanted) else { return Ok(None) };
        let style = PictureStyle {
            has_patterns: reader.letters.colours != Colours::On,
            ..PictureStyle::default()
        };
        let key = (last_seen_record, style, reader.language.clone());
        if let Some(picture) = drawn.get(&key) {
            return Ok(picture.clone());
        }
        let scene = self
            .table
            .game()
            .draw_board_picture(&self.events_to_highlight(last_seen_record), style)?;
        let rows = position_rows::shorten_beside_picture(self.position_rows(last_seen_record)?);
        let people = People { names: self.names, you: None };
        let localize = |message: &Message| language.localizer.localize(message, &people);
        let rows = position_rows::localize_rows(&rows, localize);
        let rows = position_rows::to_running_text(&rows);
        let alt = localize(&Message::new("picture-alt").with("rows", rows));
        let picture = self.draw_picture(language, &scene, alt);
        self.pictures.get_or_insert_default().insert(key, picture.clone());
        Ok(picture)
    }

    /// Whether the page draws pictures and this reader wants them, which requires HTML.
    pub(super) const fn has_pictures_for(&self, reader: &Member) -> bool {
        self.pictures.is_some() && reader.letters.html && reader.letters.picture
    }

    /// Draws a scene as PNG. `alt` is the text that is shown instead of the picture. Returns `None`
    /// if the picture cannot be encoded.
    pub(super) fn draw_picture(
        &self,
        language: &Language,
        scene: &Scene,
        alt: String,
    ) -> Option<Picture> {
        let people = People { names: self.names, you: None };
        let bytes =
            picture::render_png(scene, &|message| language.localizer.localize(message, &people))?;
        Some(Picture { id: content_id(&bytes), alt, bytes: bytes.into() })
    }

    /// Draws the board for a file: as SVG if `svg`, and as PNG if not. Returns `None` if the PNG
    /// cannot be encoded.
    pub(crate) fn draw_board_file(
        &self,
        library: &Library,
        tag: &str,
        svg: bool,
    ) -> Result<Option<Vec<u8>>, UnreadableData> {
        let words = &library.language(tag).localizer;
        let scene = self.table.game().draw_board_picture(&[], PictureStyle::default())?;
        let people = People { names: self.names, you: None };
        let say = |message: &Message| words.localize(message, &people);
        Ok(if svg {
            Some(picture::render_svg(&scene, &say).into_bytes())
        } else {
            picture::render_png(&scene, &say)
        })
    }

    /// Returns the events since the reader's last letter. For a first letter there are none,
    /// because everything would be highlighted.
    fn events_to_highlight(&self, last_seen_record: u32) -> Vec<EventText> {
        let since =
            if last_seen_record == 0 { &[] } else { self.table.records_since(last_seen_record) };
        since.iter().flat_map(|record| record.events.iter().cloned()).collect()
    }

    /// Renders the public data that is not on the board, cached by language tag.
    pub(super) fn render_public_data(&mut self, language: &Language, tag: &str) -> String {
        if let Some(text) = self.publics.get(tag) {
            return text.clone();
        }
        let text = language
            .render_template(&self.template_name("public.txt"), &self.template_variables(None));
        self.publics.insert(tag.to_owned(), text.clone());
        text
    }

    pub(super) fn render_game_template(
        &self,
        language: &Language,
        name: &str,
        seat: Seat,
    ) -> String {
        language.render_template(&self.template_name(name), &self.template_variables(Some(seat)))
    }

    pub(super) fn order_card(&self, language: &Language, seat: Seat) -> String {
        language
            .render_template(&self.template_name(ORDER_CARD), &self.card_variables(language, seat))
    }

    /// Returns the variables of a card: those of every template of the game, and the forms of lines
    /// by the heading of the card.
    fn card_variables(&self, language: &Language, seat: Seat) -> Value {
        let mut forms: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        for FormExample { heading: part, line, effect: does } in self.table.game().forms(seat) {
            let does = language.localize(&does).replace('\n', " ");
            let line = language.localize_order(&self.table.founding().game, &line);
            forms.entry(part).or_default().push(context! { line, does });
        }
        context! { forms => Serde(forms), ..self.template_variables(Some(seat)) }
    }

    fn template_name(&self, name: &str) -> String {
        format!("{}/{name}", self.table.founding().game)
    }

    fn template_variables(&self, seat: Option<Seat>) -> Value {
        let private = seat.map(|seat| Value::from(Serde(self.table.game().private_data(seat))));
        context! {
            public => &self.public,
            private => private.unwrap_or_default(),
            seat => seat.map_or(0, Seat::number),
            names => Serde(self.names),
            seats => self.table.founding().seats,
        }
    }

    /// Renders the game's own templates, and returns the fault of the first one that fails.
    pub(super) fn test_game_templates(&self, language: &Language) -> Result<(), TemplateFault> {
        let seat = Seat::new(1);
        for name in ["public.txt", "private.txt", "rules.txt"] {
            language.try_render_template(
                true,
                &self.template_name(name),
                &self.template_variables(Some(seat)),
            )?;
        }
        language
            .try_render_template(
                true,
                &self.template_name(ORDER_CARD),
                &self.card_variables(language, seat),
            )
            .map(drop)
    }

    /// Returns the heading for a kind of block in this language. A game may have a heading of its
    /// own, under the key `<key>-<game>`.
    pub(super) fn heading(&self, language: &Language, key: &str) -> String {
        let own = format!("{key}-{}", self.table.founding().game);
        language.localizer.localize_key(if language.has_sentence(&own) { &own } else { key })
    }
}

/// Returns a Content-ID that is derived from the bytes, so that different pictures have different
/// IDs.
fn content_id(png: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(png);
    format!("{}@board", data_encoding::HEXLOWER.encode(digest.get(..12).unwrap_or_default()))
}

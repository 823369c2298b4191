//! One game's position as its letters show it: what every reader shares is written once.

use super::blocks::GameLetterWriter;
use super::library::{Language, Library, TemplateFault};
use super::sentences::People;
use super::{GameLetter, Picture, RenderedLetter};
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

/// The template of a game's card of orders.
const ORDER_CARD: &str = "orders.txt";

/// One game's position, ready to be shown to all who sit there.
pub struct Page<'a> {
    pub(super) table: &'a Table,
    pub(super) names: &'a [String],
    public: Value,
    boards: HashMap<(u32, Charset), String>,
    publics: HashMap<String, String>,
    in_words: HashMap<u32, Vec<PositionRow>>,
    /// Those drawn so far; none where none are to be drawn.
    pictures: Option<HashMap<(u32, PictureStyle, String), Option<Picture>>>,
    /// How the game went, once it was asked for.
    pub(super) course: Option<Option<Arc<GameHistory>>>,
    /// How the scores went, by language.
    pub(super) plots: HashMap<String, Option<Picture>>,
}

impl<'a> Page<'a> {
    /// The page of a table whose players have these names, by seat.
    pub fn new(table: &'a Table, names: &'a [String]) -> Self {
        let public = Value::from(Serde(table.game().public_data()));
        let (boards, publics, in_words) = Default::default();
        let (pictures, course, plots) = Default::default();
        Self { table, names, public, boards, publics, in_words, pictures, course, plots }
    }

    /// The same, with pictures of the board for readers who want them, or without.
    #[must_use]
    pub fn with_pictures(self, wanted: bool) -> Self {
        Self { pictures: wanted.then(HashMap::new), ..self }
    }

    /// Writes one reader's letter.
    ///
    /// # Errors
    /// When the log holds an event that this program's rules cannot read.
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
                GameLetterWriter::new(page, language, letter).write()
            }
            None => GameLetterWriter::new(self, language, letter).write(),
        }
    }

    /// The position as everyone may see it.
    ///
    /// # Errors
    /// When the log holds an event that this program's rules cannot read.
    pub(crate) fn public_text(
        &mut self,
        library: &Library,
        tag: &str,
    ) -> Result<String, UnreadableData> {
        let board = self.board_text(self.table.head(), Charset::Ascii)?;
        let public = self.public_part(library.language(tag), tag);
        Ok(format!("{board}\n\n{public}"))
    }

    /// The board with what happened since the reader's last letter marked.
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
            .draw_board(&self.recent_events(last_seen_record), charset)?
            .join("\n");
        self.boards.insert((last_seen_record, charset), board.clone());
        Ok(board)
    }

    /// The position in words, in the same way.
    pub(super) fn position_rows(
        &mut self,
        last_seen_record: u32,
    ) -> Result<Vec<PositionRow>, UnreadableData> {
        if let Some(rows) = self.in_words.get(&last_seen_record) {
            return Ok(rows.clone());
        }
        let rows = self.table.game().describe_position(&self.recent_events(last_seen_record))?;
        self.in_words.insert(last_seen_record, rows.clone());
        Ok(rows)
    }

    /// The board as a picture, in the same way, for who gets pictures.
    pub(super) fn board_picture(
        &mut self,
        language: &Language,
        last_seen_record: u32,
        reader: &Member,
    ) -> Result<Option<Picture>, UnreadableData> {
        let wanted = self.has_pictures_for(reader);
        let Some(drawn) = self.pictures.as_ref().filter(|_| wanted) else { return Ok(None) };
        let style = PictureStyle { has_patterns: reader.letters.colours != Colours::On };
        let key = (last_seen_record, style, reader.language.clone());
        if let Some(picture) = drawn.get(&key) {
            return Ok(picture.clone());
        }
        let scene = self.table.game().draw_scene(&self.recent_events(last_seen_record), style)?;
        let picture = self.draw_picture(language, &scene, "picture-alt");
        self.pictures.get_or_insert_default().insert(key, picture.clone());
        Ok(picture)
    }

    /// Whether this reader gets pictures.
    pub(super) const fn has_pictures_for(&self, reader: &Member) -> bool {
        self.pictures.is_some() && reader.letters.html && reader.letters.picture
    }

    /// A picture of this scene; `alt` is the key of what stands for it. None where it cannot be
    /// encoded.
    pub(super) fn draw_picture(
        &self,
        language: &Language,
        scene: &Scene,
        alt: &'static str,
    ) -> Option<Picture> {
        let people = People { names: self.names, you: None };
        let bytes =
            picture::render_png(scene, &|message| language.localizer.localize(message, &people))?;
        let alt = language.localizer.term(alt);
        Some(Picture { id: content_id(&bytes), alt, bytes: bytes.into() })
    }

    /// The board as a file: an SVG, or a PNG. None where it cannot be encoded.
    pub(crate) fn draw_board_file(
        &self,
        library: &Library,
        tag: &str,
        svg: bool,
    ) -> Result<Option<Vec<u8>>, UnreadableData> {
        let words = &library.language(tag).localizer;
        let scene = self.table.game().draw_scene(&[], PictureStyle::default())?;
        let people = People { names: self.names, you: None };
        let say = |message: &Message| words.localize(message, &people);
        Ok(if svg {
            Some(picture::render_svg(&scene, &say).into_bytes())
        } else {
            picture::render_png(&scene, &say)
        })
    }

    /// What has happened since the reader's last letter; nothing for his first one.
    fn recent_events(&self, last_seen_record: u32) -> Vec<EventText> {
        let since =
            if last_seen_record == 0 { &[] } else { self.table.records_since(last_seen_record) };
        since.iter().flat_map(|record| record.events.iter().cloned()).collect()
    }

    /// What everyone may see, beside the board.
    pub(super) fn public_part(&mut self, language: &Language, tag: &str) -> String {
        if let Some(text) = self.publics.get(tag) {
            return text.clone();
        }
        let text = language
            .render_template(&self.template_name("public.txt"), &self.template_variables(None));
        self.publics.insert(tag.to_owned(), text.clone());
        text
    }

    /// Fills one of the game's own templates for a seat.
    pub(super) fn render_game_template(
        &self,
        language: &Language,
        name: &str,
        seat: Seat,
    ) -> String {
        language.render_template(&self.template_name(name), &self.template_variables(Some(seat)))
    }

    /// Fills the game's card of orders for a seat.
    pub(super) fn order_card(&self, language: &Language, seat: Seat) -> String {
        language
            .render_template(&self.template_name(ORDER_CARD), &self.card_variables(language, seat))
    }

    /// Returns the variables of a card: those of every template of the game, and the forms of lines
    /// by the part of the card.
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

    /// Fills the game's own templates, and returns the fault of the first one that fails.
    pub(super) fn try_templates(&self, language: &Language) -> Result<(), TemplateFault> {
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

    /// A heading, by the game's own word for it where it has one.
    pub(super) fn heading(&self, language: &Language, key: &str) -> String {
        let own = format!("{key}-{}", self.table.founding().game);
        language.localizer.term(if language.has_sentence(&own) { &own } else { key })
    }
}

/// An id that no other picture has.
fn content_id(png: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(png);
    format!("{}@board", data_encoding::HEXLOWER.encode(digest.get(..12).unwrap_or_default()))
}

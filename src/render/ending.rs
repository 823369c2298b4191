//! Blocks that only the last letter of a game contains: how the scores developed, what took
//! longest, how to verify the game, how to start a rematch, and where to record the game.

use super::blocks::{Block, GameLetterWriter};
use super::sentences::People;
use super::{Page, plot};
use crate::rules::{Message, Seat, UnreadableData};
use crate::table::{GameHistory, RecordScores};
use std::sync::Arc;

/// The maximum number of records for which the last letter of a game states all scores in words.
const COURSE_POINTS_MAX: usize = 8;

impl GameLetterWriter<'_, '_> {
    /// Returns the block that shows how the scores developed: in numbers, and in a plot for readers
    /// who get pictures. Returns `None` before the game is over, or if the game has fewer than
    /// three records in force.
    pub(super) fn score_history_block(&mut self) -> Result<Option<Block>, UnreadableData> {
        let course = self.page.load_game_history()?;
        let Some(course) = course.as_deref().map(|course| &*course.scores_by_record) else {
            return Ok(None);
        };
        if course.len() < 3 {
            return Ok(None);
        }
        let lines = self.localize_all(&score_history_messages(course));
        // A letter about several games holds only a few pictures. They show boards, not plots.
        let picture = match self.letter.is_bundled {
            true => None,
            false => self.page.draw_score_plot(self.language, self.letter.reader, course),
        };
        let title = self.heading("heading-course");
        let block = match &picture {
            // HTML shows the plot instead of the numbers.
            Some(plot) => self.text_only_block("course", title, &lines).with_picture(Some(plot)),
            None => Block::from_lines("course", title, lines),
        };
        self.pictures.extend(picture);
        Ok(Some(block))
    }

    /// Returns the closing block: the longest wait if it was an hour or more, how to verify the
    /// game, how to start a rematch, and the link for recording the game if the club has one.
    /// Returns `None` before the game is over.
    pub(super) fn closing_block(&mut self) -> Result<Option<Block>, UnreadableData> {
        let Some(course) = self.page.load_game_history()? else { return Ok(None) };
        let wait = course.longest_wait.as_ref().filter(|wait| wait.duration.num_hours() > 0);
        let wait = wait.map(|wait| {
            Message::new("longest-wait")
                .with("who", wait.seats.clone())
                .with("days", wait.duration.num_days())
                .with("hours", wait.duration.num_hours() % 24)
                .with("seq", wait.ended_by)
        });
        let number = self.page.table.founding().number;
        let verify = Message::new("how-to-verify").with("number", number);
        let link = self.letter.play_link;
        let record = link.map(|_| Message::new("how-to-record"));
        let said = wait.into_iter().chain([verify, Message::new("how-to-rematch")]).chain(record);
        let lines = self.localize_all(&said.collect::<Vec<_>>());
        let block = Block::from_lines("afterwards", self.heading("heading-afterwards"), lines);
        Ok(Some(block.with_link(link)))
    }
}

/// Returns the sentences of the course block: the numbers of at most [`COURSE_POINTS_MAX`] evenly
/// spaced records, and each seat's scores at these records.
pub(super) fn score_history_messages(course: &[RecordScores]) -> Vec<Message> {
    let last = course.len() - 1;
    let places = COURSE_POINTS_MAX.min(last);
    let shown: Vec<&RecordScores> =
        (1..=places).filter_map(|n| course.get(n * last / places.max(1))).collect();
    let seqs: Vec<u32> = shown.iter().map(|stood| stood.seq).collect();
    let seats = course.last().map_or(0, |stood| stood.scores.len());
    let of_seat = |seat: usize| {
        let scores: Vec<i64> =
            shown.iter().filter_map(|stood| stood.scores.get(seat)).copied().collect();
        let who = Seat::new(u8::try_from(seat + 1).unwrap_or(u8::MAX));
        Message::new("course-of").with("who", who).with("scores", scores)
    };
    let first = Message::new("course-at").with("records", seqs);
    std::iter::once(first).chain((0..seats).map(of_seat)).collect()
}

impl Page<'_> {
    /// Returns the history of a game that is over, computed on first use. Returns `None` before the
    /// end, because scores depend on hidden information.
    fn load_game_history(&mut self) -> Result<Option<Arc<GameHistory>>, UnreadableData> {
        if self.course.is_none() {
            self.course = Some(self.table.history()?.map(Arc::new));
        }
        Ok(self.course.clone().flatten())
    }

    /// Returns the plot of the scores, drawn once per language. Returns `None` if the reader does
    /// not get pictures.
    fn draw_score_plot(
        &mut self,
        language: &super::Language,
        reader: &crate::club::Member,
        course: &[RecordScores],
    ) -> Option<super::Picture> {
        if !self.has_pictures_for(reader) {
            return None;
        }
        let tag = reader.language.clone();
        if let Some(drawn) = self.plots.get(&tag) {
            return drawn.clone();
        }
        let people = People { names: self.names, you: None };
        let say = |message: &Message| language.localizer.localize(message, &people);
        let scores: Vec<String> = score_history_messages(course).iter().map(say).collect();
        let alt = say(&Message::new("picture-alt-plot").with("scores", scores.join(" ")));
        let plot =
            plot::draw_plot(course).and_then(|scene| self.draw_picture(language, &scene, alt));
        self.plots.insert(tag, plot.clone());
        plot
    }
}

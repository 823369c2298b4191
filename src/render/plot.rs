//! Draws the scores of a whole game as a picture: one line for each seat, with the seat's number on
//! it.
//!
//! This module draws numbers and knows neither games nor letters.

use crate::rules::{Anchor, Ink, Message, Point, SCENE_WIDTH, Scene, SceneText, Seat, Shape};
use crate::table::RecordScores;

const PLOT_HEIGHT: u16 = 440;
/// The corners of the plotted area, in the scene's units. The left margin holds the scores, and the
/// right margin holds the names.
const UPPER_LEFT: Point = (86, 24);
const LOWER_RIGHT: Point = (590, 390);
/// The width of a player's name in the right margin. The name is to the right of the disc with the
/// seat's number, at the end of the seat's line.
const NAME_WIDTH: u16 = 136;
/// The colours of the seats' lines. The numbers on the lines identify the seats without colours.
const SEAT_INKS: [Ink; 6] = [Ink::BLUE, Ink::RED, Ink::BLACK, Ink::PURPLE, Ink::YELLOW, Ink::BROWN];
/// The minimum vertical distance of two names, so that each can be read.
const NAME_STEP: i32 = 40;
/// The number of discs with the seat's number on each line, not counting the disc at the line's
/// end.
const DISCS_PER_LINE: usize = 1;

/// Draws the plot of a game's scores by record. Returns `None` if there are fewer than three
/// records.
pub(super) fn draw_plot(course: &[RecordScores]) -> Option<Scene> {
    let last = course.last().filter(|_| course.len() > 2)?;
    let scale = Scale::for_course(course)?;
    let mut scene = Scene::new(PLOT_HEIGHT, Ink::PAPER);
    scale.draw_axes(&mut scene, course);
    let seats = 0..last.scores.len();
    for seat in seats.clone() {
        let ink = seat_ink(seat);
        let points: Vec<Point> =
            (0..course.len()).filter_map(|at| scale.point(course, at, seat)).collect();
        // A dark edge, because light lines are hard to see on the paper colour.
        scene.add_line(points.iter().copied(), 9, Ink::DARK);
        scene.add_line(points.iter().copied(), 5, ink);
    }
    for seat in seats {
        // The discs of different seats are at different records. Discs of seats with equal scores
        // would hide each other otherwise.
        let places = (1..=DISCS_PER_LINE)
            .map(|n| (n * course.len() + seat * course.len() / 8) / (DISCS_PER_LINE + 1));
        for at in places.filter(|at| *at + 1 < course.len()) {
            if let Some(point) = scale.point(course, at, seat) {
                draw_seat_number(&mut scene, point, seat);
            }
        }
    }
    draw_names(&mut scene, &scale, course);
    Some(scene)
}

fn seat_ink(seat: usize) -> Ink {
    SEAT_INKS.get(seat % SEAT_INKS.len()).copied().unwrap_or(Ink::DARK)
}

fn draw_seat_number(scene: &mut Scene, at: Point, seat: usize) {
    let ink = seat_ink(seat);
    scene.add_disc(at, 17, Ink::DARK);
    scene.add_disc(at, 15, ink);
    scene.add_centred_text(at, 22, ink.text_colour(), (seat + 1).to_string());
}

/// Draws each player's name and number at the end of their line. Names are moved apart if lines end
/// close to each other.
fn draw_names(scene: &mut Scene, scale: &Scale, course: &[RecordScores]) {
    let scores = course.last().into_iter().flat_map(|stood| &stood.scores);
    let mut ends: Vec<(i32, usize)> = scores.map(|score| scale.y_at(*score)).zip(0..).collect();
    ends.sort_unstable();
    let room = i32::try_from(ends.len()).unwrap_or(0) * NAME_STEP;
    let mut lowest = UPPER_LEFT.1;
    for (left, (y, seat)) in ends.iter().enumerate() {
        let below = room - i32::try_from(left).unwrap_or(0) * NAME_STEP;
        let y = (*y).max(lowest).min(i32::from(PLOT_HEIGHT) - 20 - below + NAME_STEP);
        lowest = y + NAME_STEP;
        let x = LOWER_RIGHT.0 + 26;
        draw_seat_number(scene, (x, y), *seat);
        let who = Seat::new(u8::try_from(seat + 1).unwrap_or(u8::MAX));
        let said = Message::new("course-name").with("who", who);
        let x = x + 26;
        scene.add_translated_sentence(((x, y), NAME_WIDTH), 24, Ink::DARK, said);
    }
}

struct Scale {
    least: i64,
    most: i64,
    steps: i64,
}

impl Scale {
    fn for_course(course: &[RecordScores]) -> Option<Self> {
        let scores = || course.iter().flat_map(|stood| stood.scores.iter().copied());
        let (least, most) = (scores().min()?.min(0), scores().max()?);
        let steps = i64::try_from(course.len()).ok()? - 1;
        Some(Self { least, most: most.max(least + 1), steps: steps.max(1) })
    }

    fn point(&self, course: &[RecordScores], at: usize, seat: usize) -> Option<Point> {
        let score = *course.get(at)?.scores.get(seat)?;
        Some((self.x_at(at), self.y_at(score)))
    }

    fn x_at(&self, at: usize) -> i32 {
        let width = i64::from(LOWER_RIGHT.0 - UPPER_LEFT.0);
        let at = i64::try_from(at).unwrap_or(0).min(self.steps);
        UPPER_LEFT.0 + i32::try_from(width * at / self.steps).unwrap_or(0)
    }

    fn y_at(&self, score: i64) -> i32 {
        let height = i64::from(LOWER_RIGHT.1 - UPPER_LEFT.1);
        let up = height * (score - self.least) / (self.most - self.least);
        LOWER_RIGHT.1 - i32::try_from(up).unwrap_or(0)
    }

    /// Draws horizontal lines at up to six round scores, and the numbers of the first, middle and
    /// last record below.
    fn draw_axes(&self, scene: &mut Scene, course: &[RecordScores]) {
        let step = level_line_distance(self.most - self.least);
        for level in -(-self.least).div_euclid(step)..=self.most.div_euclid(step) {
            let (score, y) = (level * step, self.y_at(level * step));
            scene.add_line([(UPPER_LEFT.0, y), (LOWER_RIGHT.0, y)], 2, Ink::FAINT);
            write_right_aligned(scene, (UPPER_LEFT.0 - 12, y), score.to_string());
        }
        let y = i32::from(PLOT_HEIGHT) - 22;
        for at in [0, course.len() / 2, course.len() - 1] {
            let Some(stood) = course.get(at) else { continue };
            scene.add_centred_text((self.x_at(at), y), 22, Ink::GREY, stood.seq.to_string());
        }
    }
}

fn write_right_aligned(scene: &mut Scene, at: Point, text: String) {
    let (size, ink, anchor) = (22, Ink::GREY, Anchor::End);
    let (room, words) = (SCENE_WIDTH, SceneText::Plain(text));
    scene.shapes.push(Shape::Text { at, size, ink, anchor, max_width: room, words });
}

/// Returns the distance of the horizontal lines: 1, 2 or 5 times a power of ten, so that the range
/// spans at most five of them.
fn level_line_distance(range: i64) -> i64 {
    let tens = std::iter::successors(Some(1_i64), |ten| ten.checked_mul(10));
    tens.flat_map(|ten| [ten, 2 * ten, 5 * ten]).find(|step| range / step <= 5).unwrap_or(range)
}

// The names are right of the plotted area, so it must end before the picture does.
const _: () = assert!(LOWER_RIGHT.0 < SCENE_WIDTH as i32);

#[cfg(test)]
mod tests {
    use super::*;

    fn sample_course(scores: &[&[i64]]) -> Vec<RecordScores> {
        let stood = |(scores, seq): (&&[i64], u32)| RecordScores { seq, scores: scores.to_vec() };
        scores.iter().zip(1..).map(stood).collect()
    }

    fn name_heights(scene: &Scene) -> Vec<i32> {
        let name = |shape: &Shape| match shape {
            Shape::Text { at, words: SceneText::Sentence(_), .. } => Some(at.1),
            _ => None,
        };
        scene.shapes.iter().filter_map(name).collect()
    }

    #[test]
    fn names_keep_apart_within_plot() {
        for last in [[0; 6], [50; 6], [-30, 0, 0, 50, 50, 49]] {
            let scene =
                draw_plot(&sample_course(&[&[0; 6], &[1, 2, 3, 4, 5, 6], &last])).expect("a plot");
            let mut heights = name_heights(&scene);
            assert_eq!(heights.len(), 6);
            heights.sort_unstable();
            assert!(heights.windows(2).all(|two| two[1] - two[0] >= NAME_STEP), "{heights:?}");
            let inside = |y: &i32| (10..i32::from(PLOT_HEIGHT) - 10).contains(y);
            assert!(heights.iter().all(inside), "{heights:?}");
        }
    }

    #[test]
    fn plot_needs_three_points_and_has_few_levels() {
        assert_eq!(draw_plot(&sample_course(&[&[0, 0], &[1, 1]])), None);
        for range in [1, 4, 9, 37, 120, 5_000, 1_000_000] {
            assert!((1..=5).contains(&(range / level_line_distance(range))), "{range}");
        }
    }
}

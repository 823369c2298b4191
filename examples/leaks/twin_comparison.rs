//! Plays a game in two clubs that differ only in what one viewer cannot know. Compares everything
//! that the viewer, the observer and the moderator get, byte by byte.

use super::command_probes;
use super::drawn_setup::{DrawnSetup, STYLE_SETTINGS};
use super::game_course::{self, CourseStep};
use super::text_diff::{self, Difference};
use super::twin_club::{CommandOutput, PostedLetter, TwinClub};
use super::twin_letters::{self, TwinLetter};
use chrono::{DateTime, Utc};
use postrider::rules::{Dice, Seed};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The numbers of events, by description.
pub type Counts = BTreeMap<String, u64>;

/// The description of the turns that bots have played.
pub const BOT_TURNS: &str = "turns of bots";

/// The length of a course.
#[derive(Clone, Copy, Debug)]
pub struct CourseSize {
    /// The largest number of first steps with equal orders in both clubs.
    pub alike: usize,
    /// The number of steps after those.
    pub steps: usize,
    /// Whether commands are also compared after every pass, and not only at the end.
    pub checks_every_pass: bool,
}

/// Two clubs that one viewer cannot tell apart.
pub struct TwinClubs<'a> {
    drawn: &'a DrawnSetup,
    clubs: [TwinClub; 2],
    dice: Dice,
    turn: usize,
    /// The letters that were delivered before the last pass.
    written: Vec<TwinLetter>,
    /// The players who may have plans. The plans are cleared before one club alone would carry them
    /// out.
    planned: BTreeSet<&'static str>,
}

/// Plays the game of this setup in both clubs.
///
/// # Errors
/// If a viewer could tell the clubs apart.
pub fn check_twins(
    drawn: &DrawnSetup,
    size: CourseSize,
    counts: &mut Counts,
) -> Result<(), Difference> {
    let mut dice = Dice::new(&Seed::from_number(drawn.seed ^ 0x57), 0);
    let now = DateTime::<Utc>::from_timestamp(1_767_600_000, 0).expect("a time");
    let table = game_course::deal_game(drawn, now);
    let alike = dice.roll_below(u32::try_from(size.alike).unwrap_or(0) + 1) as usize;
    let alike = if dice.roll_below(2) == 0 { 0 } else { alike };
    let course = game_course::compose_course(drawn, &table, (alike, size.steps));
    let founded = TwinClub::found_with_setup(drawn, now);
    let own = table.records()[0].to_line();
    let clubs = [
        founded.restore_with_deal(drawn, &own),
        founded.restore_with_deal(drawn, &course.other_deal),
    ];
    let mut count = |what: String, n: usize| *counts.entry(what).or_default() += n as u64;
    count(format!("{}: steps", drawn.kind.id()), course.steps.len());
    count(
        format!("{}: courses that ended early", drawn.kind.id()),
        usize::from(course.ended_early),
    );
    count(format!("{}: other deals", drawn.kind.id()), usize::from(own != course.other_deal));
    for (name, value) in &drawn.options {
        count(format!("{}: option {name}={value}", drawn.kind.id()), 1);
    }
    count("second games".to_owned(), usize::from(drawn.second_game.is_some()));
    for (name, line) in &drawn.styles {
        count(format!("style: {line}"), usize::from(*name == drawn.viewer_name()));
    }
    let mut twins =
        TwinClubs { drawn, clubs, dice, turn: 0, written: Vec::new(), planned: BTreeSet::new() };
    if twins.run_pass(size, counts)? == Progress::Alike
        && twins.play_steps(course.steps, size, counts)?
    {
        twins.check_at_rest(counts)?;
    }
    let bot_turns = twins.clubs[0].bot_turn_count() as u64;
    *counts.entry(BOT_TURNS.to_owned()).or_default() += bot_turns;
    Ok(())
}

/// The result of a pass in both clubs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// Everything that the viewer can know is equal.
    Alike,
    /// The games differ visibly, and rightly: queued orders or an absence of another player were
    /// carried out, and the result depends on that player's hidden information.
    Diverged,
    /// The games are over and disclose all hidden information.
    Over,
}

impl TwinClubs<'_> {
    /// Plays all steps. Returns whether the clubs are still comparable at the end.
    fn play_steps(
        &mut self,
        steps: Vec<CourseStep>,
        size: CourseSize,
        counts: &mut Counts,
    ) -> Result<bool, Difference> {
        let mut ahead: VecDeque<CourseStep> = steps.into();
        while let Some(mut step) = ahead.pop_front() {
            if self.dice.roll_below(2) == 0 {
                self.send_before_order(&step, counts);
                if !self.pass_and_continue(size, counts)? {
                    return Ok(false);
                }
                if size.checks_every_pass {
                    let some = command_probes::counting_command(self.drawn, &mut self.dice);
                    self.check_commands(&some, counts)?;
                }
                step.secret = [None, None];
            }
            self.send_step(&step, counts);
            if !self.pass_and_continue(size, counts)? {
                return Ok(false);
            }
            let seen = self.clubs[0].visible_state(self.drawn);
            if (seen.0, seen.1) != step.after {
                // Both clubs left the planned course, so its next step may be legal in one of them
                // only. The rest is composed again.
                *counts
                    .entry("left the planned course, equally in both".to_owned())
                    .or_default() += 1;
                let games = self.clubs.each_ref().map(TwinClub::game_and_plans);
                ahead =
                    game_course::continue_course(self.drawn, games, ahead.len(), &mut self.dice)
                        .into();
            }
        }
        Ok(true)
    }

    /// Runs a pass. Returns whether the next step may follow.
    fn pass_and_continue(
        &mut self,
        size: CourseSize,
        counts: &mut Counts,
    ) -> Result<bool, Difference> {
        let what = match self.run_pass(size, counts)? {
            Progress::Alike => return Ok(true),
            Progress::Diverged => "stopped: the worlds diverged without a letter",
            Progress::Over => "stopped: the game ended early, equally in both",
        };
        *counts.entry(what.to_owned()).or_default() += 1;
        Ok(false)
    }

    /// Delivers letters before an order that others can neither see nor count.
    fn send_before_order(&mut self, step: &CourseStep, counts: &mut Counts) {
        let minutes = i64::from(self.dice.roll_below(8 * 60)) + 5;
        let mut letters = twin_letters::hidden_letters(self.drawn, &mut self.dice, self.turn + 1);
        let plans = twin_letters::plans_letter(self.drawn, &mut self.dice, step, &self.clubs);
        self.planned.extend(plans.as_ref().map(|plans| plans.from));
        letters.extend(plans);
        letters.extend(twin_letters::secret_order_letter(step));
        letters.extend(twin_letters::question_letter(self.drawn, &mut self.dice));
        self.deliver_letters(minutes, letters, counts);
    }

    /// Delivers the letters of one step to both clubs, with other letters that are equal in both or
    /// hidden from everybody else.
    fn send_step(&mut self, step: &CourseStep, counts: &mut Counts) {
        let minutes = match &step.line {
            None => 76 * 60,
            Some(_) => i64::from(self.dice.roll_below(8 * 60)) + 5,
        };
        let mut letters = Vec::new();
        let keeps = |world: usize| self.clubs[world].keeps_plans_after(step, world);
        if !self.planned.is_empty() && (0..2).all(keeps) {
            *counts.entry("plans kept".to_owned()).or_default() += 1;
        } else {
            letters.extend(
                std::mem::take(&mut self.planned).into_iter().map(twin_letters::clear_plans_letter),
            );
        }
        letters.extend(twin_letters::hidden_letters(self.drawn, &mut self.dice, self.turn + 1));
        letters.extend(twin_letters::open_letters(
            self.drawn,
            &mut self.dice,
            self.turn + 1,
            &self.clubs[0],
        ));
        letters.extend(twin_letters::secret_order_letter(step));
        letters.extend(twin_letters::order_letter(step));
        self.deliver_letters(minutes, letters, counts);
    }

    /// Advances the time, and delivers these letters.
    fn deliver_letters(&mut self, minutes: i64, letters: Vec<TwinLetter>, counts: &mut Counts) {
        self.turn += 1;
        self.clubs.iter_mut().for_each(|club| club.advance_clock(minutes));
        for (at, letter) in letters.iter().enumerate() {
            *counts.entry(format!("letter: {}", letter.kind)).or_default() += 1;
            self.deliver_twin_letter(at, letter);
        }
        self.written = letters;
    }

    fn deliver_twin_letter(&self, at: usize, letter: &TwinLetter) {
        for (world, body) in letter.bodies.iter().enumerate() {
            let (club, Some(body)) = (&self.clubs[world], body) else { continue };
            let id = format!("{}-{at}", self.turn);
            let name = format!("{}.{:06}.{at:03}", club.now.timestamp(), self.turn);
            if let Some(text) =
                club.reply_to_last_letter(&self.clubs[1 - world], letter.from, &id, body)
            {
                club.deliver(&name, &text);
            }
        }
    }

    /// Runs a pass in both clubs, and compares the results.
    fn run_pass(&mut self, size: CourseSize, counts: &mut Counts) -> Result<Progress, Difference> {
        let before = self.clubs[0].posted.len();
        let other = self.clubs[1].posted.len();
        let head = self.clubs[0].visible_state(self.drawn).0;
        let said = self.clubs.each_mut().map(TwinClub::run_pass);
        let seen = self.clubs.each_ref().map(|club| club.visible_state(self.drawn));
        if seen[0] != seen[1]
            && self.clubs.iter().any(|club| club.advanced_without_letter(head, self.drawn))
        {
            return Ok(Progress::Diverged);
        }
        if self.clubs.iter().all(TwinClub::is_over) {
            return Ok(Progress::Over);
        }
        self.check_posted_letters([before, other], counts)?;
        self.check_command_output("tick", &said)?;
        if seen[0] != seen[1] {
            return Err(self.difference("the visible state of the game", &["", ""]));
        }
        if size.checks_every_pass {
            let some = command_probes::random_commands(self.drawn, &mut self.dice, seen[0].0);
            self.check_commands(&some, counts)?;
        }
        Ok(Progress::Alike)
    }

    /// Compares two passes without new letters, and then the output of every command.
    fn check_at_rest(&mut self, counts: &mut Counts) -> Result<(), Difference> {
        for _ in 0..2 {
            self.turn += 1;
            self.written.clear();
            self.clubs.iter_mut().for_each(|club| club.advance_clock(13 * 60));
            if self.run_pass(CourseSize { alike: 0, steps: 0, checks_every_pass: false }, counts)?
                != Progress::Alike
            {
                return Ok(());
            }
        }
        let head = self.clubs[0].visible_state(self.drawn).0;
        let all = command_probes::all_commands(self.drawn, head);
        self.check_commands(&all, counts)?;
        for body in ["status", "no such order 9", "preview\nno such order 9", STYLE_SETTINGS[0]] {
            self.check_explain(body, counts)?;
        }
        Ok(())
    }

    /// Compares the output of `explain` for a letter that was not delivered.
    fn check_explain(&self, body: &str, counts: &mut Counts) -> Result<(), Difference> {
        let said = self.clubs.each_ref().map(|club| {
            let letter = club.reply_to_last_letter(club, self.drawn.viewer_name(), "unsent", body);
            std::fs::write(club.folder().join("letter.eml"), letter.unwrap_or_default())
                .expect("written");
            let file = club.folder().join("letter.eml").to_string_lossy().into_owned();
            club.run_command(&["explain", "--secrets", &file])
        });
        *counts.entry("command: explain".to_owned()).or_default() += 1;
        self.check_command_output("explain", &said)
    }

    fn check_commands(&self, all: &[Vec<String>], counts: &mut Counts) -> Result<(), Difference> {
        for words in all {
            let said = self.clubs.each_ref().map(|club| command_probes::run_in_club(club, words));
            *counts.entry(format!("command: {}", words[0])).or_default() += 1;
            self.check_command_output(&words.join(" "), &said)?;
        }
        Ok(())
    }

    fn check_command_output(
        &self,
        words: &str,
        said: &[CommandOutput; 2],
    ) -> Result<(), Difference> {
        let texts = said.each_ref().map(|said| format!("{said:#?}").replace("\\n", "\n"));
        self.check_same_text(&format!("postrider {words}"), &[&texts[0], &texts[1]])
    }

    /// Checks that the compared readers got equal letters in both clubs.
    fn check_posted_letters(
        &self,
        from: [usize; 2],
        counts: &mut Counts,
    ) -> Result<(), Difference> {
        let [one, other] = [0, 1].map(|world| -> Vec<&PostedLetter> {
            let posted = self.clubs[world].posted.iter().skip(from[world]);
            posted.filter(|letter| TwinClub::is_for_compared_reader(letter, self.drawn)).collect()
        });
        let names = [&one, &other].map(|letters| {
            letters.iter().map(|letter| format!("{} to {}", letter.name, letter.to)).collect()
        });
        let names: [Vec<String>; 2] = names;
        self.check_same_text(
            "the list of sent letters",
            &[&names[0].join("\n"), &names[1].join("\n")],
        )?;
        for (a, b) in one.iter().zip(other) {
            *counts.entry("compared: letters".to_owned()).or_default() += 1;
            *counts.entry("compared: bytes".to_owned()).or_default() += a.text.len() as u64;
            let pictures = a.text.matches("Content-Type: image/png").count() as u64;
            *counts.entry("compared: pictures".to_owned()).or_default() += pictures;
            self.check_same_text(
                &format!("a letter to {}: {}", a.to, a.name),
                &[&a.text, &b.text],
            )?;
        }
        Ok(())
    }

    fn check_same_text(&self, what: &str, texts: &[&str; 2]) -> Result<(), Difference> {
        if texts[0] == texts[1] {
            return Ok(());
        }
        let plain = [0, 1].map(|world| {
            let hashes = self.clubs[world].record_hashes();
            text_diff::replace_hashes(texts[world], &hashes)
        });
        if plain[0] == plain[1] {
            return Ok(());
        }
        Err(self.difference(what, &[&plain[0], &plain[1]]))
    }

    fn difference(&self, what: &str, texts: &[&str; 2]) -> Difference {
        let whose = format!("game {}, seed {}, ", self.drawn.kind.id(), self.drawn.seed);
        let whose =
            format!("{whose}viewer {}, turn {}: {what}", self.drawn.viewer_name(), self.turn);
        let letter = |written: &TwinLetter| {
            let TwinLetter { kind, from, bodies } = written;
            format!("  {kind}, {from}: {bodies:?}\n")
        };
        let written: String = self.written.iter().map(letter).collect();
        Difference { what: whose, lines: written + &text_diff::differing_lines(texts) }
    }
}

//! Two clubs whose games differ in what one viewer cannot know: the same happens to both, and all
//! that reaches him, those who watch and the moderator is compared to the byte.

use super::command_probes;
use super::drawn_setup::{DrawnSetup, STYLE_SETTINGS};
use super::game_course::{self, CourseStep};
use super::text_diff::{self, Difference};
use super::twin_club::{CommandOutput, PostedLetter, TwinClub};
use super::twin_letters::{self, TwinLetter};
use chrono::{DateTime, Utc};
use postrider::rules::{Dice, Seed};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What is counted.
pub type Counts = BTreeMap<String, u64>;

/// How long a story is.
#[derive(Clone, Copy, Debug)]
pub struct CourseSize {
    /// At most so many steps in which the worlds differ by what is held at their end alone.
    pub alike: usize,
    /// So many after them.
    pub steps: usize,
    /// Whether commands are compared after every pass, and not at the end alone.
    pub checks_every_pass: bool,
}

/// Two clubs that one viewer cannot tell apart.
pub struct TwinClubs<'a> {
    lot: &'a DrawnSetup,
    clubs: [TwinClub; 2],
    dice: Dice,
    turn: usize,
    /// What was written before the last pass.
    written: Vec<TwinLetter>,
    /// Who may have plans, that are taken back before they would be carried out in one world alone.
    planned: BTreeSet<&'static str>,
}

/// Plays this lot in both worlds.
///
/// # Errors
/// What somebody could tell the worlds apart by.
pub fn check_twins(
    lot: &DrawnSetup,
    size: CourseSize,
    counts: &mut Counts,
) -> Result<(), Difference> {
    let mut dice = Dice::new(&Seed::from_number(lot.seed ^ 0x57), 0);
    let now = DateTime::<Utc>::from_timestamp(1_767_600_000, 0).expect("a time");
    let table = game_course::deal_game(lot, now);
    let alike = dice.below(u32::try_from(size.alike).unwrap_or(0) + 1) as usize;
    let alike = if dice.below(2) == 0 { 0 } else { alike };
    let course = game_course::compose_course(lot, &table, (alike, size.steps));
    let founded = TwinClub::found_with_setup(lot, now);
    let own = table.records()[0].to_line();
    let clubs =
        [founded.restore_with_deal(lot, &own), founded.restore_with_deal(lot, &course.other_deal)];
    let mut count = |what: String, n: usize| *counts.entry(what).or_default() += n as u64;
    count(format!("{}: steps", lot.kind.id()), course.steps.len());
    count(format!("{}: nothing more was alike", lot.kind.id()), usize::from(course.ended_early));
    count(format!("{}: other deals", lot.kind.id()), usize::from(own != course.other_deal));
    for (name, value) in &lot.options {
        count(format!("{}: option {name}={value}", lot.kind.id()), 1);
    }
    count("games besides".to_owned(), usize::from(lot.second_game.is_some()));
    for (name, line) in &lot.styles {
        count(format!("style: {line}"), usize::from(*name == lot.viewer_name()));
    }
    let mut twins =
        TwinClubs { lot, clubs, dice, turn: 0, written: Vec::new(), planned: BTreeSet::new() };
    if twins.run_pass(size, counts)? == Progress::Alike
        && twins.play_steps(course.steps, size, counts)?
    {
        twins.check_at_rest(counts)?;
    }
    Ok(())
}

/// How two games go on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// Everything that the viewer can know is the same.
    Alike,
    /// Something was done for another one, who was absent or had planned it, and it rests on what
    /// he holds or wants.
    Diverged,
    /// They are over, and show what was hidden.
    Over,
}

impl TwinClubs<'_> {
    /// Lets all of this be done; whether both stand at its end as nobody could tell.
    fn play_steps(
        &mut self,
        steps: Vec<CourseStep>,
        size: CourseSize,
        counts: &mut Counts,
    ) -> Result<bool, Difference> {
        let mut ahead: VecDeque<CourseStep> = steps.into();
        while let Some(mut step) = ahead.pop_front() {
            if self.dice.below(2) == 0 {
                self.send_before_order(&step, counts);
                if !self.pass_and_continue(size, counts)? {
                    return Ok(false);
                }
                if size.checks_every_pass {
                    let some = command_probes::counting_command(self.lot, &mut self.dice);
                    self.check_commands(&some, counts)?;
                }
                step.secret = [None, None];
            }
            self.send_step(&step, counts);
            if !self.pass_and_continue(size, counts)? {
                return Ok(false);
            }
            let seen = self.clubs[0].visible_state(self.lot);
            if (seen.0, seen.1) != step.after {
                // What was to be done next may be legal in one of the worlds alone.
                *counts.entry("left the course, the same in both".to_owned()).or_default() += 1;
                let games = self.clubs.each_ref().map(TwinClub::game_and_plans);
                ahead = game_course::continue_course(self.lot, games, ahead.len(), &mut self.dice)
                    .into();
            }
        }
        Ok(true)
    }

    /// A pass, after which it may go on.
    fn pass_and_continue(
        &mut self,
        size: CourseSize,
        counts: &mut Counts,
    ) -> Result<bool, Difference> {
        let what = match self.run_pass(size, counts)? {
            Progress::Alike => return Ok(true),
            Progress::Diverged => "parted by what was done for who did not write",
            Progress::Over => "over before its time, the same in both",
        };
        *counts.entry(what.to_owned()).or_default() += 1;
        Ok(false)
    }

    /// Lets be sent before an order what others can neither see nor count.
    fn send_before_order(&mut self, step: &CourseStep, counts: &mut Counts) {
        let minutes = i64::from(self.dice.below(8 * 60)) + 5;
        let mut letters = twin_letters::hidden_letters(self.lot, &mut self.dice, self.turn + 1);
        let plans = twin_letters::plans_letter(self.lot, &mut self.dice, step, &self.clubs);
        self.planned.extend(plans.as_ref().map(|plans| plans.from));
        letters.extend(plans);
        letters.extend(twin_letters::secret_order_letter(step));
        letters.extend(twin_letters::question_letter(self.lot, &mut self.dice));
        self.deliver_letters(minutes, letters, counts);
    }

    /// Lets one thing be done in both, and much besides that is the same or that nobody knows of.
    fn send_step(&mut self, step: &CourseStep, counts: &mut Counts) {
        let minutes = match &step.line {
            None => 76 * 60,
            Some(_) => i64::from(self.dice.below(8 * 60)) + 5,
        };
        let mut letters = Vec::new();
        let keeps = |world: usize| self.clubs[world].keeps_plans_after(step, world);
        if !self.planned.is_empty() && (0..2).all(keeps) {
            *counts.entry("plans waited".to_owned()).or_default() += 1;
        } else {
            letters.extend(
                std::mem::take(&mut self.planned).into_iter().map(twin_letters::clear_plans_letter),
            );
        }
        letters.extend(twin_letters::hidden_letters(self.lot, &mut self.dice, self.turn + 1));
        letters.extend(twin_letters::open_letters(
            self.lot,
            &mut self.dice,
            self.turn + 1,
            &self.clubs[0],
        ));
        letters.extend(twin_letters::secret_order_letter(step));
        letters.extend(twin_letters::order_letter(step));
        self.deliver_letters(minutes, letters, counts);
    }

    /// Lets time go by, and these letters come.
    fn deliver_letters(&mut self, minutes: i64, letters: Vec<TwinLetter>, counts: &mut Counts) {
        self.turn += 1;
        self.clubs.iter_mut().for_each(|club| club.advance_clock(minutes));
        for (at, letter) in letters.iter().enumerate() {
            *counts.entry(format!("letter: {}", letter.kind)).or_default() += 1;
            self.deliver_to_both(at, letter);
        }
        self.written = letters;
    }

    fn deliver_to_both(&self, at: usize, letter: &TwinLetter) {
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

    /// A pass in both, and what can be seen of it.
    fn run_pass(&mut self, size: CourseSize, counts: &mut Counts) -> Result<Progress, Difference> {
        let before = self.clubs[0].posted.len();
        let other = self.clubs[1].posted.len();
        let head = self.clubs[0].visible_state(self.lot).0;
        let said = self.clubs.each_mut().map(TwinClub::run_pass);
        let seen = self.clubs.each_ref().map(|club| club.visible_state(self.lot));
        if seen[0] != seen[1] && self.clubs.iter().any(|club| club.advanced_without_letter(head)) {
            return Ok(Progress::Diverged);
        }
        if self.clubs.iter().all(TwinClub::is_over) {
            return Ok(Progress::Over);
        }
        self.check_posted_letters([before, other], counts)?;
        self.check_command_output("tick", &said)?;
        if seen[0] != seen[1] {
            return Err(self.difference("the game itself went another way", &["", ""]));
        }
        if size.checks_every_pass {
            let some = command_probes::random_commands(self.lot, &mut self.dice, seen[0].0);
            self.check_commands(&some, counts)?;
        }
        Ok(Progress::Alike)
    }

    /// What comes when nobody writes any more, and every command.
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
        let head = self.clubs[0].visible_state(self.lot).0;
        let all = command_probes::all_commands(self.lot, head);
        self.check_commands(&all, counts)?;
        for body in ["status", "no such order 9", "preview\nno such order 9", STYLE_SETTINGS[0]] {
            self.check_explain(body, counts)?;
        }
        Ok(())
    }

    /// What `explain` says of a letter that has not come.
    fn check_explain(&self, body: &str, counts: &mut Counts) -> Result<(), Difference> {
        let said = self.clubs.each_ref().map(|club| {
            let letter = club.reply_to_last_letter(club, self.lot.viewer_name(), "unsent", body);
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

    /// Whether the same letters went to all who are compared.
    fn check_posted_letters(
        &self,
        from: [usize; 2],
        counts: &mut Counts,
    ) -> Result<(), Difference> {
        let [one, other] = [0, 1].map(|world| -> Vec<&PostedLetter> {
            let posted = self.clubs[world].posted.iter().skip(from[world]);
            posted.filter(|letter| TwinClub::is_for_compared_reader(letter, self.lot)).collect()
        });
        let names = [&one, &other].map(|letters| {
            letters.iter().map(|letter| format!("{} to {}", letter.name, letter.to)).collect()
        });
        let names: [Vec<String>; 2] = names;
        self.check_same_text(
            "the letters that went",
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
        let whose = format!("game {}, seed {}, ", self.lot.kind.id(), self.lot.seed);
        let whose = format!("{whose}{} looks, turn {}: {what}", self.lot.viewer_name(), self.turn);
        let letter = |written: &TwinLetter| {
            let TwinLetter { kind, from, bodies } = written;
            format!("  {kind}, {from}: {bodies:?}\n")
        };
        let written: String = self.written.iter().map(letter).collect();
        Difference { what: whose, lines: written + &text_diff::differing_lines(texts) }
    }
}

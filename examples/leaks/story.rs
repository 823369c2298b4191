//! Two clubs whose games differ in what one viewer cannot know: the same happens to both, and all
//! that reaches him, those who watch and the moderator is compared to the byte.

use super::club::{Club, Posted, Said};
use super::commands;
use super::compare::{self, Difference};
use super::course::{self, Step};
use super::lot::{Lot, STYLES};
use super::mail::{self, Written};
use chrono::{DateTime, Utc};
use postrider::rules::{Dice, Seed};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What is counted.
pub type Counts = BTreeMap<String, u64>;

/// How long a story is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// At most so many steps in which the worlds differ by what is held at their end alone.
    pub alike: usize,
    /// So many after them.
    pub steps: usize,
    /// Whether commands are compared after every pass, and not at the end alone.
    pub often: bool,
}

/// Two clubs that one viewer cannot tell apart.
pub struct Twins<'a> {
    lot: &'a Lot,
    clubs: [Club; 2],
    dice: Dice,
    turn: usize,
    /// What was written before the last pass.
    written: Vec<Written>,
    /// Who may have plans, that are taken back before they would be carried out in one world alone.
    planned: BTreeSet<&'static str>,
}

/// Plays this lot in both worlds.
///
/// # Errors
/// What somebody could tell the worlds apart by.
pub fn play(lot: &Lot, size: Size, counts: &mut Counts) -> Result<(), Difference> {
    let mut dice = Dice::new(&Seed::rehearsal(lot.seed ^ 0x57), 0);
    let now = DateTime::<Utc>::from_timestamp(1_767_600_000, 0).expect("a time");
    let table = course::dealt(lot, now);
    let alike = dice.below(u32::try_from(size.alike).unwrap_or(0) + 1) as usize;
    let alike = if dice.below(2) == 0 { 0 } else { alike };
    let course = course::composed(lot, &table, (alike, size.steps));
    let founded = Club::founded(lot, now);
    let own = table.records()[0].line();
    let clubs = [founded.again(lot, &own), founded.again(lot, &course.dealt)];
    let mut count = |what: String, n: usize| *counts.entry(what).or_default() += n as u64;
    count(format!("{}: steps", lot.kind.id()), course.steps.len());
    count(format!("{}: nothing more was alike", lot.kind.id()), usize::from(course.parts));
    count(format!("{}: other deals", lot.kind.id()), usize::from(own != course.dealt));
    for (name, value) in &lot.options {
        count(format!("{}: option {name}={value}", lot.kind.id()), 1);
    }
    count("games besides".to_owned(), usize::from(lot.besides.is_some()));
    for (name, line) in &lot.styles {
        count(format!("style: {line}"), usize::from(*name == lot.name()));
    }
    let mut twins =
        Twins { lot, clubs, dice, turn: 0, written: Vec::new(), planned: BTreeSet::new() };
    if twins.pass(size, counts)? == Goes::Alike && twins.played(course.steps, size, counts)? {
        twins.rest(counts)?;
    }
    Ok(())
}

/// How two games go on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goes {
    /// Everything that the viewer can know is the same.
    Alike,
    /// Something was done for another one, who was absent or had planned it, and it rests on what
    /// he holds or wants.
    Apart,
    /// They are over, and show what was hidden.
    Over,
}

impl Twins<'_> {
    /// Lets all of this be done; whether both stand at its end as nobody could tell.
    fn played(
        &mut self,
        steps: Vec<Step>,
        size: Size,
        counts: &mut Counts,
    ) -> Result<bool, Difference> {
        let mut ahead: VecDeque<Step> = steps.into();
        while let Some(mut step) = ahead.pop_front() {
            if self.dice.below(2) == 0 {
                self.before(&step, counts);
                if !self.goes_on(size, counts)? {
                    return Ok(false);
                }
                if size.often {
                    let some = commands::counting(self.lot, &mut self.dice);
                    self.same_commands(&some, counts)?;
                }
                step.secret = [None, None];
            }
            self.step(&step, counts);
            if !self.goes_on(size, counts)? {
                return Ok(false);
            }
            let seen = self.clubs[0].seen(self.lot);
            if (seen.0, seen.1) != step.after {
                // What was to be done next may be legal in one of the worlds alone.
                *counts.entry("left the course, the same in both".to_owned()).or_default() += 1;
                let games = self.clubs.each_ref().map(Club::game);
                ahead = course::onward(self.lot, games, ahead.len(), &mut self.dice).into();
            }
        }
        Ok(true)
    }

    /// A pass, after which it may go on.
    fn goes_on(&mut self, size: Size, counts: &mut Counts) -> Result<bool, Difference> {
        let what = match self.pass(size, counts)? {
            Goes::Alike => return Ok(true),
            Goes::Apart => "parted by what was done for who did not write",
            Goes::Over => "over before its time, the same in both",
        };
        *counts.entry(what.to_owned()).or_default() += 1;
        Ok(false)
    }

    /// Lets be sent before an order what others can neither see nor count.
    fn before(&mut self, step: &Step, counts: &mut Counts) {
        let minutes = i64::from(self.dice.below(8 * 60)) + 5;
        let mut letters = mail::hidden(self.lot, &mut self.dice, self.turn + 1);
        let plans = mail::plans(self.lot, &mut self.dice, step, &self.clubs);
        self.planned.extend(plans.as_ref().map(|plans| plans.from));
        letters.extend(plans);
        letters.extend(mail::secret(step));
        letters.extend(mail::question(self.lot, &mut self.dice));
        self.send(minutes, letters, counts);
    }

    /// Lets one thing be done in both, and much besides that is the same or that nobody knows of.
    fn step(&mut self, step: &Step, counts: &mut Counts) {
        let minutes = match &step.line {
            None => 76 * 60,
            Some(_) => i64::from(self.dice.below(8 * 60)) + 5,
        };
        let mut letters = Vec::new();
        let keeps = |world: usize| self.clubs[world].keeps_plans(step, world);
        if !self.planned.is_empty() && (0..2).all(keeps) {
            *counts.entry("plans waited".to_owned()).or_default() += 1;
        } else {
            letters.extend(std::mem::take(&mut self.planned).into_iter().map(mail::taken_back));
        }
        letters.extend(mail::hidden(self.lot, &mut self.dice, self.turn + 1));
        letters.extend(mail::open(self.lot, &mut self.dice, self.turn + 1, &self.clubs[0]));
        letters.extend(mail::secret(step));
        letters.extend(mail::order(step));
        self.send(minutes, letters, counts);
    }

    /// Lets time go by, and these letters come.
    fn send(&mut self, minutes: i64, letters: Vec<Written>, counts: &mut Counts) {
        self.turn += 1;
        self.clubs.iter_mut().for_each(|club| club.wait(minutes));
        for (at, letter) in letters.iter().enumerate() {
            *counts.entry(format!("letter: {}", letter.kind)).or_default() += 1;
            self.arrives(at, letter);
        }
        self.written = letters;
    }

    fn arrives(&self, at: usize, letter: &Written) {
        for (world, body) in letter.bodies.iter().enumerate() {
            let (club, Some(body)) = (&self.clubs[world], body) else { continue };
            let id = format!("{}-{at}", self.turn);
            let name = format!("{}.{:06}.{at:03}", club.now.timestamp(), self.turn);
            if let Some(text) = club.reply(&self.clubs[1 - world], letter.from, &id, body) {
                club.arrives(&name, &text);
            }
        }
    }

    /// A pass in both, and what can be seen of it.
    fn pass(&mut self, size: Size, counts: &mut Counts) -> Result<Goes, Difference> {
        let before = self.clubs[0].posted.len();
        let other = self.clubs[1].posted.len();
        let head = self.clubs[0].seen(self.lot).0;
        let said = self.clubs.each_mut().map(Club::pass);
        let seen = self.clubs.each_ref().map(|club| club.seen(self.lot));
        if seen[0] != seen[1] && self.clubs.iter().any(|club| club.went_on_unasked(head)) {
            return Ok(Goes::Apart);
        }
        if self.clubs.iter().all(Club::is_over) {
            return Ok(Goes::Over);
        }
        self.same_post([before, other], counts)?;
        self.same_command("tick", &said)?;
        if seen[0] != seen[1] {
            return Err(self.difference("the game itself went another way", &["", ""]));
        }
        if size.often {
            let some = commands::some(self.lot, &mut self.dice, seen[0].0);
            self.same_commands(&some, counts)?;
        }
        Ok(Goes::Alike)
    }

    /// What comes when nobody writes any more, and every command.
    fn rest(&mut self, counts: &mut Counts) -> Result<(), Difference> {
        for _ in 0..2 {
            self.turn += 1;
            self.written.clear();
            self.clubs.iter_mut().for_each(|club| club.wait(13 * 60));
            if self.pass(Size { alike: 0, steps: 0, often: false }, counts)? != Goes::Alike {
                return Ok(());
            }
        }
        let head = self.clubs[0].seen(self.lot).0;
        let all = commands::all(self.lot, head);
        self.same_commands(&all, counts)?;
        for body in ["status", "no such order 9", "preview\nno such order 9", STYLES[0]] {
            self.explained(body, counts)?;
        }
        Ok(())
    }

    /// What `explain` says of a letter that has not come.
    fn explained(&self, body: &str, counts: &mut Counts) -> Result<(), Difference> {
        let said = self.clubs.each_ref().map(|club| {
            let letter = club.reply(club, self.lot.name(), "unsent", body);
            std::fs::write(club.folder().join("letter.eml"), letter.unwrap_or_default())
                .expect("written");
            let file = club.folder().join("letter.eml").to_string_lossy().into_owned();
            club.run(&["explain", "--secrets", &file])
        });
        *counts.entry("command: explain".to_owned()).or_default() += 1;
        self.same_command("explain", &said)
    }

    fn same_commands(&self, all: &[Vec<String>], counts: &mut Counts) -> Result<(), Difference> {
        for words in all {
            let said = self.clubs.each_ref().map(|club| commands::run(club, words));
            *counts.entry(format!("command: {}", words[0])).or_default() += 1;
            self.same_command(&words.join(" "), &said)?;
        }
        Ok(())
    }

    fn same_command(&self, words: &str, said: &[Said; 2]) -> Result<(), Difference> {
        let texts = said.each_ref().map(|said| format!("{said:#?}").replace("\\n", "\n"));
        self.same(&format!("postrider {words}"), &[&texts[0], &texts[1]])
    }

    /// Whether the same letters went to all who are compared.
    fn same_post(&self, from: [usize; 2], counts: &mut Counts) -> Result<(), Difference> {
        let [one, other] = [0, 1].map(|world| -> Vec<&Posted> {
            let posted = self.clubs[world].posted.iter().skip(from[world]);
            posted.filter(|letter| Club::is_compared(letter, self.lot)).collect()
        });
        let names = [&one, &other].map(|letters| {
            letters.iter().map(|letter| format!("{} to {}", letter.name, letter.to)).collect()
        });
        let names: [Vec<String>; 2] = names;
        self.same("the letters that went", &[&names[0].join("\n"), &names[1].join("\n")])?;
        for (a, b) in one.iter().zip(other) {
            *counts.entry("compared: letters".to_owned()).or_default() += 1;
            *counts.entry("compared: bytes".to_owned()).or_default() += a.text.len() as u64;
            let pictures = a.text.matches("Content-Type: image/png").count() as u64;
            *counts.entry("compared: pictures".to_owned()).or_default() += pictures;
            self.same(&format!("a letter to {}: {}", a.to, a.name), &[&a.text, &b.text])?;
        }
        Ok(())
    }

    fn same(&self, what: &str, texts: &[&str; 2]) -> Result<(), Difference> {
        if texts[0] == texts[1] {
            return Ok(());
        }
        let plain = [0, 1].map(|world| {
            let hashes = self.clubs[world].hashes();
            compare::without_hashes(texts[world], &hashes)
        });
        if plain[0] == plain[1] {
            return Ok(());
        }
        Err(self.difference(what, &[&plain[0], &plain[1]]))
    }

    fn difference(&self, what: &str, texts: &[&str; 2]) -> Difference {
        let whose = format!("game {}, seed {}, ", self.lot.kind.id(), self.lot.seed);
        let whose = format!("{whose}{} looks, turn {}: {what}", self.lot.name(), self.turn);
        let letter = |written: &Written| {
            let Written { kind, from, bodies } = written;
            format!("  {kind}, {from}: {bodies:?}\n")
        };
        let written: String = self.written.iter().map(letter).collect();
        Difference { what: whose, lines: written + &compare::lines(texts) }
    }
}

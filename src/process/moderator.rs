//! What the moderator asks for, line by line: by letter and on the command line with the same words
//! and the same effect.
//!
//! All lines of a letter are tried first on a desk that is thrown away; only when each of them can
//! be done are they done. A dry run ends there.

use super::deed::Deed;
use super::desk::{Answer, Desk, Fate, Outcome, Playing};
use super::intake::{order_lines_of, unread};
use super::office::{Office, OfficeError};
use crate::club::clock::{ClockRules, OwnTime, span_words};
use crate::club::{Actor, ClockRule, Command, Directive, Happening, Member, Request, Ruling};
use crate::mail::manners::{HOUR, Manners};
use crate::mail::{Digest, Errand, Letter, TooMuch, fold};
use crate::report::{Notice, Section};
use crate::rules::{Message, Refusal, Seat};
use crate::table::{OrderLine, Refused};
use std::collections::BTreeMap;

/// What lines of the moderator's lead to, in words; or the line that cannot be done, and then
/// nothing is.
pub type Directed = Result<Vec<Section>, Refused>;

/// What one line leads to, in words; or why it cannot be done.
pub(super) type Obeyed = Result<Section, Refusal>;

impl Office {
    /// Does what the moderator asks for on the command line, or says what would be done.
    ///
    /// # Errors
    /// When the club cannot be read or written.
    pub fn directed(&self, lines: &[String], dry_run: bool) -> Result<Directed, OfficeError> {
        let lines: Vec<OrderLine> =
            (1..).zip(lines).map(|(number, line)| OrderLine { number, text: fold(line) }).collect();
        if lines.iter().all(|line| line.text.eq_ignore_ascii_case("help")) {
            return Ok(Ok(vec![help()]));
        }
        let mut desk = Desk::default();
        let directed = self.direct(&mut desk, &lines, dry_run)?;
        if directed.is_ok() && !dry_run {
            self.finish(&mut desk)?;
            self.keep(&desk.batch)?;
            let inbox = self.inbox();
            let moves: Vec<_> =
                desk.fates.into_iter().map(|(letter, fate)| (letter, fate.tray())).collect();
            inbox.put(&moves).map_err(|error| OfficeError::file(inbox.root(), error))?;
        }
        Ok(directed)
    }

    /// A letter that was let in as the moderator's.
    pub(super) fn of_moderator(
        &self,
        desk: &mut Desk,
        letter: &Letter,
        request: &Result<Request, TooMuch>,
    ) -> Result<Outcome, OfficeError> {
        let mut outcome = Outcome::of(Fate::Done);
        let sections = match (desk.seen(self, &letter.digest)?, request) {
            (Some(seen), _) => {
                let at = seen.at.format("%Y-%m-%d %H:%M UTC").to_string();
                vec![Section::of(Message::new("letter-repeated").with("at", at))]
            }
            (None, Err(too_much)) => {
                let why = Message::new("letter-unread").with("why", unread(*too_much));
                vec![Section::of(why)]
            }
            (None, Ok(request)) => {
                if let Some(member) = self.moderator_as_member(request)? {
                    return self.of_member(desk, letter, &member, &Ok(request.clone()));
                }
                outcome.remembered = Some(self.remembered(letter, None, None));
                self.answer_to(desk, request)?
            }
        };
        outcome.answer = self.answer_moderator(desk, letter, &sections)?;
        Ok(outcome)
    }

    /// The moderator, if he is a member and writes as one: nothing in his letter is a moderator's.
    fn moderator_as_member(&self, request: &Request) -> Result<Option<Member>, OfficeError> {
        let unknown = |(_, line): &(u32, String)| {
            Directive::read(line).is_err_and(|why| why.key == "moderator-unknown")
        };
        if request.orders.is_empty() || !request.orders.iter().all(unknown) {
            return Ok(None);
        }
        let address = self.settings.moderator.address.to_lowercase();
        Ok(self.store.member_by_address(&address)?)
    }

    /// A letter from the moderator's address that does not prove to be the moderator's: the answer
    /// is one that can be answered.
    pub(super) fn of_unmarked_moderator(
        &self,
        desk: &Desk,
        letter: &Letter,
        address: &str,
    ) -> Result<Outcome, OfficeError> {
        let mut outcome = Outcome::of(Fate::Done);
        outcome.remembered = Some(self.remembered(letter, None, None));
        let mut sections = vec![Section::of(Message::new("moderator-unmarked"))];
        if let Some(member) = self.store.member_by_address(address)? {
            let games = self.games_of(&member)?.into_iter();
            let lines: Vec<Message> =
                games.map(|game| Message::new("notice-game").with("game", game)).collect();
            let head = Message::new("notice-no-game");
            sections.extend((!lines.is_empty()).then_some(Section { head, lines }));
        }
        outcome.answer = self.answer_moderator(desk, letter, &sections)?;
        Ok(outcome)
    }

    fn answer_moderator(
        &self,
        desk: &Desk,
        letter: &Letter,
        sections: &[Section],
    ) -> Result<Option<Answer>, OfficeError> {
        let to = self.moderator();
        let counted = self.settings.moderator.address.to_lowercase();
        let answered = desk.answers_since(self, &counted, self.now.timestamp() - HOUR)?;
        let (tag, club) = (&to.language, self.settings.name.as_str());
        let rendered = match Manners::to_member(answered, self.settings.answers_per_hour) {
            Manners::Answer => {
                let subject = Message::new("notice-subject").with("club", club);
                self.library.sections(tag, &subject, sections)
            }
            Manners::LastWord => self.library.notice(tag, club, &Notice::TooMany),
            Manners::Silence => return Ok(None),
        };
        let message_id = format!("m.a{}@{}", letter.digest, self.settings.host());
        let (errand, answers) = (Some(Errand::Moderator), letter.message_id.as_ref());
        let letter = self.without_game(&to, rendered, errand, &message_id, answers)?;
        Ok(Some(Answer { letter, counted, told: None }))
    }

    /// Does what a letter of the moderator's asks for, and says what was done.
    fn answer_to(&self, desk: &mut Desk, request: &Request) -> Result<Vec<Section>, OfficeError> {
        let mut lines = order_lines_of(request);
        let asked = lines.len();
        lines.retain(|line| !is_dry_run(&line.text));
        let dry_run = lines.len() < asked || request.commands.contains(&Command::Preview);
        if request.commands.contains(&Command::Status) {
            lines.push(OrderLine { number: 0, text: "list".to_owned() });
        }
        if lines.is_empty() {
            return Ok(vec![help()]);
        }
        let mut sections = match self.direct(desk, &lines, dry_run)? {
            Ok(sections) if dry_run => {
                let head = Section::of(Message::new("moderator-preview"));
                std::iter::once(head).chain(sections).collect()
            }
            Ok(sections) => sections,
            Err(refused) => vec![refused_section(&refused)],
        };
        if request.commands.contains(&Command::Help) {
            sections.push(help());
        }
        Ok(sections)
    }

    /// Tries all lines, and does them if each can be done and it is no dry run.
    fn direct(
        &self,
        desk: &mut Desk,
        lines: &[OrderLine],
        dry_run: bool,
    ) -> Result<Directed, OfficeError> {
        let mut trial = desk.trial();
        let tried = self.obey_all(&mut trial, lines)?;
        let changes = !trial.batch.is_empty() || !trial.moved.is_empty();
        if dry_run || tried.is_err() || !changes {
            return Ok(tried);
        }
        self.obey_all(desk, lines)
    }

    fn obey_all(&self, desk: &mut Desk, lines: &[OrderLine]) -> Result<Directed, OfficeError> {
        let mut sections = Vec::new();
        for line in lines {
            let obeyed = match Directive::read(&line.text) {
                Ok(directive) => self.obey(desk, &directive)?,
                Err(why) => Err(Refusal::illegal(why)),
            };
            match obeyed {
                Ok(section) => sections.push(section),
                Err(refusal) => return Ok(Err(Refused { line: Some(line.clone()), refusal })),
            }
        }
        Ok(Ok(sections))
    }

    fn obey(&self, desk: &mut Desk, directive: &Directive) -> Result<Obeyed, OfficeError> {
        match directive {
            Directive::List => Ok(Ok(self.list_of_games(desk)?)),
            Directive::Letters(what) => self.on_letters(desk, what),
            Directive::Announce { game: None, text } => Ok(Ok(self.announce_to_all(desk, text)?)),
            Directive::Rule { game, .. }
            | Directive::Announce { game: Some(game), .. }
            | Directive::Note { game, .. }
            | Directive::Log(game) => match self.lay_out(desk, *game)? {
                Ok(()) => self.obey_on(desk, *game, directive),
                Err(why) => Ok(Err(Refusal::illegal(why))),
            },
        }
    }

    /// Puts a game on the desk; why it cannot be.
    pub(super) fn lay_out(
        &self,
        desk: &mut Desk,
        game: u32,
    ) -> Result<Result<(), Message>, OfficeError> {
        let of = |key| Message::new(key).with("game", game);
        match desk.playing(self, game) {
            Ok(_) => Ok(Ok(())),
            Err(OfficeError::NoGame(_)) => Ok(Err(of("moderator-no-game"))),
            Err(error @ OfficeError::BrokenGame { .. }) => {
                Ok(Err(of("moderator-game-broken").with("why", error.to_string())))
            }
            Err(error) => Err(error),
        }
    }

    /// Does something about a game that lies on the desk.
    fn obey_on(
        &self,
        desk: &mut Desk,
        game: u32,
        directive: &Directive,
    ) -> Result<Obeyed, OfficeError> {
        match directive {
            Directive::Rule { ruling, reason, .. } => self.rule(desk, game, ruling, reason),
            Directive::Announce { text, .. } => Ok(Ok(self.announce(desk, game, text))),
            Directive::Note { text, .. } => {
                desk.minute(self, game, Happening::Noted { text: text.clone() });
                let head = Message::new("moderator-noted").with("game", game);
                Ok(Ok(Section::of(head.with("text", text.as_str()))))
            }
            _ => Ok(Ok(self.log_of(desk, game)?)),
        }
    }

    fn rule(
        &self,
        desk: &mut Desk,
        game: u32,
        ruling: &Ruling,
        reason: &str,
    ) -> Result<Obeyed, OfficeError> {
        let deed = match ruling {
            Ruling::Pause => Deed::Pause,
            Ruling::Resume => Deed::Resume,
            Ruling::Extend(by) => Deed::Extend(*by),
            Ruling::Rewind(to) => Deed::Rewind(*to),
            Ruling::End => Deed::End,
            Ruling::Force(seat) => Deed::Force(*seat),
            Ruling::Set(rule) => match self.rules_with(desk, game, rule) {
                Ok(rules) => Deed::Rules(Box::new(rules)),
                Err(why) => return Ok(Err(Refusal::illegal(why))),
            },
            Ruling::Rotate(seat) => return Ok(self.rotate_on(desk, game, *seat, reason)),
            Ruling::Replace { .. } | Ruling::Remove(_) => {
                return Ok(Err(Refusal::illegal(Message::new("moderator-not-here"))));
            }
        };
        self.ruled(desk, game, &deed, reason)
    }

    /// What a deed of the moderator's would do.
    ///
    /// # Errors
    /// When the club cannot be read; the refusal when it cannot be done.
    pub fn rehearse(
        &self,
        game: u32,
        deed: &Deed,
        reason: &str,
    ) -> Result<Result<Section, Refusal>, OfficeError> {
        self.ruled(&mut Desk::default(), game, deed, reason)
    }

    fn ruled(
        &self,
        desk: &mut Desk,
        game: u32,
        deed: &Deed,
        reason: &str,
    ) -> Result<Obeyed, OfficeError> {
        let done = self.carry_out(desk, game, deed, Actor::Moderator, reason)?;
        Ok(done.map_err(|refusal| self.in_names(desk, game, refusal)).map(|()| {
            let head =
                ruled_words(deed, desk.games.get(&game)).with("game", game).with("reason", reason);
            let state = desk.games.get(&game).map(|playing| self.state(playing));
            Section { head, lines: state.into_iter().collect() }
        }))
    }

    /// The clock's rules of a game with another value for one of them.
    fn rules_with(&self, desk: &Desk, game: u32, rule: &ClockRule) -> Result<ClockRules, Message> {
        let own = desk.games.get(&game).and_then(|playing| playing.clock.as_ref());
        let usual = own.map(|clock| &clock.rules).or(self.settings.clock.as_ref()).cloned();
        let mut rules = match (rule, usual) {
            (ClockRule::Deadline(deadline), None) => ClockRules::of(deadline.clone()),
            (_, None) => return Err(Message::new("clock-none")),
            (_, Some(rules)) => rules,
        };
        match rule {
            ClockRule::Deadline(deadline) => rules.deadline = deadline.clone(),
            ClockRule::Grace(grace) => rules.grace = *grace,
            ClockRule::Bank(bank) => rules.bank = *bank,
            ClockRule::Nmr(nmr) => rules.nmr = *nmr,
        }
        rules.check().map_err(|_| Message::new("moderator-no-day-left"))?;
        Ok(rules)
    }

    /// Makes the reply tokens of a seat void on a desk; its player gets a letter with a new one.
    fn rotate_on(&self, desk: &mut Desk, game: u32, seat: Seat, reason: &str) -> Obeyed {
        let found = desk.games.get_mut(&game).and_then(|game| game.seats.get_mut(seat.index()));
        let Some((seated, member)) = found else {
            let none = Message::new("moderator-no-seat").with("game", game);
            return Err(Refusal::illegal(none.with("seat", seat.number())));
        };
        seated.generation = seated.generation.saturating_add(1);
        let name = member.name.clone();
        desk.note(game, seat, Message::new("seat-rotated").with("reason", reason));
        // Whose letters were in danger is nobody else's business.
        let text = format!("rotate seat {seat}: {reason}");
        desk.minute(self, game, Happening::Noted { text });
        let head = Message::new("moderator-rotated").with("game", game).with("who", name);
        Ok(Section::of(head.with("reason", reason)))
    }

    fn announce(&self, desk: &mut Desk, game: u32, text: &str) -> Section {
        let seats = desk.games.get(&game).map_or(0, |playing| playing.table.founding().seats);
        for seat in Seat::all(seats) {
            desk.note(game, seat, Message::new("seat-announced").with("text", text));
        }
        let (by, what, reason) = (Actor::Moderator, "announce".to_owned(), text.to_owned());
        desk.minute(self, game, Happening::Done { by, what, reason });
        let seats = desk.games.get(&game).map(|playing| playing.seats.as_slice());
        let reached: Vec<String> = seats
            .unwrap_or_default()
            .iter()
            .filter(|(_, member)| member.undeliverable.is_none())
            .map(|(_, member)| member.name.clone())
            .collect();
        let head = Message::new("moderator-announced").with("game", game).with("who", reached);
        Section::of(head.with("text", text))
    }

    /// Tells something to everybody who plays: one letter each, in however many games.
    fn announce_to_all(&self, desk: &mut Desk, text: &str) -> Result<Section, OfficeError> {
        let mut members = BTreeMap::new();
        for game in self.store.games()? {
            let Some(playing) = self.running(desk, game)? else { continue };
            for (_, member) in playing.seats {
                if member.undeliverable.is_none() {
                    members.insert(member.id, member);
                }
            }
        }
        let notice = Notice::Said(vec![Message::new("seat-announced").with("text", text)]);
        let digest = Digest::of(format!("{} {text}", self.now).as_bytes());
        for member in members.values() {
            let address = member.addresses.first().map(String::as_str).unwrap_or_default();
            let letter = self.notice(member, &notice, None, &digest.and(address), None);
            desk.batch.outgoing.extend(letter.ok());
        }
        let head = Message::new("moderator-announced-to-all").with("count", members.len());
        Ok(Section::of(head.with("text", text)))
    }

    /// A refusal with the names of those whom it speaks of.
    fn in_names(&self, desk: &Desk, game: u32, refusal: Refusal) -> Refusal {
        let names = desk.games.get(&game).map(|playing| playing.names.clone()).unwrap_or_default();
        let language = self.library.language(&self.settings.language);
        let why = language.say_of(&refusal.reason, &names);
        Refusal { reason: Message::new("moderator-why").with("why", why), ..refusal }
    }

    /// The moderator's own zone.
    pub(super) fn moderators_time(&self) -> OwnTime {
        OwnTime { zone: self.settings.moderator.zone, ..OwnTime::default() }
    }

    /// How a game stands on a desk, when all that is planned has been carried out.
    fn state(&self, playing: &Playing) -> Message {
        let mut playing = playing.clone();
        playing.carry_on(self.now);
        playing.keep_time(self.now);
        Message::new("moderator-state").with("waits", self.waits(&playing))
    }
}

/// What was done, without its game and reason.
fn ruled_words(deed: &Deed, playing: Option<&Playing>) -> Message {
    let name = |seat: &Seat| {
        let names = playing.map(|playing| playing.names.as_slice()).unwrap_or_default();
        names.get(seat.index()).cloned().unwrap_or_default()
    };
    match deed {
        Deed::Pause => Message::new("moderator-paused"),
        Deed::Resume => Message::new("moderator-resumed"),
        Deed::Extend(by) => Message::new("moderator-extended").with("span", span_words(by.time())),
        Deed::Rewind(to) => Message::new("moderator-rewound").with("to", *to),
        Deed::End => Message::new("moderator-ended"),
        Deed::Force(seat) => Message::new("moderator-forced").with("who", name(seat)),
        Deed::Rules(_) => {
            let rules = deed.to_string();
            let rules = rules.strip_prefix("set ").unwrap_or(&rules);
            Message::new("moderator-set").with("rules", rules)
        }
    }
}

fn is_dry_run(line: &str) -> bool {
    let line = line.trim_end_matches(['.', '!', ':']).to_lowercase();
    matches!(line.as_str(), "dry run" | "dry-run" | "dryrun")
}

/// What the moderator can write.
fn help() -> Section {
    let forms = [
        "pause 12 because ...",
        "resume 12 because ...",
        "extend 12 by 3 days because ...",
        "rewind 12 to 37 because ...",
        "force 12 seat 2 because ...",
        "end 12 because ...",
        "replace 12 seat 2 by ann@example.org because ...",
        "remove 12 seat 2 because ...",
        "rotate 12 seat 2 because ...",
        "set 12 deadline 3 days because ... (or grace, bank, nmr)",
        "announce 12 TEXT (or: announce all TEXT)",
        "note 12 TEXT",
        "log 12",
        "list",
        "letters list",
        "letters show NAME",
        "letters accept NAME because ... (or: accept NAME for 12 seat 2)",
        "letters reject NAME because ...",
    ];
    let line = |form: &&str| Message::new("moderator-form").with("form", *form);
    Section { head: Message::new("moderator-help"), lines: forms.iter().map(line).collect() }
}

fn refused_section(refused: &Refused) -> Section {
    let line = refused.line.as_ref().map(|line| {
        Message::new("refused-line").with("number", line.number).with("line", line.text.as_str())
    });
    let refusal = &refused.refusal;
    let lines =
        line.into_iter().chain([refusal.reason.clone()]).chain(refusal.instead.clone()).collect();
    Section { head: Message::new("moderator-refused"), lines }
}

//! Letters of people who ask for something in their own words. The answer offers the command for
//! it, and nothing of the letter is acted on.

use crate::memory::Memory;
use crate::open_club::OpenClub;
use crate::rig::{Club, PostedLetter, address, first_letter_to};
use postrider::games::find_kind;
use postrider::process;
use std::sync::Arc;

/// Lines that people write, in English and in Spanish, with the commands that the answer offers.
const REQUESTS: &[(&str, &str, &[&str])] = &[
    ("I have no idea how this works", "No tengo ni idea de cómo funciona esto", &["help", "rules"]),
    ("Sorry, could you send me the rules?", "¿Me puedes enviar las reglas?", &["rules"]),
    ("I don't know what to do", "No sé qué hacer", &["help"]),
    ("I resign", "Me rindo", &["resign"]),
    ("Can we extend by two days?", "¿Podemos ampliar dos días?", &["vote extend 2 days"]),
    (
        "Can I have one more day please?",
        "¿Puedo tener un día más, por favor?",
        &["vote extend 1 day"],
    ),
    ("I'm away next week", "La semana que viene estoy fuera", &["vacation 2026-01-12"]),
    ("how do I undo", "¿cómo deshago?", &["undo"]),
    ("Which games are there?", "¿Qué partidas hay?", &["games"]),
    ("How do I leave the club?", "¿Cómo me doy de baja del club?", &["leave club"]),
    ("Too many emails!", "Demasiados correos", &["letters digest"]),
];

/// Questions of one word beside polite words. They are answered as the word alone is.
const POLITE_QUESTIONS: &[(&str, &str, &str)] = &[
    ("rules please", "reglas por favor", "rules"),
    ("help me", "ayuda, por favor", "help"),
    ("Hi, settings please. Thanks!", "Hola, ajustes por favor. ¡Gracias!", "settings"),
    ("games, please", "partidas, por favor", "games"),
];

/// The words in which a Spanish letter shows these commands.
const SPANISH_COMMANDS: &[(&str, &str)] = &[
    ("help", "ayuda"),
    ("rules", "reglas"),
    ("resign", "renunciar"),
    ("vote extend 2 days", "votar prórroga 2 días"),
    ("vote extend 1 day", "votar prórroga 1 día"),
    ("vacation 2026-01-12", "vacaciones 2026-01-12"),
    ("undo", "deshacer"),
    ("games", "partidas"),
    ("leave club", "dejar el club"),
    ("letters digest", "cartas resumen"),
];

/// A club that is reset before each letter. Ann and Bob play, and Ann's turn is the first.
struct Rig {
    open_club: OpenClub,
    memory: Arc<Memory>,
    snapshot: Memory,
    posted_count: usize,
    /// The answer to Ann's question `games`, which is about no game.
    list: PostedLetter,
}

/// The answer to one letter.
struct Answer {
    subject: String,
    text: String,
    raw: String,
}

impl Rig {
    fn new(language: &str) -> Self {
        let memory = Arc::new(Memory::default());
        let settings = format!("language: {language}\nclock: {{deadline: 4 days, nmr: wait}}\n");
        let mut club = Club::with_local_store(&settings).with_memory_store(&memory);
        club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
        let mut open_club = OpenClub::new(club);
        open_club.run_pass();
        open_club.club.send_reply("Ann", "games");
        let list = first_letter_to(&open_club.run_pass(), "Ann").clone();
        let posted_count = open_club.club.transport.posted.len();
        Self { open_club, snapshot: memory.copy(), memory, posted_count, list }
    }

    /// Resets the club, delivers a reply to a letter about the game, or to one about no game, and
    /// returns the answer. Panics if the letter had any effect besides.
    fn answer(&mut self, (name, in_game): (&str, bool), body: &str) -> Answer {
        self.memory.set_to(&self.snapshot);
        let club = &mut self.open_club.club;
        club.transport.posted.truncate(self.posted_count);
        let letter = match in_game {
            true => club.compose_reply(name, body),
            false => club.compose_reply_to(name, &self.list, body),
        };
        let before = self.memory_facts();
        let OpenClub { club, context } = &mut self.open_club;
        club.deliver(letter);
        context.now = club.now;
        // The answer may quote Spanish, so this pass runs without the rig's check of ASCII.
        process::run_pass(context, &mut club.transport).expect("the pass works");
        let posted = &club.transport.posted[self.posted_count..];
        assert_eq!(posted.len(), 1, "{body}: only an answer");
        assert_eq!(posted[0].to, address(name), "{body}");
        let letter = posted[0].clone();
        assert_eq!(self.memory_facts(), before, "{body}: nothing is acted on");
        Answer {
            subject: letter.header("Subject").unwrap_or_default(),
            text: letter.body_text().split_whitespace().collect::<Vec<_>>().join(" "),
            raw: letter.raw(),
        }
    }

    /// Returns everything that a letter could change, as text.
    fn memory_facts(&self) -> String {
        let context = &self.open_club.context;
        let session = process::load_stored_game(context, 1).expect("it opens");
        let members = ["1", "2", "3"].map(|id| {
            let member = process::find_member(context, id).expect("it works").expect("a member");
            (member.language, member.time, member.letters, member.addresses)
        });
        let seats: Vec<_> =
            session.seats.iter().map(|(seat, _)| seat.queued_orders.clone()).collect();
        let info = context.store.game_info(1).expect("it is kept");
        format!("{} {members:?} {seats:?} {info:?}", session.table.last_record_number())
    }
}

#[test]
fn requests_in_own_words_are_offered_commands() {
    let mut english = Rig::new("en");
    let mut spanish = Rig::new("es");
    let in_spanish = |command: &str| {
        let row = SPANISH_COMMANDS.iter().find(|(english, _)| *english == command);
        row.unwrap_or_else(|| panic!("{command}")).1
    };
    for (line, linea, commands) in REQUESTS {
        for (name, in_game) in [("Ann", true), ("Bob", true), ("Ann", false)] {
            let answer =
                english.answer((name, in_game), &format!("Hi,\n\n{line}\n\nCheers\n{name}"));
            let respuesta = spanish.answer((name, in_game), linea);
            if in_game {
                assert!(answer.subject.contains("No order found"), "{line}: {}", answer.subject);
                assert!(answer.text.contains("We didn't find an order in your e-mail"), "{line}");
                assert!(!answer.text.contains("refused"), "{line}\n{}", answer.text);
            }
            for command in *commands {
                let offered = format!("`{command}");
                assert!(answer.text.contains(&offered), "{name}, {line}\n{}", answer.text);
                let offered = format!("`{}", in_spanish(command));
                assert!(respuesta.text.contains(&offered), "{name}, {linea}\n{}", respuesta.text);
            }
            assert!(!answer.text.contains("Spanish") && !respuesta.text.contains("language en"));
        }
    }
}

#[test]
fn polite_words_beside_questions_change_nothing() {
    for (language, is_spanish) in [("en", false), ("es", true)] {
        let mut rig = Rig::new(language);
        for (english, spanish, word) in POLITE_QUESTIONS {
            let line = if is_spanish { spanish } else { english };
            for writer in [("Ann", true), ("Bob", true), ("Ann", false)] {
                let [polite, bare] = [line, word].map(|body| rig.answer(writer, body));
                assert_eq!((polite.subject, polite.text), (bare.subject, bare.text), "{line}");
            }
        }
    }
}

#[test]
fn doubt_is_not_called_a_letter_without_order() {
    let mut rig = Rig::new("en");
    for body in [
        "Don't do this yet:\nbuild red G23",
        "build red G23\nIs this legal?",
        "I need help\n\nMaybe\nbuild red G23",
        "build red G23\nI'm away next week, so don't do this yet",
        "build red G23 (if you agree)",
        "I need help\nbuild red Z99",
    ] {
        let answer = rig.answer(("Ann", true), body);
        assert!(answer.subject.contains("Orders refused"), "{body}: {}", answer.subject);
    }
}

#[test]
fn request_beside_a_question_is_named() {
    let mut rig = Rig::new("en");
    for (in_game, question) in [(true, "status"), (false, "settings"), (true, "rules please")] {
        let body = format!("Hola, language es please\n\n{question}");
        let answer = rig.answer(("Ann", in_game), &body);
        for expected in
            ["line 1", "language es please", "`language es`", "Contesta \"language es\""]
        {
            assert!(answer.text.contains(expected), "{body}: {expected}\n{}", answer.text);
        }
    }
    // The line alone is offered too, as a line and as a button.
    for in_game in [true, false] {
        let answer = rig.answer(("Ann", in_game), "Hola, language es please");
        assert!(answer.text.contains("`language es`"), "{}", answer.text);
        assert!(answer.raw.contains("language"), "{}", answer.raw);
    }
}

#[test]
fn game_command_is_no_button_outside_games() {
    let mut rig = Rig::new("en");
    let answer = rig.answer(("Ann", false), "how do I undo");
    assert!(
        answer.text.contains("For that, write `undo` in a reply to the newest e-mail of the game."),
        "{}",
        answer.text
    );
    let answer = rig.answer(("Ann", false), "Which games are there?");
    assert!(answer.text.contains("reply `games`"), "{}", answer.text);
}

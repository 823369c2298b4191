//! Lines in the language that a member reads: orders, words for the house, consent; and which
//! language a newcomer is taken to read.

use crate::common::sample_or_all;
use crate::rig::{Club, NAMES, Posted, all_to, to};
use postrider::club::Member;
use postrider::process;
use postrider::render::Library;
use postrider::rules::{Seat, Turn};

const ZOE: &str = "zoe@example.net";
const SPANISH: &str = "language: es\n";

/// Who is to move in game 1, and a line that he could send, as letters in Spanish show it.
fn next(club: &Club, library: &Library) -> Option<(&'static str, String)> {
    let session = process::open_game(&club.context(), 1).expect("it opens");
    let Turn::Awaiting(seats) = session.table.turn() else { return None };
    let seat: Seat = *seats.first().expect("somebody");
    let legal = session.table.game().legal(seat);
    let line = legal.get(session.table.head() as usize % legal.len()).expect("a line");
    let kind = &session.table.founding().game;
    let (_, words) = library.all_lexicons().find(|(tag, _)| *tag == "es").expect("it ships");
    Some((NAMES[seat.index()], words.game(kind).shown(line)))
}

#[test]
fn a_game_of_each_kind_is_played_in_spanish() {
    let library = Library::embedded().expect("the words ship");
    for (kind, seats) in [("trick-of-the-rails", 3), ("paris-connection", 3), ("off-the-rails", 2)]
    {
        let mut club = Club::session(SPANISH, kind, seats, 5);
        let (mut letters, mut spanish, all) = (0, 0, sample_or_all(12, 24));
        while let Some((name, line)) = next(&club, &library).filter(|_| letters < all) {
            let before = club.head();
            club.writes(name, &format!("Hola:\n\n{line}\n\nSaludos,\n{name}"));
            let (_, posted) = club.pass();
            assert!(club.head() > before, "{kind}: {line}\n{:?}", all_to(&posted, name));
            assert!(to(&posted, name).says(&line), "{kind}: {line}");
            letters += 1;
            spanish += usize::from(!line.is_ascii() || !line.starts_with("stop"));
        }
        assert!(letters == all && spanish > all - 4, "{kind}: {letters}");
        let session = process::open_game(&club.context(), 1).expect("it opens");
        let records = session.table.records_since(1);
        let english = records.iter().any(|record| {
            format!("{:?}", record.cause).contains("play ")
                || format!("{:?}", record.cause).contains("build ")
                || format!("{:?}", record.cause).contains("lay ")
        });
        assert!(english, "a log is in English, whoever wrote it");
    }
}

#[test]
fn letter_for_two_colours_is_asked_about() {
    let mut club = Club::paris(SPANISH);
    let head = club.head();
    for line in ["cambio n por azul", "Cambio N por azul", "siguiente: cambio n por azul"] {
        club.writes("Ann", line);
        let (_, letters) = club.pass();
        let told = to(&letters, "Ann");
        assert_eq!(club.head(), head, "{line}: {}", told.text());
        assert!(told.says("puede ser más de una cosa aquí"), "{line}: {}", told.text());
        assert!(told.says("cambiar negro por "), "{line}: {}", told.text());
        assert!(line.contains(':') || told.says("cambiar marrón por 1 azul"), "{}", told.text());
    }
    // What is no other colour in Spanish is not asked about, nor is a whole word.
    for line in ["cambio r por azul", "cambio marrón por azul", "cambio p por k", "trade n for b"]
    {
        club.writes("Ann", line);
        let (_, letters) = club.pass();
        assert!(!to(&letters, "Ann").says("más de una cosa"), "{line}");
    }
}

fn member(club: &Club, who: &str) -> Option<Member> {
    process::find_member(&club.context(), who).expect("it reads")
}

#[test]
fn the_house_is_told_and_asked_in_spanish() {
    let mut club = Club::paris(SPANISH);
    club.writes("Ann", "cartas texto\nzona Europe/Madrid\nvacaciones del 2026-12-20 al 2027-01-03");
    club.pass();
    let ann = club.member("Ann");
    assert!(!ann.letters.html && ann.time.zone.is_some() && ann.time != Default::default());
    club.writes("Ann", "Nota: Bob acapara el azul, por favor\nsin vacaciones");
    club.pass();
    assert!(club.last_text("Ann").contains("Bob acapara el azul, por favor"), "word by word");
    club.writes("Ann", "olvidar notas");
    club.pass();
    assert!(!club.last_text("Ann").contains("acapara"));
    let before = club.head();
    club.writes("Ann", "ayuda");
    club.writes("Bob", "reglas");
    club.writes("Cid", "vista previa: construir rojo G23");
    let (_, letters) = club.pass();
    assert_eq!((letters.len(), club.head()), (3, before));
    let card = to(&letters, "Ann").text();
    for line in ["construir rojo ", "cambiar ", "siguiente: cambiar "] {
        assert!(card.contains(line), "{line}: {card}");
    }
    assert!(to(&letters, "Cid").says("construir rojo G23"), "{:?}", to(&letters, "Cid"));
    club.writes("Ann", "idioma en\nconstruir rojo G23");
    club.pass();
    assert_eq!((club.member("Ann").language.as_str(), club.head()), ("en", before + 1));
    club.writes("Ann", "idioma es");
    club.pass();
    assert_eq!(club.member("Ann").language, "en", "who reads English writes it");
}

#[test]
fn words_to_others_are_passed_on_as_they_were_written() {
    let mut club = Club::paris(SPANISH);
    club.writes(
        "Ann",
        "decir Vota rojo, por favor: te gusta?\n\ndile a Bob y Cid: el rojo y el azul\n\n\
         decir a asiento 2: por favor\n\nconstruir rojo G23",
    );
    let (_, letters) = club.pass();
    assert_eq!(club.head(), 2, "{letters:?}");
    for name in ["Bob", "Cid"] {
        let letter = to(&letters, name);
        assert!(letter.says("Vota rojo, por favor: te gusta?"), "{letter:?}");
        assert!(letter.says("el rojo y el azul"), "{letter:?}");
    }
    assert!(to(&letters, "Bob").says("| por favor") && !to(&letters, "Cid").says("| por favor"));
    club.writes("Bob", "decir:\n\nconstruyo luego,\n\nno ahora\n\nfin\ncambiar azul por 1 rojo");
    let (_, letters) = club.pass();
    assert!(letters.len() > 1, "{letters:?}");
    assert!(to(&letters, "Cid").says("no ahora"), "{letters:?}");
    assert!(!to(&letters, "Cid").says("| fin"));
}

#[test]
fn players_vote_plan_and_take_back_in_spanish() {
    let mut club = Club::paris("language: es\nclock: {deadline: 3 days}\n");
    let open = |club: &Club| club.context().store.room(1).expect("it reads").open_votes.len();
    club.writes("Ann", "votar prórroga 2 días");
    club.pass();
    assert_eq!(open(&club), 1, "{}", club.last_text("Cid"));
    club.writes("Bob", "votar no");
    club.writes("Cid", "voto no.");
    club.pass();
    assert_eq!(open(&club), 0, "{}", club.last_text("Cid"));
    club.writes("Ann", "construir rojo G23\nsiguiente: cambiar rojo por 1 azul");
    club.pass();
    let session = process::open_game(&club.context(), 1).expect("it opens");
    assert_eq!((club.head(), session.seats[0].0.standing.plans.len()), (2, 1));
    club.writes("Ann", "deshacer");
    club.pass();
    let session = process::open_game(&club.context(), 1).expect("it opens");
    assert!(session.table.turn().awaits(Seat::new(1)), "her build is taken back");
    club.writes("Ann", "siguiente: cambiar rojo por 1 azul\nconstruir azul H20");
    club.writes("Ann", "borrar planes");
    club.pass();
    let session = process::open_game(&club.context(), 1).expect("it opens");
    assert!(session.seats[0].0.standing.plans.is_empty());
}

/// What Zoe is told when she writes this to the club, or in answer to a letter.
fn zoe(club: &mut Club, answered: Option<&Posted>, body: &str) -> Posted {
    let reply = answered.and_then(|letter| letter.header("Reply-To"));
    let to = reply.unwrap_or_else(|| "games@example.org".to_owned());
    let quoted = answered.map(|letter| letter.text()).unwrap_or_default();
    let quoted: String = quoted.lines().map(|line| format!("> {line}\r\n")).collect();
    let id = club.arrived_id("zoe");
    let head = format!("From: Zoe <{ZOE}>\r\nTo: {to}\r\nMessage-ID: {id}\r\nSubject: x\r\n");
    let body = body.replace('\n', "\r\n");
    club.arrives(format!(
        "{head}Content-Type: text/plain; charset=utf-8\r\n\r\n{body}\r\n\r\n{quoted}"
    ));
    let (_, letters) = club.pass();
    all_to(&letters, ZOE).first().map(|letter| (*letter).clone()).expect("an answer")
}

#[test]
fn a_newcomer_reads_the_language_of_his_first_letter() {
    for (first, join, yes, language) in [
        ("Hola, me gustaría jugar. ¿Cómo funciona esto?", "unirme a 2", "sí", "es"),
        (
            "Hola, quiero jugar con vosotros",
            "quiero jugar la partida 2",
            "Si.\nnombre Zoe Ruiz",
            "es",
        ),
        ("Hello, I would like to play.", "join 2", "yes", "en"),
        // Of what nobody here reads the club's own language is the best guess.
        ("Bonjour, je voudrais jouer avec vous!", "join 2", "yes", "en"),
    ] {
        let mut club = Club::paris("strangers: join\n");
        club.writes("Ann", "new paris-connection seats 5 deadline 3d");
        club.pass();
        let list = zoe(&mut club, None, first);
        let asked = zoe(&mut club, Some(&list), join);
        assert!(member(&club, ZOE).is_none(), "{first}");
        let welcome = zoe(&mut club, Some(&asked), yes);
        let found = member(&club, ZOE).unwrap_or_else(|| panic!("{first}\n{welcome:?}"));
        assert_eq!(found.language, language, "{first}");
        let other = if language == "es" { "language en" } else { "language es" };
        assert!(welcome.says(other), "how to change it: {welcome:?}");
    }
}

#[test]
fn consent_is_a_word_of_the_readers_language_or_english_and_nothing_else() {
    for (said, agrees) in [
        ("sí", true),
        ("Si", true),
        ("¡Sí!", true),
        ("yes", true),
        ("sí, claro", false),
        ("vale", false),
        ("oui", false),
        ("no", false),
    ] {
        let mut club = Club::paris(SPANISH);
        club.writes("Ann", &format!("nueva paris-connection plazas 5 invitar {ZOE}"));
        let asked = to(&club.pass().1, ZOE).clone();
        zoe(&mut club, Some(&asked), said);
        assert_eq!(member(&club, ZOE).is_some(), agrees, "{said}");
    }
}

#[test]
fn an_address_a_name_and_a_way_between_two_squares_are_what_their_writer_wrote() {
    let mut club = Club::paris(SPANISH);
    let (mar, cruz) = ("maria.del.mar@juego.example", "ana.de.todos@example.es");
    club.writes("Ann", &format!("nueva paris-connection plazas 4 named Lunes invitar a {mar}"));
    club.writes("Bob", &format!("dirección {cruz}"));
    let (_, letters) = club.pass();
    to(&letters, mar);
    to(&letters, cruz);
    assert!(to(&letters, "Ann").says("2 Lunes"), "{letters:?}");
    let mut club = Club::session(SPANISH, "off-the-rails", 2, 3);
    club.writes("Bob", "construir de D2 a D4 ns");
    club.pass();
    let session = process::open_game(&club.context(), 1).expect("it opens");
    let record = session.table.records_since(1).first().expect("a record");
    assert!(format!("{record:?}").contains("D3"), "{record:?}");
}

#[test]
fn players_who_are_called_like_words_are_told_by_their_names() {
    let mut club = Club::with(SPANISH);
    let names = [("Rojo", "Ann"), ("Todos", "Bob"), ("Luz del Mar", "Cid")];
    club.found_for("paris-connection", &names, 7);
    club.pass();
    club.writes(
        "Ann",
        "construir rojo G23\n\ndile a 2: Psst\n\ndecir a Luz del Mar y 2: Ya\n\nRojo",
    );
    let (_, letters) = club.pass();
    assert_eq!(club.head(), 2, "{letters:?}");
    let (todos, luz) = (to(&letters, "Bob"), to(&letters, "Cid"));
    assert!(todos.says("| Psst") && todos.says("| Ya") && luz.says("| Ya"), "{letters:?}");
    assert!(!luz.says("Psst"), "{luz:?}");
    // Whether the player or everybody is meant cannot be known.
    club.writes("Ann", "decir a todos: Hola");
    let (_, letters) = club.pass();
    assert!(letters.len() == 1 && to(&letters, "Ann").says("podría ser más de un jugador"));
}

/// English words that no Spanish one is spelled like.
const ENGLISH: &[&str] = &[
    "the", "of", "and", "your", "you", "is", "are", "was", "this", "that", "with", "for", "from",
    "to", "in", "on", "by", "at", "it", "not", "or", "what", "who", "if", "has", "have", "been",
];

/// The first English word of a letter's text: not in a name, between quotation marks, in a line
/// with its meaning behind it, or below the mark for quoted text.
fn english_word(letter: &Posted) -> Option<String> {
    let text = letter.text();
    let text = text.lines().collect::<Vec<_>>().join(" ");
    let text = ["The Postal Club", "Trick of the Rails", "Off the Rails"]
        .iter()
        .fold(text, |text, name| text.replace(name, "").replace(&name.to_uppercase(), ""));
    let own: Vec<&str> = text.split('"').step_by(2).collect();
    let own = own.join(" ").to_lowercase();
    let mut words = own.split(|c: char| !c.is_alphanumeric());
    words.find(|word| ENGLISH.contains(word)).map(str::to_owned)
}

#[test]
fn letters_in_spanish_hold_no_english() {
    let mut letters = Vec::new();
    for (game, order, wrong) in [
        ("paris-connection", "construir rojo G23, Troyes", "construir rojo A1"),
        ("trick-of-the-rails", "jugar PRR 1", "jugar NYC 99"),
        ("off-the-rails", "listo", "mover blanca hasta ninguna parte"),
    ] {
        let settings = "language: es\nclock: {deadline: 4 days, reminders: [12 hours]}\n";
        let mut club = Club::session(settings, game, 3, 2);
        letters.extend(NAMES[..3].iter().filter_map(|name| club.last_to(name).cloned()));
        let begins = NAMES.iter().find(|name| club.last_text(name).contains("Es tu turno."));
        let name = *begins.expect("somebody is to move");
        for body in [
            wrong,
            &format!("vista previa\n{order}"),
            "ayuda",
            "reglas",
            "ajustes\nhistorial\njugadas",
            "votar prórroga 3 días",
            "tablero estrecho\ntablero",
            "una línea sin sentido",
            order,
        ] {
            club.writes(name, body);
            letters.extend(club.pass().1);
        }
        club.now += chrono::TimeDelta::hours(90);
        letters.extend(club.pass().1);
    }
    assert!(letters.len() > 40, "{}", letters.len());
    for letter in &letters {
        assert_eq!(english_word(letter), None, "{letter:?}");
    }
}

//! Tests orders, club commands and consent in Spanish, and how a newcomer's language is detected.

use crate::rig::letter_links::links;
use crate::rig::{Club, NAMES, PostedLetter, first_letter_to, letters_to};
use postrider::club::Member;
use postrider::process;
use postrider::render::Library;
use postrider::rules::{Seat, Turn};
use postrider::testing::sample_or_all;

const ZOE: &str = "zoe@example.net";
const SPANISH_SETTING: &str = "language: es\n";

/// Returns the player on turn in game 1, and a legal line as letters in Spanish show it.
fn next_spanish_order(club: &Club, library: &Library) -> Option<(&'static str, String)> {
    let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    let Turn::Awaiting(seats) = session.table.turn() else { return None };
    let seat: Seat = *seats.first().expect("somebody");
    let legal = session.table.game().legal_lines(seat);
    let line =
        legal.get(session.table.last_record_number() as usize % legal.len()).expect("a line");
    let kind = &session.table.founding().game;
    let (_, words) = library.all_lexicons().find(|(tag, _)| *tag == "es").expect("it ships");
    Some((NAMES[seat.index()], words.lexicon_for_game(kind).translate_from_english(line)))
}

#[test]
fn each_game_can_be_played_in_spanish() {
    let library = Library::embedded().expect("the words ship");
    for (kind, seats) in [("trick-of-the-rails", 3), ("paris-connection", 3), ("off-the-rails", 2)]
    {
        let mut club = Club::with_game(SPANISH_SETTING, kind, seats, 5);
        let (mut letters, mut spanish, all) = (0, 0, sample_or_all(12, 24));
        while let Some((name, line)) = next_spanish_order(&club, &library).filter(|_| letters < all)
        {
            let before = club.record_count();
            club.send_reply(name, &format!("Hola:\n\n{line}\n\nSaludos,\n{name}"));
            let (_, posted) = club.run_pass();
            assert!(
                club.record_count() > before,
                "{kind}: {line}\n{:?}",
                letters_to(&posted, name)
            );
            assert!(first_letter_to(&posted, name).contains(&line), "{kind}: {line}");
            letters += 1;
            spanish += usize::from(!line.is_ascii() || !line.starts_with("stop"));
        }
        assert!(letters == all && spanish > all - 4, "{kind}: {letters}");
        let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
        let records = session.table.records_since(1);
        let english = records.iter().any(|record| {
            format!("{:?}", record.cause).contains("play ")
                || format!("{:?}", record.cause).contains("build ")
                || format!("{:?}", record.cause).contains("lay ")
        });
        assert!(english, "the log holds English lines");
    }
}

#[test]
fn ambiguous_colour_initial_is_refused_with_choices() {
    let mut club = Club::with_paris_game(SPANISH_SETTING);
    let head = club.record_count();
    for line in ["cambio n por azul", "Cambio N por azul", "siguiente: cambio n por azul"] {
        club.send_reply("Ann", line);
        let (_, letters) = club.run_pass();
        let answer = first_letter_to(&letters, "Ann");
        assert_eq!(club.record_count(), head, "{line}: {}", answer.body_text());
        assert!(
            answer.contains("puede ser aquí más de una cosa"),
            "{line}: {}",
            answer.body_text()
        );
        assert!(answer.contains("cambiar negro por "), "{line}: {}", answer.body_text());
        assert!(
            line.contains(':') || answer.contains("cambiar marrón por 1 azul"),
            "{}",
            answer.body_text()
        );
    }
    // Whole words, and initials that fit one Spanish colour, lead to no question.
    for line in ["cambio r por azul", "cambio marrón por azul", "cambio p por k", "trade n for u"]
    {
        club.send_reply("Ann", line);
        let (_, letters) = club.run_pass();
        assert!(!first_letter_to(&letters, "Ann").contains("más de una cosa"), "{line}");
    }
}

fn find_member(club: &Club, who: &str) -> Option<Member> {
    process::find_member(&club.open_context(), who).expect("it reads")
}

#[test]
fn club_commands_work_in_spanish() {
    let mut club = Club::with_paris_game(SPANISH_SETTING);
    club.send_reply(
        "Ann",
        "cartas texto\nzona Europe/Madrid\nvacaciones del 2026-12-20 al 2027-01-03",
    );
    club.run_pass();
    let ann = club.member("Ann");
    assert!(!ann.letters.html && ann.time.zone.is_some() && ann.time != Default::default());
    club.send_reply("Ann", "Nota: Bob acapara el azul, por favor\nsin vacaciones");
    club.run_pass();
    assert!(
        club.last_text_to("Ann").contains("Bob acapara el azul, por favor"),
        "the note is kept verbatim"
    );
    club.send_reply("Ann", "olvidar notas");
    club.run_pass();
    assert!(!club.last_text_to("Ann").contains("acapara"));
    let before = club.record_count();
    club.send_reply("Ann", "ayuda");
    club.send_reply("Bob", "reglas");
    club.send_reply("Cid", "vista previa: construir rojo G23");
    let (_, letters) = club.run_pass();
    assert_eq!((letters.len(), club.record_count()), (3, before));
    let card = first_letter_to(&letters, "Ann").body_text();
    for line in ["construir rojo ", "cambiar ", "siguiente: cambiar "] {
        assert!(card.contains(line), "{line}: {card}");
    }
    assert!(
        first_letter_to(&letters, "Cid").contains("construir rojo G23"),
        "{:?}",
        first_letter_to(&letters, "Cid")
    );
    club.send_reply("Ann", "idioma en\nconstruir rojo G23");
    club.run_pass();
    assert_eq!((club.member("Ann").language.as_str(), club.record_count()), ("en", before + 1));
    club.send_reply("Ann", "idioma es");
    // The answer also says in Spanish how to switch, so this pass runs without the rig's check of
    // ASCII.
    process::run_pass(&club.open_context(), &mut club.transport).expect("the pass works");
    assert!(club.last_text_to("Ann").contains("Contesta \"language es\""));
    assert_eq!(
        club.member("Ann").language,
        "en",
        "Spanish lines count only for readers of Spanish"
    );
}

#[test]
fn spanish_messages_are_passed_on_verbatim() {
    let mut club = Club::with_paris_game(SPANISH_SETTING);
    club.send_reply(
        "Ann",
        "decir Vota rojo, por favor: te gusta?\n\ndile a Bob y Cid: el rojo y el azul\n\n\
         decir a asiento 2: por favor\n\nconstruir rojo G23",
    );
    let (_, letters) = club.run_pass();
    assert_eq!(club.record_count(), 2, "{letters:?}");
    for name in ["Bob", "Cid"] {
        let letter = first_letter_to(&letters, name);
        assert!(letter.contains("Vota rojo, por favor: te gusta?"), "{letter:?}");
        assert!(letter.contains("el rojo y el azul"), "{letter:?}");
    }
    assert!(
        first_letter_to(&letters, "Bob").contains("| por favor")
            && !first_letter_to(&letters, "Cid").contains("| por favor")
    );
    club.send_reply(
        "Bob",
        "decir:\n\nconstruyo luego,\n\nno ahora\n\nfin\ncambiar azul por 1 rojo",
    );
    let (_, letters) = club.run_pass();
    assert!(letters.len() > 1, "{letters:?}");
    assert!(first_letter_to(&letters, "Cid").contains("no ahora"), "{letters:?}");
    assert!(!first_letter_to(&letters, "Cid").contains("| fin"));
}

#[test]
fn votes_plans_and_undo_work_in_spanish() {
    let mut club = Club::with_paris_game("language: es\nclock: {deadline: 3 days}\n");
    let count_open_votes =
        |club: &Club| club.open_context().store.game_info(1).expect("it reads").open_votes.len();
    club.send_reply("Ann", "votar prórroga 2 días");
    club.run_pass();
    assert_eq!(count_open_votes(&club), 1, "{}", club.last_text_to("Cid"));
    club.send_reply("Bob", "votar no");
    club.send_reply("Cid", "voto no.");
    club.run_pass();
    assert_eq!(count_open_votes(&club), 0, "{}", club.last_text_to("Cid"));
    club.send_reply("Ann", "construir rojo G23\nsiguiente: cambiar rojo por 1 azul");
    club.run_pass();
    let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    assert_eq!((club.record_count(), session.seats[0].0.queued_orders.plans.len()), (2, 1));
    club.send_reply("Ann", "deshacer");
    club.run_pass();
    let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    assert!(session.table.turn().awaits(Seat::new(1)), "her build is taken back");
    club.send_reply("Ann", "siguiente: cambiar rojo por 1 azul\nconstruir azul H20");
    club.send_reply("Ann", "borrar planes");
    club.run_pass();
    let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    assert!(session.seats[0].0.queued_orders.plans.is_empty());
}

/// Sends a letter from Zoe, as a reply to `answered` if given, and returns the answer.
fn write_as_zoe(club: &mut Club, answered: Option<&PostedLetter>, body: &str) -> PostedLetter {
    let reply = answered.and_then(|letter| letter.header("Reply-To"));
    let to = reply.unwrap_or_else(|| "games@example.org".to_owned());
    let quoted = answered.map(|letter| letter.body_text()).unwrap_or_default();
    let quoted: String = quoted.lines().map(|line| format!("> {line}\r\n")).collect();
    let id = club.next_message_id("zoe");
    let head = format!("From: Zoe <{ZOE}>\r\nTo: {to}\r\nMessage-ID: {id}\r\nSubject: x\r\n");
    let body = body.replace('\n', "\r\n");
    club.deliver(format!(
        "{head}Content-Type: text/plain; charset=utf-8\r\n\r\n{body}\r\n\r\n{quoted}"
    ));
    let (_, letters) = club.run_pass();
    letters_to(&letters, ZOE).first().map(|letter| (*letter).clone()).expect("an answer")
}

#[test]
fn newcomers_language_comes_from_first_letter() {
    for (first, join, yes, language) in [
        ("Hola, me gustaría jugar. ¿Cómo funciona esto?", "unirme a 2", "sí", "es"),
        (
            "Hola, quiero jugar con vosotros",
            "quiero jugar la partida 2",
            "Si.\nnombre Zoe Ruiz",
            "es",
        ),
        ("Hello, I would like to play.", "join 2", "yes", "en"),
        // The club has no French, so it uses its own language.
        ("Bonjour, je voudrais jouer avec vous!", "join 2", "yes", "en"),
    ] {
        let mut club = Club::with_paris_game("strangers: join\n");
        club.send_reply("Ann", "new paris-connection seats 5 deadline 3d");
        club.run_pass();
        let list = write_as_zoe(&mut club, None, first);
        let asked = write_as_zoe(&mut club, Some(&list), join);
        assert!(find_member(&club, ZOE).is_none(), "{first}");
        let welcome = write_as_zoe(&mut club, Some(&asked), yes);
        let found = find_member(&club, ZOE).unwrap_or_else(|| panic!("{first}\n{welcome:?}"));
        assert_eq!(found.language, language, "{first}");
        let other = if language == "es" { "language en" } else { "language es" };
        assert!(welcome.contains(other), "how to change it: {welcome:?}");
    }
}

#[test]
fn side_wishes_work_in_spanish() {
    let mut club = Club::with_paris_game(SPANISH_SETTING);
    let bob = crate::rig::address("Bob");
    club.send_reply("Ann", &format!("nueva off-the-rails plazas 3 lado este invitar {bob}"));
    let (_, letters) = club.run_pass();
    let asked = first_letter_to(&letters, "Bob").clone();
    assert!(asked.contains("por ejemplo \"lado este\""), "{}", asked.body_text());
    club.deliver(club.compose_reply_to("Bob", &asked, "Si\nlado sur"));
    club.run_pass();
    club.send_reply("Cid", "unirme a 2 lado lejano");
    let (_, letters) = club.run_pass();
    assert!(first_letter_to(&letters, "Cid").contains("como lado del tablero"), "{letters:?}");
    club.send_reply("Cid", "unirme a 2 lado oeste");
    club.run_pass();
    let session = process::load_stored_game(&club.open_context(), 2).expect("it has begun");
    let side = |name: &String| match name.as_str() {
        "Ann" => "east",
        "Bob" => "south",
        _ => "west",
    };
    let sides: Vec<&str> = session.names.iter().map(side).collect();
    let options = session.table.founding().options.get();
    assert!(options.contains(&sides.join(",")), "{options} {sides:?}");
}

#[test]
fn consent_word_is_readers_language_or_english() {
    for (said, agrees) in [
        ("sí", true),
        ("Si", true),
        ("¡Sí!", true),
        ("yes", true),
        ("sí, claro", true),
        ("sí, pero luego", false),
        ("sí, quizás", false),
        ("sí\nPero solo si Bob participa.", false),
        ("sí\nsi Bob también juega", false),
        ("vale", false),
        ("oui", false),
        ("no", false),
        ("sí\nPero solo si Bob participa.", false),
        ("sí\nsi Bob también juega", false),
    ] {
        let mut club = Club::with_paris_game(SPANISH_SETTING);
        club.send_reply("Ann", &format!("nueva paris-connection plazas 5 invitar {ZOE}"));
        let asked = first_letter_to(&club.run_pass().1, ZOE).clone();
        write_as_zoe(&mut club, Some(&asked), said);
        assert_eq!(find_member(&club, ZOE).is_some(), agrees, "{said}");
    }
}

#[test]
fn addresses_names_and_squares_are_not_translated() {
    let mut club = Club::with_paris_game(SPANISH_SETTING);
    let (mar, cruz) = ("maria.del.mar@juego.example", "ana.de.todos@example.es");
    club.send_reply("Ann", &format!("nueva paris-connection plazas 4 named Lunes invitar a {mar}"));
    club.send_reply("Bob", &format!("dirección {cruz}"));
    let (_, letters) = club.run_pass();
    first_letter_to(&letters, mar);
    first_letter_to(&letters, cruz);
    assert!(first_letter_to(&letters, "Ann").contains("2 Lunes"), "{letters:?}");
    let mut club = Club::with_game(SPANISH_SETTING, "off-the-rails", 2, 3);
    club.send_reply("Bob", "construir de D2 a D4 ns");
    club.run_pass();
    let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    let record = session.table.records_since(1).first().expect("a record");
    assert!(format!("{record:?}").contains("D3"), "{record:?}");
}

#[test]
fn players_named_like_keywords_can_be_addressed() {
    let mut club = Club::with_settings(SPANISH_SETTING);
    let names = [("Rojo", "Ann"), ("Todos", "Bob"), ("Luz del Mar", "Cid")];
    club.start_game_for("paris-connection", &names, 7);
    club.run_pass();
    club.send_reply(
        "Ann",
        "construir rojo G23\n\ndile a 2: Psst\n\ndecir a Luz del Mar y 2: Ya\n\nRojo",
    );
    let (_, letters) = club.run_pass();
    assert_eq!(club.record_count(), 2, "{letters:?}");
    let (todos, luz) = (first_letter_to(&letters, "Bob"), first_letter_to(&letters, "Cid"));
    assert!(
        todos.contains("| Psst") && todos.contains("| Ya") && luz.contains("| Ya"),
        "{letters:?}"
    );
    assert!(!luz.contains("Psst"), "{luz:?}");
    // `todos` means all players, and one player has this name.
    club.send_reply("Ann", "decir a todos: Hola");
    let (_, letters) = club.run_pass();
    assert!(
        letters.len() == 1
            && first_letter_to(&letters, "Ann").contains("puede ser más de un jugador")
    );
}

#[test]
fn forced_plays_and_ballots_have_spanish_words() {
    let mut club = Club::with_game(SPANISH_SETTING, "trick-of-the-rails", 3, 2);
    for (name, line, next) in [
        ("Ann", "jugada única activada", "jugada única desactivada"),
        ("Bob", "jugada única desactivada", "jugada única activada"),
    ] {
        club.send_reply(name, &format!("{line}\najustes"));
        let (_, letters) = club.run_pass();
        let answer = first_letter_to(&letters, name);
        assert!(answer.contains(next), "{}", answer.body_text());
    }
    club.send_reply("Cid", "vote abandon");
    let (_, letters) = club.run_pass();
    let lines = links(first_letter_to(&letters, "Ann")).into_iter().map(|link| link.body);
    let ballots: Vec<_> = lines.filter(|line| line.starts_with("vot")).collect();
    assert!(ballots.len() == 2 && ballots[1] == "votar no", "{ballots:?}");
}

/// English words that are spelled like no Spanish word.
const ENGLISH_WORDS: &[&str] = &[
    "the", "of", "and", "your", "you", "is", "are", "was", "this", "that", "with", "for", "from",
    "to", "in", "on", "by", "at", "it", "not", "or", "what", "who", "if", "have", "been",
];

/// Returns the first English word in a letter's text, outside names and quotation marks.
fn find_english_word(letter: &PostedLetter) -> Option<String> {
    let text = letter.body_text();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = ["The Postal Club", "Trick of the Rails", "Off the Rails"]
        .iter()
        .fold(text, |text, name| text.replace(name, "").replace(&name.to_uppercase(), ""));
    let own: Vec<&str> = text.split('"').step_by(2).collect();
    let own = own.join(" ").to_lowercase();
    let mut words = own.split(|c: char| !c.is_alphanumeric());
    words.find(|word| ENGLISH_WORDS.contains(word)).map(str::to_owned)
}

#[test]
fn spanish_letters_contain_no_english() {
    let mut letters = Vec::new();
    for (game, order, wrong) in [
        ("paris-connection", "construir rojo G23, Troyes", "construir rojo A1"),
        ("trick-of-the-rails", "jugar PRR 1", "jugar NYC 99"),
        ("off-the-rails", "listo", "mover blanca hasta ninguna parte"),
    ] {
        let settings = "language: es\nclock: {deadline: 4 days, reminders: [12 hours]}\n";
        let mut club = Club::with_game(settings, game, 3, 2);
        letters.extend(NAMES[..3].iter().filter_map(|name| club.last_letter_to(name).cloned()));
        let begins = NAMES.iter().find(|name| club.last_text_to(name).contains("Es tu turno."));
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
            club.send_reply(name, body);
            letters.extend(club.run_pass().1);
        }
        club.now += chrono::TimeDelta::hours(90);
        letters.extend(club.run_pass().1);
    }
    assert!(letters.len() > 40, "{}", letters.len());
    for letter in &letters {
        assert_eq!(find_english_word(letter), None, "{letter:?}");
    }
}

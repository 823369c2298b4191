//! Tests of the intents that ship: which lines are offered a command, and which are not.

use super::*;

/// Lines of confused players, each with the commands that the answer offers. The days are those
/// of a player who writes on Friday, 2026-11-27.
const CONFUSED_LINES: &[(&str, &[&str])] = &[
    // Rules and help.
    ("I have no idea how this works", &["help", "rules"]),
    ("Sorry, I have no clue how this game works.", &["help", "rules"]),
    ("How does this work?", &["help", "rules"]),
    ("I don't understand how this works", &["help", "rules"]),
    ("Hi all, I'm new here", &["help", "rules"]),
    ("How do I play?", &["rules"]),
    ("Could you please send me the rules?", &["rules"]),
    ("What are the rules of this game?", &["rules"]),
    ("Where can I find the rules?", &["rules"]),
    ("I've never played this before", &["rules"]),
    ("I forgot the rules, sorry", &["rules"]),
    ("Can you help me?", &["help"]),
    ("I need help", &["help"]),
    ("I don't know what to do", &["help"]),
    ("What am I supposed to write here?", &["help"]),
    ("How do I send my move?", &["help"]),
    ("I'm totally lost", &["help"]),
    ("I'm confused.", &["help"]),
    ("Which commands are there?", &["help"]),
    ("Whose turn is it?", &["status"]),
    ("When is the next deadline?", &["status"]),
    ("How much time do I have left?", &["status"]),
    ("What can I do now?", &["legal"]),
    ("What are my options?", &["legal"]),
    ("Can you show me the board please?", &["board"]),
    ("What did I miss?", &["history"]),
    // Time.
    ("Can we extend by two days?", &["vote extend 2 days"]),
    ("Can I have one more day please?", &["vote extend 1 day"]),
    ("Could we have 3 more days?", &["vote extend 3 days"]),
    ("Please extend the deadline by a week", &["vote extend 1 week"]),
    ("I need more time", &["vote extend 2 days"]),
    ("Can we pause the game?", &["vote pause"]),
    ("Could we go back one turn?", &["vote rewind"]),
    ("Can we end the game here?", &["vote abandon"]),
    ("I'm away next week", &["vacation 2026-11-30 to 2026-12-06"]),
    ("We are on holiday next week!", &["vacation 2026-11-30 to 2026-12-06"]),
    ("PS: I will be on holiday from next week.", &["vacation 2026-11-30 to 2026-12-06"]),
    ("I can't play next week", &["vacation 2026-11-30 to 2026-12-06"]),
    ("I'm going on vacation until the 12th", &["vacation 2026-11-27 to 2026-12-04"]),
    ("I'll be away from Monday on", &["vacation 2026-11-27 to 2026-12-04"]),
    // Seats and games.
    ("I resign", &["resign"]),
    ("I quit!", &["resign"]),
    ("I would like to drop out of this game", &["resign"]),
    ("How do I leave this game?", &["resign"]),
    ("Please take me out of the game", &["resign"]),
    ("I can't continue", &["resign"]),
    ("Can somebody take over my seat?", &["resign"]),
    ("how do I undo", &["undo"]),
    ("Can I take that back?", &["undo"]),
    ("I made a mistake", &["undo"]),
    ("Oh, I played the wrong card!", &["undo"]),
    ("Can I still change my order?", &["undo"]),
    ("What games are there?", &["games"]),
    ("How can I join another game?", &["games"]),
    ("I'd like to start a new game", &["games"]),
    ("How do I leave the club?", &["leave club"]),
    ("Please delete my account", &["leave club"]),
    // Settings.
    ("Too many emails!", &["letters digest"]),
    ("How do I change my email address?", &["settings"]),
    ("Can I have this in Spanish?", &["language es"]),
    ("Hola, language es please", &["language es"]),
    ("Do you speak Spanish?", &["language es"]),
    // Lines that were written before the phrases that match them.
    ("how do I play this?", &["rules"]),
    ("I don't get it", &["help"]),
    ("Is there a manual?", &["help", "rules"]),
    ("Where are the instructions?", &["help", "rules"]),
    ("i've no idea what i'm supposed to do", &["help"]),
    ("What do I do?", &["help"]),
    ("Could anybody explain how this works?", &["help", "rules"]),
    ("how many days do I have?", &["status"]),
    ("can we get 2 more days", &["vote extend 2 days"]),
    ("Could I please have until Sunday?", &["vote extend 2 days"]),
    ("Any chance of an extension?", &["vote extend 2 days"]),
    ("I'm on holiday from Monday to Friday", &["vacation 2026-11-27 to 2026-12-04"]),
    ("I'm traveling this week", &["vacation 2026-11-27 to 2026-12-04"]),
    ("I won't have internet next week", &["vacation 2026-11-30 to 2026-12-06"]),
    ("I want to resign", &["resign"]),
    ("I have to drop out, sorry", &["resign"]),
    ("please remove me", &["resign"]),
    ("Can I take back my last move?", &["undo"]),
    ("oops, that was the wrong order", &["undo"]),
    ("I'd like to undo my move", &["undo"]),
    ("What other games can I play?", &["games"]),
    ("can I change my language", &["settings"]),
    ("how can I change my address", &["settings"]),
    ("I get too many emails", &["letters digest"]),
    ("how do I talk to the other players?", &["help"]),
    ("What are the legal moves?", &["legal"]),
    ("Which cards can I play?", &["legal"]),
    ("Can someone replace me?", &["resign"]),
    ("I'd like to stop", &["resign"]),
    ("Estoy de vacaciones la semana que viene", &["vacation 2026-11-30 to 2026-12-06"]),
    ("¿cómo juego?", &["rules"]),
    ("no sé cómo se juega", &["rules"]),
    ("¿me podéis dar dos días más?", &["vote extend 2 days"]),
    ("¿podemos tener más tiempo?", &["vote extend 2 days"]),
    ("quiero dejarlo", &["resign"]),
    ("¿cómo puedo deshacer?", &["undo"]),
    ("me equivoqué de carta", &["undo"]),
    ("¿puedo jugar otra partida?", &["games"]),
    ("¿hay más partidas?", &["games"]),
    ("I am totally new to this, what should I do?", &["help"]),
    ("can you tell me the rules", &["rules"]),
    ("How do you play this?", &["rules"]),
    ("I don't remember how this works", &["help", "rules"]),
    ("what does this mean?", &["help"]),
    ("I'm lost, sorry!", &["help"]),
    ("could you help me out please", &["help"]),
    ("How should I format my orders?", &["help"]),
    ("Where do I write my move?", &["help"]),
    ("Whose go is it?", &["status"]),
    ("when do I have to answer?", &["status"]),
    ("can I get one more day?", &["vote extend 1 day"]),
    ("We need two more days", &["vote extend 2 days"]),
    ("May I have a few more days?", &["vote extend 2 days"]),
    ("Could the deadline be extended?", &["vote extend 2 days"]),
    ("I'm on vacation next week", &["vacation 2026-11-30 to 2026-12-06"]),
    ("I will be away for ten days", &["vacation 2026-11-27 to 2026-12-04"]),
    ("I'm in hospital until Monday", &["vacation 2026-11-27 to 2026-12-04"]),
    ("I cannot play until Sunday", &["vacation 2026-11-27 to 2026-12-04"]),
    ("I'm out of this game", &["resign"]),
    ("I want to leave the game", &["resign"]),
    ("I can't go on", &["resign"]),
    ("Sorry, I must resign", &["resign"]),
    ("Can I undo?", &["undo"]),
    ("I want to change my move", &["undo"]),
    ("How can I get out of this game?", &["resign"]),
    ("Is there another game I can join?", &["games"]),
    ("I would like to play more games", &["games"]),
    ("please in Spanish", &["language es"]),
    ("Can you write in Spanish?", &["language es"]),
    ("unsubscribe me please", &["leave club"]),
    ("I want fewer emails", &["letters digest"]),
    ("¿Alguien me explica cómo va esto?", &["help", "rules"]),
    ("no entiendo las reglas", &["rules"]),
    ("¿qué hago ahora?", &["help"]),
    ("¿cuándo me toca?", &["status"]),
    ("¿nos dais un día más?", &["vote extend 1 day"]),
    ("estaré de vacaciones hasta el 10", &["vacation 2026-11-27 to 2026-12-04"]),
    ("quiero abandonar la partida", &["resign"]),
    ("¿puedo cambiar mi jugada?", &["undo"]),
    ("¿qué juegos hay?", &["games"]),
    // In Spanish.
    ("No tengo ni idea de cómo funciona esto", &["help", "rules"]),
    ("¿Cómo funciona este juego?", &["help", "rules"]),
    ("Soy nueva en esto", &["help", "rules"]),
    ("¿Cómo se juega?", &["rules"]),
    ("¿Me puedes enviar las reglas, por favor?", &["rules"]),
    ("¿Dónde están las reglas?", &["rules"]),
    ("He olvidado las reglas", &["rules"]),
    ("Necesito ayuda", &["help"]),
    ("Perdón, no sé qué hacer", &["help"]),
    ("¿Cómo se escriben las órdenes?", &["help"]),
    ("Estoy perdido", &["help"]),
    ("No entiendo nada", &["help"]),
    ("¿De quién es el turno?", &["status"]),
    ("¿A quién le toca?", &["status"]),
    ("¿Cuánto tiempo me queda?", &["status"]),
    ("¿Qué puedo hacer?", &["legal"]),
    ("¿Podemos ampliar el plazo dos días?", &["vote extend 2 days"]),
    ("¿Puedo tener un día más, por favor?", &["vote extend 1 day"]),
    ("Necesito más tiempo", &["vote extend 2 days"]),
    ("¿Podemos pausar la partida?", &["vote pause"]),
    ("La próxima semana estaré de viaje", &["vacation 2026-11-30 to 2026-12-06"]),
    ("Estaré fuera la semana que viene", &["vacation 2026-11-30 to 2026-12-06"]),
    ("Me voy de vacaciones el lunes", &["vacation 2026-11-27 to 2026-12-04"]),
    ("Me rindo", &["resign"]),
    ("Quiero dejar la partida", &["resign"]),
    ("¿Cómo puedo abandonar esta partida?", &["resign"]),
    ("No puedo seguir jugando", &["resign"]),
    ("¿Cómo deshago mi jugada?", &["undo"]),
    ("¿Puedo cambiar mi orden?", &["undo"]),
    ("Me he equivocado", &["undo"]),
    ("¿Qué partidas hay?", &["games"]),
    ("Quiero jugar otra partida", &["games"]),
    ("¿Cómo me doy de baja del club?", &["leave club"]),
    ("Demasiados correos", &["letters digest"]),
    ("¿Puedo recibir las cartas en español?", &["language es"]),
];

/// Talk between players, for which no command is offered.
const HARMLESS_LINES: &[&str] = &[
    "Nice move, Ann!",
    "Good luck, everyone",
    "Hello everybody, good luck to you all",
    "See you next week",
    "See you later",
    "Sorry for the wait",
    "Sorry for being late.",
    "What a nice board!",
    "Thanks for the help, Bob",
    "Thanks for your patience",
    "How are you?",
    "How do you do?",
    "When is your birthday, Bob?",
    "Who brings the beer on Friday?",
    "I was away last week, now I am back",
    "Bob is away next week",
    "Have a great holiday, Bob!",
    "Enjoy your vacation next week!",
    "How was your holiday?",
    "My train was two days late",
    "I had no idea that you would do that",
    "I had no idea what to do.",
    "I don't understand why you did that, Bob",
    "I didn't see that coming",
    "That was a good game",
    "Well played!",
    "I give up on beating you, Ann",
    "I resign myself to losing to Ann again",
    "No rules against that, I suppose",
    "The rules of my old school were stricter",
    "I had to leave the party early",
    "I can't play the piano",
    "We play bridge on Mondays",
    "Can you help Bob move house?",
    "I helped my sister move house",
    "My daughter has made a mistake in her exam",
    "Everybody makes a mistake now and then",
    "It took me two more days than I thought",
    "One more day of rain and I go mad",
    "We are building a shed in Red Hill",
    "I want to win this one",
    "I would like to see your face now",
    "I like this game",
    "What a game!",
    "That is a strange game that you are playing, Cid",
    "Are you still playing?",
    "Is Bob on holiday?",
    "My Spanish is getting better",
    "We went to Spain by train",
    "The deadline of my book is on Monday",
    "It is my turn to cook tonight",
    "No hurry, take your time",
    "I'm away from my desk, so this is short",
    "I will answer your letter at the weekend",
    "I'm on the right track, I hope",
    "Hope I did this right",
    "Your move, Bob!",
    "Better luck next time",
    "I need a coffee",
    "I am glad that I joined",
    "The letters from the club look great",
    "Great move Bob",
    "I think Bob will win",
    "I hate this game, it is so good",
    "See you on Friday",
    "The rules committee met today",
    "I'm so tired today",
    "I had a great time in Spain",
    "My wife says hello",
    "You got me there",
    "I'll get you next time",
    "Let's meet next week",
    "Next week is my birthday",
    "I am back from my vacation",
    "Two more days and it is Christmas",
    "Bob needs more time, as always",
    "It is hot here",
    "Congratulations, Ann!",
    "I hope you all are well",
    "Sorry, I was busy",
    "Did you watch the match?",
    "I was lost in the woods yesterday",
    "I changed my mind about trains",
    "My move was bad",
    "That undo saved you, Bob",
    "Can you believe it?",
    "I never liked yellow",
    "My board at home is nicer",
    "Help is on the way, Bob",
    "Status symbols are overrated",
    "I can't believe it",
    "Vaya partida, Bob",
    "Hasta la próxima semana",
    "Mañana te cuento",
    "Me lo he pasado muy bien",
    "Tengo sueño",
    "Feliz cumpleaños",
    "No me lo esperaba",
    "Ayer fui al cine",
    "Mi plazo del libro acaba mañana",
    "Enhorabuena, Ana",
    "How is the weather, Bob?",
    "I've read all the rules twice",
    "I have one more train than you",
    "Two days ago I was in Paris",
    "Could you repeat that, Bob?",
    "I'm the king of the rails!",
    "Bob, are you away next week?",
    "I told you so",
    "I was wrong about blue",
    "It was a mistake to sell red",
    "What will you do now, Ann?",
    "What did you do that for?",
    "I will never resign!",
    "I never give up",
    "Don't give up, Bob",
    "You should resign, Bob",
    "Ann wants to leave early tonight",
    "Let me think",
    "Wait and see",
    "Good game so far",
    "I'm enjoying this",
    "Can't wait for your move",
    "Help, Bob is winning!",
    "Who would have thought",
    "Sorry, no time to chat",
    "I need to buy milk",
    "My letters are late because of work",
    "I joined the club last year",
    "New game next month?",
    "Another game after this one, anyone?",
    "I'm off to bed",
    "We leave for Rome at noon",
    "¿Jugamos otra después de esta?",
    "Nunca me rindo",
    "No te rindas, Bob",
    "La semana pasada estuve fuera",
    "Me gusta este juego",
    "¡Qué suerte tienes!",
    "Voy a por ti, Ana",
    "Hoy no es mi día",
    "¡Buena jugada, Bob!",
    "Nos vemos el jueves",
    "La semana que viene hace mejor tiempo",
    "Bob está de vacaciones",
    "¿Cómo estás, Ana?",
    "¿Qué tal las vacaciones?",
    "Suerte a todos y hasta el jueves",
    "No sé si podré ganar a Bob",
    "Perdón por el retraso",
    "Ha sido una buena partida",
    "Quiero ganar esta partida",
    "Necesito un café",
    "Mi hermana juega mejor que yo",
    "Ya te vale",
];

/// Questions of one word beside polite words, each with the question.
const POLITE_QUESTIONS: &[(&str, &str)] = &[
    ("rules please", "rules"),
    ("Rules, please!", "rules"),
    ("Hi, rules please", "rules"),
    ("please help", "help"),
    ("help me", "help"),
    ("Help me please!", "help"),
    ("Hello, status please. Thanks!", "status"),
    ("thanks, board", "board"),
    ("games please", "games"),
    ("preview please", "preview"),
    ("Please preview build red G23", "preview build red G23"),
    ("help por favor", "help"),
];

/// Lines that stay as they are: they have no polite words, or something else beside the word.
const OTHER_LINES: &[&str] = &[
    "rules",
    "help",
    "please",
    "thanks",
    "hello there",
    "please build red G23",
    "please undo",
    "board the train please",
    "no rules please",
    "rules for Bob please",
    "help Bob please",
    "say help please",
    "resign please",
    "language es please",
];

fn test_finder<'a>(library: &'a Library, language: &'a str) -> IntentFinder<'a> {
    let today = NaiveDate::from_ymd_opt(2026, 11, 27).expect("a Friday");
    IntentFinder { library, language, today }
}

#[test]
fn confused_lines_are_offered_their_command() {
    let library = Library::embedded().expect("the words ship");
    let finder = test_finder(&library, "fr");
    let offered = |line: &str| finder.find(line).map(|(_, commands)| commands).unwrap_or_default();
    let wrong: Vec<String> = CONFUSED_LINES
        .iter()
        .filter(|(line, commands)| offered(line) != *commands)
        .map(|(line, commands)| format!("{line}: {:?}, not {commands:?}", offered(line)))
        .collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(CONFUSED_LINES.len() >= 60);
}

#[test]
fn harmless_talk_is_offered_nothing() {
    let library = Library::embedded().expect("the words ship");
    let finder = test_finder(&library, "en");
    let wrong: Vec<String> = HARMLESS_LINES
        .iter()
        .filter_map(|line| Some(format!("{line}: {:?}", finder.find(line)?)))
        .collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(HARMLESS_LINES.len() >= 60);
}

#[test]
fn polite_words_beside_question_are_ignored() {
    let library = Library::embedded().expect("the words ship");
    let finder = test_finder(&library, "en");
    let bare = |line: &str| finder.bare_question(&Translator::ENGLISH, line);
    for (line, question) in POLITE_QUESTIONS {
        let is_right = bare(line).is_some_and(|bare| bare.eq_ignore_ascii_case(question));
        assert!(is_right, "{line}: {:?}", bare(line));
    }
    for line in OTHER_LINES {
        assert_eq!(bare(line), None, "{line}");
    }
    let lexicons = library.lexicons("es");
    let spanish = Translator { lexicons, ..Translator::ENGLISH };
    for line in ["reglas por favor", "Hola, reglas por favor", "¡Reglas, gracias!"] {
        let bare = finder.bare_question(&spanish, line).map(|bare| bare.to_lowercase());
        assert_eq!(bare.as_deref(), Some("reglas"), "{line}");
    }
}

#[test]
fn every_offered_command_is_valid() {
    let library = Library::embedded().expect("the words ship");
    for (tag, intents) in library.intents("en") {
        for command in intents.all_commands() {
            let fill = |word| match word {
                "N" => "2",
                "MONDAY" | "SUNDAY" | "TODAY" | "WEEK" => "2026-12-20",
                _ => word,
            };
            let line = command.split(' ').map(fill).collect::<Vec<_>>().join(" ");
            let parsed = ParsedCommand::parse(&line, "", Some(1));
            assert!(parsed.is_some_and(|parsed| parsed.command.is_ok()), "{tag}: {command}");
        }
        assert!(intents.all_commands().count() > 200, "{tag}");
    }
}

#[test]
fn other_language_is_explained_in_its_own_words() {
    let library = Library::embedded().expect("the words ship");
    let keys = |language, line| {
        let offers = test_finder(&library, language).offers(std::iter::once(line));
        offers.iter().map(|offer| offer.key).collect::<Vec<_>>()
    };
    assert_eq!(keys("en", "I resign"), ["intent-offer"]);
    assert_eq!(keys("en", "Me rindo"), ["intent-offer", "language-hint"]);
    assert_eq!(keys("es", "Me rindo"), ["intent-offer"]);
    assert_eq!(keys("en", "language es please"), ["intent-offer", "language-hint"]);
    assert_eq!(keys("es", "language es please"), [""; 0], "the letters are in Spanish already");
}

//! Tests of which words of a line are translated, and which stay as the sender wrote them.

use super::*;
use crate::games::SHIPPED;

fn sample_lexicons() -> Lexicons {
    let house = "note: nota\nsay: di, decir\ntell: di a\nresign: abandonar\nyes: sí, si\n\
                 preview: vista previa\njoin: unirme a\n[everywhere]\nplease: por favor\n\
                 [talk]\nand: y\n[language]\nel, los, una";
    let game = "build: construir (en), construye\nred: rojo, roja\nif led: si sale";
    let files = [(None, house), (Some("paris"), game)];
    Lexicons::parse(files.into_iter()).expect("they are right")
}

#[test]
fn known_words_are_translated_to_english() {
    let all = sample_lexicons();
    let game = all.lexicon_for_game("paris");
    for (line, english) in [
        ("Construye ROJO G23", "build red G23"),
        ("por favor, construir roja G23-24!", "please, build red G23-24!"),
        ("Si  sale rojo", "Si  sale red"),
        ("construir en G23", "build G23"),
        ("si sale ROJO", "if led red"),
    ] {
        assert_eq!(game.translate_to_english(line).as_deref(), Some(english), "{line}");
    }
    assert_eq!(game.translate_to_english("build red G23"), None);
    assert_eq!(game.translate_to_english(&"a".repeat(500_000)), None, "it takes no time");
    let house = all.club_command_lexicon();
    for (line, english) in [
        ("Nota: sí, por favor", "note: sí, por favor"),
        ("di a Ana: por favor", "tell Ana: por favor"),
        ("abandonar 12 sí: por favor", "resign 12 yes: por favor"),
    ] {
        assert_eq!(house.translate_to_english(line).as_deref(), Some(english), "{line}");
    }
    assert_eq!(house.translate_first_phrase("Unirme a 12"), Some(("join", " 12")));
}

#[test]
fn only_first_sentences_are_searched_for_intents() {
    let all = Lexicons::parse([(None, "[intents]\nundo: how do i undo")].into_iter());
    let all = all.expect("they are right");
    let commands = |clauses: usize| {
        let line = format!("{}how do I undo?!!", "a, ".repeat(clauses));
        all.intents().find_commands(&line, chrono::NaiveDate::MIN)
    };
    assert_eq!([commands(11), commands(12)], [vec!["undo".to_owned()], vec![]]);
}

#[test]
fn addresses_and_names_are_not_translated() {
    let house = "invite: invitar a, invita\nnew: nueva\nfrom: de, del\ngame: juego\n\
                 address: dirección\nmon: lunes";
    let all = Lexicons::parse([(None, house)].into_iter()).expect("they are right");
    for (line, english) in [
        (
            "nueva invitar a ana.del.mar@juego.example, juego@example.org",
            "new invite ana.del.mar@juego.example, juego@example.org",
        ),
        ("dirección:<lunes@example.org> de", "address:<lunes@example.org> from"),
        ("nueva named Lunes lunes", "new named Lunes mon"),
    ] {
        assert_eq!(
            all.club_command_lexicon().translate_to_english(line).as_deref(),
            Some(english),
            "{line}"
        );
    }
    assert_eq!(all.club_command_lexicon().translate_to_english("juego@example.org"), None);
}

#[test]
fn joining_word_is_translated_only_between_places() {
    let files = [(None, "[between]\nto: a"), (Some("rails"), "build: construir\nenter: meter")];
    let all = Lexicons::parse(files.into_iter()).expect("they are right");
    // In these orders, "a" may be a column of the board, too.
    let rank = |line: &str| match line {
        "build D2 a D4 ns" | "build D2 to D4 ns" | "enter a" | "enter to" => RANK_VALID,
        _ => 0,
    };
    let translator = Translator {
        lexicons: Some(&all),
        kind: Some("rails"),
        rank_line: Some(&rank),
        games: SHIPPED,
    };
    let read = |line| translator.translate_game_order(&all, "rails", line).map(|(_, line)| line);
    assert_eq!(read("construir D2 a D4 ns").as_deref(), Some("build D2 to D4 ns"));
    assert_eq!(read("meter a").as_deref(), Some("enter a"));
}

#[test]
fn shown_line_translates_back_or_stays_english() {
    let all = sample_lexicons();
    let game = all.lexicon_for_game("paris");
    assert_eq!(game.translate_from_english("build red G23 Red"), "construir rojo G23 Red");
    assert_eq!(game.translate_from_english("if led red: build"), "si sale rojo: construir");
    assert_eq!(game.translate_from_english("stop"), "stop");
    // Translated back, the line would be another one.
    assert_eq!(game.translate_from_english("build rojo red"), "build rojo red");
}

#[test]
fn invalid_lexicon_is_refused_with_line_number() {
    let read = |text| Lexicons::parse([(None, text)].into_iter()).map(|_| ()).unwrap_err().1;
    assert!(read("say: di\ntell: di").starts_with("line 2: \"di\" stands for"));
    assert!(read("say: di\nsay: decir").contains("is listed twice"));
    assert!(read("say di").contains("a colon") && read("say:").contains("a colon"));
    assert!(read("[others]\nsay: di").contains("no section"));
    assert!(read("say: 2").contains("is not a word"));
}

#[test]
fn language_words_are_counted() {
    assert_eq!(sample_lexicons().count_known_words("Los 2 construyen: una ROJA"), (3, 4));
    // Words by which a language is detected may also have an English equivalent.
    let marks = Lexicons::parse([(None, "[language]\nthe: el, los\nuna")].into_iter());
    assert_eq!(marks.expect("they are right").count_known_words("Los 2 the una ROJA"), (2, 4));
}

#[test]
fn best_ranked_translation_is_chosen() {
    let files = [(None, "vote: voto\nyes: sí"), (Some("rails"), "build: voto\nred: rojo")];
    let all = Lexicons::parse(files.into_iter()).expect("they are right");
    let rank = |line: &str| match line {
        "build red G23" => RANK_VALID,
        "build rde" => 1,
        _ => 0,
    };
    let read = |kind, line: &str| {
        Translator { lexicons: Some(&all), kind, rank_line: Some(&rank), games: SHIPPED }
            .translate(line)
    };
    let game = |line| read(Some("rails"), line);
    assert_eq!(game("voto rojo G23").as_deref(), Some("build red G23"), "an order is more");
    assert_eq!(game("voto rde").as_deref(), Some("vote rde"), "of equals the house's");
    assert_eq!(game("voto").as_deref(), Some("vote"), "for the game it is nothing");
    assert_eq!(game("sí"), None, "prose stays its writer's");
    assert_eq!(read(None, "sí").as_deref(), Some("yes"), "where no game is asked it may be all");
}

#[test]
fn preview_is_translated_alone_or_before_order() {
    let all = sample_lexicons();
    let rank = |line: &str| if line == "build red G23" { RANK_VALID } else { 0 };
    let translator = Translator {
        lexicons: Some(&all),
        kind: Some("paris"),
        rank_line: Some(&rank),
        games: SHIPPED,
    };
    for (line, english) in [
        ("vista previa: construir rojo G23", "preview: build red G23"),
        ("Vista previa construir azul G23", "preview: build azul G23"),
        ("vista previa: build red G23", "preview: build red G23"),
        ("vista previa!", "preview!"),
    ] {
        assert_eq!(translator.translate(line).as_deref(), Some(english), "{line}");
    }
}

#[test]
fn language_with_own_words_shows_translated_lines() {
    let shows = |game, text| {
        Lexicons::parse([(game, text)].into_iter())
            .expect("it is right")
            .replaces_english_commands()
    };
    assert!(shows(None, "say: di") && shows(Some("paris"), "build: construir"));
    assert!(!shows(None, "[talk]\nand: y") && !Lexicons::default().replaces_english_commands());
}

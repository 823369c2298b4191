//! Tests of which lines beside an order hold it back, and which do not.

use super::*;

const DOUBTS_ABOVE: &str = include_str!("doubts_above.txt");
const DOUBTS_BELOW: &str = include_str!("doubts_below.txt");
const HARMLESS: &str = include_str!("harmless_beside.txt");

fn shipped_doubts() -> [Doubts; 2] {
    let files = [
        include_str!("../../../../templates/en/doubts.txt"),
        include_str!("../../../../templates/es/doubts.txt"),
    ];
    files.map(|text| Doubts::parse(text).expect("they are right"))
}

/// Returns the lines of which the answer at one of the places is not the expected one.
fn wrong_lines<'l>(lines: &[&'l str], places: &[LinePlace], is_doubt: bool) -> Vec<&'l str> {
    let all = shipped_doubts();
    let holds =
        |line: &str, place: LinePlace| all.iter().any(|doubts| doubts.holds_back(line, place));
    let is_wrong = |line: &&&str| places.iter().any(|place| holds(line, *place) != is_doubt);
    lines.iter().filter(is_wrong).copied().collect()
}

/// Returns the lines of one of the files, without its comments.
fn read_lines(file: &str) -> Vec<&str> {
    file.lines().filter(|line| !line.starts_with('#')).collect()
}

#[test]
fn doubt_above_order_holds_it_back() {
    let lines = read_lines(DOUBTS_ABOVE);
    assert_eq!(wrong_lines(&lines, &[LinePlace::DirectlyAbove], true), [""; 0]);
}

#[test]
fn doubt_below_order_holds_it_back() {
    assert_eq!(wrong_lines(&read_lines(DOUBTS_BELOW), &[LinePlace::Below], true), [""; 0]);
}

#[test]
fn harmless_line_holds_nothing_back() {
    let places =
        [LinePlace::Apart, LinePlace::DirectlyAbove, LinePlace::Below, LinePlace::BelowClosing];
    assert_eq!(wrong_lines(&read_lines(HARMLESS), &places, false), [""; 0]);
}

#[test]
fn message_text_needs_clear_doubt() {
    let doubts = ["Wait, don't send this yet", "This is only a draft.", "Not yet"];
    assert_eq!(wrong_lines(&doubts, &[LinePlace::Apart], true), [""; 0]);
    let harmless = [
        "My mistake last turn helped you!",
        "If you take my blue we both win.",
        "You meant the blue one, didn't you?",
        "Forget it, Bob, no trade.",
    ];
    assert_eq!(wrong_lines(&harmless, &[LinePlace::Apart], false), [""; 0]);
}

#[test]
fn text_below_closing_needs_clear_doubt() {
    let doubts = ["PS: this is only a draft", "PS: if Bob agrees", "Please wait", "Forget it"];
    assert_eq!(wrong_lines(&doubts, &[LinePlace::BelowClosing], true), [""; 0]);
    let harmless = [
        "Please do not print this e-mail unless necessary.",
        "If you have received this in error please delete this message.",
        "PS: I'll bring cake instead.",
    ];
    assert_eq!(wrong_lines(&harmless, &[LinePlace::BelowClosing], false), [""; 0]);
    assert_eq!(wrong_lines(&["Dijon instead"], &[LinePlace::Below], true), [""; 0]);
}

#[test]
fn correction_above_order_holds_nothing_back() {
    let lines = [
        "Oops, I forgot that it is my turn.",
        "Sorry, my last letter was wrong:",
        "I changed my mind, here is the right one:",
        "Please ignore my last letter:",
    ];
    assert_eq!(wrong_lines(&lines, &[LinePlace::DirectlyAbove], false), [""; 0]);
}

#[test]
fn doubt_behind_greeting_is_found() {
    let all = shipped_doubts();
    let has_doubt = |line: &&str| all.iter().any(|doubts| doubts.has_doubt_behind_greeting(line));
    let doubts = [
        "Hi all wait.",
        "Hi Bob, not yet",
        "Thanks all, just kidding",
        "Hola, espera",
        "Hey wait for Bob!",
        "Hey wait a bit!",
        "Perdón mejor espera a Ana.",
        "Hi Bob unless you object",
    ];
    let harmless = [
        "Hi all",
        "Sorry for the wait.",
        "Sorry about the wait until now!",
        "Sorry for making you wait for it",
        "Thanks for waiting",
        "Perdón por la espera a última hora",
        "Hasta luego",
        "Hi Bob",
    ];
    assert_eq!(doubts.into_iter().filter(|line| !has_doubt(line)).collect::<Vec<_>>(), [""; 0]);
    assert_eq!(harmless.into_iter().filter(has_doubt).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn only_retraction_takes_order_back() {
    let all = shipped_doubts();
    let takes_back = |line: &&str| all.iter().any(|doubts| doubts.takes_back(line));
    let retractions =
        ["Sorry, I meant G25", "cancel that", "stop", "no", "mejor espera", "Quise decir H20"];
    let doubts = ["Is this legal?", "Not yet", "if Bob agrees", "Wait, don't send G23 yet", ""];
    let missed = retractions.into_iter().filter(|line| !takes_back(line));
    assert_eq!(missed.collect::<Vec<_>>(), [""; 0]);
    assert_eq!(doubts.into_iter().filter(takes_back).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn lead_in_counts_only_right_above_order() {
    let lines = ["If Bob agrees:", "Tomorrow:", "For example:"];
    assert_eq!(wrong_lines(&lines, &[LinePlace::DirectlyAbove], true), [""; 0]);
    assert_eq!(wrong_lines(&lines, &[LinePlace::Apart], false), [""; 0]);
}

#[test]
fn every_language_has_all_lists() {
    let lists = [
        HARMLESS_LIST,
        WHOLE_LINE,
        WHOLE_LINE_BELOW,
        ANYWHERE,
        OPENING,
        BELOW,
        LEAD_IN,
        LEAD_IN_OPENING,
        CONDITION,
        ORDER_CONDITION,
        MAIN_CLAUSE,
        OTHER_CLAUSE,
    ];
    for doubts in shipped_doubts() {
        for name in lists {
            assert!(doubts.lists.contains_key(name), "{name}");
        }
    }
}

#[test]
fn wrong_file_is_refused_with_line_number() {
    let error = |text| Doubts::parse(text).map(|_| ()).unwrap_err();
    assert!(error("anywhere").starts_with("line 1: write the name"));
    assert!(error("act: do\nanywhere: not <acts>").contains("line 2: there is no list \"acts\""));
    assert!(error("act: do <act>").contains("no list"), "a list never contains itself");
    assert!(error("anywhere: ... yet").contains("does not begin with a word"));
    assert!(error("anywhere: -").contains("is not a word"));
    assert!(!Doubts::default().holds_back("not yet", LinePlace::Below));
}

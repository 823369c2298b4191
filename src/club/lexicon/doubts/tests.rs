//! Tests of which lines beside an order hold it back, and which do not.

use super::*;

const DOUBTS_ABOVE: [&str; 80] = [
    "Don't do this yet:",
    "Do not carry this out yet:",
    "Please don't send this:",
    "This is not my final order:",
    "Not final:",
    "Not yet:",
    "What would happen if I wrote:",
    "What if I did this:",
    "Is this legal?",
    "Would this be allowed:",
    "Should I do this?",
    "Is it possible?",
    "Maybe",
    "Perhaps:",
    "If Bob agrees:",
    "If you agree",
    "Only if nobody objects:",
    "When Bob has moved:",
    "Once everybody has answered:",
    "As soon as Bob is ready:",
    "Draft",
    "This is only a draft:",
    "DRAFT - please ignore",
    "Just an idea:",
    "I'm thinking of:",
    "Tomorrow:",
    "Later:",
    "For next turn:",
    "Hold this for me, please.",
    "Noch nicht:",
    "Nur ein Entwurf",
    "Pas encore :",
    "Brouillon",
    "Todavía no:",
    "Aún no lo envíes",
    "Borrador:",
    "Si Bob está de acuerdo:",
    "¿Es legal esto?",
    "I don't want to play this yet:",
    "I would not do this:",
    "Not this turn, but next:",
    "Please do not execute the following:",
    "The following is only a draft:",
    "Just thinking out loud:",
    "Please don't count this one:",
    "Before I decide, what would this do:",
    "What does this do?",
    "What would this cost?",
    "Would that work?",
    "Can I do this?",
    "May I do this:",
    "Could I build here:",
    "Is it allowed to do this:",
    "I am not sure whether this is legal:",
    "Not sure if this is allowed:",
    "My idea would be:",
    "I might play:",
    "I could do this:",
    "Perhaps I should play:",
    "After Bob's answer:",
    "When it's my turn again:",
    "In my next turn:",
    "Next turn I'll play:",
    "On Friday:",
    "Once we agree:",
    "Unless Bob objects:",
    "If it's ok with Bob:",
    "If nobody minds:",
    "If legal:",
    "Only for discussion:",
    "For discussion:",
    "For your eyes only:",
    "Hypothetically:",
    "Suppose I played:",
    "Let's say I played:",
    "Imagine I did this:",
    "Test:",
    "This is a test.",
    "Don't take this as my move yet:",
    "Hold on, not yet:",
];

const DOUBTS_BELOW: [&str; 86] = [
    "Wait, don't send this yet",
    "Please hold this until Bob has moved",
    "That was a joke",
    "to be confirmed",
    "Just kidding!",
    "But not yet.",
    "Don't play it before Bob has moved.",
    "This is not my final order.",
    "only a draft, I'll think about it",
    "Is that legal?",
    "Is this allowed, or not?",
    "Should I do it?",
    "What happens if I do that?",
    "if you agree",
    "If Bob does not mind.",
    "but only if Bob agrees to trade",
    "If Bob agrees, do it.",
    "unless Bob objects",
    "Scratch that.",
    "I changed my mind",
    "I take it back",
    "wait, that was wrong",
    "Hmm, no",
    "Wait!",
    "Wait until Bob has answered.",
    "I'm not sure about this",
    "Not sure yet.",
    "das war nur ein Scherz",
    "Bitte noch nicht ausführen",
    "c'était une blague",
    "Espera, no lo envíes todavía",
    "Era una broma",
    "Por confirmar.",
    "Quise decir otra cosa",
    "Don't do it yet.",
    "Do not send this before I say so.",
    "Please wait for Bob before you do this.",
    "Not before Friday.",
    "Please hold off.",
    "Hold it for now.",
    "Keep this until Bob answers.",
    "I was only joking.",
    "This was a joke.",
    "Only joking :)",
    "tbc",
    "Subject to Bob's agreement.",
    "Pending Bob's answer",
    "I will confirm tomorrow.",
    "I'll confirm this tonight",
    "Just a draft.",
    "Draft only, real order tomorrow.",
    "Not my final move.",
    "That's not final yet.",
    "Is it legal?",
    "Would that be possible?",
    "Is that a legal move?",
    "Am I allowed to do that?",
    "Can I do that?",
    "What happens then?",
    "Or should I wait?",
    "Should I wait?",
    "On second thoughts, no.",
    "Forget it.",
    "Please cancel.",
    "Never mind.",
    "Nevermind",
    "Ignore this please",
    "please disregard",
    "Actually, wait.",
    "Actually no",
    "no!",
    "Hold on.",
    "Hang on",
    "Let me think again",
    "I need to think about this",
    "provided Bob agrees",
    "as long as Bob agrees",
    "if that's allowed",
    "if possible",
    "in case Bob agrees",
    "Sent by mistake from my iPhone",
    "Sent from my iPad by accident",
    "Enviado por error desde mi iPhone",
    "Envoyé par erreur de mon iPhone",
    "Versehentlich von meinem iPhone gesendet",
    "Von meinem Zug bin ich noch nicht überzeugt.",
];

const HARMLESS: [&str; 130] = [
    "Sorry for the wait",
    "Sorry for the wait:",
    "See you later",
    "How are you?",
    "PS: when is your birthday, Bob?",
    "See you tomorrow!",
    "I'm away tomorrow, so here is my move:",
    "On Sunday I was ill, so here is my move:",
    "Tomorrow I'll bring the cake.",
    "Are you coming on Friday?",
    "If you're free on Friday, let's meet.",
    "If you need anything, call me",
    "If you need me I'll be at home.",
    "If I'm not mistaken, it's my turn:",
    "Can't wait to see this!",
    "I can't wait until Friday.",
    "No need to wait for me next time.",
    "Don't worry about me, Bob.",
    "Don't forget the cake!",
    "Don't hold it against me.",
    "Hold that thought!",
    "I don't know how you do it.",
    "Hope it's not too late",
    "It's not my day.",
    "Not my best move, but here it is:",
    "Nice joke yesterday, Bob!",
    "Ha, good one.",
    "I'll be back on Monday.",
    "Back from holiday!",
    "Welcome back, Cid",
    "My order for this turn:",
    "My orders:",
    "Here is my move:",
    "OK, here goes:",
    "Let's try this:",
    "For this turn:",
    "After much thought:",
    "My plan for this turn:",
    "Now it gets exciting:",
    "The best I could find:",
    "Hi all,",
    "That was fun, wasn't it?",
    "Whose birthday is it next?",
    "Is everybody well?",
    "Is Bob on holiday?",
    "Should I bring beer?",
    "Can I bring a friend on Friday?",
    "Is it possible to meet at seven?",
    "Until next time!",
    "As soon as possible would be great, Bob.",
    "No hurry, take your time",
    "Thanks for waiting.",
    "Sent from the train, back later.",
    "Wait and see!",
    "Take care!",
    "Good luck with the next turn",
    "Bis morgen!",
    "Schönen Abend noch",
    "À demain",
    "Bonne chance",
    "¡Hasta mañana!",
    "Perdón por la espera",
    "Sí, aquí va mi jugada:",
    "No tengo mejor jugada:",
    "Sorry for the delay!",
    "Sorry I'm late",
    "Had a busy week.",
    "Hope you are all well",
    "This is fun",
    "This is my first game here.",
    "It's getting tight!",
    "What a game!",
    "Great move, Bob!",
    "Your turn, Cid!",
    "Over to you, Bob.",
    "When do we meet again?",
    "What's the score?",
    "Who is winning?",
    "Can you make it on Friday?",
    "Will you be there on Friday?",
    "I'll be late tomorrow",
    "Tomorrow I'm on the train",
    "I can't make it on Friday",
    "Don't wait for me on Friday",
    "I'm not at home until Sunday",
    "Later!",
    "See you then",
    "Wait till you see my next move!",
    "No rush.",
    "Not bad, Bob!",
    "I did not see that coming.",
    "That was not nice, Bob :)",
    "I don't like this board",
    "It's not over yet!",
    "Not long now",
    "Never give up",
    "No problem",
    "No idea what I'm doing",
    "I have no idea what I am doing, but here goes:",
    "I hope this is right",
    "Hope that works",
    "I think this is best:",
    "As promised:",
    "As agreed with Bob:",
    "As discussed:",
    "At last:",
    "Finally!",
    "Sorry, I had no internet until now:",
    "Sorry, I was away on Friday:",
    "I was waiting for the mail",
    "Thanks for the reminder",
    "Happy birthday, Bob!",
    "Happy New Year!",
    "If I'm right, Bob wins.",
    "If only I had more time!",
    "Is it raining there too?",
    "Is anybody else coming on Friday?",
    "Are we still on for Friday?",
    "Do you want to meet on Friday?",
    "Should we meet on Friday?",
    "Shall we meet tomorrow?",
    "May the best player win",
    "What about dinner on Friday?",
    "How about a beer later?",
    "I'll draft the invitation tomorrow",
    "The draft from the window is terrible",
    "Bob told me a joke",
    "My back hurts",
    "I'll get back to you about Friday",
    "Back to work now",
];

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

#[test]
fn doubt_above_order_holds_it_back() {
    assert_eq!(wrong_lines(&DOUBTS_ABOVE, &[LinePlace::DirectlyAbove], true), [""; 0]);
}

#[test]
fn doubt_below_order_holds_it_back() {
    assert_eq!(wrong_lines(&DOUBTS_BELOW, &[LinePlace::Below], true), [""; 0]);
}

#[test]
fn harmless_line_holds_nothing_back() {
    let places = [LinePlace::Above, LinePlace::DirectlyAbove, LinePlace::Below];
    assert_eq!(wrong_lines(&HARMLESS, &places, false), [""; 0]);
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
fn greeting_may_end_with_doubt() {
    let all = shipped_doubts();
    let ends = |line: &&&str| all.iter().any(|doubts| doubts.ends_with_doubt(line));
    let doubts = ["Hi all wait.", "Hi Bob, not yet", "Thanks all, just kidding", "Hola, espera"];
    let harmless = ["Hi all", "Sorry for the wait.", "Thanks for waiting", "Hasta luego", "Hi Bob"];
    assert_eq!(doubts.iter().filter(ends).count(), doubts.len());
    assert_eq!(harmless.iter().filter(ends).count(), 0);
}

#[test]
fn lead_in_counts_only_right_above_order() {
    let lines = ["If Bob agrees:", "Tomorrow:", "For example:"];
    assert_eq!(wrong_lines(&lines, &[LinePlace::DirectlyAbove], true), [""; 0]);
    assert_eq!(wrong_lines(&lines, &[LinePlace::Above], false), [""; 0]);
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

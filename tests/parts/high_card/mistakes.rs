//! The contract bites: each mistake that is planted in the tests' own game is caught, and by the
//! check that is there for it.

use super::mistaken::{Mistaken, Position};
use super::{SENTENCES, can_differ, library};
use crate::contract::{Terms, contract};
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

/// A mistake that somebody might make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    // What is legal.
    ListsIllegal,
    ListsTooFew,
    AcceptsIllegal,
    AcceptsOutOfTurn,
    LegalRestsOnHidden,
    ForcedTells,
    ForcedToOneOfSeveral,
    ForfeitIsIllegal,
    ForfeitRestsOnHidden,
    ClosingIsIllegal,
    RefusedByChance,
    // What happens.
    DealtOtherwiseAgain,
    DecidesOtherwiseAgain,
    RefusedOtherwiseAgain,
    AppliesOtherwiseAgain,
    AppliesTwice,
    WrongThroughout,
    WinnerRestsOnHidden,
    EventLosesSomething,
    PointsGoAstray,
    WaitsForNobody,
    NeverEnds,
    ScoreDoesNotAddUp,
    StandingsUpsideDown,
    StandingsTwice,
    EmptyAudit,
    // Chance.
    Stacked,
    StackedAndDealtAnew,
    DrawnTooEarly,
    DiceAreNotOwnedTo,
    // What is dealt anew.
    NothingIsDealtAnew,
    NothingLaterIsDealtAnew,
    DealtAnewUnevenly,
    DealtAnewUnevenlyLater,
    DealtAnewByPeeking,
    DealtAnewWhatLies,
    // What is told.
    RefusalTells,
    PreviewTells,
    ReadingTells,
    PlanTells,
    OvertakesTells,
    PublicTells,
    PrivateTells,
    BoardTells,
    PictureTells,
    WordsTell,
    OwnWordsTell,
    SuggestionsTell,
    ChoicesTell,
    ProgressTells,
    LogTells,
    TurnsNothingUp,
    CalledSecret,
    CovertIsForgotten,
    // What is said.
    SentenceIsMissing,
    ArgumentIsMissing,
    ScoreHasNoName,
    ReadOtherwise,
    WrittenUnreadably,
    NothingIsOffered,
    RefusalIsNeverSaid,
    RefusedAsUnread,
    EndIsNeverSaid,
    NoChoices,
    SuggestsIllegal,
    SuggestsToAll,
    SuggestsTooMany,
    PlanIsNotRead,
    PlanOutlives,
    ProgressStandsStill,
    ProgressIsWholeTooEarly,
    ProgressIsNeverWhole,
}

use Mistake as M;

/// Mistakes, each with what the check says that is to catch it, or one of two that both are.
type Mistakes = &'static [(Mistake, &'static str)];

/// Mistakes in what is legal.
const LEGAL: Mistakes = &[
    (M::ListsIllegal, "is listed: "),
    (M::ListsTooFew, "is accepted and not listed"),
    (M::AcceptsIllegal, "is accepted and not listed"),
    (M::AcceptsOutOfTurn, "is accepted and not listed"),
    (M::LegalRestsOnHidden, "what is legal tells | for all that was seen"),
    (M::ForcedTells, "being forced to an order tells"),
    (M::ForcedToOneOfSeveral, "is forced to something else"),
    (M::ForfeitIsIllegal, "is forfeit and illegal"),
    (M::ForfeitRestsOnHidden, "an absent player tells"),
    (M::ClosingIsIllegal, "closing is illegal"),
    (M::RefusedByChance, "chance forbids nothing | is listed: "),
];

/// Mistakes in what happens and how it ends.
const HAPPENING: Mistakes = &[
    (M::DealtOtherwiseAgain, "is dealt otherwise again"),
    (M::DecidesOtherwiseAgain, "is decided otherwise again"),
    (M::RefusedOtherwiseAgain, "is decided otherwise again"),
    (M::AppliesOtherwiseAgain, "fold"),
    (M::AppliesTwice, "the audit says"),
    (M::WrongThroughout, "is told otherwise"),
    (M::WinnerRestsOnHidden, "leads to something else in another world"),
    (M::EventLosesSomething, "an event comes back otherwise"),
    (M::PointsGoAstray, "is told otherwise"),
    (M::WaitsForNobody, "waits for nobody"),
    (M::NeverEnds, "does not end"),
    (M::ScoreDoesNotAddUp, "score is made of"),
    (M::StandingsUpsideDown, "are not best first"),
    (M::StandingsTwice, "name each seat once"),
    (M::EmptyAudit, "no audit notices twice"),
];

/// Mistakes in chance and in what is dealt anew.
const DEALT: Mistakes = &[
    (M::Stacked, "nobody sees what chance brought"),
    (M::StackedAndDealtAnew, "nobody sees what chance brought"),
    (M::DrawnTooEarly, "nobody sees what chance brought"),
    (M::DiceAreNotOwnedTo, "no event owns to the dice"),
    (M::NothingIsDealtAnew, "nothing is dealt anew"),
    (M::NothingLaterIsDealtAnew, "nothing is dealt anew"),
    (M::DealtAnewUnevenly, "is spread otherwise"),
    (M::DealtAnewUnevenlyLater, "again, is spread otherwise"),
    (M::DealtAnewByPeeking, "the deal itself tells"),
    (M::DealtAnewWhatLies, "cannot be: "),
];

/// Mistakes in what is disclosed to whom.
const TOLD: Mistakes = &[
    (M::RefusalTells, "what is foretold of"),
    (M::PreviewTells, "what is foretold of | in another world"),
    (M::ReadingTells, "is read tells"),
    (M::PlanTells, "a plan tells"),
    (M::OvertakesTells, "overtakes"),
    (M::PublicTells, "the public view tells"),
    (M::PrivateTells, "the private view tells"),
    (M::BoardTells, "the board tells"),
    (M::PictureTells, "the picture tells"),
    (M::WordsTell, "the board in words tells"),
    (M::OwnWordsTell, "what is his, in words, tells"),
    (M::SuggestionsTell, "what is suggested tells"),
    (M::ChoicesTell, "what can be done tells"),
    (M::ProgressTells, "progress tells"),
    (M::LogTells, "the log tells"),
    (M::TurnsNothingUp, "tells what"),
    (M::CalledSecret, "is called secret"),
    (M::CovertIsForgotten, "look alike and are not called covert"),
];

/// Mistakes in what is said and read.
const SAID: Mistakes = &[
    (M::SentenceIsMissing, "it has no words in en: "),
    (M::ArgumentIsMissing, "it has no words in en: "),
    (M::ScoreHasNoName, "it has no words in en: "),
    (M::ReadOtherwise, "is read as another order"),
    (M::WrittenUnreadably, "what is legal is not read"),
    (M::NothingIsOffered, "nothing is offered beside"),
    (M::RefusalIsNeverSaid, "play never comes to [\"hc-not-your-turn\"]"),
    (M::RefusedAsUnread, "is refused as if it could not be read"),
    (M::EndIsNeverSaid, "play never comes to [\"hc-ended-early\"]"),
    (M::NoChoices, "no choices are said"),
    (M::SuggestsIllegal, "what is suggested is refused"),
    (M::SuggestsToAll, "is suggested what to do"),
    (M::SuggestsTooMany, "too many are suggested"),
    (M::PlanIsNotRead, "a plan of its own is not read"),
    (M::PlanOutlives, "outlives the game"),
    (M::ProgressStandsStill, "progress does not grow"),
    (M::ProgressIsWholeTooEarly, "progress is 100 and it is not over"),
    (M::ProgressIsNeverWhole, "it is over and progress is not 100"),
];

thread_local! {
    static MADE: Cell<Option<Mistake>> = const { Cell::new(None) };
    static ASKED: Cell<u32> = const { Cell::new(0) };
    /// Whether a panic of this thread is what is waited for, and not worth a word.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Plants a mistake in the games that this thread plays from now on, in place of the last one.
pub fn plant(mistake: Option<Mistake>) {
    MADE.set(mistake);
}

/// Whether this mistake is planted.
pub fn makes(mistake: Mistake) -> bool {
    MADE.get() == Some(mistake)
}

/// Says something else every other time, as what is not decided by the dice does.
pub fn again() -> bool {
    ASKED.set(ASKED.get() + 1);
    ASKED.get().is_multiple_of(2)
}

/// What the contract says of the game with this mistake; nothing if it passes.
fn caught(mistake: Option<Mistake>) -> Option<String> {
    plant(mistake);
    let can_differ = |state: &Position, viewer| can_differ(&state.at, viewer);
    let terms = Terms { library, ..Terms::of(SENTENCES, can_differ) };
    silenced(|| panic::catch_unwind(AssertUnwindSafe(|| contract::<Mistaken>(&terms))))
        .err()
        .map(|what| what.downcast_ref::<String>().cloned().unwrap_or_default())
}

/// Does something whose panic is waited for.
fn silenced<T>(what: impl FnOnce() -> T) -> T {
    static HOOKED: Once = Once::new();
    HOOKED.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
            if !EXPECTED.get() {
                usual(info);
            }
        }));
    });
    EXPECTED.set(true);
    let done = what();
    EXPECTED.set(false);
    done
}

#[test]
fn a_game_without_a_mistake_passes() {
    assert_eq!(caught(None), None);
}

#[test]
fn mistakes_in_what_is_legal_are_caught() {
    are_caught(LEGAL);
}

#[test]
fn mistakes_in_what_happens_are_caught() {
    are_caught(HAPPENING);
}

#[test]
fn mistakes_in_chance_are_caught() {
    are_caught(DEALT);
}

#[test]
fn mistakes_in_what_is_disclosed_are_caught() {
    are_caught(TOLD);
}

#[test]
fn mistakes_in_what_is_said_are_caught() {
    are_caught(SAID);
}

/// Each of these mistakes is caught by the check that is there for it.
fn are_caught(mistakes: Mistakes) {
    let missed = |(mistake, check): &(Mistake, &str)| match caught(Some(*mistake)) {
        Some(what) if check.split(" | ").any(|check| what.contains(check)) => None,
        Some(what) => {
            let what: String = what.chars().take(400).collect();
            Some(format!("{mistake:?} is caught by another check than \"{check}\": {what}"))
        }
        None => Some(format!("{mistake:?} is not caught")),
    };
    let missed: Vec<String> = mistakes.iter().filter_map(missed).collect();
    assert!(missed.is_empty(), "{} of {}:\n{}", missed.len(), mistakes.len(), missed.join("\n\n"));
}

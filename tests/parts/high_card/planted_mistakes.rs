//! Tests of the contract itself: each planted mistake is found, by the check that exists for it.

use super::flawed_game::{FlawedGame, Position};
use super::{SENTENCES, can_hands_differ, load_library};
use postrider::testing::{GameExpectations, check_contract};
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

/// A mistake that the author of a game might make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    // Legality
    ListsIllegal,
    ListsTooFew,
    AcceptsIllegal,
    AcceptsOutOfTurn,
    LegalDependsOnHidden,
    ForcedMoveLeaks,
    ForcedToOneOfSeveral,
    ForfeitIsIllegal,
    ForfeitDependsOnHidden,
    ClosingIsIllegal,
    RefusedByChance,
    // Events and results
    DealIsNotRepeatable,
    DecisionIsNotRepeatable,
    RefusalIsNotRepeatable,
    ApplyIsNotRepeatable,
    AppliesTwice,
    RuleWrongEverywhere,
    WinnerDependsOnHidden,
    EventLosesField,
    PointsToWrongSeat,
    WaitsForNobody,
    NeverEnds,
    ScoreDoesNotAddUp,
    StandingsReversed,
    StandingsRepeatSeat,
    EmptyAudit,
    // Chance
    PrizesPreshuffled,
    PrizesPreshuffledAndRedealt,
    DrawnTooEarly,
    DiceNotDisclosed,
    // Determinizations
    NothingIsRedealt,
    NothingIsRedealtLate,
    RedealIsUneven,
    RedealIsUnevenLate,
    RedealPeeks,
    RedealsTableCards,
    // Disclosure
    RefusalLeaks,
    PreviewLeaks,
    ReadingLeaks,
    PlanLeaks,
    OvertakesLeaks,
    PublicViewLeaks,
    PrivateViewLeaks,
    BoardLeaks,
    PictureLeaks,
    WordsLeak,
    PrivateWordsLeak,
    SuggestionsLeak,
    ChoicesLeak,
    ProgressLeaks,
    LogLeaks,
    TurnsNothingUp,
    WronglyCalledSecret,
    HiddenContentNotDeclared,
    // Wording and reading
    SentenceIsMissing,
    ArgumentIsMissing,
    ScoreHasNoName,
    ReadAsOtherOrder,
    WrittenUnreadably,
    RefusalWithoutSuggestion,
    RefusalIsNeverSaid,
    RefusedAsUnreadable,
    EndIsNeverSaid,
    NoChoices,
    SuggestsIllegal,
    SuggestsOutOfTurn,
    SuggestsTooMany,
    PlanUnreadable,
    PlanOutlivesGame,
    ProgressStandsStill,
    ProgressFullTooEarly,
    ProgressNeverFull,
    // Computer players
    MeritsReversed,
    SearchPeeks,
    ConsidersIllegal,
}

use Mistake as M;

/// Mistakes, each with a part of the message of the check that must find it. ` | ` separates
/// alternatives.
type ExpectedCatches = &'static [(Mistake, &'static str)];

const LEGALITY_MISTAKES: ExpectedCatches = &[
    (M::ListsIllegal, "is listed: "),
    (M::ListsTooFew, "is accepted and not listed"),
    (M::AcceptsIllegal, "is accepted and not listed"),
    (M::AcceptsOutOfTurn, "is accepted and not listed"),
    (M::LegalDependsOnHidden, "what is legal tells | for all that was seen"),
    (M::ForcedMoveLeaks, "being forced to an order tells"),
    (M::ForcedToOneOfSeveral, "is forced to something else"),
    (M::ForfeitIsIllegal, "is forfeit and illegal"),
    (M::ForfeitDependsOnHidden, "an absent player tells"),
    (M::ClosingIsIllegal, "closing is illegal"),
    (M::RefusedByChance, "chance forbids nothing | is listed: "),
];

const EVENT_MISTAKES: ExpectedCatches = &[
    (M::DealIsNotRepeatable, "is dealt otherwise again"),
    (M::DecisionIsNotRepeatable, "is decided otherwise again"),
    (M::RefusalIsNotRepeatable, "is decided otherwise again"),
    (M::ApplyIsNotRepeatable, "fold"),
    (M::AppliesTwice, "the audit says"),
    (M::RuleWrongEverywhere, "differs in the replay"),
    (M::WinnerDependsOnHidden, "leads to something else in another world"),
    (M::EventLosesField, "an event comes back otherwise"),
    (M::PointsToWrongSeat, "differs in the replay"),
    (M::WaitsForNobody, "waits for nobody"),
    (M::NeverEnds, "does not end"),
    (M::ScoreDoesNotAddUp, "score is made of"),
    (M::StandingsReversed, "are not best first"),
    (M::StandingsRepeatSeat, "name each seat once"),
    (M::EmptyAudit, "no audit notices twice"),
];

const CHANCE_MISTAKES: ExpectedCatches = &[
    (M::PrizesPreshuffled, "nobody sees what chance brought"),
    (M::PrizesPreshuffledAndRedealt, "nobody sees what chance brought"),
    (M::DrawnTooEarly, "nobody sees what chance brought"),
    (M::DiceNotDisclosed, "no event discloses the dice"),
    (M::NothingIsRedealt, "redeal never changes the state"),
    (M::NothingIsRedealtLate, "redeal never changes the state"),
    (M::RedealIsUneven, "is distributed differently"),
    (M::RedealIsUnevenLate, "again, is distributed differently"),
    (M::RedealPeeks, "the deal itself tells"),
    (M::RedealsTableCards, "made an impossible state: "),
];

const DISCLOSURE_MISTAKES: ExpectedCatches = &[
    (M::RefusalLeaks, "what is foretold of"),
    (M::PreviewLeaks, "what is foretold of | in another world"),
    (M::ReadingLeaks, "is read tells"),
    (M::PlanLeaks, "a plan tells"),
    (M::OvertakesLeaks, "overtakes"),
    (M::PublicViewLeaks, "the public view tells"),
    (M::PrivateViewLeaks, "the private view tells"),
    (M::BoardLeaks, "the board tells"),
    (M::PictureLeaks, "the picture tells"),
    (M::WordsLeak, "the board in words tells"),
    (M::PrivateWordsLeak, "the private view in words tells"),
    (M::SuggestionsLeak, "what is suggested tells"),
    (M::ChoicesLeak, "what can be done tells"),
    (M::ProgressLeaks, "progress tells"),
    (M::LogLeaks, "the log tells"),
    (M::TurnsNothingUp, "tells what"),
    (M::WronglyCalledSecret, "is called secret | considers a secret order"),
    (M::HiddenContentNotDeclared, "look alike and are not called secret or hidden"),
];

const SEARCH_MISTAKES: ExpectedCatches = &[
    (M::MeritsReversed, "merits rank the seats otherwise"),
    (M::SearchPeeks, "what a computer player considers tells"),
    (M::ConsidersIllegal, "a computer player considers an illegal order"),
];

const WORDING_MISTAKES: ExpectedCatches = &[
    (M::SentenceIsMissing, "it has no words in en: "),
    (M::ArgumentIsMissing, "it has no words in en: "),
    (M::ScoreHasNoName, "it has no words in en: "),
    (M::ReadAsOtherOrder, "is read as another order"),
    (M::WrittenUnreadably, "what is legal is not read"),
    (M::RefusalWithoutSuggestion, "nothing is offered beside"),
    (M::RefusalIsNeverSaid, "play never comes to [\"hc-not-your-turn\"]"),
    (M::RefusedAsUnreadable, "is refused as if it could not be read"),
    (M::EndIsNeverSaid, "play never comes to [\"hc-ended-early\"]"),
    (M::NoChoices, "no choices are said"),
    (M::SuggestsIllegal, "what is suggested is refused"),
    (M::SuggestsOutOfTurn, "is suggested what to do"),
    (M::SuggestsTooMany, "too many are suggested"),
    (M::PlanUnreadable, "a plan of its own is not read"),
    (M::PlanOutlivesGame, "outlives the game"),
    (M::ProgressStandsStill, "progress does not grow"),
    (M::ProgressFullTooEarly, "progress is 100 and it is not over"),
    (M::ProgressNeverFull, "it is over and progress is not 100"),
];

thread_local! {
    static PLANTED: Cell<Option<Mistake>> = const { Cell::new(None) };
    static CALLS: Cell<u32> = const { Cell::new(0) };
    /// Whether a panic of this thread is expected, so that its message is not printed.
    static EXPECTING_PANIC: Cell<bool> = const { Cell::new(false) };
}

/// Plants a mistake in the games that this thread plays from now on. It replaces the one before.
pub fn plant_mistake(mistake: Option<Mistake>) {
    PLANTED.set(mistake);
}

pub fn is_planted(mistake: Mistake) -> bool {
    PLANTED.get() == Some(mistake)
}

/// Returns `true` in every second call, to simulate results that do not depend on the dice alone.
pub fn is_every_second_call() -> bool {
    CALLS.set(CALLS.get() + 1);
    CALLS.get().is_multiple_of(2)
}

/// Returns the message of the contract about the game with this mistake, or `None` if the game
/// passes.
fn catch_mistake(mistake: Option<Mistake>) -> Option<String> {
    plant_mistake(mistake);
    let can_differ = |state: &Position, viewer| can_hands_differ(&state.at, viewer);
    let expectations = GameExpectations::new(load_library(), SENTENCES, can_differ);
    without_panic_output(|| {
        panic::catch_unwind(AssertUnwindSafe(|| check_contract::<FlawedGame>(&expectations)))
    })
    .err()
    .map(|what| what.downcast_ref::<String>().cloned().unwrap_or_default())
}

/// Runs a function without printing its panic.
fn without_panic_output<T>(what: impl FnOnce() -> T) -> T {
    static HOOKED: Once = Once::new();
    HOOKED.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
            if !EXPECTING_PANIC.get() {
                usual(info);
            }
        }));
    });
    EXPECTING_PANIC.set(true);
    let done = what();
    EXPECTING_PANIC.set(false);
    done
}

#[test]
fn game_without_mistake_passes_the_contract() {
    assert_eq!(catch_mistake(None), None);
}

#[test]
fn legality_mistakes_are_caught() {
    assert_caught(LEGALITY_MISTAKES);
}

#[test]
fn event_mistakes_are_caught() {
    assert_caught(EVENT_MISTAKES);
}

#[test]
fn chance_mistakes_are_caught() {
    assert_caught(CHANCE_MISTAKES);
}

#[test]
fn disclosure_mistakes_are_caught() {
    assert_caught(DISCLOSURE_MISTAKES);
}

#[test]
fn search_mistakes_are_caught() {
    assert_caught(SEARCH_MISTAKES);
}

#[test]
fn wording_mistakes_are_caught() {
    assert_caught(WORDING_MISTAKES);
}

/// Asserts that each mistake is found by the check that exists for it.
fn assert_caught(mistakes: ExpectedCatches) {
    let missed = |(mistake, check): &(Mistake, &str)| match catch_mistake(Some(*mistake)) {
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

//! What a pass did, and what is left.

use postrider::process::{self, Context, PassReport};

/// What a pass did, and what it left.
#[derive(Debug)]
pub struct PassResult {
    report: PassReport,
    /// How many letters wait still, but for those that wait for a digest.
    pub queued_letters: usize,
}

impl PassResult {
    /// What a pass that is just over did.
    pub fn new(context: &Context, report: PassReport) -> Self {
        let waiting = process::count_waiting_letters(context).expect("it reads");
        Self { report, queued_letters: waiting }
    }
}

impl std::ops::Deref for PassResult {
    type Target = PassReport;

    fn deref(&self) -> &PassReport {
        &self.report
    }
}

/// The games of which it is not noted how they stand.
pub fn games_without_outline(context: &Context) -> Vec<u32> {
    let games = context.store.facts_of_games(0..u32::MAX).expect("games").into_iter();
    let without = games.filter(|(_, facts)| facts.log_length > 0 && facts.outline.is_none());
    without.map(|(game, _)| game).collect()
}

/// What is noted of a game that can be opened is what its log folds to.
pub fn assert_outlines_match_logs(context: &Context) {
    for game in context.store.games().expect("games") {
        let outline = context.store.game_facts(game).expect("it reads").outline;
        if let Some((outline, session)) = outline.zip(process::open_game(context, game).ok()) {
            assert_eq!(outline, session.table.outline(), "game {game}");
        }
    }
}

//! The result of a pass, and the check of the stored outlines after it.

use postrider::process::{self, Context, PassReport};

/// The report of a pass, and the number of letters that it left in the outbox.
#[derive(Debug)]
pub struct PassResult {
    report: PassReport,
    /// The number of unsent letters in the outbox, except those that wait for a digest.
    pub queued_letters: usize,
}

impl PassResult {
    /// Counts the unsent letters directly after a pass.
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

/// Returns the games of which no current outline is stored.
pub fn games_without_outline(context: &Context) -> Vec<u32> {
    let games = context.store.facts_of_games(0..u32::MAX).expect("games").into_iter();
    let without = games.filter(|(_, facts)| facts.log_length > 0 && facts.outline.is_none());
    without.map(|(game, _)| game).collect()
}

/// Checks that the stored outline of each readable game is the one that its log results in.
pub fn assert_outlines_match_logs(context: &Context) {
    for game in context.store.game_numbers().expect("games") {
        let outline = context.store.game_facts(game).expect("it reads").outline;
        if let Some((outline, session)) = outline.zip(process::load_stored_game(context, game).ok())
        {
            assert_eq!(outline, session.table.outline(), "game {game}");
        }
    }
}

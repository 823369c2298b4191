//! The checks of the knowledge that computer players use, and a player that searches.

use super::walk::RandomGame;
use crate::rules::{Dice, Effort, Game, Seat, Seed, Viewer, choose_orders, write_bot_lines};
use crate::testing::sample_or_all;

/// The number of lines that are considered in a position.
const CONSIDERED: usize = 6;
/// One in this many checked positions is searched with the effort of a real level.
const LEVEL_INTERVAL: (u32, u32) = (100, 150);

/// Asserts that `merits` ranks the seats like `rankings`, and that the candidates of an awaited
/// seat are legal, open, readable, and known to the seat. Other seats have no candidates.
pub fn check_search<G: Game>(walk: &RandomGame<G>, seat: Seat, is_awaited: bool) {
    assert_merits_rank_seats(walk);
    let lines = G::candidates(&walk.state, seat, CONSIDERED);
    assert_eq!(is_awaited, !lines.is_empty(), "{walk}, seat {seat}: the considered lines");
    assert!(lines.len() <= CONSIDERED, "{walk}, seat {seat}: too many lines are considered");
    if !walk.is_between_lines() || !is_awaited {
        return;
    }
    // A copy, so that these checks do not change the other players' choices.
    let mut chooser = walk.chooser.clone();
    let other = G::redeal(&walk.state, Viewer::Seat(seat), &mut chooser);
    let same = G::candidates(&other, seat, CONSIDERED);
    assert_eq!(lines, same, "{walk}, seat {seat}: what a computer player considers tells");
    for orders in &lines {
        let (mut ahead, mut dice) = (walk.state.clone(), walk.copy_dice());
        for order in orders {
            let done = G::decide_and_apply(&mut ahead, seat, order, &mut dice);
            // A secret order that does not complete the seat's part would begin no record.
            let stays = G::is_secret(order) && G::turn(&ahead) == G::turn(&walk.state);
            assert!(!stays, "{walk}: a computer player considers a secret order");
            assert!(
                done.is_ok(),
                "{walk}: a computer player considers an illegal order: {orders:?}: {done:?}"
            );
        }
        let lines = write_bot_lines::<G>(&walk.state, seat, orders);
        assert!(!lines.is_empty(), "{walk}: {orders:?} cannot be written as readable lines");
    }
    if chooser.roll_below(sample_or_all(LEVEL_INTERVAL.0, LEVEL_INTERVAL.1)) == 0 {
        let levels = sample_or_all(1, G::EFFORTS.len());
        for effort in G::EFFORTS.into_iter().take(levels) {
            search_without_peeking(walk, seat, effort);
        }
    }
}

fn assert_merits_rank_seats<G: Game>(walk: &RandomGame<G>) {
    let (merits, standings) = (G::merits(&walk.state), G::rankings(&walk.state));
    assert_eq!(merits.len(), standings.len(), "{walk}: each seat has a merit");
    for one in &standings {
        for other in &standings {
            let by_merit = merits[other.seat.index()].cmp(&merits[one.seat.index()]);
            assert_eq!(
                one.rank.cmp(&other.rank),
                by_merit,
                "{walk}: merits rank the seats otherwise: {merits:?}, {standings:?}"
            );
        }
    }
    if let ([merit], [one]) = (merits.as_slice(), standings.as_slice()) {
        assert_eq!(*merit > 0, one.rank == 1, "{walk}: the merit says whether the player won");
    }
}

/// Returns the line that a computer player sends. Asserts that it sends the same line in another
/// position that its seat cannot distinguish from this one.
fn search_without_peeking<G: Game>(
    walk: &RandomGame<G>,
    seat: Seat,
    effort: Effort,
) -> Vec<G::Order> {
    let other = G::redeal(&walk.state, Viewer::Seat(seat), &mut walk.chooser.clone());
    let choose = |state: &G::State| {
        let mut dice = Dice::new(&Seed::from_number(7), 0);
        choose_orders::<G>(state, seat, effort, &mut dice)
    };
    let chosen = choose(&walk.state);
    assert_eq!(chosen, choose(&other), "{walk}, seat {seat}: the computer player peeks");
    chosen
}

/// Returns the next order of a computer player that simulates few games.
pub fn search_for_order<G: Game>(walk: &mut RandomGame<G>, seat: Seat) -> Option<G::Order> {
    if walk.is_between_lines() || walk.searched.is_empty() {
        let [easy, ..] = G::EFFORTS;
        let effort = Effort { iterations: 2, depth: 3, ..easy };
        walk.searched = search_without_peeking(walk, seat, effort);
    }
    (!walk.searched.is_empty()).then(|| walk.searched.remove(0))
}

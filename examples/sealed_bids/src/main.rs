//! postrider with one more game. It has the same commands: `sealed-bids init CLUB`, and so on.

use postrider::Program;
use postrider::rules::game_kind;
use sealed_bids::SealedBids;
use std::process::ExitCode;

fn main() -> ExitCode {
    Program::new().game(game_kind::<SealedBids>()).run()
}

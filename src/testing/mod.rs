//! Tests for games. The feature `testing` enables this module, for the tests of a game in a crate
//! of its own: `postrider = { version = "0.2", features = ["testing"] }` among the
//! `[dev-dependencies]`.
//!
//! | function | purpose |
//! |---|---|
//! | [`check_contract`] | checks whole games: legality, texts, secrecy, computer players |
//! | [`check_playthroughs`] | compares games by letters with files that you have read |
//! | [`check_letters_hide_secrets`] | checks that no letter shows what its reader cannot know |
//! | [`write_gallery`] | writes pages with all letters of a game, for you to look at |
//!
//! A [`TestClub`] is for everything else:
//!
//! ```
//! # use postrider::games::SHIPPED as GAMES;
//! use postrider::testing::TestClub;
//!
//! // let GAMES = Program::new().game(game_kind::<MyGame>()).into_registry();
//! let mut club = TestClub::new(GAMES, "clock: {deadline: 3 days}\n");
//! club.start_game("paris-connection", &["Ann", "Bob", "Cid"], &["--seed=7"]);
//! assert_eq!(club.run_pass().len(), 3);
//! club.send_reply("Ann", "build red G23, Troyes");
//! club.run_pass();
//! assert!(club.last_text_to("Bob").contains("Ann builds red on G23"));
//! ```
//!
//! `examples/sealed_bids/tests` uses all of this, and `docs/developers.md` describes the steps.

mod contract;
mod extent;
mod gallery;
mod leaks;
pub mod playthrough;
mod posted_letter;
mod test_club;

pub use contract::{GameExpectations, assert_bounded, check_contract, check_contract_in_parallel};
pub use extent::{FULL, create_folder, sample_or_all};
pub use gallery::write_gallery;
pub use leaks::check_letters_hide_secrets;
pub use playthrough::check_playthroughs;
pub use posted_letter::{PostedLetter, assert_text_well_formed, player_address};
pub use test_club::TestClub;

//! The contract applied to each game that ships. `postrider::testing` has the contract.

mod differing;
mod exemptions;

use postrider::games::{self, GAMES};
use postrider::render::Library;
use postrider::rules::{Dice, Seed, Turn};
use postrider::testing::{GameExpectations, assert_bounded, check_contract_in_parallel};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

static SHIPPED_LIBRARY: LazyLock<Arc<Library>> =
    LazyLock::new(|| Library::embedded().expect("the words ship"));

/// Returns the text below a game's card of orders in `docs/players.md`.
fn find_order_card(title: &str) -> &'static str {
    let mut sections = include_str!("../../docs/players.md").split("\n## ");
    let title = format!("{title}: the card of orders\n");
    let card = sections.find(|section| section.starts_with(&title));
    card.unwrap_or_else(|| panic!("docs/players.md has no section {title}"))
}

#[test]
fn paris_connection() {
    let sentences = include_str!("../../templates/en/paris-connection.ftl");
    check_contract_in_parallel::<games::ParisConnection>(&GameExpectations {
        test_folder: "src/games/paris_connection/tests",
        order_card: find_order_card("Paris Connection"),
        values: &[("stall_after_trades", &["3", "0"])],
        unnoticed_events: exemptions::UNNOTICED_PARIS,
        ..GameExpectations::new(SHIPPED_LIBRARY.clone(), sentences, differing::can_shares_differ)
    });
}

#[test]
fn off_the_rails() {
    let sentences = include_str!("../../templates/en/off-the-rails.ftl");
    check_contract_in_parallel::<games::OffTheRails>(&GameExpectations {
        test_folder: "src/games/off_the_rails/tests",
        order_card: find_order_card("Off the Rails"),
        values: &[("wishes", &["west, east"])],
        // Random play hardly ever rams a full cart. The game's own tests cover these forms.
        rare_forms: &["cut ruby rock", "pick first"],
        unreached_sentences: exemptions::UNREACHED_OFF,
        unnoticed_events: exemptions::UNNOTICED_OFF,
        bare_refusals: exemptions::BARE_OFF,
        ..GameExpectations::new(SHIPPED_LIBRARY.clone(), sentences, differing::can_wishes_differ)
    });
}

#[test]
fn trick_of_the_rails() {
    let sentences = include_str!("../../templates/en/trick-of-the-rails.ftl");
    check_contract_in_parallel::<games::TrickOfTheRails>(&GameExpectations {
        test_folder: "src/games/trick_of_the_rails/tests",
        order_card: find_order_card("Trick of the Rails"),
        ..GameExpectations::new(SHIPPED_LIBRARY.clone(), sentences, differing::can_hands_differ)
    });
}

#[test]
fn listed_and_suggested_lines_can_be_played() {
    for kind in GAMES {
        let (options, seats) = (BTreeMap::new(), *kind.allowed_seat_counts().start());
        let (definition, options) = kind
            .validate_and_convert_to_json(kind.shipped_definition(), &options, seats)
            .expect("as it ships");
        let mut game = kind.new_game(&definition, &options, seats).expect("it opens");
        let mut dice = Dice::new(&Seed::from_number(3), 0);
        let mut chooser = Dice::new(&Seed::from_number(4), 0);
        game.setup(&mut dice);
        for _ in 0..12 {
            let Turn::Awaiting(seats) = game.turn() else { break };
            for seat in seats {
                let lines = game.legal_lines(seat);
                assert!(!lines.is_empty(), "{}: seat {seat} is awaited", kind.id());
                let suggested = game.suggest_lines(seat);
                assert_bounded(&suggested);
                for line in lines.iter().chain(suggested.iter().map(|one| &one.line)) {
                    let sent =
                        game.clone_box().judge_and_play_line(seat, line, &[], &mut dice.clone());
                    sent.unwrap_or_else(|refusal| panic!("{}: {line}: {refusal:?}", kind.id()));
                }
                let line = chooser.pick(&lines).expect("there is one");
                game.judge_and_play_line(seat, line, &[], &mut dice).expect("it was just played");
            }
        }
    }
}

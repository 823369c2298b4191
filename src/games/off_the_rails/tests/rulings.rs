//! The list of all rulings with the test that shows each of them.

use super::*;

const RULINGS: [(u8, fn()); 48] = [
    (1, track::track_is_laid_only_on_free_grid_squares),
    (2, track::upgrade_adds_openings_but_not_under_cart),
    (3, track::cart_enters_own_side_and_moves_same_turn),
    (4, track::cart_entering_without_connected_track_derails),
    (5, track::each_action_changes_speed_by_one),
    (6, moves::first_step_follows_facing_without_reversing),
    (7, moves::cart_on_junction_chooses_facing),
    (8, moves::loop_crosses_square_twice_and_collects_again),
    (9, moves::cart_exits_any_edge_for_one_step),
    (10, moves::mine_centre_derails_and_chasm_removes_cart),
    (11, moves::passing_cart_takes_one_stopping_cart_two),
    (12, moves::rocks_are_taken_first_then_owner_chooses),
    (13, moves::rocks_fill_hold_and_are_dropped),
    (14, abyss::short_bag_deposits_all_remaining_jewels),
    (15, abyss::deposit_under_cart_stays_on_square),
    (16, crashes::moving_cart_stops_before_rammed_cart),
    (17, crashes::collision_on_unconnected_track_only_stops_cart),
    (18, crashes::cart_rammed_head_on_turns_away),
    (19, crashes::blocked_turn_away_uses_first_other_opening),
    (20, crashes::empty_carts_derail_by_holds_before_collision),
    (21, crashes::half_up_option_drops_larger_pile),
    (22, crashes::jewels_are_cut_by_standing_order),
    (23, crashes::newly_entered_cart_derails_in_collision),
    (24, crashes::dropped_jewels_stay_on_square),
    (25, crashes::derailed_cart_can_enter_again),
    (26, abyss::chasm_card_gives_each_player_one_turn),
    (27, abyss::token_goes_to_square_ordered_for_colour),
    (28, abyss::token_needs_adjacent_token_of_same_colour),
    (29, abyss::player_without_cart_places_token_only_if_ordered),
    (30, abyss::abyss_die_skips_collapsed_squares_clockwise),
    (31, abyss::carts_can_enter_during_abyss),
    (32, abyss::game_ends_without_carts_or_tokens),
    (33, scores::supply_carts_score_three_points),
    (34, scores::most_rubies_score_five_for_each_tied_player),
    (35, missions::one_mission_claimed_by_order_or_lowest_number),
    (36, scores::dirty_goblins_scores_most_rocks_at_end),
    (37, missions::spice_of_life_needs_all_four_jewels),
    (38, missions::enemy_lines_needs_opponent_side_and_precious_jewel),
    (39, missions::soft_bumpers_remove_two_collision_missions),
    (40, missions::own_cart_collisions_count_only_head_to_head),
    (41, scores::first_players_side_wish_is_granted),
    (42, track::turn_allows_four_actions_before_moves),
    (43, track::tiles_run_out_and_return_to_supply),
    (44, scores::ties_break_by_jewels_then_fewer_rocks),
    (45, solo::first_turn_draws_four_cards_later_turns_one),
    (46, solo::first_turn_draws_four_cards_later_turns_one),
    (47, crashes::bumpers_prevent_drops_and_derailments),
    (48, moves::carts_are_named_by_die_or_colour),
];

#[test]
fn every_ruling_has_a_test() {
    assert!(RULINGS.iter().zip(1..).all(|(&(ruling, _), number)| ruling == number));
}

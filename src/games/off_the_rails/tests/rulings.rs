//! Which test shows which ruling.

use super::*;

/// Every ruling and its constructed case.
const RULINGS: [(u8, fn()); 48] = [
    (1, track::track_lies_on_free_squares_of_the_grid_only),
    (2, track::an_upgrade_adds_one_opening_and_never_under_a_cart),
    (3, track::a_cart_enters_its_own_side_and_moves_in_the_same_turn),
    (4, track::who_steps_onto_no_track_derails),
    (5, track::speed_goes_by_one_an_action_from_1_to_6),
    (6, moves::the_first_step_goes_where_the_cart_faces_and_nobody_turns_back),
    (7, moves::who_stops_on_a_junction_says_where_to_face),
    (8, moves::a_loop_crosses_a_square_twice_and_picks_up_again),
    (9, moves::any_edge_of_the_board_is_a_way_out_and_costs_a_step),
    (10, moves::a_mine_centre_derails_and_the_chasm_swallows),
    (11, moves::passing_takes_one_and_ending_takes_two),
    (12, moves::rocks_come_first_and_then_the_owner_chooses),
    (13, moves::rocks_fill_a_hold_and_are_dropped),
    (14, abyss::a_short_bag_gives_what_it_has),
    (15, abyss::a_deposit_under_a_cart_lies_there),
    (16, crashes::the_moving_cart_stops_before_the_other),
    (17, crashes::unconnected_tracks_only_stop),
    (18, crashes::a_cart_rammed_head_on_turns_away),
    (19, crashes::who_cannot_face_directly_away_takes_the_other_opening),
    (20, crashes::holds_are_judged_before_and_both_carts_can_derail),
    (21, crashes::of_an_odd_number_the_picked_pile_falls_or_by_choice_the_larger),
    (22, crashes::jewels_are_cut_by_the_standing_order),
    (23, crashes::who_has_just_been_placed_is_empty_and_derails),
    (24, crashes::dropped_jewels_lie_there_for_everyone),
    (25, crashes::a_derailed_cart_may_be_placed_again),
    (26, abyss::the_chasm_card_gives_everyone_one_more_turn),
    (27, abyss::the_token_goes_where_its_colours_order_says),
    (28, abyss::a_token_goes_next_to_one_of_its_colour_on_the_grid),
    (29, abyss::without_a_cart_a_token_is_placed_by_order_only),
    (30, abyss::the_abyss_die_takes_the_next_number_clockwise),
    (31, abyss::carts_enter_the_abyss_as_usual),
    (32, abyss::the_game_ends_without_carts_or_without_tokens),
    (33, scores::carts_in_the_supply_are_worth_three),
    (34, scores::most_rubies_are_worth_five_to_all_that_tie),
    (35, missions::one_mission_a_turn_by_order_or_the_lowest_number),
    (36, scores::dirty_goblins_go_to_most_rocks_at_the_end),
    (37, missions::spice_of_life_needs_all_four_and_no_rock),
    (38, missions::enemy_lines_are_an_opponents_side_with_a_precious_jewel),
    (39, missions::where_nothing_derails_two_missions_are_left_out),
    (40, missions::crashes_among_ones_own_carts_count_head_to_head_only),
    (41, scores::sides_are_dealt_by_wish_and_chance),
    (42, track::four_actions_in_any_order_all_checked_before_any_is_applied),
    (43, track::tiles_run_out_and_come_back),
    (44, scores::ties_are_broken_by_jewels_and_then_by_rocks),
    (45, solo::four_cards_after_the_first_turn_and_then_one),
    (46, solo::four_cards_after_the_first_turn_and_then_one),
    (47, crashes::bumpers_keep_everything_on_board),
    (48, moves::carts_go_by_their_dice_and_in_the_solo_game_by_their_colours),
];

#[test]
fn every_ruling_has_its_case() {
    assert!(RULINGS.iter().zip(1..).all(|(&(ruling, _), number)| ruling == number));
}

//! What can go wrong with letters themselves: those that programs write, what they are made of, and
//! those that leave. Knows nothing of who is behind them.

use super::Held::{self, By};

/// What programs and letters can do.
pub const OF_LETTERS: &[(&str, Held)] = &[
    // Machines.
    (
        "machines answer each other",
        By(&[
            "machines_are_never_answered",
            "a_machine_that_answers_everything_is_left_alone_after_four_letters",
            "our_own_letters_fed_back_yield_nothing",
            "programs_are_known_by_their_headers",
            "systems_are_known_by_their_addresses_and_subjects",
            "rarer_headers_say_so_too",
            "absence_is_known_in_many_languages_by_how_a_subject_begins",
            "a_null_return_path_is_not_a_missing_one",
        ]),
    ),
    (
        "a mail program's button takes somebody out of a game",
        By(&[
            "the_letters_of_a_game_that_one_plays_have_no_such_button",
            "who_watches_stops_watching_this_game_and_no_other",
        ]),
    ),
    (
        "a phone's lock screen shows what is secret",
        By(&["a_list_of_letters_says_of_each_what_is_asked"]),
    ),
    (
        "a person is taken for a machine",
        By(&["an_order_under_a_subject_like_an_absence_notices_is_carried_out"]),
    ),
    (
        "letters in somebody's name use up what he is answered",
        By(&[
            "letters_in_somebodys_name_cost_him_no_answer",
            "letters_in_the_moderators_name_cost_him_no_answer",
            "a_forged_letter_keeps_nobody_from_being_asked",
            "members_ask_a_mailbox_once_a_week",
        ]),
    ),
    (
        "members have letters sent to people who want none",
        By(&[
            "stranger_gets_one_letter_a_week_and_three_a_month",
            "newcomer_invites_five_until_first_turn",
            "club_cap_holds_and_moderator_is_told_once",
            "stop_is_remembered_and_not_answered",
            "stop_answers_question_and_list",
            "button_refuses_for_its_mailbox_alone",
            "member_stops_invitations_and_takes_them_back",
        ]),
    ),
    (
        "somebody is kept from being invited",
        By(&[
            "forged_stop_is_not_remembered",
            "refusal_token_opens_for_its_mailbox_only",
            "polite_no_is_about_one_invitation",
            "founder_invites_friends_on_day_one",
            "refused_person_comes_back_by_writing",
        ]),
    ),
    (
        "bad letters fill the moderator's mailbox",
        By(&["the_moderator_gets_one_note_a_pass_about_bad_letters_and_a_few_a_day"]),
    ),
    (
        "strangers without end delay the players' letters",
        By(&[
            "games_leave_whatever_waits_beside_them",
            "flood_in_one_domain_delays_only_itself",
            "known_newcomers_leave_beside_a_flood",
        ]),
    ),
    ("a member uses up the letters that a day has", By(&["mailbox_cannot_use_up_the_day"])),
    (
        "one writes without end",
        By(&[
            "a_refused_order_is_told_however_much_was_asked_and_a_machine_is_stopped",
            "a_mailbox_has_many_addresses",
            "a_writer_without_end_gets_a_last_word_and_then_silence",
            "twenty_answers_then_a_word_then_silence",
        ]),
    ),
    (
        "somebody is bombed through us",
        By(&[
            "a_stranger_gets_one_short_answer_a_day_that_quotes_nothing",
            "nobody_can_mail_the_world_and_nobody_wipes_his_record",
            "strangers_are_let_in_where_the_club_is_open_and_no_mailbox_is_filled",
            "nobody_is_bombed_by_letters_in_his_name_and_the_days_limit_stands_over_all",
            "a_conversation_has_three_answers_in_its_first_day_and_then_one_a_day",
            "nobody_fills_the_others_mailboxes",
        ]),
    ),
    (
        "letters come back",
        By(&[
            "every_report_says_what_is_expected",
            "a_member_whose_letters_come_back_gets_none_and_the_moderator_knows",
            "who_writes_again_is_told_what_he_has_missed",
            "fifth_soft_report_in_a_row_sends_a_probe",
            "real_reports_make_a_member_undeliverable",
            "member_is_back_if_second_probe_stays_away",
            "a_whole_game_by_real_mail_servers",
        ]),
    ),
    (
        "a report of a server is forged",
        By(&[
            "forged_report_costs_one_probe_and_nothing_else",
            "victim_gets_one_probe_a_day_at_most",
            "any_sign_of_life_voids_evidence",
        ]),
    ),
    (
        "a server refuses everybody for an hour or a day",
        By(&[
            "hour_of_refusals_for_everybody_silences_nobody",
            "day_of_refusals_for_everybody_silences_nobody",
            "mass_refusal_delays_the_status_four_days",
        ]),
    ),
    (
        "a member lets his own letters come back",
        By(&[
            "time_stands_once_a_year_as_long_as_a_vacation",
            "only_a_letter_of_the_last_days_can_come_back",
            "the_others_read_of_who_cannot_be_reached_in_the_next_letter_that_they_get_anyway",
        ]),
    ),
    (
        "a server refuses us, and every letter with us",
        By(&[
            "a_session_that_is_refused_keeps_every_letter",
            "ten_days_without_a_way_out_lose_nothing_and_cost_nobody_his_turn",
            "ten_days_without_a_mail_program_or_a_server_are_no_different",
        ]),
    ),
    (
        "a server refuses one letter",
        By(&[
            "who_is_refused_in_the_session_is_as_one_whose_letters_come_back",
            "refusals_20_hours_apart_make_members_undeliverable",
            "a_bad_letter_alone_in_the_outbox_is_judged_by_whether_the_moderators_is_taken",
            "a_stranger_who_takes_no_letters_is_nobodys_trouble",
        ]),
    ),
    (
        "the line breaks after a letter was taken",
        By(&["a_line_that_is_cut_at_any_step_loses_nothing_and_doubles_what_was_perhaps_taken"]),
    ),
    (
        "a mail program hangs",
        By(&["a_mail_program_says_by_its_code_whose_fault_it_is_and_one_that_hangs_is_stopped"]),
    ),
    // What letters are made of.
    ("a letter is large, deep or broken", By(&["every_limit_has_its_answer"])),
    (
        "a letter costs all the time or memory that there is",
        By(&["no_letter_costs_more_than_its_size_allows"]),
    ),
    ("a letter is rubbish", By(&["any_bytes_at_all_leave_the_inbox_and_stop_nobody"])),
    ("something is attached", By(&["letters_inside_of_letters_are_not_opened"])),
    ("a charset plays tricks", By(&["every_letter_is_understood_as_expected"])),
    ("a phone corrects an order", By(&["what_phones_make_of_a_line_is_undone"])),
    (
        "a header is smuggled in or out",
        By(&["nothing_ends_a_header", "names_and_subjects_are_one_visible_line"]),
    ),
    (
        "a letter is HTML only, or hides in HTML",
        By(&[
            "a_line_end_written_as_a_number_cannot_leave_a_quotation",
            "broken_html_ends",
            "every_letter_is_understood_as_expected",
        ]),
    ),
    (
        "a quoted line is taken for an order",
        By(&[
            "quotations_are_marked_and_indents_are_not",
            "below_our_marker_nothing_is_read_unless_it_was_quoted",
            "what_stands_below_outlooks_line_is_quoted",
            "signatures_and_footers_go",
        ]),
    ),
    (
        "an end of data is smuggled in",
        By(&["text_ends_only_at_its_end", "any_text_fits_any_server"]),
    ),
    ("an address is an option of sendmail", By(&["a_mailbox_is_a_name_and_an_address"])),
    ("a terminal obeys what a letter says", By(&["names_and_subjects_are_one_visible_line"])),
    ("a player writes a template", By(&["what_a_player_writes_is_never_a_template"])),
    (
        "a setting is a bomb",
        By(&["what_cannot_be_is_named_with_its_place", "a_bad_file_is_told_its_line"]),
    ),
    // Letters out.
    (
        "a letter is not posted, or twice",
        By(&[
            "what_cannot_be_posted_waits_and_is_tried_again",
            "a_letter_that_is_refused_for_good_is_told_to_the_moderator",
            "letters_leave_in_order_wait_when_postponed_and_are_forgotten_when_sent",
        ]),
    ),
    (
        "a game's letters are no thread",
        By(&["each_question_is_answered_once_in_its_thread_and_changes_nothing"]),
    ),
    ("a letter loads what spies", By(&["the_html_of_a_letter_loads_nothing"])),
    ("a letter is not the same twice", By(&["the_same_draft_gives_the_same_bytes"])),
    ("a game stalls and nobody knows", By(&["a_game_that_waits_too_long_reminds_once_a_week"])),
];

//! Threats from automatic mail, from floods and bounces, and from the contents of letters in and
//! out.

use super::Coverage::{self, ByTests};

pub const THREATS_BY_LETTERS: &[(&str, Coverage)] = &[
    // Automatic mail, floods and bounces.
    (
        "automatic mail programs answer each other without end",
        ByTests(&[
            "automatic_letters_are_never_answered",
            "undeclared_robot_gets_four_letters_at_most",
            "own_letters_fed_back_are_ignored",
            "automatic_mail_is_detected_by_headers",
            "system_mail_is_detected_by_address_or_subject",
            "automatic_mail_is_detected_by_rare_headers",
            "absence_notice_is_detected_by_subject_start",
            "empty_return_path_differs_from_missing_one",
        ]),
    ),
    (
        "a mail program's unsubscribe button removes a player from a game",
        ByTests(&[
            "letters_of_own_games_have_no_unsubscribe_button",
            "observer_unsubscribes_from_one_game_only",
        ]),
    ),
    (
        "a subject on a phone's lock screen shows a secret",
        ByTests(&["subject_of_each_letter_names_game_and_request"]),
    ),
    (
        "a letter from a person is mistaken for automatic mail",
        ByTests(&["order_under_vacation_subject_is_carried_out"]),
    ),
    (
        "forged letters use up the answer limit of the member whom they name",
        ByTests(&[
            "forged_letters_use_up_no_answers_of_member",
            "forged_letters_use_up_no_answers_of_moderator",
            "forged_letters_do_not_block_invitation_or_question",
            "mailbox_gets_one_question_weekly_per_member",
        ]),
    ),
    (
        "members cause letters to people who do not want any",
        ByTests(&[
            "nonmember_gets_one_weekly_and_three_monthly_letters",
            "newcomer_may_invite_five_before_first_turn",
            "daily_invitation_cap_holds_and_is_reported_once",
            "stop_reply_is_remembered_and_not_answered",
            "stop_reply_works_on_question_and_list",
            "unsubscribe_button_refuses_for_its_mailbox_only",
            "member_can_turn_invitations_off_and_on",
        ]),
    ),
    (
        "an attacker blocks invitations to another person",
        ByTests(&[
            "stop_without_token_or_proof_is_ignored",
            "refuse_mail_token_opens_for_its_mailbox_only",
            "polite_no_declines_only_that_invitation",
            "founder_may_invite_eight_friends_at_once",
            "person_who_refused_may_return_by_writing",
        ]),
    ),
    (
        "notes about quarantined letters fill the moderator's mailbox",
        ByTests(&["quarantine_notes_to_moderator_are_bundled_and_limited"]),
    ),
    (
        "letters from many strangers delay the letters to players",
        ByTests(&[
            "game_letters_leave_despite_queued_answers",
            "flood_from_one_domain_delays_only_that_domain",
            "proven_and_invited_newcomers_are_served_despite_flood",
        ]),
    ),
    (
        "one member uses up the daily quota of letters",
        ByTests(&["one_mailbox_cannot_exhaust_daily_quota"]),
    ),
    (
        "one sender writes without end",
        ByTests(&[
            "refused_orders_have_own_answer_limit",
            "address_variants_count_as_one_mailbox",
            "answers_stop_after_hourly_limit_with_notice",
            "limit_allows_answers_then_last_notice_then_silence",
        ]),
    ),
    (
        "an attacker makes the club flood another person's mailbox",
        ByTests(&[
            "stranger_gets_one_answer_without_quotation",
            "invitations_are_limited_and_resignations_stay_recorded",
            "strangers_join_open_club_after_confirmation",
            "stranger_answers_are_capped_despite_forged_letters",
            "stranger_gets_three_answers_first_day_then_daily",
            "messages_are_limited_to_twenty_letters_daily",
        ]),
    ),
    (
        "letters to a member bounce",
        ByTests(&[
            "bounce_reports_match_expected_files",
            "undeliverable_member_gets_no_letters_moderator_is_told",
            "undeliverable_member_who_writes_gets_missed_news",
            "fifth_soft_bounce_in_a_row_triggers_probe",
            "real_bounce_reports_make_member_undeliverable",
            "member_recovers_if_second_probe_does_not_bounce",
            "whole_game_is_played_over_real_servers",
        ]),
    ),
    (
        "a bounce report is forged",
        ByTests(&[
            "forged_report_causes_at_most_one_probe",
            "member_gets_at_most_one_probe_daily",
            "reply_to_probe_voids_bounce_evidence",
        ]),
    ),
    (
        "a mail server refuses letters to all members for an hour or a day",
        ByTests(&[
            "one_hour_of_mass_refusals_affects_no_member",
            "one_day_of_mass_refusals_affects_no_member",
            "mass_refusal_delays_undeliverable_status_four_days",
        ]),
    ),
    (
        "a member makes their own letters bounce to gain time",
        ByTests(&[
            "undeliverable_players_time_pauses_once_a_year",
            "bounce_of_old_or_invented_letter_is_quarantined",
            "others_learn_of_undeliverable_player_in_next_letter",
        ]),
    ),
    (
        "a mail server refuses the club itself, and so every letter",
        ByTests(&[
            "refused_session_keeps_every_letter",
            "ten_days_of_refusals_lose_no_letter",
            "ten_days_without_server_lose_no_letter",
        ]),
    ),
    (
        "a mail server refuses one letter",
        ByTests(&[
            "member_refused_in_session_becomes_undeliverable",
            "refusals_20_hours_apart_make_members_undeliverable",
            "bad_letter_is_blamed_if_moderators_note_leaves",
            "refused_letter_to_stranger_is_dropped_quietly",
        ]),
    ),
    (
        "the connection breaks after the server has accepted a letter",
        ByTests(&["cut_connection_loses_nothing_and_repeats_uncertain_letters"]),
    ),
    (
        "the outbound mail program hangs or fails",
        ByTests(&["mail_program_exit_code_decides_error_kind"]),
    ),
    // The contents of inbound letters.
    (
        "a letter is very large, deeply nested or malformed",
        ByTests(&["every_exceeded_limit_has_its_error"]),
    ),
    (
        "a letter takes very much time or memory to read",
        ByTests(&["letter_memory_stays_within_bounds"]),
    ),
    ("a letter is unreadable", ByTests(&["unreadable_letters_are_quarantined_and_stop_nobody"])),
    (
        "a letter contains another letter as an attachment",
        ByTests(&["enclosed_letters_are_not_opened"]),
    ),
    ("a letter uses a wrong or unusual charset", ByTests(&["letters_match_expected_descriptions"])),
    (
        "a phone replaces characters of an order by typographic ones",
        ByTests(&["typographic_characters_become_ascii"]),
    ),
    (
        "a header is injected through a name or a subject",
        ByTests(&[
            "control_characters_cannot_end_header",
            "name_and_subject_become_one_visible_line",
        ]),
    ),
    (
        "a letter has only HTML, or hides text in HTML",
        ByTests(&[
            "numeric_line_end_entity_stays_in_quotation",
            "broken_html_is_still_converted",
            "letters_match_expected_descriptions",
        ]),
    ),
    (
        "a quoted line is mistaken for an order",
        ByTests(&[
            "blockquote_is_quoted_and_indent_is_not",
            "text_below_unquoted_reply_marker_is_ignored",
            "text_below_outlook_divider_is_quoted",
            "signatures_and_footers_are_removed",
        ]),
    ),
    (
        "a letter's text contains the SMTP end-of-data line",
        ByTests(&["dot_line_in_text_does_not_end_it", "composed_letter_is_valid_for_any_text"]),
    ),
    (
        "an address looks like an option of the sendmail program",
        ByTests(&["mailbox_parses_into_name_and_address"]),
    ),
    (
        "a letter contains control codes for the moderator's terminal",
        ByTests(&["name_and_subject_become_one_visible_line"]),
    ),
    (
        "a player's text contains template syntax",
        ByTests(&["player_text_is_never_expanded_as_template"]),
    ),
    (
        "a setting or a game definition is invalid or too large",
        ByTests(&["invalid_settings_are_reported", "bad_definition_reports_faulty_line"]),
    ),
    // Outbound letters.
    (
        "a letter is never sent, or is sent twice",
        ByTests(&[
            "unposted_letters_stay_queued_and_are_retried",
            "permanently_refused_letter_is_reported_to_moderator",
            "outbox_keeps_order_postpones_and_removes_sent_letters",
        ]),
    ),
    (
        "a mail program cannot show a game's letters as one thread",
        ByTests(&["question_is_answered_once_in_its_thread"]),
    ),
    (
        "a letter loads external content that tracks its reader",
        ByTests(&["html_part_loads_no_external_content"]),
    ),
    ("composing a letter twice gives different bytes", ByTests(&["same_draft_gives_same_bytes"])),
    (
        "a game stalls because the awaited player forgets it",
        ByTests(&["awaited_player_is_reminded_once_a_week"]),
    ),
];

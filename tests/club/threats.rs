//! What can go wrong with mail, and the test that says it does not: each line below names its
//! threat or promise and the tests that hold it, or says why none does. A test that is taken away
//! breaks this table.

use std::fs;
use std::path::Path;

/// What stands against a threat.
enum Held {
    /// These tests.
    By(&'static [&'static str]),
    /// None, for this reason.
    Not(&'static str),
}

use Held::{By, Not};

const THREATS: &[(&str, Held)] = &[
    // Who wrote it.
    ("a sender is forged", By(&["a_token_in_other_hands_is_for_the_moderator"])),
    ("a letter has two senders", By(&["two_senders_and_ourselves_are_nobody"])),
    (
        "a sender's proof is forged",
        By(&["others_and_lower_ones_are_not", "the_doctor_sees_whether_senders_are_proven"]),
    ),
    ("a proof is another method's or domain's", By(&["a_pass_must_be_dmarcs_and_the_senders"])),
    ("a club wants proof of each sender", By(&["a_sender_may_have_to_be_proven"])),
    ("a token is guessed or cut short", By(&["a_short_seal_opens_nothing"])),
    (
        "a token is used for another seat, game or position",
        By(&["a_token_opens_for_its_own_position_and_generation_only"]),
    ),
    (
        "a token gets into other hands",
        By(&[
            "a_token_in_other_hands_goes_to_quarantine_and_the_moderator",
            "after_a_rotation_only_the_new_letter_can_be_replied_to",
            "whoever_asks_for_new_marks_makes_all_void_that_he_has_got",
            "a_moderator_makes_all_marks_of_a_member_void",
            "a_moderator_makes_his_own_marks_void",
            "what_was_made_void_stays_so_when_the_club_is_rebuilt_from_its_journal",
            "a_mark_of_another_club_is_worth_nothing",
        ]),
    ),
    ("a token stands in what others are shown", By(&["no_text_of_a_letter_shows_a_token"])),
    ("an address changes", By(&["orders_come_from_any_address_and_letters_go_to_the_first"])),
    (
        "an address looks like another",
        By(&["what_cannot_be_is_refused", "a_mailbox_is_a_name_and_an_address"]),
    ),
    (
        "a mailbox is taken over",
        By(&[
            "the_moderators_hand_is_told_to_everyone",
            "nothing_is_left_to_who_had_a_members_mailbox",
        ]),
    ),
    (
        "a consent is given again, or late",
        By(&[
            "a_question_about_an_address_is_answered_once",
            "what_was_asked_before_the_addresses_changed_is_settled",
            "an_invitation_is_accepted_once",
            "an_answer_without_the_word_makes_no_question_live_longer",
        ]),
    ),
    (
        "a letter asks for a new address",
        By(&[
            "a_member_moves_to_an_address_that_he_can_read",
            "nobodys_mailbox_is_filled_and_no_address_is_taken_from_its_owner",
        ]),
    ),
    (
        "somebody is made a member who does not want to be",
        By(&[
            "who_is_invited_becomes_a_member_by_his_own_word_only",
            "nothing_but_a_first_line_that_is_the_word_is_consent",
            "a_letter_of_ours_that_is_quoted_below_is_no_consent",
            "a_program_consents_to_nothing",
        ]),
    ),
    (
        "a new member bears another's name",
        By(&[
            "a_new_member_bears_nobody_elses_name",
            "what_looks_like_somebodys_name_is_not_free",
            "what_letters_say_of_somebody_else_is_not_free",
        ]),
    ),
    (
        "who has left a seat still plays from it",
        By(&[
            "who_resigns_is_replaced_by_who_waits_and_else_the_seat_is_open_to_all",
            "letters_of_the_same_pass_find_the_seat_in_its_new_hands",
        ]),
    ),
    (
        "a member fills the mailboxes of others",
        By(&[
            "a_hundred_letters_of_one_member_cost_the_others_little",
            "what_becomes_of_a_proposal_waits_for_the_next_letter_and_is_told_once",
        ]),
    ),
    (
        "a private word reaches who came to a seat after it was written",
        By(&[
            "a_word_to_who_leaves_in_the_same_pass_reaches_nobody_and_its_writer_knows",
            "a_word_that_was_written_before_the_seat_changed_hands_is_not_told_to_who_came",
        ]),
    ),
    (
        "who takes a seat over learns what was said without a name from it",
        By(&["who_speaks_and_goes_in_one_pass_is_not_taken_for_who_comes"]),
    ),
    (
        "who has left the club is still known to it",
        By(&["who_leaves_the_club_leaves_no_address_behind_and_his_games_go_on"]),
    ),
    (
        "a later build does not know a mark or a form that an earlier one made",
        By(&[
            "a_club_of_november_is_played_on",
            "a_club_of_november_is_played_on_from_its_journal",
        ]),
    ),
    (
        "the store is lost with letters that nobody has got",
        By(&[
            "what_could_not_be_posted_is_posted_after_a_restore_once",
            "of_more_letters_than_the_journal_holds_each_player_gets_his_newest_once",
            "from_a_journal_of_november_everyone_gets_his_newest_letter_once",
        ]),
    ),
    (
        "the machine is lost",
        By(&["a_club_comes_back_on_a_new_machine_from_what_the_readme_says_to_back_up"]),
    ),
    // Letters that come twice, late, or out of order.
    ("an old letter is sent again", By(&["the_same_letter_twice_is_done_once"])),
    (
        "a letter is delivered again after a restore",
        By(&["a_letter_that_comes_again_after_a_restore_is_not_done_again"]),
    ),
    ("a letter is delivered twice", By(&["a_second_delivery_is_the_same_letter"])),
    (
        "letters overtake each other",
        By(&[
            "an_answer_to_an_old_letter_never_moves_by_surprise",
            "an_older_letter_is_overtaken_where_it_matters",
        ]),
    ),
    ("a letter lies about its date", By(&["the_date_in_a_letter_counts_for_nothing"])),
    (
        "a letter is late through no fault of its writer",
        Not("who is waited for is reminded; the date of receipt counts, and no sender's clock"),
    ),
    (
        "a mail server is gone, or drops the line",
        By(&[
            "a_server_that_drops_the_line_after_any_command_loses_and_doubles_nothing",
            "where_a_server_cannot_move_letters_none_is_lost_or_doubled",
            "without_the_server_the_pass_goes_on",
            "a_whole_game_by_real_mail_servers",
        ]),
    ),
    (
        "a mail server keeps a letter back",
        By(&[
            "a_letter_that_the_server_does_not_hand_over_stops_no_other",
            "clocks_wait_a_day_for_a_letter_that_is_withheld_and_not_for_ever",
            "a_withheld_letter_that_comes_within_the_day_is_in_time",
        ]),
    ),
    (
        "a mail server says anything, for ever, or a byte now and then",
        By(&[
            "a_session_is_over_in_time_whatever_the_server_says",
            "an_answer_is_as_long_and_deep_as_what_was_asked_for",
            "a_letter_that_is_too_large_is_not_loaded_whole",
            "strange_dates_and_bytes_from_a_server_do_no_harm",
        ]),
    ),
    (
        "a letter is deleted on a server that we have never read",
        By(&["nothing_that_we_did_not_fetch_is_expunged"]),
    ),
    (
        "the numbers of a server's letters change",
        By(&["a_number_that_means_another_letter_is_not_used"]),
    ),
    (
        "a mail server repeats the password",
        By(&[
            "a_password_is_not_repeated_in_any_form_in_which_it_was_sent",
            "no_password_is_printed_whatever_a_server_repeats",
            "no_password_is_told_the_moderator_when_a_way_out_repeats_it",
        ]),
    ),
    (
        "the network is slow",
        By(&[
            "letters_that_are_here_are_read_before_the_server_is_spoken_to",
            "nobody_pays_for_the_time_in_which_no_letter_could_be_read",
        ]),
    ),
    (
        "something in the inbox is no letter",
        By(&[
            "what_is_no_letter_in_the_inbox_stops_nothing_and_is_told_of_once",
            "a_name_that_is_no_text_or_too_long_is_a_name_like_any_other",
            "a_file_that_is_enormous_or_older_than_time_is_a_file_like_any_other",
        ]),
    ),
    (
        "a clock is wrong",
        By(&[
            "a_clock_that_was_never_set_does_nothing_and_says_so",
            "times_at_the_end_of_the_calendar_stop_no_pass",
        ]),
    ),
    (
        "a letter comes by a pipe that cannot take it",
        By(&[
            "a_pipe_takes_what_is_a_letter_and_keeps_the_rest_with_the_mail_server",
            "a_whole_game_by_real_mail_servers",
        ]),
    ),
    (
        "the store is gone, emptied or an older one",
        By(&[
            "a_store_that_is_gone_is_seen_by_every_command_and_restored",
            "a_store_that_is_gone_is_seen_when_nothing_waits",
            "a_store_that_is_emptied_or_cut_short_is_seen",
            "an_older_store_is_no_store",
            "a_club_that_has_no_mark_is_compared_with_its_journal",
            "what_is_being_rebuilt_is_opened_by_nobody",
        ]),
    ),
    (
        "a bit of the store is flipped",
        By(&[
            "a_flipped_bit_changes_no_reading_or_is_told",
            "a_flipped_bit_anywhere_in_a_long_file_loses_nothing_in_silence",
            "what_sled_can_make_again_is_made_again_when_it_is_damaged",
            "a_note_that_was_changed_anywhere_is_none",
        ]),
    ),
    (
        "a tray lies on another file system",
        By(&[
            "letters_are_put_away_onto_another_file_system",
            "a_file_that_cannot_be_carried_stays_where_it_is",
        ]),
    ),
    (
        "the way out leads into the inbox",
        By(&["a_way_out_that_leads_into_the_inbox_is_refused_under_any_name"]),
    ),
    (
        "a later version has written what this one reads",
        By(&[
            "what_a_later_version_wrote_is_not_dropped_in_silence",
            "what_a_later_version_added_is_told_from_what_is_broken",
            "a_game_of_a_later_form_is_told_from_a_forged_one",
        ]),
    ),
    (
        "a file is made to take for ever",
        By(&[
            "what_is_nested_deeply_is_refused_before_it_takes_a_minute",
            "a_document_that_is_no_game_is_refused_soon",
        ]),
    ),
    (
        "a kill leaves half a snapshot of the store",
        By(&["what_a_kill_left_of_a_snapshot_is_taken_away"]),
    ),
    (
        "the journal is gone, older, or knows more than the store",
        By(&[
            "a_journal_that_is_older_or_gone_is_written_anew_even_where_nothing_has_changed",
            "a_journal_that_knows_more_than_the_store_stops_it",
            "a_game_that_ends_otherwise_than_its_journal_is_told",
        ]),
    ),
    (
        "a pass is killed",
        By(&[
            "a_pass_killed_after_any_step_loses_and_doubles_nothing",
            "whatever_a_killed_run_left_the_next_one_ends_the_same",
        ]),
    ),
    // What others learn.
    (
        "a letter shows or hints at what its reader cannot know",
        By(&[
            "letters_show_nothing_that_their_reader_cannot_know",
            "what_others_plan_changes_no_byte_of_what_is_mailed",
            "what_is_hidden_changes_no_byte_of_a_public_letter",
            "letters_of_a_game_with_options_show_nothing_more",
        ]),
    ),
    (
        "somebody asks before he acts what chance or another's hand will bring",
        By(&[
            "a_preview_says_where_chance_decides_and_invents_nothing",
            "what_falls_is_foretold_only_where_nobody_could_have_it_otherwise",
            "a_dry_run_of_the_moderators_shows_no_log_of_what_chance_would_bring",
        ]),
    ),
    (
        "a letter is made to be refused, so that its refusal tells what it would have brought",
        By(&["what_chance_has_shown_is_not_taken_back_for_a_wrong_line_behind_it"]),
    ),
    (
        "press reaches others than it was meant for",
        By(&[
            "a_private_word_changes_no_byte_of_what_anybody_else_gets",
            "what_a_mail_program_appends_is_never_said",
            "nothing_below_headers_of_any_language_is_passed_on",
            "no_address_and_no_mark_is_passed_on",
            "a_moderator_tells_nobody_an_address_or_a_mark",
            "a_secret_plan_is_never_taken_for_words",
            "who_comes_knows_what_was_said_to_all_and_nothing_that_was_told_his_predecessor_alone",
            "who_speaks_without_his_name_cannot_be_found_out_from_the_letters",
        ]),
    ),
    ("an answer goes to all", By(&["every_letter_has_one_reader_and_the_marks_of_a_program"])),
    // Machines.
    (
        "machines answer each other",
        By(&[
            "machines_are_never_answered",
            "our_own_letters_fed_back_yield_nothing",
            "programs_are_known_by_their_headers",
            "systems_are_known_by_their_addresses_and_subjects",
            "a_null_return_path_is_not_a_missing_one",
        ]),
    ),
    (
        "one writes without end",
        By(&[
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
            "nobody_fills_the_others_mailboxes",
        ]),
    ),
    (
        "letters come back",
        By(&[
            "every_report_says_what_is_expected",
            "a_member_whose_letters_come_back_gets_none_and_the_moderator_knows",
            "who_writes_again_is_told_what_he_has_missed",
            "the_fifth_report_of_hope_is_the_last",
            "a_whole_game_by_real_mail_servers",
        ]),
    ),
    ("a report of a server is forged", By(&["a_forged_report_silences_nobody"])),
    (
        "a member lets his own letters come back",
        By(&[
            "letters_that_come_back_stop_time_once_and_for_no_longer_than_a_vacation",
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
        Not("lettre stuffs dots and sends CRLF only; receiving is the mail server's part"),
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

#[test]
fn every_threat_has_a_test_that_is_there() {
    fn sources(folder: &Path, text: &mut String) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, text);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                text.push_str(&fs::read_to_string(&path).unwrap());
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    sources(&root.join("src"), &mut text);
    sources(&root.join("tests"), &mut text);
    let mut faults = Vec::new();
    for (threat, held) in THREATS {
        match held {
            By(tests) => {
                assert!(!tests.is_empty(), "{threat}: by nothing");
                let gone = tests.iter().filter(|test| !text.contains(&format!("fn {test}(")));
                faults.extend(gone.map(|test| format!("{threat}: there is no test {test}")));
            }
            Not(why) => assert!(why.len() > 20, "{threat}: {why}"),
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

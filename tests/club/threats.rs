//! What can go wrong with mail, and the test that says it does not: each line below names its
//! threat or promise and the tests that hold it, or says why none does. A test that is taken away
//! breaks this table.

mod letters;

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

/// What people can do, and what they could learn.
const OF_PEOPLE: &[(&str, Held)] = &[
    // Who wrote it.
    ("a sender is forged", By(&["a_token_in_other_hands_is_for_the_moderator"])),
    ("a letter has two senders", By(&["two_senders_and_ourselves_are_nobody"])),
    (
        "an address looks like a member's, as the difference is invisible",
        By(&[
            "sender_with_hidden_characters_is_somebody_else",
            "address_with_hidden_characters_is_refused",
        ]),
    ),
    (
        "a sender's proof is forged",
        By(&[
            "others_and_lower_ones_are_not",
            "a_broken_word_of_our_server_is_none_and_the_next_one_does_not_stand_for_it",
            "the_doctor_sees_whether_senders_are_proven",
        ]),
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
    (
        "somebody who has left is still named in a file",
        By(&[
            "forgotten_member_is_in_no_file",
            "left_member_is_in_no_file_after_pass",
            "erasure_killed_after_any_step_ends_the_same",
            "vote_is_logged_by_seats",
        ]),
    ),
    (
        "a token stands in what others are shown",
        By(&[
            "a_mark_stands_in_the_reply_address_and_in_links_alone",
            "a_quoted_page_of_ours_is_never_read_and_its_links_go_nowhere",
            "a_text_keeps_no_half_of_a_token_that_is_cut_over_lines",
        ]),
    ),
    (
        "a letter with buttons is passed on, and they are tapped",
        By(&[
            "a_letter_that_was_passed_on_moves_for_nobody_and_its_owner_hears_of_it_once",
            "where_a_mark_alone_lets_in_no_page_holds_one",
        ]),
    ),
    ("an address changes", By(&["orders_come_from_any_address_and_letters_go_to_the_first"])),
    (
        "an address looks like another",
        By(&["what_cannot_be_is_refused", "a_mailbox_is_a_name_and_an_address"]),
    ),
    (
        "a name is an advertisement with a link",
        By(&["name_with_web_address_is_refused", "founder_invites_friends_on_day_one"]),
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
            "a_member_who_is_invited_says_yes_or_writes_anything_else",
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
        "a mark is in other hands, and its owner does not hear of it",
        By(&[
            "a_member_is_told_at_his_own_address_of_a_letter_that_came_from_elsewhere",
            "nobody_is_told_of_a_letter_without_a_valid_mark",
        ]),
    ),
    (
        "somebody learns who is a member, or of a private game",
        By(&[
            "invitation_answer_discloses_nothing",
            "question_answer_discloses_nothing",
            "what_a_stranger_cannot_join_he_is_told_with_what_he_can",
        ]),
    ),
    (
        "somebody is made a member who does not want to be",
        By(&[
            "who_is_invited_becomes_a_member_by_his_own_word_only",
            "nothing_but_a_first_line_that_is_the_word_is_consent",
            "a_game_may_be_named_in_any_way_and_nothing_but_the_word_is_consent",
            "a_letter_of_ours_that_is_quoted_below_is_no_consent",
            "a_program_consents_to_nothing",
        ]),
    ),
    (
        "a program answers our letters without end and does not show it",
        By(&[
            "robot_without_headers_gets_one_answer_a_day",
            "letters_in_which_something_is_found_are_always_answered",
        ]),
    ),
    ("a long line comes back twice", By(&["refusal_quotes_at_most_200_characters"])),
    (
        "a mistyped address is given a hand",
        By(&[
            "address_without_answer_gets_question_and_no_hand",
            "changed_first_address_is_asked_again",
        ]),
    ),
    (
        "a message reaches others than its writer meant",
        By(&["name_that_means_others_too_is_asked_about"]),
    ),
    (
        "a new member bears another's name",
        By(&[
            "a_new_member_bears_nobody_elses_name",
            "what_looks_like_somebodys_name_is_not_free",
            "reserved_words_are_found_in_any_disguise",
            "joining_words_are_in_no_name",
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
        By(&["club_of_0_2_0_is_played_on", "journal_of_0_2_0_is_restored_and_played_on"]),
    ),
    (
        "the store is lost with letters that nobody has got",
        By(&[
            "what_could_not_be_posted_is_posted_after_a_restore_once",
            "of_more_letters_than_the_journal_holds_each_player_gets_his_newest_once",
            "journal_without_outbox_repeats_each_newest_letter",
        ]),
    ),
    (
        "the machine is lost",
        By(&["a_club_comes_back_on_a_new_machine_from_what_is_to_be_backed_up"]),
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
            "slow_or_endless_answers_end_a_session_in_time",
            "letter_that_takes_too_long_is_kept",
            "slow_server_takes_each_letter_once",
            "letter_perhaps_taken_is_put_off",
            "one_slow_recipient_delays_no_other_letter",
        ]),
    ),
    (
        "somebody on the way answers before a connection is encrypted",
        By(&[
            "answers_injected_before_tls_are_refused",
            "only_starttls_is_said_in_the_clear",
            "nothing_beyond_the_answer_to_starttls_is_read",
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
            "password_is_masked_in_every_form",
            "words_in_common_with_password_are_shown",
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
            "run_after_killed_one_writes_same_journal",
        ]),
    ),
    // What others learn.
    (
        "a letter waits until its reader is somebody else or somewhere else",
        By(&[
            "hand_that_waits_is_kept_from_previous_player",
            "hand_that_waits_is_kept_from_former_member",
            "a_letter_that_waits_goes_where_its_reader_is_now",
            "letter_that_waits_carries_the_current_token",
            "of_a_letter_about_several_games_goes_what_is_still_its_readers",
            "a_note_that_waits_goes_to_who_is_moderator_now",
        ]),
    ),
    (
        "a letter shows or hints at what its reader cannot know",
        By(&[
            "off_the_rails_letters_hide_secrets",
            "paris_connection_letters_hide_secrets",
            "trick_of_the_rails_letters_hide_secrets",
            "what_others_plan_changes_no_byte_of_what_is_mailed",
            "what_is_hidden_changes_no_byte_of_a_public_letter",
            "off_the_rails_options_hide_secrets",
            "other_games_options_hide_secrets",
        ]),
    ),
    (
        "a command shows a moderator who plays what the others hold or write",
        By(&[
            "commands_show_no_secrets_of_running_games",
            "explain_shows_players_letters_only_with_secrets",
            "secrets_flag_shows_one_seat_alone",
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
];

/// Whether a function of this name is run as a test, if only where there are real mail servers.
fn is_test(sources: &str, name: &str) -> bool {
    let Some((before, _)) = sources.split_once(&format!("fn {name}(")) else { return false };
    let attributes =
        before.trim_end_matches(' ').lines().rev().take_while(|line| line.trim().starts_with("#["));
    let attributes: Vec<&str> = attributes.map(str::trim).collect();
    let ignored = attributes.iter().find(|attribute| attribute.starts_with("#[ignore"));
    attributes.contains(&"#[test]") && ignored.is_none_or(|why| why.contains("tests/servers/run"))
}

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
    for (threat, held) in OF_PEOPLE.iter().chain(letters::OF_LETTERS) {
        match held {
            By(tests) => {
                assert!(!tests.is_empty(), "{threat}: by nothing");
                let gone = tests.iter().filter(|test| !is_test(&text, test));
                faults.extend(gone.map(|test| format!("{threat}: there is no test {test}")));
            }
            Not(why) => assert!(why.len() > 20, "{threat}: {why}"),
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

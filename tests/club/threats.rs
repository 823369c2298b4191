//! A table of threats to a club that works by mail, each with the tests that cover it or the reason
//! why no test does. The test below fails if a named test does not exist any more.

mod letters;

use std::fs;
use std::path::Path;

/// The tests that cover a threat.
enum Coverage {
    ByTests(&'static [&'static str]),
    /// The reason why no test covers the threat.
    NotTested(&'static str),
}

use Coverage::{ByTests, NotTested};

/// Threats from people, networks and machines, and the disclosure of secrets.
const THREATS_BY_PEOPLE: &[(&str, Coverage)] = &[
    // The sender of a letter.
    ("a letter has a forged sender", ByTests(&["token_from_wrong_sender_is_quarantined"])),
    ("a letter names two senders", ByTests(&["two_senders_or_own_address_are_not_admitted"])),
    (
        "an address differs from a member's only in invisible characters",
        ByTests(&[
            "sender_with_hidden_characters_is_quarantined",
            "address_with_hidden_characters_is_refused",
        ]),
    ),
    (
        "a letter contains a forged authentication header",
        ByTests(&[
            "only_topmost_header_of_own_server_counts",
            "broken_own_header_blocks_headers_below",
            "doctor_checks_sender_authentication",
        ]),
    ),
    (
        "an authentication header proves another domain, or passes another check than DMARC",
        ByTests(&["dmarc_must_pass_for_sender_domain"]),
    ),
    (
        "a club accepts only letters whose sender passed the DMARC check",
        ByTests(&["sender_without_dmarc_pass_is_quarantined"]),
    ),
    ("a reply token is guessed or truncated", ByTests(&["short_signature_is_invalid"])),
    (
        "a reply token is used for another seat, game or position",
        ByTests(&["seat_token_opens_for_its_position_and_generation"]),
    ),
    (
        "another person gets a member's reply token",
        ByTests(&[
            "token_from_wrong_address_is_quarantined_and_reported",
            "rotation_voids_old_reply_token",
            "new_tokens_void_all_earlier_tokens",
            "moderator_voids_all_tokens_of_member",
            "moderator_voids_own_tokens",
            "voided_tokens_stay_void_after_restore",
            "token_of_another_club_is_invalid",
        ]),
    ),
    (
        "a file still contains the name or address of a member who has left",
        ByTests(&[
            "erased_member_is_in_no_file",
            "leaving_member_is_in_no_file_after_pass",
            "killed_erasure_is_completed_by_rerun",
            "vote_log_names_seats_instead_of_members",
        ]),
    ),
    (
        "a reply token is visible in a text that other people read",
        ByTests(&[
            "reply_token_appears_only_in_header_and_links",
            "quoted_html_is_ignored_and_pasted_tokens_removed",
            "token_cut_across_lines_is_masked",
        ]),
    ),
    (
        "a letter is forwarded, and its new reader taps a button in it",
        ByTests(&[
            "tap_in_forwarded_letter_is_quarantined_and_reported",
            "token_only_admission_puts_no_token_in_html",
        ]),
    ),
    (
        "a member writes from several addresses",
        ByTests(&["orders_accepted_from_any_address_letters_to_first"]),
    ),
    (
        "an address can be confused with another address",
        ByTests(&["invalid_member_changes_are_refused", "mailbox_parses_into_name_and_address"]),
    ),
    (
        "a member's name is an advertisement with a link",
        ByTests(&["name_with_web_address_is_refused", "founder_may_invite_eight_friends_at_once"]),
    ),
    (
        "a thief gets access to a member's or moderator's mailbox",
        ByTests(&[
            "moderator_intervention_is_announced_to_all_players",
            "mailbox_thief_keeps_no_valid_token",
        ]),
    ),
    (
        "a consent arrives twice or too late",
        ByTests(&[
            "address_confirmation_works_once",
            "address_change_voids_earlier_address_questions",
            "invitation_can_be_accepted_once",
            "invited_member_may_accept_or_send_commands",
            "reply_without_yes_keeps_expiry_of_question",
        ]),
    ),
    (
        "a letter asks to add an address to a member",
        ByTests(&[
            "new_address_is_added_after_confirmation_from_it",
            "address_questions_are_limited_and_members_addresses_protected",
        ]),
    ),
    (
        "another person uses a reply token, and its owner does not learn of it",
        ByTests(&[
            "letter_from_unknown_address_is_reported_to_member",
            "letter_with_invalid_token_is_not_reported",
        ]),
    ),
    (
        "a person finds out who is a member, or that a private game exists",
        ByTests(&[
            "invitation_answer_is_same_for_any_invitee",
            "address_question_answer_hides_refusal",
            "unjoinable_game_answer_lists_joinable_games",
        ]),
    ),
    (
        "a person becomes a member without consent",
        ByTests(&[
            "invitee_becomes_member_only_by_own_consent",
            "only_consent_word_on_first_line_counts",
            "stranger_names_game_freely_but_consents_exactly",
            "quoted_question_is_not_consent",
            "automatic_reply_is_not_consent",
        ]),
    ),
    (
        "a mail program answers every letter of the club and looks like a person",
        ByTests(&[
            "undetected_robot_gets_at_most_six_letters_daily",
            "letter_with_recognized_line_is_always_answered",
        ]),
    ),
    (
        "a refusal repeats a very long line of the letter",
        ByTests(&["refusal_shortens_long_quotations"]),
    ),
    (
        "a letter with secret cards goes to a mistyped address",
        ByTests(&[
            "unconfirmed_address_gets_question_but_no_hand",
            "seat_needs_consent_from_new_primary_address",
        ]),
    ),
    (
        "a message reaches other players than its sender meant",
        ByTests(&["ambiguous_name_is_refused"]),
    ),
    (
        "a new member's name can be confused with another member or a word of the club",
        ByTests(&[
            "new_members_name_must_be_distinct",
            "lookalikes_of_member_names_are_refused",
            "reserved_words_are_found_in_any_disguise",
            "names_with_joining_words_are_refused",
            "names_that_letters_use_are_refused",
        ]),
    ),
    (
        "a player who has left a seat still plays for it",
        ByTests(&[
            "resigned_seat_goes_to_waiting_list_or_opens",
            "previous_owners_letters_in_same_pass_are_refused",
        ]),
    ),
    (
        "a member causes many letters to other members",
        ByTests(&[
            "one_members_letters_cause_few_letters_to_others",
            "failed_proposal_is_told_once_with_next_letter",
        ]),
    ),
    (
        "a private message reaches a successor who took over the seat later",
        ByTests(&[
            "message_to_leaving_player_is_dropped_and_reported",
            "message_to_previous_owner_is_withheld_from_successor",
        ]),
    ),
    (
        "a successor learns which anonymous messages the previous owner wrote",
        ByTests(&["leaving_players_message_is_not_attributed_to_successor"]),
    ),
    (
        "the club keeps the name and addresses of a member who has left",
        ByTests(&["leaving_member_is_erased_and_games_continue"]),
    ),
    (
        "a later version does not understand the tokens or files of an earlier one",
        ByTests(&["club_from_0_2_0_continues", "restored_journal_from_0_2_0_continues"]),
    ),
    (
        "the store is lost with letters that have not been sent",
        ByTests(&[
            "unposted_letters_are_posted_once_after_restore",
            "letters_beyond_journal_limit_are_repeated_once_each",
            "restore_without_outbox_journal_repeats_newest_letters",
        ]),
    ),
    ("the club's machine is lost", ByTests(&["club_is_restored_on_new_machine_from_backup"])),
    // Letters that arrive twice, late or out of order; servers and stores that fail.
    ("an old letter is sent a second time", ByTests(&["duplicate_letter_is_carried_out_once"])),
    (
        "a letter is delivered again after a restore",
        ByTests(&["letter_redelivered_after_restore_is_not_repeated"]),
    ),
    ("a letter is delivered twice", ByTests(&["redelivered_letter_has_same_digest"])),
    (
        "letters arrive in another order than they were sent",
        ByTests(&[
            "conflicting_order_in_outdated_letter_is_refused",
            "laid_tile_invalidates_same_square_lay_and_moves",
        ]),
    ),
    ("a letter has a false date", ByTests(&["date_header_is_ignored"])),
    (
        "a letter is late through no fault of its sender",
        NotTested("the club reminds players before a deadline, and counts the date of receipt"),
    ),
    (
        "a mail server cannot be reached, or drops the connection",
        ByTests(&[
            "dropped_connection_loses_and_doubles_no_letter",
            "server_without_move_loses_or_doubles_no_letter",
            "pass_continues_without_mail_server",
            "whole_game_is_played_over_real_servers",
        ]),
    ),
    (
        "a mail server withholds a letter",
        ByTests(&[
            "unfetchable_letter_does_not_block_others",
            "withheld_letter_stops_clocks_for_one_day",
            "letter_withheld_less_than_day_is_in_time",
        ]),
    ),
    (
        "a mail server sends strange, endless or very slow answers",
        ByTests(&[
            "session_ends_in_time_despite_failing_server",
            "overlong_or_deeply_nested_answer_is_refused",
            "oversized_letter_is_truncated_and_quarantined",
            "strange_server_dates_and_bytes_are_harmless",
            "slow_or_endless_answers_end_session_in_time",
            "letter_over_time_limit_stays_queued",
            "slow_server_gets_each_letter_once",
            "uncertain_delivery_is_retried_only_later",
            "one_slow_recipient_delays_no_other_letter",
        ]),
    ),
    (
        "an attacker on the network injects answers before the connection is encrypted",
        ByTests(&[
            "answers_injected_before_tls_are_refused",
            "only_ehlo_and_starttls_are_sent_unencrypted",
            "starttls_reads_only_its_own_answer",
        ]),
    ),
    (
        "a letter is deleted from the mail server before the club has fetched it",
        ByTests(&["only_fetched_letters_are_expunged"]),
    ),
    (
        "the numbers (UIDs) of the letters on a mail server change",
        ByTests(&["uids_are_not_used_after_uidvalidity_changes"]),
    ),
    (
        "a mail server repeats the club's password in an answer",
        ByTests(&[
            "password_is_masked_in_every_encoding",
            "short_overlap_with_password_is_not_masked",
            "password_echoed_by_imap_server_is_masked",
            "password_echoed_by_smtp_server_is_masked",
        ]),
    ),
    (
        "the network is slow",
        ByTests(&[
            "local_letters_are_read_before_server_connection",
            "time_bank_is_not_charged_during_outage",
        ]),
    ),
    (
        "the inbox contains something that is no letter",
        ByTests(&[
            "unreadable_inbox_entries_are_reported_once",
            "any_inbox_file_name_is_accepted",
            "huge_or_oddly_dated_inbox_file_is_handled",
        ]),
    ),
    (
        "the machine's clock is wrong",
        ByTests(&["commands_refuse_implausible_system_time", "extreme_dates_do_not_stop_passes"]),
    ),
    (
        "a letter that arrives by pipe cannot be accepted",
        ByTests(&[
            "pipe_accepts_letters_and_rejects_the_rest",
            "whole_game_is_played_over_real_servers",
        ]),
    ),
    (
        "the store is missing, has been emptied, or is an older copy",
        ByTests(&[
            "missing_store_is_reported_and_restored",
            "missing_store_is_reported_by_idle_pass",
            "emptied_or_truncated_store_is_reported",
            "older_store_is_refused",
            "store_without_mark_is_compared_with_journal",
            "half_rebuilt_store_is_not_opened",
        ]),
    ),
    (
        "a bit of the store is flipped",
        ByTests(&[
            "flipped_store_bit_is_harmless_or_reported",
            "flipped_bit_is_harmless_or_reported",
            "damaged_snapshot_or_conf_is_recreated",
            "corrupted_mark_reads_as_none",
        ]),
    ),
    (
        "a mail folder is on another file system",
        ByTests(&[
            "letters_are_archived_on_another_file_system",
            "failed_rename_leaves_file_in_place",
        ]),
    ),
    (
        "the folder for outgoing letters is inside the inbox",
        ByTests(&["outbound_folder_inside_inbox_is_refused"]),
    ),
    (
        "a later version has written the file that this version reads",
        ByTests(&[
            "journal_of_later_version_is_refused",
            "unknown_field_or_variant_means_newer_version",
            "verify_distinguishes_later_version_from_forgery",
        ]),
    ),
    (
        "a file is made so that reading it would take very long",
        ByTests(&[
            "deeply_nested_yaml_is_rejected_quickly",
            "document_without_game_is_refused_quickly",
        ]),
    ),
    (
        "a kill leaves an incomplete snapshot of the store",
        ByTests(&["unfinished_snapshot_is_removed_on_open"]),
    ),
    (
        "the journal is missing, or is older or newer than the store",
        ByTests(&[
            "outdated_or_missing_journal_is_rewritten",
            "journal_ahead_of_store_blocks_it",
            "game_log_that_differs_from_journal_is_damage",
        ]),
    ),
    (
        "a pass is killed",
        ByTests(&[
            "killed_pass_loses_and_doubles_nothing",
            "next_run_completes_journal_after_kill",
        ]),
    ),
    // The disclosure of secrets.
    (
        "a queued letter leaves after its reader was replaced or changed the address",
        ByTests(&[
            "pending_hand_is_withheld_from_previous_owner",
            "pending_hand_is_withheld_from_erased_member",
            "pending_letter_goes_to_readers_new_address",
            "pending_letter_carries_current_reply_token",
            "pending_digest_drops_game_of_replaced_player",
            "pending_note_goes_to_new_moderator",
        ]),
    ),
    (
        "a letter shows or hints at facts that its reader cannot know",
        ByTests(&[
            "off_the_rails_letters_hide_secrets",
            "paris_connection_letters_hide_secrets",
            "trick_of_the_rails_letters_hide_secrets",
            "plans_change_no_byte_of_others_letters",
            "hidden_state_changes_no_byte_of_public_letter",
            "off_the_rails_options_hide_secrets",
            "other_games_options_hide_secrets",
        ]),
    ),
    (
        "a command shows a moderator who also plays the secrets of other players",
        ByTests(&[
            "commands_show_no_secrets_of_running_games",
            "explain_shows_players_letters_only_with_secrets",
            "secrets_flag_shows_one_seat_only",
        ]),
    ),
    (
        "a preview reveals a result of chance or the cards of another player",
        ByTests(&[
            "preview_stops_where_chance_decides",
            "preview_names_fallen_jewels_only_if_certain",
            "moderator_preview_hides_results_of_chance",
        ]),
    ),
    (
        "a player sees a result of chance, then makes the letter fail to undo it",
        ByTests(&["revealed_chance_stands_despite_later_wrong_line"]),
    ),
    (
        "a message discloses a text or its writer to people for whom it is not meant",
        ByTests(&[
            "private_message_changes_no_byte_for_others",
            "text_appended_by_mail_program_is_not_sent",
            "text_below_quoted_headers_is_not_passed_on",
            "addresses_and_reply_tokens_are_not_passed_on",
            "announcement_with_address_or_token_is_refused",
            "plan_is_never_sent_as_message",
            "successor_sees_public_but_no_private_messages",
            "anonymous_speaker_cannot_be_identified_from_letters",
        ]),
    ),
    (
        "a player's reply goes to all readers of a letter",
        ByTests(&["letters_have_one_recipient_and_automatic_headers"]),
    ),
];

/// Returns whether the sources contain a test of this name that runs in CI. A test that is ignored
/// counts if `tests/servers/run` runs it, against real mail servers.
fn is_test(sources: &str, name: &str) -> bool {
    let Some((before, _)) = sources.split_once(&format!("fn {name}(")) else { return false };
    let attributes =
        before.trim_end_matches(' ').lines().rev().take_while(|line| line.trim().starts_with("#["));
    let attributes: Vec<&str> = attributes.map(str::trim).collect();
    let ignored = attributes.iter().find(|attribute| attribute.starts_with("#[ignore"));
    attributes.contains(&"#[test]") && ignored.is_none_or(|why| why.contains("tests/servers/run"))
}

#[test]
fn every_threat_names_existing_tests() {
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
    for (threat, coverage) in THREATS_BY_PEOPLE.iter().chain(letters::THREATS_BY_LETTERS) {
        match coverage {
            ByTests(tests) => {
                assert!(!tests.is_empty(), "{threat}: no tests");
                let missing = tests.iter().filter(|test| !is_test(&text, test));
                faults.extend(missing.map(|test| format!("{threat}: there is no test {test}")));
            }
            NotTested(why) => assert!(why.len() > 20, "{threat}: {why}"),
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

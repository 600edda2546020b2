"""Each sentence about cards, keys and limits in countersign-security(7), and in the README's summary of it, and the tests that
show that it is so. A sentence that no test shows is reworded or dropped.
"""

import re

from conftest import ROOT

# Of the manual page. The name of a limit and its first sentence are one here.
PROMISES = {
    # What a card shows
    "The payee writes a part of what your bank seals, so a card shows all of it.":
        ["TotalDisplayTests.property", "TotalDisplayTests.knownCases", "test_hidden_text.test_the_amount_is_on_the_card"],
    "What a browser would not show appears in its place as [hidden: …]: comments, scripts, unknown tags, attributes "
    "that contain words.":
        ["HTMLTextTests.page", "HTMLPageTests.total", "OtherParserTests.shown"],
    "Hidden text of more than 1,000 characters is cut, and its length shown; approving then asks you to type the "
    "title.":
        ["HTMLTextTests.cut", "test_hidden_text.test_hidden_text_that_is_too_long_asks_for_the_title"],
    "A card leaves out only the tags of common HTML, and those classes, sizes, colours, style declarations and https "
    "addresses of pictures whose form is too narrow for a sentence.":
        ["HarmlessMarkupTests.sheets", "HarmlessMarkupTests.others", "HarmlessMarkupTests.classes", "HarmlessMarkupTests.addresses"],
    "A text counts as a page only when the whole of it is one.":
        ["HTMLPageTests.whole", "HTMLPageTests.plain"],
    "Control characters, zero-width characters and marks of writing direction are made visible.":
        ["DisplayTextTests.everyScalar"],
    "Each value is isolated from the others, so that letters written from right to left do not move any digit.":
        ["DisplayTextTests.everyScalar", "test_hidden_text.test_letters_from_right_to_left_move_no_digits"],
    "A run of blanks is written out, and a line that had to be broken goes on behind a mark that text from outside "
    "cannot have, so a payee decides where no line begins.":
        ["ForgedLineTests.property", "ForgedLineTests.blanks", "LayoutTests.wrap", "LayoutTests.marks"],
    "Keycaps and variation selectors, which terminals draw in different widths, are made visible too.":
        ["DisplayTextTests.line"],
    "Marks on letters count as columns of their own, as some terminals draw them.":
        ["LayoutTests.columns", "test_frames.test_a_mark_may_take_a_cell_of_its_own"],
    "So a line may end early, but no terminal breaks it, unless it is set to draw letters of ambiguous width in two "
    "columns.":
        ["test_frames.test_pyte_finds_each_frame_whole", "test_terminals.test_gnome_terminal_finds_each_frame_whole",
         "test_terminals.test_kitty_finds_each_frame_whole"],
    "So a payee can neither hide a line nor forge one of ours.":
        ["ForgedLineTests.property", "PinentryPageTests.noWindowCutsOrBreaksALine"],
    "But where your bank lets a line feed through into its plain text, nobody can tell the payee's line from the "
    "bank's.":
        ["ForgedLineTests.letThrough"],
    "Before the PIN for an approval is asked for, the whole card is shown, in the agent's window, too, whatever another "
    "front end showed.":
        ["test_terminal.test_approving", "test_pinentry.test_approving_names_bank_title_and_fingerprint",
         "test_agent_api.test_a_front_end_that_shows_something_else_gets_no_pin_for_it"],
    "show REF --source prints the decrypted plaintext itself, and history --source that of past decisions.":
        ["test_hidden_text.test_the_plaintext_is_shown_and_kept"],

    # How keys and PIN work
    "The Secret Service (your keyring) holds a random device secret and, sealed, each connection's RSA-2048 key and "
    "access token, the end of the log and a count of tries.":
        ["test_at_rest.test_the_keyring_tells_nothing", "test_locked_memory.test_keys_in_use_are_nowhere_but_in_locked_memory"],
    "~/.local/state/countersign/ledger.sqlite holds connections and log, sealed row by row, and the sealed master key"
    " with the count of wrong PINs.":
        ["test_at_rest.test_files_tell_nothing"],
    "A random master key seals everything (AES-256-GCM).":
        ["test_limits.test_with_the_pin_and_both_stores_the_log_is_rewritten", "AEADTests.opensWhatOthersSealed"],
    "It is itself sealed under a key made from scrypt of the PIN (N = 65536, r = 8) and the device secret.":
        ["PINVaultTests.realCost", "PINVaultTests.halvesOfTwoVaultsOpenNothing"],
    "So a copy of the file alone opens nothing, and neither does the keyring alone; neither even names your banks.":
        ["test_at_rest.test_the_home_alone_opens_nothing", "test_at_rest.test_the_keyring_alone_opens_nothing",
         "test_at_rest.test_files_tell_nothing", "test_at_rest.test_the_keyring_tells_nothing"],
    "pin change makes a new device secret and destroys the old one.":
        ["test_pin.test_change_makes_the_old_pin_useless"],
    "The old PIN then opens nothing, not even an older copy of the file, and a running agent is shut.":
        ["test_pin.test_change_makes_the_old_pin_useless", "test_agent_process.test_a_change_of_the_pin_shuts_it"],
    "A try is counted on disk, and then in the keyring, before the PIN is checked; the stricter count holds, also where somebody "
    "edited the file.":
        ["test_damaged_items.test_an_edited_series_brings_no_tries_back", "PINVaultTests.anEditedSeriesVoidsNoCount",
         "test_pin.test_an_older_copy_of_the_database_brings_no_tries_back", "PINVaultTests.theStricterCountHolds",
         "PINVaultTests.aKillBeforeTheKeyringCountsCostsATry",
         "test_pin.test_a_kill_while_the_pin_is_checked_costs_a_try",
         "test_pin.test_kills_at_any_moment_never_give_a_free_try"],
    "An entry that no PIN can be, such as two characters, costs no try.":
        ["PINVaultTests.whatNoPINCanBeCostsNoTry", "test_pinentry.test_what_no_pin_can_be_costs_no_try"],
    "The fifth wrong PIN in a row blocks for one minute, the next three for 5, 15 and 60 minutes each, over restarts "
    "and clock changes.":
        ["test_pin.test_five_failures_block", "test_pin.test_each_later_failure_blocks_longer_and_the_ninth_destroys",
         "test_pin.test_the_wall_clock_neither_ends_nor_prolongs_a_block",
         "test_pin.test_after_a_reboot_the_whole_block_counts_again"],
    "In a namespace that shows another time or boot id than the kernel's own, no PIN is tried.":
        ["test_pin.test_a_time_namespace_counts_as_blocked", "test_pin.test_a_false_boot_counts_as_blocked"],
    "The ninth wrong PIN destroys all keys, and every bank must be enrolled again.":
        ["test_pin.test_each_later_failure_blocks_longer_and_the_ninth_destroys"],
    "After five wrong PINs, a PIN from a file is no longer tried, so a script with an old PIN destroys nothing.":
        ["test_pin.test_a_file_never_gets_to_tries_six_to_nine"],
    "A missing or locked keyring costs no try.":
        ["test_pin.test_a_locked_keyring_costs_no_try", "test_pin.test_a_missing_device_secret_costs_no_try"],
    "Neither does a keyring that returns a device secret other than the one stored there: the PIN record keeps a one-way value "
    "of it, and doctor names it as damaged.":
        ["test_pin.test_a_damaged_device_secret_costs_no_try", "PINVaultTests.theCommitmentIsOneWay"],
    "Every other item is sealed under its own name, so one that is empty, changed or in another item's place is damaged, too: exit "
    "code 7, no try, and the others are used all the same.":
        ["test_damaged_items.test_a_banks_item", "test_damaged_items.test_what_cannot_be_decrypted",
         "KeyringCheckTests.eachDamagedItemIsNamed"],
    "The PIN is asked for on the terminal.":
        ["test_pinentry.test_on_a_terminal"],
    "A command that has a display but no terminal (started from a panel, an editor, a hook) asks in the window of a "
    "pinentry, the program that GnuPG uses for its questions.":
        ["test_pinentry.test_without_a_terminal"],
    "That window says what the PIN is for and which process asks.":
        ["test_pinentry.test_the_right_pin_opens", "test_agent_api.test_the_agents_prompt_shows_what_is_approved_and_who_asks"],
    "For an approval it first shows the pages of the card; then it names title, amount, payee, bank, the process that asks "
    "and fingerprint, each on a line of its own.":
        ["test_pinentry.test_approving_names_bank_title_and_fingerprint",
         "test_pinentry.test_a_payment_is_named_in_each_window",
         "test_agent_api.test_the_agents_prompt_shows_what_is_approved_and_who_asks"],
    "In the pages a line that begins with > was written by the bank or the payee, one that begins with ↳ goes on with the "
    "line above, and all others begin with a label of Countersign.":
        ["test_pinentry.test_a_title_cannot_make_lines_of_its_own"],
    "The window of pinentry-fltk has room for only four lines above the PIN, so it leaves out which process asks and, of "
    "a payment, the bank; the pages before say that.":
        ["test_pinentry.test_a_payment_is_named_in_each_window"],
    "A pinentry also asks the yes-or-no questions of deny, enroll and act.":
        ["test_pinentry.test_denying_is_a_yes_or_no", "test_pinentry.test_hosts_are_confirmed",
         "test_pinentry.test_actions_are_confirmed"],
    "After a wrong PIN it asks again, until the third wrong PIN in one command.":
        ["test_pinentry.test_one_command_takes_three_wrong_pins"],
    "It closes by itself when the request expires or the bank withdraws it.":
        ["test_pinentry.test_a_window_closes_when_the_request_expires",
         "test_pinentry.test_a_window_closes_when_the_bank_withdraws",
         "CoreQuestionEndTests.whatExpiresLeavesTheScreen",
         "test_agent_questions.test_what_the_bank_withdraws_leaves_the_screen"],
    "The settings pin_prompt and pinentry choose where the PIN is asked for, and by which program.":
        ["test_pinentry.test_on_a_terminal", "test_pinentry.test_without_a_terminal", "test_pinentry.test_real_pinentries"],
    "Secrets are kept in locked memory that is wiped after use, and the PIN is wiped before a decision is sent to the bank.":
        ["test_locked_memory.test_keys_in_use_are_nowhere_but_in_locked_memory",
         "test_locked_memory.test_a_command_keeps_the_master_key_in_locked_memory",
         "LockedBytesTests.aSlotIsWipedWhenItIsGivenBack",
         "test_locked_memory.test_the_pin_is_wiped_before_the_decision_is_answered"],
    "Other programs of yours can neither trace nor dump the process.":
        ["test_at_rest.test_the_process_is_not_dumped_and_not_traced",
         "test_at_rest.test_another_process_of_the_same_user_cannot_read_it",
         "test_agent_walls.test_a_process_of_the_same_user_cannot_look_into_it"],
    "The agent overwrites all memory that it frees, so that texts of a bank with more than 15 bytes do not stay there "
    "after a lock.":
        ["test_agent_locks.test_a_lock_leaves_no_content_in_memory"],
    "Every decision is written to the log before it is sent, with what was shown, the decrypted plaintext, the bytes "
    "that were signed and the signature.":
        ["test_agent_ending.test_killed_before_the_bank_acted", "DecisionLogTests.anEntryKeepsWhatWasShownAndSigned",
         "test_hidden_text.test_the_plaintext_is_shown_and_kept"],
    "The log's entries are chained, the end of the chain is kept twice, and the fact that a log was begun is sealed with "
    "the master key.":
        ["test_decisions.test_an_edited_event_is_seen", "test_decisions.test_the_newest_events_cut_off_are_seen",
         "test_decisions.test_an_older_database_put_back_is_seen", "test_erased_log.test_an_erased_log_is_seen"],
    "So history --verify detects an edited, shortened or erased log.":
        ["test_decisions.test_an_edited_event_is_seen", "test_decisions.test_the_newest_events_cut_off_are_seen",
         "test_decisions.test_an_older_database_put_back_is_seen", "test_erased_log.test_an_erased_log_is_seen"],
    "With the PIN, history --accept-log accepts a broken log as it is: that is itself an event of the log, and verification goes "
    "on from there and always shows it.":
        ["test_erased_log.test_a_lost_end_is_named_and_accepted", "test_erased_log.test_accepting_takes_the_pin",
         "AcceptedBreakTests.whatIsThereIsAccepted"],
    "A decision whose answer was lost is never sent again automatically.":
        ["test_decisions.test_a_lost_answer_is_unknown_and_is_resolved",
         "test_v2.test_a_lost_answer_is_resolved_by_the_status"],

    # What this protects from
    "A thief who has the disk's files or the keyring alone.":
        ["test_at_rest.test_the_home_alone_opens_nothing", "test_at_rest.test_the_keyring_alone_opens_nothing"],
    "A network that reads or changes traffic: calls go over TLS, and payloads are sealed for your key.":
        ["TransportTests.withoutGoodTLSNothingIsSent", "FixtureEnvelopeTests.*"],
    "Banks and payees that hide things in markup, control characters or writing direction.":
        ["TotalDisplayTests.property", "test_terminal.test_hostile_cards"],
    "A web page that sends a forged redirect during enrollment.":
        ["test_enroll.test_what_is_forged_leaves_the_wait_standing"],
    "A picture of a code that was made to harm the decoder: a process of its own reads it, with limits on memory and time, and "
    "nothing but the picture.":
        ["test_pictures.test_the_decoder_has_limits_and_a_process_of_its_own",
         "test_pictures.test_a_picture_of_any_size_is_read_within_its_bounds"],
    "Another user of this computer who sends something to the address where an enrollment or a login waits for your browser: it counts "
    "for nothing.":
        ["LoopbackServerTests.anotherUserIsNotAnsweredAndDoesNotEndTheWait", "ConnectionOwnerTests.whose"],

    # What this cannot protect from
    "A program that runs as you: It can copy file and keyring while the keyring is unlocked and try PINs without any "
    "limit, at an eighth to a quarter of a second each: all six-digit PINs in one and a half to three days on one core.":
        ["test_limits.test_with_both_stores_pins_are_tried_without_a_limit", "PINVaultTests.realCost"],
    "The agent accepts PINs only from countersign, which it recognises by its file or, where that cannot be seen, by the "
    "name of the process.":
        ["test_agent_api.test_a_pin_from_a_foreign_program_is_not_even_tried", "Callers.onlyAHiddenFileIsJudgedByTheName"],
    "This keeps honest programs from asking for your PIN, but any program that runs as you can take that name.":
        ["test_agent_api.test_a_pin_from_a_foreign_program_is_not_even_tried", "Callers.onlyAHiddenFileIsJudgedByTheName"],
    "Older copies: Somebody who restores older copies of both file and keyring restores the tries and the PIN of that "
    "time, and removes the newest decisions from the log without --verify noticing.":
        ["test_limits.test_older_copies_of_both_stores_restore_tries_and_pin_and_take_back_decisions"],
    "Somebody who knows the PIN: With both stores they can rewrite the log so that it verifies.":
        ["test_limits.test_with_the_pin_and_both_stores_the_log_is_rewritten"],
    "Root: Root can read the keys in the memory of an open agent.":
        ["test_locked_memory.test_keys_in_use_are_nowhere_but_in_locked_memory"],
    "Swap and hibernation: Keys and PIN stay out of swap as long as enough memory may be locked, which doctor "
    "measures.":
        ["test_locked_memory.test_keys_in_use_are_nowhere_but_in_locked_memory",
         "test_locked_memory.test_doctor_measures_what_is_locked",
         "test_locked_memory.test_an_agent_that_cannot_lock_its_keys_says_so"],
    "Beyond that limit commands work with memory that is not locked, and the agent says so once in the journal.":
        ["test_locked_memory.test_commands_work_where_little_may_be_locked",
         "test_locked_memory.test_an_agent_that_cannot_lock_its_keys_says_so"],
    "The working memory of scrypt, which runs for a quarter of a second, and the text of a payment that was shown may "
    "reach swap.":
        ["test_locked_memory.test_keys_in_use_are_nowhere_but_in_locked_memory"],
    "Hibernation writes all of memory.":
        ["test_locked_memory.test_keys_in_use_are_nowhere_but_in_locked_memory"],
    "An access token: The address that your browser remembers may contain it, but it is of no use without the key.":
        ["test_wire_bytes.test_v1_signs_every_call_with_a_token",
         "test_wire_bytes.test_v2_signs_each_call_that_changes_something"],
    "The SCA Service, at banks with v2: What you sign there does not say yes or no; only the address of the call does.":
        ["test_denials.test_a_denial_can_be_used_as_an_approval_and_then_there_is_an_alarm"],
    "So at such a bank you trust the SCA Service with your approvals: it could pass your denial to the bank as an "
    "approval.":
        ["test_denials.test_a_denial_can_be_used_as_an_approval_and_then_there_is_an_alarm"],
    "That is why denying takes the PIN there.":
        ["test_denials.test_on_a_terminal_the_card_comes_first_then_the_pin"],
    "If the bank calls confirmed what you denied, that raises an alarm: exit code 5, a notification, and a mark in "
    "history.":
        ["test_denials.test_a_denial_can_be_used_as_an_approval_and_then_there_is_an_alarm",
         "test_denials.test_the_agent_shows_it_on_the_screen"],
    "Sites that speak Tiqr: The site never sees your PIN: a wrong one is refused and counted here, and never becomes a response.":
        ["test_tiqr_logins.test_a_wrong_pin_is_never_a_response", "test_tiqr_logins.test_a_login_by_script"],
    "So the site's count of wrong responses does not protect the PIN from whoever has file and keyring; a passphrase does.":
        ["test_tiqr_logins.test_a_wrong_pin_is_never_a_response", "test_limits.test_with_both_stores_pins_are_tried_without_a_limit"],

    # Sessions at issuers
    "Refresh and access tokens lie in the same file, sealed row by row, so that neither the file nor the keyring alone opens "
    "them or names an issuer.":
        ["test_session_mistakes.test_nothing_of_a_session_is_in_clear", "test_at_rest.test_files_tell_nothing",
         "test_at_rest.test_the_keyring_tells_nothing", "test_at_rest.test_the_home_alone_opens_nothing"],
    "A refresh token goes to the issuer that gave it and to nobody else: programs get access tokens, and an ID token where a "
    "grant names it.":
        ["test_session_upkeep.test_show_rename_and_what_userinfo_says",
         "test_session_mistakes.test_nothing_of_a_session_is_in_clear",
         "test_session_programs.test_an_id_token_takes_a_grant_of_its_own"],
    "A redirect that does not belong to the login that waits is refused, and one that another issuer sent ends the login before "
    "anything is sent.":
        ["test_session_mistakes.test_forged_redirects_do_not_end_the_wait",
         "test_session_mistakes.test_a_redirect_that_contradicts_itself_ends_the_login"],
    "Signing in again to a session as somebody else is refused.":
        ["test_session_agent_logins.test_again_and_by_whom", "test_sessions.test_another_account_never_replaces_one"],
    "A program that runs as you: It can get tokens in the name of a program that you allowed, by running that program's file, "
    "and any access token while sessions are at hand, by running countersign on a terminal that it makes.":
        ["test_session_programs.test_a_program_gets_what_it_was_allowed",
         "test_session_programs.test_the_person_needs_no_grant_on_a_terminal"],
    "So grants keep honest programs to what you allowed, and are no wall between programs of yours.":
        ["SessionWingTests.aNarrowGrantGivesNoMore", "SessionWingTests.aProgramWithoutAGrantIsNotedAndGetsNothing",
         "test_session_programs.test_the_person_needs_no_grant_on_a_terminal"],
    "Access tokens: Whoever has one can use it until it runs out.":
        ["CuttingTests.withoutACutTokensStayGood", "CuttingTests.untilWhenTokensAreGood"],
    "Revoking a grant ends only what it would have given later; revoke --cut and logout ask the issuer to end what "
    "it gave, and some issuers do not.":
        ["CuttingTests.untilWhenTokensAreGood", "CuttingTests.withoutACutTokensStayGood",
         "test_session_programs.test_a_cut_ends_the_token_in_all_hands",
         "test_session_mistakes.test_an_issuer_that_refuses_to_be_told"],
    "Two issuers, one of them hostile: A hostile issuer can name the page of another one, and take the code for itself.":
        ["test_session_mistakes.test_the_hosts_of_a_mix_up_are_told_apart"],
    "That is noticed where the page's issuer names itself in its answer (RFC 9207); where neither promises that, all that tells "
    "them apart is the hosts that you are shown.":
        ["test_session_mistakes.test_a_redirect_that_contradicts_itself_ends_the_login",
         "test_session_mistakes.test_the_hosts_of_a_mix_up_are_told_apart"],
    "Links and codes that somebody sent you: A session is for whoever is signed in on the issuer's page, so a link that signs "
    "your browser in there as somebody else makes a session of theirs, and what you then store goes to their account.":
        ["test_session_agent_logins.test_again_and_by_whom", "test_sessions.test_another_account_never_replaces_one"],
    "With --device nothing ties the page to this computer, so entering a code that somebody sent you signs them in as you.":
        ["test_session_devices.test_a_code_that_is_entered_elsewhere"],
    "Root and the memory of the agent: While sessions are at hand, and behind the locked screen for a program with --when "
    "unlocked, the key of sessions is in the agent's memory, which opens refresh tokens, but no key of a bank.":
        ["SessionWingTests.theKeyGoesWithTheLastGrantThatNeedsIt", "PINVaultTests.theKeyOfSessionsOpensNothingElse",
         "test_session_programs.test_a_program_without_anybody_there"],
}

# Of the README.
SUMMARY = {
    "A thief who has only the files or only the keyring opens nothing, and does not even learn which banks you use.":
        ["PINVaultTests.realCost", "PINVaultTests.halvesOfTwoVaultsOpenNothing",
         "test_at_rest.test_the_home_alone_opens_nothing", "test_at_rest.test_the_keyring_alone_opens_nothing",
         "test_at_rest.test_files_tell_nothing", "test_at_rest.test_the_keyring_tells_nothing"],
    "A card shows everything that your bank sealed, or warns that it does not.":
        ["TotalDisplayTests.property", "test_hidden_text.test_hidden_text_that_is_too_long_asks_for_the_title"],
    "So a payee can neither hide a line nor forge one of ours.":
        ["ForgedLineTests.property", "test_terminal.test_hostile_cards", "test_pinentry.test_a_title_cannot_make_lines_of_its_own"],
    "But where your bank lets a line feed through into its plain text, nobody can tell the payee's line from the "
    "bank's.":
        ["ForgedLineTests.letThrough"],
    "Approving always takes the PIN.":
        ["test_terminal.test_no_approval_without_the_right_second_pin", "test_agent_api.test_approving_always_asks",
         "test_agent_unlock.test_approving_asks_for_the_pin_all_the_same"],
    "Before the PIN is asked for, the whole card is shown.":
        ["test_terminal.test_approving", "test_pinentry.test_approving_names_bank_title_and_fingerprint"],
    "After the fifth wrong PIN in a row you must wait before the next try; the ninth destroys all keys.":
        ["test_pin.test_five_failures_block", "test_pin.test_each_later_failure_blocks_longer_and_the_ninth_destroys"],
    "`history --verify` detects a log that somebody without the PIN has edited, shortened or erased.":
        ["test_decisions.test_an_edited_event_is_seen", "test_decisions.test_the_newest_events_cut_off_are_seen",
         "test_decisions.test_an_older_database_put_back_is_seen", "test_erased_log.test_an_erased_log_is_seen",
         "test_limits.test_with_the_pin_and_both_stores_the_log_is_rewritten"],
    "But somebody who restores older copies of both file and keyring removes the newest decisions without being noticed, "
    "and restores the tries and the PIN of that time.":
        ["test_limits.test_older_copies_of_both_stores_restore_tries_and_pin_and_take_back_decisions"],
    "A program that runs as you can copy file and keyring while the keyring is unlocked, and try PINs without any "
    "limit: all six-digit PINs in one and a half to three days on one core.":
        ["test_limits.test_with_both_stores_pins_are_tried_without_a_limit", "PINVaultTests.realCost"],
    "Root can read the keys in the memory of an open agent.":
        ["test_locked_memory.test_keys_in_use_are_nowhere_but_in_locked_memory"],
    "At banks with v2 the SCA Service could pass your denial to the bank as an approval.":
        ["test_denials.test_a_denial_can_be_used_as_an_approval_and_then_there_is_an_alarm"],
    "So denying takes the PIN there, and a denial that the bank calls confirmed raises an alarm.":
        ["test_denials.test_on_a_terminal_the_card_comes_first_then_the_pin",
         "test_denials.test_a_denial_can_be_used_as_an_approval_and_then_there_is_an_alarm"],
}


def paragraphs(page):
    """The text of a manual page's paragraphs, without its macros."""
    for block in re.split(r"^\.(?:PP|SH .*)\n|^(?=\.TP\n)", page, flags=re.M):
        # The name of a tagged paragraph stands in the line below the macro.
        block = re.sub(r"\A\.TP\n\.B (.*)$", r"\1:", block, flags=re.M)
        block = re.sub(r"^\.(?:B|I) ", "", block, flags=re.M)
        # A word, and what follows it without a space.
        block = re.sub(r'^\.BR (?:"(.*?)"|(\S+)) (\S+)$', r"\1\2\3", block, flags=re.M)
        assert not re.search(r"^\.", block, re.M), f"a macro that this test does not read: {block}"
        yield " ".join(block.replace("\\-", "-").split())


def sentences(paragraph):
    return re.split(r"(?<=\.) (?=[A-Z`~]|show |pin )", paragraph.replace("**", "").removeprefix("- ")) if paragraph else []


def test_each_sentence_of_the_manual_is_in_the_table():
    page = (ROOT / "Share/Manual/countersign-security.7").read_text()
    page = page[page.index(".SH WHAT A CARD SHOWS\n"):page.index(".SH WHAT LIES OUTSIDE OF THIS PROGRAM\n")]
    assert [sentence for paragraph in paragraphs(page) for sentence in sentences(paragraph)] == list(PROMISES)


def test_each_sentence_of_the_summary_is_in_the_table():
    readme = (ROOT / "README.md").read_text()
    section = re.search(r"^## What it protects from, and what not\n(.*?)^## The house\n", readme, re.M | re.S)[1]
    items = [" ".join(item.split()) for item in re.split(r"\n\s*\n|\n(?=- )", section)]
    assert [sentence for item in items for sentence in sentences(item)] == list(SUMMARY)


def test_each_test_of_the_tables_is_there():
    tests = {}
    for path in (ROOT / "Tests").rglob("test_*.py"):
        tests[path.stem] = set(re.findall(r"^def (test_\w+)\(", path.read_text(), re.M))
    for path in (ROOT / "Tests").rglob("*Tests.swift"):
        # A file may hold several suites.
        for suite in re.split(r"^(?:@Suite(?:\(.*\))? )?struct (?=\w)", path.read_text(), flags=re.M)[1:]:
            name = re.match(r"\w+", suite)[0]
            tests.setdefault(name, {"*"}).update(re.findall(r"@Test.*?func (\w+)\(", suite, re.S))
    named = {name for shown in (*PROMISES.values(), *SUMMARY.values()) for name in shown}
    missing = {name for name in named if name.split(".")[1] not in tests.get(name.split(".")[0], ())}
    assert not missing

"""Each sentence about cards, keys and limits in countersign-security(7), and in the README's summary of it, and the tests that
show that it is so. A sentence that no test shows is reworded or dropped.
"""

import re

from conftest import ROOT

# Of the manual page. The name of a limit and its first sentence are one here.
PROMISES = {
    # What a card shows
    "Whoever is paid writes a part of what your bank seals, so a card shows all of it.":
        ["TotalDisplayTests.property", "TotalDisplayTests.knownCases", "test_hidden_text.test_the_amount_is_on_the_card"],
    "What a browser would not show stands in its place as [hidden: …]: comments, scripts, unknown tags, attributes "
    "that hold words.":
        ["HTMLTextTests.page", "HTMLPageTests.total", "OtherParserTests.shown"],
    "Hidden text of more than 1,000 characters is cut, with its length told; approving then asks you to type the "
    "title.":
        ["HTMLTextTests.cut", "test_hidden_text.test_hidden_text_that_is_too_long_asks_for_the_title"],
    "Left out are only the tags of common HTML, with those classes, sizes, colours, style declarations and https "
    "addresses of pictures that are too narrow in form to hold a sentence.":
        ["QuietMarkupTests.sheets", "QuietMarkupTests.others", "QuietMarkupTests.classes", "QuietMarkupTests.addresses"],
    "A text counts as a page only when the whole of it is one.":
        ["HTMLPageTests.whole", "HTMLPageTests.plain"],
    "Control characters, zero-width characters and marks of writing direction are made visible.":
        ["DisplayTextTests.everyScalar"],
    "Each value stands in an isolate of its own, so that letters written from right to left move no digit.":
        ["DisplayTextTests.everyScalar", "test_hidden_text.test_letters_from_right_to_left_move_no_digits"],
    "Before a PIN is asked for an approval the whole card is shown, in the agent's window too, whatever another front"
    " end showed.":
        ["test_terminal.test_approving", "test_pinentry.test_approving_names_bank_title_and_fingerprint",
         "test_agent_api.test_a_front_end_that_shows_something_else_gets_no_pin_for_it"],
    "show REF --source prints the decrypted plaintext itself, and history --source that of past decisions.":
        ["test_hidden_text.test_the_plaintext_is_shown_and_kept"],

    # How keys and PIN work
    "The Secret Service (your keyring) holds a random device secret and, sealed, each connection's RSA-2048 key and "
    "access token and the end of the log.":
        ["test_at_rest.test_the_keyring_tells_nothing", "test_locked_memory.test_keys_in_use_are_nowhere_but_in_locked_memory"],
    "~/.local/state/countersign/ledger.sqlite holds connections and log, sealed row by row, and the sealed master key"
    " with the count of wrong PINs.":
        ["test_at_rest.test_files_tell_nothing"],
    "A random master key seals everything (AES-256-GCM).":
        ["test_limits.test_with_the_pin_and_both_stores_the_log_is_rewritten", "AEADTests.opensWhatOthersSealed"],
    "It is itself sealed under a key made from scrypt of the PIN (N = 65536, r = 8) and the device secret.":
        ["PINVaultTests.realCost", "PINVaultTests.halvesOfTwoVaultsOpenNothing"],
    "So a copy of the file opens nothing, nor does the keyring alone: neither even names your banks.":
        ["test_at_rest.test_the_home_alone_opens_nothing", "test_at_rest.test_the_keyring_alone_opens_nothing",
         "test_at_rest.test_files_tell_nothing", "test_at_rest.test_the_keyring_tells_nothing"],
    "pin change makes a new device secret and destroys the old one.":
        ["test_pin.test_change_makes_the_old_pin_useless"],
    "The old PIN then opens nothing, no older copy of the file either, and a running agent is shut.":
        ["test_pin.test_change_makes_the_old_pin_useless", "test_agent_process.test_a_change_of_the_pin_shuts_it"],
    "A try is counted on disk before the PIN is checked.":
        ["test_pin.test_a_kill_while_the_pin_is_checked_costs_a_try",
         "test_pin.test_kills_at_any_moment_never_give_a_free_try"],
    "The fifth wrong PIN in a row blocks for one minute, the next three for 5, 15 and 60 minutes each, over restarts "
    "and clock changes.":
        ["test_pin.test_five_failures_block", "test_pin.test_each_later_failure_blocks_longer_and_the_ninth_destroys",
         "test_pin.test_the_wall_clock_neither_ends_nor_prolongs_a_block",
         "test_pin.test_after_a_reboot_the_whole_block_counts_again"],
    "Where a namespace shows another time or boot id than the kernel's own, no PIN is tried.":
        ["test_pin.test_a_time_namespace_counts_as_blocked", "test_pin.test_a_false_boot_counts_as_blocked"],
    "The ninth wrong PIN destroys all keys, and every bank must be enrolled again.":
        ["test_pin.test_each_later_failure_blocks_longer_and_the_ninth_destroys"],
    "After five a PIN from a file is no longer tried, so a stale script destroys nothing.":
        ["test_pin.test_a_file_never_gets_to_tries_six_to_nine"],
    "A missing or locked keyring costs no try.":
        ["test_pin.test_a_locked_keyring_costs_no_try", "test_pin.test_a_missing_device_secret_costs_no_try"],
    "The PIN is asked for on the terminal.":
        ["test_pinentry.test_on_a_terminal"],
    "A command that has no terminal but a display (started from a panel, an editor, a hook) asks in the window of a "
    "pinentry, the program that GnuPG asks with.":
        ["test_pinentry.test_without_a_terminal"],
    "That window says what it is for and which process asks.":
        ["test_pinentry.test_the_right_pin_opens", "test_agent_api.test_the_agents_prompt_shows_what_is_approved_and_who_asks"],
    "For an approval it first shows the pages of the card; then it names fingerprint, bank, amount, payee and title, "
    "in a line each.":
        ["test_pinentry.test_approving_names_bank_title_and_fingerprint",
         "test_pinentry.test_a_payment_is_named_in_each_window",
         "test_agent_api.test_the_agents_prompt_shows_what_is_approved_and_who_asks"],
    "In the pages every line that begins with > was written by the bank or by whoever is paid, the others by "
    "Countersign.":
        ["test_pinentry.test_a_title_cannot_make_lines_of_its_own"],
    "The window of pinentry-fltk has room for four lines above the PIN, and leaves out who asks; the pages before say"
    " that.":
        ["test_pinentry.test_a_payment_is_named_in_each_window"],
    "A pinentry also takes the yes or no of deny, enroll and act.":
        ["test_pinentry.test_denying_is_a_yes_or_no", "test_pinentry.test_hosts_are_confirmed",
         "test_pinentry.test_actions_are_confirmed"],
    "It asks again after a wrong PIN, thrice in one command.":
        ["test_pinentry.test_one_command_takes_three_wrong_pins"],
    "It closes by itself when the request expires, or its bank withdraws it.":
        ["test_pinentry.test_a_window_closes_when_the_request_expires",
         "test_pinentry.test_a_window_closes_when_the_bank_withdraws",
         "test_agent_questions.test_what_expires_leaves_the_screen",
         "test_agent_questions.test_what_the_bank_withdraws_leaves_the_screen"],
    "The settings pin_prompt and pinentry choose where the PIN is asked for, and by which program.":
        ["test_pinentry.test_on_a_terminal", "test_pinentry.test_without_a_terminal", "test_pinentry.test_real_pinentries"],
    "Secrets live in locked memory that is wiped after use, the PIN before a decision leaves for the bank.":
        ["test_locked_memory.test_keys_in_use_are_nowhere_but_in_locked_memory",
         "test_locked_memory.test_a_command_keeps_the_master_key_in_locked_memory",
         "LockedBytesTests.aSlotIsWipedWhenItIsGivenBack",
         "test_locked_memory.test_the_pin_is_wiped_before_the_decision_is_answered"],
    "Other programs of yours can neither trace nor dump the process.":
        ["test_at_rest.test_the_process_is_not_dumped_and_not_traced",
         "test_at_rest.test_another_process_of_the_same_user_cannot_read_it",
         "test_agent_walls.test_a_process_of_the_same_user_cannot_look_into_it"],
    "The agent overwrites all memory that it gives up, so that texts of a bank with more than 15 bytes do not stay "
    "there after a lock.":
        ["test_agent_locks.test_a_lock_leaves_no_content_in_memory"],
    "Every decision is written to the log before it is sent, with what was shown, the decrypted plaintext, the bytes "
    "that were signed and the signature.":
        ["test_agent_ending.test_killed_before_the_bank_acted", "DecisionLogTests.anEntryKeepsWhatWasShownAndSigned",
         "test_hidden_text.test_the_plaintext_is_shown_and_kept"],
    "The log's entries are chained, the chain's end is kept twice, and that a log was begun is sealed with the master"
    " key.":
        ["test_decisions.test_an_edited_event_is_seen", "test_decisions.test_the_newest_events_cut_off_are_seen",
         "test_decisions.test_an_older_database_put_back_is_seen", "test_erased_log.test_an_erased_log_is_seen"],
    "So an edited, shortened or erased log is seen.":
        ["test_decisions.test_an_edited_event_is_seen", "test_decisions.test_the_newest_events_cut_off_are_seen",
         "test_decisions.test_an_older_database_put_back_is_seen", "test_erased_log.test_an_erased_log_is_seen"],
    "A decision whose answer was lost is never sent again by itself.":
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

    # What this cannot protect from
    "A program that runs as you: It can copy file and keyring while the keyring is unlocked and try PINs without any "
    "limit, at about a quarter of a second each: all six-digit PINs in three days on one core.":
        ["test_limits.test_with_both_stores_pins_are_tried_without_a_limit", "PINVaultTests.realCost"],
    "The agent takes PINs from countersign alone, told by its file or, where that cannot be seen, by the process's "
    "name.":
        ["test_agent_api.test_a_pin_from_a_foreign_program_is_not_even_tried", "Callers.onlyAHiddenFileIsJudgedByTheName"],
    "This keeps honest programs from asking for your PIN, but any program of yours can take that name.":
        ["test_agent_api.test_a_pin_from_a_foreign_program_is_not_even_tried", "Callers.onlyAHiddenFileIsJudgedByTheName"],
    "Older copies: Whoever restores older copies of both file and keyring restores the tries and the PIN of that "
    "time, and takes back the newest decisions of the log without --verify noticing.":
        ["test_limits.test_older_copies_of_both_stores_restore_tries_and_pin_and_take_back_decisions"],
    "Whoever knows the PIN: With both stores they can rewrite the log so that it verifies.":
        ["test_limits.test_with_the_pin_and_both_stores_the_log_is_rewritten"],
    "Root: Root can read the keys in the memory of an open agent.":
        ["test_locked_memory.test_keys_in_use_are_nowhere_but_in_locked_memory"],
    "Swap and hibernation: Keys and PIN stay out of swap as long as enough memory may be locked, which doctor "
    "measures.":
        ["test_locked_memory.test_keys_in_use_are_nowhere_but_in_locked_memory",
         "test_locked_memory.test_doctor_measures_what_is_locked",
         "test_locked_memory.test_an_agent_that_cannot_lock_its_keys_says_so"],
    "What scrypt works with for the quarter of a second that it takes, and the text of a payment that was shown, may "
    "reach swap.":
        ["test_locked_memory.test_keys_in_use_are_nowhere_but_in_locked_memory"],
    "Hibernation writes all of memory.":
        ["test_locked_memory.test_keys_in_use_are_nowhere_but_in_locked_memory"],
    "An access token: In the address that your browser keeps, it is of no use without the key.":
        ["test_wire_bytes.test_v1_signs_every_call_with_a_token",
         "test_wire_bytes.test_v2_signs_each_call_that_changes_something"],
    "The SCA Service, at banks of v2: What is signed there says nothing of yes or no, which the address alone tells.":
        ["test_denials.test_a_denial_can_be_used_as_an_approval_and_then_there_is_an_alarm"],
    "So whoever trusts v2 trusts its SCA Service with approvals: it could hand your denial to the bank as an "
    "approval.":
        ["test_denials.test_a_denial_can_be_used_as_an_approval_and_then_there_is_an_alarm"],
    "Denying takes the PIN there for that reason.":
        ["test_denials.test_on_a_terminal_the_card_comes_first_then_the_pin"],
    "If what you denied reads confirmed at the bank, that is an alarm: exit code 5, a notification, and a mark in "
    "history.":
        ["test_denials.test_a_denial_can_be_used_as_an_approval_and_then_there_is_an_alarm",
         "test_denials.test_the_agent_shows_it_on_the_screen"],
}

# Of the README.
SUMMARY = {
    "Whoever steals the disk's files or the keyring alone opens nothing, and does not even learn which banks you use.":
        ["PINVaultTests.realCost", "PINVaultTests.halvesOfTwoVaultsOpenNothing",
         "test_at_rest.test_the_home_alone_opens_nothing", "test_at_rest.test_the_keyring_alone_opens_nothing",
         "test_at_rest.test_files_tell_nothing", "test_at_rest.test_the_keyring_tells_nothing"],
    "A card shows everything that your bank sealed, or warns that it does not.":
        ["TotalDisplayTests.property", "test_hidden_text.test_hidden_text_that_is_too_long_asks_for_the_title"],
    "So a payee can neither hide a line nor forge one.":
        ["test_terminal.test_hostile_cards", "test_pinentry.test_a_title_cannot_make_lines_of_its_own"],
    "Approving always takes the PIN.":
        ["test_terminal.test_no_approval_without_the_right_second_pin", "test_agent_api.test_approving_always_asks",
         "test_agent_unlock.test_approving_asks_for_the_pin_all_the_same"],
    "Before the PIN is asked for, the whole card is shown.":
        ["test_terminal.test_approving", "test_pinentry.test_approving_names_bank_title_and_fingerprint"],
    "From the fifth wrong PIN in a row on you must wait; the ninth destroys all keys.":
        ["test_pin.test_five_failures_block", "test_pin.test_each_later_failure_blocks_longer_and_the_ninth_destroys"],
    "An edited, shortened or erased log is seen, unless the one who did it knows the PIN.":
        ["test_decisions.test_an_edited_event_is_seen", "test_decisions.test_the_newest_events_cut_off_are_seen",
         "test_decisions.test_an_older_database_put_back_is_seen", "test_erased_log.test_an_erased_log_is_seen",
         "test_limits.test_with_the_pin_and_both_stores_the_log_is_rewritten"],
    "But whoever puts back older copies of both file and keyring takes back the newest decisions unseen, and restores the "
    "tries and the PIN of that time.":
        ["test_limits.test_older_copies_of_both_stores_restore_tries_and_pin_and_take_back_decisions"],
    "A program that runs as you can copy file and keyring while the keyring is unlocked, and try PINs without any "
    "limit: all six-digit PINs in three days on one core.":
        ["test_limits.test_with_both_stores_pins_are_tried_without_a_limit", "PINVaultTests.realCost"],
    "Root can read the keys in the memory of an open agent.":
        ["test_locked_memory.test_keys_in_use_are_nowhere_but_in_locked_memory"],
    "At banks of v2 the SCA Service could hand your denial to the bank as an approval; so denying takes the PIN "
    "there, and a denial that reads confirmed is an alarm.":
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
    section = re.search(r"^## What it protects from, and what not\n(.*?)^### What no test can show\n", readme, re.M | re.S)[1]
    items = [" ".join(item.split()) for item in re.split(r"\n\s*\n|\n(?=- )", section)]
    assert [sentence for item in items for sentence in sentences(item)] == list(SUMMARY)


def test_each_test_of_the_tables_is_there():
    tests = {}
    for path in (ROOT / "Tests").rglob("test_*.py"):
        tests[path.stem] = set(re.findall(r"^def (test_\w+)\(", path.read_text(), re.M))
    for path in (ROOT / "Tests").rglob("*Tests.swift"):
        # A file may hold several suites.
        for suite in re.split(r"^(?:@Suite )?struct (?=\w)", path.read_text(), flags=re.M)[1:]:
            name = re.match(r"\w+", suite)[0]
            tests.setdefault(name, {"*"}).update(re.findall(r"@Test.*?func (\w+)\(", suite, re.S))
    named = {name for shown in (*PROMISES.values(), *SUMMARY.values()) for name in shown}
    missing = {name for name in named if name.split(".")[1] not in tests.get(name.split(".")[0], ())}
    assert not missing

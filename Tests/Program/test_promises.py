"""Each sentence of the README about cards, keys and limits, and what shows that it is so. What nothing shows is reworded or
dropped.
"""

import re

from conftest import ROOT

PROMISES = {
    # What a card shows
    "Whoever is paid writes a part of what your bank seals, so a card shows all of it.":
        ["TotalDisplayTests.property", "TotalDisplayTests.knownCases", "test_hidden_text.test_the_amount_is_on_the_card"],
    "What a browser would not show stands in its place as `[hidden: …]`: comments, scripts, unknown tags, attributes that hold words.":
        ["HTMLTextTests.page", "HTMLPageTests.total", "OtherParserTests.shown"],
    "Hidden text of more than 1,000 characters is cut with its length told, and approving then takes the title, typed.":
        ["HTMLTextTests.cut", "test_hidden_text.test_hidden_text_that_is_too_long_asks_for_the_title"],
    "Left out are only the tags of common HTML, with classes, sizes, colours, style declarations and `https` addresses of "
    "pictures in forms so narrow that no sentence fits in.":
        ["QuietMarkupTests.sheets", "QuietMarkupTests.others", "QuietMarkupTests.classes", "QuietMarkupTests.addresses"],
    "A text counts as a page only when the whole of it is one.": ["HTMLPageTests.whole", "HTMLPageTests.plain"],
    "Control characters, zero-width characters and marks of writing direction are made visible, and each value stands in an "
    "isolate of its own, so that letters written from right to left move no digit.":
        ["DisplayTextTests.everyScalar", "test_hidden_text.test_letters_from_right_to_left_move_no_digits"],
    "Before a PIN is asked for an approval the whole card is shown, in the agent's window too, whatever another front end showed.":
        ["test_terminal.test_approving", "test_pinentry.test_approving_names_bank_title_and_fingerprint",
         "test_agent_api.test_a_front_end_that_shows_something_else_gets_no_pin_for_it"],
    "`show REF --source` prints the decrypted plaintext itself, and `history --source` that of past decisions.":
        ["test_hidden_text.test_the_plaintext_is_shown_and_kept"],

    # How keys and PIN work
    "Secret Service | a random device secret; each connection's RSA-2048 key and access token, sealed; the end of the log, sealed":
        ["test_at_rest.test_the_keyring_tells_nothing", "test_locked_memory.test_keys_in_use_are_nowhere_but_in_locked_memory"],
    "`~/.local/state/countersign/ledger.sqlite` | connections and log, sealed row by row; the sealed master key with the count "
    "of wrong PINs":
        ["test_at_rest.test_files_tell_nothing"],
    "A random master key seals everything (AES-256-GCM).":
        ["test_limits.test_with_the_pin_and_both_stores_the_log_is_rewritten", "AEADTests.opensWhatOthersSealed"],
    "It is itself sealed under a key made from scrypt of the PIN (N = 65536, r = 8) and the device secret, so a copy of the "
    "file opens nothing, nor does the keyring alone: neither even names your banks.":
        ["PINVaultTests.realCost", "PINVaultTests.halvesOfTwoVaultsOpenNothing", "test_at_rest.test_the_home_alone_opens_nothing",
         "test_at_rest.test_the_keyring_alone_opens_nothing", "test_at_rest.test_files_tell_nothing",
         "test_at_rest.test_the_keyring_tells_nothing"],
    "`pin change` makes a new device secret and destroys the old one: the old PIN then opens nothing, no older copy of the "
    "file either, and a running agent is shut.":
        ["test_pin.test_change_makes_the_old_pin_useless", "test_agent_process.test_a_change_of_the_pin_shuts_it"],
    "A try is counted on disk before the PIN is checked.":
        ["test_pin.test_a_kill_while_the_pin_is_checked_costs_a_try", "test_pin.test_kills_at_any_moment_never_give_a_free_try"],
    "The fifth wrong PIN in a row blocks for one minute, the next three for 5, 15 and 60 minutes each, over restarts and clock "
    "changes (where a namespace shows another time or boot id than the kernel's own, no PIN is tried); the ninth destroys all "
    "keys, and every bank must be enrolled again.":
        ["test_pin.test_five_failures_block", "test_pin.test_each_later_failure_blocks_longer_and_the_ninth_destroys",
         "test_pin.test_the_wall_clock_neither_ends_nor_prolongs_a_block", "test_pin.test_after_a_reboot_the_whole_block_counts_again",
         "test_pin.test_a_time_namespace_counts_as_blocked", "test_pin.test_a_false_boot_counts_as_blocked"],
    "After five a PIN from a file is no longer tried, so a stale script destroys nothing.":
        ["test_pin.test_a_file_never_gets_to_tries_six_to_nine"],
    "A missing or locked keyring costs no try.":
        ["test_pin.test_a_locked_keyring_costs_no_try", "test_pin.test_a_missing_device_secret_costs_no_try"],
    "The PIN is asked for on the terminal, or, where a command has none but a display (started from a panel, an editor, a "
    "hook), in the window of a pinentry, the program that GnuPG asks with.":
        ["test_pinentry.test_without_a_terminal", "test_pinentry.test_on_a_terminal"],
    "That window says what it is for and which process asks; for an approval, fingerprint, bank, amount, payee and title too, in "
    "a line each, after the pages of the card.":
        ["test_pinentry.test_the_right_pin_opens", "test_pinentry.test_approving_names_bank_title_and_fingerprint",
         "test_pinentry.test_a_payment_is_named_in_each_window",
         "test_agent_api.test_the_agents_prompt_shows_what_is_approved_and_who_asks"],
    "In those pages every line that begins with `>` was written by the bank or by whoever is paid, the others by Countersign.":
        ["test_pinentry.test_a_title_cannot_make_lines_of_its_own"],
    "The window above the PIN of `pinentry-fltk` has room for four lines and leaves out who asks, which the pages before say.":
        ["test_pinentry.test_a_payment_is_named_in_each_window"],
    "It also takes the yes or no of `deny`, `enroll` and `act`, and asks again after a wrong PIN, thrice in one command.":
        ["test_pinentry.test_denying_is_a_yes_or_no", "test_pinentry.test_hosts_are_confirmed",
         "test_pinentry.test_actions_are_confirmed", "test_pinentry.test_one_command_takes_three_wrong_pins"],
    "It closes by itself when the request expires, or its bank withdraws it.":
        ["test_pinentry.test_a_window_closes_when_the_request_expires", "test_pinentry.test_a_window_closes_when_the_bank_withdraws",
         "test_agent_questions.test_what_expires_leaves_the_screen",
         "test_agent_questions.test_what_the_bank_withdraws_leaves_the_screen"],
    "`pin_prompt = \"pinentry\"` in the settings uses it on terminals as well, `\"terminal\"` never (`\"auto\"` is the default); "
    "`pinentry = \"/usr/bin/pinentry-gnome3\"` names another one than the `pinentry` in your PATH.":
        ["test_pinentry.test_on_a_terminal", "test_pinentry.test_without_a_terminal", "test_pinentry.test_real_pinentries"],
    "Secrets live in locked memory that is wiped after use, the PIN before a decision leaves for the bank; other programs of "
    "yours can neither trace nor dump the process.":
        ["test_locked_memory.test_keys_in_use_are_nowhere_but_in_locked_memory",
         "test_locked_memory.test_a_command_keeps_the_master_key_in_locked_memory", "LockedBytesTests.aSlotIsWipedWhenItIsGivenBack",
         "test_locked_memory.test_the_pin_is_wiped_before_the_decision_is_answered",
         "test_at_rest.test_the_process_is_not_dumped_and_not_traced",
         "test_at_rest.test_another_process_of_the_same_user_cannot_read_it",
         "test_agent_walls.test_a_process_of_the_same_user_cannot_look_into_it"],
    "The agent overwrites all memory that it gives up, so that texts of a bank with more than 15 bytes do not stay there after "
    "a lock.":
        ["test_agent_locks.test_a_lock_leaves_no_content_in_memory"],
    "Every decision is written to the log before it is sent, with what was shown, the decrypted plaintext, the bytes that were "
    "signed and the signature.":
        ["test_agent_ending.test_killed_before_the_bank_acted", "DecisionLogTests.anEntryKeepsWhatWasShownAndSigned",
         "test_hidden_text.test_the_plaintext_is_shown_and_kept"],
    "The log's entries are chained, the chain's end is kept twice, and that a log was begun is sealed with the master key, so "
    "that an edited, shortened or erased one is seen.":
        ["test_decisions.test_an_edited_event_is_seen", "test_decisions.test_the_newest_events_cut_off_are_seen",
         "test_decisions.test_an_older_database_put_back_is_seen", "test_erased_log.test_an_erased_log_is_seen"],
    "A decision whose answer was lost is never sent again by itself.":
        ["test_decisions.test_a_lost_answer_is_unknown_and_is_resolved", "test_v2.test_a_lost_answer_is_resolved_by_the_status"],

    # What this cannot protect from
    "Each sentence here and in the two sections above is held to tests (`Tests/Program/test_promises.py`).":
        ["test_promises.test_each_sentence_is_in_the_table", "test_promises.test_each_test_of_the_table_is_there"],
    "A program that runs as you can copy file and keyring while the keyring is unlocked and try PINs without any limit, at about a quarter of a "
    "second each: all six-digit PINs in three days on one core.":
        ["test_limits.test_with_both_stores_pins_are_tried_without_a_limit", "PINVaultTests.realCost"],
    "The agent takes PINs from `countersign` alone, told by its file or, where that cannot be seen, by the process's name: this "
    "keeps honest programs from asking for your PIN, but any program of yours can take that name.":
        ["test_agent_api.test_a_pin_from_a_foreign_program_is_not_even_tried", "Callers.onlyAHiddenFileIsJudgedByTheName"],
    "Older copies: who restores those of both file and keyring restores the tries and the PIN of that time, and takes back the "
    "newest decisions of the log without `--verify` noticing.":
        ["test_limits.test_older_copies_of_both_stores_restore_tries_and_pin_and_take_back_decisions"],
    "Whoever knows the PIN and has both stores can rewrite the log so that it verifies.":
        ["test_limits.test_with_the_pin_and_both_stores_the_log_is_rewritten"],
    "Root can read the keys in the memory of an open agent.":
        ["test_locked_memory.test_keys_in_use_are_nowhere_but_in_locked_memory"],
    "Swap and hibernation: keys and PIN stay out of swap as long as enough memory may be locked, which `doctor` measures; but "
    "what scrypt works with for the quarter of a second that it takes, and the text of a payment that was shown, may reach it, "
    "and hibernation writes all of memory.":
        ["test_locked_memory.test_keys_in_use_are_nowhere_but_in_locked_memory", "test_locked_memory.test_doctor_measures_what_is_locked",
         "test_locked_memory.test_an_agent_that_cannot_lock_its_keys_says_so"],
    "An access token in the address that your browser keeps is of no use without the key.":
        ["test_wire_bytes.test_v1_signs_every_call_with_a_token", "test_wire_bytes.test_v2_signs_each_call_that_changes_something"],
    "The SCA Service, at banks of v2: what is signed there says nothing of yes or no, which the address alone tells.":
        ["test_denials.test_a_denial_can_be_used_as_an_approval_and_then_there_is_an_alarm"],
    "So who trusts v2 trusts its SCA Service with approvals: it could hand your denial to the bank as an approval.":
        ["test_denials.test_a_denial_can_be_used_as_an_approval_and_then_there_is_an_alarm"],
    "Denying takes the PIN there for that reason, and if what you denied reads confirmed at the bank, that is an alarm: exit "
    "code 5, a notification, and a mark in `history`.":
        ["test_denials.test_on_a_terminal_the_card_comes_first_then_the_pin",
         "test_denials.test_a_denial_can_be_used_as_an_approval_and_then_there_is_an_alarm",
         "test_denials.test_the_agent_shows_it_on_the_screen"],
    "What it does hold against: a thief with the disk's files or the keyring alone; a network that reads or changes traffic "
    "(TLS, and payloads sealed for your key); banks and payees that hide things in markup, control characters or writing "
    "direction; a web page that sends a forged redirect during enrollment.":
        ["test_at_rest.test_the_home_alone_opens_nothing", "test_at_rest.test_the_keyring_alone_opens_nothing",
         "TransportTests.withoutGoodTLSNothingIsSent", "FixtureEnvelopeTests.*", "TotalDisplayTests.property",
         "test_terminal.test_hostile_cards", "test_enroll.test_what_is_forged_leaves_the_wait_standing"],
}


def sentences(text):
    """One paragraph, item or row of a table after the other, without its marks."""
    for block in re.split(r"\n\s*\n|\n(?=- |\|)", text):
        block = " ".join(block.replace("**", "").split())
        if block.startswith("|"):
            row = block.strip("| ")
            if not row.startswith(("---", "where |")):
                yield row
        elif block and not block.startswith("#"):
            yield from re.split(r"(?<=\.) (?=[A-Z`])", block.removeprefix("- "))


def test_each_sentence_is_in_the_table():
    readme = (ROOT / "README.md").read_text()
    text = readme[readme.index("## What a card shows\n"):readme.index("## What lies outside of this program\n")]
    assert list(sentences(text)) == list(PROMISES)


def test_each_test_of_the_table_is_there():
    tests = {}
    for path in (ROOT / "Tests").rglob("test_*.py"):
        tests[path.stem] = set(re.findall(r"^def (test_\w+)\(", path.read_text(), re.M))
    for path in (ROOT / "Tests").rglob("*Tests.swift"):
        # A file may hold several suites.
        for suite in re.split(r"^(?:@Suite )?struct (?=\w)", path.read_text(), flags=re.M)[1:]:
            name = re.match(r"\w+", suite)[0]
            tests.setdefault(name, {"*"}).update(re.findall(r"@Test.*?func (\w+)\(", suite, re.S))
    named = {name for shown in PROMISES.values() for name in shown}
    missing = {name for name in named if name.split(".")[1] not in tests.get(name.split(".")[0], ())}
    assert not missing

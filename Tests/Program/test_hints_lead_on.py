"""A hint names the next command. Each place in Sources that names one is listed here with a state in which it is given; its commands
are run in that state, and get further."""

import collections
import contextlib
import os
import pathlib
import re
import signal

import hint_states
import pytest
from agents import agents
from conftest import ROOT
from hint_places import HELP, places
from hint_states import PLACEHOLDER, World
from test_exit_codes import in_session

# For each place, by file and text, one of these:
#   "state: command"          the state (hint_states.py), and the command that gives the hint there
#   "state: command!"         the same; afterwards that command is no longer refused so
#   "state, said: command"    the command is beside an answer, and no failure
#   "test_file::test_name"    another test that is in that state, and does as the text says
#   anything else             why no command can be run there
# A text that stands several times in a file has a line for each.
HINTS = {
    "AgentConnection": {
        "{end}, then: countersign agent --daemonize": ["agent_hangs: lock"],
    },
    "Failure+Socket": {
        "countersign doctor": [
            "an agent that answers otherwise than its handshake promised: none does",
            "a connection to the agent broke before anything was sent: the command itself may work the next time",
            "an error of the socket without a code: none is known"],
        "it shows at the next: countersign pending, then countersign history": [
            "test_agent_ending::test_killed_with_a_decision_on_its_way"],
    },
    "SocketEnrollment": {
        "countersign unlock, then reload the bank's page in the browser": ["test_agent_pages::test_both_pages_say_what_to_do_after_a_lock"],
    },
    "Approvals+Notifications": {
        "countersign doctor": ["the failure is not shown; a note says that the code could not be"],
    },
    "Approvals+Questions": {
        "countersign {verdict.rawValue} {card.reference}": ["test_agent_api::test_a_question_appears_where_the_front_end_says"],
    },
    "DesktopAnnouncer+Programs": {
        "a program asks for a token; see it with: countersign requests": [
            "a line of the journal; the command is tried in test_session_programs"],
        "It was time. countersign sessions says of what.": ["a note; the command is tried in test_session_signout"],
        "sessions were signed out, since it was time; see: countersign sessions": ["a line of the journal, as above"],
    },
    "DesktopAnnouncer+SignIns": {
        "Sign in says which; so does countersign sessions.": ["a note; the command is tried in test_sessions"],
        "a session has ended that something asked for; see: countersign sessions, then: countersign login NAME": [
            "a line of the journal; the commands are tried in the state signed_out"],
        "On a terminal: countersign sessions, then countersign login NAME.": ["a note, as above"],
        "a session could not be signed in to again; on a terminal: countersign login NAME": ["a line of the journal, as above"],
    },
    "WindowCommand": {
        "on a terminal: countersign watch": ["connected: window", "a machine with the window and without a display"],
    },
    "OwnCommand": {
        "countersign doctor shows why": ["of the window, whose program cannot be run"],
    },
    "SessionWing+SignIn": {
        "countersign login {session.name.text}": ["a question that no window can ask; the command is tried in the state signed_out"],
    },
    "DesktopAnnouncer+Telling": {
        "locked; {words}; unlock it with: countersign unlock": ["a line of the journal; the command is tried in the state agent_shut"],
        "alarm: a bank confirmed what was denied here; see: countersign history": [
            "a line of the journal; the command is tried in the state lying_bank"],
    },
    "DesktopAnnouncer": {
        "a request waits for your decision; see it with: countersign pending": [
            "a line of the journal; the command is tried in the state connected"],
    },
    "AgentCore+Questions": {
        "countersign unlock": ["a pinentry that failed; the command is tried in the state agent_shut"],
    },
    "AgentCore+Unlocking": {
        "countersign unlock": ["a front end at the socket; the command is tried in the state agent_shut", "the same, as above"],
    },
    "SessionWing+Questions": {
        "countersign grants": [
            "a grant that no window can show; the command is tried in the state connected", "the same for a grant that is used once"],
        "countersign allow {request.id}": ["test_session_programs::test_a_program_gets_what_it_was_allowed"],
    },
    "LedBrowser": {
        "on a terminal: countersign login NAME": ["a note of an agent without a desktop; the command is tried in the state signed_out"],
    },
    "Failure+Enrollment": {
        "nothing was changed; to connect it beside this one: countersign enroll": ["push_foreign_link: reconnect fern -"],
        "countersign reconnect NAME -, with the link on standard input": ["push: reconnect fern"],
        "countersign reconnect NAME": ["connected: reconnect demobank -"],
        "asked again in a minute by: countersign pending": ["test_push_reconnect::test_a_reconnect_that_did_not_arrive_is_asked_again"],
        "; given up by: countersign revoke {name}": ["test_push_enroll::test_a_lost_answer_leaves_it_unconfirmed"],
    },
    "Failure+Errors": {
        "see what its page says; any new request appears in: countersign pending": ["lost_claim: act"],
        "countersign doctor": [
            "an error that no module of this program throws", "a fault of a library of cryptography: none is known",
            "a decision that is recorded twice; a lock forbids it"],
        "what became of it shows at the next: countersign pending": [
            "words for a lost answer to an undertaking that has no words of its own; there is none"],
        "countersign reconnect NAME, or countersign revoke NAME": ["ended: show REF!", "ended: consents"],
        "countersign pending": ["connected: approve demobank:999999 --fingerprint " + "0" * 16],
        "countersign consents": ["connected: consents revoke demobank:999999"],
        "with a new link: countersign reconnect NAME -; else: countersign revoke NAME": ["push_deleted: pending"],
        "later: countersign pending; or give it up: countersign revoke NAME": [
            "test_push_enroll::test_a_lost_answer_leaves_it_unconfirmed"],
        "ask for a new link, then: countersign enroll": [
            "ConfirmingTests has an enrollment that is lost; the command is tried in the state with_pin"],
        "ask for a new link, then: countersign reconnect NAME -": [
            "test_push_reconnect::test_an_answer_that_is_lost_for_good_goes_back_to_the_earlier_key"],
        "ask its page for a new code or link, then: countersign act": ["refused_claim: act!"],
        "look which option the other side shows, then: countersign approve REF": [
            "push_options: approve REF --option 04 --fingerprint PRINT"],
        "do not repeat it; with a new link from the site: countersign reconnect NAME -": ["tiqr_taken_over: approve - --fingerprint HEX"],
        "the site says how it ends; with a new link from there: countersign reconnect NAME -": [
            "tiqr_blocked: approve - --fingerprint HEX"],
        "countersign connections": ["connected: consents revoke nordia:1"],
        "countersign history --verify": ["test_damaged_ledger::test_a_damaged_event_is_named_by_verify"],
        "list them with: countersign connections": [
            "connected: revoke demobonk", "connected: rename nordia fern", "connected: reconnect nordia"],
        "connect one first: countersign enroll": [
            "with_pin: revoke demobank!", "with_pin: show demobank:1", "with_pin: pending --connection demobank!"],
        "list them with: countersign pending": ["connected: show x:"],
        "list them with: countersign consents": ["connected: consents revoke demobank:999999"],
        "write NAME:ID as it is listed by: countersign pending": ["connected: show 1"],
        "write NAME:ID as it is listed by: countersign consents": ["connected: consents revoke demobank", "connected: consents revoke x"],
        "countersign reconnect {error.wanted}, or countersign revoke {error.wanted}": [
            "ended_and_known: show REF!", "ended_and_known: approve REF --fingerprint " + "0" * 16],
        "countersign show REF lists them": [
            "push_options: approve REF --option 99 --fingerprint PRINT",
            "test_provider_windows::test_three_words_that_are_no_option_send_nothing_and_say_why"],
        "call the bank by a way that you know, now; what was decided: countersign history": ["lying_bank: deny REF"],
        "on a terminal: countersign approve {reference}": [
            "test_pinentry::test_a_title_that_must_be_typed_is_asked_for_on_a_terminal_alone"],
        "countersign history": [
            "a denial that the bank took, still listed",
            "a decision that the bank took, still listed",
            "one that was too late, still listed"],
        "find out what became of it: countersign pending, then countersign history": [
            "a decision that another process made at the same moment"],
        "look again: countersign show REF": [
            "connected: approve REF --fingerprint " + "0" * 16, "connected: approve REF --option x --fingerprint " + "0" * 16],
        "countersign history tells its outcome": ["a decision that another process makes at the same moment"],
        "what waits: countersign pending; what was decided: countersign history": [
            "connected: show demobank:999999", "decided: show REF", "decided: approve REF --fingerprint PRINT"],
        "add --option TEXT; countersign show REF lists them": ["push_options: approve REF --fingerprint PRINT"],
        "countersign deny REF; then begin again at the other side": ["push_two_wrong_options: approve REF --option 17 --fingerprint PRINT"],
    },
    "Failure+PIN": {
        "choose one: countersign pin set; then connect a bank: countersign enroll": [
            "fresh: pending!", "fresh: connections!", "fresh: enroll!", "fresh: history!", "fresh: token!"],
        "countersign pin change": ["with_pin: pin set"],
        "wait, then try again; countersign pin reset destroys this home's keys": ["test_pin::test_five_failures_block"],
        "countersign pin set, then enroll your banks again": ["test_pin::test_each_later_failure_blocks_longer_and_the_ninth_destroys"],
        "the next command that takes the PIN removes it; countersign doctor checks the keyring": [
            "a keyring that takes nothing away after a change of the PIN"],
        "start the keyring that has your keys again; which and how says: countersign doctor": [
            "a keyring that only Tests/Desktop/test_keyrings.py has"],
        "restore the keyring from a backup; or connect the bank again: countersign reconnect NAME": [
            "damaged_key: show REF!", "damaged_tiqr_secret: show -!", "damaged_tiqr_secret: approve - --fingerprint HEX!"],
        "another keyring may answer than the one that has your keys; which one to start, or how to start anew, says: countersign doctor": [
            "lost_device_secret: connections"],
        "restore the keyring from a backup; or start anew, and enroll your banks again: countersign pin reset": [
            "damaged_device_secret: connections!"],
        "countersign doctor": ["a keyring that refuses in a way that is not known"],
        "on a terminal of your desktop, without --no-input, countersign pin set has GNOME Keyring ask for the password of a new one; "
        "without a desktop, its password on standard input: gnome-keyring-daemon --unlock": [
            "a keyring that only Tests/Desktop/test_keyrings.py has"],
        "on a terminal of your desktop, without --no-input, countersign pin set has KWallet ask for a new wallet; or make one in KDE's "
        "wallet manager: kwalletmanager5": ["a keyring that only Tests/Desktop/test_keyrings.py has"],
        "make one in the keyring's own program, and have it be the default; then: countersign doctor": [
            "a keyring that only Tests/Desktop/test_keyrings.py has"],
    },
    "PendingRound": {
        "connect the bank again: countersign enroll": ["damaged_row, said: pending"],
    },
    "LocalEnrollment": {
        "countersign reconnect {known.name.text} -, with the link on standard input": ["push_again: enroll"],
    },
    "LocalOperations+Decisions": {
        "countersign history tells the outcome later": [
            "a bank that works on it for two minutes; the command is tried in the state slow_bank"],
        "countersign pending": ["lost_answer: approve REF --fingerprint PRINT"],
        "see whether the other side went on; countersign history keeps it as unknown": [
            "push_lost_answer: approve REF --fingerprint PRINT"],
        "it shows at the next: countersign pending, then countersign history": ["lost_answer: approve REF --fingerprint PRINT"],
    },
    "LocalOperations": {
        "try again: countersign revoke {name} --local-only": ["a keyring that takes nothing away"],
        "ask again whether it is done: countersign revoke {name}; or": ["revoke_lost: revoke demobank"],
        "destroy it on this computer alone: countersign revoke {name} --local-only": ["bank_is_down: revoke demobank"],
        "with the link that its page shows for a new app: countersign enroll": ["tiqr_stranger: act"],
        "countersign connections --json tells which are": ["tiqr_other_account: act"],
        "countersign connections": ["LinkChoice refuses it before; only a front end at the socket comes here"],
        "countersign consents tells whether it is still there": ["consent_lost: consents revoke REF"],
    },
    "Failure": {
        "run it by itself or first in a pipe, or open the agent before: countersign unlock": [
            "test_terminal::test_what_runs_in_the_background_says_that_it_cannot_ask"],
        "countersign unlock, or give --pin-file PATH": ["agent_shut: pending --no-input!"],
    },
    "NotificationServer": {
        "countersign watch": ["a note; watch takes a terminal (test_watch)"],
        "countersign unlock": ["a note; the command is tried in the state agent_shut"],
    },
    "SocketError+Failure": {
        "it is the agent of this home; end it first: countersign agent --stop": ["agent_open: agent"],
        "countersign doctor": ["an error of the system's sockets: none is known", "an agent that ended while it started: none is known"],
    },
    "IssuerExamination": {
        "compare the address with the issuer's own word; a service names its issuer only to: countersign login": [
            "with_pin, said: doctor --issuer https://127.0.0.1:1"],
        "register a native client there, then: countersign login URL --client-id ID --redirect-uri URI": [
            "no_registration, said: doctor --issuer URL"],
    },
    "TiqrEnrollment": {
        "with a new link from its site: countersign reconnect {same.name.text} -": ["tiqr_again: enroll"],
    },
    "Link": {
        "countersign act": ["action_link: enroll"],
        "countersign enroll": ["bank_link: act"],
    },
    "DamagedRowsPayload+Sessions": {
        "sign in again: countersign login": ["damaged_rows, said: sessions"],
        "sign in again: countersign login NAME": ["damaged_rows, said: sessions"],
        "add it again: countersign sites add": ["damaged_rows, said: sites"],
        "allow it again: countersign grants add": ["damaged_rows, said: grants"],
        "see what the log has: countersign history --sessions": [
            "test_damaged_ledger::test_a_damaged_row_of_sessions_is_a_failure_beside_the_good_ones"],
        "sign out by hand: countersign logout --all": [
            "test_damaged_ledger::test_a_damaged_row_of_sessions_is_a_failure_beside_the_good_ones"],
    },
    "CommandWords": {
        "register a native (public) client there with the redirect address http://127.0.0.1/callback, then: {login} --client-id ID "
        "--redirect-uri http://127.0.0.1/callback": ["no_registration: login ISSUER", "registration_refused: login ISSUER"],
        "countersign login {name.text}": ["signed_out: token fern!"],
        "countersign login": ["page_denied: login ISSUER!"],
        "countersign doctor --issuer": ["page_odd: login ISSUER"],
    },
    "IssuerError+Words": {
        "compare the address with the issuer's own word; an issuer without these documents: countersign login --from FILE; --verbose names "
        "each call": ["no_documents: login ISSUER"],
        "sign in again: countersign login": ["code_lost: login ISSUER!"],
        "see what is wrong: countersign doctor --issuer URL; or ask the issuer": ["id_token_foreign: login ISSUER"],
        "choose the one where you have an account: countersign login URL --issuer ISSUER": ["several_issuers: login URL"],
        "countersign login": ["renewal_client: token fern!"],
        "countersign doctor --issuer URL": ["renewal_redirects: token fern"],
        "sign in again: {login}; or see what is wrong:": ["renewal_invalid: token fern"],
        "countersign doctor --issuer URL; --verbose names each call": ["renewal_invalid: token fern"],
        "{login}; --verbose names each call": ["renewal_odd: token fern"],
    },
    "LoginRefusal": {
        "sign in again: {login}": ["code_refused: login ISSUER!"],
        "{doctor}; or sign in again: {login}": ["code_unexplained: login ISSUER"],
        "{login}, with other services: --resource": ["page_target: login ISSUER!"],
        "{login}, without --acr": ["page_weak: login ISSUER!"],
        "try again later: {login}": ["page_error: login ISSUER!"],
        "{doctor}; --verbose names each call": ["page_invalid: login ISSUER"],
        "--verbose names each call; {doctor}": ["page_odd: login ISSUER"],
        "ask for others: {login} --scope SCOPE{known}": ["page_scope: login ISSUER"],
        "register a client with a secret there, then: {login} --client-id ID --redirect-uri URI --client-secret-file PATH": [
            "code_client: login ISSUER"],
        "the next login registers this program anew: {login}": ["forgotten_client: login fern!"],
        "register it there for this, or name another one: {login} --client-id ID --redirect-uri URI": ["page_client: login ISSUER"],
        "{register}; the issuer lists no clients without a secret: --client-secret-file": [
            "LoginFailureTests has such an issuer; the command is tried in the state page_client"],
        "{register}; the issuer does not list this client's way to prove itself (client_auth)": ["the same, as above"],
        "login": ["page_denied: login ISSUER!", "page_login: login ISSUER!"],
    },
    "SessionError+Words": {
        "list them with: countersign sessions": ["signed_in: token fen"],
        "countersign login https://ISSUER": [
            "with_pin: token!", "with_pin: logout fern", "with_pin: login fern", "with_pin: sessions show fern",
            "connected: grants add unit:backup.service --session fern", "connected: sites add https://api.example/ --session fern"],
        "bind it to a session: countersign sites add PREFIX --session NAME; sites match URL says why none fits": [
            "with_service: header API!"],
        "sign in with a browser: {Self.login(session.name)}": [
            "IDTokenTests and LoginAgainTests make a session that was signed in to by a code of a device", "the same, as above"],
        "ask for one: {Self.login(session, scopes: [\"openid\"])}": ["no_openid: token fern --id-token!"],
        "list them with: countersign sites": ["connected: sites remove 1f", "with_pin: sites check https://api.example/"],
        "remove it first: countersign sites remove {site.id.text}": ["with_site: sites add PREFIX --yes!"],
        "sign in at its own issuer: countersign login URL": ["site_of_another_issuer: sites add PREFIX --yes"],
        "look at it again: countersign sites add PREFIX --session NAME": ["a service that changes between the card and the PIN"],
        "bind the address itself: countersign sites add PREFIX --session NAME": ["host_site: header API --challenge UNDESCRIBED!"],
        "try again: {Self.token(name)}": ["id_token_unjudged: token fern --id-token"],
        "try again: {Self.token(name)} --id-token; or sign in again: {Self.login(name)}": [
            "id_token_faulty: token fern --id-token --rejected -"],
        "the next use finds out: {Self.token(name)}": ["a command that a signal ends: test_session_renewal"],
        "for what is known: countersign sessions show {name.text}": [
            "no_userinfo: sessions show fern --refresh", "userinfo_fails: sessions show fern --refresh!"],
        "ask the issuer; or sign in again: {Self.login(name)}": ["userinfo_of_another: sessions show fern --refresh"],
        "what can be allowed is listed by: countersign requests": ["test_session_programs::test_a_program_gets_what_it_was_allowed"],
        "allow it without: countersign grants add PROGRAM --session NAME --when open": [
            "a program with a grant for one use, at an agent without a desktop"],
        "countersign unlock": ["a program that asks a shut agent; the command is tried in the state agent_shut"],
        "list them with: countersign grants": ["connected: grants revoke 1f"],
        "list what programs ask for: countersign requests": ["agent_open: allow 1f"],
        "say of which: countersign allow {id}": ["test_session_programs::test_the_person_says_which_session_a_program_means"],
        "begin again: countersign login ISSUER; --timeout waits longer": ["with_pin: login ISSUER --timeout 0.0001"],
        "countersign login": ["test_session_agent_logins::test_a_lock_ends_it"],
        "countersign login URL --device gives another": ["a code of a device that nobody enters"],
        "sign in with a browser: countersign login URL; on a computer without one, with --callback paste": [
            "no_devices: login ISSUER --device"],
        "for another account: countersign login URL --name NEW": ["somebody_else: login fern"],
        "; for a session of its own: {CommandWords.login(session.issuer.issuer)} --name NEW": [
            "LoginAgainTests has a login that does not say who signed in"],
        "do not sign in by a link that somebody sent you; begin again: {CommandWords.login(issuer)}": ["page_of_another: login ISSUER!"],
        "leave out --issuer: {Self.login(session.name)}": ["described: login fern --issuer https://oak.example"],
        "choose another name; or sign in to it again: countersign login {name.text}": ["signed_in_twice: login ISSUER --name fern"],
        "countersign token {name.text}": ["the command that the hints above name"],
        "{name.text} is signed out, and what is left of it can be removed with: countersign logout": [
            "a session that is signed out meanwhile"],
        "try again: countersign token {name.text} --verbose; if the issuer goes on so, sign in again: {CommandWords.login(name)}": [
            "renewal_unusable: token fern!"],
        "the next use finds out: countersign token {name.text}": [
            "a renewal whose answers were all lost; the command is tried in the state renewal_unusable"],
        "Self.login(name))": ["signed_out: token fern!", "IDTokenTests has one that ran out and is not renewed"],
        "Self.login(session.name) + (session.renewalOptions().map { \" \\($0)\" } ?? \"\"))": ["never_renewed: token fern!"],
        "Self.login(session, scopes: scopes, resources: resources))": ["signed_in: token fern --scope fern.write!"],
        "Self.login(session, scopes: wanted.all))": ["with_site: header API --challenge LACKING"],
        "Self.login(name) + CommandWords.options(\"--acr\", acr.map(\\.untrusted))": ["with_site: header API --challenge WEAK"],
    },
    "Rejection+Aim": {
        "CommandWords.login(name) + CommandWords.options(option, Set(others).union(refused).sorted()))": ["renewal_scope: token fern!"],
    },
    "LoginRequest": {
        "give an issuer's address: countersign login https://ISSUER": ["with_pin: login ftp://fern.example"],
    },
    "KeyringCheck": {
        "connect the bank again: countersign reconnect NAME": ["damaged_key, said: doctor"],
        "look at the log: countersign history --verify": ["edited_log, said: doctor"],
        "sign in again: countersign login NAME": ["a rescue key"],
        "the next PIN writes it anew: countersign connections": ["test_damaged_items::test_the_count_of_tries"],
        "start anew: countersign pin reset": [
            "said of a device secret that is damaged beside others; tried in the state damaged_device_secret"],
    },
    "SessionsKey": {"countersign sessions {purpose} 1": ["no command, but a label of a key"]},
    "LoopbackServer": {
        "Nothing could be stored here. Unlock Countersign (countersign unlock), and then reload this page.": [
            "test_agent_pages::test_both_pages_say_what_to_do_after_a_lock"],
    },
    "TerminalShow": {
        "This desktop does not hand {scheme} links to countersign; for the remedy see: countersign doctor": [
            "a line beside a link to open; the command is tried in the state with_pin"],
    },
    "ActCommand": {
        "countersign show LINK prints its fingerprint; then: countersign approve LINK --fingerprint HEX": ["tiqr: act"],
    },
    "AgentCommand": {
        "warning: --pin-file opens no agent; this does: countersign unlock --pin-file PATH": [
            "test_agent_process::test_in_the_background_it_tells_the_systems_log"],
        "The agent runs as process {pid}; open it with: countersign unlock": ["connected, said: agent --daemonize"],
    },
    "AgentPlace": {
        "kill -KILL {pid}; what became of a decision on its way shows at the next: countersign pending": [
            "a wait of a minute; the commands are tried in the state agent_hangs"],
        "countersign agent --daemonize": ["connected: unlock!", "connected: requests", "connected: refuse 1f", "connected: allow 1f"],
        "set XDG_RUNTIME_DIR as it was when the agent started, or end it: countersign agent --stop": ["agent_elsewhere: unlock"],
        "; if that does not help: kill -KILL {$0}, then: {Failure.startAgent}": [
            "test_agent_front_ends::test_an_agent_of_another_version_is_named_and_locked"],
    },
    "AgentSearch": {
        "countersign agent --daemonize shows why": ["of the window, where no agent can be started"],
    },
    "DecideCommands": {
        "list what waits with: countersign pending": ["connected: deny"],
        "countersign show {Self.shown(refs)} prints it": ["connected: approve REF --fingerprint x"],
        "add --fingerprint HEX; countersign show {Self.shown(refs)} prints it": ["connected: approve REF", "connected: approve REF --yes"],
    },
    "DoctorCommand+Sessions": {
        "sign in again: countersign login {ended.count == 1 ? ended[0] : \"NAME\"}": [
            "test_session_doctor::test_sessions_that_ended_are_named"],
        "issuers are told again with your PIN: countersign unlock, or the next login or logout": [
            "test_session_doctor::test_sessions_are_counted_without_the_pin"],
    },
    "DoctorCommand+Vault": {
        "restore the keyring from a backup; or start anew, and enroll your banks again: countersign pin reset": [
            "lost_device_secret, said: doctor"],
    },
    "DoctorCommand": {
        "give the issuer's address: countersign doctor --issuer https://ISSUER": ["with_pin: doctor --issuer fern"],
        "countersign doctor": ["no text for a person: doctor never names itself"],
        "unlock it in its own program; or on a terminal, where it asks: countersign {isSet ? \"connections\" : \"pin set\"}": [
            "test_hints_lead_on::test_a_locked_keyring_is_no_matter_of_terminals_for_doctor"],
        "countersign unlock": ["agent_shut, said: doctor"],
        "replace it with: countersign agent --daemonize": ["test_agent_front_ends::test_an_agent_of_another_version_is_named_and_locked"],
        "none runs, so each command asks for the PIN; start one with: countersign agent --daemonize": ["connected, said: doctor"],
    },
    "EnrollCommand": {
        "The agent tells you of what it asks; see it with: countersign pending": ["agent_open, said: enroll"],
        "See what it asks with: countersign pending; to be told of it: countersign agent --daemonize": ["with_pin, said: enroll"],
    },
    "HistoryCommand": {
        "keep a copy of the home directory and ask the bank which decisions it has; then accept the log as it is: countersign history "
        "--accept-log": ["edited_log, said: history --verify"],
    },
    "OpenCommand": {
        "to rehearse with a bank on this computer: countersign enroll": ["bank_link: open LINK"],
        "countersign unlock, then reload the bank's page in the browser": [
            "test_agent_pages::test_a_link_that_the_desktop_hands_over_says_what_to_do_after_a_lock"],
        "countersign enroll --callback scheme": ["with_pin: open authenticator://oauth/redirect?id=1&access_token=x"],
        "see what it says, or sign in anew: countersign login URL --callback scheme": ["test_session_scheme::test_nobody_waits"],
        "countersign login URL --callback scheme": ["test_session_scheme::test_nobody_waits"],
    },
    "ScreenLockers": {
        "lock the screen with: loginctl lock-session; or run countersign lock before it": [
            "a line of doctor for window managers; the command is tried in the state agent_hangs"],
        "xscreensaver-command -watch can call countersign lock: see man countersign-agent": ["the same, as above"],
    },
    "WatchCommand": {
        "countersign watch --json": ["connected, said: watch"],
        "countersign watch --once": ["a terminal that is dumb: test_terminal"],
    },
    "Countersign": {
        "write: countersign COMMAND {option} …": ["with_pin: --json connections"],
        "countersign --version": ["with_pin: version"],
        "list them with: countersign --help": ["with_pin: enrol", "with_pin: list"],
    },
    "Answering+Crowd": {
        "hint: to deny them all: countersign deny --all {connection.text} --reason not-me": ["push_crowd, said: pending"],
    },
    "KeyActions": {
        "error: not locked: {Failure(error).message} hint: countersign lock": ["test_agent_front_ends::test_a_lock_that_fails_says_so"],
        "Tell your bank by a way that you know; what was decided: countersign history": [
            "a key of watch, on a terminal; the command is tried in the state connected"],
    },
    "LinkChoice": {
        "countersign connections": ["other_account: act - --yes --connection demobank", "other_account: act"],
        "connect its bank first: countersign enroll": ["with_pin: act!"],
        "countersign act": ["action_link: show -"],
    },
    "LiveWatch": {"countersign watch": ["a terminal; watch is tried in test_watch"]},
    "WatchView+Lines": {
        "No bank can be asked. Paste a link here, or connect: countersign enroll": ["test_watch::test_without_a_bank_watch_names_enroll"],
    },
    "LoginAdvice": {
        "hint: ask for more with: countersign login {session.name} {options}": [
            "test_session_issuers::test_a_refresh_token_that_google_gives_only_after_consent"],
        "hint: attach it to requests with: countersign sites add {prefix} --session {session.name}": [
            "with_resource, said: login API --name oak"],
    },
    "AuthorizationPayload": {
        "Nothing waits: no bank that could ask is connected. Connect one with: countersign enroll": ["with_pin, said: pending"],
    },
    "Connections": {"No bank is connected. Connect one with: countersign enroll": ["with_pin, said: connections"]},
    "Consents": {"The bank asks for a decision: countersign approve {authorization}": ["connected, said: act"]},
    "Decisions": {
        "sent {ref} the bank is still working on it; countersign history tells the outcome later": [
            "slow_bank, said: approve REF --fingerprint PRINT --no-wait"],
    },
    "Programs": {
        "allow or refuse one with: countersign allow ID, countersign refuse ID": [
            "test_session_programs::test_a_program_gets_what_it_was_allowed"],
        "where several sessions are named: countersign allow ID --session NAME": [
            "test_session_programs::test_the_person_says_which_session_a_program_means"],
        "{table} A grant for a Flatpak id gives nothing any more: any program of yours can make a sandbox with any id. End it: countersign "
        "grants revoke {unusable.id}": ["test_session_programs::test_a_grant_for_the_id_of_a_sandbox_is_listed_as_not_usable"],
    },
    "Sessions": {"Nobody is signed in. Sign in with: countersign login https://ISSUER": ["with_pin, said: sessions"]},
    "SitePayloads": {"No site has a session. Bind one with: countersign sites add PREFIX --session NAME": ["signed_in, said: sites"]},
    "StatusPayload+Text": {
        "No PIN is set. Choose one with: countersign pin set": ["fresh, said: status"],
        ": {Self.unaskedWords}; open it with: countersign unlock": ["agent_shut, said: status"],
        "{damaged}; countersign doctor says more": ["damaged_device_secret, said: status"],
        "1 connection is no longer known to its bank; which one: countersign pending": [
            "test_ended_connections::test_it_is_told_each_time_until_it_is_revoked"],
        "{count} connections are no longer known to their banks; which ones: countersign pending": ["the same for several"],
        "the agent is of version {version} and not used; replace it with: countersign agent --daemonize": [
            "test_agent_front_ends::test_an_agent_of_another_version_is_named_and_locked"],
    },
    "Terminal": {
        "the command itself was carried out; for decisions see: countersign history": [
            "test_mistakes::test_a_result_that_cannot_be_written_is_a_failure"],
    },
    "Context+Agent": {
        "warning: the agent calls the banks, and trusts what it was started with; --ca-file changes nothing hint: countersign agent "
        "--stop, then: countersign agent --daemonize --ca-file {DisplayText(file).line}": [
            "agent_open, said: connections --ca-file AUTHORITY"],
    },
}


def commands(hint):
    """The commands that a hint names, as lists of words."""
    found = []
    for part in re.findall(r"countersign ((?:[^\s,;]+ ?)+)", hint or ""):
        words = part.split()
        end = next((n for n, word in enumerate(words) if not is_word(words[:n], word)), len(words))
        found.append(words[:end])
    return [words for words in found if words]


def is_word(before, word):
    """Whether a word still belongs to the command, and not to the sentence."""
    prefix = "-".join(["countersign", *before])
    if (HELP / f"{prefix}-{word}.txt").exists() or not before and word.startswith("--"):
        return True
    return bool(before) and (
        word.startswith("--") or before[-1].startswith("--") or PLACEHOLDER.match(word) is not None or any(c in word for c in ":/")
        or re.search(r"\d", word) is not None or word in ("demobank", "fern"))


def pieces(text):
    """What stands between the expressions of a text of Sources."""
    parts, depth = [""], 0
    for letter in text:
        depth += letter == "{"
        if depth == 0:
            parts[-1] += letter
        elif letter == "}":
            depth -= 1
            if depth == 0:
                parts.append("")
    return tuple(parts)


def pattern(text):
    """What a text of Sources looks like when it is said."""
    if re.match(r"(Self|CommandWords)\.|login$", text):
        return "countersign login"
    return re.sub(r"\b(NAME|REF)\b", ".*", ".*".join(re.escape(part) for part in pieces(text)))


def follow(world, hint, seen=()):
    """Runs the commands of a hint, and where one fails those of its hint. None may fail as one before it did."""
    for pid in re.findall(r"^kill -KILL (\d+)", hint):
        os.kill(int(pid), signal.SIGKILL)
    named = commands(hint)
    assert named or "--" in hint, f"leads nowhere: {hint}"
    for words in named:
        error = world.run(words)
        if error is not None and "add --yes when this is right" in error["hint"]:
            error = world.run([*words, "--yes"])
        if error is not None:
            assert error["message"] not in seen, f"{words} goes round in a circle: {error}"
            assert error["hint"], error
            follow(world, error["hint"], (*seen, error["message"]))


STATE = re.compile(r"(\w+)(, said)?: (.+?)(!?)$")
# Each state once, with all texts that are given there.
GIVEN = collections.defaultdict(list)
for texts in HINTS.values():
    for text, entries in texts.items():
        for entry in entries:
            if (match := STATE.match(entry)) and hasattr(hint_states, match[1]):
                GIVEN[match.groups()].append(text)


@pytest.fixture
def world(home, agents):
    with contextlib.ExitStack() as stack:
        yield World(home, agents, stack)
        home.run("agent", "--stop", pin=False)


@pytest.mark.parametrize("case", GIVEN, ids=[f"{state} {line}" for state, _, line, _ in GIVEN])
def test_each_hint_leads_on(world, case):
    state, is_said, line, cures = case
    world.known |= getattr(hint_states, state)(world)
    words = line.split()
    if is_said:
        hint = world.said(words)
    else:
        error = world.run(words)
        assert error and error["hint"], error
        hint = error["hint"]
    given = [re.search(pattern(text), hint) for text in GIVEN[case]]
    assert all(given), (hint, GIVEN[case])
    assert is_said or not re.search(r"countersign (reconnect|revoke|show|approve|deny) (NAME|REF)", hint), "a placeholder for what is known"
    world.mend()
    follow(world, given[0][0] if is_said else hint, () if is_said else (error["message"],))
    if cures:
        after = world.run(words)
        assert after is None or after["message"] != error["message"], after


def test_each_hint_of_the_sources_has_a_state():
    """Whoever adds a hint adds the state in which it is given, or says why there is none."""
    # Wherever it stands, and however its variables are called.
    there = collections.Counter(pieces(text) for _, text in places())
    listed = collections.Counter(pieces(text) for texts in HINTS.values() for text, entries in texts.items() for _ in entries)
    assert sorted(listed.keys() - there.keys()) == [], "listed, and not in Sources"
    assert [(text, count) for text, count in there.items() if listed[text] < count] == []


def test_each_entry_names_a_state_a_test_or_a_reason():
    for texts in HINTS.values():
        for entry in (entry for entries in texts.values() for entry in entries):
            if match := re.fullmatch(r"(test_\w+)::(test_\w+)", entry):
                assert f"def {match[2]}(" in (pathlib.Path(__file__).parent / f"{match[1]}.py").read_text(), entry
            elif not ((match := STATE.match(entry)) and hasattr(hint_states, match[1])):
                assert len(entry.split()) >= 3 and "_: " not in entry, f"no state, no test and no reason: {entry!r}"


# Words that go on with a sentence about the program.
SENTENCES = {"again", "alone", "authorization", "device", "itself", "master", "series", "that", "tries"}


def named_commands():
    """Where a text of the program names a command: file, and the words behind the program's name."""
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        if "DemoBank" in path.parts or "demo-bank" in path.parts:
            continue
        for line in path.read_text().splitlines():
            if line.strip().startswith("//") or "newer countersign" in line:
                continue
            for words in re.findall(r"(?<![\w/.-])countersign ([a-z][^\"`]*)", line):
                yield path.name, words.split("\\n")[0]


def test_each_command_that_is_named_exists_with_its_options():
    named = 0
    for file, text in named_commands():
        words = re.split(r"[\s;,.:)]+", text)
        path = ["countersign"]
        while words and (HELP / ("-".join([*path, words[0]]) + ".txt")).exists():
            path.append(words.pop(0))
        if len(path) == 1 and words[0] in SENTENCES:
            continue
        assert len(path) > 1, f"{file} names a command that is none: countersign {text}"
        help = (HELP / ("-".join(path) + ".txt")).read_text()
        # Up to the next command of the same text.
        for option in re.findall(r"(?<!\S)--[a-z-]+", text.split("countersign ")[0].split(";")[0]):
            assert option in help or option in ("--verbose", "--once"), f"{file}: {option} is none of {' '.join(path)}"
        named += 1
    assert named > 150


def test_a_locked_keyring_is_no_matter_of_terminals_for_doctor(home):
    """Doctor asks nothing, wherever it runs; it names a command that does."""
    home.set_pin()
    done = in_session(home, ["--locked"], '"$PROGRAM" doctor --json')
    assert "or on a terminal, where it asks: countersign connections" in done.stdout, done
    assert "run this on a terminal" not in done.stdout


def test_a_code_of_another_kind_asks_for_no_new_link(home):
    home.set_pin()
    for link in ("otpauth://totp/Fern:ada?secret=JBSWY3DPEHPK3PXP&issuer=Fern", "otpauth://hotp/x?secret=JBSWY3DP"):
        error = home.run("enroll", "-", "--yes", "--json", stdin=link + "\n").json["error"]
        assert "another kind of token" in error["message"] and "new link" not in error["hint"], error
        assert "an app for TOTP" in error["hint"]


def test_a_first_pin_is_chosen_with_the_same_file(home, bank):
    error = home.run("enroll", "-", "--yes", "--json", stdin=bank.link(instant=True) + "\n").json["error"]
    assert error["hint"] == "choose one: countersign pin set; then connect a bank: countersign enroll"
    home.ok("pin", "set")
    home.ok("enroll", "-", "--yes", stdin=bank.link(instant=True) + "\n")

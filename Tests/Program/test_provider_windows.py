"""What the other provider tests leave out: questions in windows, what doctor says of clicked links, and the settings of links."""

import json
import pathlib
import time

import pytest
from agents import CANCEL, YES, FakeClock, agents, pinentry, typed
from conftest import PIN, ROOT, finish
from innards import until
from test_pinentry import Fake, settings
from tokens import ask_by_window, server, token, waiting
from test_install import install
from test_scheme import add_desktop_file, desktop, runtime
from tiqr import approve, connection, enroll, enrolled, make_site, site

__all__ = ["agents", "desktop", "enrolled", "make_site", "pinentry", "runtime", "server", "site", "token"]


# The site counts wrong responses (tiqr section 7.4)


@pytest.fixture
def doubtful(home, make_site):
    """An account whose last response was wrong, and its site, which takes the next one."""
    def make(attempts):
        site = make_site(form="counting", attempts=attempts)
        enroll(home.set_pin(), site)
        secret, site.accounts["mira"] = site.accounts["mira"], bytes(32)
        assert approve(home, site.challenge()).code == 5
        site.accounts["mira"] = secret
        return site
    return make


@pytest.mark.parametrize("attempts, words", [(5, "may block this account"), (2, "one more wrong response, and then blocks")])
@pytest.mark.parametrize("agrees", [True, False])
def test_a_window_asks_before_a_response_that_may_block(home, doubtful, attempts, words, agrees):
    site = doubtful(attempts)
    fake = Fake(home, prompt="auto")
    # The card has a warning, so it takes three pages.
    answers = [typed(PIN), YES, YES, YES] + ([YES, typed(PIN), YES] if agrees else [CANCEL])
    result = fake.run("open", site.challenge(), answers=answers, environment={"DISPLAY": ":99"})
    assert result.code == (0 if agrees else 2), (result, fake.lines)
    asked = [" ".join(text.replace("↳ ", "").split()) for text in fake.told("SETDESC")]
    [question] = [text for text in asked if "Approve it all the same?" in text]
    assert words in question and "Title: Log in to Fern login" in question, question
    assert len(site.logins()) == (2 if agrees else 1)
    assert connection(home)["status"] == ("active" if agrees else "doubtful")


def test_the_agents_window_asks_too(home, doubtful, agents, pinentry):
    site = doubtful(5)
    agent = agents(home, pinentry=pinentry).unlock()
    ref = json.loads(home.ok("open", site.challenge(), "--no-input", "--json", pin=False).out)["action"]["authorization"]
    item = home.json("show", ref, pin=False)
    assert item["caution"] == "may_block"
    pages = [YES, YES, YES]
    assert ask_by_window(agent, pinentry, item, *pages, CANCEL).json["error"]["kind"] == "cancelled"
    assert len(site.logins()) == 1
    answer = ask_by_window(agent, pinentry, item, *pages, YES, typed(PIN))
    assert answer.json["outcome"] == "confirmed", answer
    assert "may block this account" in " ".join("\n".join(pinentry.told("SETDESC")).replace("↳ ", "").split())


# Three times none of the options (privacyidea-push section 8.2)


def test_three_words_that_are_no_option_send_nothing_and_say_why(token, server, agents, pinentry):
    agent = agents(token, pinentry=pinentry).unlock()
    server.login(require_presence="04,17", answer="17")
    item = until(lambda: waiting(token)["authorizations"], 60)[0]
    answer = ask_by_window(agent, pinentry, item, YES, YES, typed("1"), typed("2"), typed("3"))
    error = answer.json["error"]
    assert error["kind"] == "cancelled" and "none of the options" in error["message"], answer
    assert error["hint"] == f"countersign show {item['ref']} lists them" and "answer" not in server.calls


# Clicked links


SCHEMES = ["pia", "tiqrauth", "tiqrenroll", "eduidauth", "eduidenroll", "org.countersign"]


def clicked(home):
    checks = json.loads(home.run("doctor", "--json").out)["checks"]
    [check] = [check for check in checks if check["name"] == "link-handlers"]
    return check


def test_doctor_tells_which_links_are_opened_here(desktop):
    check = clicked(desktop)
    assert check["ok"] and all(scheme in check["message"] for scheme in SCHEMES), check
    assert "not opened here" in check["message"] and "make install" in check["hint"], check
    install(desktop.prefix)
    assert clicked(desktop) == {
        "name": "link-handlers", "ok": True, "message": f"links of {', '.join(SCHEMES)} are opened here when clicked", "hint": None}


def test_doctor_tells_of_another_program_that_opens_them(desktop):
    install(desktop.prefix)
    add_desktop_file(desktop, "fern.desktop", "tiqrauth")
    choice = pathlib.Path(desktop.environment["XDG_CONFIG_HOME"]) / "mimeapps.list"
    choice.parent.mkdir(exist_ok=True)
    choice.write_text("[Default Applications]\nx-scheme-handler/tiqrauth=fern.desktop\n")
    check = clicked(desktop)
    # The name is shown, and its escape is not obeyed.
    assert check["ok"] and "not opened here when clicked: tiqrauth (opened by Fern" in check["message"], check
    assert "\x1b" not in check["message"] and "pia" not in check["message"]
    assert check["hint"].endswith("xdg-mime default countersign.desktop x-scheme-handler/tiqrauth"), check


def test_otpauth_belongs_to_other_programs_too():
    registered = (ROOT / "Share/Install/countersign.desktop.in").read_text()
    assert "x-scheme-handler/pia;" in registered and "otpauth" not in registered


# Settings


def asked(home, link):
    """What came of an enrollment link: its exit code and words. Its host answers nothing."""
    result = home.run("enroll", "-", "--yes", stdin=link + "\n")
    return result.code, result.err


def test_https_links_of_hosts_in_the_settings_are_taken(home):
    home.set_pin()
    link = "https://links.fern.example/tiqrenroll/?metadata=https%3A%2F%2Flogin.fern.invalid%2Fmeta%3Fkey%3D1"
    code, said = asked(home, link)
    assert code == 64 and "links of the scheme https" in said, said
    settings(home, '[tiqr]\nlink_hosts = ["Links.Fern.example"]\n')
    # Taken, so that it asks the host of the metadata.
    code, said = asked(home, link)
    assert code == 6 and "login.fern.invalid" in said, said
    for other in ("https://links.fern.example.evil.example/", "https://x.links.fern.example/", "https://links.fern.example:8443/"):
        code, said = asked(home, link.replace("https://links.fern.example/", other))
        assert code == 64, (other, said)
    # Those of the apps are taken as before.
    assert asked(home, link.replace("links.fern.example", "tiqr.org"))[0] == 6


def test_hosts_of_eduid_in_the_settings_replace_its_own(home):
    home.set_pin()
    own = "eduidenroll://https://login.eduid.nl/meta"
    other = "eduidenroll://https://127.0.0.1:9/meta"
    code, said = asked(home, other)
    assert code == 64 and "may not lead to 127.0.0.1" in said, said
    settings(home, '[tiqr]\neduid_hosts = ["127.0.0.1"]\n')
    code, said = asked(home, other)
    assert code == 6, said
    code, said = asked(home, own)
    assert code == 64 and "may not lead to login.eduid.nl" in said, said
    settings(home, '[tiqr]\neduid_hosts = ["fern.invalid"]\n')
    for host, taken in (("fern.invalid", True), ("x.fern.invalid", True), ("xfern.invalid", False), ("fern.invalid.evil.invalid", False)):
        code, said = asked(home, f"eduidenroll://https://{host}/meta")
        assert code == (6 if taken else 64), (host, said)


def test_the_hosts_hold_for_what_the_metadata_names_too(home, make_site):
    site = make_site(suite="OCRA-1:HOTP-SHA1-6:QH10-S064")
    home.set_pin()
    settings(home, '[tiqr]\neduid_hosts = ["127.0.0.1"]\n')
    link = site.enrollment_link().replace("tiqrenroll:", "eduidenroll:")
    answer = site.metadata

    def metadata(handler):
        site.url = site.url.replace("127.0.0.1", "localhost")
        return answer(handler)
    site.faults["/metadata"] = metadata
    code, said = asked(home, link)
    assert code != 0 and "where links of this kind may not lead" in said, said
    assert [r[1] for r in site.requests] == ["/metadata"]


# Rules of Docs/protocols that no other test holds


def test_an_account_that_the_site_unblocked_is_active_again(home, make_site):
    site = make_site(form="counting", attempts=1)
    enroll(home.set_pin(), site)
    secret, site.accounts["mira"] = site.accounts["mira"], bytes(32)
    assert approve(home, site.challenge()).code == 5 and connection(home)["status"] == "blocked"
    site.accounts["mira"], site.wrong = secret, {}
    assert approve(home, site.challenge()).code == 0 and connection(home)["status"] == "active"


def test_changing_the_pin_asks_no_site(enrolled, site):
    before = len(site.requests)
    (enrolled.path / "two").write_text(f"{PIN}\n162534\n")
    (enrolled.path / "two").chmod(0o600)
    enrolled.ok("pin", "change", "--pin-file", enrolled.path / "two", pin=False)
    enrolled.write_pin("162534")
    assert len(site.requests) == before
    assert approve(enrolled, site.challenge()).code == 0


def test_the_same_link_twice_is_one_request(enrolled, site, agents):
    agents(enrolled).unlock()
    link = site.challenge()
    refs = {json.loads(enrolled.ok("open", link, "--no-input", "--json", pin=False).out)["action"]["authorization"] for _ in range(2)}
    assert len(refs) == 1 and len(enrolled.json("pending", pin=False)["authorizations"]) == 1


def test_a_fingerprint_that_the_server_wants_is_kept_and_listed(home, server):
    home.set_pin()
    home.ok("enroll", "-", "--yes", stdin=server.token(app_force_unlock="biometric") + "\n")
    assert home.json("connections")["connections"][0]["wants_biometrics"] is True
    assert "wants a fingerprint or face, here the PIN" in home.ok("connections").out
    home.ok("enroll", "-", "--yes", "--name", "elm", stdin=server.token(app_force_unlock="pin") + "\n")
    assert [c["wants_biometrics"] for c in home.json("connections")["connections"]] == [False, True]


def test_answers_that_never_end_are_cut(token, server):
    server.faults["poll"] = [(200, "[" + "1," * (1 << 19) + "1]", "application/json")]
    [failure] = token.run("pending", "--json").json["failures"]
    assert "larger" in failure["message"], failure
    server.login()
    [item] = waiting(token)["authorizations"]
    server.faults["answer"] = [(200, " " * (65 << 10), "application/json")]
    result = token.run("approve", item["ref"], "--fingerprint", item["fingerprint"], "--json")
    assert result.code == 9, result


def test_no_redirect_is_followed(home, server):
    home.set_pin()
    server.faults["rollout"] = [(307, server.url + "/elsewhere", "text/html")]
    home.run("enroll", "-", "--yes", stdin=server.token() + "\n")
    assert server.calls == ["rollout"]


def test_what_waits_tells_how_long(token, server, agents):
    agents(token).unlock()
    server.login()
    item = until(lambda: waiting(token)["authorizations"], 60)[0]
    assert item["created_at"] is not None and item["expires_at"] is None
    until(lambda: "seen 0:0" in token.ok("show", item["ref"]).out)
    time.sleep(1)
    again = waiting(token)["authorizations"][0]
    assert again["created_at"] == item["created_at"]


def test_what_a_silent_server_asked_may_be_over(token, server, tmp_path):
    clock = FakeClock(tmp_path)
    server.login(title="Shop")
    child = token.terminal("watch", "--pin-file", token.pin_file, environment={"NO_COLOR": "1"} | clock.environment)
    child.expect("Shop")
    server.faults["poll"] = [(500, "{}", "application/json")] * 1000
    clock.at(130)
    child.expect("uncertain: fern was not heard since", timeout=60)
    child.send("q")
    assert finish(child) == 0

"""A link as people copy it: mended where only one meaning is possible, else refused with the reason, never another link in silence."""

import re
import subprocess

import pytest
from conftest import PIN, finish
from issuers import Issuer, LoginRun, redirect_of
from v2 import sign_in_only


def broken(link):
    """The same as a mail program breaks it: the first line is a shorter link."""
    at = link.index("connect_query=") + 20
    return link[:at] + "\r\n" + link[at:]


def entities(link):
    return link.replace("&", "&amp;")


CERTAIN = pytest.mark.parametrize(
    "way", [entities, lambda link: "\ufeff" + link, lambda link: link[:30] + "\u200b" + link[30:], lambda link: f'"{link}"',
            lambda link: f"<{link}>"], ids=["entities", "bom", "zero-width", "quotes", "brackets"])


@CERTAIN
@pytest.mark.parametrize("typed", [False, True], ids=["piped", "typed"])
def test_what_is_certain_is_mended(home, bank, way, typed):
    home.set_pin()
    link = way(bank.link(instant=True))
    if typed:
        child = home.terminal("enroll", "--yes")
        child.expect_exact("Link: ")
        child.sendline(link)
        child.expect_exact("PIN: ")
        child.sendline(PIN)
        child.expect_exact("Connected: demobank")
        assert finish(child) == 0
    else:
        home.ok("enroll", "-", "--yes", stdin=link + "\n")
    assert len(bank.get("connections")) == 1


@pytest.mark.parametrize("way, reason", [
    (broken, "the link is broken into lines, and where it ends is not certain"),
    (lambda link: link.replace("&", "&amp;", 1) + "&x=1", "the link has &amp; or another of HTML's entities in it, beside a plain &"),
    (lambda link: link.replace("connect_query=", "connect_query= "), "the link has a space in it"),
    (lambda link: link[:-8] + "…", "the link was shortened where it was copied")],
    ids=["lines", "entities", "space", "shortened"])
@pytest.mark.parametrize("typed", [False, True], ids=["piped", "typed"])
def test_what_is_not_certain_is_refused(home, bank, way, reason, typed):
    home.set_pin()
    link = way(bank.link(instant=True))
    if typed:
        child = home.terminal("enroll", "--yes", columns=300)
        child.expect_exact("Link: ")
        child.send(link + "\r")
        child.expect_exact("error: " + reason)
        child.expect_exact("hint: copy the link as one line")
        assert finish(child) == 64
    else:
        result = home.run("enroll", "-", "--yes", stdin=link + "\n")
        assert result.code == 64 and "error: " + reason in result.err, result
    assert bank.get("connections") == [] and bank.get("requests?operation=configuration") == []


def pasting(home, bank, pasted):
    """Enrolls with what is pasted for the address that the bank's page led to; the exit code, and what was said."""
    process = subprocess.Popen(
        home.argv("enroll", "-", "--yes", "--callback", "paste", "--no-browser", "--pin-file", home.pin_file), stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=home.environment)
    process.stdin.write(bank.link() + "\n")
    process.stdin.flush()
    said = ""
    while "paste it here" not in said:
        line = process.stderr.readline()
        assert line, said
        said += line
    redirect = sign_in_only(re.search(r"(http://\S+/connect/\S+)\n", said)[1])
    return process, process.communicate("".join(text + "\n" for text in pasted(redirect)), timeout=60)[1]


@CERTAIN
def test_so_is_the_address_that_a_banks_page_led_to(home, bank, way):
    process, said = pasting(home.set_pin(), bank, lambda redirect: [way(redirect)])
    assert process.returncode == 0 and "that is not" not in said, said


def test_an_address_that_is_not_certain_is_named_and_the_wait_goes_on(home, bank):
    process, said = pasting(
        home.set_pin(), bank, lambda redirect: [redirect.replace("&", "&amp;", 1) + "&x=1", redirect])
    assert process.returncode == 0, said
    assert "entities in it, beside a plain &; copy the address anew\n" in said


@CERTAIN
def test_so_are_an_issuers_address_and_the_one_that_its_page_led_to(home, way):
    home.set_pin()
    with Issuer() as issuer:
        login = LoginRun(home, issuer.issuer[:30] if way is entities else way(issuer.issuer), callback="paste")
        ended = login.end(way(redirect_of(login.page)) + "\n")
        assert ended.code == 0, ended
        assert home.json("sessions")["sessions"][0]["issuer"] == issuer.issuer


def test_the_rest_of_a_broken_link_may_hold_an_address(connected, bank):
    link = bank.post("actions", user="ada", kind="plain")["link"]
    at = link.index("connect_url=") + 4
    assert "://" in link[at:]
    connected.ok("act", "-", "--yes", stdin=f"{link[:at]}\r\n{link[at:]}\n")


def test_a_paste_that_ends_with_no_line_break_waits_for_enter(home, bank):
    """The terminal keeps back a line that was not ended, so the first one alone could pass for the link."""
    home.set_pin()
    child = home.terminal("enroll", "--yes", columns=300)
    child.expect_exact("Link: ")
    child.send(broken(bank.link(instant=True)))
    child.send("\r")
    child.expect_exact("error: the link is broken into lines")
    assert finish(child) == 64 and bank.get("requests?operation=configuration") == []


def test_a_link_that_is_cut_by_the_shell_leads_to_quotes(home):
    home.set_pin()
    for args in (["enroll", "authenticator"], ["act", "authenticator"], ["show", "tiqrauth://x"]):
        result = home.run(*args)
        assert result.code == 64 and "hint: give the whole link in quotes" in result.err, result
    child = home.terminal("enroll", columns=200)
    child.expect_exact("Link: ")
    child.sendline("authenticator")
    child.expect_exact("hint: copy the whole link, and nothing around it")
    assert finish(child) == 64

"""A link as people copy it: mended where only one meaning is possible, else refused with the reason, never another link in silence."""

import pytest
from conftest import PIN, finish


def broken(link):
    """The same as a mail program breaks it: the first line is a shorter link."""
    at = link.index("connect_query=") + 20
    return link[:at] + "\r\n" + link[at:]


def entities(link):
    return link.replace("&", "&amp;")


@pytest.mark.parametrize("way", [entities, lambda link: "\ufeff" + link, lambda link: link[:30] + "\u200b" + link[30:],
                                 lambda link: f'"{link}"', lambda link: f"<{link}>"],
                         ids=["entities", "bom", "zero-width", "quotes", "brackets"])
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

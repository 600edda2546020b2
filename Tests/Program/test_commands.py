"""Every command: what goes to standard output, what goes to standard error, the exit code, the JSON by its schema, `--quiet`."""

import datetime
import json
import re

import pytest
from conftest import Bank, Home, check_schema

OPENED = (
    "ref connection id status title text html fields authorization_code created_at expires_at seconds_left options caution"
    " fingerprint")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A bank, and a home with one connection `demobank`, for the tests that leave it as it was."""
    bank = Bank(tmp_path_factory.mktemp("bank"))
    home = Home(tmp_path_factory.mktemp("home")).set_pin().enroll(bank)
    yield home, bank
    bank.stop()


@pytest.fixture
def quiet_place(place):
    """The same with nothing waiting."""
    home, bank = place
    for item in bank.get("authorizations?status=pending"):
        bank.post(f"authorizations/{item['id']}/close")
    return home, bank


def said_nothing(result):
    """The answer, and no talk beside it."""
    assert result.code == 0 and result.err == "", result
    return result.out


# The program itself


def test_version(home):
    result = home.ok("--version", pin=False)
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*\n", result.out) and result.err == ""


def test_help_is_a_result_of_every_command(home):
    words = re.findall(r"^  ([a-z]+)[ ,]", home.ok("--help", pin=False).out.split("SUBCOMMANDS:", 1)[1], re.M)
    assert {"enroll", "pending", "approve", "doctor", "pin", "consents"} <= set(words)
    for command in words:
        if command == "help":
            continue
        result = home.ok(command, "--help", pin=False)
        assert result.out.startswith("OVERVIEW: ") and "--help" in result.out and result.err == "", result


# enroll, connections, rename, revoke


def test_enroll_by_text_json_and_quiet(home, bank):
    home.set_pin()
    first = home.ok("enroll", "-", "--yes", stdin=bank.link(instant=True) + "\n")
    assert first.out == "Connected: demobank\n"
    assert "Demo Bank" in first.err and "127.0.0.1" in first.err, "what --yes answered is still said"
    second = home.run("enroll", "-", "--yes", "--quiet", stdin=bank.link(instant=True) + "\n")
    assert second.code == 0 and second.out == "demobank-2\n"
    third = home.json("enroll", "-", "--yes", "--name", "savings", stdin=bank.link(instant=True) + "\n")["connection"]
    assert third["name"] == "savings" and third["status"] == "active" and third["protocol"] == "saltedge-v1"
    assert [c["name"] for c in home.json("ls")["connections"]] == ["demobank", "demobank-2", "savings"]


def test_connections(place):
    home, bank = place
    [connection] = home.json("connections")["connections"]
    assert connection["bank"] == "Demo Bank" and connection["host"] in bank.url
    assert connection["id"] == str(bank.get("connections")[0]["id"])
    table = said_nothing(home.run("connections")).splitlines()
    assert table[0].split() == ["NAME", "BANK", "HOST", "STATUS", "PROTOCOL", "SINCE"]
    assert table[1].split()[0] == "demobank" and "active" in table[1] and "saltedge-v1" in table[1]
    assert said_nothing(home.run("ls", "--quiet")) == "demobank\n"


def test_connections_of_an_empty_home(home):
    home.set_pin()
    assert "countersign enroll" in said_nothing(home.run("connections"))
    assert said_nothing(home.run("connections", "--quiet")) == ""
    assert home.json("connections") == {"connections": []}
    assert home.json("pending") == {"authorizations": [], "failures": []}
    assert home.json("history") == {"decisions": [], "log": "intact"}


def test_rename(connected, bank):
    home = connected
    id = bank.pay()
    home.ok("deny", f"demobank:{id}")
    assert said_nothing(home.run("rename", "demobank", "treasury")) == "Renamed: treasury\n"
    item = bank.pay("Under the new name")
    assert home.json("pending")["authorizations"][0]["ref"] == f"treasury:{item}"
    assert f"demobank:{id}" in [d["ref"] for d in home.json("history", "--connection", "treasury")["decisions"]], (
        "what was decided under the old name belongs to the connection")
    assert said_nothing(home.run("rename", "treasury", "savings", "--quiet")) == "savings\n"
    assert home.json("rename", "savings", "savings-2")["connection"]["name"] == "savings-2"
    home.enroll(bank)
    for name in ("Not A Name", "-x", "a" * 33, "demobank"):
        result = home.run("rename", "savings-2", name)
        assert result.code == 64 and result.out == "" and result.err.startswith("error: "), result


def test_revoke(home, bank):
    home.set_pin().enroll(bank).enroll(bank, name="second").enroll(bank, name="third")
    assert said_nothing(home.run("revoke", "demobank")) == "Revoked: demobank\n"
    revoked = home.json("revoke", "second")["revoked"]
    assert revoked["name"] == "second" and revoked["bank_told"] is True
    assert [c["status"] for c in bank.get("connections")] == ["revoked", "revoked", "active"]
    bank.fault("connections.revoke", status=500)
    kept = home.run("revoke", "third")
    assert kept.code == 5 and "--local-only" in kept.err and kept.out == "", kept
    assert home.json("connections")["connections"][0]["name"] == "third"
    assert home.json("revoke", "third", "--local-only")["revoked"]["bank_told"] is False
    assert bank.get("connections")[2]["status"] == "active", "the bank was not told"
    assert home.json("connections")["connections"] == []


def test_revoke_of_what_the_bank_no_longer_knows(home, bank):
    home.set_pin().enroll(bank)
    bank.post(f"connections/{bank.get('connections')[0]['id']}/revoke")
    revoked = home.json("revoke", "demobank")["revoked"]
    assert (revoked["bank_told"], revoked["already_revoked"]) == (False, True)
    assert home.json("connections")["connections"] == []


@pytest.mark.parametrize("protocol", ["v1", "v2"])
def test_a_bank_without_consents(home, bank, protocol):
    """Its server knows no such route, and says so in no words of the protocol (saltedge-v1 section 9.3)."""
    home.set_pin().enroll(bank, protocol=protocol, name="fern")
    bank.fault("consents.list", times=2, status=404, body="<h1>Not Found</h1>", content_type="text/html")
    assert home.json("consents") == {"consents": [], "failures": []}
    listed = home.ok("consents")
    assert listed.out == "fern: this bank has no consents\n" and listed.err == ""
    bank.fault("consents.list", status=404, error_class="SomethingElse")
    assert home.run("consents").code == 5


# pending, show


def test_pending(quiet_place):
    home, bank = quiet_place
    assert "Nothing waits" in said_nothing(home.run("pending"))
    first, second = bank.pay("Pay 1.00 EUR", code="c1"), bank.pay("Pay 2.00 EUR", "<p>To <b>Fern</b></p>")
    items = home.json("pending")["authorizations"]
    assert [i["id"] for i in items] == [first, second], "the older one first"
    assert set(OPENED.split()) == set(items[0])
    assert items[0]["authorization_code"] == "c1" and items[0]["html"] is False and items[0]["text"] == "To Fern Books"
    assert items[1]["html"] is True and items[1]["text"] == "To Fern" and 0 < items[1]["seconds_left"] <= 300
    table = said_nothing(home.run("pending")).splitlines()
    assert table[0].split() == ["REF", "BANK", "TITLE", "EXPIRES"]
    assert table[1].startswith(f"demobank:{first} ") and "Pay 1.00 EUR" in table[1] and " in " in table[1]
    assert said_nothing(home.run("pending", "-q")) == f"demobank:{first}\ndemobank:{second}\n"


def test_pending_leaves_out_what_cannot_be_opened(quiet_place):
    home, bank = quiet_place
    good, bad = bank.pay("Good"), bank.pay("Bad", corrupt="data")
    answer = home.json("pending", "--strict")
    assert [i["id"] for i in answer["authorizations"]] == [good]
    [failure] = answer["failures"]
    assert failure["connection"] == "demobank" and bad not in [i["id"] for i in answer["authorizations"]]


def test_show(quiet_place):
    home, bank = quiet_place
    id = bank.pay("Pay 3.00 EUR", "To Fern Books\nReference R-5", code="c0de")
    item = home.json("show", f"demobank:{id}")
    listed = home.json("pending")["authorizations"][0]
    assert item == {**listed, "seconds_left": item["seconds_left"], "source": None}
    card = said_nothing(home.run("show", f"demobank:{id}")).splitlines()
    assert card[0] == "┌" + "─" * 79 and card[-1].startswith("└")
    assert card[1] == "│ Pay 3.00 EUR" and "│ Reference R-5" in card
    assert any(line.startswith("├ Demo Bank · 127.0.0.1") for line in card[5:])
    short = " ".join(item["fingerprint"][i:i + 4] for i in range(0, 16, 4))
    assert any(short in line for line in card)
    assert said_nothing(home.run("show", f"demobank:{id}", "--quiet")) == f"demobank:{id}\n"


def test_ids_that_need_encoding(quiet_place):
    home, bank = quiet_place
    for ref in ("demobank:a%2Fb", "demobank:%00", "demobank:..%2F..%2Fx"):
        result = home.run("show", ref, "--json")
        assert result.code in (4, 5), result
        check_schema(["failure"], result.json)


# approve, deny, history


def test_approve_and_deny(quiet_place):
    home, bank = quiet_place
    yes, no = bank.pay("Yes", code="c1"), bank.pay("No", code="c2")
    fingerprint = home.json("show", f"demobank:{yes}")["fingerprint"]
    approved = home.run("approve", f"demobank:{yes}", "--fingerprint", fingerprint[:16])
    assert re.fullmatch(rf"approved  demobank:{yes}  confirmed by the bank at \d\d:\d\d:\d\d\n", said_nothing(approved))
    [denied] = home.json("deny", f"demobank:{no}")["decisions"]
    assert (denied["decision"], denied["outcome"], denied["basis"], denied["error"]) == ("deny", "denied", "answered", None)
    assert bank.authorization(yes)["status"] == "confirmed" and bank.authorization(no)["status"] == "denied"
    assert bank.authorization(yes)["authorization_type"] == "passcode"


def test_a_fingerprint_may_stand_as_the_card_shows_it(quiet_place):
    home, bank = quiet_place
    id = bank.pay()
    print = home.json("show", f"demobank:{id}")["fingerprint"].upper()
    grouped = " ".join(print[i:i + 4] for i in range(0, 16, 4))
    assert said_nothing(home.run("approve", f"demobank:{id}", "--fingerprint", grouped, "-q")) == f"demobank:{id}\n"


def test_several_refs_are_all_tried(quiet_place):
    home, bank = quiet_place
    ids = [bank.pay(f"Number {n}") for n in range(3)]
    bank.post(f"authorizations/{ids[1]}/close")
    refs = [f"demobank:{id}" for id in ids]
    result = home.run("deny", *refs, "--json")
    check_schema(["deny"], result.json)
    assert result.code == 4, "the code of the first that failed"
    decisions = result.json["decisions"]
    assert [d["ref"] for d in decisions] == refs
    assert [d["outcome"] for d in decisions] == ["denied", "unknown", "denied"]
    assert decisions[1]["error"]["kind"] == "not_found" and decisions[1]["error"]["exit_code"] == 4
    again = home.run("deny", *refs)
    assert again.code == 4 and again.out == "" and again.err.count("error: ") == 3, again


def test_history(home, bank):
    home.set_pin().enroll(bank).enroll(bank, name="second")
    own = bank.get("connections")[1]["id"]
    for n in range(2):
        id = bank.pay(f"Number {n}", "To Fern Books")
        home.ok("deny", f"demobank:{id}")
    other = str(bank.post("authorizations", connection=own, title="Elsewhere", description="x")["ids"][0])
    home.ok("deny", f"second:{other}")
    answer = home.json("history", "--verify")
    assert answer["log"] == "intact"
    assert [d["title"] for d in answer["decisions"]] == ["Number 0", "Number 1", "Elsewhere"]
    first = answer["decisions"][0]
    assert (first["decision"], first["outcome"], first["basis"]) == ("deny", "denied", "answered")
    assert first["bank"] == "Demo Bank" and first["text"] == "To Fern Books" and re.fullmatch("[0-9a-f]{64}", first["hash"])

    def titles(*options):
        return [d["title"] for d in home.json("history", *options)["decisions"]]

    assert titles("--limit", "1") == ["Elsewhere"]
    assert titles("--connection", "second") == ["Elsewhere"]
    today = datetime.datetime.now(datetime.timezone.utc).date()
    assert len(titles("--since", str(today - datetime.timedelta(1)))) == 3
    assert titles("--since", str(today + datetime.timedelta(1))) == []
    assert len(titles("--since", "1h")) == 3
    for bad in ("yesterday", "5", "-1h", "1y", ""):
        result = home.run("history", f"--since={bad}", pin=False)
        assert result.code == 64, result
    assert home.run("history", "--limit", "0", pin=False).code == 64
    unknown = home.run("history", "--connection", "secnd")
    assert unknown.code == 4 and "second" in unknown.err, unknown
    # A broken log may have lost the name, and is told of all the same.
    assert home.json("history", "--verify", "--connection", "secnd") == {"decisions": [], "log": "intact"}

    table = said_nothing(home.run("history", "--verify"))
    assert table.splitlines()[0].split() == ["AT", "REF", "TITLE", "DECISION", "OUTCOME"]
    assert "knows the PIN could rewrite it" in table
    home.ok("revoke", "second")
    assert titles("--connection", "second") == ["Elsewhere"], "also of connections that are gone"
    assert said_nothing(home.run("history", "-q")).splitlines()[-1] == f"second:{other}"


# act, open


def test_act(quiet_place):
    home, bank = quiet_place
    action = bank.post("actions", user="ada", title="Sign in to Fern Online", return_to="https://fern.example/back")
    claimed = home.json("act", "-", "--yes", stdin=action["link"] + "\n")["action"]
    [item] = home.json("pending")["authorizations"]
    assert claimed == {
        "connection": "demobank", "success": True, "authorization": item["ref"], "return_to": "https://fern.example/back"}
    assert item["title"] == "Sign in to Fern Online"

    plain = bank.post("actions", user="ada", kind="plain")["link"]
    assert said_nothing(home.run("act", "-", "--yes", stdin=plain + "\n")).startswith("Done at demobank.")
    refused = home.run("act", "-", "--yes", "--json", stdin=bank.post("actions", user="ada", kind="refused")["link"] + "\n")
    assert refused.code == 5 and refused.json["error"]["kind"] == "refused"
    used = home.run("act", "-", "--yes", stdin=plain + "\n")
    assert used.code == 5 and used.out == "", used

    link = bank.post("actions", user="ada")["link"]
    asked = home.run("act", "-", stdin=link + "\n")
    assert asked.code == 3 and "--yes" in asked.err, "there is nobody to confirm it"
    opened = home.run("open", link, "--yes", "-q")
    assert said_nothing(opened) == home.json("pending")["authorizations"][-1]["ref"] + "\n"


def test_act_with_several_connections(home, bank):
    home.set_pin()
    link = bank.post("actions", user="ada")["link"]
    none = home.run("act", "-", "--yes", "--json", stdin=link + "\n")
    assert none.code == 4 and none.json["error"]["kind"] == "not_found"
    home.enroll(bank).enroll(bank, name="second")
    several = home.run("act", "-", "--yes", "--json", stdin=link + "\n")
    check_schema(["failure"], several.json)
    assert several.code == 4 and several.json["error"]["kind"] == "ambiguous"
    assert "demobank" in several.json["error"]["hint"] and "second" in several.json["error"]["hint"]
    claimed = home.json("act", "-", "--yes", "--connection", "second", stdin=link + "\n")["action"]
    assert claimed["connection"] == "second" and claimed["authorization"].startswith("second:")
    assert home.run("act", "-", "--yes", "--connection", "third", stdin=link + "\n").code == 4


def test_a_link_for_the_other_command(place):
    home, bank = place
    enroll = home.run("act", "-", "--yes", stdin=bank.link() + "\n")
    assert enroll.code == 64 and "countersign enroll" in enroll.err
    action = home.run("enroll", "-", "--yes", stdin=bank.post("actions", user="ada")["link"] + "\n")
    assert action.code == 64 and "countersign act" in action.err


def test_open_of_a_redirect_that_nobody_waits_for(place):
    home, _ = place
    result = home.run("open", "authenticator://oauth/redirect?id=1&access_token=t0ps3cret", pin=False)
    assert result.code == 4 and "t0ps3cret" not in result.err + result.out


# consents


def test_consents(place):
    home, bank = place
    assert "No third party" in said_nothing(home.run("consents"))
    accounts = [{"name": "Main", "iban": "AT001234", "account_number": "77", "sort_code": "01-02-03"}]
    [id] = bank.post(
        "consents", user="ada", tpp_name="Budget App", consent_type="aisp", accounts=accounts,
        shared_data={"balance": True, "transactions": False})["ids"]
    [consent] = home.json("consents")["consents"]
    assert consent["ref"] == f"demobank:{id}" and consent["third_party"] == "Budget App" and consent["type"] == "aisp"
    assert consent["accounts"] == accounts and consent["shared"] == {"balance": True, "transactions": False}
    table = said_nothing(home.run("consents", "--connection", "demobank"))
    assert "Budget App" in table and "AT001234" in table
    assert said_nothing(home.run("consents", "-q")) == f"demobank:{id}\n"
    assert home.json("consents", "revoke", f"demobank:{id}") == {"revoked": {"ref": f"demobank:{id}"}}
    assert bank.get("consents")[0]["revoked_by"] == "authenticator"
    gone = home.run("consents", "revoke", f"demobank:{id}", "--json")
    assert gone.code == 4 and gone.json["error"]["kind"] == "not_found"
    assert home.run("consents", "revoke", "31", pin=False).code == 64
    assert home.run("consents", "--connection", "nobody").code == 4


# pin, status, doctor


def test_pin_and_status(home):
    before = home.json("status", pin=False)
    assert before["pin_set"] is False and before["tries_left"] == 9 and before["agent"] == {"running": False, "version": None}
    assert "countersign pin set" in said_nothing(home.run("status", pin=False))
    assert home.json("pin", "set")["pin_set"] is True
    assert "9 tries left" in said_nothing(home.run("pin", "status", pin=False))
    assert said_nothing(home.run("status", "-q", pin=False)) == ""
    again = home.run("pin", "set", "--json")
    assert again.code == 64 and again.json["error"]["kind"] == "usage"
    home.write_pin("271828", "141421")
    home.json("pin", "change")
    assert home.run("connections").code == 3, "the old PIN"
    assert home.json("status", pin=False)["tries_left"] == 8
    home.write_pin("141421")
    home.ok("connections")
    home.write_pin("141421", "111111")
    assert home.run("pin", "change").code == 64, "too easy to guess"
    asked = home.run("pin", "reset", pin=False)
    assert asked.code == 3 and home.json("status", pin=False)["pin_set"] is True
    assert home.json("pin", "reset", "--yes", pin=False)["pin_set"] is False
    assert home.run("connections").code == 3


def test_doctor(home):
    checks = home.json("doctor", pin=False)["checks"]
    assert {"secret-service", "state-directory", "clock", "settings"} <= {c["name"] for c in checks}
    assert all(c["ok"] for c in checks)
    assert said_nothing(home.run("doctor", "-q", pin=False)) == ""
    assert said_nothing(home.run("doctor", pin=False)).startswith("ok ")
    settings = home.path / "config/countersign/config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("colour = 1\n")
    sick = home.run("doctor", "--json", pin=False)
    check_schema(["doctor"], sick.json)
    assert sick.code == 1
    assert [c["ok"] for c in sick.json["checks"] if c["name"] == "settings"] == [False]
    assert all(c["hint"] for c in sick.json["checks"] if not c["ok"]), "each with a remedy"


# Options everywhere


def test_home_option_beats_the_environment(place, tmp_path):
    home, _ = place
    elsewhere = tmp_path / "elsewhere"
    assert home.json("status", "--home", elsewhere, pin=False)["pin_set"] is False
    assert home.json("status", pin=False)["pin_set"] is True


def test_verbose_tells_each_call_and_no_secret(quiet_place):
    home, bank = quiet_place
    link = bank.link(instant=True)
    enrolled = home.run("enroll", "-", "--yes", "--verbose", "--name", "talkative", stdin=link + "\n")
    assert enrolled.code == 0 and enrolled.out == "Connected: talkative\n", enrolled
    assert "GET http://127.0.0.1" in enrolled.err and "/api/authenticator/v1/connections" in enrolled.err
    token = [r for r in bank.get("requests") if "access-token" in r["headers"]][-1]["headers"]["access-token"]
    id = bank.pay("Pay 4.00 EUR", user="ada", code="c0dec0de")
    item = next(i for i in home.json("pending")["authorizations"] if i["id"] == id)
    approved = home.run("approve", item["ref"], "--fingerprint", item["fingerprint"], "--verbose")
    assert approved.code == 0 and f"PUT {bank.url}" in approved.err, approved
    home.ok("revoke", "talkative")
    query = re.search("connect_query=(.*)", link).group(1)
    for secret in (token, query, "271828", "c0dec0de", "Pay 4.00"):
        assert secret not in enrolled.err + approved.err


@pytest.mark.parametrize("argv", [
    ["connections"], ["pending"], ["history"], ["consents"], ["show", "demobank:1"], ["deny", "demobank:1"],
    ["rename", "demobank", "x"], ["revoke", "demobank"], ["approve", "demobank:1", "--fingerprint", "0" * 16]])
def test_every_command_wants_the_pin(place, argv):
    home, _ = place
    result = home.run(*argv, "--json", pin=False)
    assert result.code == 3 and result.err == "", result
    check_schema(["failure"], result.json)
    assert result.json["error"]["kind"] == "locked"

"""The settings: what may stand in config.toml, and how a fault in it is told."""

import os
import pathlib

import pytest
from agents import agents, configure
from proxy import AUTHORITY, FarBank
from users import given_away

HINT = "hint: mend the file, or remove it: every setting has a default\n"


def write(home, text):
    path = home.path / "config/countersign/config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def faulty(home, text):
    """What is said of the file, without its path and the hint."""
    path = write(home, text)
    result = home.run("connections", pin=False)
    assert result.code == 64 and result.out == "", result
    assert result.err.startswith(f"error: {path}: ") and result.err.endswith("\n" + HINT), result
    return result.err.removeprefix(f"error: {path}: ").removesuffix("\n" + HINT)


NO_TOML = "not valid TOML"
UNKNOWN = "there is no such setting"
FLAG = "true or false is expected"
FASTEST = "a whole number of seconds from 1 to 60 is expected"
SLOWEST = "a whole number of seconds from 3 to 600 is expected"
IDLE = "a whole number of minutes from 1 to 5 is expected"
LONGEST = "a whole number of hours from 1 to 12 is expected"
PLATFORM = "a text of 1 to 32 characters is expected"
SCHEMES = "a list of texts is expected"
POSITION = '"LAT,LON" in decimal degrees is expected'


@pytest.mark.parametrize("text,said", [
    ("platform = 7\n", f"line 1: platform: {PLATFORM}"),
    ('platform = ""\n', f"line 1: platform: {PLATFORM}"),
    (f'platform = "{33 * "x"}"\n', f"line 1: platform: {PLATFORM}"),
    ("[tiqr]\noldest_version = 3\n", "line 2: tiqr.oldest_version: a whole number of version from 1 to 2 is expected"),
    ("[tiqr]\nlink_hosts = 'x'\n", f"line 2: tiqr.link_hosts: {SCHEMES}"),
    ("schemes = []\n", f"line 1: schemes: {SCHEMES}"),
    ('schemes = "x"\n', f"line 1: schemes: {SCHEMES}"),
    ('schemes = ["a", 1]\n', f"line 1: schemes: {SCHEMES}"),
    ('schemes = ["a", ""]\n', f"line 1: schemes: {SCHEMES}"),
    ('return_url = "x"\n', "line 1: return_url: an address with a scheme is expected"),
    ('pin_prompt = "ask"\n', 'line 1: pin_prompt: "auto", "pinentry" or "terminal" is expected'),
    ('pinentry = "pinentry-tty"\n', "line 1: pinentry: a path that begins with / is expected"),
    ('ca_file = "ca.pem"\n', "line 1: ca_file: a path that begins with / is expected"),
    ("ca_file = true\n", "line 1: ca_file: a path that begins with / is expected"),
    ('geolocation = "1,2"\n', "line 1: geolocation: a table of connection names is expected"),
    ('[geolocation]\ndemobank = "here"\n', f"line 2: geolocation.demobank: {POSITION}"),
    ("colour = 1\n", f"line 1: colour: {UNKNOWN}"),
    ("agent = true\n", "line 1: agent: a table is expected"),
    ("[[agent]]\n", "line 1: agent: a table is expected"),
    ("[agent]\ncolour = 1\n", f"line 2: agent.colour: {UNKNOWN}"),
    ("[agent.colour]\n", f"line 1: agent.colour: {UNKNOWN}"),
    ("[agent]\nplatform = 'ios'\n", f"line 2: agent.platform: {UNKNOWN}"),
    ("poll_fastest = 3\n", f"line 1: poll_fastest: {UNKNOWN}"),
    *[(f"[agent]\n{key} = {value}\n", f"line 2: agent.{key}: {expected}") for key, expected, values in [
        ("poll_while_locked", FLAG, ['"yes"', "1"]), ("notifications", FLAG, ['"no"', "0"]),
        ("poll_fastest", FASTEST, ["0", "61", "-3", "3.0", '"3"', "true", "9223372036854775807"]),
        ("poll_slowest", SLOWEST, ["2", "601", "30.5", "[30]"]),
        ("idle_minutes", IDLE, ["0", "6", "2.5"]), ("longest_hours", LONGEST, ["0", "13", "1979-05-27"]),
    ] for value in values],
    *[(f"[sessions]\nterminal_needs_grant = {value}\n", f"line 2: sessions.terminal_needs_grant: {FLAG}") for value in ('"yes"', "1")],
    *[(f"[sessions]\nlanguages = {value}\n", "line 2: sessions.languages: a list of at most eight language tags, such as "
       '["de-AT", "de"] is expected') for value in ('"de"', "[1]", '["de_AT"]', str(["de"] * 9))],
    ("[agent]\npoll_slowest = 9\npoll_fastest = 10\n",
     "line 2: agent.poll_slowest: a whole number of seconds from 10 to 600 is expected"),
])
def test_a_wrong_value_is_told_with_line_and_key(home, text, said):
    assert faulty(home, text) == said


@pytest.mark.parametrize("text,said", [
    # The line is that of the key in its own table, whatever looks like it elsewhere.
    ('# poll_fastest = 0\nplatform = "poll_fastest = 0"\n\n[agent]\n  # poll_fastest = 0\n\tpoll_fastest=0 # here\n',
     f"line 6: agent.poll_fastest: {FASTEST}"),
    ('[geolocation]\npoll_fastest = "1,2"\nidle_minutes = "1,2"\n[agent]\nnotifications = true\nidle_minutes = 9\n',
     f"line 6: agent.idle_minutes: {IDLE}"),
    ('[agent]\nidle_minutes = 1\n[geolocation]\nidle_minutes = 1\n', f"line 4: geolocation.idle_minutes: {POSITION}"),
    # Values of several lines.
    ('platform = """\n[agent]\npoll_fastest = 1\n"""\n[agent]\npoll_fastest = 0\n', f"line 6: agent.poll_fastest: {FASTEST}"),
    ("platform = '''\nx = [\n'''\nschemes = [\n  'a', # ]\n  ''\n]\n", f"line 4: schemes: {SCHEMES}"),
    ("schemes = [\n  'a',\n  'b',\n]\n\n\nplatform = 7\n", f"line 7: platform: {PLATFORM}"),
    # Other ways to write the same.
    ("\n\nagent.poll_fastest = 0\n", f"line 3: agent.poll_fastest: {FASTEST}"),
    ('\nagent = { notifications = true, poll_fastest = 0 }\n', f"line 2: agent.poll_fastest: {FASTEST}"),
    ('\n[ "agent" ] # the agent\n\n"poll\\u005ffastest" = 0\n', f"line 4: agent.poll_fastest: {FASTEST}"),
    ("[agent]\r\nnotifications = true\r\nidle_minutes = 6\r\n", f"line 3: agent.idle_minutes: {IDLE}"),
    ("\ufeff[agent]\nidle_minutes = 6", f"line 2: agent.idle_minutes: {IDLE}"),
    ("\n'a.b = c' = 1\n", f'line 2: "a.b = c": {UNKNOWN}'),
    ('"" = 1\n', f'line 1: "": {UNKNOWN}'),
    ('"\\u001b[31m" = 1\n', f'line 1: "⟨U+001B⟩[31m": {UNKNOWN}'),
])
def test_the_line_is_that_of_the_key(home, text, said):
    assert faulty(home, text) == said


@pytest.mark.parametrize("text,said", [
    ("# fine\nplatform = \n", f"line 2: platform: {NO_TOML}"),
    ('platform = "a"\nplatform = "b"\n', f"line 2: platform: {NO_TOML}"),
    ("[agent]\nnotifications = yes\n", f"line 2: agent.notifications: {NO_TOML}"),
    ("[agent]\n\nidle_minutes = 3 4\n", f"line 3: agent.idle_minutes: {NO_TOML}"),
    ('[agent]\n"a = b" = \n', f'line 2: agent."a = b": {NO_TOML}'),
    ("[agent]\nnotifications = true\n[agent]\n", f"line 3: agent: {NO_TOML}"),
    ("schemes = [\n  'a'\n  'b'\n]\n", f"line 3: schemes: {NO_TOML}"),
    # What the parser must not be given.
    ("[agent]\nidle_minutes = 1979-05-27 5\n", f"line 2: agent.idle_minutes: {NO_TOML}"),
    ("[agent]\nidle_minutes = 1979-05-27Tx\n", f"line 2: agent.idle_minutes: {NO_TOML}"),
    ("x = [1979-05-27 5]", f"line 1: x: {NO_TOML}"), ("\nschemes = [}\n", f"line 2: schemes: {NO_TOML}"),
    ("schemes = ['a', # b\n}\n", f"line 2: schemes: {NO_TOML}"), ("x = [\n[[[\n", f"line 2: x: {NO_TOML}"),
    (b"platform = 'ios'\nreturn_url = '\xff'\n", f"line 2: return_url: {NO_TOML}"),
    (b"platform = 'ios'\0\ncolour = 1\n", f"line 1: platform: {NO_TOML}"),
    # No key can be read.
    ("[agent]\nwhat is this\n", f"line 2: {NO_TOML}"),
    (" = 3\n", f"line 1: {NO_TOML}"),
    ("# a = \x01\n", f"line 1: {NO_TOML}"),
    ("\n\n[[[\n", f"line 3: {NO_TOML}"), ("\r\n [=]\n", f"line 2: {NO_TOML}"), ("[", f"line 1: {NO_TOML}"),
    ("[[\n", f"line 1: {NO_TOML}"), ("[.a]\n", f"line 1: {NO_TOML}"), ("[ü]\n", f"line 1: {NO_TOML}"),
    ("[a.]\n", f"line 1: {NO_TOML}"), (b"\n\xff = 1\n", f"line 2: {NO_TOML}"),
])
def test_what_is_no_toml_is_told_with_its_line_and_key(home, text, said):
    assert faulty(home, text) == said


def test_commands_that_work_by_the_settings_refuse_faulty_ones(home):
    write(home, "colour = 1\n")
    for argv in (["enroll", "authenticator://x"], ["pending"], ["watch", "--once"]):
        result = home.run(*argv, pin=False)
        assert result.code == 64 and "line 1: colour: there is no such setting" in result.err, result


def test_an_agent_is_locked_and_asked_whatever_the_settings_say(home, agents):
    agent = agents(home.set_pin()).unlock()
    warning = f"warning: {write(home, 'colour = 1')}: line 1: colour: {UNKNOWN}\n"
    for argv, locked in ((["status"], False), (["pin", "status"], False), (["lock"], True)):
        result = home.ok(*argv, "--json", pin=False)
        assert result.json["locked"] is locked and result.err == warning, result
    assert agent.state == "shut"


def test_doctor_finds_fault_with_faulty_settings_once(home):
    path = write(home, "colour = 1\n")
    result = home.run("doctor", "--json", pin=False)
    [wrong] = [check for check in result.json["checks"] if not check["ok"]]
    assert result.code == 1 and result.err == "", result
    assert wrong["name"] == "settings" and wrong["message"] == f"{path}: line 1: colour: {UNKNOWN}"


@pytest.mark.parametrize("text", [
    "", "# nothing\n", "[agent]\n",
    "[agent]\npoll_while_locked = false\npoll_fastest = 1\npoll_slowest = 600\nidle_minutes = 1\nlongest_hours = 1\n"
    "notifications = false\n",
    "[agent]\npoll_while_locked = true\npoll_fastest = 60\npoll_slowest = 60\nidle_minutes = 5\nlongest_hours = 12\n",
    # The slowest follows where only the fastest is set.
    "[agent]\npoll_fastest = 60\n", "[agent]\npoll_slowest = 3\n", "[tiqr]\noldest_version = 2\n", "\ufeffplatform = 'ios'\n",
    # What looks like a fault of the text, in comments and between quotes.
    "# from 1979-05-27 5 times [}\nplatform = '1979-05-27 5'\n", 'platform = """\n[[[\n\\"""[}"""\n# [[[\n',
    "platform = '[,}'\nreturn_url = \"://\\\"[}\"\n", "geolocation = {}\n",
])
def test_good_settings_are_taken(home, text):
    write(home, text)
    assert home.ok("status", pin=False).err == ""


def test_doctor_judges_the_pinentry(home, tmp_path):
    def judged(settings="", path="/nowhere"):
        configure(home, settings)
        result = home.run("doctor", "--json", pin=False, environment={"PATH": path})
        [check] = [check for check in result.json["checks"] if check["name"] == "pinentry"]
        return check["ok"], check["message"], check["hint"]

    program = tmp_path / "pinentry"
    program.write_text("")
    assert judged(path=str(tmp_path))[0:2] == (True, "none is installed, so only terminals can be asked: apt install pinentry-gnome3")
    program.chmod(0o755)
    assert judged(path=f"/nowhere:{tmp_path}")[0:2] == (True, f"{program} asks")
    assert judged(f'pinentry = "{program}"')[0:2] == (True, f"{program} asks")
    assert judged('pin_prompt = "terminal"')[0:2] == (True, 'not used: pin_prompt is "terminal"')
    for settings in ('pin_prompt = "pinentry"', 'pinentry = "/nowhere/pinentry"'):
        ok, message, hint = judged(settings)
        assert not ok and message.startswith("there is no program ") and "config.toml" in hint


@pytest.fixture
def far(tmp_path):
    far = FarBank(tmp_path)
    yield far
    far.stop()


def test_the_authorities_of_the_settings_are_trusted_and_the_option_counts_before_them(home, far, tmp_path):
    home.environment |= far.environment
    home.set_pin()
    assert home.run("enroll", "-", "--yes", stdin=far.link(instant=True) + "\n").code == 6
    path = tmp_path / "ca.pem"
    path.write_bytes(pathlib.Path(AUTHORITY).read_bytes())
    path.chmod(0o644)
    settings = write(home, f'ca_file = "{path}"\n')
    home.ok("enroll", "-", "--yes", stdin=far.link(instant=True) + "\n")
    home.ok("pending", "--strict")

    def told(words, hint):
        result = home.run("pending", "--strict")
        assert result.code == 64 and result.err.splitlines()[0].startswith(f"error: {settings}: ca_file: {words}"), result
        assert hint in result.err
        doctor = home.run("doctor", "--json", pin=False).json
        [check] = [check for check in doctor["checks"] if check["name"] == "settings"]
        assert not check["ok"] or "holds none" in words
        # The option counts before it, so that the setting is not even looked at.
        home.ok("pending", "--strict", "--ca-file", AUTHORITY)

    path.chmod(0o664)
    told("others can write the file", "chmod go-w")
    path.chmod(0o600)
    path.write_text("nothing\n")
    told("the file of certificate authorities holds none", "--ca-file")
    with given_away(path):
        told("the file belongs to somebody else", "--ca-file")
    path.unlink()
    told("the file cannot be read: No such file or directory", "--ca-file")
    path.mkdir()
    told("it is not a regular file", "--ca-file")

"""`make install`, `make uninstall` and the Debian package: everything lies where it is searched, the units and the desktop file
are valid, and no file names a place of the build. Tests/Package installs the package.
"""

import ctypes
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
from xml.etree import ElementTree

import pexpect
import pytest
from conftest import BIN, PROGRAM, ROOT, VERSION, finish
from gi.repository import GLib
from innards import until

SERVER = ["countersign-server.service", "countersign-server-bus.service", "countersign-server-keyring.service"]
USER = ["countersign.socket", "countersign.service"]
PROGRAMS = ("bin/", "libexec/", "share/doc/countersign/examples/")


def make(target, prefix, **variables):
    words = [f"{name}={value}" for name, value in {"PREFIX": prefix, "BINARY": BIN / "countersign", **variables}.items()]
    return subprocess.run(
        ["make", "--no-print-directory", "-C", str(ROOT), target, *words], capture_output=True, text=True, timeout=300,
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")})


def install(prefix, **variables):
    done = make("install", prefix, **variables)
    assert done.returncode == 0, done
    return done.stdout


def files(directory):
    return {path.relative_to(directory).as_posix(): path for path in directory.rglob("*") if path.is_file()}


def texts(directory):
    return {name: path.read_text() for name, path in files(directory).items() if not name.startswith(PROGRAMS)}


def verify(*arguments):
    """What systemd finds wrong with units; it only warns of many things."""
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *map(str, arguments)], capture_output=True, text=True, timeout=120)
    return done.stdout + done.stderr + (f"exit {done.returncode}" if done.returncode else "")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    prefix = tmp_path_factory.mktemp("install") / "with space"
    install(prefix)
    return prefix


def test_everything_is_there(installed):
    there = files(installed)
    names = {page.name.removesuffix(".in") for page in (ROOT / "Share/Manual").glob("*.*")}
    pages = {f"share/man/man{name[-1]}/{name}" for name in names}
    assert {"share/man/man1/countersign.open.1", "share/man/man7/countersign-agent.7"} < pages
    assert set(there) == pages | {
        "share/man/man1/git-credential-countersign.1",
        "bin/countersign",
        "bin/git-credential-countersign",
        "libexec/countersign/countersign",
        "share/bash-completion/completions/countersign",
        "share/zsh/site-functions/_countersign",
        "share/fish/vendor_completions.d/countersign.fish",
        "share/applications/countersign.desktop",
        "share/applications/countersign-watch.desktop",
        "share/icons/hicolor/scalable/apps/countersign.svg",
        "share/applications/mimeinfo.cache",
        *(f"share/doc/countersign/examples/{path.name}" for path in (ROOT / "Share/Examples").iterdir()),
        *(f"share/countersign/schemas/{path.name}" for path in (ROOT / "Share/Schemas").iterdir()
          if path.name != "agent-openapi.json"),
        "share/countersign/agent-openapi.json",
        "share/countersign/server-bus.conf",
        "lib/sysusers.d/countersign.conf",
        *(f"lib/systemd/user/{unit}" for unit in USER),
        *(f"lib/systemd/system/{unit}" for unit in SERVER),
    }
    for name, path in there.items():
        assert path.stat().st_mode & 0o777 == (0o755 if name.startswith(PROGRAMS) else 0o644), name
    assert (installed / "bin/git-credential-countersign").readlink() == pathlib.Path("countersign")
    for name, source in {"share/bash-completion/completions/countersign": "Share/Completions/countersign.bash",
                         "share/man/man1/countersign.1": "Share/Manual/countersign.1"}.items():
        assert there[name].read_bytes() == (ROOT / source).read_bytes()


def test_the_agents_page_tells_what_is_true(installed, tmp_path):
    page = (installed / "share/man/man7/countersign-agent.7").read_text()
    words = page.replace("\\-", "-")
    assert set(re.findall(r"^\.B (open|hidden|shut)$", page, re.M)) == {"open", "hidden", "shut"}
    description = re.search(r"^\.IR (.*agent-openapi\.json) ;$", words, re.M)[1]
    assert json.loads(pathlib.Path(description).read_text())["openapi"]
    # Every setting with its default, and no other.
    settings = dict(re.findall(r'^\.BR (\w+) " \((\w+)', page, re.M))
    all_settings = (ROOT / "Share/Manual/countersign.toml.5").read_text()
    table = all_settings.split(".SS The table [agent]\n")[1].split("\n.SS ")[0]
    assert set(settings) == set(re.findall(r"^\.BR (\w+) \" \(", table, re.M))
    config = tmp_path / "countersign/config.toml"
    config.parent.mkdir()
    for extra, complaint in ("", None), ("nope = 1\n", "there is no such setting"):
        config.write_text("[agent]\n" + "".join(f"{name} = {value}\n" for name, value in settings.items()) + extra)
        done = subprocess.run(
            [installed / "bin/countersign", "status", "--home", tmp_path], capture_output=True, text=True, timeout=60,
            env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path)})
        assert complaint in done.stderr if complaint else done.stderr == "", done
    for headers in re.findall(r"Countersign-[A-Za-z-]+", words):
        assert headers in pathlib.Path(description).read_text()


def test_the_settings_page_has_every_setting_and_its_default(installed):
    page = (installed / "share/man/man5/countersign.toml.5").read_text()
    # The table [sessions] has a name that [agent] has, too.
    before, sessions, after = re.split(r"^\.SS The table \[sessions\]\n((?:(?!\.SS).*\n)*)", page, flags=re.M)
    told = dict(re.findall(r'^\.BR (\w+) " \((.*)\)"$', before + after, re.M))
    sources = ROOT / "Sources/countersign/Settings"
    reading = (sources / "Settings+TOML.swift").read_text()
    known = {name for names in re.findall(r"check\(for: \[(.*?)\]", reading, re.S) for name in re.findall(r'"(\w+)"', names)}
    assert set(told) == known - {
        "agent", "sessions", "tiqr", "watch", "sign_out", "sign_out_on", "terminal_needs_grant", "languages"}
    [hour] = re.findall(r'\.number\("idle_minutes", of: "minutes", in: 1\.\.\.720\) \?\? (\d+)', reading)
    assert re.findall(r'^\.BR (\w+) " \((.*)\)"$', sessions, re.M) == [
        ("idle_minutes", hour), ("sign_out", '""never""'), ("sign_out_on", "[]"), ("terminal_needs_grant", "false"),
        ("languages", "those of the locale")]
    # As the source has them; the agent's, which stand there as numbers, also on its own page.
    declared = dict(re.findall(r"^    var (\w+)(?:: [^=\n]*)? = (.*)$", (sources / "Settings.swift").read_text(), re.M))
    assert (declared["signOut"], declared["signOutEvents"]) == ("SignOutRule.never", "[]")
    assert declared["terminalNeedsGrant"] == "false"
    for name, swift in {"platform": "platform", "schemes": "schemes", "return_url": "returnURL"}.items():
        assert told[name].replace('""', '"') == declared[swift], name
    assert told["pin_prompt"] == '""auto""' and declared["pinPrompt"] == "PINPrompt.auto"
    assert told["pinentry"] == '""pinentry"" in PATH' and declared["pinentry"] == '"pinentry"'
    assert told["geolocation"] == "none" and declared["geolocation"] == "[:]"
    assert told["bell"] == declared["bell"]
    assert told["oldest_version"] == re.search(r"oldestVersion = (\d)", (sources / "Settings.swift").read_text())[1]
    family = (ROOT / "Sources/Providers/Tiqr/Links/TiqrFamily.swift").read_text()
    assert told["eduid_hosts"].split(" and ") == re.findall(r'"([\w.]+)"', re.search(r'allowedHosts: \[(".+?)\]', family)[1])
    assert told["ca_file"] == "none" and re.search(r"var caFile: String\?$", (sources / "Settings.swift").read_text(), re.M)
    for name in ("poll_fastest", "poll_slowest", "idle_minutes", "longest_hours", "poll_while_locked", "notifications"):
        default = re.search(rf'"{name}".*?\?\? (\w+)', reading.split("extension Settings.Agent")[1].split("])", 1)[1], re.S)[1]
        assert told[name] == default, name


def test_the_example_of_the_settings_page_is_taken(installed, tmp_path):
    page = (installed / "share/man/man5/countersign.toml.5").read_text()
    config = tmp_path / "countersign/config.toml"
    config.parent.mkdir()
    config.write_text(re.search(r"^\.EX\n(.*?)^\.EE$", page, re.M | re.S)[1].replace("\\-", "-"))
    done = subprocess.run(
        [installed / "bin/countersign", "status", "--home", tmp_path], capture_output=True, text=True, timeout=60,
        env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path)})
    assert done.returncode == 0 and done.stderr == "", done


def test_every_page_is_found_by_what_it_is_for(installed):
    """As mandb reads them for apropos and whatis."""
    manual = installed / "share/man"
    pages = sorted(
        path for path in manual.rglob("*")
        if path.is_file() and not path.is_symlink() and path.suffix in (".1", ".5", ".7", ".8"))
    told = subprocess.run(["lexgrog", *map(str, pages)], capture_output=True, text=True, timeout=60)
    assert told.returncode == 0 and len(told.stdout.splitlines()) == len(pages) > 30, told
    for path, line in zip(pages, told.stdout.splitlines()):
        assert re.fullmatch(rf'.*: "{path.stem} - [^"]*[^".]"', line), line
    copy = pathlib.Path(tempfile.mkdtemp(dir="/tmp"))
    try:
        shutil.copytree(manual, copy / "man")
        subprocess.run(["mandb", "--quiet", "--create", "--user-db", copy / "man"], check=True, capture_output=True, timeout=120)
        for page, words in {"countersign.approve": "Approve a bank's request", "countersign.toml": "settings of countersign"}.items():
            found = subprocess.run(
                ["man", "--manpath", copy / "man", "--whatis", page], capture_output=True, text=True, timeout=60)
            assert f"{page} (" in found.stdout and words in found.stdout, found
    finally:
        shutil.rmtree(copy)


def test_without_a_program_the_release_is_built():
    def plan(*words):
        return subprocess.run(
            ["make", "-n", "-C", str(ROOT), "install", *words], check=True, capture_output=True, text=True, timeout=60).stdout

    assert "swift build -c release" in plan() and "BINARY=\".build/release/countersign\"" in plan()
    assert "swift build" not in plan("BINARY=/elsewhere/countersign")


def test_the_program_runs_where_it_lies(installed):
    done = subprocess.run([installed / "bin/countersign", "--version"], capture_output=True, text=True, timeout=60)
    # One that `make release` did not build.
    assert done.returncode == 0 and done.stdout == f"{VERSION}-dev\n"


def test_no_file_names_a_place_of_the_build(installed, tmp_path):
    """A package's files name the prefix, and neither DESTDIR nor where it was made."""
    install("/usr/local", DESTDIR=tmp_path)
    packed = texts(tmp_path / "usr/local")
    here = texts(installed)
    assert set(packed) == set(here) - {"share/applications/mimeinfo.cache"}
    for name, text in packed.items():
        assert str(tmp_path) not in text and str(ROOT) not in text and not re.search("@[A-Z]+@", text), name
        if not name.startswith("share/man") and "complet" not in name and "zsh" not in name:
            assert text.replace("/usr/local", str(installed)) == here[name]
    assert 'ExecStart="/usr/local/bin/countersign" agent\n' in packed["lib/systemd/user/countersign.service"]


@pytest.mark.parametrize("unit", USER)
def test_user_units_are_valid(installed, unit):
    assert verify("--user", installed / "lib/systemd/user" / unit) == ""


@pytest.mark.parametrize("unit", SERVER)
def test_server_units_are_valid(installed, unit):
    assert verify(installed / "lib/systemd/system" / unit) == ""


def test_an_invalid_unit_would_be_seen(installed, tmp_path):
    for line in ("ProtectHoem=yes", "ExecStart=/nowhere/countersign", "SystemCallFilter=@no-such-group"):
        unit = tmp_path / "countersign-server.service"
        for name in SERVER:
            shutil.copy(installed / "lib/systemd/system" / name, tmp_path)
        unit.write_text(unit.read_text().replace("[Service]\n", f"[Service]\n{line}\n"))
        assert verify(unit) != "", line


def test_the_user_unit_makes_no_mount_namespace(installed):
    """A private /tmp would hide the display's socket from the window that asks for the PIN."""
    unit = (installed / "lib/systemd/user/countersign.service").read_text()
    # The codes of an agent that runs already and of wrong usage.
    server = (installed / "lib/systemd/system/countersign-server.service").read_text()
    assert "RestartPreventExitStatus=10 64\n" in unit and "RestartPreventExitStatus=10 64\n" in server
    keys = set(re.findall(r"^(\w+)=", unit, re.M))
    assert not {key for key in keys if key.startswith(("Private", "Protect", "Read", "Bind", "Inaccessible", "Temporary"))}
    assert {"NoNewPrivileges", "SystemCallFilter", "MemoryDenyWriteExecute", "LimitCORE", "UMask"} <= keys


def test_the_server_units_are_closed_in(installed):
    for unit in SERVER:
        done = subprocess.run(
            ["systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=20",
             str(installed / "lib/systemd/system" / unit)], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["countersign", "countersign-watch"])
def test_the_desktop_files_are_valid(installed, name):
    done = subprocess.run(
        ["desktop-file-validate", str(installed / f"share/applications/{name}.desktop")], capture_output=True, text=True,
        timeout=60)
    assert done.returncode == 0 and done.stdout + done.stderr == ""
    assert "x-scheme-handler/authenticator=countersign.desktop" in (installed / "share/applications/mimeinfo.cache").read_text()


def menu_entry(installed):
    """The desktop's menu entry, as desktops read it, and the command that it starts."""
    entry = GLib.KeyFile()
    entry.load_from_file(str(installed / "share/applications/countersign-watch.desktop"), GLib.KeyFileFlags.NONE)
    return entry, GLib.shell_parse_argv(entry.get_string("Desktop Entry", "Exec")).argvp


def test_the_menu_entry_opens_watch_in_a_terminal(installed, home):
    entry, command = menu_entry(installed)
    words = {key: entry.get_string("Desktop Entry", key) for key in ("Name", "Terminal", "Icon", "TryExec")}
    assert words == {
        "Name": "Countersign (terminal)", "Terminal": "true", "Icon": "countersign", "TryExec": str(installed / "bin/countersign")}
    assert "NoDisplay" not in entry.get_keys("Desktop Entry")[0]
    icon = ElementTree.parse(installed / "share/icons/hicolor/scalable/apps/countersign.svg").getroot()
    assert icon.tag.endswith("}svg") and icon.get("width") == icon.get("height")
    child = pexpect.spawn(
        command[0], command[1:], env=home.set_pin().environment, encoding="utf-8", timeout=60, dimensions=(24, 80))
    child.expect("PIN: ")
    # The window closes for whoever wants no more.
    child.sendcontrol("c")
    child.expect(pexpect.EOF)


def test_the_menu_entrys_window_stays_with_the_hint_that_it_shows(installed, home):
    """On a fresh home; the hint's command can be typed below it."""
    _, command = menu_entry(installed)
    child = pexpect.spawn(
        command[0], command[1:], env=dict(home.environment, SHELL="/bin/sh"), encoding="utf-8", timeout=60,
        dimensions=(24, 80))
    child.expect("hint: .*countersign enroll")
    child.sendline("echo $((40 + 2))")
    child.expect(r"(?<!\d)42\r\n")
    child.close(force=True)


def test_a_home_gets_what_is_searched_there():
    home = pathlib.Path(os.environ["HOME"])
    prefix = home / ".local"
    before = set(files(prefix))
    said = install(prefix)
    there = set(files(prefix)) - before
    assert {f"share/systemd/user/{unit}" for unit in USER} <= there
    assert not [name for name in there if name.startswith("lib/") or "server" in name], "no system manager looks into a home"
    assert str(prefix / "bin/countersign") in said
    make("uninstall", prefix)
    assert set(files(prefix)) - before <= {"share/applications/mimeinfo.cache"}


def test_systemd_searches_these_places():
    def searched(*options):
        return subprocess.run(
            ["systemd-analyze", *options, "unit-paths"], check=True, capture_output=True, text=True, timeout=60).stdout.split()

    user = searched("--user", "--global") + searched("--user")
    assert f"{os.environ['HOME']}/.local/share/systemd/user" in user
    for prefix in ("/usr", "/usr/local"):
        assert f"{prefix}/lib/systemd/user" in user and f"{prefix}/lib/systemd/system" in searched()


def test_uninstall_takes_away_its_own_files_only(tmp_path):
    install(tmp_path)
    others = [tmp_path / "bin/other", tmp_path / "share/countersign/other", tmp_path / "share/man/man1/other.1"]
    for path in others:
        path.write_text("")
    done = make("uninstall", tmp_path)
    assert done.returncode == 0, done
    assert set(files(tmp_path).values()) - {tmp_path / "share/applications/mimeinfo.cache"} == set(others)


# Uninstalling


@pytest.fixture
def installed_here(home, tmp_path, monkeypatch):
    """An installation in somebody's home, and what `make uninstall` finds there: no PREFIX, and a service manager that writes down
    what it is told."""
    person = tmp_path / "person"
    person.mkdir()
    monkeypatch.setenv("HOME", str(person))
    install(person / ".local")
    systemctl = tmp_path / "systemctl"
    systemctl.write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/told\n')
    systemctl.chmod(0o755)
    home.environment |= {"HOME": str(person), "PATH": f"{tmp_path}:{os.environ['PATH']}", "COUNTERSIGN_BIN": str(BIN)}
    for name in [name for name in home.environment if name.startswith("MAKE") or name == "PREFIX"]:
        del home.environment[name]
    home.program = person / ".local/bin/countersign"
    return home


UNINSTALL = ["make", "--no-print-directory", "-C", str(ROOT), "uninstall"]


def uninstall(home, *words):
    return subprocess.run(
        [*UNINSTALL, *words], env=home.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


def test_uninstall_finds_the_program_and_stops_its_agent(installed_here, tmp_path):
    home = installed_here.set_pin()
    subprocess.run([home.program, "agent", "--daemonize", "--quiet"], env=home.environment, check=True, timeout=60)
    assert home.json("status", pin=False)["agent"]["running"]
    done = uninstall(home)
    assert done.returncode == 0 and done.stderr == "", done
    assert not home.json("status", pin=False)["agent"]["running"]
    assert "Stopped the agent.\n" in done.stdout and done.stdout.endswith(f"removed: {home.program}\n")
    assert (tmp_path / "told").read_text().splitlines() == [
        "--user --quiet disable --now countersign.socket countersign.service", "--user daemon-reload"]
    left = set(files(home.program.parents[1]))
    assert left <= {"share/applications/mimeinfo.cache"}
    # What stays, and what only the program could have done before.
    assert f"  {home.state} (connections and log)\n" in done.stdout and (home.state / "ledger.sqlite").exists()
    for command in ("connections", "revoke NAME", "pin reset"):
        assert f"  {home.program} {command}\n" in done.stdout
    again = uninstall(home)
    assert again.returncode != 0 and f"neither in {home.program.parents[1]} nor in /usr/local" in again.stderr, again


@pytest.mark.parametrize("answer, is_removed", [("", False), ("n", False), ("y", True)])
def test_on_a_terminal_uninstall_asks_while_connections_can_be_revoked(installed_here, answer, is_removed):
    home = installed_here.set_pin()
    child = pexpect.spawn(UNINSTALL[0], UNINSTALL[1:], env=home.environment, encoding="utf-8", timeout=60)
    child.expect_exact("Your banks go on listing this computer.")
    child.expect_exact("Remove the program now? [y/N] ")
    assert home.program.exists()
    child.sendline(answer)
    code = finish(child)
    assert home.program.exists() != is_removed and (code == 0) == is_removed


def test_without_keys_uninstall_asks_nothing(installed_here):
    child = pexpect.spawn(UNINSTALL[0], UNINSTALL[1:], env=installed_here.environment, encoding="utf-8", timeout=60)
    assert finish(child) == 0 and not installed_here.program.exists()
    assert "revoke" not in child.before


def test_uninstall_says_who_may(installed_here):
    folder = installed_here.program.parent
    folder.chmod(0o500)
    done = uninstall(installed_here)
    folder.chmod(0o700)
    assert done.returncode != 0 and f"error: you may not write to {folder}\n" in done.stderr, done
    assert "hint: sudo make uninstall PREFIX=" in done.stderr and installed_here.program.exists()


@pytest.mark.parametrize("prefix", ["relative", "", '/tmp/quo"te', "/tmp/per%cent", "/tmp/back\\slash"])
def test_a_prefix_that_units_cannot_name_is_refused(prefix, tmp_path):
    done = make("install", prefix, DESTDIR=tmp_path)
    if prefix == "":
        # As if it were not given.
        assert done.returncode == 0 and (tmp_path / "usr/local/bin/countersign").exists()
    else:
        assert done.returncode != 0 and "error: PREFIX" in done.stderr and files(tmp_path) == {}


# The server's bus and keyring, started as their units say


def command(unit):
    text = unit.read_text()
    return shlex.split(re.search(r"^ExecStart=(.*)$", text, re.M).group(1))


def test_the_servers_bus_and_keyring_serve_the_agent(installed):
    """A fresh user's keyring is made and found by one variable, as the units and countersign-server(8) have it."""
    units = installed / "lib/systemd/system"
    base = pathlib.Path(tempfile.mkdtemp(prefix="cs", dir="/tmp"))
    runtime, home, password = base / "run", base / "home", base / "password"
    runtime.mkdir(mode=0o700)
    home.mkdir(mode=0o700)
    password.write_text("worthless")
    # What the units give: nothing of this session.
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_RUNTIME_DIR": str(runtime)}
    started = []

    def start(words, **options):
        started.append(subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options))

    def doctor():
        done = subprocess.run(
            [installed / "bin/countersign", "doctor"], env=environment, capture_output=True, text=True, timeout=60)
        return done.stdout

    try:
        assert "WRONG  secret-service" in doctor(), "there is none without them"
        start([*command(units / "countersign-server-bus.service"), f"--address=unix:path={runtime}/bus"])
        until(lambda: (runtime / "bus").exists())
        with open(password) as words:
            start(command(units / "countersign-server-keyring.service"), stdin=words)
        until(lambda: "ok     secret-service" in doctor(), seconds=60)
        pin = base / "pin"
        pin.write_text("271828\n")
        pin.chmod(0o600)
        done = subprocess.run(
            [installed / "bin/countersign", "pin", "set", "--pin-file", pin], env=environment, capture_output=True, text=True,
            timeout=60)
        assert done.returncode == 0, done
        assert (home / ".local/share/keyrings").is_dir() and (home / ".local/state/countersign/ledger.sqlite").exists()
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait(30)
        shutil.rmtree(base)


# The version, and the Debian package


def test_the_changelog_begins_with_this_version():
    newest = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.M)[1]
    assert re.fullmatch(re.escape(VERSION) + r" - \d{4}-\d\d-\d\d", newest)
    debian = subprocess.run(
        [ROOT / "Share/Install/debian-changelog", VERSION], check=True, capture_output=True, text=True, timeout=60).stdout
    for field, value in {"Version": VERSION, "Source": "countersign"}.items():
        told = subprocess.run(
            ["dpkg-parsechangelog", "-l", "-", "-S", field], input=debian, check=True, capture_output=True, text=True, timeout=60)
        assert told.stdout.strip() == value and told.stderr == ""


@pytest.mark.parametrize("repository", [True, False], ids=["in-git", "outside-git"])
def test_a_release_names_its_commit(tmp_path, repository):
    """The object that `make release` hands to the linker."""
    (tmp_path / "Share/Install").mkdir(parents=True)
    shutil.copy(ROOT / "Share/Install/commit-object", tmp_path / "Share/Install")

    def git(*words):
        done = subprocess.run(
            ["git", "-C", tmp_path, "-c", "user.name=ada", "-c", "user.email=ada@ada.example", *words], check=True,
            capture_output=True, text=True, timeout=60)
        return done.stdout.strip()

    def told():
        """What the object says, and its name."""
        made = subprocess.run(
            [tmp_path / "Share/Install/commit-object", tmp_path / "made"], check=True, capture_output=True, text=True, timeout=60)
        made = pathlib.Path(made.stdout.strip())
        library = made.with_suffix(".so")
        subprocess.run(["clang", "-shared", "-o", library, made], check=True, timeout=60)
        function = ctypes.CDLL(str(library)).countersign_build
        function.restype = ctypes.c_char_p
        return function().decode(), made.name

    if repository:
        git("init", "-q")
        git("add", "Share")
        git("commit", "-q", "-m", "Begin")
        commit = git("rev-parse", "--short=12", "HEAD")
        assert told() == (f" ({commit})", f"build-{commit}.o")
        with open(tmp_path / "Share/Install/commit-object", "a") as file:
            file.write("\n")
        assert told() == (f" ({commit}, changed)", f"build-{commit}changed.o")
    else:
        assert told() == ("", "build-.o")


def test_libraries_that_are_loaded_later_are_listed():
    """One list for packages, which holds each library that the sources name."""
    lines = (ROOT / "Share/Install/loaded-libraries").read_text().splitlines()
    lines = [line.split() for line in lines if not line.startswith("#")]
    listed = {library: field for library, field in lines}
    loaded = set()
    for source in (ROOT / "Sources").rglob("*.c"):
        loaded |= set(re.findall(r'"(lib[\w.+-]+\.so\.\d+)"', source.read_text()))
    assert "libsecret-1.so.0" in loaded and loaded <= set(listed)
    assert set(listed) - loaded == {f"lib{name}-2.0.so.0" for name in ("gio", "gobject", "glib")}, "those come with libsecret"
    assert set(listed.values()) <= {"Depends", "Recommends"}


def package(directory, **window):
    """The package of this development build, and before it that of its window."""
    program = directory.parent / "countersign"
    if not program.exists():
        subprocess.run(["strip", "-o", program, BIN / "countersign"], check=True, timeout=300)
        subprocess.run(["strip", "-o", f"{program}-entry", PROGRAM], check=True, timeout=60)
    done = subprocess.run(
        [ROOT / "Share/Install/package", directory], capture_output=True, text=True, timeout=600,
        # Only the release's package is worth the time that it takes to compress.
        env={**os.environ, "BINARY": str(program), "WINDOW": "", "DPKG_DEB_COMPRESSOR_TYPE": "none", **window})
    assert done.returncode == 0, done
    made = sorted(directory.glob("*.deb"))
    assert sorted(done.stdout.splitlines()) == [str(path) for path in made]
    names = ["countersign-desktop"] * bool(window) + ["countersign"]
    assert [path.name.split("_")[:2] for path in made] == [[name, f"{VERSION}~dev"] for name in names]
    return made


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    return package(tmp_path_factory.mktemp("packages") / "one")[-1]


def test_the_package_holds_what_is_installed(packed, tmp_path):
    subprocess.run(["dpkg-deb", "-R", packed, tmp_path / "packed"], check=True, timeout=300)
    install("/usr", DESTDIR=tmp_path / "installed")

    def names(directory):
        # Where Debian has it, and its manual pages compressed.
        moves = {"usr/lib/systemd/system/": "lib/systemd/system/", "zsh/site-functions/": "zsh/vendor-completions/"}
        found = set()
        for name in files(directory):
            for old, new in moves.items():
                name = name.replace(old, new)
            found.add(name.removesuffix(".gz"))
        return found

    there = names(tmp_path / "packed")
    scripts = {f"DEBIAN/{name}" for name in ("control", "md5sums", "postinst", "prerm", "postrm")}
    documents = {f"usr/share/doc/countersign/{name}" for name in ("changelog", "copyright", "notices")}
    overrides = {"usr/share/lintian/overrides/countersign"}
    assert there == names(tmp_path / "installed") | scripts | documents | overrides
    control = (tmp_path / "packed/DEBIAN/control").read_text()
    depends = re.search(r"^Depends: (.*)$", control, re.M)[1]
    assert {"libsecret-1-0", "libglib2.0-0", "libssl3", "ca-certificates"} <= {word.split()[0] for word in depends.split(", ")}


def test_the_same_program_makes_the_same_package(packed):
    assert package(packed.parents[1] / "two")[-1].read_bytes() == packed.read_bytes()


# The window. It needs GTK, which these tests do without: another program stands in its place, since only its place is looked at.
# Tests/Window starts the real one from there.

WINDOW_ID = "org.countersign.Countersign"
WINDOW_FILES = {
    "libexec/countersign/countersign-window",
    f"share/applications/{WINDOW_ID}.desktop",
    f"share/dbus-1/services/{WINDOW_ID}.service",
    f"share/metainfo/{WINDOW_ID}.metainfo.xml",
    f"share/icons/hicolor/scalable/apps/{WINDOW_ID}.svg",
    f"share/icons/hicolor/symbolic/apps/{WINDOW_ID}-symbolic.svg",
}


@pytest.fixture(scope="module")
def window(tmp_path_factory):
    prefix = tmp_path_factory.mktemp("window") / "with space"
    done = make("install-window", prefix, BINARY="", WINDOW=PROGRAM)
    assert done.returncode == 0, done
    assert done.stdout == f"installed: {prefix}/libexec/countersign/countersign-window, in the desktop's menu as Countersign\n"
    return prefix


def test_the_windows_files_lie_where_desktops_search(window):
    there = files(window)
    assert there.pop("share/applications/mimeinfo.cache") and set(there) == WINDOW_FILES
    for name, path in there.items():
        assert path.stat().st_mode & 0o777 == (0o755 if name.startswith("libexec/") else 0o644), name
        assert name.startswith("libexec/") or not re.search("@[A-Z]+@", path.read_text()), name
    for icon in sorted(window.rglob("*.svg")):
        root = ElementTree.parse(icon).getroot()
        assert root.tag.endswith("}svg") and root.get("width") == root.get("height")


def test_a_desktop_starts_the_window_that_was_installed(window):
    entry = window / f"share/applications/{WINDOW_ID}.desktop"
    done = subprocess.run(["desktop-file-validate", entry], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout + done.stderr == ""
    keys = GLib.KeyFile()
    keys.load_from_file(str(entry), GLib.KeyFileFlags.NONE)
    words = {key: keys.get_string("Desktop Entry", key) for key in ("Name", "Terminal", "DBusActivatable", "Icon", "TryExec")}
    program = str(window / "libexec/countersign/countersign-window")
    assert words == {
        "Name": "Countersign", "Terminal": "false", "DBusActivatable": "true", "Icon": WINDOW_ID, "TryExec": program}
    assert GLib.shell_parse_argv(keys.get_string("Desktop Entry", "Exec")).argvp == [program]
    service = GLib.KeyFile()
    service.load_from_file(str(window / f"share/dbus-1/services/{WINDOW_ID}.service"), GLib.KeyFileFlags.NONE)
    assert service.get_string("D-BUS Service", "Name") == WINDOW_ID
    assert GLib.shell_parse_argv(service.get_string("D-BUS Service", "Exec")).argvp == [program, "--gapplication-service"]


def test_software_centres_find_the_window(window):
    page = window / f"share/metainfo/{WINDOW_ID}.metainfo.xml"
    done = subprocess.run(
        ["appstreamcli", "validate", "--strict", "--no-net", page], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done
    told = [(release.get("version"), release.get("date")) for release in ElementTree.parse(page).iter("release")]
    assert told == re.findall(r"^## (\S+) - (\S+)$", (ROOT / "CHANGELOG.md").read_text(), re.M)


def test_the_window_goes_with_the_program(tmp_path):
    install(tmp_path, WINDOW=PROGRAM)
    assert WINDOW_FILES < set(files(tmp_path))
    assert make("uninstall", tmp_path).returncode == 0
    assert set(files(tmp_path)) == {"share/applications/mimeinfo.cache"}


def test_the_window_is_a_package_of_its_own(packed, tmp_path):
    """A server needs no GTK."""
    made, program = package(packed.parents[1] / "both", WINDOW=str(packed.parents[1] / "countersign-entry"))
    assert program.read_bytes() == packed.read_bytes()
    subprocess.run(["dpkg-deb", "-R", made, tmp_path], check=True, timeout=60)
    scripts = {f"DEBIAN/{name}" for name in ("control", "md5sums")}
    documents = {f"usr/share/doc/countersign-desktop/{name}" for name in ("changelog.gz", "copyright", "notices.gz")}
    overrides = {"usr/share/lintian/overrides/countersign-desktop"}
    assert set(files(tmp_path)) == {f"usr/{name}" for name in WINDOW_FILES} | scripts | documents | overrides
    control = (tmp_path / "DEBIAN/control").read_text()
    assert f"countersign (= {VERSION}~dev)" in re.search(r"^Depends: (.*)$", control, re.M)[1].split(", ")

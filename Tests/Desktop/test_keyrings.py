"""The keyrings of real desktops, with their own windows: GNOME Keyring with its prompter, KWallet, KeePassXC.

Each test has a bus of its own with one keyring that nobody has set up yet, and answers its windows as a person does.
"""

import pathlib
import re
import shutil
import subprocess
import tempfile
import termios

import pexpect
import pykeepass
import pytest
from agents import typed
from conftest import PIN, Home, finish, program
from innards import until
from lxml import etree
from users import namespace

PASSWORD = "correct horse"
NEW_PIN = "314159"
PROMPTER = """[D-BUS Service]
Name=org.gnome.keyring.SystemPrompter
Exec={}
"""
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={1}/bus</listen><auth>EXTERNAL</auth><servicedir>{0}/services</servicedir>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>"""


class Desk:
    """A bus of its own on a screen, and a home of the program beside it. No keyring runs before one is started."""

    def __init__(self, directory, screen):
        self.directory, self.screen, self.processes = directory, screen, []
        for name in ("services", "config", "data", "cache"):
            (directory / name).mkdir()
        # A socket's path is short.
        self.run = tempfile.mkdtemp(prefix="countersign-run.", dir="/tmp")
        (directory / "bus.conf").write_text(BUS.format(directory, self.run))
        # The test run's own keyring is on another bus, and in another home.
        self.environment = dict(
            screen.environment, DBUS_SESSION_BUS_ADDRESS=f"unix:path={self.run}/bus", HOME=str(directory),
            XDG_CONFIG_HOME=str(directory / "config"), XDG_DATA_HOME=str(directory / "data"),
            XDG_CACHE_HOME=str(directory / "cache"), XDG_RUNTIME_DIR=self.run, LC_ALL="C.UTF-8")
        self.environment.pop("GNOME_KEYRING_CONTROL", None)
        self.start("dbus-daemon", "--nofork", f"--config-file={directory}/bus.conf")
        until(pathlib.Path(self.run, "bus").exists, 60)
        self.home = Home(directory, self.environment)

    def start(self, *argv, given=None):
        process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", *map(str, argv)], env=self.environment, stdin=subprocess.PIPE,
            stdout=self.screen.log, stderr=self.screen.log, text=True)
        if given is not None:
            process.stdin.write(given)
        process.stdin.close()
        self.processes.append(process)
        return process

    def keyring(self, *argv, **options):
        """Starts a keyring, and waits until it serves."""
        self.start(*argv, **options)
        until(lambda: "/" in self.secrets("ReadAlias", "string:default", check=False), 60)

    def secrets(self, method, *args, check=True):
        done = subprocess.run(
            ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets",
             f"org.freedesktop.Secret.Service.{method}", *args],
            env=self.environment, capture_output=True, text=True, timeout=60)
        assert not check or done.returncode == 0, done.stderr
        return done.stdout

    def lock(self):
        path = re.search(r'"(/.+)"', self.secrets("ReadAlias", "string:default"))[1]
        self.secrets("Lock", f"array:objpath:{path}")

    def items(self):
        """The paths of all items of the default collection."""
        path = re.search(r'"(/.+)"', self.secrets("ReadAlias", "string:default"))[1]
        return subprocess.run(
            ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets", path,
             "org.freedesktop.DBus.Properties.Get", "string:org.freedesktop.Secret.Collection", "string:Items"],
            env=self.environment, capture_output=True, text=True, check=True).stdout

    def names(self):
        """The names on the bus."""
        return subprocess.run(
            ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
             "org.freedesktop.DBus.ListNames"], env=self.environment, capture_output=True, text=True, timeout=60).stdout

    def windows(self, kind, pattern):
        """The numbers of the windows that can be seen, by title or class."""
        done = subprocess.run(
            ["xdotool", "search", "--onlyvisible", kind, pattern], env=self.environment, capture_output=True, text=True)
        return done.stdout.split()

    def window(self, kind, pattern):
        """Waits for a window, and makes it the one that is typed into."""
        number = until(lambda: self.windows(kind, pattern), 60)[-1]
        self.screen.xdotool("windowactivate", "--sync", number)
        return number

    def gone(self, kind, pattern):
        until(lambda: not self.windows(kind, pattern), 60)

    def keys(self, *keys):
        self.screen.xdotool("key", "--delay", 40, *keys)

    def words(self, text):
        self.screen.xdotool("type", "--delay", 20, text)

    def stop(self):
        for process in reversed(self.processes):
            process.kill()
            process.wait()
        shutil.rmtree(self.run)


@pytest.fixture
def desk(tmp_path, screen):
    desk = Desk(tmp_path, screen)
    yield desk
    desk.stop()


def fill(child, *secrets):
    """Types secrets at a terminal, each at its prompt."""
    for secret in secrets:
        child.expect("(PIN[^:]*|Again): ")
        child.send(secret + "\r")


def approve_there(desk, bank, *, answer=lambda: None):
    """Approves a payment on a terminal, without an agent."""
    id = bank.pay()
    child = desk.home.terminal("approve", f"demobank:{id}", timeout=60)
    fill(child, PIN)
    answer()
    child.expect("PIN to approve")
    child.send(PIN + "\r")
    child.expect("approved")
    assert finish(child) == 0
    assert bank.authorization(id)["status"] == "confirmed"


# GNOME Keyring


@pytest.fixture
def gnome(desk):
    start_prompter(desk)
    desk.keyring("gnome-keyring-daemon", "--foreground", "--components=secrets")
    return desk


def start_prompter(desk):
    """From now on the bus starts the program that shows GNOME Keyring's windows."""
    service = PROMPTER.format(program("/usr/libexec/gcr-prompter"))
    (desk.directory / "services/prompter.service").write_text(service)


GCR = ("--class", "[Gg]cr-prompter")


def test_gnome_keyring_makes_its_first_keyring(gnome, look):
    result = gnome.home.run("pin", "set", "--no-input", "--json")
    assert result.code == 7 and "GNOME Keyring" in result.json["error"]["hint"], result
    doctor = gnome.home.run("doctor", "--json", pin=False)
    [check] = [c for c in doctor.json["checks"] if c["name"] == "secret-service"]
    assert doctor.code == 1 and "no default collection" in check["message"] and "GNOME Keyring" in check["hint"], check

    child = gnome.home.terminal("pin", "set", timeout=60)
    child.expect("GNOME Keyring keeps the keys, and has no default keyring")
    gnome.window(*GCR)
    look("create")
    child.send(PIN + "\r")
    gnome.words(PASSWORD)
    gnome.keys("Tab")
    gnome.words(PASSWORD)
    gnome.keys("Return")
    # What was typed at the terminal meanwhile neither shows nor answers.
    child.expect("Choose a PIN")
    assert PIN not in child.before
    child.expect(": ")
    child.send(PIN + "\r")
    fill(child, PIN)
    child.expect("PIN set, 9 tries left")
    assert finish(child) == 0
    gnome.home.ok("connections")
    assert "ok     secret-service: GNOME Keyring answers" in gnome.home.run("doctor", pin=False).out


def test_no_keyring_is_made_against_the_persons_will(gnome):
    child = gnome.home.terminal("pin", "set", timeout=60)
    child.expect("GNOME Keyring keeps the keys")
    gnome.window(*GCR)
    gnome.keys("Escape")
    child.expect("error: .*default collection")
    child.expect("hint: .*GNOME Keyring")
    assert finish(child) == 7
    assert gnome.home.json("status", pin=False)["pin_set"] is False


def test_ctrl_c_ends_the_wait_for_the_window(gnome):
    """The terminal is as it was, and the window is gone."""
    child = gnome.home.terminal("pin", "set", timeout=60)
    before = termios.tcgetattr(child.child_fd)
    child.expect("GNOME Keyring keeps the keys.*…")
    gnome.window(*GCR)
    assert termios.tcgetattr(child.child_fd)[3] & termios.ECHO == 0
    child.send("typed for the window")
    child.sendintr()
    child.expect(pexpect.EOF)
    assert "typed" not in child.before
    assert termios.tcgetattr(child.child_fd) == before
    child.close()
    assert child.exitstatus == 2
    gnome.gone(*GCR)


def make_gnome_keyring(desk):
    """With an unlocked default keyring, as after a log-in."""
    start_prompter(desk)
    keyrings = desk.directory / "data/keyrings"
    keyrings.mkdir()
    (keyrings / "default").write_text("login")
    desk.keyring("gnome-keyring-daemon", "--foreground", "--components=secrets", "--unlock", given=PASSWORD)


def test_a_locked_gnome_keyring_is_unlocked_for_the_agent(desk, bank, agents, pinentry):
    """By the command, and by the agent itself when its own window asked for the PIN, as after Review."""
    make_gnome_keyring(desk)
    home = desk.home.set_pin_by_program().enroll_by_program(bank)
    agent = agents(home, pinentry=pinentry, display=desk.screen.name)
    desk.lock()
    assert home.run("unlock").code == 7, "nobody is there to answer a window"

    child = home.terminal("unlock", timeout=60)
    child.expect("GNOME Keyring asks for its password in a window of its own")
    desk.window(*GCR)
    child.send(PIN + "\r")
    desk.words(PASSWORD)
    desk.keys("Return")
    child.expect("PIN: ")
    child.send(PIN + "\r")
    child.expect("unlocked")
    assert finish(child) == 0 and agent.state == "open"

    home.ok("lock", pin=False)
    desk.lock()
    pinentry.answers(typed(PIN))
    request = subprocess.Popen(
        ["curl", "--silent", "--unix-socket", agent.socket, "-X", "POST", "http://agent/unlock"],
        stdout=subprocess.PIPE, text=True)
    desk.window(*GCR)
    desk.words(PASSWORD)
    desk.keys("Return")
    assert '"locked":false' in request.communicate(timeout=60)[0]
    assert agent.state == "open"


# KWallet

KWALLET = ("--class", "kwalletd5")


@pytest.fixture
def kwallet(desk):
    desk.keyring(program("kwalletd5"))
    return desk


def make_wallet(desk, look):
    """Answers KWallet's assistant for a first wallet: a classic one, with a password."""
    assistant = desk.window(*KWALLET)
    look("create")
    desk.screen.xdotool("mousemove", "--window", assistant, 110, 167, "click", 1)
    desk.keys("Return")
    until(lambda: desk.windows(*KWALLET) not in ([], [assistant]), 60)
    desk.window(*KWALLET)
    look("password")
    desk.words(PASSWORD)
    desk.keys("Tab")
    desk.words(PASSWORD)
    desk.keys("Return")


def test_the_whole_walk_on_kwallet(kwallet, bank, agents, look):
    home = kwallet.home
    result = home.run("pin", "set", "--no-input", "--json")
    assert result.code == 7 and "KWallet" in result.json["error"]["hint"], result
    child = home.terminal("pin", "set", timeout=60)
    child.expect("KWallet keeps the keys, and has no wallet for them yet")
    make_wallet(kwallet, look)
    fill(child, PIN, PIN)
    child.expect("PIN set")
    assert finish(child) == 0
    home.enroll_by_program(bank)
    approve_there(kwallet, bank)
    home.write_pin(PIN, NEW_PIN)
    home.ok("pin", "change")
    home.write_pin(NEW_PIN)

    agent = agents(home, display=kwallet.screen.name).unlock()
    id = bank.pay()
    [item] = home.json("pending")["authorizations"]
    home.ok("approve", f"demobank:{id}", "--fingerprint", item["fingerprint"])
    assert bank.authorization(id)["status"] == "confirmed"
    home.ok("lock", pin=False)

    # A wallet that was closed asks once, whatever it holds.
    kwallet.lock()
    assert home.run("unlock").code == 7
    child = home.terminal("unlock", timeout=60)
    child.expect("KWallet asks for its password in a window of its own")
    kwallet.window(*KWALLET)
    look("unlock")
    kwallet.words(PASSWORD)
    kwallet.keys("Return")
    fill(child, NEW_PIN)
    child.expect("unlocked")
    assert finish(child) == 0 and agent.state == "open"
    assert kwallet.windows(*KWALLET) == []

    home.ok("revoke", "demobank")
    assert home.json("history")["decisions"] != []
    home.ok("pin", "reset", "--yes", pin=False)
    assert "object path" not in kwallet.items(), "nothing is left"


def test_no_wallet_is_made_against_the_persons_will(kwallet):
    child = kwallet.home.terminal("pin", "set", timeout=60)
    child.expect("KWallet keeps the keys")
    kwallet.window(*KWALLET)
    kwallet.keys("Escape")
    child.expect("error: .*default collection")
    assert finish(child) == 7
    assert kwallet.home.json("status", pin=False)["pin_set"] is False


def without_plugin(desk):
    """Starts KWallet as it is without the package of QCA's plugins."""
    plugins = next(pathlib.Path("/usr/lib").glob("*/qca-qt5/crypto"))
    hide = f"mount -t tmpfs none {plugins}; exec {program('kwalletd5')}"
    desk.start(*namespace("--mount"), "sh", "-c", hide)
    until(lambda: "kwalletd5" in desk.names(), 60)


def test_kwallet_without_its_plugin_is_named(desk):
    without_plugin(desk)
    home = desk.home
    result = home.run("doctor", "--json", pin=False)
    [check] = [c for c in result.json["checks"] if c["name"] == "secret-service"]
    assert result.code == 1 and "KWallet cannot encrypt" in check["message"], check
    assert "apt install libqca-qt5-2-plugins" in check["hint"]
    set_pin = home.run("pin", "set", "--no-input", "--json")
    assert set_pin.code == 7 and set_pin.json["error"]["message"] == check["message"], set_pin


def test_kwallet_killed_right_after_keeps_what_is_relied_on(kwallet, bank, look):
    """It writes its file seconds after a change. What the program returned from is in the file."""
    home = kwallet.home
    child = home.terminal("pin", "set", timeout=90)
    child.expect("KWallet keeps the keys")
    make_wallet(kwallet, look)
    fill(child, PIN, PIN)
    child.expect("KWallet writes the keys to its file")
    child.expect("PIN set")
    assert finish(child) == 0
    restart(kwallet)
    home.enroll_by_program(bank)
    restart(kwallet)
    bank.pay()
    assert len(home.json("pending")["authorizations"]) == 1
    check = doctor_check(home, "keyring-items")
    assert check["ok"], check


def restart(desk):
    """Kills KWallet, starts it again and opens the wallet."""
    wallet = desk.processes.pop()
    wallet.kill()
    wallet.wait()
    desk.keyring(program("kwalletd5"))
    child = desk.home.terminal("connections", timeout=90)
    fill(child, PIN)
    child.expect("KWallet asks for its password in a window of its own")
    desk.window(*KWALLET)
    desk.words(PASSWORD)
    desk.keys("Return")
    child.expect(pexpect.EOF)
    assert finish(child) == 0, child.before


def doctor_check(home, name):
    """What doctor says in one check, without the PIN."""
    checks = home.run("doctor", "--json", pin=False).json["checks"]
    return next(check for check in checks if check["name"] == name)


def test_a_keyring_killed_under_an_open_agent_is_named(gnome, bank, agents):
    """doctor says that it is gone, and the command of its hint brings it back."""
    gnome.processes[-1].kill()
    gnome.processes[-1].wait()
    gnome.keyring("gnome-keyring-daemon", "--unlock", "--foreground", "--components=secrets", given=PASSWORD)
    home = gnome.home
    home.ok("pin", "set")
    home.enroll_by_program(bank)
    agent = agents(home).unlock()
    gnome.processes[-1].kill()
    gnome.processes[-1].wait()
    check = doctor_check(home, "secret-service")
    assert not check["ok"] and "nothing on the session bus owns org.freedesktop.secrets" in check["message"], check
    assert check["hint"].endswith("of GNOME Keyring: gnome-keyring-daemon --start --components=secrets"), check
    gnome.keyring("gnome-keyring-daemon", "--unlock", "--foreground", "--components=secrets", given=PASSWORD)
    assert doctor_check(home, "secret-service")["ok"] and doctor_check(home, "keyring-items")["ok"]
    bank.pay()
    until(lambda: home.json("pending", pin=False)["authorizations"], 60)
    assert agent.state == "open"


def kill(desk):
    """Kills the keyring."""
    keyring = desk.processes.pop()
    keyring.kill()
    keyring.wait()
    until(lambda: "org.freedesktop.secrets" not in desk.names(), 60)


def killed_is_named(desk, home, name, agent, bank):
    """The open agent and doctor say that it is gone; doctor names this keyring alone, although others are installed. Returns the
    command of the hint."""
    id = bank.pay()
    [item] = until(lambda: home.json("pending", pin=False)["authorizations"], 60)
    result = home.run("approve", f"demobank:{id}", "--fingerprint", item["fingerprint"], "--json")
    assert result.code == 7 and "nothing on the session bus owns" in result.json["error"]["message"], result
    assert result.json["error"]["hint"].endswith(": countersign doctor") and agent.state == "open"
    assert bank.authorization(id)["decisions_received"] == 0
    check = doctor_check(home, "secret-service")
    told, _, command = check["hint"].partition(f"; of {name}: ")
    assert told == "start the keyring that has your keys again, and unlock it" and ";" not in command, check
    return id, item, command.removesuffix(" &").split()


def test_kwallet_killed_under_an_open_agent_is_named(kwallet, bank, agents, look):
    home = kwallet.home
    child = home.terminal("pin", "set", timeout=90)
    child.expect("KWallet keeps the keys")
    make_wallet(kwallet, look)
    fill(child, PIN, PIN)
    child.expect("PIN set")
    assert finish(child) == 0
    home.enroll_by_program(bank)
    agent = agents(home, display=kwallet.screen.name).unlock()
    kill(kwallet)
    id, item, command = killed_is_named(kwallet, home, "KWallet", agent, bank)
    # The bus of a desktop starts another one in its place, which has none of the keys.
    make_gnome_keyring(kwallet)
    check = doctor_check(home, "keyring-items")
    assert check["hint"] == (
        "GNOME Keyring answers now; end it, and start the keyring that has your keys; of KWallet: " + " ".join(command) + " &"), check
    kill(kwallet)
    kwallet.keyring(*command)
    home.ok("lock", pin=False)
    child = home.terminal("unlock", timeout=90)
    child.expect("KWallet asks for its password in a window of its own")
    kwallet.window(*KWALLET)
    kwallet.words(PASSWORD)
    kwallet.keys("Return")
    fill(child, PIN)
    child.expect("unlocked")
    assert finish(child) == 0, child.before
    home.ok("approve", f"demobank:{id}", "--fingerprint", item["fingerprint"])
    assert bank.authorization(id)["status"] == "confirmed" and doctor_check(home, "secret-service")["ok"]


# KeePassXC

ACCESS = ("--name", "KeePassXC -  Access Request")
SETTINGS = """[General]
ConfigVersion=2
UpdateCheckMessageShown=true

[GUI]
CheckForUpdates=false

[FdoSecrets]
Enabled=true
ShowNotification=false
ConfirmAccessItem={access}
ConfirmDeleteItem={delete}
"""


class KeePass(Desk):
    """KeePassXC with one database, open unless it is said otherwise."""

    def begin(self, *, access=False, delete=False, exposed=True, locked=False):
        keepassxc = program("keepassxc")
        (self.directory / "config/keepassxc").mkdir()
        settings = SETTINGS.format(access=str(access).lower(), delete=str(delete).lower())
        (self.directory / "config/keepassxc/keepassxc.ini").write_text(settings)
        self.database = self.directory / "passwords.kdbx"
        database = pykeepass.create_database(str(self.database), password=PASSWORD)
        group = database.add_group(database.root_group, "Secrets")
        if exposed:
            item = etree.SubElement(database.tree.find("Meta/CustomData"), "Item")
            etree.SubElement(item, "Key").text = "FDO_SECRETS_EXPOSED_GROUP"
            etree.SubElement(item, "Value").text = f"{{{group.uuid}}}"
        database.save()
        self.start(keepassxc, *([] if locked else ["--pw-stdin"]), self.database, given=f"{PASSWORD}\n")
        self.window("--name", r"passwords.kdbx \[Locked\] - KeePassXC" if locked else "^Passwords - KeePassXC")
        if exposed:
            until(lambda: "/collection/" in self.secrets("ReadAlias", "string:default", check=False), 60)
        return self

    def kept(self):
        """All that the database file holds, as (title, content): the entries' histories and the recycle bin included."""
        database = pykeepass.PyKeePass(self.database, password=PASSWORD)
        kept = {
            (entry.title, file.data) for now in database.entries for entry in (now, *now.history)
            for file in entry.attachments}
        return kept | {(None, content) for content in database.binaries}

    def groups_of(self, title):
        database = pykeepass.PyKeePass(self.database, password=PASSWORD)
        return {entry.group.name for entry in database.entries if entry.title == title}


@pytest.fixture
def keepass(tmp_path, screen):
    desk = KeePass(tmp_path, screen)
    yield desk
    desk.stop()


def allow(desk, look=lambda name: None):
    """Allows what KeePassXC asks in its one window of this kind."""
    desk.window(*ACCESS)
    look("access")
    desk.keys("Return")
    desk.gone(*ACCESS)


def test_keepassxc_destroys_what_is_destroyed(keepass, bank, agents):
    """Not only in the entry, but in its history and the recycle bin."""
    home = keepass.begin().home.set_pin_by_program().enroll_by_program(bank)
    approve_there(keepass, bank)

    def secrets(*titles):
        return {content for title, content in keepass.kept() if title in titles}

    until(lambda: len(secrets("Countersign key", "Countersign token")) == 2, 60)
    first = secrets("Countersign device secret")
    assert len(first) == 1
    child = home.terminal("pin", "change", timeout=60)
    fill(child, PIN, NEW_PIN, NEW_PIN)
    child.expect("PIN set")
    assert finish(child) == 0
    home.write_pin(NEW_PIN)
    until(lambda: "Recycle Bin" in keepass.groups_of("Countersign, destroyed"), 60)
    until(lambda: not first & {content for _, content in keepass.kept()}, 60)

    agent = agents(home, display=keepass.screen.name).unlock()
    id = bank.pay()
    [item] = home.json("pending")["authorizations"]
    home.ok("approve", f"demobank:{id}", "--fingerprint", item["fingerprint"])
    assert bank.authorization(id)["status"] == "confirmed" and agent.state == "open"
    keys = secrets("Countersign key", "Countersign token")
    assert len(keys) == 2
    home.ok("revoke", "demobank")
    until(lambda: not keys & {content for _, content in keepass.kept()}, 60)


def test_keepassxc_has_saved_when_the_vault_relies_on_it(keepass, bank):
    """It saves a moment after each change. Killed before that, it came back without the new items."""
    home = keepass.begin().home.set_pin_by_program()
    assert "Countersign device secret" in {title for title, _ in keepass.kept()}
    home.enroll_by_program(bank)
    assert {"Countersign key", "Countersign token"} <= {title for title, _ in keepass.kept()}


def test_keepassxc_killed_under_an_open_agent_is_named(keepass, bank, agents):
    home = keepass.begin().home.set_pin_by_program().enroll_by_program(bank)
    agent = agents(home, display=keepass.screen.name).unlock()
    until(lambda: {"Countersign device secret", "Countersign token"} <= {title for title, _ in keepass.kept()}, 60)
    kill(keepass)
    id, item, command = killed_is_named(keepass, home, "KeePassXC", agent, bank)
    keepass.keyring(*command, "--pw-stdin", keepass.database, given=f"{PASSWORD}\n")
    keepass.window("--name", "^Passwords - KeePassXC")
    until(lambda: "/collection/" in keepass.secrets("ReadAlias", "string:default", check=False), 60)
    home.ok("approve", f"demobank:{id}", "--fingerprint", item["fingerprint"])
    assert bank.authorization(id)["status"] == "confirmed" and doctor_check(home, "secret-service")["ok"]


def test_an_agent_on_keepassxc_that_confirms_each_access(keepass, bank, agents, look):
    """One window for all entries, for each program that reads them; and deletions need no window to destroy."""
    home = keepass.begin(access=True, delete=True).home
    home.set_pin_by_program()
    result = home.run("connections", "--json")
    assert result.code == 7 and "Remember" in result.json["error"]["hint"], result
    agent = agents(home, display=keepass.screen.name)
    link = bank.link(instant=True)
    child = home.terminal("unlock", timeout=60)
    fill(child, PIN)
    child.expect("the keyring may be asking in a window of its own")
    allow(keepass)
    child.expect("unlocked")
    assert finish(child) == 0 and agent.state == "open"
    child = home.terminal("enroll", "--yes", "-", timeout=60)
    child.sendline(link)
    child.expect("Connected: demobank")
    assert finish(child) == 0

    # Made by the agent, so that another process has to ask for them.
    home.ok("lock", pin=False)
    agent.stop()
    agent = agents(home, display=keepass.screen.name)
    child = home.terminal("unlock", timeout=60)
    fill(child, PIN)
    allow(keepass, look)
    child.expect("unlocked")
    assert finish(child) == 0 and agent.state == "open"
    approve_in_agent(home, bank)
    child = home.terminal("revoke", "demobank", "--yes", timeout=60)
    child.expect(pexpect.EOF)
    assert home.run("connections", "--json", pin=False).json["connections"] == []
    assert keepass.windows(*ACCESS) == []


def approve_in_agent(home, bank):
    id = bank.pay()
    child = home.terminal("approve", f"demobank:{id}", timeout=60)
    child.expect("PIN to approve")
    child.send(PIN + "\r")
    child.expect("approved")
    assert finish(child) == 0
    assert bank.authorization(id)["status"] == "confirmed"


def test_a_locked_database_is_opened_in_keepassxcs_window(keepass):
    home = keepass.begin(locked=True).home
    result = home.run("pin", "set", "--json")
    assert result.code == 7 and "KeePassXC" in result.json["error"]["hint"], result
    child = home.terminal("pin", "set", timeout=60)
    child.expect("KeePassXC asks for its password in a window of its own")
    keepass.window("--name", "Unlock Database - KeePassXC")
    keepass.words(PASSWORD)
    keepass.keys("Return")
    fill(child, PIN, PIN)
    child.expect("PIN set")
    assert finish(child) == 0


def test_keepassxc_without_an_exposed_group_says_what_to_click(keepass):
    home = keepass.begin(exposed=False).home
    child = home.terminal("pin", "set", timeout=60)
    child.expect("no default collection")
    child.expect("Expose entries under this group")
    assert finish(child) == 7
    assert "Expose entries under this group" in home.run("doctor", pin=False).out

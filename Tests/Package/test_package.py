"""The Debian package in a fresh Debian 12: installed over the version before, used, removed and purged (`make test-deb`).

It needs root, in mount and process namespaces of its own, and a mirror of Debian: MIRROR, or http://deb.debian.org/debian. DEB
is the package; else the one in .build/deb. BEFORE is the version before, as a package or as a program; without it, no upgrade
is tried, and that is said. The demo bank runs outside. The tests are one story, in the order of this file.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import urllib.request

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / ".build"
MIRROR = os.environ.get("MIRROR") or "http://deb.debian.org/debian"
VERSION = re.search(r'text = "(.*)"', (ROOT / "Sources/Ground/Basics/ProductVersion.swift").read_text())[1]
PIN = "271828"
USER = 1000


def output(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=1200, **options)
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


class Debian:
    """A fresh Debian 12 in a folder, with a user ada."""

    def __init__(self, root):
        self.root, self.session = root, None
        base = BUILD / "deb/debian-12.tar"
        if not base.exists():
            base.parent.mkdir(parents=True, exist_ok=True)
            output("debootstrap", "--variant=minbase", "bookworm", root, MIRROR)
            output("tar", "-C", root, "-cf", base, ".")
        else:
            root.mkdir()
            output("tar", "-C", root, "-xf", base)
        output("mount", "-t", "proc", "proc", root / "proc")
        output("mount", "-t", "tmpfs", "tmpfs", root / "run")
        self.run("apt-get", "-q", "update")
        # What the program's use needs, and a desktop has.
        self.apt("install", "dbus-daemon", "gnome-keyring", "desktop-file-utils", "man-db")
        self.run("useradd", "--create-home", "--uid", USER, "ada")
        self.run("install", "-d", "-m", "700", "-o", "ada", f"/run/user/{USER}")

    def run(self, *words, **options):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
                       "DEBIAN_FRONTEND": "noninteractive"}
        return output("chroot", self.root, *words, env=environment, **options)

    def apt(self, *words):
        return self.run("apt-get", "-q", "-y", "--no-install-recommends", *words)

    def install(self, package):
        """Installs a package of ours, which a program of a development build needs its libraries beside."""
        shutil.copy(package, self.root / "tmp/countersign.deb")
        output("dpkg-deb", "-x", package, self.root / "tmp/unpacked")
        unpacked = self.root / "tmp/unpacked/usr"
        # Before 0.2.0 the program itself lay in bin.
        program = next(p for p in (unpacked / "libexec/countersign/countersign", unpacked / "bin/countersign") if p.exists())
        for library in re.findall(r"=> (/(?!lib/|usr/lib/)\S+)", output("ldd", program)):
            target = self.root / library.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            # Never over one that a running program has loaded.
            if not target.exists():
                shutil.copy(library, target)
        shutil.rmtree(self.root / "tmp/unpacked")
        return self.apt("install", "/tmp/countersign.deb")

    def login(self):
        """A bus and the keyring for ada, which a password opens."""
        script = "printf worthless | gnome-keyring-daemon --unlock --components=secrets >&2; echo $DBUS_SESSION_BUS_ADDRESS; cat"
        self.session = subprocess.Popen(
            self.as_ada("dbus-run-session", "--", "sh", "-c", script), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.bus = self.session.stdout.readline().strip()
        assert self.bus

    def logout(self):
        self.session.stdin.close()
        self.session.wait(60)

    def as_ada(self, *words, **variables):
        environment = {"PATH": "/usr/bin:/bin", "HOME": "/home/ada", "LC_ALL": "C.UTF-8", "XDG_RUNTIME_DIR": f"/run/user/{USER}",
                       **variables}
        return ["chroot", f"--userspec={USER}:{USER}", str(self.root), "env", "-i", "-C", "/home/ada",
                *(f"{name}={value}" for name, value in environment.items()), *map(str, words)]

    def ada(self, *words, **options):
        return output(*self.as_ada(*words, DBUS_SESSION_BUS_ADDRESS=self.bus), **options)

    def countersign(self, *words, **options):
        return self.ada("countersign", *words, "--no-input", **options)

    def json(self, *words):
        return json.loads(self.countersign(*words, "--json"))

    def named(self):
        """Every file of the system that our name is in, but not ada's own."""
        found = self.run("find", "/", "-xdev", "-name", "*countersign*", "-not", "-path", "/home/*", "-not", "-path", "/proc/*")
        return sorted(found.split())


class Bank:
    """A demo bank, with one customer (Sources/DemoBank/DemoBank/ADMIN.md)."""

    def __init__(self):
        self.process = subprocess.Popen([BUILD / "debug/demo-bank", "--port", "0"], stdout=subprocess.PIPE, text=True)
        self.url = re.search(r"http://\S+", self.process.stdout.readline())[0]
        self.admin("users", name="ada", password="correct horse")

    def admin(self, path, **body):
        request = urllib.request.Request(f"{self.url}/admin/{path}", data=json.dumps(body).encode() if body else None)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read() or "null")

    def link(self):
        return self.admin("links", user="ada", instant=True)["link"]

    def pay(self, title):
        return self.admin("authorizations", user="ada", title=title, description="To Fern Books")["ids"][0]

    def status(self, id):
        return self.admin(f"authorizations?id={id}")[0]["status"]


@pytest.fixture(scope="module")
def bank():
    bank = Bank()
    yield bank
    bank.process.terminate()
    bank.process.wait(30)


@pytest.fixture(scope="module")
def debian(tmp_path_factory):
    assert os.geteuid() == 0, "run it as root: sudo make test-deb"
    debian = Debian(tmp_path_factory.mktemp("debian") / "root")
    debian.login()
    yield debian
    debian.logout()
    for place in ("proc", "run"):
        # Lazily: what still runs there ends with this namespace.
        output("umount", "--lazy", debian.root / place)
    shutil.rmtree(debian.root)


@pytest.fixture(scope="module")
def package():
    given = os.environ.get("DEB")
    found = [pathlib.Path(given)] if given else sorted((BUILD / "deb").glob(f"countersign_{VERSION}_*.deb"))
    assert len(found) == 1, f"which package? {found}; make deb builds it, DEB names it"
    return found[0]


@pytest.fixture(scope="module")
def before(package, tmp_path_factory):
    """The package of the version before. Where there was none, this one's with that version's program."""
    given = os.environ.get("BEFORE")
    if not given:
        pytest.skip("no upgrade was tried: BEFORE names no package and no program of the version before")
    if given.endswith(".deb"):
        return pathlib.Path(given)
    made = tmp_path_factory.mktemp("before")
    output("dpkg-deb", "-R", package, made / "files")
    version = output(given, "--version").split()[0].replace("-", "~")
    libexec = made / "files/usr/libexec/countersign"
    if version.startswith("0.1."):
        # Then the program itself lay in bin.
        shutil.rmtree(libexec)
        shutil.copy(given, made / "files/usr/bin/countersign")
    else:
        shutil.copy(given, libexec / "countersign")
    control = made / "files/DEBIAN/control"
    control.write_text(re.sub(r"^Version: .*$", f"Version: {version}", control.read_text(), flags=re.M))
    output("dpkg-deb", "--root-owner-group", "-Znone", "-b", made / "files", made / "before.deb")
    return made / "before.deb"


def approve(debian, bank, title):
    """A payment, from the bank's request to the bank's word that it was confirmed."""
    id = bank.pay(title)
    waiting = debian.json("pending", "--pin-file", "pin")["authorizations"]
    [item] = [item for item in waiting if item["title"] == title]
    [decision] = debian.json("approve", item["ref"], "--fingerprint", item["fingerprint"], "--pin-file", "pin")["decisions"]
    assert decision["outcome"] == "confirmed" and bank.status(id) == "confirmed"


def set_up(debian, bank):
    (debian.root / "home/ada/pin").write_text(PIN + "\n")
    debian.run("sh", "-c", "chown ada /home/ada/pin; chmod 600 /home/ada/pin")
    debian.countersign("pin", "set", "--pin-file", "pin")
    debian.countersign("agent", "--daemonize")
    debian.countersign("unlock", "--pin-file", "pin")
    debian.countersign("enroll", "-", "--yes", input=bank.link() + "\n")


# The story


def test_the_version_before_is_in_use(debian, bank, before):
    debian.install(before)
    set_up(debian, bank)
    approve(debian, bank, "Before the upgrade")


def test_it_is_installed(debian, package):
    debian.install(package)
    assert debian.run("dpkg-query", "-W", "-f", "${Status}", "countersign") == "install ok installed"
    assert debian.run("countersign", "--version").split()[0].removesuffix("-dev") == VERSION
    # Nothing that the package put there was changed, and its scripts left nothing half done.
    assert debian.run("dpkg", "--verify", "countersign") == "" and debian.run("dpkg", "--audit") == ""


def test_an_upgrade_keeps_home_and_keyring(debian, bank, before):
    old = debian.json("status")["agent"]["version"]
    assert old != VERSION and "replace it with" in debian.countersign("status")
    debian.countersign("agent", "--daemonize")
    assert debian.json("status")["agent"]["version"] == VERSION
    debian.countersign("unlock", "--pin-file", "pin")
    assert [connection["status"] for connection in debian.json("connections")["connections"]] == ["active"]
    [decision] = debian.json("history", "--verify")["decisions"]
    assert (decision["title"], decision["outcome"]) == ("Before the upgrade", "confirmed")


def test_it_is_used(debian, bank):
    if not debian.json("status")["pin_set"]:
        set_up(debian, bank)
    approve(debian, bank, "With the package")
    answer = debian.json("history", "--verify")
    assert answer["log"] == "intact" and "With the package" in [decision["title"] for decision in answer["decisions"]]


def test_doctor_finds_nothing_wrong(debian):
    checks = {check["name"]: check for check in debian.json("doctor")["checks"]}
    assert [name for name, check in checks.items() if not check["ok"]] == []
    assert debian.run("grep", "x-scheme-handler/authenticator", "/usr/share/applications/mimeinfo.cache")


def test_libraries_that_are_loaded_later_came_along(debian, package):
    depends = output("dpkg-deb", "-f", package, "Depends")
    assert "libsecret-1-0" in depends and "libglib2.0-0" in depends
    program = "/usr/libexec/countersign/countersign"
    assert "not found" not in debian.run("ldd", program)


def test_the_socket_is_there_for_everybody_and_the_agent_for_who_wants_it(debian):
    def state(*words):
        done = subprocess.run(
            ["chroot", str(debian.root), "systemctl", *words], capture_output=True, text=True, timeout=60)
        return done.stdout.strip()

    assert state("--global", "is-enabled", "countersign.socket") == "enabled"
    assert state("--global", "is-enabled", "countersign.service") == "disabled"
    assert state("is-enabled", "countersign-server.service") == "disabled"
    for unit in ("countersign.socket", "countersign.service"):
        assert debian.ada("systemd-analyze", "verify", "--user", "--man=no", f"/usr/lib/systemd/user/{unit}") == ""
    assert ":/var/lib/countersign:" in debian.run("getent", "passwd", "countersign")


def test_manual_and_completions_are_found(debian):
    for section, page in ((1, "countersign.approve"), (7, "countersign-agent"), (8, "countersign-server")):
        assert debian.run("man", "-w", str(section), page).startswith("/usr/share/man/")
    for path in ("bash-completion/completions/countersign", "zsh/vendor-completions/_countersign",
                 "fish/vendor_completions.d/countersign.fish", "countersign/schemas/pending.json"):
        assert debian.run("dpkg", "-S", f"/usr/share/{path}").startswith("countersign: ")


def test_removed_it_leaves_homes_alone(debian, bank, package):
    debian.countersign("agent", "--stop")
    home = debian.root / "home/ada/.local"
    kept = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    assert any(path.name == "ledger.sqlite" for path in kept) and any(path.suffix == ".keyring" for path in kept)
    debian.apt("remove", "countersign")
    assert not (debian.root / "usr/bin/countersign").exists()
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == kept
    # Who installs it again goes on where they were.
    debian.install(package)
    approve(debian, bank, "Installed again")


def test_purged_it_leaves_nothing_of_its_own(debian):
    assert "/usr/bin/countersign" in debian.named()
    # What a set-up server has, of which nothing can be made anew.
    state = debian.root / "var/lib/countersign"
    state.mkdir(mode=0o700)
    (state / "keyring").write_text("worthless")
    debian.run("rm", "/tmp/countersign.deb")
    debian.apt("purge", "countersign")
    assert debian.named() == ["/var/lib/countersign"] and (state / "keyring").exists()
    assert (debian.root / "home/ada/.local/state/countersign/ledger.sqlite").exists()

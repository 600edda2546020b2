"""Who may import whom: each target of Package.swift names all that its files import, and imports all that it names."""

import collections
import functools
import json
import os
import re
import subprocess

import pytest
from conftest import ROOT

# What comes with the compiler.
TOOLCHAIN = {"Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization", "Testing"}
# Of the modules that are the agent's own, in the order in which they may see each other: none sees a later one.
LAYERS = [
    "Basics", "Keys", "Verbs", "Cryptography", "Display", "Web", "LocalSocket", "ApprovalModel", "SessionModel", "Vault", "Ledger", "Records",
    "Approvals", "Sessions", "SaltEdge", "PrivacyIDEA", "Tiqr", "OAuth", "Dialogue", "Pinentry", "Desktop", "AgentWire",
    "Client", "WindowModel", "Agent", "countersign"]
OF_A_PROVIDER = {"Basics", "Keys", "Cryptography", "Web"}
# What each may see of them, whatever Package.swift says.
BORDERS = {
    "Basics": set(),
    "Keys": {"Basics"},
    "Verbs": {"Basics", "Keys"},
    "Cryptography": {"Basics", "Keys"},
    "Display": {"Basics"},
    "Web": {"Basics"},
    "LocalSocket": {"Basics", "Cryptography"},
    "ApprovalModel": {"Basics", "Keys"},
    "SessionModel": {"Basics", "Keys", "Display"},
    "Vault": {"Basics", "Keys", "Cryptography"},
    "Ledger": {"Basics", "Keys"},
    "Records": {"Basics", "Keys", "ApprovalModel", "SessionModel", "Ledger"},
    "Approvals": {"Basics", "Keys", "Verbs", "ApprovalModel", "Display"},
    "Sessions": {"Basics", "Keys", "Verbs", "SessionModel", "Display"},
    "SaltEdge": {"ApprovalModel", *OF_A_PROVIDER},
    "PrivacyIDEA": {"ApprovalModel", *OF_A_PROVIDER},
    "Tiqr": {"ApprovalModel", *OF_A_PROVIDER},
    "OAuth": {"SessionModel", *OF_A_PROVIDER},
    "Dialogue": {"Basics", "Display", "ApprovalModel", "Approvals", "SessionModel", "Sessions"},
    "Pinentry": {"Basics", "Display", "Cryptography", "ApprovalModel", "Approvals", "SessionModel", "Dialogue"},
    "Desktop": {"Basics", "Display"},
    "AgentWire": {"Basics", "Keys", "Verbs", "Approvals", "SessionModel", "Sessions"},
    "Client": {
        "Basics", "Keys", "Verbs", "Cryptography", "Display", "Web", "ApprovalModel", "Approvals", "SessionModel", "Sessions",
        "Dialogue", "LocalSocket", "Desktop", "AgentWire"},
    "WindowModel": {"Basics", "Cryptography", "Display", "ApprovalModel", "Approvals", "SessionModel", "Sessions", "Dialogue"},
    "Agent": {
        "Basics", "Keys", "Verbs", "Cryptography", "Display", "ApprovalModel", "Approvals", "SessionModel", "Sessions", "Dialogue",
        "LocalSocket", "Pinentry", "Desktop", "AgentWire"},
}
# Who may see which library, and which of the C targets.
LIBRARIES = {
    "ArgumentParser": {"countersign", "demo-bank"},
    "AsyncHTTPClient": {"Web"},
    "CAdwaita": {"CWindow"},
    "CEntry": {"countersign-entry"},
    "CLibSecret": {"CSecret"},
    "COpenSSL": {"Cryptography"},
    "CPicture": {"Client", "countersign"},
    "CPlatform": {"Cryptography", "Vault", "LocalSocket", "Pinentry", "Desktop", "Client", "Agent", "countersign",
                  "countersign-window"},
    "CQREncode": {"DemoBank"},
    "CSQLite": {"Ledger"},
    "CSecret": {"Vault", "Desktop", "Client"},
    "CTerminal": {"countersign"},
    "CWindow": {"countersign-window"},
    "CYardstick": {"bench"},
    "Crypto": {"DemoBank"},
    "CryptoExtras": {"DemoBank"},
    "GRDB": {"DemoBank"},
    "HTTPTypes": {"Web", "Agent"},
    "Hummingbird": {"Web", "LocalSocket", "Agent", "DemoBank"},
    "HummingbirdCore": {"Web", "LocalSocket", "DemoBank"},
    "Logging": {"Web", "LocalSocket", "countersign"},
    "NIOCore": {"Web", "LocalSocket", "Agent"},
    "NIOHTTP1": {"Web"},
    "NIOHTTPTypes": {"LocalSocket"},
    "NIOPosix": {"Web", "LocalSocket"},
    "NIOSSL": {"Web"},
    "ServiceLifecycle": {"Web", "LocalSocket", "countersign"},
    "TOMLKit": {"countersign"},
}
# Programs, libraries of tests, and the demo bank: no border of the agent's own modules.
OTHERS = {"DemoBank", "demo-bank", "bench", "countersign-entry", "countersign-window", "TestSupport"}
# What the window may see of the agent's own modules: no job's use-case but by the client, no vault, no provider.
OF_THE_WINDOW = {
    "Basics", "Keys", "Cryptography", "ApprovalModel", "Approvals", "Sessions", "Dialogue", "Ledger", "LocalSocket", "Desktop", "AgentWire",
    "Client", "WindowModel"}
# Members that the standard library has, too: their use tells nothing of whose they are.
STANDARD = {"duration"}


@functools.cache
def package():
    done = subprocess.run(
        ["swift", "package", "--package-path", str(ROOT), "dump-package"], check=True, capture_output=True, text=True, timeout=300,
        env=dict(os.environ, COUNTERSIGN_WINDOW="1"))
    return {target["name"]: target for target in json.loads(done.stdout)["targets"]}


def folder(target):
    return ROOT / (package()[target].get("path") or f"Tests/{target}")


def named(target):
    return {next(iter(d.values()))[0] for d in package()[target]["dependencies"]}


def targets():
    """The names that each target names. Those of tests are no part of the house."""
    return {name: named(name) for name, target in package().items() if target["type"] != "test"}


def imports(target):
    text = "\n".join(path.read_text() for path in folder(target).rglob("*.swift"))
    return set(re.findall(r"^(?:\w+ |@\w+ )*import (?:\w+ )?(\w+)", text, re.M)) - TOOLCHAIN


def test_a_target_names_what_it_imports():
    """Tests, too: else they build or not by which modules happen to be ready before them."""
    swift = {name: named(name) for name in package() if list(folder(name).rglob("*.swift"))}
    assert {*LAYERS, "DesktopTests", "WindowModelTests"} < set(swift)
    assert {name: imports(name) for name in swift} == swift


def test_no_module_sees_a_later_one():
    for number, name in enumerate(LAYERS):
        assert targets()[name] & set(LAYERS) <= set(LAYERS[:number])
    assert not targets()["DemoBank"] & set(LAYERS)


def test_no_module_sees_what_it_may_not_know():
    assert set(BORDERS) == set(LAYERS) - {"countersign"}
    assert {name: targets()[name] & set(LAYERS) for name in BORDERS} == BORDERS
    assert targets()["countersign-window"] & set(LAYERS) == OF_THE_WINDOW


def test_no_target_sees_a_library_that_is_another_s_business():
    users = {}
    for name, named in targets().items():
        for library in named - set(LAYERS) - OTHERS if name != "TestSupport" else ():
            users.setdefault(library, set()).add(name)
    assert users == LIBRARIES


def test_no_object_of_the_program_needs_the_whole_of_foundation():
    """It would bring the data of ICU into the release, 40 MB that nothing here uses. `text.contains("…")` of a String is such a
    member, where a library has imported Foundation."""
    objects = []
    for name in LAYERS:
        # Objects of files that are gone stay there.
        files = {f"{path.name}.o" for path in folder(name).rglob("*.swift")}
        objects += [str(path) for path in (ROOT / f".build/debug/{name}.build").iterdir() if path.name in files]
    assert len(objects) > 500
    done = subprocess.run(["nm", "-A", "-u", *objects], check=True, capture_output=True, text=True)
    # Symbols of Foundation's own module; those of FoundationEssentials have its longer name.
    assert [line for line in done.stdout.splitlines() if re.search(r"\$s\w*?(?<!\d)10Foundation", line)] == []


WORDS = re.compile(r'("""(?:.|\n)*?"""|"(?:[^"\\\n]|\\.)*")|//.*')


def code(path):
    """The text of a file without its comments."""
    return WORDS.sub(lambda found: found[1] or "", path.read_text())


def test_salt_edge_is_named_only_where_it_is_spoken_and_wired():
    places = ("Sources/Providers/SaltEdge/", "Sources/DemoBank/", "Sources/countersign/Wiring/")
    paths = [path.relative_to(ROOT) for path in (ROOT / "Sources").rglob("*.swift")]
    naming = {str(path) for path in paths if re.search(r"salt[\W_]?edge", code(ROOT / path), re.I)}
    assert "Sources/countersign/Wiring/Settings+Providers.swift" in naming
    assert {path for path in naming if not path.startswith(places)} == set()


DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*((?:(?:public|package|final|indirect|private|fileprivate)\s+)*)"
    r"(?:struct|class|enum|protocol|actor|typealias|func)\s+(\w+)", re.M)
EXTENSION = re.compile(r"^((?:\w+ )*)extension [^{]*\{\n(.*?)^\}", re.M | re.S)
MEMBER = re.compile(r"^    (?:@\w+(?:\([^)]*\))?\s+)*((?:[\w()]+\s+)*?)(?:func|var|let|case)\s+(\w+)", re.M)


def is_private(words):
    return bool(re.search(r"\b(?:private|fileprivate)\b(?!\(set\))", words))


@functools.cache
def sources(target):
    """The code of each folder, without comments and strings."""
    texts = {}
    for path in folder(target).rglob("*.swift"):
        texts.setdefault(str(path.parent.relative_to(folder(target))), []).append(re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', code(path)))
    return {place: "\n".join(texts) for place, texts in texts.items()}


@functools.cache
def member_counts():
    """How often a member of each name is declared, in all modules of the agent."""
    return collections.Counter(
        name for target in LAYERS for text in sources(target).values()
        for name in re.findall(r"^ {4,}(?:[@\w()]+ )*?(?:func|var|let|case) (\w+)", text, re.M))


def owners(texts):
    """The folders that declare each name at the top of a file, and each member in an extension."""
    names, members = {}, {}
    for place, text in texts.items():
        for words, name in DECLARATION.findall(text):
            if not is_private(words):
                names.setdefault(name, set()).add(place)
        for words, body in EXTENSION.findall(text):
            for more, name in MEMBER.findall(body) if not is_private(words) else ():
                if not is_private(more) and member_counts()[name] == 1 and name not in STANDARD:
                    members.setdefault(name, set()).add(place)
    return names, members


def cycle(known):
    """Folders that know each other in a ring; None if there are none."""
    def ring(path):
        for other in sorted(known.get(path[-1], ())):
            if other in path:
                return path[path.index(other):]
            if other not in done and (found := ring([*path, other])):
                return found
        done.add(path[-1])
        return None

    done = set()
    return next((found for place in sorted(known) if place not in done and (found := ring([place]))), None)


def test_a_ring_of_any_length_is_found():
    assert cycle({"a": {"b"}, "b": {"c"}, "d": {"a"}}) is None
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"d", "e"}, "d": set(), "e": {"b"}}) == ["b", "c", "e"]


@pytest.mark.parametrize("target", LAYERS)
def test_no_folders_of_a_target_know_each_other(target):
    """By the names at the top of files and the members of extensions; a name that two folders declare tells nothing."""
    texts = sources(target)
    names, members = owners(texts)
    known = {place: {} for place in texts}
    for place, text in texts.items():
        for pattern, declared in ((r"\b[A-Za-z_]\w*", names), (r"(?<=\.)\w+", members)):
            for name in set(re.findall(pattern, text)):
                for owner in declared.get(name, ()) if len(declared.get(name, ())) == 1 else ():
                    if owner != place:
                        known[place].setdefault(owner, set()).add(name)
    ring = cycle(known) or []
    assert not ring, "; ".join(
        f"{place} knows {other} by {sorted(known[place][other])}" for place, other in zip(ring, ring[1:] + ring[:1]))


# The modules and the agent's folders that know the nouns of a job.
OF_JOBS = {"ApprovalModel", "Approvals", "SessionModel", "Sessions", "Dialogue"}


@pytest.mark.parametrize("place", ["Core", "Desktop"])
def test_what_all_jobs_of_the_agent_share_knows_none(place):
    texts = sources("Agent")
    names, _ = owners(texts)
    imported = set(re.findall(r"^(?:\w+ )*import (\w+)", texts[place], re.M))
    named = {name for name in re.findall(r"\b[A-Za-z_]\w*", texts[place]) if names.get(name, {place}) <= OF_JOBS}
    assert (imported & OF_JOBS, named) == (set(), set())

"""Who may import whom: each target of Package.swift names all that its files import, and imports all that it names."""

import functools
import json
import re
import subprocess

import pytest
from conftest import ROOT

# What comes with the compiler.
TOOLCHAIN = {"Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization", "Testing"}
# Of the modules that are the agent's own, in the order in which they may see each other: none sees a later one.
LAYERS = [
    "Basics", "SCACrypto", "Display", "Vault", "Web", "SCA", "Ledger", "ApprovalRecords", "Authenticator", "Sessions", "SessionRecords", "SaltEdge", "PrivacyIDEA",
    "Tiqr", "OAuth", "LocalSocket", "Pinentry", "Desktop", "Agent", "countersign"]
# What each may see of them, whatever Package.swift says.
BORDERS = {
    "Basics": set(),
    "SCACrypto": {"Basics"},
    "Display": {"Basics"},
    "Vault": {"Basics", "SCACrypto"},
    "Web": {"Basics"},
    "Ledger": {"Basics"},
    "ApprovalRecords": {"Basics", "SCA", "Ledger"},
    "SCA": {"Basics"},
    "Authenticator": {"Basics", "SCA", "Display"},
    "Sessions": {"Basics", "Display"},
    "SessionRecords": {"Basics", "Ledger", "Sessions"},
    "SaltEdge": {"Basics", "SCA", "SCACrypto", "Web"},
    "PrivacyIDEA": {"Basics", "SCA", "SCACrypto", "Web"},
    "Tiqr": {"Basics", "SCA", "SCACrypto", "Web"},
    "OAuth": {"Basics", "SCACrypto", "Sessions", "Web"},
    "LocalSocket": {"Basics", "SCACrypto"},
    "Pinentry": {"Basics", "Display", "SCACrypto"},
    "Desktop": {"Basics", "Display"},
}


@functools.cache
def package():
    done = subprocess.run(
        ["swift", "package", "--package-path", str(ROOT), "dump-package"], check=True, capture_output=True, text=True, timeout=300)
    return {target["name"]: target for target in json.loads(done.stdout)["targets"] if target["type"] != "test"}


def folder(target):
    return ROOT / (package()[target].get("path") or f"Sources/{target}")


def targets():
    """The names that each target names."""
    return {name: {next(iter(d.values()))[0] for d in target["dependencies"]} for name, target in package().items()}


def imports(target):
    text = "\n".join(path.read_text() for path in folder(target).rglob("*.swift"))
    return set(re.findall(r"^(?:\w+ |@\w+ )*import (?:\w+ )?(\w+)", text, re.M)) - TOOLCHAIN


def test_a_target_names_what_it_imports():
    swift = {name: named for name, named in targets().items() if list(folder(name).rglob("*.swift"))}
    assert set(LAYERS) < set(swift)
    assert {name: imports(name) for name in swift} == swift


def test_no_module_sees_a_later_one():
    for number, name in enumerate(LAYERS):
        assert targets()[name] & set(LAYERS) <= set(LAYERS[:number])
    assert not targets()["DemoBank"] & set(LAYERS)


def test_no_module_sees_what_it_may_not_know():
    assert {name: targets()[name] & set(LAYERS) for name in BORDERS} == BORDERS


DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*((?:(?:public|package|final|indirect|private|fileprivate)\s+)*)"
    r"(?:struct|class|enum|protocol|actor|typealias|func)\s+(\w+)", re.M)


@pytest.mark.parametrize("target", LAYERS)
def test_no_two_folders_of_a_target_know_each_other(target):
    """By the names that stand at the top of files; a name that two folders declare tells nothing."""
    code, owners = {}, {}
    for path in folder(target).rglob("*.swift"):
        text = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', re.sub(r"//.*", "", path.read_text()))
        place = str(path.parent.relative_to(folder(target)))
        code.setdefault(place, []).append(text)
        for access, name in DECLARATION.findall(text):
            if "private" not in access:
                owners.setdefault(name, set()).add(place)
    known = {
        place: {
            owner for text in texts for name in re.findall(r"\b[A-Za-z_]\w*", text) if len(owners.get(name, ())) == 1
            for owner in owners[name] if owner != place}
        for place, texts in code.items()}
    assert [(one, other) for one in known for other in known[one] if one < other and one in known.get(other, ())] == []

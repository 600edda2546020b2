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
LAYERS = ["SCA", "SCACrypto", "Display", "SaltEdge", "Vault", "Ledger", "Authenticator", "Agent", "countersign"]


@functools.cache
def targets():
    """The names that each target names."""
    done = subprocess.run(
        ["swift", "package", "--package-path", str(ROOT), "dump-package"], check=True, capture_output=True, text=True, timeout=300)
    return {
        target["name"]: {next(iter(d.values()))[0] for d in target["dependencies"]}
        for target in json.loads(done.stdout)["targets"] if (ROOT / "Sources" / target["name"]).is_dir()}


def imports(target):
    text = "\n".join(path.read_text() for path in (ROOT / "Sources" / target).rglob("*.swift"))
    return set(re.findall(r"^(?:\w+ |@\w+ )*import (?:\w+ )?(\w+)", text, re.M)) - TOOLCHAIN


def test_a_target_names_what_it_imports():
    swift = {name: named for name, named in targets().items() if list((ROOT / "Sources" / name).rglob("*.swift"))}
    assert set(LAYERS) < set(swift)
    assert {name: imports(name) for name in swift} == swift


def test_no_module_sees_a_later_one():
    for number, name in enumerate(LAYERS):
        assert targets()[name] & set(LAYERS) <= set(LAYERS[:number])
    assert not targets()["DemoBank"] & set(LAYERS)
    assert targets()["Authenticator"] == {"SCA"}

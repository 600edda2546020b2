"""Everything that belongs to one provider stands in its folder; one line of the wiring makes the program know it."""

import re

from conftest import ROOT

SOURCES = ROOT / "Sources"
WIRING = "countersign/Wiring/Settings+Providers.swift"


def outside(folder):
    """The program's files outside a folder, with their code but without comments."""
    for path in sorted(SOURCES.rglob("*.swift")):
        name = str(path.relative_to(SOURCES))
        if not name.startswith((folder, "DemoBank/")):
            yield name, re.sub(r"//[^\n]*", "", path.read_text())


def test_only_the_wiring_imports_a_provider():
    for target in ("SaltEdge", "PrivacyIDEA", "Tiqr"):
        files = [name for name, code in outside(f"Providers/{target}") if re.search(rf"\bimport {target}\b", code)]
        assert files == [WIRING], target


def test_nobody_else_names_a_providers_wires_states_or_secrets():
    words = {
        "SaltEdge": ("saltedge-v", "SaltEdgeState", '"token", .bytes'),
        "PrivacyIDEA": ("privacyidea-push", "PushState", "serverKey"),
        "Tiqr": ("TiqrState", '"tiqr"', "shared-secret"),
    }
    # The settings have a table of this name.
    allowed = {("countersign/Settings/Settings+TOML.swift", '"tiqr"')}
    for target, known in words.items():
        for name, code in outside(f"Providers/{target}"):
            assert not [word for word in known if word in code and (name, word) not in allowed], name


def test_the_program_knows_nothing_of_the_tests_provider():
    """It has an EC key, which no other provider has, and a state of its own (Tests/AuthenticatorTests/Fern)."""
    for name, code in outside("Providers/Fern"):
        assert not re.search(r"Fern(Provider|State|Links)|fern-1|signing-key|P256", code), name

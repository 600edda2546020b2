"""What is generated from the parser and kept in the repository is what the built program says of itself today.

Completions and manual pages are renewed by `make completions` and `make man`; the help texts under snapshots/help by
RECORD=1 with this file.
"""

import json
import os
import pathlib
import re
import subprocess

import pytest

from conftest import BIN, ROOT

HELP = pathlib.Path(__file__).parent / "snapshots/help"
COMPLETIONS = {"bash": "countersign.bash", "zsh": "_countersign", "fish": "countersign.fish"}


def output(*args, **options):
    environment = dict(os.environ, COLUMNS="80")
    return subprocess.run(
        [str(BIN / "countersign"), *args], check=True, capture_output=True, text=True, timeout=60, env=environment,
        **options).stdout


def commands(node, words=()):
    """The words of every command in the parser's own description of itself."""
    yield words
    for child in node.get("subcommands", []):
        if child["commandName"] != "help":
            yield from commands(child, (*words, child["commandName"]))


@pytest.mark.parametrize("shell", COMPLETIONS)
def test_completions_are_the_programs(shell):
    kept = (ROOT / "Share/Completions" / COMPLETIONS[shell]).read_text()
    assert kept == output("--generate-completion-script", shell), "renew them with: make completions"


def test_bash_completes_a_command():
    script = """
        source "$1"
        COMP_WORDS=(countersign appr) COMP_CWORD=1 COMP_LINE='countersign appr' COMP_POINT=16
        _countersign countersign appr countersign
        printf '%s\\n' "${COMPREPLY[@]}"
        """
    done = subprocess.run(
        ["bash", "-c", script, "bash", str(ROOT / "Share/Completions/countersign.bash")], capture_output=True, text=True,
        timeout=60)
    assert done.stdout.split() == ["approve"], done


def test_manual_is_the_programs(tmp_path):
    made = tmp_path / "manual"
    subprocess.run([str(ROOT / "Tests/Support/make-manual"), str(BIN / "countersign"), str(made)], check=True, timeout=600)
    pages = {page.name: page.read_text() for page in made.iterdir()}
    assert "countersign.1" in pages and "countersign.approve.1" in pages
    assert {page.name: page.read_text() for page in (ROOT / "Share/Manual").glob("*.1")} == pages, "renew them with: make man"


def test_help_is_as_kept():
    tree = json.loads(output("--experimental-dump-help"))["command"]
    told = {"-".join(("countersign", *words)) + ".txt": output(*words, "--help") for words in commands(tree)}
    assert "countersign-consents-revoke.txt" in told
    if os.environ.get("RECORD") == "1":
        HELP.mkdir(parents=True, exist_ok=True)
        for old in HELP.iterdir():
            old.unlink()
        for name, text in told.items():
            (HELP / name).write_text(text)
    kept = {page.name: page.read_text() for page in HELP.iterdir()}
    assert kept == told, "if this was meant, record it with: RECORD=1"


def test_help_says_it_with_a_noun_and_a_verb():
    """Short sentences, and no "what", "whatever" or "tell"."""
    for page in HELP.iterdir():
        for part in re.split(r"\n\s*\n|\n(?=  \S)", page.read_text()):
            # The name of an option stands before what it is for.
            text = " ".join(re.sub(r"^  [-<]\S.*?(?:  +|\n +|$)", "", part).split())
            for sentence in re.split(r"(?<=[.?]) ", text):
                assert not re.search(r"\b(?:what(?:ever)?|tells?|told)\b", sentence), (page.name, sentence)
                assert len(sentence.split()) <= 30 or page.name == "countersign.txt", (page.name, sentence)


def test_help_fits_80_columns():
    for page in HELP.iterdir():
        for line in page.read_text().splitlines():
            assert len(line) <= 80, f"{page.name}: {line}"


def test_each_page_of_the_manual_is_whole():
    codes = re.findall(r"^\.It (\d+)$", (ROOT / "Share/Manual/countersign.1").read_text(), re.M)
    assert len(codes) == 12
    sections = {path.name: path.read_text() for path in (ROOT / "Share/Manual/Sections").iterdir()}
    assert sections and all((ROOT / f"Share/Manual/{name}.1").exists() for name in sections)
    for page in (ROOT / "Share/Manual").glob("*.1"):
        text = page.read_text()
        assert ".Ex -std" not in text, "says nothing but that failures are not 0"
        assert re.findall(r"^\.It (\d+)$", text, re.M) == codes, page.name
        assert sections.get(page.stem, "") in text, page.name
        assert ".Xr countersign.toml 5" in text.split('.Sh "SEE ALSO"\n')[1], page.name


def test_the_manual_has_the_codes_that_the_program_ends_with():
    kinds = (ROOT / "Sources/Ground/Basics/Failure.swift").read_text().split("package var exitCode: Int32 {")[1]
    ends = {int(code) for code in re.findall(r"^ +case \..*: (\d+)$", kinds.split("public var kind")[0], re.M)}
    page = (ROOT / "Share/Manual/countersign.1").read_text()
    assert {int(code) for code in re.findall(r"^\.It (\d+)$", page, re.M)} == ends | {0}

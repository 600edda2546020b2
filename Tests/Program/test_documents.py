"""README, Docs, and the scripts that both commands of the README run."""

import os
import re
import runpy
import subprocess

import pytest
from conftest import ROOT

PAGES = [
    ROOT / "README.md", *sorted((ROOT / "Docs").rglob("*.md")), ROOT / "Share/Install/README.md", ROOT / "Benchmarks/README.md"]


def anchors(page):
    """What a link to a heading may name, as GitHub makes it."""
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in re.findall(r"^#+ (.+)$", page.read_text(), re.M)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_each_link_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]*(?:#[^)\s]*)?)\)", page.read_text()):
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path) if path else page
        assert there.exists(), f"{page.name} links to {target}"
        assert not anchor or anchor in anchors(there), f"{page.name} links to {target}"


# Pages that comments cite by name and section, such as "tiqr section 7.4", with the numbers of their sections.
PROTOCOLS = {
    page.stem: set(re.findall(r"^#+ (\d+(?:\.\d+)*)\b", page.read_text(), re.M))
    for page in (ROOT / "Docs/protocols").glob("*.md") if page.name != "README.md"}
DECISIONS = set(re.findall(r"^(\d+)\. \*\*", (ROOT / "Docs/decisions.md").read_text(), re.M))
# Specifications that are published elsewhere.
PUBLISHED = re.compile(r"(?:RFC \d+|OIDC|1\.0|FAPI 2\.0|X\.690|WHATWG HTML|UAX #\d+|TR \d+|UTS #\d+),?$")
NUMBER = r"\d+(?:\.\d+)*"
NUMBERS = rf"{NUMBER}(?:(?:,| and|, and| or| to) {NUMBER})*"


def sources():
    """All texts that may cite a page, each with its lines joined and without the marks of comments."""
    files = [ROOT / "Makefile", ROOT / "Package.swift", ROOT / "README.md"]
    for folder in ("Sources", "Tests", "Benchmarks", "Fixtures", "Keys", "Docs", "Share"):
        files += (path for path in (ROOT / folder).rglob("*") if path.is_file() and ".build" not in path.parts)
    for path in files:
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        if path.suffix != ".json" and path.name != "test_documents.py":
            yield path, re.sub(r"\s*\n\s*(?:///?|#+|\*)?[ \t]*", " ", text)


def unknown_citations(path, text):
    """The citations in a text that lead to no page or section. Inside a page of a protocol a bare number is of that page."""
    for found in re.finditer(rf"(\S+ )?(\S+ )?\b[Ss]ections? ({NUMBERS})", text):
        before = (found[1] or "") + (found[2] or "")
        page = before.split()[-1].lstrip("(`;") if before.split() else ""
        if PUBLISHED.search(before.strip()):
            continue
        known = PROTOCOLS.get(page, PROTOCOLS.get(path.stem, set()) if path.parent.name == "protocols" else set())
        if not set(re.findall(NUMBER, found[3])) <= known:
            yield found[0]
    for found in re.finditer(rf"\b[Dd]ecisions? ({NUMBERS})", text):
        if not set(re.findall(NUMBER, found[1])) <= DECISIONS:
            yield found[0]
    for found in re.finditer(r"[\w./-]+\.md\b", text):
        if not any((folder / found[0]).exists() for folder in (ROOT, *path.parents)) and not list(ROOT.glob(f"*/**/{found[0]}")):
            yield found[0]


def test_each_page_and_section_that_is_cited_exists():
    assert [(str(path.relative_to(ROOT)), citation) for path, text in sources() for citation in unknown_citations(path, text)] == []


def test_comments_have_a_subject_and_a_verb():
    """A comment with a subject and a verb needs neither "what" nor "tell". In a small folder a single word would count too much."""
    tool = runpy.run_path(str(ROOT / "Tests/Support/comment-words"))
    over = []
    for folder in (ROOT / "Sources", *sorted((ROOT / "Sources").iterdir())):
        words, rates = tool["measure"](folder)
        if words > 2000:
            over += [(folder.name, word, rate) for word, rate in rates.items() if rate >= tool["LIMITS"][word]]
    assert over == []


def test_the_first_page_is_short():
    """It is for the customer of a bank. All that experts need has pages of its own."""
    words = [word for word in (ROOT / "README.md").read_text().split() if re.search(r"\w", word)]
    assert len(words) <= 900


def test_each_manual_page_that_is_named_exists():
    pages = {path.name.removesuffix(".in").rpartition(".")[0] for path in (ROOT / "Share/Manual").iterdir()}
    for page in PAGES:
        named = set(re.findall(r"man ([a-z][\w.-]*\w)", page.read_text()))
        assert named <= pages, f"{page.name} names {named - pages}"


def manual_sentences(page):
    """The sentences of a manual page, without its examples."""
    page = re.sub(r"^\.nf\n.*?^\.fi\n", ".PP\n", page, flags=re.M | re.S)
    for block in re.split(r"^\.(?:PP|SH|SS|TP|TH|RS|RE).*\n", page, flags=re.M):
        text = re.sub(r"^\.[BIR]+ ", "", block, flags=re.M)
        yield from re.split(r"(?<=[.?])\s+", " ".join(text.split()))


def test_the_page_of_sessions_is_short_and_plain():
    lengths = {sentence: len(re.findall(r"\S*\w\S*", sentence))
               for sentence in manual_sentences((ROOT / "Share/Manual/countersign-sessions.7").read_text())}
    assert {sentence: length for sentence, length in lengths.items() if length > 30} == {}
    assert sum(lengths.values()) <= 2500


def test_each_command_that_is_shown_exists(ready_help):
    for page in PAGES:
        shown = set(re.findall(r"^    \$ countersign ([a-z]+)", page.read_text(), re.M))
        assert shown <= ready_help, f"{page.name} shows {shown - ready_help}"


@pytest.fixture(scope="module")
def ready_help():
    """The names of all commands."""
    return {path.name.split(".")[1] for path in (ROOT / "Share/Manual").glob("countersign.*.1")}


def quietly(tmp_path, script):
    return subprocess.run(
        [ROOT / "Tests/Support/quietly", tmp_path / "log", "sh", "-c", script], capture_output=True, text=True, timeout=60)


def test_a_build_prints_one_line_and_keeps_the_rest(tmp_path):
    done = quietly(tmp_path, "seq 3000")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 2, done
    assert (tmp_path / "log").read_text().splitlines()[-1] == "3000"


def test_a_build_that_fails_shows_its_errors(tmp_path):
    done = quietly(tmp_path, "seq 3000; echo 'A.swift:1:2: error: no such thing'; exit 7")
    assert done.returncode == 7
    assert done.stderr.splitlines() == [
        "A.swift:1:2: error: no such thing", f"the build failed; all of its output is in {tmp_path}/log"]


def test_tests_are_run_by_an_ordinary_user():
    """Root would pass where an ordinary user is refused. An ordinary user stays the same."""
    done = subprocess.run([ROOT / "Tests/Support/as-ordinary-user", "id", "-u"], capture_output=True, text=True, timeout=60)
    assert done.stdout == f"{os.geteuid()}\n", done


def test_readme_and_manual_say_the_same_of_what_stays_in_memory():
    for path in ("README.md", "Share/Manual/countersign-security.7"):
        text = " ".join((ROOT / path).read_text().split())
        assert "up to 15 bytes" in text and "5 and 10 of 50" in text and "two runs" in text, path

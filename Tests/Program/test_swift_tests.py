"""Tests/Support/swift-tests, with a `swift` in place of the real one that plays a run: only what fails by chance may pass."""

import json
import os
import re
import subprocess

import pytest
from conftest import ROOT

A, B = "Tests.Suite/one()/File.swift:3:5", "Tests.Suite/two(_:)/File.swift:9:5"

SWIFT = """#!/usr/bin/python3
import json, os, pathlib, re, sys
words = dict(zip(sys.argv, sys.argv[1:]))
here = pathlib.Path(sys.argv[0]).parent
runs = json.loads((here / "runs").read_text())
run = runs.pop(0)
(here / "runs").write_text(json.dumps(runs))
with open(here / "calls", "a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
print(run["says"])
with open(words["--event-stream-output-path"], "w") as events:
    def tell(kind, payload):
        events.write(json.dumps({"version": 0, "kind": kind, "payload": payload}, ensure_ascii=False) + "\\n")
    tell("test", {"kind": "suite", "id": "Tests.Suite"})
    chosen = [t for t in run["tests"] if re.search(words.get("--filter", ""), t)]
    for test in chosen:
        tell("test", {"kind": "function", "id": test})
    for test in chosen:
        tell("event", {"kind": "testCaseStarted", "testID": test, "messages": [{"text": "a\\u2028b"}]})
        for known in [False] * (test in run["failed"]) + [True]:
            tell("event", {"kind": "issueRecorded", "testID": test, "issue": {"isKnown": known}})
        tell("event", {"kind": "testEnded", "testID": test})
    tell("event", {"kind": "testEnded", "testID": "Tests.Suite"})
    if run["stray"]:
        tell("event", {"kind": "issueRecorded", "testID": "Tests.Suite", "issue": {"isKnown": False}})
    if run["ends"]:
        tell("event", {"kind": "runEnded"})
    else:
        events.write('{"version": 0, "ki')
sys.exit(run["code"])
"""


def run(failed=(), tests=(A, B), code=None, stray=False, ends=True, says="a run"):
    """A run of these tests, of which these fail."""
    code = int(bool(failed)) if code is None else code
    return {"tests": list(tests), "failed": list(failed), "code": code, "stray": stray, "ends": ends, "says": says}


@pytest.fixture
def play(tmp_path):
    """Has swift-tests see these runs, one after the other; gives its exit code, what it printed, and the calls of `swift`."""
    def play(*runs, arguments=()):
        (tmp_path / "runs").write_text(json.dumps(runs))
        (tmp_path / "swift").write_text(SWIFT)
        (tmp_path / "swift").chmod(0o755)
        done = subprocess.run(
            [ROOT / "Tests/Support/swift-tests", *arguments], capture_output=True, text=True, timeout=60,
            env=dict(os.environ, PATH=f"{tmp_path}:/usr/bin:/bin"))
        assert done.stderr == ""
        assert json.loads((tmp_path / "runs").read_text()) == [], "not all was run"
        return done.returncode, done.stdout, [json.loads(line) for line in (tmp_path / "calls").read_text().splitlines()]
    return play


def test_what_passes_is_run_once(play):
    code, _, [call] = play(run())
    assert code == 0
    assert call[:2] == ["test", "--skip-build"] and "--filter" not in call


def test_what_failed_by_chance_is_run_once_more_and_both_runs_are_printed(play):
    code, out, [first, second] = play(run([B], says="the first run"), run(says="the second run"), arguments=["--filter", "Suite"])
    assert code == 0
    assert out.index("the first run") < out.index(B) < out.index("the second run") < out.index("nothing failed twice")
    assert first[-2:] == ["--filter", "Suite"]
    # Alone, and nothing else.
    assert second[second.index("--experimental-maximum-parallelization-width") + 1] == "1"
    pattern = second[second.index("--filter") + 1]
    assert re.search(pattern, B) and not re.search(pattern, A)


@pytest.mark.parametrize("runs, reason", [
    ([run([A, B]), run([A])], "failed twice: " + A),
    ([run([A]), run([A], code=0)], "failed twice"),
    ([run([A], code=0), run([A])], "failed twice"),
    ([run([A]), run(tests=[B], code=0)], "no test ran"),
    ([run([A, B]), run(tests=[B])], "not tried again: " + A),
    ([run(ends=False, code=1)], "ended before its last test"),
    ([run([A], ends=False)], "ended before its last test"),
    ([run([A]), run(ends=False, code=1)], "ended before its last test"),
    ([run(tests=[])], "no test ran"),
    ([run(stray=True, code=1)], "belongs to no test"),
    ([run([A], stray=True)], "belongs to no test"),
    ([run(code=1)], "no test failed"),
    ([run([A]), run(code=1)], "no test failed"),
])
def test_nothing_else_passes(play, runs, reason):
    code, out, _ = play(*runs)
    assert code == 1
    assert reason in out.splitlines()[-1]

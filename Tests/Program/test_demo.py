"""`make demo` walks through the program. Whoever reads it sees what each command prints."""

import os
import re
import subprocess

from conftest import BIN, ROOT

# They print nothing, as a shell does.
SILENT = re.compile(r"\$ (BANK=\S+|export \w+=\S+|\(umask 077; echo \d+ > pin\))$")


def test_each_command_of_the_walk_shows_its_output():
    done = subprocess.run(
        [ROOT / "Tests/Support/demo"], env={**os.environ, "COUNTERSIGN_BIN": str(BIN)}, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    lines = done.stdout.splitlines()
    commands = [n for n, line in enumerate(lines) if line.startswith("$ ")]
    assert len(commands) > 60
    silent = [lines[n] for n in commands if not "".join(lines[n + 1:n + 2]).strip()]
    assert [line for line in silent if not SILENT.match(line)] == []
    # The list names no command that shows something.
    shown = [lines[n] for n in commands if lines[n] not in silent and not lines[n + 1].startswith("$ ")]
    assert [line for line in shown if SILENT.match(line)] == []

"""Tests show the same whoever runs them: another user is had without root, or it is said what is missing."""

import os
import re
import subprocess

from conftest import ROOT
from users import HELPER, another_user, as_another_user


def test_another_user_has_no_rights(tmp_path):
    done = subprocess.run(
        as_another_user("sh", "-c", "id -u; id -G; grep -E '^Cap(Prm|Eff|Amb)' /proc/self/status; cat $0", "/proc/1/environ"),
        capture_output=True, text=True, timeout=60, cwd="/")
    words = done.stdout.split()
    assert words[2:] == ["CapPrm:", "0" * 16, "CapEff:", "0" * 16, "CapAmb:", "0" * 16] and "Permission denied" in done.stderr, done
    file = tmp_path / "file"
    file.touch()
    # Nobody but this user may go through that directory.
    assert subprocess.run(as_another_user("stat", file), capture_output=True, timeout=60, cwd="/").returncode != 0
    assert another_user() not in (0, os.getuid())


def test_the_helper_says_what_is_missing(tmp_path):
    for name in ("bash", "id", "awk"):
        (tmp_path / name).symlink_to(subprocess.run(["which", name], capture_output=True, text=True, check=True).stdout.strip())
    stranger = ["unshare", "--user", "--map-user=4711", "--map-group=4711"]
    for words, path, missing in (
            (["/usr/bin/env", f"PATH={tmp_path}"], "/usr/bin", "newuidmap is missing (Debian: apt-get install uidmap)"),
            (stranger, os.environ["PATH"], "4711 has no subordinate ids; give some, as root: usermod --add-subuids ")):
        done = subprocess.run(
            [*words, HELPER, "run", "true"], env={"PATH": path}, capture_output=True, text=True, timeout=60)
        assert done.returncode == 69 and done.stderr.startswith(f"another-user: {missing}"), done


def test_no_test_asks_who_runs_it():
    """Only the tests of the package need root, and they fail without it. All others refuse root, in conftest.py."""
    asking = re.compile(r"\bget(e)?uid\(\) *(==|!=|>|<) *0|(==|!=) *0 *(==|!=) *(os\.)?gete?uid")
    found = [
        str(path.relative_to(ROOT)) for pattern in ("*.py", "*.swift") for path in (ROOT / "Tests").rglob(pattern)
        if asking.search(path.read_text()) and path.parent.name != "Package" and path != ROOT / "Tests/Program/conftest.py"]
    assert found == []

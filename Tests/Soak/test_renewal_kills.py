"""A renewal that is killed at each of its steps, many times: what is lost of a session then, and what is not (oauth sections 7.2 to 7.4).

make soak runs it. COUNTERSIGN_SOAK_KILLS (200) is how often a renewal dies at each step.
"""

import collections
import os
import pathlib
import re
import signal
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Program"))

from conftest import home  # noqa: E402, F401
from issuers import Issuer, log_in  # noqa: E402

KILLS = int(os.environ.get("COUNTERSIGN_SOAK_KILLS", "200"))

# In their order, as strace tells them.
STEPS = {
    "the turn is taken": r"pwrite64\([^,]*/renew-",
    "the mark is written": r"pwrite64\([^,]*-wal>.* 4096,",
    "the mark is on disk": r"fdatasync\([^,]*-wal>",
    "connected": r"connect\(.*AF_INET",
    "the refresh token left": r'writev?\(.*"grant_type=refresh',
    "the answer is read": r'"HTTP/1.1 200',
    "the tokens are written": r"pwrite64\([^,]*-wal>.* 4096,",
    "the tokens are on disk": r"fdatasync\([^,]*-wal>",
    "the keys are asked for": r'writev?\(.*"GET /jwks',
    "the judgement is on disk": r"fdatasync\([^,]*-wal>",
    "the token is handed out": r"write\(1<",
}
NAMES, PATTERNS = list(STEPS), [re.compile(pattern) for pattern in STEPS.values()]
# The refresh token is spent, or may be, and what came for it is not written.
CAN_LOSE = set(NAMES[3:6])


def killed_after(home, aim):
    """Kills a renewal once it has gone as far as this step; returns how far it really went (a number of steps)."""
    calls = "pwrite64,fdatasync,connect,write,writev,read,recvfrom"
    process = subprocess.Popen(
        ["strace", "-f", "--seccomp-bpf", "-y", "-qq", "-s", "40", "-e", f"trace={calls}", "-e", "signal=none",
         *home.argv("token", "fern", "--pin-file", home.pin_file)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=home.environment)
    done, children = 0, f"/proc/{process.pid}/task/{process.pid}/children"
    for line in process.stderr:
        if done < len(PATTERNS) and PATTERNS[done].search(line):
            done += 1
            if done == aim:
                for pid in pathlib.Path(children).read_text().split():
                    os.kill(int(pid), signal.SIGKILL)
    process.wait()
    return done


@pytest.mark.parametrize("grace", [600, 0], ids=["with grace", "without grace"])
def test_a_kill_at_each_step(home, grace):
    home.set_pin()
    deaths, lost = collections.Counter(), collections.Counter()
    # A token is over at once, so that each command renews it.
    with Issuer(grace=grace, expires_in=10) as issuer:
        log_in(home, issuer, "--name", "fern")
        for aim in range(1, len(STEPS) + 1):
            for _ in range(4 * KILLS):
                if deaths[NAMES[aim - 1]] >= KILLS:
                    break
                done = killed_after(home, aim)
                assert done >= aim, f"it went no further than {done}"
                step = NAMES[done - 1]
                deaths[step] += 1
                result = home.run("token", "fern", "--json")
                if result.code:
                    lost[step] += 1
                    assert result.json["error"]["kind"] == "signed_out", (step, result)
                    assert "was lost before it could be stored" in result.json["error"]["message"], (step, result)
                    log_in(home, "fern")
        print(f"grace {grace}: deaths {dict(deaths)}; lost {dict(lost)}")
        assert all(deaths[name] >= KILLS for name in NAMES), deaths
        if grace:
            assert not lost and len(issuer.families) == 1 and issuer.families[0].isAlive
        else:
            assert lost["the refresh token left"] > 0 and set(lost) <= CAN_LOSE
        sent = [call["form"]["refresh_token"] for call in issuer.refreshes()]
        assert all(token not in sent[:index] or sent[index - 1] == token for index, token in enumerate(sent)), "a spent token came back"

"""Another user, without root (Tests/Support/another-user), and namespaces of the tests' own."""

import contextlib
import ctypes
import functools
import os
import pathlib
import subprocess
import sys

import pytest
from conftest import ROOT

HELPER = str(ROOT / "Tests/Support/another-user")


@functools.cache
def another_user():
    """Its id. A test that needs one fails where there is none."""
    done = subprocess.run([HELPER, "id"], capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        pytest.fail(done.stderr.strip())
    return int(done.stdout)


def as_another_user(*words):
    """The words that run a command as another user."""
    another_user()
    return [HELPER, "run", *map(str, words)]


@contextlib.contextmanager
def given_away(path):
    """A file or directory that is another user's meanwhile."""
    subprocess.run([HELPER, "give", path], check=True, timeout=60)
    assert os.lstat(path).st_uid == another_user()
    try:
        yield
    finally:
        subprocess.run([HELPER, "take", path], check=True, timeout=60)


@contextlib.contextmanager
def terminal_of_another_user():
    """The name of a terminal that another user opened."""
    script = "import os, sys; print(os.ttyname(os.openpty()[1]), flush=True); sys.stdin.read()"
    process = subprocess.Popen(
        as_another_user("/usr/bin/python3", "-c", script), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/")
    try:
        name = process.stdout.readline().strip()
        assert os.stat(name).st_uid == another_user()
        yield name
    finally:
        process.communicate()


def namespace(*flags):
    """The words before a command that give it namespaces of its own, and all rights in them."""
    wrapper = ["unshare", "--user", "--map-current-user", "--keep-caps", *flags]
    done = subprocess.run([*wrapper, "true"], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.fail(f"{' '.join(wrapper)}: {done.stderr.strip()}")
    return wrapper


def legible():
    """The words before a command whose memory and descriptors the tests may look at, although the program allows nobody to: they own its
    user namespace, and so have all rights over it."""
    return ["unshare", "--user", "--map-current-user"]


def descriptors(pid):
    """The open descriptors of a `legible` process, and where they lead. Its /proc/PID/fd may be listed by root alone, so each number is
    tried (pidfd_getfd(2))."""
    library = ctypes.CDLL(None, use_errno=True)
    process = os.pidfd_open(pid)
    found = {}
    try:
        [limit] = [line for line in pathlib.Path(f"/proc/{pid}/limits").read_text().splitlines() if line.startswith("Max open files")]
        for number in range(min(int(limit.split()[3]), 1024)):
            copy = library.syscall(438, process, number, 0)
            if copy >= 0:
                found[number] = os.readlink(f"/proc/self/fd/{copy}")
                os.close(copy)
            else:
                assert ctypes.get_errno() == 9, os.strerror(ctypes.get_errno())  # EBADF
    finally:
        os.close(process)
    return found


def alone_in_a_network(request):
    """Runs the calling test anew in a network of its own, which has nothing but a loopback, with all rights over that. Returns whether
    this is that run."""
    if os.environ.get("COUNTERSIGN_TEST_NETWORK") == request.node.nodeid:
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True, timeout=60)
        return True
    done = subprocess.run(
        [*namespace("--net"), sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", request.node.nodeid],
        env={**os.environ, "COUNTERSIGN_TEST_NETWORK": request.node.nodeid}, cwd=request.config.rootpath, capture_output=True,
        text=True, timeout=300)
    assert done.returncode == 0, done.stdout
    return False

"""A sway without a screen."""

import os
import pathlib
import shutil
import subprocess
import tempfile

from conftest import program
from innards import until


class Sway:
    """`picture`: fills its output."""

    def __init__(self, picture=None):
        program("sway")
        # The path of a socket is short.
        self.runtime = pathlib.Path(tempfile.mkdtemp(dir="/tmp"))
        background = f"output * bg {picture} center #ffffff\n" if picture else ""
        (self.runtime / "config").write_text("xwayland disable\n" + background)
        environment = dict(
            os.environ, XDG_RUNTIME_DIR=str(self.runtime), WLR_BACKENDS="headless", WLR_LIBINPUT_NO_DEVICES="1",
            WLR_RENDERER="pixman")
        self.sway = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "sway", "--config", str(self.runtime / "config")], env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        socket = until(lambda: next(
            (path for path in self.runtime.iterdir() if path.name.startswith("wayland-") and path.is_socket()), None))
        self.environment = {"WAYLAND_DISPLAY": str(socket)}

    def stop(self):
        self.sway.kill()
        self.sway.wait()
        shutil.rmtree(self.runtime)

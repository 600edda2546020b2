"""GNOME Shell itself, on a display and with a bus of the test: its prompter, its notes, and what they look like.

It is the window manager and draws all of this by itself, so no window can be asked for. Its own layout tells what stands where: `Eval`
runs a script in it, which a Shell allows that was started for that.
"""

import itertools
import json
import os
import subprocess

import pytest
from conftest import Screen, program
from innards import until
from servers import Server

# The smallest screen of today's desktops.
SIZE = "1024x768"
PROMPTER, SHELL = "org.gnome.keyring.SystemPrompter", "org.gnome.Shell"
# Of a note: it is there, and neither comes nor goes.
SHOWN = 2
# All texts that can be seen below an actor, with the lines that Pango made of each.
SEEN = """(() => {
    const { Clutter, St } = imports.gi, found = [];
    const walk = actor => {
        if (!actor.visible || actor.get_paint_opacity() === 0) return;
        if (actor instanceof Clutter.Text && actor.text !== '') {
            const layout = actor.get_layout(), text = layout.get_text(), begins = [];
            let at = 0;
            for (const letter of text) {
                const [line] = layout.index_to_line_x(at, false);
                if (line === begins.length) begins.push(at);
                at += new TextEncoder().encode(letter).length;
            }
            const [x, y] = actor.get_transformed_position();
            const [width, height] = actor.get_transformed_size();
            const parent = actor.get_parent(), node = parent instanceof St.Widget ? parent.get_theme_node() : null;
            found.push({
                text, begins, isCut: layout.is_ellipsized(), x, y, width, height,
                inked: layout.get_pixel_size()[0],
                room: actor.get_allocation_box().get_width(),
                em: node ? node.get_font().get_size() / 1024 : 0,
                style: parent.style_class || '' });
        }
        actor.get_children().forEach(walk);
    };
    walk(%s);
    return found;
})()"""


class Text:
    """One text on the screen. `lines`: as (whether a line feed stands before it, the text)."""

    def __init__(self, seen):
        self.__dict__.update(seen)
        data = self.text.encode()
        begins, ends = self.begins, [*self.begins[1:], len(data)]
        self.lines = [(at == 0 or data[at - 1:at] == b"\n", data[at:end].decode().rstrip("\n")) for at, end in zip(begins, ends)]

    def __eq__(self, other):
        return self.__dict__ == other.__dict__

    def wrapped(self):
        """The lines that the Shell began by itself."""
        return [text for starts, text in self.lines if not starts]

    def __repr__(self):
        return f"{self.style} {'cut' if self.isCut else ''} {self.lines}"


class Shell:
    """A running GNOME Shell."""

    def __init__(self, directory):
        command = program("gnome-shell")
        self.screen = Screen(directory, SIZE, manager=None)
        bus = os.environ["DBUS_SESSION_BUS_ADDRESS"]
        # Nothing of the machine's own desktop and settings reaches it.
        self.environment = dict(
            DBUS_SYSTEM_BUS_ADDRESS=bus, GSETTINGS_BACKEND="memory", LIBGL_ALWAYS_SOFTWARE="1", XDG_SESSION_TYPE="x11",
            XDG_CURRENT_DESKTOP="GNOME", LC_ALL="C.UTF-8")
        self.process = self.screen.start(command, "--x11", "--unsafe-mode", environment=self.environment)
        until(lambda: self.owns(PROMPTER) and self.call(SHELL, "/org/gnome/Shell", SHELL, "Eval", "s", "1").returncode == 0, 120)
        # It begins with its overview.
        until(lambda: self.eval("Main.layoutManager._startingUp") is False, 120)
        self.eval("Main.overview.hide()")
        until(lambda: self.eval("Main.overview.visible") is False, 60)

    @staticmethod
    def owns(name):
        done = subprocess.run(
            ["dbus-send", "--session", "--dest=org.freedesktop.DBus", "--print-reply", "/org/freedesktop/DBus",
             "org.freedesktop.DBus.NameHasOwner", f"string:{name}"], capture_output=True, text=True, check=True)
        return "true" in done.stdout

    @staticmethod
    def call(*words):
        return subprocess.run(
            ["busctl", "--address", os.environ["DBUS_SESSION_BUS_ADDRESS"], "--json=short", "call", *words],
            capture_output=True, text=True, timeout=60)

    def eval(self, script):
        """What a script in the Shell gives."""
        done = self.call(SHELL, "/org/gnome/Shell", SHELL, "Eval", "s", script)
        assert done.returncode == 0, done.stderr
        worked, answer = json.loads(done.stdout)["data"]
        assert worked, answer
        return json.loads(answer) if answer else None

    def texts(self, actor):
        """The texts that stand below an actor, named by a script."""
        return [Text(seen) for seen in self.eval(SEEN % actor)]

    def dialog(self):
        """The texts of the window that asks, once it stands there whole; none without it."""
        is_open = "Main.modalCount > 0 && Main.layoutManager.modalDialogGroup.get_children().some(" \
            "d => d.visible && d.state === imports.ui.modalDialog.State.OPENED)"
        return self.texts("Main.layoutManager.modalDialogGroup") if self.eval(is_open) else []

    def scale(self, factor):
        """Sets how large text is, as a person does in the settings."""
        self.eval(
            "new imports.gi.Gio.Settings({ schema_id: 'org.gnome.desktop.interface' })"
            f".set_double('text-scaling-factor', {factor})")

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.screen.stop()
        until(lambda: not self.owns(SHELL), 60)


class ShellNotes(Server):
    """The Shell as a server of notes. A program of its own stands between, as on a person's desktop."""

    def __init__(self, shell, directory):
        self.shell = shell
        # Nothing of an earlier test stands there, nor of the Shell itself.
        shell.eval("Main.messageTray.getSources().forEach(source => source.destroy())")
        until(lambda: shell.eval("Main.messageTray._notificationState") == 0, 60)
        super().__init__(
            shell.screen, directory, program("gjs"), "/usr/share/gnome-shell/org.gnome.Shell.Notifications",
            environment=shell.environment)

    def history(self):
        # The program in between tells the Shell all once more.
        return [now for before, now in itertools.pairwise([None, *super().history()]) if now != before]

    def banner(self):
        """The texts of the note that stands on the screen, once it stands still; none without one."""
        shown = self.shell.eval(f"Main.messageTray._notificationState === {SHOWN}")
        return self.shell.texts("Main.messageTray._bannerBin") if shown else []

    def banner_of(self, words):
        """Waits until a note stands on the screen whose summary has these words, and until it is as high as it gets."""
        def seen():
            texts = self.banner()
            return texts if any(words in text.text for text in texts if text.style == "message-title") else None

        until(seen, 60)
        return until(lambda: (before := seen()) and before == seen() and before, 60)

    def links(self):
        """What the Shell made a link of in that note."""
        return self.shell.eval("Main.messageTray._banner._expandedLabel?._urls ?? Main.messageTray._banner.bodyLabel._urls")

    def press(self, words, label):
        """Presses a button of the note whose summary has these words. They show when the pointer comes."""
        [title] = [text for text in self.banner_of(words) if text.style == "message-title"]
        self.screen.xdotool("mousemove", round(title.x) + 4, round(title.y) + 4)
        button = until(lambda: next((text for text in self.banner_of(words) if text.text == label), None), 60)
        self.screen.click(round(button.x + button.width / 2), round(button.y + button.height / 2))
        self.screen.xdotool("mousemove", 5, 700)


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    shell = Shell(tmp_path_factory.mktemp("shell"))
    yield shell
    shell.stop()


@pytest.fixture(scope="module")
def screen(shell):
    return shell.screen

"""The desktop's real notification servers, started on the private bus, and what goes over that bus between them and the agent.

A note's words are read from the bus; whether it can be seen, and its buttons, from the screen.
"""

import json
import os
import subprocess

from conftest import program
from innards import until

NAME = "org.freedesktop.Notifications"
DUNST = """[global]
    origin = top-right
    offset = 10x10
    width = 400
    notification_limit = 20
    font = Sans 10
    mouse_left_click = do_action, close_current
    mouse_right_click = close_current
    dmenu = {menu}
"""


class Traffic:
    """What is said on the bus to and by the notification server."""

    def __init__(self, directory):
        self.path = directory / "traffic.json"
        with open(self.path, "wb") as log:
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", "busctl", "--address", os.environ["DBUS_SESSION_BUS_ADDRESS"],
                 "--json=short", "monitor"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.DEVNULL)
        until(self.hears, 60)

    def hears(self):
        """Whether it listens by now: it hears a call that is made for this."""
        subprocess.run(
            ["dbus-send", "--session", "--dest=org.freedesktop.DBus", "--print-reply", "/org/freedesktop/DBus",
             "org.freedesktop.DBus.GetId"], check=True, stdout=subprocess.DEVNULL)
        return self.path.stat().st_size > 0

    def messages(self):
        lines = self.path.read_text().split("\n")[:-1]
        return [json.loads(line) for line in lines if line.startswith("{")]

    def stop(self):
        self.process.kill()
        self.process.wait()


class Server:
    """One notification server; `notes` are those that stand on the screen, by what it said itself."""

    def __init__(self, screen, directory, *argv, environment=None):
        self.screen = screen
        self.traffic = Traffic(directory)
        self.process = screen.start(*argv, environment=environment)
        until(self.is_there, 60)

    @staticmethod
    def is_there():
        done = subprocess.run(
            ["dbus-send", "--session", "--dest=org.freedesktop.DBus", "--print-reply", "/org/freedesktop/DBus",
             "org.freedesktop.DBus.NameHasOwner", f"string:{NAME}"], capture_output=True, text=True, check=True)
        return "true" in done.stdout

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.traffic.stop()
        # The next server can have the name.
        until(lambda: not self.is_there(), 60)

    def history(self):
        """What happened to notes, in order: ("shown", id, note), ("closed", id, reason), ("pressed", id, action)."""
        asked, done = {}, []
        for message in self.traffic.messages():
            kind, member = message["type"], message.get("member")
            data = message.get("payload", {}).get("data", [])
            if kind == "method_call" and member == "Notify" and message.get("interface") == NAME:
                app, replaces, _icon, summary, body, actions, hints, timeout = data
                if app != "Countersign":
                    continue
                asked[message["sender"], message["cookie"]] = dict(
                    replaces=replaces, summary=summary, body=body, actions=actions, timeout=timeout,
                    hints={key: value["data"] for key, value in hints.items()})
            elif kind == "method_return":
                note = asked.pop((message.get("destination"), message.get("reply_cookie")), None)
                if note is not None:
                    done.append(("shown", data[0], note))
            elif kind == "signal" and member == "NotificationClosed":
                done.append(("closed", *data))
            elif kind == "signal" and member == "ActionInvoked":
                done.append(("pressed", *data))
            elif kind == "method_call" and member == "CloseNotification" and message.get("interface") == NAME:
                done.append(("withdrawn", data[0], None))
        return done

    def shown(self):
        """All notes that it ever took, in order."""
        return [note for word, _, note in self.history() if word == "shown"]

    @property
    def notes(self):
        """What stands on the screen, by number, in order."""
        notes = {}
        for word, number, value in self.history():
            if word == "shown":
                notes[number] = dict(value, id=number)
            elif word in ("closed", "withdrawn"):
                notes.pop(number, None)
        return notes

    def note(self, words, seconds=60):
        """Waits until a note whose summary has these words stands on the screen; returns it."""
        return until(
            lambda: next((n for n in self.notes.values() if words in n["summary"]), None), seconds)

    def until_notes(self, *summaries, seconds=60):
        """Waits until exactly notes with these words in their summaries stand on the screen, in any order."""
        def are_there():
            left = [note["summary"] for note in self.notes.values()]
            for words in summaries:
                found = next((summary for summary in left if words in summary), None)
                if found is None:
                    return False
                left.remove(found)
            return not left

        try:
            until(are_there, seconds)
        except AssertionError:
            raise AssertionError(f"not {summaries}, but {[n['summary'] for n in self.notes.values()]}") from None


class Dunst(Server):
    """Its actions by its control and by its menu, which a script answers."""

    def __init__(self, screen, directory):
        menu = directory / "menu"
        self.choice = directory / "choice"
        self.choice.write_text("nothing")
        # It gets a line for each action of each note, as "#Review (title) [1,Countersign]".
        menu.write_text(f'#!/bin/sh\ngrep -F "#$(cat {self.choice}) (" | head -1\n')
        menu.chmod(0o755)
        config = directory / "dunstrc"
        config.write_text(DUNST.format(menu=menu))
        super().__init__(screen, directory, program("dunst"), "-config", config)

    def control(self, *words):
        return self.screen.run("dunstctl", *words)

    def press(self, note, label):
        """Presses an action of the only note that stands."""
        assert list(self.notes) == [note["id"]]
        if label in ("Review", "Unlock"):
            self.control("action", "0")
        else:
            self.choice.write_text(label)
            self.control("context")

    def kept(self):
        """Its history: summary and body of each."""
        rows = json.loads(self.control("history"))["data"][0]
        return [(row["summary"]["data"], row["body"]["data"]) for row in rows]


class Buttons(Server):
    """One that shows each note as a window with buttons; they are pressed by the mouse.

    `rightmost` and `step`: where the last button stands, from the lower right corner, and how far the next one is to its left.
    """

    rightmost, step = (0, 0), 0

    def windows(self):
        """The windows that stand on the screen, as (left, top, width, height), without what is only there for the desktop."""
        windows = []
        for number in self.screen.windows_of(self.process.pid):
            words = self.screen.xdotool("getwindowgeometry", "--shell", number).split()
            x, y, width, height = (int(words[at].split("=")[1]) for at in range(1, 5))
            if width > 60 and height > 40:
                windows.append((x, y, width, height))
        return windows

    def press(self, note, label):
        """Presses a button of the only note that stands."""
        [(x, y, width, height)] = until(lambda: len(self.windows()) == 1 and self.windows(), 60)
        labels = [text for text in note["actions"][1::2] if text]
        if note["actions"][0] == "default" and not self.drawsDefault:
            labels = labels[1:]
        position = len(labels) - 1 - labels.index(label)
        self.screen.click(x + width - self.rightmost[0] - position * self.step, y + height - self.rightmost[1])


class Xfce(Buttons):
    rightmost, step, drawsDefault = (57, 31), 91, True

    def __init__(self, screen, directory):
        super().__init__(
            screen, directory, program("/usr/lib/x86_64-linux-gnu/xfce4/notifyd/xfce4-notifyd", "xfce4-notifyd"))


class Mate(Buttons):
    rightmost, step, drawsDefault = (65, 27), 61, False

    def __init__(self, screen, directory):
        super().__init__(
            screen, directory,
            program("/usr/lib/mate-notification-daemon/mate-notification-daemon", "mate-notification-daemon"))


class NotifyOSD(Server):
    """Bubbles without actions."""

    def __init__(self, screen, directory):
        super().__init__(screen, directory, program("/usr/lib/x86_64-linux-gnu/notify-osd", "notify-osd"))

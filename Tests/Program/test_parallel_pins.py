"""Right PINs that are checked at the same moment do not count as each other's failures."""

import subprocess


def test_ten_right_pins_at_once(home):
    home.set_pin()
    argv = home.argv("connections", "--pin-file", home.pin_file)
    commands = [subprocess.Popen(argv, env=home.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(10)]
    results = [(command.wait(60), command.stderr.read().decode()) for command in commands]
    for command in commands:
        command.stdout.close()
        command.stderr.close()
    assert results == [(0, "")] * 10
    assert home.json("status", pin=False)["tries_left"] == 9

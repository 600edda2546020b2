"""What a person is told who makes a mistake: the cause, and the next command."""

from conftest import finish


def test_a_mistyped_command_is_guessed(home):
    result = home.run("enrol", pin=False)
    assert result.code == 64
    assert result.err == (
        'error: there is no command "enrol"\n'
        'hint: did you mean "enroll"? list them with: countersign --help\n')


def test_a_command_that_is_none_reaches_the_terminal_safely(home):
    result = home.run("\x1b[31mboo\u202e", pin=False)
    assert result.code == 64
    assert 'there is no command "⟨U+001B⟩[31mboo⟨U+202E⟩"' in result.err


def test_a_poor_pin_is_refused_before_it_is_typed_again(home):
    child = home.terminal("pin", "set")
    child.expect("Choose a PIN")
    child.sendline("123456")
    child.expect("error: the PIN is too easy to guess")
    assert finish(child) == 64
    assert home.json("status", pin=False)["pin_set"] is False

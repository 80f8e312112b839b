"""One more command is two files: its module, and its test."""

from tests.growth.scratch import Scratch

MODULE = '''
"""/echo: says what stands behind it."""

from shared.commands.command import Command, CommandRequest, CommandResponse, verbatim


def respond(request: CommandRequest) -> CommandResponse:
    """The same words."""
    return CommandResponse(text=verbatim(request.argument[:200]) or "Nothing.")


COMMAND = Command(
    name="echo",
    order=95,
    descriptions={"en": "Say it again", "de": "Es noch einmal sagen", "uk": "Повторити"},
    usage="/echo [text]",
    respond=respond,
)
'''
TEST = '''
"""The same words, or that there are none."""

from shared.commands.echo import respond
from tests.shared.commands.requests import asked


def test_it_says_the_same() -> None:
    assert respond(asked("hi")).text == "hi"
    assert respond(asked()).text == "Nothing."
'''
#: in every menu, told by /help, read from a message, answered, shipped
PROBE = """
from infra.bundle import ROOT
from infra.imports import imported_files
from shared.commands.dispatch import Dispatcher
from shared.commands.parse import Invocation
from shared.commands.registry import commands, menus
from shared.ports.outside import Ports
from tests.shared.commands.requests import asked
from tests.shared.commands.test_parse import in_private

DISPATCHER = Dispatcher(ports=Ports({port: None for command in commands() for port in command.needs}))


def test_people_are_told_of_it() -> None:
    assert all("echo" in [entry.name for entry in menu.entries] for menu in menus())
    assert "/echo" in DISPATCHER.response_to(Invocation("help"), asked()).text


def test_it_is_read_and_answered() -> None:
    invocation = in_private("/echo good morning")
    assert invocation == Invocation("echo", "good morning")
    assert DISPATCHER.response_to(invocation, asked()).text == "good morning"


def test_the_tick_ships_it_and_the_webhook_does_not() -> None:
    module = ROOT / "shared" / "commands" / "echo.py"
    assert module in imported_files(ROOT / "functions" / "tick" / "main.py", ROOT)
    assert module not in imported_files(ROOT / "functions" / "webhook" / "main.py", ROOT)
"""
#: of everything that knows commands
TESTS = (
    "tests/shared/commands/test_echo.py",
    "tests/shared/commands/test_registry.py",
    "tests/shared/commands/test_help.py",
    "tests/shared/commands/test_parse.py",
    "tests/docs",
)


def test_a_command_is_its_module_and_its_test(scratch: Scratch) -> None:
    scratch.adds("shared/commands/echo.py", MODULE)
    scratch.adds("tests/shared/commands/test_echo.py", TEST)
    scratch.shows("tests/shared/commands/test_probe.py", PROBE, *TESTS)
    assert scratch.changed() == ["shared/commands/echo.py", "tests/shared/commands/test_echo.py"]

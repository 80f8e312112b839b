"""One more command is two files, its module and its test, and its messages in the catalogue of each language."""

from pathlib import Path

from shared.base.wording.words import languages
from tests.growth.scratch import Changes, Growth, Scratch

MODULE = '''
"""/echo: say the words behind it again."""

from shared.commands.command import Command, CommandRequest, CommandResponse, verbatim


def respond(request: CommandRequest) -> CommandResponse:
    """Return the same words."""
    return CommandResponse(text=request.words.say("echo.said", text=verbatim(request.argument[:200])))


COMMAND = Command(
    name="echo",
    order=95,
    takes_argument=True,
    respond=respond,
)
'''
TEST = '''
"""The same words."""

from shared.commands.echo import respond
from tests.shared.commands.requests import asked


def test_it_says_the_same() -> None:
    assert respond(asked("hi")).text == "You said: hi"
    assert respond(asked("hi", language="uk")).text == "Ви сказали: hi"
'''
#: the command is in every menu and in /help, is read from a message and answered, and is shipped
PROBE = """
from infra.bundle import ROOT
from infra.imports import imported_files
from shared.commands.dispatch import Dispatcher
from shared.commands.parse import CommandInvocation
from shared.commands.registry import commands, menus
from shared.llm.ports.world import PortRegistry
from tests.shared.commands.requests import asked
from tests.shared.commands.test_parse import in_private

DISPATCHER = Dispatcher(ports=PortRegistry({port: None for command in commands() for port in command.needs}))


def test_people_are_told_of_it() -> None:
    assert all("echo" in [entry.name for entry in menu.entries] for menu in menus())
    assert "/echo" in DISPATCHER.response_to(CommandInvocation("help"), asked()).text


def test_it_is_read_and_answered() -> None:
    invocation = in_private("/echo good morning")
    assert invocation == CommandInvocation("echo", "good morning")
    assert DISPATCHER.response_to(invocation, asked()).text == "You said: good morning"


def test_the_tick_ships_it_and_the_webhook_does_not() -> None:
    module = ROOT / "shared" / "commands" / "echo.py"
    assert module in imported_files(ROOT / "functions" / "tick" / "main.py", ROOT)
    assert module not in imported_files(ROOT / "functions" / "webhook" / "main.py", ROOT)
"""
#: the tests of everything that knows commands
TESTS = (
    "tests/shared/commands/test_echo.py",
    "tests/shared/commands/test_registry.py",
    "tests/shared/commands/test_help.py",
    "tests/shared/commands/test_parse.py",
    "tests/docs",
    "tests/shared/base/wording",
    "tests/test_wording.py",
)


#: the messages for the catalogues, in the order of their ids; here the other languages get the English ones
MESSAGES = {
    "description.echo": {"en": "Say it again", "uk": "Повторити"},
    "echo.said": {"en": "You said: {text}", "uk": "Ви сказали: {text}"},
    "usage.echo": {"en": "/echo [text]", "uk": "/echo [текст]"},
}


def _catalogues() -> list[str]:
    return [f"shared/base/wording/{language}.json" for language in languages()]


def _add(scratch: Scratch) -> None:
    scratch.adds("shared/commands/echo.py", MODULE)
    scratch.adds("tests/shared/commands/test_echo.py", TEST)
    for path in _catalogues():
        scratch.says(path, {name: texts.get(Path(path).stem, texts["en"]) for name, texts in MESSAGES.items()})


GROWTH = Growth(add=_add, path="tests/shared/commands/test_probe.py", probe=PROBE, tests=TESTS)


def test_a_command_is_its_module_and_its_test(changes: Changes) -> None:
    its_own = ["shared/commands/echo.py", "tests/shared/commands/test_echo.py"]
    assert changes[GROWTH.path] == sorted([*its_own, *_catalogues()])

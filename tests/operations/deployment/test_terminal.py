"""The output of a deployment."""

import io
import subprocess
import sys

import pytest
from rich.console import Console

from infra.bundle import ROOT
from operations.deployment.options import CannotDeploy
from operations.deployment.terminal import Terminal
from tests.operations.typed import typed_at_a_terminal

ASKING = """
from operations.deployment.terminal import Terminal
terminal = Terminal(1)
print(len(terminal.ask_secret("The token")), terminal.ask("Sure?"))
"""


@pytest.fixture
def screen() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def terminal(screen: io.StringIO) -> Terminal:
    return Terminal(2, Console(file=screen, width=40, highlight=False))


def test_steps_are_counted_and_timed(terminal: Terminal, screen: io.StringIO) -> None:
    with terminal.step("looking"):
        terminal.say("a command that is much longer than the terminal is wide")
    with terminal.step("making"):
        pass
    lines = screen.getvalue().splitlines()
    assert lines[:2] == ["[1/2] looking …", "a command that is much longer than the terminal is wide"]
    assert lines[2].startswith("[1/2] looking: done (")
    assert lines[3] == "[2/2] making …"


def test_a_step_that_stops_says_that_it_can_be_gone_on_with(terminal: Terminal, screen: io.StringIO) -> None:
    with pytest.raises(CannotDeploy), terminal.step("looking"):
        raise CannotDeploy("no")
    assert "[1/2] looking: stopped. Finished steps are kept" in screen.getvalue()


def test_where_nobody_is_no_secret_is_asked_for() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASKING], cwd=ROOT, input="", capture_output=True, text=True, check=True
    )
    assert done.stdout == "Sure? 0 \n"


def test_a_secret_is_not_shown() -> None:
    seen = typed_at_a_terminal(ASKING, {"shown):": "hush-hush", "Sure?": "yes"}, "9 yes")
    assert "hush" not in seen

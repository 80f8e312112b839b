"""The question, answered in a pseudo-terminal; only the cloud after it does not start."""

import os
import pty
import select
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from local.own_folder import take_folder
from tests.local.serving import serving

ROOT = Path(__file__).parents[2]
ASKING = """
import sys
from rich.console import Console
from local import model_servers, up
from local.model_choice import with_local_model
model_servers.LIMIT_S = 60  # the machine may do much else
up.with_local_model = lambda options, say, ask: with_local_model(options, say, ask, {"Ollama": sys.argv[1]})
up.run = lambda options, *_, **__: print(f"ANSWERS {options.server}")
sys.exit(up.main(["dev"]))
"""
AGREEING = """
from rich.console import Console
from local.question import ask_for_consent
print("SAYS", ask_for_consent(Console(), "May it go?"))
"""
#: A program that takes its input as its controlling terminal, and is then replaced by a command. Tests may run where
#: SIGINT is ignored: in a shell's background. `pty.fork` would run Python in a fork of a process with threads, and
#: sometimes crash there.
IN_TERMINAL = """
import fcntl, os, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
#: after so long without output, a terminal waits for a key
PATIENCE_S = 20
CTRL_C, CTRL_D, ENTER = b"\x03", b"\x04", b"\r"


@contextmanager
def ollama(count: int) -> Iterator[str]:
    """Run a server with so many models."""

    async def listed(_: object) -> JSONResponse:
        return JSONResponse({"object": "list", "data": [{"id": f"model-{n}:8b"} for n in range(1, count + 1)]})

    with serving(Starlette(routes=[Route("/v1/models", listed)])) as url:
        yield url


class Terminal:
    """A pseudo-terminal in which a command runs."""

    def __init__(self, command: list[str], env: Mapping[str, str]) -> None:
        self._screen, keyboard = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", **env}
        with os.fdopen(keyboard, "r+b", buffering=0) as tty:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", IN_TERMINAL, *command],
                cwd=ROOT, env=environment, stdin=tty, stdout=tty, stderr=tty, start_new_session=True,
            )  # fmt: skip
        self.shown = ""

    def waits_for(self, text: str) -> None:
        """Wait until this text is on the screen, or the command has ended."""
        while text not in self.shown and (more := self._more()):
            self.shown += more

    def types(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self._screen, keys)

    def ends(self, again: bytes = b"") -> int:
        """Read all output and return the exit code.

        Keys that come just before the command begins to read may be lost. A person would press them `again`, and so
        does this method while nothing happens.
        """
        while more := self._more(again):
            self.shown += more
        return self._process.wait()

    def close(self) -> None:
        """Close the terminal as a closed window does."""
        os.close(self._screen)

    def _more(self, again: bytes = b"") -> str:
        try:
            while again and not select.select([self._screen], [], [], PATIENCE_S)[0]:
                self.types(again)
            return os.read(self._screen, 65_536).decode(errors="replace")
        except OSError:  # Linux raises this when the other side is closed
            return ""


def asked(url: str, data: Path) -> Terminal:
    return Terminal([sys.executable, "-c", ASKING, url], {"LULL_DATA": str(data)})


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [((ENTER,), "model-1:8b"), ((b"2", ENTER), "model-2:8b"), ((b"x\r", b"0\r", b"7\r", b"3\r"), "None")],
)
def test_a_number_is_taken_enter_is_the_first_and_rubbish_is_asked_again(
    tmp_path: Path, typed: tuple[bytes, ...], chosen: str
) -> None:
    with ollama(2) as url, closing(asked(url, tmp_path)) as terminal:
        terminal.waits_for("Which")
        for keys in typed:
            terminal.types(keys)
        assert terminal.ends() == 0
        assert f"ANSWERS {chosen}" in terminal.shown


@pytest.mark.parametrize(
    ("keys", "code", "sentence"),
    [
        (CTRL_C, 0, "Stopped."),
        (CTRL_D, 1, "Nothing was chosen. `LULL_LOCAL_MODEL=small make dev` starts without asking."),
    ],
)
def test_who_does_not_answer_is_told_in_a_sentence_and_nothing_is_remembered(
    tmp_path: Path, keys: bytes, code: int, sentence: str
) -> None:
    with ollama(2) as url, closing(asked(url, tmp_path)) as terminal:
        terminal.waits_for("Which")
        terminal.types(keys)
        assert terminal.ends(again=keys) == code
        assert sentence in terminal.shown
        assert "Traceback" not in terminal.shown
    assert not list(tmp_path.iterdir())


def test_many_models_fit_on_the_screen(tmp_path: Path) -> None:
    with ollama(60) as url, closing(asked(url, tmp_path)) as terminal:
        terminal.waits_for("Which, 1 to 61")
        assert terminal.shown.count("\n") < 24
        assert all(f"model-{n}:8b" in terminal.shown for n in (1, 30, 60))
        terminal.types(b"60\r")
        assert terminal.ends() == 0
        assert "ANSWERS model-60:8b of Ollama" in terminal.shown


def test_where_input_or_output_is_no_terminal_nobody_is_asked(tmp_path: Path) -> None:
    with ollama(2) as url:
        command = [sys.executable, "-c", ASKING, url]
        env = {**os.environ, "LULL_DATA": str(tmp_path)}
        ended = subprocess.run(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert ended.stdout.splitlines()[-1] == "ANSWERS None"
    assert "To use it, set LULL_LOCAL_MODEL=model-1:8b." in ended.stdout


@pytest.mark.parametrize(("keys", "said"), [(b"y\r", True), (ENTER, False), (CTRL_D, False), (CTRL_C, False)])
def test_who_ends_their_input_has_not_agreed(keys: bytes, said: bool) -> None:
    with closing(Terminal([sys.executable, "-c", AGREEING], {})) as terminal:
        terminal.waits_for("May it go?")
        terminal.types(keys)
        assert terminal.ends(again=keys) == 0
        assert f"SAYS {said}" in terminal.shown


@pytest.mark.parametrize("keys", [b"n\r", ENTER, b"maybe\rn\r", CTRL_C, CTRL_D, b"y\r"])
def test_make_clean_deletes_what_people_wrote_only_on_a_yes(tmp_path: Path, keys: bytes) -> None:
    kept, is_yes = tmp_path / "kept", keys == b"y\r"
    take_folder(kept)
    (kept / "telegram").mkdir()
    (kept / "telegram" / "world.db").write_text("hello")
    with closing(Terminal([sys.executable, "-m", "local.up", "clean"], {"LULL_DATA": str(kept)})) as terminal:
        terminal.waits_for("Delete everything?")
        terminal.types(keys)
        assert terminal.ends(again=keys) == (0 if is_yes else 1)
    assert ("is deleted." if is_yes else "Nothing was deleted.") in terminal.shown
    assert "Traceback" not in terminal.shown
    assert [file.name for file in kept.rglob("*.db")] == ([] if is_yes else ["world.db"])
    assert kept.exists() != is_yes

"""The operator's terminal: shows steps and asks questions."""

import getpass
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console

from operations.deployment.options import CannotDeploy


class Terminal:
    """Prints steps as they happen, and asks questions."""

    def __init__(self, steps: int, console: Console | None = None) -> None:
        """`steps` is the total number of steps."""
        self._console = console or Console(highlight=False)
        self._steps, self._done = steps, 0

    def say(self, text: str = "") -> None:
        """Print a line without wrapping it, since commands and addresses are copied from it."""
        self._console.print(text, markup=False, soft_wrap=True)

    @contextmanager
    def step(self, what: str) -> Iterator[None]:
        """Print a step when it begins, and its duration when it ends."""
        self._done += 1
        name = f"[{self._done}/{self._steps}] {what}"
        self.say(f"{name} …")
        began = monotonic()
        try:
            yield
        except CannotDeploy:
            self.say(f"{name}: stopped. Finished steps are kept: run the same command again to continue.")
            raise
        self.say(f"{name}: done ({monotonic() - began:.0f} s)")

    def ask(self, question: str) -> str:
        """Return the answer to a question, empty at the end of the input."""
        self._console.print(f"{question} ", markup=False, soft_wrap=True, end="")
        return sys.stdin.readline().strip()

    def ask_secret(self, question: str) -> str:
        """Return a secret that is typed without being shown; empty if there is no terminal."""
        return getpass.getpass(f"{question} (your input is not shown): ").strip() if sys.stdin.isatty() else ""

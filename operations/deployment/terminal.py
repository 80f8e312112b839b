"""What a person sees and is asked while lull is deployed."""

import getpass
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console

from operations.deployment.options import CannotDeploy


class Terminal:
    """Writes what is done, step by step, and asks, if somebody is there to answer."""

    def __init__(self, steps: int, console: Console | None = None) -> None:
        """`steps` is how many there will be."""
        self._console = console or Console(highlight=False)
        self._steps, self._done = steps, 0

    def say(self, text: str = "") -> None:
        """A line of its own, never wrapped: commands and addresses are copied from it."""
        self._console.print(text, markup=False, soft_wrap=True)

    @contextmanager
    def step(self, what: str) -> Iterator[None]:
        """One step: said when it begins, and with its seconds when it is done."""
        self._done += 1
        name = f"[{self._done}/{self._steps}] {what}"
        self.say(f"{name} …")
        began = monotonic()
        try:
            yield
        except CannotDeploy:
            self.say(f"{name}: stopped here. What is done stays; the same command goes on from where it is.")
            raise
        self.say(f"{name}: done ({monotonic() - began:.0f} s)")

    def ask(self, question: str) -> str:
        """What somebody answers; empty at the end of the input."""
        self._console.print(f"{question} ", markup=False, soft_wrap=True, end="")
        return sys.stdin.readline().strip()

    def ask_secret(self, question: str) -> str:
        """What somebody pastes, unseen; empty where nobody is."""
        return getpass.getpass(f"{question} (it is not shown): ").strip() if sys.stdin.isatty() else ""

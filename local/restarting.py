"""Restarts parts of the local cloud that died. After a few failures a part stays down, and a message says so."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from local.cloud import LocalCloud, PartFailed
from local.poller import EX_CONFIG
from local.run_record import PartRecord, State

MOST_RESTARTS = 3
#: seconds before the first restart; they are doubled for each further restart
FIRST_PAUSE_S = 1.0
#: after a part has run for so many seconds, its earlier deaths no longer count
WELL_AFTER_S = 60.0


@dataclass(frozen=True)
class Restart:
    """The decision to restart a part, after `after_s` seconds."""

    after_s: float


@dataclass(frozen=True)
class StayDown:
    """The decision not to restart a part. `why` completes a sentence that begins with the part's name."""

    why: str


def decide_restart(deaths: int, code: int, first_pause_s: float = FIRST_PAUSE_S) -> Restart | StayDown:
    """Decide whether to restart a part that has died `deaths` times in a row, the last time with exit code `code`."""
    if code == EX_CONFIG:
        return StayDown("stopped because its settings are invalid")
    if deaths > MOST_RESTARTS:
        return StayDown(f"failed {deaths} times in a row and is not restarted")
    return Restart(first_pause_s * 2 ** (deaths - 1))


@dataclass
class _Life:
    """The state of a part: when it was started, how many times in a row it died, and when it will be restarted (None
    if it is running or will not be restarted).
    """

    since: float = field(default_factory=time.time)
    deaths: int = 0
    start_at: float | None = None
    is_given_up: bool = False


class Restarter:
    """Watches the parts of one cloud, and restarts those that died. Call `look` often."""

    def __init__(
        self,
        cloud: LocalCloud,
        say: Callable[[str], None],
        first_pause_s: float = FIRST_PAUSE_S,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Watch a cloud. `say` is called with a sentence for each event that a person should know."""
        self._cloud, self._say, self._pause_s, self._clock = cloud, say, first_pause_s, clock
        self._lives = {name: _Life() for name in cloud.parts}

    def look(self) -> bool:
        """Detect parts that died, and restart those whose pause before the restart is over. Return whether anything
        changed.
        """
        died = [name for name, life in self._lives.items() if self._has_died(name, life)]
        for name in died:
            self._mourn(name, self._lives[name])
        due = [n for n, life in self._lives.items() if life.start_at is not None and life.start_at <= self._clock()]
        for name in due:
            self._revive(name, self._lives[name])
        return bool(died or due)

    def restart(self, names: Iterable[str]) -> None:
        """Stop the named parts that are running, and then start all named parts together. Raises PartFailed."""
        chosen = list(names)
        for name in chosen:
            self._lives[name] = _Life(is_given_up=True)  # a part that is stopped here did not die
            if self._cloud.exit_code(name) is None:
                self._cloud.stop(name)
        self._cloud.start(*chosen)
        for name in chosen:
            self._lives[name] = _Life()

    def records(self) -> dict[str, PartRecord]:
        """Return the current state of every part, by the part's name."""
        return {
            name: PartRecord(
                pid=self._cloud.pid(name), url=self._cloud.parts[name].url, state=_state_of(life), since=life.since
            )
            for name, life in self._lives.items()
        }

    def _has_died(self, name: str, life: _Life) -> bool:
        return life.start_at is None and not life.is_given_up and self._cloud.exit_code(name) is not None

    def _mourn(self, name: str, life: _Life) -> None:
        code = self._cloud.exit_code(name) or 0
        life.deaths = 1 if self._clock() - life.since > WELL_AFTER_S else life.deaths + 1
        match decide_restart(life.deaths, code, self._pause_s):
            case Restart(after_s=after_s):
                life.start_at = self._clock() + after_s
                self._say(f"{name} ended with exit code {code}; restarting in {after_s:g} s.")
            case StayDown(why=why):
                life.is_given_up = True
                self._say(f"{name} {why}: see `make logs PART={name}`, try again with `make restart PART={name}`.")

    def _revive(self, name: str, life: _Life) -> None:
        life.start_at, life.since = None, time.time()
        try:
            self._cloud.start(name)
        except PartFailed:
            return  # the next `look` sees that the part has ended
        self._say(f"{name} runs again.")


def _state_of(life: _Life) -> State:
    if life.is_given_up:
        return State.GIVEN_UP
    return State.RUNNING if life.start_at is None else State.RESTARTING

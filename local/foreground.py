"""Runs the local cloud in this process: starts it, shows its logs, restarts parts that have ended, and stops it."""

import signal
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from types import FrameType
from typing import NoReturn

from rich.console import Console

from local.bots import NotRegistered
from local.canary import CanaryWatch
from local.checks import RealBot
from local.claiming import claim_lines
from local.cloud import LocalCloud, PartFailed
from local.control import ControlServer
from local.download import DownloadFailed
from local.following import Follower
from local.model_watch import ModelWatch
from local.options import CannotStart, LocalOptions
from local.parts import PERSONAS, REAL, Backend
from local.persona_snapshot import PersonaSnapshot
from local.persona_watch import PersonaWatch
from local.ports import PortTaken
from local.preparing import prepare
from local.processes import ProcessError
from local.real_bots import add_real_bots, console_of_real_bots
from local.restarting import Restarter
from local.run_record import RunRecord, hold_folder, of_deployment, write_record
from local.terminal import Addresses, LineWriter, banner
from local.warming import warm
from operations.running import record_file
from shared.values.agent import Agent

#: seconds between two checks of all parts and files
LOOK_EVERY_S = 0.2
AGENTS_CHANGED = "An agent was added or removed. Run `make down` and start again to update the bots."


def run(options: LocalOptions, console: Console, *, is_behind: bool = False) -> int:
    """Run until Ctrl-C or SIGTERM. Raises CannotStart or AlreadyRuns.

    `is_behind`: whether this process runs in the background. Then the parts' logs are not shown, since nobody would
    read them.
    """
    with hold_folder(options.data), _signals_end_it():
        try:
            bots = prepare(options, console)
            console.print("Starting …", style="dim")
            watch = PersonaWatch(options.agents)
            snapshot = PersonaSnapshot(options.agents, options.data / PERSONAS)
            snapshot.take()
            with LocalCloud(replace(options.spec(), agents=snapshot.folders)).running() as cloud:
                add_real_bots(cloud, bots, options.telegram_url)
                ForegroundRun(cloud, options, console, Personas(watch, snapshot), is_behind=is_behind).watch(bots)
        except KeyboardInterrupt:
            console.print("Stopped.", style="dim")
        except (PartFailed, PortTaken, ProcessError, DownloadFailed, NotRegistered) as problem:
            raise CannotStart(str(problem)) from problem
        finally:
            for folder in (options.data, options.data / REAL):
                record_file(folder).unlink(missing_ok=True)
    return 0


@dataclass(frozen=True)
class Personas:
    """Watches the personas' files for changes, and holds the copy of these files that the functions use."""

    watch: PersonaWatch
    snapshot: PersonaSnapshot


class ForegroundRun:
    """Watches a running cloud: shows its logs, restarts parts and reports problems."""

    def __init__(
        self, cloud: LocalCloud, options: LocalOptions, console: Console, personas: Personas, *, is_behind: bool
    ) -> None:
        """Prepare to watch a cloud whose parts are all running."""
        self._cloud, self._options, self._console, self._is_behind = cloud, options, console, is_behind
        self._control = ControlServer()
        self._restarter = Restarter(cloud, self._say)
        self._personas = personas
        self._agents: Mapping[str, Agent] = cloud.agents
        self._canary = CanaryWatch(cloud.scheduler_url)
        self._is_warmed = False

    def watch(self, bots: Collection[RealBot]) -> None:
        """Show logs, restart parts that have ended, and carry out restarts that other terminals request, until
        interrupted.
        """
        with ExitStack() as stack:
            model = stack.enter_context(ModelWatch(self._cloud.model_url, self._console))
            follower = Follower(self._cloud.log("").parent)
            stack.callback(follower.close)
            writer = LineWriter(self._console)
            self._record()
            urls = {name: part.url for name, part in self._cloud.parts.items()}
            real_console = console_of_real_bots(urls, self._cloud.credentials.console_door)
            opened = Addresses(self._cloud.telegram_url, self._cloud.console_url, real_console)
            stop = "make down" if self._is_behind else "Ctrl-C"
            self._console.print(banner(self._options, opened, model.look(), bots, stop))
            self._show_claim_links(bots)
            stack.callback(self._canary.close)
            while True:
                self._control.serve(self._restart, LOOK_EVERY_S)
                self._look(model)
                if not self._is_behind:
                    writer.write(follower.lines())

    def _show_claim_links(self, bots: Collection[RealBot]) -> None:
        if self._is_behind:  # the output then goes to a log, which must not contain links with secrets
            return
        tokens = {agent: self._cloud.tokens[agent] for agent in self._cloud.agents}
        urls = {name: part.url for name, part in self._cloud.parts.items()}
        for line in claim_lines(urls, bots, tokens, self._cloud.webhook_secret):
            self._console.print(line, markup=False, soft_wrap=True)

    def _look(self, model: ModelWatch) -> None:
        if self._restarter.look():
            self._record()
        told = model.look()
        if self._options.backend is not Backend.PROVIDER:  # else the part `model` answers nothing
            self._say(told)
        if not model.is_coming:  # until the model is ready, the canary's request to it would only fail
            self._canary.start()
        self._say(self._canary.look())
        if self._personas.watch.has_changed():
            self._read_personas_again()
        # a restarted model server has lost the list of instructions to read
        self._is_warmed = self._is_warmed and model.is_ready
        if model.is_ready and not self._is_warmed and self._options.backend is Backend.SMALL:
            self._is_warmed = True
            warming = (self._cloud.model_url, self._agents, self._personas.snapshot.folders)
            threading.Thread(target=warm, args=warming, daemon=True).start()

    def _restart(self, part: str) -> str:
        try:
            self._restarter.restart([part] if part else list(self._cloud.parts))
        except (PartFailed, ProcessError) as failed:
            return str(failed)
        finally:
            self._record()
        return f"{part or 'Everything'} runs again."

    def _read_personas_again(self) -> None:
        try:
            agents = self._personas.snapshot.take()
        except CannotStart as problem:
            self._say(f"{problem} The previous version stays in use until this is corrected.")
            return
        functions = [name for name, part in self._cloud.parts.items() if part.is_function]
        try:
            self._restarter.restart(functions)
        except (PartFailed, ProcessError) as failed:
            self._say(str(failed))
        else:
            self._agents, self._is_warmed = agents, False
            others = set(agents) ^ set(self._cloud.agents)
            self._say("The personas were reloaded." if not others else AGENTS_CHANGED)
        self._record()

    def _say(self, sentence: str) -> None:
        if sentence:
            self._console.print(sentence, style="yellow", markup=False, soft_wrap=True)

    def _record(self) -> None:
        record = RunRecord(
            page=self._cloud.telegram_url,
            settings=self._cloud.settings,
            parts=self._restarter.records(),
            control_port=self._control.port,
            control_key=self._control.key,
        )
        write_record(self._options.data, record)
        for name, settings in self._cloud.beside.items():
            write_record(self._options.data / name, of_deployment(record, name, settings))


@contextmanager
def _signals_end_it() -> Iterator[None]:
    """During the block, treat SIGTERM and a closed terminal like Ctrl-C: raise KeyboardInterrupt."""

    def interrupt(_: int, __: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

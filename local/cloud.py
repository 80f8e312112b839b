"""Runs all of lull on one machine: starts every part, waits until it serves, and stops it. A part is a process: a
function, or a server such as Firestore's emulator. `make dev`, tests and benchmarks use this.

    with LocalCloud(CloudSpec()).running() as cloud:
        httpx.post(f"{cloud.telegram_url}/world/people", json={"first_name": "Ann"})

Parts can be killed, stopped and started again one by one; each keeps its port. No part outlives this process, in
whatever way this process ends (`local/keeper.py`).
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Self

from local.bots import keep_console, register_bots, set_webhooks
from local.credentials import Credentials, kept_credentials
from local.download import download
from local.emulator import bring_classes
from local.emulator_jar import bring_jar
from local.keeper import STOP_LAST_S, STOP_S
from local.parts import (
    CONTROL,
    FUNCTIONS,
    PARTS,
    QUEUE,
    RUN_FOLDER,
    SHARED,
    CloudPart,
    CloudSpec,
    Places,
    console_url,
    function,
    function_env,
    reached_by,
    service,
)
from local.ports import PortBook
from local.processes import ProcessCommand, Processes
from local.readiness import PartFailed, Started, wait_until_ready
from shared.planning.personas.load import load_agents

__all__ = ["CloudSpec", "LocalCloud", "PartFailed"]


class LocalCloud:
    """All processes of lull on this machine: the functions, and the servers that stand in for Google Cloud and
    Telegram.

    Enter `running()`, or call `open` and later `close`. The other methods work only while the cloud is open.
    """

    queue = QUEUE

    def __init__(self, spec: CloudSpec) -> None:
        """Prepare a cloud without starting any part. Raises InvalidPersona."""
        self.spec = spec
        self.project = spec.project
        self.agents = load_agents(spec.agents)
        self.parts: dict[str, CloudPart] = {}
        #: for each further deployment, by its name: the settings by which other programs reach it
        self.beside: dict[str, Mapping[str, str]] = {}
        self.credentials: Credentials
        self.folder: Path
        self._places: Places
        self._ports: PortBook
        self._processes: Processes
        self._pids: dict[str, int] = {}

    @contextmanager
    def running(self) -> Iterator[Self]:
        """Open the cloud for the block and close it afterwards."""
        self.open()
        try:
            yield self
        finally:
            self.close()

    def open(self) -> None:
        """Start all parts at once, wait for them, and register each agent's bot with its webhook.

        Raises PartFailed, PortTaken, ProcessError, DownloadFailed or NotRegistered; in that case every part is stopped
        again.
        """
        among = self.spec.processes
        self.folder = self.spec.data or Path(tempfile.mkdtemp(prefix="lull-", dir=among.scrap if among else None))
        self.credentials = kept_credentials(self.folder, self.agents)
        self._ports = PortBook(self.folder / "ports.json" if self.spec.data else None)
        self._processes = among or Processes(None if self.spec.data else self.folder, self.spec.preload)
        with ExitStack() as undo:
            undo.callback(self.close)
            self._open()
            undo.pop_all()

    def _open(self) -> None:
        if "firestore" in self.spec.parts:
            bring_jar(os.environ, download)
            bring_classes()
        numbers = {"telegram": self.spec.page_port}
        ports = {name: self._ports.reserve(name, numbers.get(name, 0)) for name in (*PARTS, CONTROL)}
        self._places = Places(folder=self.folder, ports=ports, firestore=self.spec.firestore, project=self.spec.project)
        self.parts |= self._build_parts(self.spec.parts, self._places, self.credentials, {})
        self.start(*self.parts)
        if {"telegram", "webhook"} <= self.parts.keys():
            self._introduce_agents()

    def _build_parts(
        self, names: Collection[str], places: Places, credentials: Credentials, env: Mapping[str, str]
    ) -> dict[str, CloudPart]:
        """Return a dict that maps each of these names to its function or server. `env` adds environment variables to
        those of the functions.
        """
        settings = function_env(self.spec, places, credentials) | dict(env)
        return {
            name: function(name, name, self.spec, places, settings)
            if name in FUNCTIONS
            else service(name, self.spec, places, credentials)
            for name in names
        }

    def close(self) -> None:
        """Stop all parts, Firestore last. Delete the data folder if it is a temporary folder of this cloud."""
        if self.spec.processes:
            self._end_parts(self.spec.processes)
        else:
            self._processes.close()
        self._ports.release()

    def _end_parts(self, among: Processes) -> None:
        """End only this cloud's parts, since other clouds may use the same `Processes`."""
        last = {self._pids[name] for name, part in self.parts.items() if part.stop_last and name in self._pids}
        among.end({*self._pids.values()} - last, STOP_S)
        among.end(last, STOP_LAST_S)
        if not self.spec.data:
            shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, *names: str) -> None:
        """Start these parts at the same time, and wait until they serve. They must not be running yet. Raises
        PartFailed.
        """
        # forks come last, since the first fork waits for the fork server's imports
        for name in sorted(names, key=lambda name: self.parts[name].is_forked):
            part = self.parts[name]
            if part.is_function:
                Path(part.env[RUN_FOLDER]).mkdir(parents=True, exist_ok=True)
            self._pids[name] = self._processes.start(
                ProcessCommand(
                    argv=part.argv,
                    env=part.env,
                    log=self.log(name),
                    stop_last=part.stop_last,
                    is_forked=part.is_forked and sys.platform == "linux",
                )
            )
        self.wait(names)

    def wait(self, names: Collection[str]) -> None:
        """Return once these parts serve. Raises PartFailed."""
        wait_until_ready([Started(part=self.parts[n], log=self.log(n), exit_code=self._exit_code_of(n)) for n in names])

    def stop(self, name: str) -> None:
        """Ask a part to end, and kill the part if it does not end in time."""
        self._processes.stop(self._pids[name])

    def kill(self, name: str) -> None:
        """Send SIGKILL to a part and to all processes that it started. The processes end at once, at any point of their
        work, without cleaning up.
        """
        self._processes.kill(self._pids[name])

    def restart(self, name: str) -> None:
        """Stop a part and start it again, on the same port."""
        if self.exit_code(name) is None:
            self.stop(name)
        self.start(name)

    def add(self, target: str, *, name: str = "", env: Mapping[str, str] | None = None) -> str:
        """Start one more instance of the function `target` under the name `name`, and return its address. `env` adds
        settings.
        """
        name = name or f"{target}-{1 + sum(part.split('-')[0] == target for part in self.parts)}"
        self.reserve(name)
        settings = function_env(self.spec, self._places, self.credentials) | dict(env or {})
        self.add_part(function(name, target, self.spec, self._places, settings))
        return self.url(name)

    def reserve(self, name: str) -> str:
        """Reserve a port for one more part, and return the part's address."""
        self._places = replace(self._places, ports={**self._places.ports, name: self._ports.reserve(name)})
        return self.url(name)

    def add_deployment(self, name: str, tokens: Mapping[str, str], env: Mapping[str, str]) -> None:
        """Start a second deployment, for bots of another Telegram server, and wait until it is ready.

        The parts of the new deployment are called `<name>_<part>` and store everything in the folder `name`. They use
        the model server of the first deployment. `tokens`: the bot token of each agent of the new deployment; `env`:
        environment variables for the new deployment's functions. Raises PartFailed.
        """
        own = [part for part in self.spec.parts if part not in SHARED]
        ports = {part: self._ports.reserve(f"{name}_{part}") for part in (*own, CONTROL)}
        places = Places(folder=self.folder / name, ports={**self._places.ports, **ports}, without=SHARED)
        credentials = self.credentials.beside(name, tokens)
        parts = self._build_parts(own, places, credentials, env)
        self.parts |= {f"{name}_{part}": replace(it, name=f"{name}_{part}") for part, it in parts.items()}
        named = {f"{name}_{part}": port for part, port in ports.items()}
        self._places = replace(self._places, ports={**self._places.ports, **named})
        self.beside[name] = reached_by(places)
        self.start(*(f"{name}_{part}" for part in own))

    def add_part(self, part: CloudPart) -> None:
        """Start one more part of any kind, and wait until it serves."""
        self.parts[part.name] = part
        self.start(part.name)

    def exit_code(self, name: str) -> int | None:
        """Return a part's exit code (negative for a signal), or None while it runs."""
        return self._processes.exit_code(self._pids[name])

    def pid(self, name: str) -> int:
        """Return the id of the process that leads a part's process group."""
        return self._pids[name]

    def log(self, name: str) -> Path:
        """Return the log file with a part's output."""
        return self.folder / "logs" / f"{name}.log"

    def url(self, name: str) -> str:
        """Return a part's address without a trailing slash. The name `control` stands for the control API of Cloud
        Tasks.
        """
        return self._places.url(name)

    @property
    def settings(self) -> Mapping[str, str]:
        """Return the environment variables with which other programs reach this cloud."""
        return reached_by(self._places)

    @property
    def telegram_url(self) -> str:
        """The address of the local Telegram server, which serves the Bot API, the World API and the page."""
        return self.url("telegram")

    @property
    def webhook_url(self) -> str:
        """The address of the webhook function, which has one path for each agent."""
        return self.url("webhook")

    @property
    def tick_url(self) -> str:
        """The address of the tick function."""
        return self.url("tick")

    @property
    def summarize_url(self) -> str:
        """The address of the function `summarize`, which does scheduled work."""
        return self.url("summarize")

    @property
    def maintain_url(self) -> str:
        """The address of the function `maintain`, which maintains the deployment itself."""
        return self.url("maintain")

    @property
    def scheduler_url(self) -> str:
        """The address of the scheduler's control API, which can start a scheduled job at any time."""
        return self.url("scheduler")

    @property
    def tasks_address(self) -> str:
        """Host and port of Cloud Tasks over gRPC."""
        return self._places.address("cloud_tasks")

    @property
    def tasks_control_url(self) -> str:
        """The address of the control API of Cloud Tasks, which tests use."""
        return self.url(CONTROL)

    @property
    def model_url(self) -> str:
        """The address of the model's API. It uses Gemini's protocol for the scripted model and for the real Gemini,
        otherwise OpenAI's protocol.
        """
        return self.url("model")

    @property
    def firestore_host(self) -> str:
        """The value for FIRESTORE_EMULATOR_HOST."""
        return self._places.address("firestore")

    @property
    def firestore_url(self) -> str:
        """The address of Firestore's REST API."""
        return self.url("firestore")

    @property
    def storage_url(self) -> str:
        """The value for STORAGE_EMULATOR_HOST."""
        return self.url("storage")

    @property
    def console_url(self) -> str:
        """The address at which owners sign in to the console."""
        return console_url(self._places, self.credentials)

    @property
    def webhook_secret(self) -> str:
        """The secret that Telegram sends with each update."""
        return self.credentials.webhook_secret

    @property
    def tokens(self) -> Mapping[str, str]:
        """The bot tokens by agent."""
        return self.credentials.tokens

    def _introduce_agents(self) -> None:
        tokens = self.credentials.of(self.agents)
        register_bots(self.telegram_url, self.agents, tokens)
        place = (self.telegram_url, tokens, self.webhook_url, self.webhook_secret)
        set_webhooks(*place, with_menus=self.spec.has_menus)
        if {"console", "firestore"} <= self.parts.keys():
            keep_console(self.firestore_url, self.project, self.agents, self.console_url)

    def _exit_code_of(self, name: str) -> Callable[[], int | None]:
        return lambda: self.exit_code(name)

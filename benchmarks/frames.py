"""The depth of the call stack at the moment when a tick asks the model, and when the webhook stores an update, counted
in a real run.

The entry points of both functions are called in a separate process with the settings of a running local cloud. The
stack is read whenever a call begins. Every unfinished call of a function in `shared` or `functions` counts as a frame,
including closures, passed callables and functions that are awaiting something. Frames of libraries do not count. To the
stack of an asyncio task, the stack of the code that created the task is added.

- `frames_to_model`: from the tick's entry point to the model's port, the first function named `generate`.
- `frames_to_adapter`: the same, but to the last function named `generate`, which belongs to the model's client itself.
  Between the two are wrappers that count the model's calls and book their costs.
- `frames_to_store`: from the webhook's entry point to the function that calls Firestore's client.
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Coroutine, Generator, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from starlette.requests import Request

from benchmarks.stage import private_update
from benchmarks.town import town
from local.cloud import CloudSpec, LocalCloud
from operations.environment import surroundings
from shared.values.chat_key import ChatKey
from shared.values.wake import Wake, WakeReason

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = tuple(f"{ROOT / folder}{os.sep}" for folder in ("shared", "functions"))
#: names of frames that exist in Python 3.11 but not in later versions
INLINED = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>"})
MODEL = "generate"
#: a quiet time in seconds, so long that no tick of the cloud answers before the observed tick
QUIET = "600"
STORE = "google/cloud/firestore"
#: calls of a function that fails, on a machine that is busy, and the seconds between them
ATTEMPTS, PAUSE_S = 8, 2.0
AGENT = "lull"
T = TypeVar("T")


class Stacks:
    """Finds the deepest stack at which a call of one kind began."""

    def __init__(self, is_end: Callable[[FrameType], bool], folders: Sequence[str] = FOLDERS) -> None:
        """`is_end` decides whether a call is of that kind, given its frame. Only frames of code in `folders` are
        counted.
        """
        self.deepest: list[str] = []
        self._is_end, self._folders = is_end, tuple(folders)
        self._before: dict[asyncio.Task[Any], list[str]] = {}

    @contextmanager
    def watching(self) -> Iterator[None]:
        """While the block runs, observe every call in this thread, and every task of this thread's running event
        loop.
        """
        loop = asyncio.get_running_loop()
        loop.set_task_factory(self._make_task)
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)
            loop.set_task_factory(None)

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and self._is_end(frame):
            stack = self._stack(frame)
            if len(stack) > len(self.deepest):
                self.deepest = stack

    def _make_task(
        self,
        loop: asyncio.AbstractEventLoop,
        work: Coroutine[Any, Any, T] | Generator[Any, None, T],
        /,
        **how: Any,
    ) -> asyncio.Task[T]:
        task = asyncio.Task(work, loop=loop, **how)
        self._before[task] = self._stack(sys._getframe(1))
        return task

    def _stack(self, frame: FrameType | None) -> list[str]:
        """Return the frames that count, outermost first, including those of the running task's creator."""
        found: list[str] = []
        while frame is not None:
            if self._counts(frame):
                found.append(_name_of(frame))
            frame = frame.f_back
        task = asyncio.current_task()
        before = self._before.get(task, []) if task is not None else []
        return [*before, *reversed(found)]

    def _counts(self, frame: FrameType) -> bool:
        return frame.f_code.co_filename.startswith(self._folders) and frame.f_code.co_name not in INLINED


async def depths() -> dict[str, Any]:
    """Return the figures and the counted stacks, measured in a separate local cloud."""
    with LocalCloud(CloudSpec()).running() as cloud:
        async with town(cloud) as place:
            person = await place.person("Ann")
            await place.private(person)
            return await depths_in(cloud, person)


async def depths_in(cloud: LocalCloud, person: int) -> dict[str, Any]:
    """Return the result of `depths` for a running cloud whose model answers. `person` is the id of a person who has a
    private chat with the agent.
    """
    settings = {**cloud.parts["webhook"].env, **cloud.parts["tick"].env, "LULL_QUIET_PRIVATE_S": QUIET}
    command = (sys.executable, "-m", "benchmarks.frames", str(person))
    running = await asyncio.create_subprocess_exec(*command, env=surroundings(settings), stdout=asyncio.subprocess.PIPE)
    told, _ = await running.communicate()
    if running.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {running.returncode}; see above")
    ways = json.loads(told.splitlines()[-1])  # the functions log to the same output
    store, model = ways["store"], ways["model"]
    return {
        "frames_to_model": next(at for at, place in enumerate(model) if place.endswith(MODEL)),
        "frames_to_adapter": len(model) - 1,
        "frames_to_store": len(store) - 1,
        "way_to_model": model,
        "way_to_store": store,
    }


async def ways(person: int) -> dict[str, list[str]]:
    """Have both functions process a message of `person`. Return the deepest stacks at which the store and the model
    were called.
    """
    from functions.tick.main import tick  # the entry points read their settings when they are imported
    from functions.webhook.main import webhook

    store, model = Stacks(_calls_store), Stacks(_calls_model)
    await _call(webhook, f"/{AGENT}", private_update(person, "hello"))  # the first call also creates the services
    with store.watching():
        await _call(webhook, f"/{AGENT}", private_update(person, "how are you?"))
    wake = Wake(key=ChatKey(agent=AGENT, chat_id=person), reason=WakeReason.NOW, at=datetime.now(UTC), of="0")
    with model.watching():
        await _call(tick, "/", json.loads(wake.to_json()))
    return {"store": store.deepest, "model": model.deepest}


def _calls_store(frame: FrameType) -> bool:
    return STORE in frame.f_code.co_filename.replace(os.sep, "/")


def _calls_model(frame: FrameType) -> bool:
    return frame.f_code.co_name == MODEL and frame.f_code.co_filename.startswith(FOLDERS)


async def _call(function: Callable[[Request], Any], path: str, body: Any) -> None:
    """Call a function's entry point as its server does, again if it fails, as Telegram and Cloud Tasks do.

    Raises RuntimeError if the status is never 200.
    """
    secret = os.environ["LULL_WEBHOOK_SECRET"]
    headers = [(b"x-telegram-bot-api-secret-token", secret.encode())]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": json.dumps(body).encode(), "more_body": False}

    for attempt in range(1, ATTEMPTS + 1):
        response = await function(Request({**scope, "server": ("localhost", 80), "scheme": "http"}, receive))
        if response.status_code == 200:
            return
        print(f"{path} was answered with {response.status_code} in attempt {attempt}", file=sys.stderr)
        await asyncio.sleep(PAUSE_S)
    raise RuntimeError(f"{path} was answered with {response.status_code}, {ATTEMPTS} times")


def _name_of(frame: FrameType) -> str:
    path = Path(frame.f_code.co_filename)
    return f"{path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name}:{frame.f_code.co_qualname}"


if __name__ == "__main__":
    print(json.dumps(asyncio.run(ways(int(sys.argv[1])))))

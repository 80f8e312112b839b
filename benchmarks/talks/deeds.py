"""Deeds: requests that people make in ordinary talks besides asking to remember a fact. Each has a check whether lull
did what was asked.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from google.cloud.firestore_v1.base_query import FieldFilter

from benchmarks.talks.scene import Scene
from shared.chat.store import paths

Json = dict[str, Any]
ZONE: Final = "Asia/Tokyo"


class Came(StrEnum):
    """The way in which the person came to the agent."""

    OWNER = "by the claim link"
    GUEST = "by an invitation"
    GROUP = "in a group"
    OWNERS_GROUP = "in a group, the owner"


@dataclass(frozen=True)
class Deed:
    """A deed: the request, the task that the model plans, and the check."""

    name: str
    said: str
    #: returns the task that the model plans for the request
    task: Callable[[Scene], Awaitable[Json]]
    is_done: Callable[[Scene], Awaitable[bool]]
    #: the ways of coming to the agent after which a person may make the request
    came: frozenset[Came] = frozenset(Came)
    #: whether the deed must come last, because afterwards nobody is answered or nothing is remembered
    is_last: bool = False
    #: whether the deed silences the agent until somebody ends the silence
    is_silence: bool = False
    #: whether the deed deletes the remembered fact
    is_forgetting: bool = False


def _always(**task: Any) -> Callable[[Scene], Awaitable[Json]]:
    async def plan_task(scene: Scene) -> Json:
        del scene
        return task

    return plan_task


async def _is_zone_kept(scene: Scene) -> bool:
    kept = await scene.document(paths.person_path(scene.who.id))
    return ZONE in {kept.get("zone"), kept.get("said_zone")}


async def _instruction(scene: Scene) -> Json:
    return {"kind": "schedule", "instruction": f"Look for news {scene.seed}.", "after": "2 hours"}


async def _daily(scene: Scene) -> Json:
    return {"kind": "schedule", "text": f"Water the plants {scene.seed}", "every": "FREQ=DAILY", "at": "08:00"}


async def _is_scheduled(scene: Scene) -> bool:
    of_them = FieldFilter("person", "==", scene.who.id)
    found = scene.stage.firestore.collection(paths.EVENTS).where(filter=of_them)
    return any([str(scene.seed) in str(one.to_dict()) async for one in found.stream()])


async def _is_cleared(scene: Scene) -> bool:
    return bool(scene.conversation) and (await scene.chat.document()).get("conversation") != scene.conversation


async def _is_silent(scene: Scene) -> bool:
    return bool((await scene.chat.document()).get("muted_until"))


async def _is_silent_everywhere(scene: Scene) -> bool:
    return bool((await scene.document(paths.bot_path(scene.agent))).get("silenced"))


async def _forgetting(scene: Scene) -> Json:
    return {"kind": "forget", "memory": next(iter(await scene.read_memories()), "m00000")}


async def _is_forgotten(scene: Scene) -> bool:
    return not await scene.read_memories()


ZONED: Final = Deed("zone", "By the way, I live in Tokyo now.", _always(kind="keep-zone", zone=ZONE), _is_zone_kept)
_WHO_MAY: Final = frozenset({Came.OWNER, Came.GUEST, Came.OWNERS_GROUP})
DEEDS: Final = (
    ZONED,
    Deed("instruction", "In two hours look whether there is any news of the strike.", _instruction, _is_scheduled),
    Deed("each day", "Remind me each morning to water the plants.", _daily, _is_scheduled),
    Deed("clear", "Let us begin anew.", _always(kind="clear-conversation"), _is_cleared, _WHO_MAY, is_last=True),
    Deed(
        "shutdown",
        "Be quiet here from now on.",
        _always(kind="shutdown"),
        _is_silent,
        _WHO_MAY,
        is_last=True,
        is_silence=True,
    ),
    Deed(
        "shutdown everywhere",
        "Answer nobody at all until I say so.",
        _always(kind="shutdown", everywhere=True),
        _is_silent_everywhere,
        came=frozenset({Came.OWNER}),
        is_last=True,
        is_silence=True,
    ),
    Deed(
        "forget",
        "Forget that again, please.",
        _forgetting,
        _is_forgotten,
        is_last=True,
        is_forgetting=True,
    ),
)

"""Tests that nothing outside the asker's visible chats is returned."""

import inspect
from typing import Any

import pytest

from shared.recall.search import Search
from shared.recall.service import RecallService
from shared.recall.store.segments import FirestoreTurns
from shared.recall.visible_chats import VisibleChatsFinder
from shared.values.chat_key import ChatKey
from shared.values.place import Asker, VisibleChats
from shared.values.recalled import RecalledTurns
from tests.shared.tools.played import spoken

ASKER = Asker(chat=ChatKey(agent="lull", chat_id=5), places=("lull.5",))
#: stands for a store that these tests do not search
NOTHING: Any = None
VISIBLE = VisibleChats(agent="lull", places=("lull.5", "lull.-1"))


class Seen(VisibleChatsFinder):
    def __init__(self) -> None:
        pass

    async def of(self, asker: Asker) -> VisibleChats:
        return VISIBLE


class Turns(FirestoreTurns):
    def __init__(self, place: str) -> None:
        self.place = place

    async def of(self, conversation: str, first: int | None, last: int | None) -> RecalledTurns | None:
        return spoken(self.place) if conversation == "conv-1" else None


@pytest.mark.parametrize(("place", "is_told"), [("lull.5", True), ("lull.-1", True), ("lull.6", False), ("", False)])
async def test_an_invisible_conversation_looks_missing(place: str, is_told: bool) -> None:
    recall = RecallService(visible_chats=Seen(), searcher=Search(segments=NOTHING), stored_turns=Turns(place))
    assert (await recall.turns(ASKER, "conv-1", None, None) is not None) == is_told
    assert await recall.turns(ASKER, "conv-2", None, None) is None


def test_every_call_passes_the_asker() -> None:
    calls = [call for _, call in inspect.getmembers(RecallService, inspect.iscoroutinefunction)]
    assert len(calls) == 2
    assert all(list(inspect.signature(call).parameters)[1] == "asker" for call in calls)

"""Values for the tests of memories."""

from typing import Any

from shared.memory.upsert import WishContext
from shared.memory.visible import MemoryAudience
from shared.values.chat_key import ChatKey
from shared.values.memory import Memory, MemoryScope, MemorySource
from shared.values.place import place_of
from tests.shared.examples import ANN, GROUP_KEY, KEY, NOW

PRIVATE = MemoryAudience(key=KEY, people=(ANN.id,))
GROUP = MemoryAudience(key=GROUP_KEY, people=(ANN.id,))


def source(key: ChatKey = KEY, person: int = ANN.id, **fields: Any) -> MemorySource:
    """Return a message as the source of a memory."""
    usual: dict[str, Any] = {"place": place_of(key), "person": person, "name": "Ann", "message_id": 1}
    return MemorySource(**usual | fields)


def fact(text: str = "Ann likes tea.", key: ChatKey = KEY, **fields: Any) -> Memory:
    """Return a memory about Ann that was said in this chat."""
    given: dict[str, Any] = {"id": f"m{len(text)}", "scope": MemoryScope.PERSON, "source": source(key), "made_at": NOW}
    return Memory(**given | {"text": text, "changed_at": NOW} | fields)


def saying(key: ChatKey = KEY, **fields: Any) -> WishContext:
    """Return the context of a wish that Ann made in this chat."""
    given: dict[str, Any] = {"source": source(key), "now": NOW, "new_id": "mnew"}
    return WishContext(**given | fields)

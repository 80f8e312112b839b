"""A recall service with fixed results that records its questions."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from shared.llm.ports.world import PortRegistry
from shared.recall.service import RecallService
from shared.tools.tool import ToolContext
from shared.values.chat_key import ChatKey
from shared.values.place import Asker, place_of
from shared.values.recalled import (
    FoundRange,
    RecalledMessage,
    RecalledTurns,
    RecallHit,
    RecallHits,
    RecallQuery,
    SourceConversation,
)
from tests.shared.examples import ANN, BOB
from tests.shared.tools.toolboxes import CONTEXT

GROUP = ChatKey(agent="lull", chat_id=-1001234567890)
AT = datetime(2026, 5, 8, 9, 30, tzinfo=UTC)


@dataclass
class PlayedRecall:
    findings: RecallHits = field(default_factory=RecallHits)
    spoken: RecalledTurns | None = None
    asked: list[object] = field(default_factory=list)

    async def search(self, asker: Asker, wanted: RecallQuery) -> RecallHits:
        self.asked += [asker, wanted]
        return self.findings

    async def turns(self, asker: Asker, conversation: str, first: int | None, last: int | None) -> RecalledTurns | None:
        self.asked += [asker, (conversation, first, last)]
        return self.spoken


def asked_of(recall: PlayedRecall) -> ToolContext:
    """Make the context of Ann's request in her private chat."""
    places = (place_of(CONTEXT.chat),)
    return replace(CONTEXT, places=places, ports=PortRegistry({RecallService: recall}))


def finding(**fields: Any) -> RecallHit:
    """Make a finding, by default a message of Bob in a group."""
    source = SourceConversation(
        conversation="conv-1", title="Trip", chat=GROUP.id, place=place_of(GROUP), chat_title="Friends"
    )
    usual: dict[str, Any] = {
        "stretch": FoundRange(first_turn=5, last_turn=8, first_seq=9, last_seq=16),
        "message_id": 77,
        "people": (BOB.id,), "at": AT, "snippet": "Bob: we go in May", "score": 0.834,
    }  # fmt: skip
    where = {name: fields.pop(name) for name in [*fields] if hasattr(source, name)}
    return RecallHit(source=replace(source, **where), **usual | fields)


def spoken(place: str, outside: str = "") -> RecalledTurns:
    """Make two messages of a conversation in a place."""
    said = (
        RecalledMessage(turn=5, at=AT, name="Ann", is_agent=False, text="when?", outside=outside),
        RecalledMessage(turn=5, at=AT, name="lull", is_agent=True, text="In May."),
    )
    return RecalledTurns(source=SourceConversation(conversation="conv-1", place=place), messages=said, total=9)


__all__ = ["ANN", "AT", "GROUP", "PlayedRecall", "asked_of", "finding", "spoken"]

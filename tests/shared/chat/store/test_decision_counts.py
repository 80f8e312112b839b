"""The decisions of a conversation are counted in its document, each once, and for some weeks."""

from collections import Counter
from datetime import timedelta

import pytest

from shared.chat.conversation import UNPAGED_BYTES
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.decision_counts import CountedDecision, decode_decisions, encode_decisions
from shared.chat.store.paths import conversation_path
from shared.values.chat_key import ChatKey
from shared.values.decision import Decision, DecisionTier
from shared.values.evolve import evolve
from shared.values.message import Message
from tests.shared.chat.test_session import held
from tests.shared.examples import NOW, said

FOLLOW_UP = Decision(respond=True, reason="a follow-up", tier=DecisionTier.FOLLOW_UP)
SILENT = Decision(respond=False, reason="for somebody else", tier=DecisionTier.NONE)
WAITS = Decision(respond=False, reason="waits", tier=DecisionTier.WAIT)


def decided(decision: Decision, days: int = 0, text: str = "hi") -> Message:
    return said(text, at=NOW + timedelta(days=days), decision=decision)


async def counts(chats: FirestoreChats, key: ChatKey) -> dict[int, Counter[str]]:
    """Read a conversation's counts, by days since NOW."""
    found = await chats.client.document(conversation_path(f"conv-{key.chat_id}")).get()
    known = decode_decisions(found.to_dict())
    return {(day - NOW.date()).days: Counter({one.reason: n for one, n in of.items()}) for day, of in known.items()}


async def test_each_decision_is_counted_once_when_the_chat_is_released(chats: FirestoreChats, key: ChatKey) -> None:
    hold = await held(chats, key)
    await hold.note_entries([decided(FOLLOW_UP), decided(SILENT), said("no decision")])
    await hold.commit()
    await hold.note_entries([decided(SILENT), decided(WAITS)])
    await hold.commit(release=True)
    assert await counts(chats, key) == {0: Counter({"a follow-up": 1, "for somebody else": 2})}
    again = await held(chats, key)
    await again.note_entries([decided(SILENT, days=1)])
    await again.commit(release=True)
    assert (await counts(chats, key))[1] == Counter({"for somebody else": 1})
    assert (await counts(chats, key))[0]["for somebody else"] == 2


async def test_entries_that_get_their_pages_at_once_are_counted_once(chats: FirestoreChats, key: ChatKey) -> None:
    hold = await held(chats, key)
    await hold.note_entries([decided(SILENT, text="x" * UNPAGED_BYTES)])
    await hold.commit()
    await hold.note_entries([decided(SILENT)])
    await hold.commit(release=True)
    assert await counts(chats, key) == {0: Counter({"for somebody else": 2})}


async def test_old_days_are_removed(chats: FirestoreChats, key: ChatKey) -> None:
    for days in (0, 20, 29):
        hold = await held(chats, key)
        await hold.note_entries([decided(SILENT, days=days)])
        await hold.commit(release=True)
    assert set(await counts(chats, key)) == {20, 29}


def test_a_reason_that_is_not_lulls_own_is_not_stored() -> None:
    odd = decided(evolve(SILENT, reason="x" * 200))
    ((_, stored),) = [(day, of) for day, of in encode_decisions([odd])["decided"].items() if isinstance(of, dict)]
    assert set(stored) == {"no:none:"}


@pytest.mark.parametrize("odd", [None, {}, {"decided": 3}, {"decided": {"no day": {}}}, {"decided": {"2026-03-01": 1}}])
def test_an_odd_document_has_no_counts(odd: dict[str, object] | None) -> None:
    assert not any(decode_decisions(odd).values())


def test_a_name_tells_what_was_counted() -> None:
    kind = CountedDecision.of(evolve(SILENT, reason="unclear: perhaps a follow-up"))
    assert CountedDecision.from_name(kind.name) == kind

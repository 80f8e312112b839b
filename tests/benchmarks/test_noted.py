"""The notes on a measure's conversations are read from their documents and counted."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks.noted import Noted, NotedFigures, figures_of, noted_in, time_passes
from shared.values.notes import Notes

NOTES = Notes(turns=1, entries=2, noted_seq=2, abbreviation="They spoke of L1", embedding_model="words")
WHOLE = Noted(notes=NOTES, observed=("L1",), embedded_by=("words",))


def noted(*observed: str, **fields: Any) -> Noted:
    return Noted(notes=NOTES.model_copy(update=fields), observed=observed, embedded_by=("words",))


def test_each_conversation_is_noted_whole_and_each_message_observed_once() -> None:
    assert figures_of([WHOLE, noted("L2", "L3")], ["L1", "L2", "L3"]) == NotedFigures()


@pytest.mark.parametrize(
    "fields",
    [
        {"abbreviation": ""},
        {"noted_seq": 1},
        {"needs_abbreviation": True},
        {"embedding_model": ""},
        {"embedding_model": "others"},
        {"due_at": datetime(2026, 1, 1, tzinfo=UTC)},
    ],
)
def test_a_conversation_for_which_something_is_to_be_done_is_not_noted(fields: dict[str, Any]) -> None:
    assert figures_of([WHOLE, noted(**fields)], ["L1"]) == NotedFigures(unnoted=1)


def test_what_is_not_observed_is_missing_and_what_is_observed_again_is_too_much() -> None:
    figures = figures_of([WHOLE, noted("L1", "L2")], ["L1", "L2", "L3"])
    assert figures == NotedFigures(unobserved=1, observed_twice=1)
    assert figures.missing == 1


def test_where_nothing_is_there_all_is_missing() -> None:
    assert figures_of([], ["L1", "L2"]).missing == 4


async def test_it_is_read_from_the_documents(firestore: AsyncClient) -> None:
    await firestore.document("conversations/conv-1").set(NOTES.model_dump())
    await firestore.document("conversations/conv-1/observations/o").set({"text": "They spoke of L1"})
    await firestore.document("conversations/conv-1/segments/000001").set({"embedding_model": "words"})
    await firestore.document("conversations/conv-silent").set({"entries": 1, "turns": 0})
    assert await noted_in(firestore) == [Noted(notes=NOTES, observed=["L1"], embedded_by=["words"])]
    assert figures_of(await noted_in(firestore), ["L1"]) == NotedFigures()


async def test_time_passes_for_what_was_put_off(firestore: AsyncClient) -> None:
    now, minute = datetime.now(UTC), timedelta(minutes=1)
    when = {"late": now + 10 * minute, "soon": now + minute / 2, "past": now - minute, "done": None}
    for name, due_at in when.items():
        await firestore.document(f"conversations/{name}").set({"due_at": due_at})
    await time_passes(firestore)
    found = {name: (await firestore.document(f"conversations/{name}").get()).get("due_at") for name in when}
    assert found["late"] < datetime.now(UTC)
    assert (found["soon"], found["past"], found["done"]) == (when["soon"], when["past"], None)

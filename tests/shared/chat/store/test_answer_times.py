"""The answers of a conversation are counted in its document by model and duration."""

from collections import Counter

import pytest

from shared.base.model_call import ModelCall
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.decision_counts import decode_answer_times, duration_at, encode_answer_times
from shared.chat.store.paths import conversation_path
from shared.values.chat_key import ChatKey
from shared.values.message import Message
from tests.shared.chat.test_session import held
from tests.shared.examples import ANN, ME, NOW, said


def answered(*calls: tuple[str, int]) -> Message:
    """Make an answer with calls of these models that took so many milliseconds."""
    return said("yes", ME, at=NOW, calls=tuple(ModelCall(model=model, ms=ms) for model, ms in calls))


async def test_each_answer_is_counted_once_for_each_of_its_models(chats: FirestoreChats, key: ChatKey) -> None:
    hold = await held(chats, key)
    await hold.note_entries([said("hi"), answered(("gemini-3.8-flash", 900), ("gemini-3.8-flash", 1_100))])
    await hold.commit()
    await hold.note_entries([answered(("gemini-3.8-flash", 2_000), ("openai:a.b/c", 50)), answered(("unknown", 0))])
    await hold.commit(release=True)
    again = await held(chats, key)
    await again.note_entries([answered(("gemini-3.8-flash", 2_000))])
    await again.commit(release=True)
    found = (await chats.client.document(conversation_path(f"conv-{key.chat_id}")).get()).to_dict()
    models = dict[str, Counter[int]]()
    for day, model, step, count in decode_answer_times(found):
        assert day == NOW.date()
        models.setdefault(model, Counter())[step] += count
    assert {model: steps.total() for model, steps in models.items()} == {"gemini-3.8-flash": 3, "openai:a.b/c": 1}
    assert duration_at(0.5, models["gemini-3.8-flash"]) == pytest.approx(2_000, rel=0.13)


def test_what_people_write_is_no_answer() -> None:
    assert encode_answer_times([said("hi", ANN, calls=(ModelCall(model="m", ms=5),))]) == {}


@pytest.mark.parametrize("ms", [1, 40, 1_000, 7_777, 600_000])
def test_a_duration_is_told_to_an_eighth(ms: int) -> None:
    ((day, name),) = [(at, of) for at, of in encode_answer_times([answered(("m", ms))])["answer_times"].items()
                      if isinstance(of, dict)]  # fmt: skip
    ((_, _, step, _),) = decode_answer_times({"answer_times": {day: dict.fromkeys(name, 1)}})
    assert duration_at(0.5, Counter({step: 1})) == pytest.approx(ms, rel=0.13, abs=1)


def test_the_median_and_the_slow_end_are_those_of_all_answers() -> None:
    steps = Counter({10: 50, 20: 44, 30: 6})
    assert duration_at(0.5, steps) < duration_at(0.51, steps) == duration_at(0.94, steps) < duration_at(0.95, steps)


@pytest.mark.parametrize(
    "odd",
    [None, {"answer_times": 3}, {"answer_times": {"no day": {"1:m": 1}, "2026-03-01": {"x": 1, "y:m": 1, "1:": 1}}}],
)
def test_an_odd_document_has_no_times(odd: dict[str, object] | None) -> None:
    assert list(decode_answer_times(odd)) == []

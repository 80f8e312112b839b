"""Good answers stay unchanged, and imitations of the prompt are removed: `tests/data` has both.

The answers were written, in sixteen languages, before the prompt of the test. Many contain its ids all the same.
"""

from pathlib import Path

import pytest

from shared.planning.guard.guard import LeakGuard, leak_guard_for
from shared.planning.guard.review import TextVerdict, inspect_text
from shared.planning.prompt.assemble import assemble_prompt
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.message import Author
from shared.values.prompt_format import PromptFormat
from tests.shared.examples import said
from tests.shared.planning.prompt.scenes import scene

DATA = Path(__file__).parents[3] / "data"
ANSWERS = [tuple(one.strip("\n").split("\n", 1)) for one in (DATA / "right_answers.txt").read_text().split("\n====\n")]
LEAKS = [one.strip("\n") for one in (DATA / "leaks.txt").read_text().split("\n====\n")]

ANN = Author(id=1_100_000_001, name="Ann", username="ann_k")
BOB = Author(id=1_100_000_002, name="Bob")
GARDEN = Chat(key=ChatKey(agent="lull", chat_id=-1_002_000_000_001, topic_id=7), kind=ChatKind.SUPERGROUP, title="Bed")
NUMBERS = (*range(1, 15), *range(1001, 1005))


def guard(question: str, prompt_format: PromptFormat) -> LeakGuard:
    talk = (said(f"so {n}", (ANN, BOB)[n % 2], n) for n in NUMBERS)
    where = scene(*talk, said(question, ANN, 1005), chat=GARDEN, targets=[1005], format=prompt_format)
    return leak_guard_for(where, assemble_prompt(where))


META, COMPACT = guard("hi", PromptFormat.META), guard("hi", PromptFormat.COMPACT)


def test_there_are_enough() -> None:
    assert len(set(ANSWERS)) >= 300
    assert len(set(LEAKS)) >= 100
    assert sum(any(number in a for number in ("1005", "10000000", "200000000", "12")) for _, a in ANSWERS) > 100


@pytest.mark.parametrize("prompt_format", PromptFormat)
def test_no_right_answer_is_changed(prompt_format: PromptFormat) -> None:
    found = [(answer, inspect_text(answer, guard(question, prompt_format))) for question, answer in ANSWERS]
    assert [one for answer, one in found if (one.verdict, one.text) != (TextVerdict.CLEAN, answer)] == []


#: signs of the prompt that no answer may show
SIGNS = (
    "message_id",
    "user_id",
    "chat_id",
    "thread_id",
    "[meta]",
    "[/meta]",
    "[now]",
    "[RESPOND]",
    "#000001:",
    "#000002",
)


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_does_not_leave(leak: str) -> None:
    for watched in (META, COMPACT) if "#00000" in leak or "[" in leak else (META,):
        found = inspect_text(leak, watched)
        if found.verdict is not TextVerdict.CLEAN:
            break
    assert found.verdict is not TextVerdict.CLEAN
    assert not any(sign in found.text for sign in SIGNS), found.text


@pytest.mark.parametrize("leak", [leak for leak in LEAKS if leak.startswith("[meta] ") and "=" in leak])
def test_a_whole_header_does_not_leave_even_if_somebody_asks_for_ids(leak: str) -> None:
    found = inspect_text(leak, guard("what is my user id and the message id?", PromptFormat.META))
    assert not any(sign in found.text for sign in SIGNS), found.text

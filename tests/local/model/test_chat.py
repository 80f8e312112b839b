"""Answers on their way: what stands before them, and what never ends."""

import pytest

from local.model.calls import Json
from local.model.chat import AnswerStream, messages_in, names_in
from local.model.repetition import end_of_sense

LINE = "(It is Monday, 30 November 2026, 09:00. Answer Bob in English.)"


def passed_on(pieces: list[str], names: tuple[str, ...] = (), finish: str = "stop") -> tuple[str, list[Json]]:
    stream, chunks = AnswerStream(names), list[Json]()
    for piece in pieces:
        chunks.append(stream.take({"choices": [{"delta": {"content": piece}, "finish_reason": None}]}))
        if stream.is_endless:
            break
    else:
        chunks.append(stream.take({"choices": [{"delta": {}, "finish_reason": finish}]}))
    return "".join(c["choices"][0]["delta"].get("content") or "" for c in chunks), chunks


@pytest.mark.parametrize("text", ["", "Hi!", "One, two, three: a text of some length, with a beginning and an end."])
def test_an_answer_arrives_whole_in_pieces(text: str) -> None:
    said, chunks = passed_on(list(text))
    assert said == text
    assert chunks[-1]["choices"][0]["finish_reason"] == "stop"


@pytest.mark.parametrize(
    ("piece", "said"),
    [("¡", ""), ("ja", ""), (" very", "So very"), ("I like rain. ", "SoI like rain."), ("\n- milk", "So\n- milk")],
)
def test_an_answer_that_repeats_itself_ends(piece: str, said: str) -> None:
    begun = "" if not said else "So"
    heard, chunks = passed_on([begun, *[piece] * 500])
    assert heard.strip() == said
    assert len(chunks) < 60
    assert chunks[-1]["choices"][0]["finish_reason"] == "stop"
    assert chunks[-1]["usage"]["completion_tokens"] == len(chunks) - (not begun)


@pytest.mark.parametrize("text", ["ha ha ha ha", "-" * 30, "no, no, no, no!", "1. one\n2. two\n3. three\n4. four"])
def test_some_repetition_is_no_loop(text: str) -> None:
    assert end_of_sense(text) == len(text)


def test_the_name_before_an_answer_is_left_out() -> None:
    said, _ = passed_on(["lu", "ll", ": ", "Hello", " Bob!"], ("Ann", "lull"))
    assert said == "Hello Bob!"
    assert passed_on(["Note: it rains."], ("Ann",))[0] == "Note: it rains."


@pytest.mark.parametrize(
    ("said", "names"),
    [
        (f"Ann: hi\nBob: and?\n{LINE}", ["Ann", "Bob"]),
        (f"Note: it rains\nso what\n{LINE}", []),
        (f"hi\n{LINE}", []),
        (LINE, []),
    ],
)
def test_names_are_those_of_a_group(said: str, names: list[str]) -> None:
    assert names_in([{"role": "user", "content": said}]) == names


def test_texts_in_parts_are_one_text() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "image_url"}, {"type": "text", "text": "b"}]
    assert messages_in({"messages": [{"role": "user", "content": parts}]}) == [{"role": "user", "content": "a\nb"}]

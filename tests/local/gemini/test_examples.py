from local.gemini.calls import Json
from local.gemini.examples import with_examples_as_turns

ASKED = {"role": "user", "content": "Ann: hi"}


def chat(instruction: str) -> list[Json]:
    return [{"role": "system", "content": instruction}, ASKED]


def test_examples_become_turns() -> None:
    block = 'Examples:\nAnn: hello\n{"tasks":[]}\nAnn: one\nBob: two\n{"tasks":[1]}'
    assert with_examples_as_turns(chat(f"Answer.\n\n{block}\n\nYou are lull.")) == [
        {"role": "system", "content": "Answer.\n\nYou are lull."},
        {"role": "user", "content": "Ann: hello"},
        {"role": "assistant", "content": '{"tasks":[]}'},
        {"role": "user", "content": "Ann: one\nBob: two"},
        {"role": "assistant", "content": '{"tasks":[1]}'},
        ASKED,
    ]


def test_a_block_at_the_end_of_an_instruction_counts() -> None:
    turns = with_examples_as_turns(chat("Answer.\n\nExamples:\nAnn: hello\n{}"))
    assert [turn["content"] for turn in turns] == ["Answer.", "Ann: hello", "{}", "Ann: hi"]


def test_a_chat_without_examples_stays_as_it_is() -> None:
    for instruction in ("Answer.", "Examples:\n\nnone", "Examples:\nof what to do: nothing\n", "See Examples:\nA\n{}"):
        assert with_examples_as_turns(chat(instruction)) == chat(instruction)
    assert with_examples_as_turns([ASKED]) == [ASKED]
    assert with_examples_as_turns([]) == []


def test_people_who_write_the_same_change_nothing() -> None:
    said = {"role": "user", "content": "Examples:\nAnn: hello\n{}"}
    assert with_examples_as_turns([{"role": "system", "content": "Answer."}, said])[1:] == [said]

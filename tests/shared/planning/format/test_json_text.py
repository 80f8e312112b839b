import pytest

from shared.planning.format.json_text import MAX_REPLY_CHARS, ReplyText, next_value, read_text
from shared.planning.format.raw_task import ReplyProblem


def contents(text: str) -> list[object]:
    read = read_text(text)
    assert isinstance(read, ReplyText), read
    return [value.content for value in read.values]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "\ufeff",
        "no JSON here",
        "it's {name}, [see above], f(x) { return }",
        "a :{ b c",
        "[x",
        "```json\n```",
        '"',
        "[note: don't]",
        "- [x] done",
        "[1] and [12:30] and [1",
        "{x}",
        "[/INST]",
        "</think>",
        "\x00\ud800",
    ],
)
def test_prose_holds_no_value(text: str) -> None:
    assert contents(text) == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('{"a": 1}', [{"a": 1}]),
        ('\ufeff{"a": 1}', [{"a": 1}]),
        ('```json\n{"a": 1}\n```', [{"a": 1}]),
        ('~~~\n{"a": 1}\n~~~', [{"a": 1}]),
        ("Here it's: {\"a\": 1}. Isn't it {nice}?", [{"a": 1}]),
        ('{"a": 1}{"b": 2}\n[{"c": 3}]', [{"a": 1}, {"b": 2}, [{"c": 3}]]),
        ('["a" or "b"] {"a": 1}', [{"a": 1}]),
        ('[["a" or "b"]] {"a": 1}', [{"a": 1}]),
        ('[/INST] {"a": 1}', [{"a": 1}]),
        ('{{"a": 1}}', [{"a": 1}]),
        ('{/* first */ "a": 1}', [{"a": 1}]),
        ('<think>{"b": 2} {"c</think>{"a": 1}', [{"a": 1}]),
        ('<THINKING>{</THINKING> {"a": 1} <thought>"</thought>', [{"a": 1}]),
        ('I think {"b": 2} </think> {"a": 1}', [{"a": 1}]),
        ('{"a": "<think>"}', [{"a": "<think>"}]),
        ('{"a": "</think>"}', [{"a": "</think>"}]),
        (r'"{\"a\": \"b\"}"', [{"a": "b"}]),
        (r"```json" "\n" r'"{\"a\": 1}"' "\n```", [{"a": 1}]),
        (r'"\"{\\\"a\\\": 1}\""', [{"a": 1}]),
        ("'{\"a\": 1}'", [{"a": 1}]),
        ('"{"a": 1}"', [{"a": 1}]),
        ('{"a": "\ud83d\ude42 \ud800"}', [{"a": "🙂 \ufffd"}]),
    ],
)
def test_the_outermost_values_are_found(text: str, values: list[object]) -> None:
    assert contents(text) == values


def test_the_prose_between_values_is_kept() -> None:
    read = read_text('one <think>hm</think>two {"a": 1} three {"b": 2} four')
    assert isinstance(read, ReplyText)
    assert [value.before for value in read.values] == ["one two ", " three "]
    assert read.after == " four"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('{"a": 1', "cut off"),
        ('{"a": 1} {', "cut off"),
        ('{"a": 1} {"b', "cut off"),
        ('{"a": 1} {b', "cut off"),
        ('{"a": 1} [', "cut off"),
        ('{"a": "', "cut off"),
        ('{"a": 1} {"b": oops}', "not valid"),
        ('{"a": "b" c}', "not valid"),
        ('[{"a": 1} "b"]', "not valid"),
        ('{"a": 1]', "not valid"),
        ("[" * 100_000, "deep"),
        ('{"tasks": [' * 3_000, "deep"),
        ('<think>{"a": 1}', "thought"),
        ('{"a": 1} <thinking> and', "thought"),
        ("<think> </thinking>", "thought"),
        ("a" * (MAX_REPLY_CHARS + 1), "longer than"),
        ("中" * (MAX_REPLY_CHARS // 3 + 1), "longer than"),
        ('{"a":' * 500_000, "longer than"),
    ],
)
def test_a_reply_that_is_broken_anywhere_is_refused_whole(text: str, hint: str) -> None:
    read = read_text(text)
    assert isinstance(read, ReplyProblem)
    assert hint in read.hint


def test_a_json_string_is_opened_only_so_often() -> None:
    text = '{"a": 1}'
    for _ in range(6):
        text = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    assert contents(text) == []


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("", -1),
        ("it's [sic]", -1),
        ('so {"a"', 3),
        ("{", 0),
        ('<think>{"a": 1}', -1),
        ('<think>{"a": 1}</think> [', 24),
        ('</think>{"a"', 8),
    ],
)
def test_the_next_value_is_looked_for_outside_of_thoughts(text: str, start: int) -> None:
    assert next_value(text) == start


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"$\frac{1}{2} \times \theta$", r"$\frac{1}{2} \times \theta$"),
        (r"$\beta \rho \neq \nabla \to \tan(x)$", r"$\beta \rho \neq \nabla \to \tan(x)$"),
        (r"$\text{if } \left(x\right) \sqrt{y}$", r"$\text{if } \left(x\right) \sqrt{y}$"),
        (r"$\\frac{1}{2}$ and a\\\\text", r"$\frac{1}{2}$ and a\\text"),
        (r"A:\nNo.\n\nnot so\ttop\ttext\nto\rbeta", "A:\nNo.\n\nnot so\ttop\ttext\nto\rbeta"),
    ],
)
def test_a_command_of_tex_needs_only_one_backslash(written: str, text: str) -> None:
    assert contents(f'{{"a": "{written}"}}') == [{"a": text}]

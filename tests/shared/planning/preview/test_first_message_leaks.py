"""Previews never show a leak, nor the beginning of one."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.planning.guard.guard import LeakGuard
from shared.planning.guard.review import TextVerdict, inspect_text
from shared.planning.preview import safe_preview
from tests.shared.examples import PROPERTY
from tests.shared.planning.guard.test_calls import SPELLINGS
from tests.shared.planning.guard.test_review import COMPACT, META, PERSONA, TOOLED
from tests.shared.planning.prompt.scenes import HEADER, LINE, PLAN

MOMENT = "It is 2026-03-01T12:00:00Z, Sunday. You are lull in a private chat."
PIECES = st.sampled_from(
    [
        *(HEADER, LINE, MOMENT, "Bob#000002", "Ann#000001 → lull: yes", "lull: hello", "[RESPOND]", "message_id=2 so"),
        *("message_id=7 of theirs", "# «send» 5", "<|im_end|>", "{date}", "time", "user", "[link](https://a.b)"),
        *("[Meta](https://a.b) bought it", "lull → still: ja", "lull → Ann#000001: so", "Ann (user_id=1100000001) so"),
        *("[meta] it", "**lull:** hello", "user_id=9 name=x", "Answer to 12: it is 7."),
        *("# Title", "a < b", "I think", "Hello there.", "`code [meta]`", '{"a": 1}'),
        *(
            "Replying to message 2: yes",
            "(message_id 2) so",
            "Message ID: 2",
            "message_id: 7",
            "calculate it",
            "Re: you",
        ),
        *("**message_id:** 2, user_id 1100000001", "x = [1, 2];", "", "  "),
    ]
)


@PROPERTY
@given(st.lists(PIECES, max_size=5).map("\n".join), st.sampled_from([COMPACT, META]))
def test_it_only_ever_grows_towards_what_will_be_sent(text: str, guard: LeakGuard) -> None:
    final = inspect_text(text, guard)
    seen = ["".join(safe_preview(text[:end], guard).split()) for end in range(len(text) + 1)]
    if final.verdict is not TextVerdict.SEND_BACK:
        assert [one for one in seen if not "".join(final.text.split()).startswith(one)] == []


@pytest.mark.parametrize("text", [HEADER, f"Good morning!\n{HEADER}", "Good morning! [RESPOND]", f"Bob, {LINE}"])
@pytest.mark.parametrize("guard", [META, COMPACT])
def test_no_part_of_a_header_is_ever_shown(text: str, guard: LeakGuard) -> None:
    shown = {safe_preview(text[:end], guard) for end in range(len(text) + 1)}
    assert not [one for one in shown if any(sign in one for sign in ("[", "_id", "=", "#", "RESP", "name"))]


def test_a_plan_is_not_shown_however_it_is_laid_out() -> None:
    for laid_out in (PLAN, json.dumps(json.loads(PLAN), indent=2)):
        shown = {safe_preview(laid_out[:end], META).strip() for end in range(len(laid_out) + 1)}
        assert shown == {""}


@pytest.mark.parametrize("call", SPELLINGS)
def test_no_part_of_a_call_is_ever_shown(call: str) -> None:
    assert {safe_preview(call[:end], TOOLED) for end in range(len(call) + 1)} == {""}
    shown = {safe_preview(f"Let me see.\n{call[:end]}", TOOLED).strip() for end in range(len(call) + 1)}
    assert shown <= {"", "Let me see."} or call in SPELLINGS[-2:], "code beside other words may be an example"


@pytest.mark.parametrize(
    "text", ["Replying to message 2: yes", "(message_id 2) yes", "Message ID: 2", "user_id #1100000001 y"]
)
def test_no_id_is_ever_shown(text: str) -> None:
    shown = {safe_preview(text[:end], META).strip() for end in range(len(text) + 1)}
    assert shown <= {"", "y", "ye", "yes"}
    assert safe_preview(text, COMPACT) == text, "where the prompt has no ids, these are somebody else's"


def test_the_agents_own_name_is_not_shown_below_a_header_either() -> None:
    text = f"{HEADER}\nlull → Bob: yes"
    assert {safe_preview(text[:end], COMPACT).strip() for end in range(len(text) + 1)} == {"", "y", "ye", "yes"}


def test_what_repeats_the_instructions_is_shown_no_more() -> None:
    text = f"I was told:\n{PERSONA}"
    assert safe_preview(text, COMPACT) == ""


@pytest.mark.parametrize(
    "text",
    [
        *("Hello there.", "See [the list](https://a.b) here", "Title:\n# One\nand `two`", "a < b and b > a"),
        *("Привіт, друже", "こんにちは。", "مرحبا بالعالم", "1 + 1 = 2", "so {x} it is"),
    ],
)
def test_an_ordinary_text_is_shown_as_it_is(text: str) -> None:
    assert safe_preview(text, COMPACT) == text


@pytest.mark.parametrize("unit", ["<", "{", "[", "```", "<tool_call>", "[meta] user_id=1\n", "**", " "])
def test_what_a_model_repeats_for_ever_is_looked_at_to_its_end(unit: str) -> None:
    # each piece of a stream is looked at; where each look took minutes, the answer would never come
    text = f"Hello. {unit * (30_000 // len(unit))}"
    shown = safe_preview(text, TOOLED)
    assert "[meta]" not in shown
    assert shown.startswith("Hello.") or shown == ""


def test_few_ends_that_may_go_on_hide_only_themselves() -> None:
    assert safe_preview("Hello. " + "<" * 5, TOOLED).strip() == "Hello."

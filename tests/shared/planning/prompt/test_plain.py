"""The prompt of a model that answers with bare text."""

from datetime import UTC, datetime
from typing import Any

import pytest

from shared.planning.personas.template import SHORT_PERSONA, short_persona
from shared.planning.prompt.assemble import assemble_prompt
from shared.planning.prompt.closing import closing_part
from shared.planning.prompt.scene import Scene, system_of
from shared.values.agent import Codec, ModelNotes
from shared.values.message import AnyEntry
from shared.values.prompt import Prompt, TurnRole
from shared.values.prompt_format import PromptFormat
from tests.shared.examples import ANN, BOB, GROUP_KEY, KEY, ME, agent, photos, said
from tests.shared.planning.prompt.scenes import GROUP, PRIVATE, scene

NOTES = ModelNotes(text="Answer briefly.", codec=Codec.TEXT)
MORNING = datetime(2026, 11, 30, 9, 5, tzinfo=UTC)


def plain(*entries: AnyEntry, **fields: Any) -> Scene:
    usual: dict[str, Any] = {
        "notes": NOTES,
        "format": PromptFormat.PLAIN,
        "now": datetime(2026, 11, 30, 9, 5, tzinfo=UTC),
    }
    return scene(*entries, **usual | fields)


def turns(prompt: Prompt) -> list[tuple[str, str]]:
    return [("model" if turn.role is TurnRole.MODEL else "user", "\n".join(turn.parts)) for turn in prompt.turns]


def test_in_private_the_words_stand_alone_and_the_newest_is_last() -> None:
    found = plain(said("hi"), said("Hello!", ME, 2), said("how are you?", ANN, 3), chat=PRIVATE, targets=[3])
    assert turns(assemble_prompt(found)) == [
        ("user", "hi"),
        ("model", "Hello!"),
        ("user", "how are you?\n(It is Monday, 30 November 2026, 09:05.)"),
    ]


def test_in_a_group_names_stand_before_words_and_the_agent_is_told_whom_to_answer() -> None:
    entries = said("soup?"), said("@lull_bot you decide", BOB, 2)
    found = plain(*entries, chat=GROUP, targets=[2], language="English")
    assert turns(assemble_prompt(found)) == [
        ("user", "Ann: soup?\nBob: you decide\n(It is Monday, 30 November 2026, 09:05. Answer Bob in English.)")
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("@lull_bot, what now?", "what now?"),
        ("what now @lull_bot", "what now"),
        ("@lull_bot", "@lull_bot"),
        ("ask @ann_a about the robot", "ask @ann_a about the robot"),
    ],
)
def test_only_a_call_of_a_bot_is_left_out(text: str, shown: str) -> None:
    assert turns(assemble_prompt(plain(said(text), targets=[1])))[0][1].splitlines()[0] == shown


def test_the_instruction_is_the_models_notes_and_the_persona_and_nothing_else() -> None:
    assert system_of(plain(said("hi"))) == "Answer briefly.\n\nYou are lull."


def test_of_a_long_persona_the_first_paragraphs_are_told_without_what_changes() -> None:
    first, second = "a" * (SHORT_PERSONA - 10), "b" * 20
    assert short_persona(f"{first}\n\n{second}") == first
    assert short_persona(f"You talk to {{username}}.\n\n{second}") == second
    assert short_persona("c" * 2 * SHORT_PERSONA) == "c" * 2 * SHORT_PERSONA


def test_a_file_that_nobody_looked_at_is_named_as_unseen() -> None:
    found = plain(said("what is this?", media="a photo", media_refs=photos("f1")), targets=[1])
    assert "[media: a photo]" in turns(assemble_prompt(found))[-1][1]
    assert closing_part(found) == (
        "(It is Monday, 30 November 2026, 09:05. You cannot see the photo: say so, and guess nothing about it.)"
    )


def test_hi_costs_few_tokens() -> None:
    prompt = assemble_prompt(plain(said("hi"), agent=agent(instructions="d" * SHORT_PERSONA), targets=[1]))
    assert prompt.characters < 800
    assert (prompt.tools, GROUP_KEY.is_private, KEY.is_private) == ((), False, True)

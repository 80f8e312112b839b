"""The system instruction: the same from plan to plan, with nothing that people choose."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from shared.planning.format.schema import format_instructions
from shared.planning.personas.template import CHANGING, STABLE, VARIABLES, compose_text
from shared.planning.prompt.scene import LEGEND, meanings, system_of, variables
from shared.tools.toolbox import TOOLS
from shared.values.agent import Codec, FrontMatter, ModelNotes, OwnPhoto, RolePrompt, VoicePolicy
from shared.values.evolve import evolve
from shared.values.message import Author
from shared.values.prompt_format import PromptFormat
from tests.shared.examples import ANN, NOW, PROPERTY, agent, said
from tests.shared.planning.prompt.scenes import GROUP, TEXTS, scene

EVERY = agent(instructions=" ".join(f"<{{{name}}}>" for name in sorted(VARIABLES)))


def test_notes_roles_and_persona_stand_in_this_order() -> None:
    legend = compose_text(LEGEND, scene().offer.words)
    assert system_of(scene()) == f"Be brief.\n\n{legend}\n\nAnswer with a plan.\n\nYou are lull."
    assert system_of(scene(notes=ModelNotes())) == f"{legend}\n\nAnswer with a plan.\n\nYou are lull."


def test_how_a_plan_is_spelled_stands_there_only_where_no_schema_tells() -> None:
    spelled = scene(agent=agent(front=FrontMatter(name="lull", username="lull_bot", codec=Codec.MARKDOWN)))
    assert f"\n\n{format_instructions(('send', 'wait'), Codec.MARKDOWN, names_messages=False)}\n\n" in system_of(
        spelled
    )
    assert "«send»" not in system_of(scene())


def test_what_is_not_offered_is_not_spoken_of() -> None:
    roles = (
        RolePrompt(name="chat", text="`send` writes.{if reply_to} Quote.{end}", unlocks=("send",)),
        RolePrompt(name="reacting", text="`react` reacts.", unlocks=("react",)),
        RolePrompt(name="calculating", text="Call `calculate`.", tools=("calculate",)),
    )
    persona = agent(roles=roles, instructions="You are lull{if functions}, and good at sums{end}.")
    least = system_of(scene(agent=persona))
    most = system_of(scene(agent=persona, format=PromptFormat.META, tools=(TOOLS["calculate"].declaration,)))
    assert least.endswith("`send` writes.\n\nYou are lull.")
    whole = "`send` writes. Quote.\n\n`react` reacts.\n\nCall `calculate`.\n\nYou are lull, and good at sums."
    assert most.endswith(whole)


def test_tools_are_named_beside_the_kinds_of_task() -> None:
    persona = agent(instructions="You can:\n{tools}")
    told = system_of(scene(agent=persona, tools=(TOOLS["calculate"].declaration,))).partition("You can:\n")[2]
    assert told.splitlines() == [
        "- send: Write a message: markdown, of any length.",
        "- wait: Let time pass before the tasks that depend on this one.",
        "- calculate: Works out an arithmetic expression, exactly where that is possible.",
    ]


def test_stable_variables_are_filled_in_and_the_others_stay() -> None:
    found = system_of(scene(said("hi"), targets=[1], agent=EVERY, chat=GROUP))
    assert all(f"{{{name}}}" in found for name in CHANGING)
    assert not any(f"{{{name}}}" in found for name in STABLE)
    assert "<-1002000000001>" in found
    assert "<supergroup>" in found
    assert "- send: Write a message: markdown, of any length." in found


@pytest.mark.parametrize(
    "change",
    [
        {"now": NOW + timedelta(days=2)},
        {"targets": (1,)},
        {"entries": (said("bye"),)},
        {"facts": ("Ann has a cat.",), "pronouns": "she/her", "member_count": 7},
        {"max_tokens": 2_000, "characters_per_token": 4.0, "timezone": "Asia/Tokyo"},
    ],
    ids=lambda change: "-".join(change),
)
def test_nothing_that_happens_in_a_chat_changes_the_instruction(change: dict[str, Any]) -> None:
    before = {"entries": (said("hi"),), "agent": EVERY, "chat": GROUP}
    assert system_of(scene(**before)) == system_of(scene(**before | change))


@PROPERTY
@given(TEXTS, TEXTS, TEXTS)
def test_nothing_that_people_choose_stands_in_the_instruction(name: str, username: str, title: str) -> None:
    sly = Author(id=ANN.id, name=name, username=username)
    chat = evolve(GROUP, title=title)
    found = system_of(scene(said("hi", sly), targets=[1], agent=EVERY, chat=chat))
    assert found == system_of(scene(said("hi"), targets=[1], agent=EVERY, chat=GROUP))


def test_what_the_variables_mean() -> None:
    known: dict[str, Any] = {"facts": ("Ann has a cat.",), "pronouns": "she/her", "member_count": 3}
    found = variables(scene(said("hi"), targets=[1], chat=GROUP, timezone="Asia/Tokyo", **known))
    assert found.keys() == VARIABLES
    people = {name: found[name] for name in ("username", "userfullname", "userid", "user_pronouns", "membercount")}
    assert people == {
        "username": "@ann_a",
        "userfullname": "Ann",
        "userid": "1100000001",
        "user_pronouns": "she/her",
        "membercount": "3",
    }
    assert (found["timestamp"], found["date"], found["time"]) == ("2026-03-01T21:00:00+09:00", "2026-03-01", "21:00")
    assert (found["chatname"], found["user_memories"]) == ("Garden", "what stands under [memory]")
    assert (found["botname"], found["botusername"]) == ("lull", "@lull_bot")


def test_without_a_target_nobody_is_named() -> None:
    found = variables(scene(said("hi")))
    assert (found["username"], found["userfullname"], found["userid"]) == ("", "", "")
    assert (found["timestamp"], found["chatname"]) == ("2026-03-01T12:00:00Z", "a private chat")
    assert (found["user_memories"], found["membercount"]) == ("", "")


def test_only_what_the_files_leave_open_is_explained() -> None:
    assert meanings(scene(said("hi"), targets=[1])) == {}
    persona = agent(instructions="{botname} talks to {userfullname}, {userfullname}.")
    assert meanings(scene(said("hi"), targets=[1], agent=persona)) == {"userfullname": "Ann"}


def test_stickers_and_photos_stand_at_the_end_of_what_is_stable() -> None:
    photo = OwnPhoto(id="heron", file=Path("heron.png"), description="A heron.")
    showing = RolePrompt(name="showing", text="Show.", unlocks=("send", "send-media"))
    listed = "Your stickers:\n- Moods: 😂"
    found = system_of(scene(agent=agent(roles=(showing,), photos=(photo,)), stickers=listed))
    assert found.endswith(f"\n\nYour photos, by `media`:\n- heron: A heron.\n\n{listed}")
    assert "A heron" not in system_of(scene(agent=agent(photos=(photo,)))), "it may send none"


@pytest.mark.parametrize(("voice", "is_told"), [(VoicePolicy.IN_KIND, False), (VoicePolicy.ALWAYS, True)])
def test_who_always_speaks_is_told_so_where_it_may(voice: VoicePolicy, is_told: bool) -> None:
    speaking = RolePrompt(name="speaking", text="Speak.", unlocks=("send", "voice"))
    persona = agent(roles=(speaking,))
    persona = evolve(persona, front=evolve(persona.front, voice=voice))
    assert ("answer by a `voice`" in system_of(scene(agent=persona))) == is_told
    mute = evolve(persona, roles=(evolve(speaking, unlocks=("send",)),))
    assert "answer by a `voice`" not in system_of(scene(agent=mute))

"""The model of a conversation."""

import pytest

from shared.commands.command import verbatim
from shared.commands.model import press, respond
from shared.commands.parse import command_pressed
from shared.values.message import ButtonPress
from tests.shared.commands.requests import CONVERSATION, asked
from tests.shared.examples import ANN, NOW
from tests.shared.own_words import NO_MODEL_ANY_MORE

LONG = ("gemini-with-a-name-as-long-as-nobody-would-give-one-in-earnest", "gemini-lite")


def test_the_models_are_buttons_and_the_current_one_is_marked() -> None:
    found = respond(asked(model="big-lite"))
    assert found.text == r"This conversation uses big\-lite."
    assert [button.text for button in found.buttons] == ["big", "✓ big-lite"]
    assert found.changes == {}


def test_a_single_model_leaves_nothing_to_choose() -> None:
    assert respond(asked(models=("big",))).buttons == ()


@pytest.mark.parametrize(("wanted", "chosen"), [("big", "big"), ("BIG-lite", "big-lite"), ("lite", "big-lite")])
def test_a_model_is_chosen_by_its_name_or_a_part_of_it(wanted: str, chosen: str) -> None:
    assert respond(asked(wanted)).changes == {"model": chosen}


@pytest.mark.parametrize("wanted", ["gpt", "_"])
def test_a_name_that_is_none_lists_the_choices(wanted: str) -> None:
    found = respond(asked(wanted))
    assert (found.changes, len(found.buttons)) == ({}, 2)
    assert found.text == f"There's no model called “{verbatim(wanted)}”. You can choose: big, big\\-lite."


def test_a_name_that_several_share_lists_those() -> None:
    found = respond(asked("LITE", models=("big", "big-lite", "lite-2")))
    assert (found.changes, len(found.buttons)) == ({}, 3)
    assert found.text == r"Several models match: big\-lite, lite\-2. Which one do you mean?"


@pytest.mark.parametrize("models", [("big", "big-lite"), LONG])
def test_button_data_fits_and_is_read_back(models: tuple[str, str]) -> None:
    carried = [button.data for button in respond(asked(models=models)).buttons]
    assert all(len(data.encode()) <= 64 for data in carried)
    pressed = ButtonPress(at=NOW, message_id=5, author=ANN, query_id="q", data=carried[1])
    invocation = command_pressed(pressed)
    assert (invocation.name, invocation.button and invocation.button.conversation) == ("model", CONVERSATION)
    found = press(asked(invocation.argument, models=models))
    assert (found.changes, found.buttons[1].text) == ({"model": models[1]}, f"✓ {models[1]}")
    assert len(found.notice) <= 200


def test_pressing_twice_changes_nothing_twice() -> None:
    mark = respond(asked()).buttons[1].data.rpartition(":")[2]
    again = press(asked(mark, model="big-lite"))
    assert (again.text, again.changes) == ("", {})
    assert again.notice == "This conversation already uses big-lite."


def test_the_button_of_a_model_that_is_gone_says_so() -> None:
    assert press(asked("00000000")).notice == NO_MODEL_ANY_MORE


ELSEWHERE = ("gemini-3.8-flash", "groq:llama-3.3-70b", "openrouter:meta-llama/llama-3.3-70b:free")


def test_models_of_other_providers_are_named_with_them() -> None:
    found = respond(asked(models=ELSEWHERE, model="groq:llama-3.3-70b"))
    labels = ["gemini-3.8-flash", "✓ llama-3.3-70b (Groq)", "llama-3.3-70b:free (OpenRouter)"]
    assert [button.text for button in found.buttons] == labels
    assert verbatim("llama-3.3-70b (Groq)") in found.text


@pytest.mark.parametrize("wanted", ["groq", "groq:llama-3.3-70b", "Llama-3.3-70b (Groq)"])
def test_a_model_is_chosen_by_its_provider_too(wanted: str) -> None:
    assert respond(asked(wanted, models=ELSEWHERE)).changes == {"model": "groq:llama-3.3-70b"}

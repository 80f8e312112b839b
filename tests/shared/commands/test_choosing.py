"""The model of a conversation."""

import pytest

from shared.commands.choosing import GONE, model, press_model
from shared.commands.parse import command_pressed
from shared.commands.verbatim import verbatim
from shared.models.message import Press
from tests.shared.commands.places import CONVERSATION, place
from tests.shared.values import ANN, NOW

LONG = ("gemini-with-a-name-as-long-as-nobody-would-give-one-in-earnest", "gemini-lite")


def test_the_models_are_buttons_and_the_current_one_is_marked() -> None:
    found = model("", place(model="big-lite"))
    assert found.text == r"This conversation uses big\-lite."
    assert [button.text for button in found.buttons] == ["big", "✓ big-lite"]
    assert found.changes == {}


def test_a_single_model_leaves_nothing_to_choose() -> None:
    assert model("", place(models=("big",))).buttons == ()


@pytest.mark.parametrize(("wanted", "chosen"), [("big", "big"), ("BIG-lite", "big-lite"), ("lite", "big-lite")])
def test_a_model_is_chosen_by_its_name_or_a_part_of_it(wanted: str, chosen: str) -> None:
    assert model(wanted, place()).changes == {"model": chosen}


@pytest.mark.parametrize("wanted", ["gpt", "_"])
def test_a_name_that_is_none_lists_the_choices(wanted: str) -> None:
    found = model(wanted, place())
    assert (found.changes, len(found.buttons)) == ({}, 2)
    assert found.text == f"There is no model called “{verbatim(wanted)}”. There are: big, big\\-lite."


def test_a_name_that_several_share_lists_those() -> None:
    found = model("LITE", place(models=("big", "big-lite", "lite-2")))
    assert (found.changes, len(found.buttons)) == ({}, 3)
    assert found.text == r"Several models are called so: big\-lite, lite\-2. Which one?"


@pytest.mark.parametrize("models", [("big", "big-lite"), LONG])
def test_what_a_button_carries_fits_and_is_read_again(models: tuple[str, str]) -> None:
    here = place(models=models)
    carried = [button.data for button in model("", here).buttons]
    assert all(len(data.encode()) <= 64 for data in carried)
    press = Press(at=NOW, message_id=5, author=ANN, query_id="q", data=carried[1])
    command = command_pressed(press)
    assert (command.name, command.button and command.button.conversation) == ("model", CONVERSATION)
    found = press_model(command.argument, here)
    assert (found.changes, found.buttons[1].text) == ({"model": models[1]}, f"✓ {models[1]}")
    assert len(found.notice) <= 200


def test_pressing_twice_changes_nothing_twice() -> None:
    mark = model("", place()).buttons[1].data.rpartition(":")[2]
    again = press_model(mark, place(model="big-lite"))
    assert (again.text, again.changes) == ("", {})
    assert again.notice == "This conversation uses big-lite already."


def test_the_button_of_a_model_that_is_gone_says_so() -> None:
    assert press_model("00000000", place()).notice == GONE

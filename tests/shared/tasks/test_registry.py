"""Kinds of task are found by their modules. A trait of the kind tells whether a model may write it."""

from pathlib import Path

import pytest

import shared
from shared.tasks.registry import kinds, plannable, stored_task, traits_of, unlockable, usable, waiting
from shared.tasks.task import Task
from shared.tasks.traits import TaskTraits


def test_every_module_of_a_kind_is_found_in_the_usual_order() -> None:
    assert list(unlockable())[:4] == ["think", "send", "wait", "react"]
    assert list(plannable()) == list(unlockable())[1:]
    assert {"notice", "rewrite"} <= kinds().keys() - unlockable().keys()
    folders = [Path(shared.__path__[0]) / "tasks", *Path(shared.__path__[0]).glob("*/tasks")]
    modules = {file.stem for folder in folders for file in folder.glob("*.py")} - {"__init__"}
    own = {model.__module__.rpartition(".")[2] for model in kinds().values()}
    # the module `send_export_part` has the kind `hand-over`, since stored plans contain this name
    assert own == {kind.replace("-", "_") for kind in kinds()} - {"hand_over"} | {"send_export_part"}
    assert modules - own == {"captioned", "graph", "names", "outcome", "plan", "registry", "task", "traits"}


@pytest.mark.parametrize("kind", kinds())
def test_each_kind_leads_to_the_model_that_names_it(kind: str) -> None:
    assert kinds()[kind].model_fields["kind"].default == kind


@pytest.mark.parametrize("kind", kinds())
def test_kinds_with_a_method_implement_delivery(kind: str) -> None:
    model = kinds()[kind]
    assert (model.deliver is not Task.deliver) == bool(model.traits.method)
    assert (model.pause is not Task.pause) == (model.traits.elapses and model.traits.is_kept)


def test_a_text_for_people_is_in_the_field_text() -> None:
    texts = [model for model in kinds().values() if model.traits.is_text]
    assert texts
    assert all("text" in model.model_fields and model.words is not Task.words for model in texts)


def test_kinds_that_a_model_may_not_write_are_unknown() -> None:
    assert traits_of("send").is_text
    assert not traits_of("think").is_kept
    assert traits_of("notice") == traits_of("dance") == TaskTraits()


@pytest.mark.parametrize("kind", ["send", "wait", "react", "notice", "rewrite"])
def test_a_task_comes_back_from_its_document(kind: str) -> None:
    fields = {"text": "a", "seconds": 1, "query_id": "q", "message_id": 1, "emoji": "x"}
    task = kinds()[kind].model_validate(fields)
    assert stored_task(task.model_dump()) == task
    assert stored_task(task) is task


@pytest.mark.parametrize("document", [{"kind": "think", "text": "hm"}, {"kind": "dance"}, {"text": "a"}, {"kind": []}])
def test_refuses_an_unknown_stored_kind(document: object) -> None:
    with pytest.raises(ValueError, match="unknown task kind"):
        stored_task(document)


def test_without_ids_of_messages_nothing_that_needs_one_can_be_planned() -> None:
    wanted = ("send", "react", "think", "dance")
    assert usable(wanted, names_messages=True) == wanted
    assert usable(wanted, names_messages=False) == ("send", "think", "dance")


def test_lasting_effects_wait_for_a_tap_after_text_from_outside() -> None:
    wanted = tuple(unlockable())
    assert waiting(wanted) == (
        "`schedule` with `instruction` or `every`",
        *(f"`{kind}`" for kind in wanted if not unlockable()[kind].traits.stays_in_chat),
    )
    stays = {kind for kind, model in unlockable().items() if not model.waiting()}
    assert {"think", "send", "wait", "react", "sticker"} <= stays
    assert not stays & {"remember", "forget", "keep-zone", "block", "unblock", "shutdown", "clear-conversation"}
    assert usable(wanted, names_messages=True) == wanted

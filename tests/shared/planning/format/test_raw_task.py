import pytest

from shared.planning.format.raw_task import RawTask, fields_to_write, kind_of, named_fields, raw_task
from shared.tasks.send import Send
from shared.tasks.wait import Wait


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ({"kind": "send", "text": "a"}, {"kind": "send", "text": "a"}),
        ({"Kind": "send", "TEXT": "a"}, {"kind": "send", "text": "a"}),
        ({"dependsOn": ["1"], "reply-to": 5}, {"depends_on": ["1"], "reply_to": 5, "message_id": 5}),
        ({"type": "send", "message": "a"}, {"kind": "send", "text": "a"}),
        ({"action": "send", "content": "a"}, {"kind": "send", "text": "a"}),
        ({"kind": "wait", "delay": 5}, {"seconds": 5}),
        ({"reply_to_message_id": 7}, {"reply_to": 7, "message_id": 7}),
        ({"text": "a", "Text": "b", "message": "c"}, {"text": "a"}),
        ({"Text": "b", "text": "a"}, {"text": "a"}),
    ],
)
def test_fields_get_their_own_names(written: dict[str, object], named: dict[str, object]) -> None:
    assert named.items() <= named_fields(written).items()


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("send", "send"),
        (" Send ", "send"),
        ("«send»", "send"),
        ("clear_conversation", "clear-conversation"),
        (None, ""),
        (5, ""),
        (["send"], ""),
        (" ", ""),
    ],
)
def test_a_kind_has_one_spelling(written: object, kind: str) -> None:
    assert kind_of({"kind": written}) == kind


@pytest.mark.parametrize(
    ("written", "id_"),
    [
        ("a", "a"),
        (" a ", "a"),
        (1, "1"),
        (1.0, "1"),
        (1.5, "1.5"),
        (10**30, "1" + "0" * 30),
        ("\ud800", "\ufffd"),
        (None, ""),
        (True, ""),
        (" ", ""),
        (["a"], ""),
        ({"a": 1}, ""),
    ],
)
def test_an_id_is_text(written: object, id_: str) -> None:
    assert raw_task({"kind": "send", "id": written}).id == id_


@pytest.mark.parametrize(
    ("written", "depends_on"),
    [
        ([], ()),
        (["a", "b"], ("a", "b")),
        ("a", ("a",)),
        (1, ("1",)),
        ([1, "2", 3.0], ("1", "2", "3")),
        ([None, "a", True, {}], ("a",)),
        (None, None),
        ("", None),
        ({}, None),
        (False, None),
        ([None], None),
        ([[]], None),
    ],
)
def test_dependencies_are_ids(written: object, depends_on: tuple[str, ...] | None) -> None:
    assert raw_task({"kind": "send", "depends_on": written}).depends_on == depends_on


def test_no_dependencies_said_is_not_the_same_as_none() -> None:
    assert raw_task({"kind": "wait"}) == RawTask(kind="wait", id="", depends_on=None, fields={"kind": "wait"})
    assert raw_task({"kind": "wait", "depends_on": []}).depends_on == ()


def test_a_task_is_written_without_what_goes_without_saying() -> None:
    tasks = (Send(id="1", text="a"), Wait(id="w", depends_on=("1",), seconds=5), Send(id="3", depends_on=(), text="b"))
    assert list(fields_to_write(tasks)) == [
        {"kind": "send", "text": "a"},
        {"kind": "wait", "seconds": 5, "id": "w"},
        {"kind": "send", "text": "b", "depends_on": ()},
    ]

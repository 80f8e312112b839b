"""Common behaviour of tasks."""

from dataclasses import replace
from datetime import timedelta
from typing import ClassVar

from shared.tasks.names import answers_command, apology_task_id, command_task_id
from shared.tasks.notice import Notice
from shared.tasks.rewrite import Rewrite
from shared.tasks.send import Send
from shared.tasks.task import DeliveryContext, Task, TaskNote
from shared.tasks.traits import TaskTraits
from shared.values.evolve import evolve
from tests.shared.examples import ME, react, send, wait


def test_the_task_that_answers_an_update_is_named_for_it() -> None:
    assert answers_command(command_task_id(7))
    assert not answers_command(apology_task_id(7))


def test_where_no_message_can_be_named_only_what_needs_none_is_left() -> None:
    assert send(reply_to=5).without_message() == send()
    assert wait().without_message() == wait()
    assert Notice(query_id="q").without_message() == Notice(query_id="q")
    assert react().without_message() is None
    assert Rewrite(message_id=5, text="x").without_message() is None


class Dance(Task):
    """Dance."""

    traits: ClassVar[TaskTraits] = TaskTraits(method="sendDance")

    kind: str = "dance"
    steps: int = 3
    partner: str | None = None


def test_a_new_kind_waits_for_a_tap_after_text_from_outside_until_it_says_that_it_stays_in_the_chat() -> None:
    assert Dance.is_usable(names_messages=False)
    assert (Dance.waiting(), Dance(id="1").reaches_further) == ("`dance`", True)
    assert (Send.waiting(), Send(id="1", text="x").reaches_further) == ("", False)


def test_a_kind_that_says_nothing_of_itself_is_told_by_its_name_and_fields() -> None:
    dance = Dance(id="1")
    assert Dance.kind_name() == "dance"
    assert dance.pending(0, None) == TaskNote("dance")
    assert dance.in_doubt(0) == TaskNote("a task of yours (dance) may or may not have been done")
    assert dance.summary() == "steps 3"
    assert (dance.words, dance.loss(), dance.parts()) == ("", "", 1)
    assert dance.pause() == dance.typing_time() == timedelta()


def test_words_can_be_other_ones() -> None:
    assert send(text="a").with_words("b") == send(text="b")
    assert Send(text="a").words == "a"


def test_a_message_among_comments_quotes_what_takes_it_there() -> None:
    context = DeliveryContext(channel=None, to=None, author=ME, clock=None, thread=40)  # type: ignore[arg-type]
    assert (context.quote_target(7), context.quote_target(None)) == (7, 40)
    assert replace(context, thread=0).quote_target(None) is None


def test_only_what_can_reply_and_does_not_becomes_a_reply() -> None:
    assert send("1").replying_to(7) == evolve(send("1"), reply_to=7)
    assert send("1").replying_to(7).replying_to(8) == send("1").replying_to(7)
    assert wait("1").replying_to(7) == wait("1")

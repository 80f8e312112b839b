"""What every task has."""

from datetime import timedelta
from typing import ClassVar

from shared.tasks.notice import Notice
from shared.tasks.rewrite import Rewrite
from shared.tasks.send import Send
from shared.tasks.task import Task, Telling, Traits, own_task_id
from tests.shared.values import react, send, wait


def test_the_task_that_answers_an_update_is_named_for_it() -> None:
    assert own_task_id(7) == "own-7"


def test_where_no_message_can_be_named_only_what_needs_none_is_left() -> None:
    assert send(reply_to=5).without_message() == send()
    assert wait().without_message() == wait()
    assert Notice(query_id="q").without_message() == Notice(query_id="q")
    assert react().without_message() is None
    assert Rewrite(message_id=5, text="x").without_message() is None


class Dance(Task):
    """Dance."""

    traits: ClassVar[Traits] = Traits(method="sendDance")

    kind: str = "dance"
    steps: int = 3
    partner: str | None = None


def test_a_new_kind_may_not_follow_text_from_outside_until_it_says_that_it_stays_in_the_chat() -> None:
    assert Dance.is_usable(names_messages=False, saw_outside=False)
    assert not Dance.is_usable(names_messages=True, saw_outside=True)
    assert Send.is_usable(names_messages=False, saw_outside=True)


def test_a_kind_that_says_nothing_of_itself_is_told_by_its_name_and_fields() -> None:
    dance = Dance(id="1")
    assert Dance.kind_name() == "dance"
    assert dance.pending(0, None) == Telling("dance")
    assert dance.in_doubt(0) == Telling("a task of yours (dance) may or may not have been done")
    assert dance.summary() == "steps 3"
    assert (dance.words, dance.loss(), dance.parts()) == ("", "", 1)
    assert dance.pause() == dance.typing_time() == timedelta()


def test_words_can_be_other_ones() -> None:
    assert send(text="a").with_words("b") == send(text="b")
    assert Send(text="a").words == "a"

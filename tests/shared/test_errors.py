"""The family of errors: one tree, told in its module, whose texts may be logged."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from shared import errors
from shared.errors import AgentUnreadable, ChannelError, LullError, NotDelivered, Refused, ReplyTargetGone, StoreError

CLASSES = {name: kind for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, LullError)}


def test_the_tree_in_the_docstring_is_the_tree_of_the_classes() -> None:
    assert set(re.findall(r"^[│├└─ ]*([A-Z]\w+)", errors.__doc__ or "", re.MULTILINE)) - {"Every"} == set(CLASSES)


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_every_error_is_one_of_lulls(name: str) -> None:
    assert CLASSES[name].__doc__
    assert CLASSES[name].__mro__[-4:] == (LullError, Exception, BaseException, object)


def test_a_persona_error_says_where() -> None:
    error = AgentUnreadable(Path("agents/x/agent.md"), 3, "no")
    assert (str(error), error.line) == (f"{Path('agents/x/agent.md')}:3: no", 3)


def test_what_was_not_delivered_may_say_when_to_try_again() -> None:
    assert NotDelivered("slow down", timedelta(seconds=3)).retry_after == timedelta(seconds=3)
    assert NotDelivered("no route").retry_after is None


def test_a_lost_quote_is_a_refusal_of_the_channel_and_not_of_the_store() -> None:
    assert issubclass(ReplyTargetGone, Refused)
    assert issubclass(Refused, ChannelError)
    assert not issubclass(Refused, StoreError)

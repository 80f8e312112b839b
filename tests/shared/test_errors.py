"""The tree of errors, drawn in its module; their texts may be logged."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from shared.base import errors
from shared.base.errors import (
    ChannelError,
    ChannelRefused,
    InvalidPersona,
    LullError,
    NotDelivered,
    QueueRefused,
    QueueUnavailable,
    ReplyTargetGone,
    StoreError,
    StoreRefused,
    StoreUnavailable,
)

CLASSES = {name: kind for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, LullError)}


def drawn() -> dict[str, str]:
    """Read the tree from the docstring: each class with its parent, which is empty for the root."""
    found, above = dict[str, str](), list[str]()
    for line in (errors.__doc__ or "").splitlines():
        branch = re.match(r"([│├└─ ]*)([A-Z]\w+Error$|(?<=─ )[A-Z]\w+)", line)
        if branch:
            depth = len(branch[1]) // 4
            above[depth:] = [branch[2]]
            found[branch[2]] = above[depth - 1] if depth else ""
    return found


def test_the_tree_in_the_docstring_is_the_tree_of_the_classes() -> None:
    parents = {name: kind.__mro__[1].__name__ for name, kind in CLASSES.items()}
    assert drawn() == parents | {"LullError": ""}


@pytest.mark.parametrize(
    ("unavailable", "refused"), [(StoreUnavailable, StoreRefused), (QueueUnavailable, QueueRefused)]
)
def test_what_is_refused_is_never_taken_for_what_may_be_tried_again(
    unavailable: type[LullError], refused: type[LullError]
) -> None:
    assert not issubclass(refused, unavailable)
    assert unavailable.__base__ is refused.__base__ is not LullError


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_every_error_is_one_of_lulls(name: str) -> None:
    assert CLASSES[name].__doc__
    assert CLASSES[name].__mro__[-4:] == (LullError, Exception, BaseException, object)


def test_a_persona_error_says_where() -> None:
    error = InvalidPersona(Path("agents/x/agent.md"), 3, "no")
    assert (str(error), error.line) == (f"{Path('agents/x/agent.md')}:3: no", 3)


def test_what_was_not_delivered_may_say_when_to_try_again() -> None:
    assert NotDelivered("slow down", timedelta(seconds=3)).retry_after == timedelta(seconds=3)
    assert NotDelivered("no route").retry_after is None


def test_a_lost_quote_is_a_refusal_of_the_channel_and_not_of_the_store() -> None:
    assert issubclass(ReplyTargetGone, ChannelRefused)
    assert issubclass(ChannelRefused, ChannelError)
    assert not issubclass(ChannelRefused, StoreError)

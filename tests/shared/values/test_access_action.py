"""The end of an access action without a time limit."""

from shared.values.access_action import FOREVER, AccessAction, AccessActionKind
from tests.shared.examples import NOW


def test_what_is_for_good_outlasts_everybody() -> None:
    assert FOREVER.year - NOW.year > 1_000


def test_an_action_is_about_nobody_and_this_chat_by_default() -> None:
    measure = AccessAction(AccessActionKind.SHUTDOWN)
    assert (measure.person, measure.is_everywhere) == (0, False)

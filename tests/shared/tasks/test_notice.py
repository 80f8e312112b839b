"""A notice without text only ends the button's waiting state."""

from shared.tasks.notice import Notice


def test_a_notice_may_be_empty() -> None:
    assert Notice(query_id="q").text == ""

"""A notice without text only makes Telegram stop showing the button as waiting."""

from shared.tasks.notice import Notice


def test_a_notice_may_be_empty() -> None:
    assert Notice(query_id="q").text == ""

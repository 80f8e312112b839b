"""A notice may be without words: then the button only stops looking busy."""

from shared.tasks.notice import Notice


def test_a_notice_may_be_empty() -> None:
    assert Notice(query_id="q").text == ""

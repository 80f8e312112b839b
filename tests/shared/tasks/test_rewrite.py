"""A rewrite is about one message."""

from shared.tasks.rewrite import Rewrite


def test_a_rewrite_keeps_the_message_and_the_text() -> None:
    assert Rewrite(message_id=5, text="new").model_dump(exclude={"id", "depends_on"}) == {
        "kind": "rewrite",
        "message_id": 5,
        "text": "new",
    }

"""A rewrite is about one message."""

from shared.tasks.rewrite import Rewrite


def test_a_rewrite_keeps_the_message_and_the_text() -> None:
    assert Rewrite(message_id=5, text="new").model_dump(exclude={"id", "depends_on"}) == {
        "kind": "rewrite",
        "message_id": 5,
        "text": "new",
    }


def test_its_loss_is_told_by_what_people_see_of_it() -> None:
    rewrite = Rewrite(message_id=5, text="**new**")
    assert rewrite.in_doubt(0) == ("a message of yours may or may not have been changed to", "new")
    assert rewrite.loss() == "what was chosen with a button could not be shown below it"

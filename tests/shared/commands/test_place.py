"""What the answer to a command depends on."""

from tests.shared.commands.places import place


def test_a_model_that_is_not_offered_any_more_is_not_used() -> None:
    assert place().model == "big"
    assert place(model="big-lite").model == "big-lite"
    assert place(model="gone").model == "big"

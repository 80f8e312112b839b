"""The default traits."""

from shared.tasks.traits import TaskTraits


def test_a_kind_that_says_nothing_is_planned_by_models_and_takes_nothing() -> None:
    traits = TaskTraits()
    assert (traits.is_from_model, traits.is_kept, traits.is_seen) == (True, True, True)
    assert (traits.stays_in_chat, traits.uses.made, traits.uses.stickers) == (False, None, False)


def test_time_passes_in_kinds_without_delivery() -> None:
    assert TaskTraits().elapses
    assert not TaskTraits(method="sendMessage").elapses

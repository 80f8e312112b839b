"""The rooms of the flows' tests, for the steps of a turn."""

from tests.shared.flows.conftest import group, here, rooms, shared_house, slow, slow_group

__all__ = ["group", "here", "rooms", "shared_house", "slow", "slow_group"]

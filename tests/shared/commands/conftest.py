"""The rooms of the flows' tests, for commands that work on what is kept."""

from tests.shared.flows.conftest import group, here, rooms, shared_house

__all__ = ["group", "here", "rooms", "shared_house"]

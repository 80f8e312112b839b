"""The rooms of the flows' tests: carrying out needs a chat that is really held."""

from tests.shared.flows.conftest import group, here, rooms, shared_house, slow

__all__ = ["group", "here", "rooms", "shared_house", "slow"]

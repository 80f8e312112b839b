"""The rooms of the flows' tests: carrying out needs a chat that is really held."""

from tests.shared.flows.conftest import here, shared_house, slow

__all__ = ["here", "shared_house", "slow"]

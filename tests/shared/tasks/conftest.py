"""The rooms of the flows' tests, for tasks that are really delivered."""

from tests.shared.flows.conftest import here, shared_house

__all__ = ["here", "shared_house"]

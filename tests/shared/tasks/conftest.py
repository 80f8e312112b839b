"""The rooms of the flows' tests, for tasks that are really delivered."""

import pytest

from tests.shared.flows.conftest import here, shared_house
from tests.shared.flows.room import Room

__all__ = ["here", "shared_house"]


@pytest.fixture
async def png(here: Room) -> bytes:
    """A picture that the local Telegram takes for a photo."""
    stickers = (await here.house.telegram.get("/world")).raise_for_status().json()["stickers"]
    answer = await here.house.telegram.get(f"/world/files/{stickers[0]['file_id']}")
    return answer.raise_for_status().content

"""Where nobody searches."""

import pytest

from shared.adapters.services.no_search import NoSearch
from shared.errors import ToolFailed
from tests.shared.values import KEY


async def test_each_search_is_refused() -> None:
    with pytest.raises(ToolFailed, match="lets nobody search"):
        await NoSearch().search("tides", KEY, 5)

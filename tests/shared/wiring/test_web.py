"""The search service follows the setting."""

from typing import Any

from shared.tools.services.grounded_search import GroundedSearch, NoSearch
from shared.tools.services.searxng import SearXng
from shared.wiring.settings.model_functions import TickSettings
from shared.wiring.web import lookups_of, reader_of, search_of
from tests.infra.given import examples_for

NOBODY: Any = None


def test_who_searches_is_a_setting() -> None:
    def made(search: str) -> type:
        settings = TickSettings.from_environment(examples_for("tick") | {"LULL_SEARCH": search})
        return type(search_of(NOBODY, settings))

    assert [made(one) for one in ("google", "no", "https://searx.example")] == [GroundedSearch, NoSearch, SearXng]


def test_one_reader_is_for_all_agents() -> None:
    assert reader_of("https://reader.example") is reader_of("https://reader.example")
    assert lookups_of(NOBODY, TickSettings.from_environment(examples_for("tick"))) is not None

"""Search by Google through Gemini's real protocol, and the refusal of a model that cannot search."""

from typing import Any

import pytest

from shared.base.errors import ModelRefused, ModelTrouble, ToolFailed
from shared.llm.gemini.model import GeminiModel
from shared.llm.metering import MeteredModels, use_budget
from shared.tools.services.grounded_search import GroundedSearch, NoSearch
from shared.values.prompt import SearchResult
from shared.values.usage import ModelUse, Purpose
from tests.shared.examples import KEY
from tests.shared.spending.values import Paid
from tests.stories.play import Model

REDIRECT = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQ"
GROUNDING: dict[str, Any] = {
    "webSearchQueries": ["tides Odesa"],
    "searchEntryPoint": {"renderedContent": "<div>…</div>"},
    "groundingChunks": [
        {"web": {"uri": f"{REDIRECT}1", "title": "tides.example"}},
        {"web": {"uri": f"{REDIRECT}2", "title": "sea.example"}},
    ],
    "groundingSupports": [
        {"segment": {"startIndex": 0, "endIndex": 20, "text": "High water is at 6."}, "groundingChunkIndices": [1]},
        {"segment": {"endIndex": 40, "text": "Low water is at noon."}, "groundingChunkIndices": [1]},
    ],
}


@pytest.fixture
def search(gemini: GeminiModel) -> GroundedSearch:
    return GroundedSearch(MeteredModels({"m": gemini}), "m")


async def test_a_search_is_a_call_of_its_own_without_functions_or_schema(search: GroundedSearch, script: Model) -> None:
    await script.will({"text": "High water is at 6. Low water is at noon.", "grounding": GROUNDING})
    found = await search.search("tides in Odesa", KEY, 5)
    asked = (await script.asked("tides in Odesa"))[-1]["request"]
    assert asked["tools"] == [{"google_search": {}}]
    assert "responseJsonSchema" not in asked["generationConfig"]
    assert found.results == (
        SearchResult(title="sea.example", url=f"{REDIRECT}2", snippet="High water is at 6. Low water is at noon."),
        SearchResult(title="tides.example", url=f"{REDIRECT}1"),
    )
    assert found.shown_with == ("https://www.google.com/search?q=tides+Odesa",)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ({"text": "I know it by heart."}, "Nothing was searched"),
        (
            {"status": 400, "error": "Search as tool is not enabled for this model"},
            "cannot be searched with this model",
        ),
        ({"status": 503, "times": 2}, "did not answer"),
    ],
)
async def test_what_is_no_search_is_told(
    search: GroundedSearch, script: Model, reply: dict[str, Any], why: str
) -> None:
    await script.will(reply)
    with pytest.raises(ToolFailed, match=why):
        await search.search("tides in Odesa", KEY, 5)


async def test_who_is_answered_pays_for_it_and_a_limit_is_told_as_one(search: GroundedSearch, script: Model) -> None:
    budget_service = Paid(refusal=ModelRefused("no", trouble=ModelTrouble.LIMIT))
    with use_budget(budget_service), pytest.raises(ToolFailed, match="as may be spent"):
        await search.search("tides in Odesa", KEY, 5)
    assert budget_service.uses == [ModelUse(purpose=Purpose.SEARCH, chat=KEY, person=5)]


async def test_where_the_owner_wants_none_each_search_is_refused() -> None:
    with pytest.raises(ToolFailed, match="set up without web search"):
        await NoSearch().search("tides", KEY, 5)

"""Search results in Gemini's answers of any shape."""

from hypothesis import given
from hypothesis import strategies as st

from shared.llm.gemini.model import parse_grounding
from shared.values.prompt import SearchResults
from tests.shared.examples import JSON_VALUES, PROPERTY

FIELDS = st.sampled_from(["webSearchQueries", "groundingChunks", "groundingSupports"])
PARTS = st.dictionaries(st.sampled_from(["web", "segment", "groundingChunkIndices"]), JSON_VALUES)


def test_nothing_found_is_nothing() -> None:
    assert parse_grounding({}) == SearchResults(results=())


@PROPERTY
@given(st.dictionaries(FIELDS, JSON_VALUES | st.lists(PARTS, max_size=3)))
def test_any_shape_is_read(grounding: dict[str, object]) -> None:
    assert all(isinstance(page.title, str) for page in parse_grounding(grounding).results)

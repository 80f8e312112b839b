"""Marks of vectors tell which vectors can be compared."""

import pytest

from shared.llm.ports.embedding import vector_mark


@pytest.mark.parametrize(
    ("model", "mark"),
    [("gemini-embedding-2", "gemini-embedding-2/768"), ("all-minilm-l6-v2", "all-minilm-l6-v2"), ("no", "no")],
)
def test_a_mark_tells_the_model_and_the_length_where_it_is_a_choice(model: str, mark: str) -> None:
    assert vector_mark(model) == mark

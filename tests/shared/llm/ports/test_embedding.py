"""Embedding tasks have the names that are stored and sent."""

from shared.llm.ports.embedding import EmbeddingTask


def test_a_question_is_embedded_as_another_thing_than_what_answers_it() -> None:
    assert {one.value for one in EmbeddingTask} == {"query", "document"}

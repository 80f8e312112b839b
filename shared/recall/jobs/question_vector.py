"""Makes the vector of a search question for the console, which cannot call a model itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shared.llm.metering import charge_embeddings_to
from shared.llm.ports.embedding import EmbeddingTask
from shared.values.chat_key import ChatKey
from shared.values.question_vector import QuestionVector, VectorOrder
from shared.values.usage import ModelUse, Purpose

if TYPE_CHECKING:
    from shared.llm.ports.embedding import Embedder


async def make_vector(embedder: Embedder | None, order: VectorOrder) -> QuestionVector:
    """Return the vector of a question, paid by `order.person`. Raises a ModelError."""
    if embedder is None or not embedder.model or not order.question.strip():
        return QuestionVector()
    key = ChatKey(agent=order.agent, chat_id=order.person)
    with charge_embeddings_to(ModelUse(purpose=Purpose.EMBED, chat=key, person=order.person)):
        (vector,) = await embedder.embed([order.question], EmbeddingTask.QUERY)
    return QuestionVector(model=embedder.model, vector=vector)

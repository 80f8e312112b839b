"""The embedding vector of a question. Another function makes it, since the console has no API key for models."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from shared.base.logs import log
from shared.cloud.deployed_functions import DeployedFunctions
from shared.llm.ports.embedding import EmbeddingTask
from shared.values.question_vector import LONGEST_QUESTION, QuestionVector, VectorOrder

#: the function that makes vectors, and how many seconds a search waits for it
MAKER = "summarize"
LONGEST_S = 8.0
#: stands for the model while its name is unknown, because no answer came
UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class KnownVector:
    """An embedder that only knows the vector of one question. `vector` is () if the model did not answer."""

    model: str
    vector: tuple[float, ...] = ()

    async def embed(self, texts: Sequence[str], embedding_task: EmbeddingTask) -> Sequence[tuple[float, ...]]:
        """Return the question's vector once for each text."""
        return [self.vector for _ in texts]


async def vector_of(functions: Mapping[str, str], question: str, agent: str, owner: int) -> KnownVector | None:
    """Return an embedder that knows the question's vector; None if there is no question or no embedding model.

    Another function makes the vector, and the owner pays. If it does not answer, the search uses only words.
    """
    if not question.strip():
        return None
    order = VectorOrder(question=question[:LONGEST_QUESTION], agent=agent, person=owner)
    answer = await DeployedFunctions("", "", functions).ask(MAKER, order.model_dump_json().encode(), LONGEST_S)
    try:
        found = QuestionVector.model_validate_json(answer.said) if answer.status == 200 else None
    except ValidationError:
        found = None
    if found is None:
        log("a search in the console uses words only: no vector was made", status=answer.status or 0)
        return KnownVector(model=UNKNOWN)
    return KnownVector(model=found.model, vector=found.vector) if found.model else None

"""The order by which the console has another function make the vector of a search's question, and the answer."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

#: characters of a question that are searched
LONGEST_QUESTION = 500


class VectorOrder(BaseModel):
    """The request body that asks for the vector of a question. `person` pays, within the limits of `agent`."""

    model_config = ConfigDict(extra="forbid")

    job: Literal["vector"] = "vector"
    question: str = Field(min_length=1, max_length=LONGEST_QUESTION)
    agent: str
    person: int


class QuestionVector(BaseModel):
    """The vector of a question, and the mark of the model that made it; both are empty if there is no such model."""

    model_config = ConfigDict(frozen=True)

    model: str = ""
    vector: tuple[float, ...] = ()

"""The request by which the console asks another function for the vector of a search question, and the response."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from shared.values.evolve import FrozenModel

#: characters of a question that are searched
LONGEST_QUESTION = 500


class VectorOrder(BaseModel):
    """The request body: a question whose vector is to be made. `person` pays, within the limits of `agent`."""

    model_config = ConfigDict(extra="forbid")

    job: Literal["vector"] = "vector"
    question: str = Field(min_length=1, max_length=LONGEST_QUESTION)
    agent: str
    person: int


class QuestionVector(FrozenModel):
    """The vector of a question, and the name of the model that made it; both are empty if no model makes vectors."""

    model: str = ""
    vector: tuple[float, ...] = ()

"""What vectors are marked with: the model that made them, so that those of different models are never compared."""

import re
from typing import Final

#: numbers in a vector of Gemini's, which has 3,072 unless fewer are asked for: 768 lose next to nothing
DIMENSIONS: Final = 768
#: the setting of the model with which none is made; what has no vector for that reason is marked with it, too
NO_VECTORS: Final = "no"
_GEMINI: Final = re.compile(r"gemini-embedding-\d+", re.ASCII)


def mark_of(model: str) -> str:
    """The model's name, and the length of its vectors where that is a choice."""
    return f"{model}/{DIMENSIONS}" if _GEMINI.match(model) else model

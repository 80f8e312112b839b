"""Plain text and JSON, as a model can read them."""

import json
from contextlib import suppress

from shared.reader.extract.decoding import decoded_text

#: what is read of a text; the model is shown less than this of any page
MAX_CHARACTERS = 400_000
#: JSON that is longer is not indented: as values it takes many times as much memory
MOST_INDENTED = 4_000_000


def read_text(body: bytes, content_type: str) -> str:
    """The text as it is, its line ends unified."""
    return "\n".join(decoded_text(body, content_type)[:MAX_CHARACTERS].splitlines())


def read_json(body: bytes, content_type: str) -> str:
    """The JSON, indented; as it is where it cannot be parsed, or is very long."""
    text = decoded_text(body, content_type)
    if len(text) > MOST_INDENTED:
        return text[:MAX_CHARACTERS]
    with suppress(ValueError, RecursionError):
        text = json.dumps(json.loads(text), ensure_ascii=False, indent=1)
    return text[:MAX_CHARACTERS]

"""Optional features of a request to a model server, and a record of those that the server refused.

The features are functions, and an answer without thinking: Ollama counts thoughts against `max_tokens`, which they can
use up before a plan is begun. A server refuses a feature in its own words (`… does not support tools`, `invalid
reasoning value: 'none'`). The request is then repeated without the feature. If that works, later requests omit the
feature too.
"""

import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from local.gemini.calls import ApiError, Fault, Json

log = logging.getLogger(__name__)

#: groups of request fields that can be omitted, with the words by which a refusal is recognized
_OPTIONAL = {
    ("tools", "tool_choice"): ("tool", "grammar"),
    ("reasoning_effort", "chat_template_kwargs"): ("reasoning", "think", "chat_template_kwargs"),
}
#: Ollama has refused a level of thinking with status 500 as well (ollama/ollama issue 12561)
_REFUSALS = (Fault.INVALID_ARGUMENT, Fault.INTERNAL)

Ask = Callable[[Json], AsyncGenerator[Json]]


class Refusals:
    """The features that one model of one server has refused."""

    def __init__(self, server: str, model: str) -> None:
        """Start without refusals. `server` is the name in errors; it may contain words by which a refusal is
        recognized.
        """
        self._server, self._model = server, model
        self._left_out: frozenset[str] = frozenset()

    async def chunks(self, chat: Json, ask: Ask) -> AsyncGenerator[Json]:
        """Yield the chunks of the response to `chat`, without features that the server refuses. Raises ApiError."""
        left_out = self._left_out
        while True:
            sent = {name: value for name, value in chat.items() if name not in left_out}
            try:
                async with aclosing(ask(sent)) as chunks:
                    async for chunk in chunks:
                        self._left_out = left_out  # an error with such words may have another cause, as this one had
                        yield chunk
                return
            except ApiError as error:
                refused = self._parts_in(error) & sent.keys()
                if not refused:
                    raise
                log.info("%s is asked without %s: %s", self._server, ", ".join(sorted(refused)), error.message)
                left_out |= refused

    def _parts_in(self, error: ApiError) -> frozenset[str]:
        """Return the groups of fields that an error is about."""
        if error.fault not in _REFUSALS:
            return frozenset()
        said = error.message.replace(self._server, "").replace(self._model, "").lower()
        found = (parts for parts, words in _OPTIONAL.items() if any(word in said for word in words))
        return frozenset(next(found, ()))


def not_thinking(model: str) -> Json:
    """Return fields that disable thinking: the first for Ollama and LM Studio, the second for llama.cpp's templates.

    gpt-oss always thinks; its lowest level is `low` (docs.ollama.com/capabilities/thinking).
    """
    effort = "low" if "gpt-oss" in model.lower() else "none"
    return {"reasoning_effort": effort, "chat_template_kwargs": {"enable_thinking": False}}

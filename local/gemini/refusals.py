"""What a model server is asked for besides an answer, and what of that it turned out not to take.

Functions, and not to think first: Ollama counts thoughts against `max_tokens`, which can be used up before a plan is
begun. A server that refuses one of these says so in its own words (`… does not support tools`, `invalid reasoning
value: 'none'`). It is asked again without, and is not asked for it any more once that has worked.
"""

import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from local.gemini.calls import ApiError, Fault, Json

log = logging.getLogger(__name__)

#: parts of a request that can be left out together, and the words by which a refusal of them is known
_OPTIONAL = {
    ("tools", "tool_choice"): ("tool", "grammar"),
    ("reasoning_effort", "chat_template_kwargs"): ("reasoning", "think", "chat_template_kwargs"),
}
#: Ollama has refused a way of thinking with 500 as well (ollama/ollama issue 12561)
_REFUSALS = (Fault.INVALID_ARGUMENT, Fault.INTERNAL)

Ask = Callable[[Json], AsyncGenerator[Json]]


class Refusals:
    """What one model of one server has refused."""

    def __init__(self, server: str, model: str) -> None:
        """`server` is its name in errors, which may have words in it by which a refusal would be known."""
        self._server, self._model = server, model
        self._left_out: frozenset[str] = frozenset()

    async def chunks(self, chat: Json, ask: Ask) -> AsyncGenerator[Json]:
        """The chunks of the answer to `chat`, or to what of it the server takes. Raises ApiError."""
        left_out = self._left_out
        while True:
            sent = {name: value for name, value in chat.items() if name not in left_out}
            try:
                async with aclosing(ask(sent)) as chunks:
                    async for chunk in chunks:
                        self._left_out = left_out  # an error that has words of a refusal need not be one: this was
                        yield chunk
                return
            except ApiError as error:
                refused = self._parts_in(error) & sent.keys()
                if not refused:
                    raise
                log.info("%s is asked without %s: %s", self._server, ", ".join(sorted(refused)), error.message)
                left_out |= refused

    def _parts_in(self, error: ApiError) -> frozenset[str]:
        """The parts of a request that an error is about."""
        if error.fault not in _REFUSALS:
            return frozenset()
        said = error.message.replace(self._server, "").replace(self._model, "").lower()
        found = (parts for parts, words in _OPTIONAL.items() if any(word in said for word in words))
        return frozenset(next(found, ()))


def not_thinking(model: str) -> Json:
    """What has a model answer at once: Ollama and LM Studio read the first, llama.cpp's templates the second.

    gpt-oss always thinks; the least that it does is `low` (docs.ollama.com/capabilities/thinking).
    """
    effort = "low" if "gpt-oss" in model.lower() else "none"
    return {"reasoning_effort": effort, "chat_template_kwargs": {"enable_thinking": False}}

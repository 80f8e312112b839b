"""A backend that makes no vectors, and beside it something that does."""

from dataclasses import replace

from local.gemini.calls import Answer, Backend, Call
from local.gemini.embeddings import Vectors, embedded
from local.gemini.state import ModelReport


class WithVectors:
    """Calls for vectors go to one, all others to the other."""

    def __init__(self, backend: Backend, vectors: Vectors) -> None:
        """Both start and stop with it."""
        self._backend, self._vectors = backend, vectors

    async def start(self) -> None:
        """Begin to get both ready."""
        await self._backend.start()
        await self._vectors.start()

    async def stop(self) -> None:
        """Let go of both."""
        await self._backend.stop()
        await self._vectors.stop()

    def report(self) -> ModelReport:
        """How far both are."""
        return replace(self._backend.report(), vectors=self._vectors.report())

    async def answer(self, call: Call) -> Answer:
        """What the one answers that is asked."""
        return await (embedded(call, self._vectors) if call.embeds else self._backend.answer(call))

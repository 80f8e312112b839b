"""Combines a backend that makes no vectors with a separate source of vectors."""

from dataclasses import replace

from local.gemini.calls import Answer, Backend, Call
from local.gemini.embeddings import Vectors, embedded
from local.gemini.state import ModelReport


class WithVectors:
    """Sends calls for vectors to the source of vectors, and all others to the backend."""

    def __init__(self, backend: Backend, vectors: Vectors) -> None:
        """Combine both; they start and stop together."""
        self._backend, self._vectors = backend, vectors

    async def start(self) -> None:
        """Begin to prepare both."""
        await self._backend.start()
        await self._vectors.start()

    async def stop(self) -> None:
        """Release the resources of both."""
        await self._backend.stop()
        await self._vectors.stop()

    def report(self) -> ModelReport:
        """Return the state of both."""
        return replace(self._backend.report(), vectors=self._vectors.report())

    async def answer(self, call: Call) -> Answer:
        """Return the response of the one that serves this call."""
        return await (embedded(call, self._vectors) if call.embeds else self._backend.answer(call))

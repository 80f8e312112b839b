"""Probes: test calls with which the canary finds broken services.

A function probes each service that it needs, just as it uses the service for people, and reports the results. All
probes are made even if some fail, so that one failure does not hide another.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from shared.base.errors import BlobsUnavailable, ExportsUnavailable, LullError, ModelError, ModelTrouble
from shared.base.logs import log
from shared.llm.metering import charge_embeddings_to
from shared.llm.ports.embedding import EmbeddingTask
from shared.values.canary import NOT_ASKED, PROBE_WORDS, CanaryStep, ProbeReport, ProbeResult
from shared.values.capabilities import OutputKind
from shared.values.media import MediaKind
from shared.values.prompt import Prompt, PromptTurn, TurnRole
from shared.values.stored_media import StoredPart
from shared.values.usage import ModelUse, Purpose

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from shared.chat.archive import Archive
    from shared.cloud.export_bucket import StorageExports
    from shared.llm.gemini.model import GeminiModel
    from shared.llm.ports.embedding import Embedder
    from shared.llm.ports.world import MessagingChannel, ModelProvider
    from shared.media.blobs import StorageBlobs
    from shared.reader.ports import MediaPreparer
    from shared.tools.reader import HttpReader

LONGEST_S: Final = 25.0
#: content that is stored in a bucket
STORED: Final = b"canary"
#: the name of the canary's file in an archive, distinct from the names of conversations and deletions
ARCHIVED: Final = "canary"
#: the most tokens of a reply, including thoughts; a reply that is cut off counts as an answer
REPLY_TOKENS: Final = 64


@dataclass(frozen=True)
class Probe:
    """A test call of one service. `call` returns a text about the result, or raises if the service failed."""

    step: CanaryStep
    call: Callable[[], Awaitable[str]]
    agent: str = ""


class ProbeFailed(LullError):
    """The probed service answered, but not as expected."""


async def probe(probes: Sequence[Probe], longest_s: float = LONGEST_S) -> ProbeReport:
    """Make all probes at the same time, each with a time limit of `longest_s` seconds. Return their results."""
    found = await asyncio.gather(*(_call_in_time(one, longest_s) for one in probes), return_exceptions=True)
    return ProbeReport(probed=tuple(_result_of(one, came) for one, came in zip(probes, found, strict=True)))


async def _call_in_time(one: Probe, longest_s: float) -> str:
    async with asyncio.timeout(longest_s):
        return await one.call()


def _result_of(one: Probe, came: str | BaseException) -> ProbeResult:
    if isinstance(came, str):
        return ProbeResult(step=one.step, agent=one.agent, is_well=True, said=came)
    said = str(came) if isinstance(came, LullError) else type(came).__name__
    if isinstance(came, TimeoutError):
        said = "there was no answer in time"
    log(f"a probe failed: {one.step}: {said}", logging.ERROR)
    return ProbeResult(step=one.step, agent=one.agent, is_well=False, said=said)


async def ask_models(models: ModelProvider, names: Sequence[str], prompt: Prompt | None = None) -> str:
    """Ask each of these models for a few tokens. Raises ProbeFailed with the names of the models that did not answer.

    A model that is not asked because a spending limit is reached does not count as a failure.
    """
    asked = prompt or answer_prompt("Answer with the word well.")
    found = await asyncio.gather(*(_ask(models, name, asked) for name in names), return_exceptions=True)
    wrong = [came for came in found if isinstance(came, BaseException)]
    for other in wrong:
        if not isinstance(other, LullError):
            raise other
    if wrong:
        raise ProbeFailed("; ".join(map(str, wrong)))
    return "; ".join(str(came) for came in found)


def answer_prompt(words: str) -> Prompt:
    """Return the prompt that asks with `words` for an answer of a few tokens."""
    turn = PromptTurn(role=TurnRole.USER, parts=(words,))
    return Prompt(system=PROBE_WORDS, turns=(turn,), reply_tokens=REPLY_TOKENS)


async def _ask(models: ModelProvider, name: str, prompt: Prompt) -> str:
    try:
        reply = await models.model(name, ModelUse(purpose=Purpose.PROBE, chat=None)).generate(prompt, None)
    except ModelError as error:
        if error.trouble is ModelTrouble.LIMIT:
            return f"{name} {NOT_ASKED}: {error}"
        raise ProbeFailed(f"{name}: {error}") from error
    if prompt.makes is not OutputKind.TEXT and not reply.files:
        raise ProbeFailed(f"{name} returned no file")
    return f"{name} answered"


async def find_model(model: GeminiModel, name: str) -> str:
    """Check that a model exists and may be used, by letting it count tokens, which is free. Raises ProbeFailed."""
    try:
        await model.count_tokens(PROBE_WORDS)
    except ModelError as error:
        raise ProbeFailed(f"{name}: {error}") from error
    return f"{name} is there"


async def embed_words(embedder: Embedder) -> str:
    """Let a model make one vector. Raises ProbeFailed if that fails, except because of a spending limit."""
    with charge_embeddings_to(ModelUse(purpose=Purpose.PROBE, chat=None)):
        try:
            await embedder.embed([PROBE_WORDS], EmbeddingTask.DOCUMENT)
        except ModelError as error:
            if error.trouble is ModelTrouble.LIMIT:
                return f"{embedder.model} {NOT_ASKED}: {error}"
            raise ProbeFailed(f"{embedder.model}: {error}") from error
    return f"{embedder.model} made a vector"


async def ask_telegram(channel: MessagingChannel) -> str:
    """Ask Telegram for the bot's identity. Raises a ChannelError."""
    return f"it knows @{(await channel.identity()).username}"


async def read_a_page(reader: HttpReader, files: MediaPreparer, url: str) -> str:
    """Let the reader read a page, or open a file if the reader's rules forbid the page. Raises ProbeFailed."""
    page = await reader.read(url, is_automatic=False)
    if page.text:
        return "a page was read"
    if not page.is_forbidden:
        raise ProbeFailed(page.problem or "the page has no text")
    made = await files.prepare(MediaKind.DOCUMENT, "text/plain", STORED)
    if made.problem:
        raise ProbeFailed(made.problem)
    return "a file was opened; its rules forbid the page that would be read"


def part_of(run: str) -> StoredPart:
    """Return the name, type and size of the file part that the canary of this run stores."""
    return StoredPart(path=f"canary/{run}", mime_type="text/plain", size=len(STORED))


async def store_media(blobs: StorageBlobs, run: str) -> str:
    """Store a part of a file and read it back. Raises BlobsUnavailable."""
    await blobs.put(part_of(run), STORED)
    if await blobs.get(part_of(run)) != STORED:
        raise BlobsUnavailable("the bucket of media returned other bytes than this canary stored")
    return "a part was stored and read"


def canary_export_run(run: str) -> str:
    """Return the run id of the canary's export, which no person requested. The canary stores one part of it."""
    return f"canary-{run}"


async def store_export(bucket: StorageExports, run: str) -> str:
    """Store a part of an export. Raises ExportsUnavailable."""
    async with bucket.writing(f"{canary_export_run(run)}/part") as part:
        await part.write(STORED)
    return "a part was stored"


async def read_export(bucket: StorageExports, run: str) -> str:
    """Read the part of an export that another function stored. Raises ExportsUnavailable."""
    pieces = [piece async for piece in bucket.pieces(f"{canary_export_run(run)}/part", len(STORED))]
    if b"".join(pieces) != STORED:
        raise ExportsUnavailable("the bucket of exports returned other bytes than this canary stored")
    return "the part was read"


async def store_file(archive: Archive) -> str:
    """Store the canary's file in an archive; an older one is replaced. Raises ArchiveUnavailable."""
    await archive.put(ARCHIVED, STORED)
    return f"a file was stored in {archive.url}"

"""The last source of descriptions: it downloads a file, prepares it, stores its parts, and asks a model to describe it.

The process may die after any step. So each step is recorded before it begins: the document gets a claim and the number
of tries before the download, and the names of the parts before they are stored.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from shared.base.errors import BlobsUnavailable, ChannelError, ModelRefused, ModelUnavailable, WriteConflict
from shared.base.logs import log
from shared.llm.ports.world import ModelProvider
from shared.media import failures
from shared.media.description_prompt import SCHEMA, describing_prompt, read_reply
from shared.media.failures import DescribingFailed
from shared.media.store.media import MediaSnapshot
from shared.reader.ports import MediaPreparer
from shared.values.capabilities import capabilities_of, may_describe
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.prepared import TEXT, PreparedFile
from shared.values.reference import FileReference
from shared.values.stored_media import MOST_TRIES, StoredPart
from shared.values.trust import TrustTier
from shared.values.usage import ModelUse, Purpose

if TYPE_CHECKING:
    from shared.media.blobs import StorageBlobs
    from shared.media.ports import FileDownloads
    from shared.media.store.media import FirestoreMedia


#: seconds that a file waits for other files of the same instance before it is begun
TURN_S: Final = 60.0
#: seconds for preparing a file: the reader decodes for at most 55 s, and may have to start first
#: (shared/media/media_reader.py)
PREPARE_S: Final = 75.0
#: seconds for storing all parts of a file
STORE_S: Final = 45.0
#: seconds for Firestore's reads and writes between the steps
BETWEEN_S: Final = 40.0


class StepTimeouts(NamedTuple):
    """Time limits in seconds: of the download, of the model's answer with its retries, and of each other step."""

    download_s: float
    ask_s: float
    turn_s: float = TURN_S
    prepare_s: float = PREPARE_S
    store_s: float = STORE_S


_USUAL: Final = StepTimeouts(download_s=45.0, ask_s=90.0)
_QUICK: Final = StepTimeouts(download_s=20.0, ask_s=45.0)
_BY_KIND: Final = {
    MediaKind.PHOTO: _QUICK,
    MediaKind.STICKER: _QUICK,
    MediaKind.CUSTOM_EMOJI: _QUICK,
    MediaKind.ANIMATION: StepTimeouts(download_s=30.0, ask_s=45.0),
    # somebody is waiting for the transcript
    MediaKind.VOICE: StepTimeouts(download_s=20.0, ask_s=60.0),
    MediaKind.VIDEO_NOTE: StepTimeouts(download_s=30.0, ask_s=60.0),
}


def timeouts_for(kind: MediaKind) -> StepTimeouts:
    """Return the time limits for a kind of file."""
    return _BY_KIND.get(kind, _USUAL)


def claim_time(kind: MediaKind) -> timedelta:
    """Return how long a claim on a file lasts: longer than all steps, so that no other run begins the same file."""
    given = timeouts_for(kind)
    return timedelta(seconds=given.download_s + given.prepare_s + given.store_s + given.ask_s + BETWEEN_S)


Result = TypeVar("Result")

#: how many small files an instance handles at once. In addition it handles one large file, which needs up to 150 MiB of
#: memory (20 MB as a download, as parts, as base64 and as a request)
AT_ONCE: Final = 2
LARGE_BYTES: Final = 4 * 1_048_576
#: kinds that Telegram limits to half a megabyte (core.telegram.org/stickers), even where Telegram reports no size
_SMALL: Final = frozenset({MediaKind.STICKER, MediaKind.CUSTOM_EMOJI})


@dataclass(frozen=True, kw_only=True)
class ModelSource:
    """The source that lets a model describe files. Without `blobs` it stores no parts."""

    store: FirestoreMedia
    #: by the agent's name
    downloads: Mapping[str, FileDownloads]
    preparer: MediaPreparer
    blobs: StorageBlobs | None
    models: ModelProvider
    #: the name of the model that describes
    model: str
    clock: Callable[[], datetime]
    #: time limits by the kind of file
    step_timeouts: Callable[[MediaKind], StepTimeouts] = timeouts_for
    gate: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    large: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))

    async def describe(self, reference: FileReference) -> Description | None:
        """Try once to describe a file; store the result. Raises StoreUnavailable, StoreRefused or WriteConflict."""
        ref = reference.ref
        async with _turn(self.large if _may_be_large(ref) else self.gate, self.step_timeouts(ref.kind).turn_s):
            now = self.clock()
            held = await self.store.claim(reference, now, now + claim_time(ref.kind))
            attempt = _Attempt(self, reference, held)
            found = await attempt.run()
            kept = failures.media_after(attempt.held.media, found, self.clock(), attempt.met)
            await self.store.keep(attempt.held, kept)
        outcome = (kept.description or found).outcome
        log("an attempt to describe a file has ended", kind=kept.kind.value, outcome=outcome.value, tries=kept.tries)
        return kept.description


@dataclass
class _Attempt:
    """One try to describe a file, with the file's document as this run last wrote it."""

    by: ModelSource
    reference: FileReference
    held: MediaSnapshot
    #: the spending limit that stopped this try, or None
    met: failures.LimitHit | None = None

    @property
    def step_timeouts(self) -> StepTimeouts:
        return self.by.step_timeouts(self.reference.ref.kind)

    async def run(self) -> Description:
        """Return the result of the try. A failure is a description, too: `outcome` and `why` say what failed."""
        media = self.held.media
        if media.tries > MOST_TRIES:
            why = (media.description.why if media.description else "") or failures.DIED
            why = failures.GIVEN_UP.format(tries=MOST_TRIES, why=why)
            return Description(outcome=DescriptionOutcome.PERMANENT_FAILURE, why=why)
        if not may_describe(self.by.model, self.reference.ref.kind, self.reference.ref.mime_type):
            return Description(outcome=DescriptionOutcome.UNSUPPORTED, why=failures.NOT_TAKEN)
        try:
            return await self._ask_model(await self._load_or_prepare())
        except DescribingFailed as failure:
            if failure.again_at is not None:
                self.met = failures.LimitHit(failure.again_at, self._use().person)
            return failure.description

    def _use(self) -> ModelUse:
        """Return the model use, which names the payer: the sender, or the owner who requested a new description."""
        sent, again = self.reference, self.held.media.again
        if again is not None:
            return ModelUse(purpose=Purpose.DESCRIBE, chat=again.key, person=again.by, tier=TrustTier.OWNER)
        return ModelUse(purpose=Purpose.DESCRIBE, chat=sent.key, person=sent.person, tier=sent.tier)

    async def _load_or_prepare(self) -> PreparedFile:
        """Return the file in a form that a model accepts: its stored parts, or new ones, which are then stored."""
        stored = await self._load_stored()
        if stored is not None:
            return stored
        ref = self.reference.ref
        try:
            async with asyncio.timeout(self.step_timeouts.prepare_s + self.step_timeouts.download_s):
                made = await self.by.preparer.prepare(ref.kind, ref.mime_type, await self._download())
        except TimeoutError:
            raise DescribingFailed(DescriptionOutcome.TEMPORARY_FAILURE, failures.READER_DOWN) from None
        if made.problem:
            raise failures.failure_of_preparing(made)
        await self._keep_parts(made)
        return made

    async def _download(self) -> bytes:
        """Download the file with the bot of the reference. If Telegram no longer gives it to that bot, try other bots.

        A file id is valid for one bot only.
        """
        try:
            return await self._download_with(self.reference)
        except DescribingFailed as failure:
            if failure.description.why != failures.NOT_GIVEN:
                raise
            for other in await self._others():
                with suppress(DescribingFailed):
                    return await self._download_with(other)
            raise

    async def _others(self) -> Sequence[FileReference]:
        """Return references by which other agents' bots can get the file: for each agent, the newest open one."""
        mine, found = self.reference, await self.by.store.open_references(self.reference.ref.unique_id)
        newest = {one.agent: one for one in sorted(found, key=lambda one: one.at)}
        return [one for agent, one in newest.items() if agent != mine.agent and agent in self.by.downloads]

    async def _download_with(self, reference: FileReference) -> bytes:
        ref, downloads = reference.ref, self.by.downloads[reference.agent]
        try:
            is_emoji = ref.kind is MediaKind.CUSTOM_EMOJI
            file_id = await downloads.custom_emoji_file(ref.file_id) if is_emoji else ref.file_id
            return await downloads.download(file_id, self.step_timeouts.download_s)
        except ChannelError as error:
            log(str(error))
            raise failures.failure_of_download(error) from None

    async def _load_stored(self) -> PreparedFile | None:
        """Return the parts that an earlier try stored, or None if one is missing."""
        media = self.held.media
        if self.by.blobs is None or not media.parts:
            return None
        return media.to_prepared(await self._call_storage(self.by.blobs.get(one) for one in media.parts))

    async def _keep_parts(self, made: PreparedFile) -> None:
        """Write the parts' names to the file's document, and then store the parts."""
        if self.by.blobs is None:
            return
        unique_id = self.reference.ref.unique_id
        stored = tuple(
            StoredPart(
                # named by its content, so that a part made by another version of lull is another object
                path=f"{unique_id}/{number}-{hashlib.sha256(one.content).hexdigest()[:16]}",
                mime_type=one.mime_type,
                size=len(one.content),
                duration_s=one.duration_s,
            )
            for number, one in enumerate(made.model_parts)
        )
        kept = evolve(self.held.media, parts=stored, facts=made.facts, updated_at=self.by.clock())
        self.held = await self.by.store.keep(self.held, kept)
        contents = (one.content for one in made.model_parts)
        await self._call_storage(self.by.blobs.put(*one) for one in zip(stored, contents, strict=True))

    async def _call_storage(self, calls: Iterable[Awaitable[Result]]) -> Sequence[Result]:
        """Make these calls to Cloud Storage concurrently and return their results."""
        try:
            async with asyncio.timeout(self.step_timeouts.store_s):
                return await asyncio.gather(*calls)
        except (BlobsUnavailable, TimeoutError) as error:
            log(f"parts of a file could not be stored or read: {type(error).__name__}")
            raise DescribingFailed(DescriptionOutcome.TEMPORARY_FAILURE, failures.STORAGE_DOWN) from None

    async def _ask_model(self, shown: PreparedFile) -> Description:
        """Return the model's description. Raises DescribingFailed."""
        ref, takes = self.reference.ref, capabilities_of(self.by.model).takes_type
        seen = [one for one in shown.model_parts if takes(one.mime_type)]
        parts = seen or [one for one in shown.model_parts if one.mime_type == TEXT]  # a PDF shows more than its text
        if not parts:
            raise DescribingFailed(DescriptionOutcome.UNSUPPORTED, failures.NOT_TAKEN)
        model = self.by.models.model(self.by.model, self._use())
        prompt = describing_prompt(ref, parts, shown.facts)
        try:
            async with asyncio.timeout(self.step_timeouts.ask_s):
                reply = await model.generate(prompt, SCHEMA)
        except ModelRefused as error:
            log(str(error))
            raise failures.failure_of_refusal(error, self.held.media.description) from None
        except (ModelUnavailable, TimeoutError) as error:
            log(f"no description: {type(error).__name__}")
            raise failures.failure_of_unavailable(getattr(error, "again_at", None)) from None
        answer = read_reply(reply.text, ref.kind) if reply.is_complete else None
        if answer is None:
            raise failures.failure_of_empty_answer(self.held.media.description, reply.call)
        return Description(
            outcome=DescriptionOutcome.DESCRIBED,
            shows=answer.shows,
            written=answer.written,
            says=answer.says,
            is_cut=shown.facts.is_cut,
            source=self.by.model,
            call=reply.call,
        )


@asynccontextmanager
async def _turn(gate: asyncio.Semaphore, longest_s: float) -> AsyncIterator[None]:
    """Wait for a free place in `gate`, and hold it during the block. `gate` limits how many files are described at
    once.

    Raises WriteConflict after `longest_s` seconds, since the caller's own time is limited.
    """
    try:
        async with asyncio.timeout(longest_s):
            await gate.acquire()
    except TimeoutError:
        raise WriteConflict("this instance is busy describing other files") from None
    try:
        yield
    finally:
        gate.release()


def _may_be_large(ref: MediaRef) -> bool:
    """Return whether a file may be large. If its size is unknown, only stickers and custom emoji count as small."""
    return ref.kind not in _SMALL and not 0 < ref.size <= LARGE_BYTES

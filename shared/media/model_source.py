"""The last source: a file is downloaded, made into what a model takes, stored, and described by a model.

Each step may be the last one of its process. What is kept says before each step what it may leave behind: a claim and
a try before the download, the names of the stored parts before they are stored.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from shared.base.errors import BlobsUnavailable, ChannelError, Contended, ModelRefused, ModelUnavailable
from shared.base.logs import log
from shared.llm.ports.world import ModelProvider
from shared.media import failures
from shared.media.description_prompt import SCHEMA, describing_prompt, read_reply
from shared.media.failures import DescribingFailed
from shared.media.store.media import MediaSnapshot
from shared.reader.ports import MediaPreparer
from shared.values.capabilities import InputKind, capabilities_of, expected_input_kind
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.prepared import TEXT, PreparedFile
from shared.values.reference import FileReference
from shared.values.stored_media import MOST_TRIES, StoredPart
from shared.values.usage import ModelUse, Purpose

if TYPE_CHECKING:
    from shared.media.blobs import StorageBlobs
    from shared.media.store.media import FirestoreMedia
    from shared.telegram.outbound.client import TelegramDownloads


#: for others that the same instance describes, before a file is begun
TURN_S: Final = 60.0
#: the reader decodes for 55 s at most and may have to start (shared/media/media_reader.py)
PREPARE_S: Final = 75.0
#: for all parts of a file
STORE_S: Final = 45.0
#: reads and writes of Firestore between the steps
BETWEEN_S: Final = 40.0


class StepTimeouts(NamedTuple):
    """Seconds for a file's download, for the model's answer however often it is asked, and for the other steps."""

    download_s: float
    ask_s: float
    turn_s: float = TURN_S
    prepare_s: float = PREPARE_S
    store_s: float = STORE_S


_USUAL: Final = StepTimeouts(download_s=45.0, ask_s=90.0)
_QUICK: Final = StepTimeouts(download_s=20.0, ask_s=45.0)
_PATIENCE: Final = {
    MediaKind.PHOTO: _QUICK,
    MediaKind.STICKER: _QUICK,
    MediaKind.CUSTOM_EMOJI: _QUICK,
    MediaKind.ANIMATION: StepTimeouts(download_s=30.0, ask_s=45.0),
    # somebody waits for what was said
    MediaKind.VOICE: StepTimeouts(download_s=20.0, ask_s=60.0),
    MediaKind.VIDEO_NOTE: StepTimeouts(download_s=30.0, ask_s=60.0),
}


def timeouts_for(kind: MediaKind) -> StepTimeouts:
    """How long the steps of a kind of file may take."""
    return _PATIENCE.get(kind, _USUAL)


def claim_time(kind: MediaKind) -> timedelta:
    """How long whoever describes a file has it: longer than all steps together, so that nobody else begins."""
    given = timeouts_for(kind)
    return timedelta(seconds=given.download_s + given.prepare_s + given.store_s + given.ask_s + BETWEEN_S)


Answer = TypeVar("Answer")

#: files that an instance has in memory at once: small ones, and beside them a single large one, which takes up to
#: 150 MiB (20 MB as a download, as parts, as base64 and as a request)
AT_ONCE: Final = 2
LARGE_BYTES: Final = 4 * 1_048_576
#: kinds of which Telegram takes half a megabyte at most (core.telegram.org/stickers), whether it tells a size or not
_SMALL: Final = frozenset({MediaKind.STICKER, MediaKind.CUSTOM_EMOJI})


@dataclass(frozen=True, kw_only=True)
class ModelSource:
    """What describes files. Without `blobs` no part is stored."""

    store: FirestoreMedia
    #: by agent
    downloads: Mapping[str, TelegramDownloads]
    preparer: MediaPreparer
    blobs: StorageBlobs | None
    models: ModelProvider
    #: the name of the one that describes
    model: str
    clock: Callable[[], datetime]
    #: how long the steps of a kind of file may take
    step_timeouts: Callable[[MediaKind], StepTimeouts] = timeouts_for
    gate: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    large: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))

    async def describe(self, reference: FileReference) -> Description | None:
        """What came of this try, which is kept. Raises StoreUnavailable, StoreRefused, or Contended."""
        ref = reference.ref
        async with _turn(self.large if _may_be_large(ref) else self.gate, self.step_timeouts(ref.kind).turn_s):
            now = self.clock()
            held = await self.store.claim(reference, now, now + claim_time(ref.kind))
            attempt = _Attempt(self, reference, held)
            found = await attempt.run()
            kept = failures.media_after(attempt.held.media, found, self.clock(), attempt.met)
            await self.store.keep(attempt.held, kept)
        outcome = (kept.description or found).outcome
        log("a file was looked at", kind=kept.kind.value, outcome=outcome.value, tries=kept.tries)
        return kept.description


@dataclass
class _Attempt:
    """One try at one file, and what is kept of the file meanwhile."""

    by: ModelSource
    reference: FileReference
    held: MediaSnapshot
    #: the limit that it met
    met: failures.LimitHit | None = None

    @property
    def step_timeouts(self) -> StepTimeouts:
        return self.by.step_timeouts(self.reference.ref.kind)

    async def run(self) -> Description:
        """What came of it."""
        media = self.held.media
        if media.tries > MOST_TRIES:
            why = media.description.why if media.description else failures.DIED
            why = failures.GIVEN_UP.format(tries=MOST_TRIES, why=why)
            return Description(outcome=DescriptionOutcome.PERMANENT_FAILURE, why=why)
        if not _may_be_taken(self.reference.ref, self.by.model):
            return Description(outcome=DescriptionOutcome.UNSUPPORTED, why=failures.NOT_TAKEN)
        try:
            return await self._ask_model(await self._load_or_prepare())
        except DescribingFailed as failure:
            if failure.again_at is not None:
                self.met = failures.LimitHit(failure.again_at, self.reference.person)
            return failure.description

    async def _load_or_prepare(self) -> PreparedFile:
        """What a model may be shown: what an earlier try has stored, or the file itself, opened and stored."""
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
        """The file, by whichever bot Telegram still gives it to: of a reference it is good for that agent's alone."""
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
        """The newest reference to the file of each other agent that has one and waits for it."""
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
        """The parts that an earlier try stored; none if they are not all there."""
        media = self.held.media
        if self.by.blobs is None or not media.parts:
            return None
        return media.to_prepared(await self._call_storage(self.by.blobs.get(one) for one in media.parts))

    async def _keep_parts(self, made: PreparedFile) -> None:
        """Write the record of the parts, then store them."""
        if self.by.blobs is None:
            return
        unique_id = self.reference.ref.unique_id
        stored = tuple(
            StoredPart(
                # by what is in it: what another version of lull makes of the file is another object
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

    async def _call_storage(self, calls: Iterable[Awaitable[Answer]]) -> Sequence[Answer]:
        """What Cloud Storage answered to calls that are made at once."""
        try:
            async with asyncio.timeout(self.step_timeouts.store_s):
                return await asyncio.gather(*calls)
        except (BlobsUnavailable, TimeoutError) as error:
            log(f"parts of a file are not stored or read: {type(error).__name__}")
            raise DescribingFailed(DescriptionOutcome.TEMPORARY_FAILURE, failures.STORAGE_DOWN) from None

    async def _ask_model(self, shown: PreparedFile) -> Description:
        """The model's words of it."""
        ref, takes = self.reference.ref, capabilities_of(self.by.model).takes_type
        seen = [one for one in shown.model_parts if takes(one.mime_type)]
        parts = seen or [one for one in shown.model_parts if one.mime_type == TEXT]  # a PDF shows more than its text
        if not parts:
            raise DescribingFailed(DescriptionOutcome.UNSUPPORTED, failures.NOT_TAKEN)
        sent = self.reference
        use = ModelUse(purpose=Purpose.DESCRIBE, chat=sent.key, person=sent.person, tier=sent.tier)
        model = self.by.models.model(self.by.model, use)
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
        said = read_reply(reply.text, ref.kind) if reply.is_complete else None
        if said is None:
            raise failures.failure_of_empty_answer(self.held.media.description, reply.call)
        return Description(
            outcome=DescriptionOutcome.DESCRIBED,
            shows=said.shows,
            written=said.written,
            says=said.says,
            is_cut=shown.facts.is_cut,
            source=self.by.model,
            call=reply.call,
        )


@asynccontextmanager
async def _turn(gate: asyncio.Semaphore, longest_s: float) -> AsyncIterator[None]:
    """A place at a gate. Raises Contended where others have it for too long: whoever calls has a time-out."""
    try:
        async with asyncio.timeout(longest_s):
            await gate.acquire()
    except TimeoutError:
        raise Contended("this instance has enough other files to describe") from None
    try:
        yield
    finally:
        gate.release()


def _may_be_large(ref: MediaRef) -> bool:
    """Whether a file may be a large one, as is one whose size Telegram does not tell; stickers never are."""
    return ref.kind not in _SMALL and not 0 < ref.size <= LARGE_BYTES


def _may_be_taken(ref: MediaRef, model: str) -> bool:
    """Whether a model may be shown something of a file, by what that is said to be. Of some there is a text, too."""
    expected = expected_input_kind(ref.kind, ref.mime_type)
    return expected in {None, InputKind.TEXT, InputKind.PDF} or expected in capabilities_of(model).takes

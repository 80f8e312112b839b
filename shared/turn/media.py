"""The work of a tick on files: look up their descriptions, and request the missing ones."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from shared.base.errors import QueueError, StoreRefused, StoreUnavailable
from shared.base.logs import log
from shared.chat.queue import JobQueue
from shared.deciding.access_policy import AccessPolicy
from shared.telegram.inbound.entries import entry_of
from shared.turn.hearing import DescribingOptions, waiting_in
from shared.turn.revival import is_over
from shared.turn.situation import AwaitedFiles, ChatSituation
from shared.values.capabilities import WORDS_ONLY, capabilities_of
from shared.values.chat import Chat
from shared.values.described import descriptions_in, with_descriptions
from shared.values.evolve import evolve
from shared.values.media import SPOKEN, Description, DescriptionOutcome, MediaRef
from shared.values.message import AnyEntry, Edit, Message
from shared.values.prepared import MOST_FILE_BYTES, TOO_LARGE
from shared.values.reference import GRACE, FileReference, describe_again_job, describe_job
from shared.values.showing import FileLimits
from shared.values.update import InboxUpdate
from shared.webchat.files import is_web_file

if TYPE_CHECKING:
    from shared.media.known import KnownMedia

#: seconds between lookups of files on which a plan depends; a function that is not running takes ten to start
LOOKS_S: Final = (0.0, 0.3, 0.5, 0.9, 1.6, 2.7, 3.0, 3.0, 3.0)
NOBODY_LOOKS: Final = "no model here opens files"


@dataclass(frozen=True, kw_only=True)
class MediaServices:
    """The services and settings for files in one agent's deployment."""

    descriptions: KnownMedia
    jobs: JobQueue
    #: whether a model describes files in this deployment
    is_describing: bool
    #: whether the planning model gets the files themselves, in a prepared form, if it accepts their type
    is_seeing: bool
    #: the number of files for which one tick requests descriptions; the others are left for the sweep
    budget: int
    #: the time that a message waits for the description of its file
    wait: timedelta
    #: the limits of the files that a planning model is shown
    limits: FileLimits = field(default=FileLimits())
    looks_s: tuple[float, ...] = LOOKS_S


@dataclass(kw_only=True)
class TickMedia:
    """Handles the files of one tick. Requests for descriptions are stored together with the files' messages."""

    services: MediaServices | None
    _asked: dict[str, FileReference] = field(default_factory=dict, init=False)
    _files: set[str] = field(default_factory=set, init=False)

    async def with_known_files(
        self, situation: ChatSituation, unread: Sequence[InboxUpdate], model: str, now: datetime
    ) -> ChatSituation:
        """Return the situation with the known descriptions, and with the messages that wait for missing ones. `model`
        is the name of the planning model. Raises StoreUnavailable or StoreRefused.
        """
        waiting = waiting_in(situation.window)
        situation = replace(situation, files=AwaitedFiles(waiting=waiting), now=now)
        if self.services is None:
            return situation
        if over := [
            one for one in waiting if is_over(one, situation)
        ]:  # the description may be known, but not delivered to the chat yet
            found = await self._find_known({ref.unique_id: ref for one in over for ref in one.media_refs})
            waiting = tuple(with_descriptions(one, found) for one in waiting)
        entries = [entry_of(update, situation.me.bot_id) for update in unread]
        told = descriptions_in(entries)
        refs = {ref.unique_id: ref for one in entries for ref in _own_refs(one) if ref.unique_id not in told}
        found = {**await self._find_known(refs), **told}
        known = {name: evolve(one, call=None) for name, one in found.items() if one.outcome.is_final}
        how = DescribingOptions(
            until=now + self.services.wait if self.services.is_describing else None,
            planner=capabilities_of(model) if self.services.is_seeing else WORDS_ONLY,
            limits=self.services.limits,
            most=self.services.budget,
        )
        return replace(situation, files=AwaitedFiles(known=known, describing=how, waiting=waiting))

    async def _find_known(self, refs: Mapping[str, MediaRef]) -> Mapping[str, Description]:
        assert self.services is not None
        known = dict(await self.services.descriptions.of_files(list(refs.values()))) if refs else {}
        for name, ref in refs.items():
            if name not in known and (why := self._reason_never_described(ref)):
                known[name] = Description(outcome=DescriptionOutcome.UNSUPPORTED, why=why)
        return known

    def _reason_never_described(self, ref: MediaRef) -> str:
        """Return the reason why a file will never be described here; empty if it may be described."""
        assert self.services is not None
        if ref.size > MOST_FILE_BYTES:
            return TOO_LARGE
        return "" if self.services.is_describing or self.services.is_seeing else NOBODY_LOOKS

    async def ask(
        self, entries: Iterable[AnyEntry], chat: Chat, now: datetime, access: AccessPolicy
    ) -> tuple[FileReference, ...]:
        """Request descriptions of new files, and return references to all the files of the entries.

        The sender pays, within the limits of the sender's tier. Files for which no description can be requested now are
        left for the sweep.
        """
        services = self.services
        if services is None:
            return ()
        found = [_reference(entry, ref, chat, now, access) for entry in entries for ref in _own_refs(entry)]
        found.sort(key=lambda one: one.ref.kind not in SPOKEN)  # files with speech first: messages wait for them
        joined = [one.merge([o for o in found if o.id == one.id]) for one in {o.id: o for o in found}.values()]
        is_asking = services.is_describing and not chat.is_muted(now)
        references = [one if is_asking else evolve(one, is_open=False) for one in joined]
        return tuple(
            [await self._request_description(one, services, now) if one.is_open else one for one in references]
        )

    async def _request_description(
        self, reference: FileReference, services: MediaServices, now: datetime
    ) -> FileReference:
        name = reference.ref.unique_id
        if name not in self._files:
            if len(self._files) >= services.budget:
                log("a file is described later: this tick has requested enough descriptions")
                return reference
            self._files.add(name)
            try:
                await services.jobs.enqueue(describe_job(reference, now))
            except QueueError as error:
                self._files.discard(name)
                log(f"a file is described later: {error}")
                return reference
        self._asked[reference.id] = evolve(reference, try_at=now + GRACE)
        return self._asked[reference.id]

    async def wait_until_seen(self, refs: Sequence[MediaRef]) -> Sequence[MediaRef]:
        """Wait some seconds for descriptions of these files. Return the files with what is known. Never raises."""
        services = self.services
        if services is None or not services.is_describing:
            return refs
        for pause in services.looks_s:
            await asyncio.sleep(pause)
            try:
                known = await services.descriptions.of_files([ref for ref in refs if ref.description is None])
            except (StoreUnavailable, StoreRefused) as error:
                log(f"descriptions of files cannot be looked up: {error}")
                return refs
            refs = [evolve(ref, description=known.get(ref.unique_id, ref.description)) for ref in refs]
            if all(ref.description is not None for ref in refs):
                return refs
        log("a plan depends on files that were not described in time, and may contain text", count=len(refs))
        return refs

    async def look_again(self, now: datetime) -> None:
        """Enqueue the sending of descriptions that were stored before the chat was recorded as waiting for them."""
        services, asked = self.services, list(self._asked.values())
        if services is None or not asked:
            return
        self._asked.clear()
        try:
            known = await services.descriptions.of_files([one.ref for one in asked])
            for reference in asked:
                if reference.ref.unique_id in known:
                    await services.jobs.enqueue(describe_again_job(reference, now))
        except (StoreUnavailable, StoreRefused, QueueError) as error:
            log(f"new descriptions of files reach the chat later: {error}")


def own_file_references(entries: Iterable[AnyEntry], chat: Chat) -> Iterator[FileReference]:
    """Yield references to the files that the agent sent in a web conversation. A deletion uses them to find the files.

    Files that the agent sends in Telegram need no reference: Telegram stores them.
    """
    messages = (entry for entry in entries if isinstance(entry, Message))
    for message, ref in ((one, ref) for one in messages for ref in one.media_refs if is_web_file(ref.unique_id)):
        yield FileReference(
            ref=evolve(ref, description=None, words=""),
            agent=chat.key.agent,
            chat=chat.key.id,
            conversation=chat.conversation,
            chat_kind=chat.kind,
            message_ids=(message.message_id,),
            at=message.at,
            is_open=False,
            try_at=message.at,
        )


def _own_refs(entry: AnyEntry) -> Iterator[MediaRef]:
    """Yield the files in a message or edit by a person, without those that have no unique id."""
    if isinstance(entry, Message | Edit) and not entry.author.is_agent:
        yield from (ref for ref in entry.media_refs if ref.unique_id)


def _reference(entry: AnyEntry, ref: MediaRef, chat: Chat, now: datetime, access: AccessPolicy) -> FileReference:
    assert isinstance(entry, Message | Edit)
    decision, origin = entry.decision, entry.forwarded_from if isinstance(entry, Message) else None
    origin = origin if origin is None or origin.id != entry.author.id else None
    return FileReference(
        ref=evolve(
            ref, description=None, words=""
        ),  # the reference does not need the words with which this message shows the file
        agent=chat.key.agent,
        chat=chat.key.id,
        conversation=chat.conversation,
        chat_kind=chat.kind,
        person=entry.author.id,
        tier=access.tier_of(entry.author.id),
        message_ids=(entry.message_id,),
        passed_on_from=(origin.known_id,) if origin is not None else (),
        is_own=origin is None,
        at=entry.at,
        is_open=ref.description is None,
        is_awaited=decision is not None and decision.until is not None,
        try_at=now,
    )

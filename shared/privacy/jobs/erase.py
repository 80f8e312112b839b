"""Deletes all data about a person, a group or a conversation, in steps that may be killed and repeated.

All steps run twice, in two rounds. The second round begins when functions that had read data before the first round
have surely ended. It deletes what these functions wrote in between. Ticks cannot interfere, since each chat is claimed
before it is changed.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from shared.base.errors import ArchiveUnavailable, LeaseLost, WriteConflict
from shared.base.logs import about, log, log_failure
from shared.base.wording.words import Phrase, Words, bullet_list, join_phrases, words_in
from shared.chat.archive import Archive
from shared.chat.archive_names import deletion_name_of, name_of
from shared.chat.deletion_files import deletion_content
from shared.chat.lines import content_of
from shared.chat.queue import TickQueue
from shared.chat.session import Session
from shared.privacy.deletion.plans import is_about, is_from_before, without
from shared.privacy.document_files import erase_documents
from shared.privacy.jobs.erase_places import erase_chat, erase_conversation, leave_conversation
from shared.privacy.jobs.erase_run import Deleter, DeletionRun, RunTimeExceeded, with_moved
from shared.privacy.jobs.erase_words import erase_repeated, erase_repeated_of, erase_words, names_of
from shared.privacy.store.media_deletion import SenderFilter
from shared.privacy.store.person_deletion import BotDeletionCriteria
from shared.values.button_data import person_in
from shared.values.chat_key import ChatKey
from shared.values.deletion import MOST_FILES, SETTLING, Deletion, DeletionScope, deletion_job
from shared.values.evolve import evolve
from shared.values.job_run import JobRun
from shared.values.outbox import OutboxNotice
from shared.values.reminder import reminder_id

#: the second round deletes what other functions wrote during the first
ROUNDS: Final = 2
#: Delay before the next run if another function has claimed a chat.
AGAIN: Final = timedelta(seconds=15)
#: time after which a deletion is tried again in an archive that refused it
REFUSED: Final = timedelta(days=1)

Step = Callable[[DeletionRun], Awaitable[None]]


async def erase(deleter: Deleter, job_run: JobRun) -> Mapping[str, int]:
    """Run a deletion until its round is finished, or until another run has to continue it.

    Returns the counts of deleted data so far. Raises a StoreError, a QueueError, ArchiveUnavailable if an archive
    cannot be listed, BlobsUnavailable or ExportsUnavailable. The job may then be repeated.
    """
    seen = await deleter.log.read(job_run.deletion)
    now = deleter.clock()
    if seen is None or seen.deletion.due_at is None:
        log("there is no deletion to run")
        return {}
    if seen.deletion.is_waiting and seen.deletion.due_at > now:
        return seen.deletion.counts  # a call for an earlier round was delivered twice
    with about(erasure=job_run.deletion, round=str(seen.deletion.round)):
        run = DeletionRun(deleter, seen)
        try:
            await _steps(run)
        except (WriteConflict, LeaseLost, RunTimeExceeded) as error:
            if await run.is_overtaken():
                log("another run continues the deletion")
                return run.deletion.counts
            log(f"a deletion will continue later: {error}")
            at = deleter.clock() + (timedelta() if isinstance(error, RunTimeExceeded) else AGAIN)
            await deleter.queue.enqueue(deletion_job(job_run.deletion, now.isoformat(), at, job_run.traceparent))
            return run.deletion.counts
        await _end_round(run, job_run)
        with about(**run.deletion.counts):
            log("a round of a deletion is finished")
        return run.deletion.counts


async def _steps(run: DeletionRun) -> None:
    if run.deletion.cut is None:
        await run.save(cut=run.by.clock())
    for name, step in STEPS.items():
        if name not in run.deletion.done:
            await step(run)
            await run.save(done=(*run.deletion.done, name))


async def _end_round(run: DeletionRun, job_run: JobRun) -> None:
    """Schedule the second round, or finish the deletion.

    The task is created before the state is saved. If the run dies in between, the sweep finds the deletion all the
    same.
    """
    now, deletion = run.by.clock(), run.deletion
    if deletion.round < ROUNDS:
        at = now + SETTLING
        await run.by.queue.enqueue(deletion_job(deletion.id, f"round {deletion.round + 1}", at, job_run.traceparent))
        await run.save(round=deletion.round + 1, due_at=at, done=(), done_at=deletion.done_at or now)
        return
    if deletion.refused:  # the sweep continues it after this time
        await run.save(due_at=now + REFUSED, done=tuple(name for name in STEPS if name != "archives"))
        return
    await run.save(due_at=None, gone=(), changed=(), files=(), parts=(), names=(), takeouts=())


async def _write_register(run: DeletionRun) -> None:
    """Store the deletion in a file outside of the database, before anything is deleted.

    If the database is restored later, the file makes sure that the data is deleted again.
    """
    register = run.by.archiving.register
    if register is not None and run.deletion.round == 1:
        with about(archive=register.url):
            await register.put(deletion_name_of(run.deletion.id), deletion_content(run.deletion))


async def _found_files(run: DeletionRun) -> None:
    """Store which files belong only to the subject of the deletion. Later steps delete the data that shows this.

    Done only in the first round.
    """
    if run.deletion.round > 1:
        return
    if run.deletion.scope is DeletionScope.PERSON:
        await run.save(names=await names_of(run))
    files, parts = await run.by.media.files_of(await _senders(run))
    await run.save(files=tuple(files[:MOST_FILES]), parts=tuple(parts[:MOST_FILES]))


async def _chats(run: DeletionRun) -> list[str]:
    """Return the document ids of the chats that are deleted as a whole."""
    return [key.id for key in await _keys(run)]


async def _keys(run: DeletionRun) -> Sequence[ChatKey]:
    """Return the chats that are deleted as a whole. A group has one chat for each id that it has had."""
    deletion = run.deletion
    match deletion.scope:
        case DeletionScope.PERSON:
            seen = await run.by.finding.groups_of(deletion.person)
            direct = [key for key in seen if key.is_direct]
            return (*await run.by.finding.chats_of(deletion.person), *direct)
        case DeletionScope.GROUP:
            found = await run.by.finding.chats_of(deletion.key.chat_id, deletion.key.agent)
            return await with_moved(run, (deletion.key, *found))
        case _:
            return ()


async def _senders(run: DeletionRun) -> SenderFilter:
    """Return the filter that selects the files to delete."""
    deletion = run.deletion
    of_conversation = deletion.scope is DeletionScope.CONVERSATION
    chats = [] if of_conversation else [key.id for key in await _keys(run)]
    cut = None if of_conversation else run.cut
    return SenderFilter(
        person=deletion.person,
        names=frozenset(deletion.names),
        chats=frozenset(chats),
        conversation=deletion.conversation,
        cut=cut,
        gone=frozenset(deletion.gone),
    )


async def _words(run: DeletionRun) -> None:
    match run.deletion.scope:
        case DeletionScope.PERSON:
            await erase_words(run)
        case DeletionScope.GROUP:
            await erase_repeated(run, await _keys(run))
        case _:
            keys = await with_moved(run, [run.deletion.key])
            await erase_repeated_of(run, keys, run.deletion.conversation)


async def _owners(run: DeletionRun) -> None:
    if run.deletion.scope is DeletionScope.PERSON:
        await erase_from_owners(run)


async def _places(run: DeletionRun) -> None:
    deletion = run.deletion
    if deletion.scope is DeletionScope.CONVERSATION:
        await leave_conversation(run, deletion.key, deletion.conversation)
        return
    for key in await _keys(run):
        await erase_chat(run, key)
    for conversation in deletion.gone:  # documents written below a conversation after it was deleted
        await erase_conversation(run, conversation)


async def _exports(run: DeletionRun) -> None:
    """Delete the parts of exports that are still in the bucket."""
    deletion = run.deletion
    if deletion.scope is not DeletionScope.PERSON or run.by.exports.bucket is None:
        return
    found = (await run.by.exports.store.find(deletion.person)).export
    if found is not None and found.asked_at <= run.people_cut:
        await run.save(takeouts=tuple(dict.fromkeys((*deletion.takeouts, found.run))))
    for one in run.deletion.takeouts:
        await run.by.exports.bucket().clear(one)


async def _documents(run: DeletionRun) -> None:
    deletion = run.deletion
    if deletion.scope is DeletionScope.PERSON:
        await run.note(await run.by.of_people.delete_person_document(deletion.person, run.people_cut))
        await run.note(await run.by.of_people.delete_documents_of_person(deletion.person, run.people_cut))
    elif deletion.scope is DeletionScope.GROUP:
        await run.note(await run.by.of_people.delete_documents_of_group(await _keys(run), run.people_cut))


async def _media(run: DeletionRun) -> None:
    """Delete the files found before, and files that were sent later in deleted conversations."""
    whose, deletion = await _senders(run), run.deletion
    found, found_parts = await run.by.media.files_of(whose)
    files, parts = _union(deletion.files, found), _union(deletion.parts, found_parts)
    await run.save(files=files[:MOST_FILES], parts=parts[:MOST_FILES])
    await run.note(await run.by.media.erase(whose, files, parts))


def _union(known: Sequence[str], found: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *found)))


async def _lookups(run: DeletionRun) -> None:
    """Delete all cached answers of services. They may repeat a question, and do not say who asked it."""
    await run.note(Counter(documents=await run.by.of_people.delete_lookups(run.people_cut)))


async def _incidents(run: DeletionRun) -> None:
    chats = await _chats(run)
    count = await run.by.of_people.delete_incidents(chats, run.deletion.person, run.models_cut)
    await run.note(Counter(documents=count))


async def _bots(run: DeletionRun) -> None:
    deletion = run.deletion
    if deletion.scope is DeletionScope.CONVERSATION:
        return
    chat_ids = {deletion.person} if deletion.person else {key.chat_id for key in await _keys(run)}
    await run.note(
        Counter(
            documents=await run.by.of_people.erase_from_bots(
                BotDeletionCriteria(deletion.person, chat_ids, run.people_cut)
            )
        )
    )


async def _archives(run: DeletionRun) -> None:
    """Delete the archived files of deleted conversations, and rewrite those of changed conversations.

    This is done in every archive, for all versions of a file. The deletion itself is archived too, so that a restore
    repeats it. If an archive refuses, the others are still changed: the refusal is stored, and the archive is tried
    again every day.
    """
    refused = list[str]()
    for place in run.by.archiving.archives:
        with about(archive=place.url):
            try:
                await _archive(run, place)
            except ArchiveUnavailable as error:
                log_failure(error)
                refused.append(place.url)
    await run.save(refused=tuple(refused))


async def _archive(run: DeletionRun, place: Archive) -> None:
    await place.put(deletion_name_of(run.deletion.id), deletion_content(run.deletion))
    for conversation in run.deletion.gone:
        await run.note(Counter(objects=await place.erase(name_of(conversation))))
    for conversation in run.deletion.changed:
        count = await place.erase(name_of(conversation))
        transcript = await run.by.archiving.transcripts.read(conversation) if count else None
        if transcript is not None:
            await place.put(name_of(conversation), content_of(transcript))
        await run.note(
            Counter(objects=count - (run.deletion.round > 1 and count > 0))
        )  # the first round wrote one version
    documents = run.by.archiving.documents
    if documents is not None:  # The person may be in any file. The first round has rewritten all files.
        count = await erase_documents(documents, run.by.archiving.transcripts, place, run.by.clock())
        await run.note(Counter(objects=count if run.deletion.round == 1 else 0))


async def _tell_receipt(run: DeletionRun) -> None:
    """Send the receipt to the chat in which the deletion was requested. It is sent only once."""
    if not run.deletion.is_told:
        receipt = receipt_of(run.deletion, run.by.archiving.backup_days, run.by.clock())
        await run.by.outbox.tell(receipt, TickQueue(run.by.queue))
        await run.save(is_told=True)


#: The order matters: texts that repeat a person's words are deleted before these words, and data before the documents
#: by which the data is found.
STEPS: Final[Mapping[str, Step]] = {
    "listed": _write_register,
    "files": _found_files,
    "words": _words,
    "owners": _owners,
    "places": _places,
    "takeouts": _exports,
    "documents": _documents,
    "media": _media,
    "lookups": _lookups,
    "incidents": _incidents,
    "bots": _bots,
    "archives": _archives,
    "told": _tell_receipt,
}


#: the kinds of deleted things, in the order in which the receipt lists them
_TOLD: Final = ("entries", "conversations", "memories", "events", "files", "documents", "objects")


def receipt_of(deletion: Deletion, backup_days: int, now: datetime) -> OutboxNotice:
    """Return the receipt. `backup_days` is the number of days for which backups are kept; 0 if there are none."""
    words = words_in(deletion.language)
    counts = [words.say(f"forget.count_{name}", count=n) for name in _TOLD if (n := deletion.counts.get(name, 0))]
    told = join_phrases(
        _head(deletion, words), bullet_list(*counts), _remains_text(deletion, backup_days, words, now), by="\n\n"
    )
    return OutboxNotice(
        id=reminder_id("receipt", deletion.id),
        agent=deletion.key.agent,
        chat=deletion.chat,
        person=deletion.person,
        text=told,
        next_at=now,
        language=deletion.language,
        set_at=now,
    )


def _head(deletion: Deletion, words: Words) -> Phrase:
    match deletion.scope:
        case DeletionScope.PERSON:
            return words.say("forget.done_person")
        case DeletionScope.GROUP:
            return words.say("forget.done_group")
        case DeletionScope.CONVERSATION:
            return words.say("forget.done_conversation")


def _remains_text(deletion: Deletion, backup_days: int, words: Words, now: datetime) -> Phrase:
    backups = words.say("forget.backups", day=f"{now + timedelta(days=backup_days):%Y-%m-%d}")
    refused = [words.say("forget.refused")] if deletion.refused else []
    return join_phrases(*refused, *([backups] if backup_days else []), words.say("forget.in_telegram"))


async def erase_from_owners(run: DeletionRun) -> None:
    """Delete messages about a person that were sent to owners of agents.

    Such messages are in no transcript. But plans contain their buttons, and Telegram sends the message again with each
    press of a button. Raises WriteConflict, LeaseLost or a StoreError.
    """
    for owner in await run.by.finding.owners():
        if owner.chat_id == run.deletion.person:
            continue
        for key in await run.by.finding.chats_of(owner.chat_id, owner.agent):
            await _erase_from(run, key)


async def _erase_from(run: DeletionRun, key: ChatKey) -> None:
    async def work(session: Session) -> Counter[str]:
        count = await run.by.of_chats.empty_owner_inbox(key, run.deletion.person, run.people_cut)
        offered = session.chat.talk.keyboards
        gone = [k for k in offered if any(is_about(one, run.deletion.person) for one in k.effects)]
        kept = tuple(k for k in offered if k not in gone or k.at > run.people_cut)
        if kept != offered:
            session.note_part(evolve(session.chat.talk, keyboards=kept))
        return Counter(documents=count + await run.by.of_chats.reduce_plans(key, rest))

    def rest(plan: dict[str, Any]) -> dict[str, Any] | None:
        is_old = is_from_before(plan, run.people_cut)
        return without(plan, lambda task: _is_about(task, run.deletion.person)) if is_old else plan

    await run.holding(key, work)


def _is_about(task: dict[str, Any], person: int) -> bool:
    """Return whether a stored task, or one of its buttons, is about a person."""
    return is_about(task, person) or any(person_in(str(one.get("data"))) == person for one in task.get("buttons") or ())

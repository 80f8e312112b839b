"""The commands that export, archive and restore conversations.

export [--conversation CONV | --chat CHAT | --forgotten] [--to FOLDER]    write conversations as JSONL
archive TO                                                  bring an archive up to date (gs://…, s3://…)
restore FROM [--add]                                        rebuild a database from an archive
"""

import argparse
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

from google.auth.exceptions import DefaultCredentialsError
from rich.console import Console
from rich.progress import Progress as Bar

from shared.base.errors import InvalidSettings, TranscriptUnreadable
from shared.chat.archive_names import name_of
from shared.chat.lines import content_of
from shared.planning.personas.load import load_agents
from shared.upkeep.jobs.archive import archive
from shared.upkeep.jobs.restore import RestoreProgress, Restorer, RestoreResult, restore
from shared.values.chat_key import ChatKey
from shared.values.job_run import JobRun
from shared.wiring import archiving_by_hand as parts
from shared.wiring.archiving import transcripts as transcripts_of
from shared.wiring.operations import restore_deleter
from shared.wiring.settings import ProjectSettings

FINDABLE = "Search does not find restored messages yet: run `make rebuild`, which first shows an estimate of the costs."


async def run(asked: argparse.Namespace, console: Console) -> int:
    """Run the command export, archive or restore; return the exit code. Raises a LullError if the command fails."""
    settings = ProjectSettings.from_environment()
    try:
        match asked.command:
            case "export":
                return await _export(asked, settings, console)
            case "archive":
                return await _archive(asked.to, settings, console)
            case _:
                return await _restore(asked, settings, console)
    except DefaultCredentialsError as cause:
        advice = "run `gcloud auth application-default login`"
        raise InvalidSettings(f"there are no Google Cloud credentials here: {advice}") from cause


async def _export(asked: argparse.Namespace, settings: ProjectSettings, console: Console) -> int:
    transcripts, folder = transcripts_of(settings), parts.archive_at(settings, str(Path(asked.to)))
    deletions = await parts.store_deletions(settings, folder)
    if asked.forgotten:
        told = f"{deletions} deletions written to {folder.url}: ids and times only, no messages."
        console.print(told, markup=False, soft_wrap=True)
        return 0
    if not asked.conversation and not asked.chat:
        await parts.store_all_documents(settings, folder)
    written, unreadable = 0, 0
    async for conversation in _conversations_to_export(asked, settings):
        try:
            transcript = await transcripts.read(conversation)
        except TranscriptUnreadable as problem:
            console.print(f"{problem}; it was skipped.", markup=False, soft_wrap=True)
            unreadable += 1
            continue
        if transcript is not None:
            await folder.put(name_of(conversation), content_of(transcript))
            written += 1
    if not written and not unreadable:
        console.print("There is no such conversation." if asked.conversation else "There are no conversations.")
        return 1 if asked.conversation or asked.chat else 0
    count = f"{written} conversation{'' if written == 1 else 's'}"
    console.print(
        f"{count} written to {folder.url}; the files contain people's messages.", markup=False, soft_wrap=True
    )
    return 1 if unreadable else 0


async def _conversations_to_export(asked: argparse.Namespace, settings: ProjectSettings) -> AsyncIterator[str]:
    if asked.conversation:
        yield asked.conversation
        return
    transcripts = transcripts_of(settings)
    for chat in _chats(asked.chat, settings) if asked.chat else ("",):
        async for conversation in transcripts.every(chat):
            yield conversation


def _chats(name: str, settings: ProjectSettings) -> list[str]:
    """Return the document ids of the chats that `name` selects. `name` is a document id, or a Telegram id such as
    `-100123` or `-100123/7` (with a topic). A Telegram id selects one chat for each agent, since every agent stores its
    chats separately.
    """
    chat_id, _, topic_id = name.partition("/")
    try:
        place = {"chat_id": int(chat_id), "topic_id": int(topic_id or 0)}
    except ValueError:
        return [name]
    return [ChatKey(agent=agent, **place).id for agent in load_agents(settings.agent_folders)]


async def _archive(place: str, settings: ProjectSettings, console: Console) -> int:
    done: Counter[str] = await archive(parts.archiver_to(settings, place), JobRun(scheduled_for="now"))
    unreadable = done.pop("unreadable", 0)
    console.print(f"{done.total()} conversations that changed were archived in {place}.", markup=False, soft_wrap=True)
    if unreadable:
        console.print(f"{unreadable} could not be read.")
    return 1 if unreadable else 0


async def _restore(asked: argparse.Namespace, settings: ProjectSettings, console: Console) -> int:
    with Bar(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("restoring", total=None)

        def tell(progress: RestoreProgress) -> None:
            bar.update(task, completed=progress.done, total=progress.of)

        restorer = Restorer(
            database=parts.restoring(settings),
            deleter=restore_deleter(),
            archive=parts.archive_at(settings, asked.place),
            tell=tell,
            warn=lambda sentence: console.print(sentence, markup=False, soft_wrap=True),
            documents=parts.documents(settings),
        )
        restored = await restore(restorer, adds=asked.add)
    if not restored.conversations and not restored.deletions and not restored.documents:
        console.print(f"{asked.place} contains no conversations.", markup=False, soft_wrap=True)
        return 1
    told = {"conversations": restored.conversations, "chats": restored.chats}
    told |= {"other documents": restored.documents} if restored.documents else {}
    for what, counts in told.items():
        there = f", {counts['there']} already existed" if counts["there"] else ""
        console.print(f"{counts['restored']} {what} restored{there}.")
    _tell_erased(restored, console)
    if restored.conversations["restored"] or restored.conversations["there"]:
        console.print(FINDABLE, markup=False, soft_wrap=True)
    unreadable = (one["unreadable"] for one in (restored.conversations, restored.documents, restored.deletions))
    return 1 if any(unreadable) or restored.deletions["left"] else 0


def _tell_erased(restored: RestoreResult, console: Console) -> None:
    """Print how many deletions were carried out again on the restored data, and what the operator must still do."""
    if erased := restored.deletions["erased"]:
        console.print(f"{erased} deletions were repeated: restored data of forgotten people is erased again.")
    if left := restored.deletions["left"]:
        console.print(
            f"{left} deletions could not be repeated yet, because a chat is in use. The next sweep repeats them."
        )
    if unreadable := restored.deletions["unreadable"]:
        console.print(f"{unreadable} deletions cannot be read. Find out who was forgotten, before you use the data.")

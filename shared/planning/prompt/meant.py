"""Find the messages whose files an answer may be about.

They are the messages to be answered, the messages these reply to, and files sent right before a question without a
file.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from shared.planning.prompt.history import first_parts
from shared.planning.prompt.scene import Scene
from shared.values.chat_key import ChatKind
from shared.values.described import descriptions_in, files_of, ref_with_description
from shared.values.media import Description, MediaKind, MediaRef
from shared.values.message import AnyEntry, Author, Edit, Message, QuotedMessage

#: files sent longer ago are not meant by a question without a file
RECENT: Final = timedelta(minutes=5)
#: larger than any message's id
_BEFORE_ALL: Final = 2**53
#: larger than any message's place
_BEFORE_THESE: Final = 2**32


@dataclass(frozen=True, kw_only=True)
class MessageWithFiles:
    """A message with the files of its whole album, and its place. Custom emoji are a part of its text."""

    place: int
    message: Message
    refs: tuple[MediaRef, ...]


def relevant_messages(scene: Scene) -> Sequence[tuple[MessageWithFiles, bool]]:
    """Return the messages whose files the answer may be about, newest first.

    The flag of each message is True if a target replies to it.
    """
    known = descriptions_in(scene.entries)
    wholes = _messages_with_files(scene.entries, known)
    by_id, newest = _by_id(wholes), _newest_before(wholes)
    found: dict[int, tuple[MessageWithFiles, bool]] = {}
    for target in (by_id[one] for one in scene.answering.targets if one in by_id):
        if target.refs:
            found.setdefault(target.place, (target, False))
        about = _replied_message(target, by_id, known)
        before = [] if about or target.refs else _just_sent(target, newest[target.place], scene.chat.kind)
        found |= {whole.place: (whole, True) for whole in about}
        found |= {whole.place: found.get(whole.place, (whole, False)) for whole in before}
    return [found[place] for place in sorted(found, reverse=True)]


def _replied_message(
    target: MessageWithFiles, by_id: Mapping[int, MessageWithFiles], known: Mapping[str, Description]
) -> Sequence[MessageWithFiles]:
    """Return the message with files that a message replies to. If it is deleted, the reply's quote is used."""
    reply = target.message.reply
    if reply is None:
        return []
    quoted = by_id.get(reply.message_id) or _message_from_quote(reply, target, known)
    return [quoted] if quoted.refs else []


def _message_from_quote(
    reply: QuotedMessage, target: MessageWithFiles, known: Mapping[str, Description]
) -> MessageWithFiles:
    """Return a message that is known only from a reply. It is placed before all others, in the order of ids.

    A message of another chat has no id here, and is placed after those, in the order of the replies.
    """
    message = Message(
        at=target.message.at,
        message_id=reply.message_id,
        author=reply.author or Author(id=0, name="someone"),
        forwarded_from=reply.forwarded_from,
        holds_outside=reply.holds_outside or not reply.message_id,
    )
    refs = tuple(ref_with_description(ref, known) for ref in reply.media_refs)
    place = reply.message_id - _BEFORE_ALL if reply.message_id else target.place - _BEFORE_THESE
    return MessageWithFiles(place=place, message=message, refs=refs)


def _just_sent(target: MessageWithFiles, last: MessageWithFiles | None, kind: ChatKind) -> Sequence[MessageWithFiles]:
    """Return the newest message with files before a message without any: by the same person, or in a private chat."""
    asked = target.message
    if asked.message_id <= 0 or asked.reminder is not None:
        return []
    if last is None or asked.at - last.message.at > RECENT:
        return []
    return [last] if kind.is_of_one or last.message.author.id == asked.author.id else []


def _newest_before(wholes: Sequence[MessageWithFiles]) -> Sequence[MessageWithFiles | None]:
    """Return, by place, the newest earlier message whose files may be meant."""
    found: list[MessageWithFiles | None] = [None]
    for whole in wholes[:-1]:
        found.append(whole if _may_be_meant(whole) else found[-1])
    return found


def _may_be_meant(whole: MessageWithFiles) -> bool:
    """Return whether a message has files that may be meant.

    Of the agent's own files, only photos count, since it knows its stickers and voice messages.
    """
    is_own = whole.message.author.is_agent
    return any(not is_own or ref.kind is MediaKind.PHOTO for ref in whole.refs)


def _messages_with_files(entries: Sequence[AnyEntry], known: Mapping[str, Description]) -> Sequence[MessageWithFiles]:
    """Return the messages in order, each with its whole album, as of the latest edits."""
    edits = {entry.message_id: entry for entry in entries if isinstance(entry, Edit)}
    heads = first_parts(entries)
    parts: dict[int, list[Message]] = {}
    for entry in entries:
        if isinstance(entry, Message):
            parts.setdefault(heads.get(entry.message_id, entry.message_id), []).append(entry)
    return [
        MessageWithFiles(
            place=n,
            message=some[0],
            refs=tuple(ref_with_description(ref, known) for m in some for ref in files_of(m, edits)),
        )
        for n, some in enumerate(parts.values())
    ]


def _by_id(wholes: Sequence[MessageWithFiles]) -> Mapping[int, MessageWithFiles]:
    """Return the messages by the ids of all their parts; the ids of an album's parts are consecutive."""
    parts = {
        whole.message.message_id + n: whole
        for whole in wholes
        if whole.message.album_id
        for n in range(len(whole.refs))
    }
    return parts | {whole.message.message_id: whole for whole in wholes}

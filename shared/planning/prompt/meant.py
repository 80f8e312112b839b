"""Find the messages whose files an answer may be about.

These are the messages to be answered, the messages to which they reply, and messages with files that came right before
a question without a file.
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

#: a question without a file does not mean files that were sent longer ago
RECENT: Final = timedelta(minutes=5)
#: larger than any message id
_BEFORE_ALL: Final = 2**53
#: larger than any message's position
_BEFORE_THESE: Final = 2**32


@dataclass(frozen=True, kw_only=True)
class MessageWithFiles:
    """A message with its position and the files of its whole album. Custom emoji are not among the files."""

    place: int
    message: Message
    refs: tuple[MediaRef, ...]


def relevant_messages(scene: Scene) -> Sequence[tuple[MessageWithFiles, bool]]:
    """Return the messages whose files the answer may be about, newest first.

    Each message comes with a flag: whether a message to be answered replies to it.
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
    """Return the message with files to which `target` replies; if unknown, a message made from its quote."""
    reply = target.message.reply
    if reply is None:
        return []
    quoted = by_id.get(reply.message_id) or _message_from_quote(reply, target, known)
    return [quoted] if quoted.refs else []


def _message_from_quote(
    reply: QuotedMessage, target: MessageWithFiles, known: Mapping[str, Description]
) -> MessageWithFiles:
    """Return a message of which only a reply's quote is known.

    It is placed before all other messages, in the order of message ids. Quoted messages of another chat have no id in
    this chat; they follow, in the order of the replies to them.
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
    """Return `[last]` if that message with files is recent, and of the same person or in a private chat; else []."""
    asked = target.message
    if asked.message_id <= 0 or asked.reminder is not None:
        return []
    if last is None or asked.at - last.message.at > RECENT:
        return []
    return [last] if kind.is_of_one or last.message.author.id == asked.author.id else []


def _newest_before(wholes: Sequence[MessageWithFiles]) -> Sequence[MessageWithFiles | None]:
    """Return, for each position, the newest earlier message whose files may be meant."""
    found: list[MessageWithFiles | None] = [None]
    for whole in wholes[:-1]:
        found.append(whole if _may_be_meant(whole) else found[-1])
    return found


def _may_be_meant(whole: MessageWithFiles) -> bool:
    """Return whether a message has files that a question may mean.

    Of the agent's own files, only photos count, since the agent knows what is in its stickers and voice messages.
    """
    is_own = whole.message.author.is_agent
    return any(not is_own or ref.kind is MediaKind.PHOTO for ref in whole.refs)


def _messages_with_files(entries: Sequence[AnyEntry], known: Mapping[str, Description]) -> Sequence[MessageWithFiles]:
    """Return the messages in order, after their latest edits, each with the files of its whole album."""
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
    """Map message ids to messages. All parts of an album map to its message; their ids are consecutive."""
    parts = {
        whole.message.message_id + n: whole
        for whole in wholes
        if whole.message.album_id
        for n in range(len(whole.refs))
    }
    return parts | {whole.message.message_id: whole for whole in wholes}

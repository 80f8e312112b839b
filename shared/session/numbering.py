"""Numbering: each entry's place in the transcript, and the turn that an utterance belongs to."""

from shared.models.chat import Chat
from shared.models.message import AnyEntry, Message


def numbered(chat: Chat, entry: AnyEntry) -> tuple[Chat, AnyEntry]:
    """An entry with its place in the transcript, an utterance with its turn too; and the chat that counts on."""
    chat = chat.model_copy(update={"seq": chat.seq + 1})
    if not isinstance(entry, Message) or entry.is_service or entry.is_command:
        return chat, entry.model_copy(update={"seq": chat.seq})
    is_next = not chat.turn or (chat.is_answered and not entry.author.is_agent)
    chat = chat.model_copy(update={"turn": chat.turn + is_next, "is_answered": entry.author.is_agent})
    return chat, entry.model_copy(update={"seq": chat.seq, "turn": chat.turn})

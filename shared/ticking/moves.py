"""Moves: a group that became a supergroup goes on under its new id with all that was kept under the old one."""

from shared.models.chat import Chat, ChatKey, ChatKind


def moved_chat(old: Chat, there: Chat) -> Chat:
    """The new chat's document as it goes on. What it had begun on its own stays, as a conversation that is over.

    The generation counts on, since a task may be named for it already.
    """
    return there.model_copy(
        update={
            "kind": ChatKind.SUPERGROUP,
            "title": old.title,
            "conversation": old.conversation,
            "seq": old.seq,
            "turn": old.turn,
            "is_answered": old.is_answered,
            "model": old.model,
            "muted_until": old.muted_until,
            "named": old.named,
            "due_at": old.due_at,
            "active_until": old.active_until,
            "generation": there.generation + 1,
            "lease": None,
        }
    )


def new_key(key: ChatKey, chat_id: int) -> ChatKey:
    """The key under the new id; a group that was no supergroup has no topics."""
    return ChatKey(agent=key.agent, chat_id=chat_id)

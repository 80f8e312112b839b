"""Where the tests of commands are written."""

from dataclasses import replace
from typing import Any

from shared.commands.place import Place
from shared.models.chat import Chat, ChatKind
from tests.shared.values import ANN, KEY, NOW

CONVERSATION = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"


def place(kind: ChatKind = ChatKind.PRIVATE, **fields: Any) -> Place:
    """A private chat of Ann's, unless `kind` says otherwise; fields of the chat or of the place."""
    of_chat = {name: fields.pop(name) for name in list(fields) if name in Chat.model_fields}
    chat = Chat(**{"key": KEY, "kind": kind, "conversation": CONVERSATION} | of_chat)
    usual = Place(agent="lull", chat=chat, person=ANN, now=NOW, models=("big", "big-lite"))
    return replace(usual, **fields)

"""Reading an update: what a tick knows of it, with nothing of Telegram's JSON left."""

from shared.models.message import Incoming
from shared.models.update import InboxUpdate
from shared.telegram.entries import entry_of
from shared.telegram.envelope import is_id, object_in
from shared.telegram.text import clean

#: of a language, with its script and region
LONGEST_TAG = 35
#: core.telegram.org/bots/api#chatmember; in a private chat `kicked` means that the person blocked the bot
GONE = ("left", "kicked")


def read_update(update: InboxUpdate, bot_id: int) -> Incoming:
    """What an update brings; `bot_id` is the agent's own. Total, as `entry_of` is."""
    subject = object_in(update.raw, update.envelope.kind)
    return Incoming(
        update_id=update.envelope.update_id,
        entry=entry_of(update, bot_id),
        chat_kind=update.envelope.chat_kind,
        title=clean(object_in(subject, "chat").get("title")),
        language=clean(object_in(subject, "from").get("language_code"))[:LONGEST_TAG],
        was_removed=_was_removed(update),
        moves_to=_other_chat(update, "migrate_to_chat_id"),
        comes_from=_other_chat(update, "migrate_from_chat_id"),
    )


def _was_removed(update: InboxUpdate) -> bool | None:
    if update.envelope.kind != "my_chat_member":
        return None
    return object_in(object_in(update.raw, "my_chat_member"), "new_chat_member").get("status") in GONE


def _other_chat(update: InboxUpdate, name: str) -> int | None:
    found = object_in(update.raw, "message").get(name)
    return found if is_id(found) and found != update.envelope.key.chat_id else None

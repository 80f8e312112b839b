"""Whether a message has words that are perhaps not its author's, besides those that it forwards or quotes."""

from shared.models.update import Json
from shared.telegram.content import CONTENT
from shared.telegram.envelope import object_in
from shared.telegram.text import clean, text_of

#: service messages that tell what somebody or something outside of the chat is called, or what another program sent
_TOLD = frozenset({"chat_shared", "users_shared", "web_app_data"})
_FROM_ELSEWHERE = frozenset({kind.field for kind in CONTENT if kind.is_from_elsewhere} | _TOLD | {"via_bot"})


def holds_outside(message: Json) -> bool:
    """Whether it was made by a bot, names a file or the like, or tells what somebody from outside wrote."""
    return not _FROM_ELSEWHERE.isdisjoint(message) or _pins(message) or _tells_of_bot(message) or _opens_link(message)


def _pins(message: Json) -> bool:
    """Whether it tells what is pinned, and that is such a message, a forward, or a bot's.

    Of the agent's own nobody knows here what it had seen.
    """
    pinned = object_in(message, "pinned_message")
    is_of_bot = object_in(pinned, "from").get("is_bot") is True
    return is_of_bot or "forward_origin" in pinned or not _FROM_ELSEWHERE.isdisjoint(pinned)


def _tells_of_bot(message: Json) -> bool:
    """Whether it tells the name of a bot that came or went: whoever made the bot chose it."""
    come = message.get("new_chat_members")
    people = [*(come if isinstance(come, list) else ()), message.get("left_chat_member")]
    return any(isinstance(one, dict) and one.get("is_bot") is True for one in people)


def _opens_link(message: Json) -> bool:
    """Whether it is what a link to the agent has people send (core.telegram.org/bots/features#deep-linking)."""
    command, _, payload = clean(text_of(message)).partition(" ")
    return command.partition("@")[0] == "/start" and bool(payload.strip())

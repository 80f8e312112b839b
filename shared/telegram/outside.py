"""Whether a message has words that are perhaps not its author's, besides those that it forwards or quotes."""

from shared.models.update import Json
from shared.telegram.content import CONTENT
from shared.telegram.envelope import object_in

#: what another program wrote: a web app's data, and what was sent by way of another bot
_BY_PROGRAMS = frozenset({"web_app_data", "via_bot"})
_FROM_ELSEWHERE = frozenset({kind.field for kind in CONTENT if kind.is_from_elsewhere} | _BY_PROGRAMS)


def holds_outside(message: Json) -> bool:
    """Whether it was made by a bot, or tells what somebody from outside wrote.

    What somebody sends themself is theirs, with the names of its files, places and contacts, and so is what a link to
    the agent has them send.
    """
    return not _FROM_ELSEWHERE.isdisjoint(message) or _pins(message) or _tells_of_bot(message)


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

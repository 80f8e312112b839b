"""Whether a message has words that are perhaps not its author's, besides those that it forwards or quotes."""

from shared.telegram.inbound.content import CONTENT
from shared.telegram.inbound.envelope import object_in
from shared.values.update import Json

#: what is worded by somebody who is not in the chat, or by another program: a web app's data, say
_FROM_ELSEWHERE = frozenset({kind.field for kind in CONTENT if kind.is_from_elsewhere} | {"web_app_data"})
#: pictures and films, of which lull tells no words of who sent them; whether text stands in one is found by looking
_WORDLESS = frozenset({"animation", "photo", "sticker", "video", "video_note"})
_WORDS = frozenset({"text", "caption", "rich_message"})


def holds_outside(message: Json, bot_id: int) -> bool:
    """Whether it was made by a bot, or tells what somebody from outside wrote.

    What somebody sends themself is theirs, with the names of its files, places and contacts, and so is what a link to
    the agent has them send. `bot_id` is the agent's own.
    """
    return _is_worded_elsewhere(message) or _pins(message, bot_id) or _tells_of_bot(message, bot_id)


def _is_worded_elsewhere(message: Json) -> bool:
    """Whether another program or somebody from outside worded it: of what another bot found, a GIF has no words."""
    is_wordless = _WORDS.isdisjoint(message) and not _WORDLESS.isdisjoint(message)
    theirs = {"story"} if _is_own_story(message) else set[str]()
    return not (_FROM_ELSEWHERE - theirs).isdisjoint(message) or ("via_bot" in message and not is_wordless)


def _is_own_story(message: Json) -> bool:
    teller = object_in(object_in(message, "story"), "chat").get("id")
    return teller is not None and teller in {object_in(message, name).get("id") for name in ("from", "sender_chat")}


def _pins(message: Json, bot_id: int) -> bool:
    """Whether it tells what is pinned, and that is such a message, a forward, or a bot's.

    Of the agent's own it tells nothing, since nobody knows here what the agent had seen.
    """
    pinned = object_in(message, "pinned_message")
    author = object_in(pinned, "from")
    if author.get("id") == bot_id:
        return False
    return author.get("is_bot") is True or "forward_origin" in pinned or _is_worded_elsewhere(pinned)


def _tells_of_bot(message: Json, bot_id: int) -> bool:
    """Whether it tells the name of another bot that came or went: whoever made that chose it."""
    come = message.get("new_chat_members")
    people = [*(come if isinstance(come, list) else ()), message.get("left_chat_member")]
    return any(isinstance(one, dict) and one.get("is_bot") is True and one.get("id") != bot_id for one in people)

"""Message entities as they may be stored: the fields that Telegram names, each of its type, and nothing else."""

from collections.abc import Iterable
from typing import Any

from shared.models.update import Json
from shared.telegram.envelope import is_id
from shared.telegram.text import clean

#: core.telegram.org/bots/api#messageentity
TEXTS = ("type", "url", "language", "custom_emoji_id", "date_time_format")
NUMBERS = ("offset", "length", "unix_time")
#: Telegram gives a message at most 100 (limits.tginfo.me)
MOST_ENTITIES = 100


def entities_of(message: Json) -> tuple[dict[str, Any], ...]:
    """The entities of a message's text, or of its caption."""
    found = message.get("entities") or message.get("caption_entities")
    return tuple(_entity(e) for e in found[:MOST_ENTITIES] if isinstance(e, dict)) if isinstance(found, list) else ()


def _entity(found: Json) -> dict[str, Any]:
    texts = {name: clean(found[name]) for name in TEXTS if isinstance(found.get(name), str)}
    numbers = {name: found[name] for name in NUMBERS if is_id(found.get(name))}
    user = found.get("user")
    mentioned = {"user": {"id": user["id"]}} if isinstance(user, dict) and is_id(user.get("id")) else {}
    return {**texts, **numbers, **mentioned}


def shifted(entities: Iterable[dict[str, Any]], before: str) -> tuple[dict[str, Any], ...]:
    """The entities of a text that now stands behind another; Telegram counts their places in UTF-16 units."""
    units = len(before.encode("utf-16-le", "surrogatepass")) // 2
    return tuple({**e, "offset": e["offset"] + units} if "offset" in e else e for e in entities)

"""parse_mode Markdown, the old one: no nesting, few marks (TDLib, parse_markdown)."""

import re

from local.telegram.addresses import full_address
from local.telegram.entities import Entity, utf16_length
from local.telegram.errors import bad_request

_KINDS = {"_": "italic", "*": "bold", "`": "code", "```": "pre"}
_MARKED = re.compile(
    r"\\(?P<escaped>[_*`\[])"
    r"|```(?P<pre>(?:(?P<language>[^\s`]+)(?=\s))?\r?\n?(?P<block>.*?))```"
    r"|(?P<mark>[_*`])(?P<inside>.*?)(?P=mark)"
    r"|\[(?P<label>[^\]]*)\](?:\((?P<address>[^)]*)\))?"
    r"|(?P<open>[_*`\[])",
    re.DOTALL,
)
_USER = re.compile(r"tg://user\?id=([0-9]+)")


def parse_markdown(text: str) -> tuple[str, tuple[Entity, ...]]:
    """The text without marks, and the entities they stood for; raises Telegram's 400 for a mark that does not end."""
    plain, entities, done = "", [], 0
    for match in _MARKED.finditer(text):
        plain += text[done : match.start()]
        done = match.end()
        if match["open"]:
            at = len(text[: match.start()].encode())
            raise bad_request(f"can't parse entities: Can't find end of the entity starting at byte offset {at}")
        shown = match["escaped"] or match["block"] or match["inside"] or match["label"] or ""
        entity = None if match["escaped"] else _entity(match, utf16_length(plain), shown)
        entities += [entity] if entity and shown else []
        plain += shown
    return plain + text[done:], tuple(entities)


def _entity(match: re.Match[str], offset: int, shown: str) -> Entity | None:
    length = utf16_length(shown)
    if match["label"] is not None:
        return _link(match["address"] or shown, offset, length)
    kind = "pre" if match["pre"] is not None else _KINDS[match["mark"]]
    return Entity(type=kind, offset=offset, length=length, language=match["language"])


def _link(address: str, offset: int, length: int) -> Entity | None:
    user = _USER.fullmatch(address)
    if user is not None:
        return Entity(type="text_mention", offset=offset, length=length, user_id=int(user.group(1)))
    full = full_address(address)
    return Entity(type="text_link", offset=offset, length=length, url=full) if full else None

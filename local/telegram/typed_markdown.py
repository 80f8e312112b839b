"""Parses the markdown that people type, as Telegram's clients do: **bold**, __italic__, ~~struck~~, ||spoiler||,
`code`.
"""

import re

from local.telegram.entities import LocalEntity, utf16_length

_MARKED = re.compile(
    r"```(?:(?P<language>[A-Za-z0-9_+-]{1,32})\n)?(?P<pre>.+?)```"
    r"|`(?P<code>[^`\n]+)`"
    r"|(?P<mark>\*\*|__|~~|\|\|)(?=\S)(?P<styled>.+?)(?<=\S)(?P=mark)",
    re.DOTALL,
)
_STYLES = {"**": "bold", "__": "italic", "~~": "strikethrough", "||": "spoiler"}


def read_typed(text: str) -> tuple[str, tuple[LocalEntity, ...]]:
    """Return the text without its markdown, and the entities that the markdown stands for."""
    return _read(text, 0)


def _read(text: str, offset: int) -> tuple[str, tuple[LocalEntity, ...]]:
    plain, entities, done = "", [], 0
    for match in _MARKED.finditer(text):
        plain += text[done : match.start()]
        done = match.end()
        start = offset + utf16_length(plain)
        inside, nested = _inside(match, start)
        plain += inside
        entities += [_entity(match, start, utf16_length(inside)), *nested]
    return plain + text[done:], tuple(entities)


def _inside(match: re.Match[str], start: int) -> tuple[str, tuple[LocalEntity, ...]]:
    """Return the text between two delimiters such as `**`, and the entities in it. Only styles such as bold can contain
    further markdown.
    """
    if match["styled"] is not None:
        return _read(match["styled"], start)
    return match["pre"] or match["code"], ()


def _entity(match: re.Match[str], offset: int, length: int) -> LocalEntity:
    if match["styled"] is not None:
        return LocalEntity(type=_STYLES[match["mark"]], offset=offset, length=length)
    kind = "pre" if match["pre"] is not None else "code"
    return LocalEntity(type=kind, offset=offset, length=length, language=match["language"])

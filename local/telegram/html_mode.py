"""parse_mode HTML: the tags that Telegram reads, and its words for what it cannot read (TDLib, parse_html)."""

import re
from dataclasses import dataclass
from html import unescape

from local.telegram.addresses import full_address
from local.telegram.entities import Entity, ordered, utf16_length
from local.telegram.errors import ApiError, bad_request

_KINDS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
    "code": "code",
    "pre": "pre",
    "a": "text_link",
    "tg-emoji": "custom_emoji",
    "blockquote": "blockquote",
}
_TAG = re.compile(r"<(?P<closing>/)?(?P<name>[a-zA-Z][a-zA-Z0-9-]*)(?P<attributes>(?:[^>\"']|\"[^\"]*\"|'[^']*')*)>")
_ATTRIBUTE = re.compile(r"([a-zA-Z][\w-]*)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?")
_CHARACTER = re.compile(r"&(?:lt|gt|amp|quot|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});")


@dataclass(frozen=True, kw_only=True)
class _Open:
    """A tag that waits for its end; `at` in UTF-16 units of the plain text."""

    name: str
    attributes: dict[str, str]
    at: int


class _Reader:
    def __init__(self) -> None:
        self.plain = ""
        self.entities: list[Entity] = []
        self.open: list[_Open] = []

    def begin(self, name: str, attributes: dict[str, str], byte_offset: int) -> None:
        if name not in _KINDS:
            raise _unreadable(f'Unsupported start tag "{name}" at byte offset {byte_offset}')
        if name == "span" and attributes.get("class") != "tg-spoiler":
            raise _unreadable(f'Tag "span" must have class "tg-spoiler" at byte offset {byte_offset}')
        self.open.append(_Open(name=name, attributes=attributes, at=utf16_length(self.plain)))

    def end(self, name: str, byte_offset: int) -> None:
        if not self.open:
            raise _unreadable(f"Unexpected end tag at byte offset {byte_offset}")
        tag = self.open.pop()
        if tag.name != name:
            expected = f'expected "</{tag.name}>", found "</{name}>"'
            raise _unreadable(f"Unmatched end tag at byte offset {byte_offset}, {expected}")
        length = utf16_length(self.plain) - tag.at
        if length:
            self._mark(tag, length)

    def _mark(self, tag: _Open, length: int) -> None:
        kind, given = _KINDS[tag.name], tag.attributes
        entity = Entity(type=kind, offset=tag.at, length=length)
        match tag.name:
            case "a":
                self._link(tag, length)
            case "tg-emoji":
                emoji = given.get("emoji-id", "")
                if not re.fullmatch(r"[1-9][0-9]{0,18}", emoji) or int(emoji) >= 1 << 63:
                    raise _unreadable("Invalid custom emoji identifier specified")
                self.entities.append(Entity(type=kind, offset=tag.at, length=length, custom_emoji_id=emoji))
            case "blockquote" if "expandable" in given:
                self.entities.append(Entity(type="expandable_blockquote", offset=tag.at, length=length))
            case "pre" if self._whole_code(entity):
                inner = self.entities.pop()
                self.entities.append(Entity(type="pre", offset=tag.at, length=length, language=inner.language))
            case "code":
                language = given.get("class", "").removeprefix("language-") or None
                inside_pre = any(other.name == "pre" for other in self.open)
                self.entities.append(
                    Entity(type=kind, offset=tag.at, length=length, language=language if inside_pre else None)
                )
            case _:
                self.entities.append(entity)

    def _link(self, tag: _Open, length: int) -> None:
        """A link without an address points to its own text; one that points nowhere is no link."""
        url = tag.attributes.get("href") or self.plain[-length:]
        user = re.fullmatch(r"tg://user\?id=([0-9]+)", url)
        if user is not None:
            mention = Entity(type="text_mention", offset=tag.at, length=length, user_id=int(user.group(1)))
            self.entities.append(mention)
        elif (full := full_address(url)) is not None:
            self.entities.append(Entity(type="text_link", offset=tag.at, length=length, url=full))

    def _whole_code(self, pre: Entity) -> bool:
        last = self.entities[-1] if self.entities else None
        return last is not None and (last.type, last.offset, last.length) == ("code", pre.offset, pre.length)


def parse_html(text: str) -> tuple[str, tuple[Entity, ...]]:
    """The text without tags, and the entities they stood for; raises Telegram's 400 for what it cannot read."""
    reader, at = _Reader(), 0
    while at < len(text):
        tag = _TAG.match(text, at)
        character = _CHARACTER.match(text, at)
        if tag is not None:
            _read_tag(reader, tag, len(text[:at].encode()))
        elif text[at] == "<":
            raise _unreadable(f"Unclosed start tag at byte offset {len(text[:at].encode())}")
        else:
            reader.plain += unescape(character.group()) if character else text[at]
        at = tag.end() if tag else character.end() if character else at + 1
    if reader.open:
        raise _unreadable(f'Can\'t find end tag corresponding to start tag "{reader.open[-1].name}"')
    return reader.plain, ordered(reader.entities)


def _read_tag(reader: _Reader, tag: re.Match[str], byte_offset: int) -> None:
    name = tag["name"].lower()
    if tag["closing"]:
        reader.end(name, byte_offset)
        return
    found = _ATTRIBUTE.findall(tag["attributes"])
    reader.begin(name, {one[0].lower(): unescape(one[1] or one[2] or one[3]) for one in found}, byte_offset)


def _unreadable(reason: str) -> ApiError:
    return bad_request(f"can't parse entities: {reason}")

"""parse_mode MarkdownV2: Telegram's marks, and its words for what it cannot read (TDLib, parse_markdown_v2)."""

import re
from dataclasses import dataclass

from local.telegram.addresses import full_address
from local.telegram.entities import Entity, ordered, utf16_length
from local.telegram.errors import ApiError, bad_request

_RESERVED = frozenset("_*[]()~`>#+-=|{}.!")
# The longer mark is tried first; what it opens, and TDLib's name for it in errors.
_MARKS = {
    "__": ("underline", "Underline"),
    "_": ("italic", "Italic"),
    "*": ("bold", "Bold"),
    "~": ("strikethrough", "Strikethrough"),
    "||": ("spoiler", "Spoiler"),
    "```": ("pre", "Pre"),
    "`": ("code", "Code"),
    "![": ("custom_emoji", "CustomEmoji"),
    "[": ("text_link", "TextUrl"),
}
_OPENERS = ("```", "__", "||", "![", "_", "*", "~", "`", "[")
_CLOSERS = {kind: "]" if mark[-1] == "[" else mark for mark, (kind, _) in _MARKS.items()}
_LINE_END = ("", "\n")
_LANGUAGE = re.compile(r"([^\s`]*)(?:\r?\n|(?=\s))")
_CODE = frozenset({"code", "pre"})


@dataclass(frozen=True, kw_only=True)
class _Open:
    """A mark that waits for its end; `at` in UTF-16 units of the plain text."""

    kind: str
    name: str
    at: int
    byte_offset: int
    language: str | None = None


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.plain = ""
        self.entities: list[Entity] = []
        self.open: list[_Open] = []
        self.quote_at: int | None = None

    def read(self) -> None:
        while self.at < len(self.text):
            self._step()
        self._end_quote()
        if self.open:
            mark = self.open[-1]
            raise _unreadable(f"Can't find end of {mark.name} entity at byte offset {mark.byte_offset}")

    def _step(self) -> None:
        character = self.text[self.at]
        following = self.text[self.at + 1 : self.at + 2]
        if character == "\\" and following and ord(following) < 127:
            self.plain += following
            self.at += 2
        elif not (self._closed() or self._quoted() or self._folded() or self._opened()):
            inside_code = bool(self.open) and self.open[-1].kind in _CODE
            if character in _RESERVED and not inside_code:
                escape = "and must be escaped with the preceding '\\'"
                raise _unreadable(f"Character '{character}' is reserved {escape}")
            self.plain += character
            self.at += 1
            if character == "\n" and not self.text.startswith(">", self.at):
                self._end_quote()

    def _quoted(self) -> bool:
        """A `>` at the start of a line begins a quote, or goes on with one."""
        is_line_start = not self.plain or self.plain.endswith("\n")
        if not is_line_start or not self.text.startswith(">", self.at) or self.open:
            return False
        self.at += 1
        if self.quote_at is None:
            self.quote_at = utf16_length(self.plain)
        return True

    def _folded(self) -> bool:
        """A `||` at the end of a quote's line ends the quote and folds it."""
        following = self.text[self.at + 2 : self.at + 3]
        if self.quote_at is None or not self.text.startswith("||", self.at) or following not in _LINE_END:
            return False
        self.at += 2
        self._end_quote("expandable_blockquote")
        return True

    def _end_quote(self, kind: str = "blockquote") -> None:
        if self.quote_at is not None:
            length = utf16_length(self.plain.rstrip("\n")) - self.quote_at
            if length > 0:
                self.entities.append(Entity(type=kind, offset=self.quote_at, length=length))
            self.quote_at = None

    def _opened(self) -> bool:
        if self.open and self.open[-1].kind in _CODE:
            return False
        mark = next((mark for mark in _OPENERS if self.text.startswith(mark, self.at)), None)
        if mark is None:
            return False
        (kind, name), byte_offset = _MARKS[mark], len(self.text[: self.at].encode())
        self.at += len(mark)
        language = self._language() if kind == "pre" else None
        at = utf16_length(self.plain)
        self.open.append(_Open(kind=kind, name=name, at=at, byte_offset=byte_offset, language=language))
        return True

    def _language(self) -> str | None:
        match = _LANGUAGE.match(self.text, self.at)
        if match is None:
            return None
        self.at = match.end()
        return match.group(1) or None

    def _closed(self) -> bool:
        if not self.open:
            return False
        mark = self.open[-1]
        closer = _CLOSERS[mark.kind]
        is_underline = mark.kind == "italic" and self.text.startswith("__", self.at)
        if not self.text.startswith(closer, self.at) or is_underline:
            return False
        self.at += len(closer)
        self.open.pop()
        address = self._address() if closer == "]" else None
        length = utf16_length(self.plain) - mark.at
        if length:
            self._mark(mark, length, address)
        return True

    def _address(self) -> str | None:
        """What stands in brackets after a link's text."""
        if not self.text.startswith("(", self.at):
            return None
        match = re.compile(r"\(((?:\\.|[^)\\])*)\)", re.DOTALL).match(self.text, self.at)
        if match is None:
            raise _unreadable(f"Can't find end of a URL at byte offset {len(self.text[: self.at].encode())}")
        self.at = match.end()
        return re.sub(r"\\(.)", r"\1", match.group(1))

    def _mark(self, mark: _Open, length: int, address: str | None) -> None:
        if mark.kind in ("text_link", "custom_emoji"):
            entity = _addressed(mark, length, address or self.plain[-length:])
            self.entities += [entity] if entity else []
            return
        self.entities.append(Entity(type=mark.kind, offset=mark.at, length=length, language=mark.language))


def _addressed(mark: _Open, length: int, address: str) -> Entity | None:
    user = re.fullmatch(r"tg://user\?id=([0-9]+)", address)
    emoji = re.fullmatch(r"tg://emoji\?id=([0-9]+)", address)
    if user is not None:
        return Entity(type="text_mention", offset=mark.at, length=length, user_id=int(user.group(1)))
    if mark.kind == "custom_emoji":
        if emoji is None:
            raise _unreadable("Custom emoji URL must have an emoji identifier")
        return Entity(type="custom_emoji", offset=mark.at, length=length, custom_emoji_id=emoji.group(1))
    full = full_address(address)
    return Entity(type="text_link", offset=mark.at, length=length, url=full) if full else None


def parse_markdown_v2(text: str) -> tuple[str, tuple[Entity, ...]]:
    """The text without marks, and the entities they stood for; raises Telegram's 400 for what it cannot read."""
    reader = _Reader(text)
    reader.read()
    return reader.plain, ordered(reader.entities)


def _unreadable(reason: str) -> ApiError:
    return bad_request(f"can't parse entities: {reason}")

"""Markdown as it was meant: marks that a strict parser takes for markup, and no writer meant so, are escaped.

`2*3*4`, `$HOME/$PATH`, `__init__.py` and the underscores of a bare URL stay as they are written, and a link definition
that no link uses is still shown.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, TypeAlias

import pyromark

from shared.formatting.emphasis import with_gaps, with_spoilers
from shared.formatting.held import GAP, PRIVATE, put_back, set_aside, with_formulas
from shared.formatting.lines import with_plain_bars, with_plain_signs, with_whole_rows
from shared.formatting.tags import with_tags
from shared.models.text import well_formed

#: as tdlib checks them (LinkManager::check_link, parse_url): a host with a dot, and a port up to 65535
_WEB = re.compile(
    r"https?://(?:[^\s/?#@\"<>\\^`{|}]*@)?"
    r"(?=[^/?#:]*\w)[\w!$,~*'();&+=-]*\.[\w.!$,~*'();&+=-]*"
    r"(?::(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}))?(?:[/?#]\S*)?",
    re.IGNORECASE,
)
_TELEGRAM = re.compile(r"tg://[a-z0-9_-]+(?:[/?#]\S*)?", re.IGNORECASE)


def is_linkable(address: str) -> bool:
    """Whether Telegram lets a text link to the address."""
    return bool(_WEB.fullmatch(address) or _TELEGRAM.fullmatch(address))


def shown_address(address: str, text: str) -> str:
    """What to add to a link's text if Telegram cannot link to the address: the address, unless the text shows it."""
    shown = address.removeprefix("mailto:").removeprefix("tel:")
    if not text.strip():
        return shown
    return "" if not shown or shown in text or shown.startswith("#") else f" ({shown})"


#: what pyromark yields: an event (a name, or a name with its content), and its byte range in the source
Event: TypeAlias = tuple[Any, Any]

OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_FOOTNOTES
)

#: a URL without the punctuation and brackets behind it
BARE_URL = re.compile(rb"https?://[^\s<>|]*[^\s<>|*_~)\].,;:!?'\"]")
#: addresses: bare ones, and those of links; signs of scripts without spaces end them
_ADDRESS = re.compile(
    r"(?<=\]\()(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?=[\s)])|"
    r"https?://[^\s<>|。，、；：！？「」『』（）【】]*[^\s<>|*_~)\].,;:!?'\"。，、；：！？「」『』（）【】]"
)
#: names that programs spell with two underscores on each side: of several words, or well known; other words are bold
IDENTIFIER = re.compile(rb"[a-z0-9]+(?:_+[a-z0-9]+)+|FILE|LINE|DATE|TIME|FUNCTION|VA_ARGS|COUNTER")
KNOWN_NAMES = frozenset(
    b"init main name file doc dict all new del call str repr len eq ne lt le gt ge hash iter next enter exit add sub "
    b"mul contains bool bytes getitem setitem delitem getattr setattr getattribute slots class module version author "
    b"future pycache path import debug missing index format await aiter anext aenter aexit annotations qualname mro "
    b"bases proto typename dirname filename typeof asm cdecl inline restrict attribute".split()
)
#: signs that hold a name to what stands beside it: `x.__a__`, `__a__()`, `__a__.py`
NAME_BEFORE, NAME_AFTER = re.compile(rb"[.\\/$@]"), re.compile(rb"\.[0-9A-Za-z_]|[(\[/\\]|\s*==?\s")
#: a link whose words are the number of a source
_CITATION = re.compile(r"(?<![\[\\!])\[(\d{1,3})\]\(")
#: a mark of OpenAI's file search (`【4:0†report.pdf】`), which leads nowhere
_SOURCE_MARK = re.compile(r"(?<![ \t])[ \t]*【\d[^【】†\n]*†[^【】\n]*】")
#: words marked as in Obsidian, and not the comparison in `x==1 or y==2`
_HIGHLIGHT = re.compile(r"(?<![^\s(\[|*_⺀-\U0001ffff])==(?![=\s])([^=\n]*[^=\s])==(?![^\s.,;:!?)\]|*_⺀-\U0001ffff])")
WORD = re.compile(rb"\w+")
#: what stands before the star of a pattern of files: `"*.py" or "*.txt"`
_BEFORE_GLOB = frozenset(b"\"'`(/=[{,")
_WORD_BEFORE, _WORD_AFTER = re.compile(rb"[0-9A-Za-z)\]]"), re.compile(rb"[0-9A-Za-z(\[]")


def read(markdown: str) -> tuple[bytes, tuple[Event, ...]]:
    """The source that is rendered, in UTF-8, and its events in the document's order."""
    source = prepared(normalized(markdown)).encode()
    while True:
        events = tuple(pyromark.events_with_range(source.decode(), options=OPTIONS))
        marks = sorted({*_literal_marks(source, events), *_unused_definitions(source, events)})
        if not marks:
            return source, events
        source = _escaped(source, marks)  # an escaped mark is no mark in the next round, so the loop ends


def normalized(text: str) -> str:
    """The text with one kind of line end, and without halves of surrogate pairs: those cannot be sent."""
    text = PRIVATE.sub("\ufffd", well_formed(text)).replace(GAP, " ")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def prepared(text: str) -> str:
    """The text as the parser is to read it: with formulas and tags held, and plain signs escaped."""
    text = _SOURCE_MARK.sub("", _without_code(with_plain_bars(text)))
    text = _HIGHLIGHT.sub(r"<mark>\1</mark>", _CITATION.sub(r"[\\[\1\\]](", text))
    text = with_plain_signs(with_tags(with_formulas(text)))
    return put_back(with_gaps(with_spoilers(with_whole_rows(text))))


def _without_code(text: str) -> str:
    """The text with code and addresses set aside."""
    source, made, at = text.encode(), [], 0
    for event, place in pyromark.events_with_range(text, options=OPTIONS):
        if place["start"] >= at and _is_code(event):
            code = source[place["start"] : place["end"]].rstrip(b"\n")
            made += [_without_addresses(source[at : place["start"]].decode()), set_aside(code.decode())]
            at = place["start"] + len(code)
    return "".join([*made, _without_addresses(source[at:].decode())])


def _is_code(event: Any) -> bool:
    match event:
        case {"Code": _} | {"Start": {"CodeBlock": _}}:
            return True
    return False


def _without_addresses(text: str) -> str:
    return _ADDRESS.sub(lambda found: set_aside(found[0]), text)


def _escaped(source: bytes, marks: list[int]) -> bytes:
    bounds = [0, *marks, len(source)]
    return b"\\".join(source[a:b] for a, b in pairwise(bounds))


def _literal_marks(source: bytes, events: tuple[Event, ...]) -> Iterator[int]:
    """Where marks stand that open or close something which was not meant as markup."""
    links = [(place["start"], place["end"]) for _, place in links_in(events)]
    urls = [url.span() for url in BARE_URL.finditer(source) if not any(a <= url.start() < b for a, b in links)]
    for event, place in events:
        start, end = place["start"], place["end"]
        match event:
            case {"Start": "Emphasis"}:
                literal, width = _is_literal_emphasis(source, start, end, 1), 1
            case {"Start": "Strong"}:
                literal, width = _is_literal_emphasis(source, start, end, 2), 2
            case {"Start": "Strikethrough"}:
                literal, width = source[start + 1 : start + 2] != b"~", 1
            case _:
                continue
        if literal or any(a <= start < b or a < end <= b for a, b in urls):
            yield from (*range(start, start + width), *range(end - width, end))


def _is_literal_emphasis(source: bytes, start: int, end: int, width: int) -> bool:
    """Whether it is a part of a formula (`2*3*4`), a name in underscores (`__init__`), or of paths (`src/**/*.js`)."""
    if any(source[at - 1 : at + width + 1].replace(b"*", b"") == b"//" for at in (start, end - width)):
        return True
    if width == 2 and source[start : start + 1] == b"_" and _is_name(source, start, end):
        return True
    if width == 2 and not source[start:end].isascii():
        return False
    inside = source[start + width : end - width]
    if width == 1 and inside[:1] == b"." and inside[1:2].isalpha() and len(inside.split()) > 1:
        return inside[-1] in _BEFORE_GLOB or _WORD_AFTER.match(source[end : end + 1]) is not None
    return bool(_WORD_BEFORE.match(source[start - 1 : start]) and _WORD_AFTER.match(source[end : end + 1]))


def _is_name(source: bytes, start: int, end: int) -> bool:
    """Whether a word with two underscores on each side is a name in a program."""
    inside = source[start + 2 : end - 2]
    if inside in KNOWN_NAMES or IDENTIFIER.fullmatch(inside):
        return True
    is_held = NAME_BEFORE.match(source[start - 1 : start]) or NAME_AFTER.match(source[end : end + 4])
    return bool(is_held and WORD.fullmatch(inside))


def _unused_definitions(source: bytes, events: tuple[Event, ...]) -> Iterator[int]:
    """Where link definitions (`[1]: address`) begin that no link uses; the parser would drop these lines.

    A number in brackets is a citation, which is read as it is written.
    """
    used = {_label(target["id"]) for target, _ in links_in(events) if not _is_citation(target)}
    for label, definition in pyromark.reference_definitions(source.decode(), options=OPTIONS).items():
        if _label(label) not in used or not is_linkable(definition["dest"]):
            yield definition["span"]["start"]


def _is_citation(target: Mapping[str, str]) -> bool:
    return target["link_type"] == "Shortcut" and target["id"].strip().isdecimal()


def links_in(events: tuple[Event, ...]) -> Iterator[Event]:
    """The links and images among some events: the parser's content of each, and its place."""
    for event, place in events:
        match event:
            case {"Start": {"Link": target}} | {"Start": {"Image": target}}:
                yield target, place


def _label(text: str) -> str:
    return " ".join(text.split()).casefold()

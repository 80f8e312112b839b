"""Prepare markdown so that a strict parser reads it as the writer meant it: literal characters are escaped.

`2*3*4`, `$HOME/$PATH`, `__init__.py` and the underscores of a bare URL stay as written. A link definition (`[1]:
address`) that no link uses is shown as text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, TypeAlias

import pyromark

from shared.base.text import well_formed
from shared.telegram.markdown.emphasis import with_gaps, with_plain_blocks, with_spoilers
from shared.telegram.markdown.held import GAP, PRIVATE, put_back, release, set_aside, with_formulas
from shared.telegram.markdown.tags import with_tags

#: the rules of tdlib (LinkManager::check_link, parse_url): a host with a dot, and a port up to 65535
_WEB = re.compile(
    r"https?://(?:[^\s/?#@\"<>\\^`{|}]*@)?"
    r"(?=[^/?#:]*\w)[\w!$,~*'();&+=-]*\.[\w.!$,~*'();&+=-]*"
    r"(?::(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}))?(?:[/?#]\S*)?",
    re.IGNORECASE,
)
_TELEGRAM = re.compile(r"tg://[a-z0-9_-]+(?:[/?#]\S*)?", re.IGNORECASE)


def is_linkable(address: str) -> bool:
    """Return whether Telegram accepts the address as the target of a text link."""
    return bool(_WEB.fullmatch(address) or _TELEGRAM.fullmatch(address))


def shown_address(address: str, text: str) -> str:
    """Return what to write after a link that Telegram refuses: its address, unless the text shows the address."""
    shown = address.removeprefix("mailto:").removeprefix("tel:")
    if not text.strip():
        return shown
    return "" if not shown or shown in text or shown.startswith("#") else f" ({shown})"


#: an item of pyromark: an event (a name, or a name with its content), and the event's byte range in the source
Event: TypeAlias = tuple[Any, Any]

OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_FOOTNOTES
)

#: a URL without the punctuation and brackets that follow it
BARE_URL = re.compile(rb"https?://[^\s<>|]*[^\s<>|*_~)\].,;:!?'\"]")
#: bare addresses, and addresses of links; punctuation of scripts without spaces ends an address
_ADDRESS = re.compile(
    r"(?<=\]\()(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?=[\s)])|"
    r"https?://[^\s<>|。，、；：！？「」『』（）【】]*[^\s<>|*_~)\].,;:!?'\"。，、；：！？「」『』（）【】]"
)
#: the address of a link with spaces in its path
_SPACED = re.compile(r"(?<=\]\()https?://[^\s/()<>\"]+/[^\s()<>\"]*(?: [^\s()<>\"']+)+(?=\))")
#: names in programs that have two underscores on each side: several words, or known names; any other word is bold
IDENTIFIER = re.compile(rb"[a-z0-9]+(?:_+[a-z0-9]+)+|FILE|LINE|DATE|TIME|FUNCTION|VA_ARGS|COUNTER")
KNOWN_NAMES = frozenset(
    b"init main name file doc dict all new del call str repr len eq ne lt le gt ge hash iter next enter exit add sub "
    b"mul contains bool bytes getitem setitem delitem getattr setattr getattribute slots class module version author "
    b"future pycache path import debug missing index format await aiter anext aenter aexit annotations qualname mro "
    b"bases proto typename dirname filename typeof asm cdecl inline restrict attribute".split()
)
#: characters that join a name to what is next to it: `x.__a__`, `__a__()`, `__a__.py`
NAME_BEFORE, NAME_AFTER = re.compile(rb"[.\\/$@]"), re.compile(rb"\.[0-9A-Za-z_]|[(\[/\\]|\s*==?\s")
#: a link whose text is only the number of a source
_CITATION = re.compile(r"(?<![\[\\!])\[(\d{1,3})\]\(")
#: a reference made by OpenAI's file search (`【4:0†report.pdf】`), which leads nowhere
_SOURCE_MARK = re.compile(r"(?<![ \t])[ \t]*【\d[^【】†\n]*†[^【】\n]*】")
#: highlighted words as in Obsidian (`==word==`), but not the comparison in `x==1 or y==2`
_HIGHLIGHT = re.compile(r"(?<![^\s(\[|*_⺀-\U0001ffff])==(?![=\s])([^=\n]*[^=\s])==(?![^\s.,;:!?)\]|*_⺀-\U0001ffff])")
#: the marks of a heading without the space behind them: `###标题`
_TIGHT_HEADING = re.compile(r"^([ \t>]*#{2,6})(?=[A-Z0-9]|\*\*|[^\x00-\x7f])", re.MULTILINE)
#: the indentation of a line with a bullet that is no mark of markdown's, whose list would lose its levels
_BULLET = re.compile(r"(?<=\n)[ \t]+(?=[•◦▪‣●○–—][ \t])")
WORD = re.compile(rb"\w+")
#: characters before the star of a file name pattern: `"*.py" or "*.txt"`
_BEFORE_GLOB = frozenset(b"\"'`(/=[{,")
_WORD_BEFORE, _WORD_AFTER = re.compile(rb"[0-9A-Za-z)\]]"), re.compile(rb"[0-9A-Za-z(\[]")


def read(markdown: str) -> tuple[bytes, tuple[Event, ...]]:
    """Return the prepared source in UTF-8, and the parser's events for it in order."""
    source = prepare_source(normalize(markdown)).encode()
    while True:
        events = tuple(pyromark.events_with_range(source.decode(), options=OPTIONS))
        marks = sorted({*_literal_marks(source, events), *_unused_definitions(source, events)})
        if not marks:
            return source, events
        source = _escape(source, marks)  # each round escapes some marks, so the loop ends


def normalize(text: str) -> str:
    """Return the text with uniform line ends, and without lone surrogates, which cannot be sent."""
    text = PRIVATE.sub("\ufffd", well_formed(text)).replace(GAP, " ")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def prepare_source(text: str) -> str:
    """Return the text for the parser: formulas and tags are encoded (`held.py`), and literal characters are escaped."""
    text = _SOURCE_MARK.sub("", _without_code(with_plain_bars(with_plain_blocks(text))))
    text = _BULLET.sub(lambda found: "\u00a0" * len(found[0].expandtabs(4)), text) if text[:1] > " " else text
    text = _HIGHLIGHT.sub(r"<mark>\1</mark>", _CITATION.sub(r"[\\[\1\\]](", _TIGHT_HEADING.sub(r"\1 ", text)))
    text = with_plain_signs(with_tags(with_formulas(text)))
    return put_back(with_gaps(with_spoilers(with_whole_rows(text))))


def _without_code(text: str) -> str:
    """Encode the code and the addresses in a text, so that the changes before parsing do not affect them."""
    source, parts, at = text.encode(), [], 0
    for event, place in pyromark.events_with_range(text, options=OPTIONS):
        if place["start"] >= at and _is_code(event):
            code = source[place["start"] : place["end"]].rstrip(b"\n")
            parts += [_without_addresses(source[at : place["start"]].decode()), set_aside(code.decode())]
            at = place["start"] + len(code)
    return "".join([*parts, _without_addresses(source[at:].decode())])


def _is_code(event: Any) -> bool:
    match event:
        case {"Code": _} | {"Start": {"CodeBlock": _}}:
            return True
    return False


def _without_addresses(text: str) -> str:
    text = _SPACED.sub(lambda found: found[0].replace(" ", "%20"), text)
    return _ADDRESS.sub(lambda found: set_aside(found[0]), text)


def _escape(source: bytes, marks: list[int]) -> bytes:
    bounds = [0, *marks, len(source)]
    return b"\\".join(source[a:b] for a, b in pairwise(bounds))


def _literal_marks(source: bytes, events: tuple[Event, ...]) -> Iterator[int]:
    """Yield the positions of marks that the writer did not mean as markup."""
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
    """Return whether emphasis belongs to a formula (`2*3*4`), a name (`__init__`), a path (`src/**/*.js`) or a
    comment (`/* … */`).
    """
    if any(source[at - 1 : at + width + 1].replace(b"*", b"") == b"//" for at in (start, end - width)):
        return True
    if width == 2 and source[start : start + 1] == b"_" and _is_name(source, start, end):
        return True
    if width == 2 and not source[start:end].isascii():
        return False
    inside = source[start + width : end - width]
    if width == 1 and (inside[:2] == b"/ " or source[start - 1 : start] == b"/" == source[end : end + 1]):
        return True
    if width == 1 and inside[:1] == b"." and inside[1:2].isalpha() and len(inside.split()) > 1:
        return inside[-1] in _BEFORE_GLOB or _WORD_AFTER.match(source[end : end + 1]) is not None
    return bool(_WORD_BEFORE.match(source[start - 1 : start]) and _WORD_AFTER.match(source[end : end + 1]))


def _is_name(source: bytes, start: int, end: int) -> bool:
    """Return whether a word with two underscores on each side is a name in a program."""
    inside = source[start + 2 : end - 2]
    if inside in KNOWN_NAMES or IDENTIFIER.fullmatch(inside):
        return True
    is_held = NAME_BEFORE.match(source[start - 1 : start]) or NAME_AFTER.match(source[end : end + 4])
    return bool(is_held and WORD.fullmatch(inside))


def _unused_definitions(source: bytes, events: tuple[Event, ...]) -> Iterator[int]:
    """Yield the starts of link definitions (`[1]: address`) that are never used. The parser would drop their lines.

    A number in brackets is a citation, which stays as written and does not count as a use.
    """
    used = {_label(target["id"]) for target, _ in links_in(events) if not _is_citation(target)}
    for label, definition in pyromark.reference_definitions(source.decode(), options=OPTIONS).items():
        if _label(label) not in used or not is_linkable(definition["dest"]):
            yield definition["span"]["start"]


def _is_citation(target: Mapping[str, str]) -> bool:
    return target["link_type"] == "Shortcut" and target["id"].strip().isdecimal()


def links_in(events: tuple[Event, ...]) -> Iterator[Event]:
    """Yield the target of each link and image, as the parser gives it, and its position in the source."""
    for event, place in events:
        match event:
            case {"Start": {"Link": target}} | {"Start": {"Image": target}}:
                yield target, place


def _label(text: str) -> str:
    return " ".join(text.split()).casefold()


#: the line of dashes below a table's header, in markdown
_DELIMITER: Final = re.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
#: such a line written with long dashes, directly below the first row; in later rows it is the text of cells
_LONG_DASHES: Final = re.compile(
    r"((?:\A|\n(?<![|]\n))[ \t>]*\|[^\n]*\|\n)([ \t>]*\|[ \t:|—–−─-]*[—–−─][ \t:|—–−─-]{0,400})(?=\n)"
)
_PREFIX: Final = re.compile(r"[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?")
_FENCE: Final = re.compile(r"[ \t>]*(?:```|~~~)")
_BAR: Final = re.compile(r"(?<!\\)\|")
#: code, or the target of a link
_CODE: Final = re.compile(r"(?<!`)(`+)(?!`)(?:[^\n]*?[^`\n])\1(?!`)|\]\((?:[^\s()|]*\|)+[^\s()]*\)")
_SPOILER: Final = re.compile(r"(?<![|\\])\|\|(?=[^\s|])([^|]*[^\s|])\|\|(?!\|)")
#: `a || b` inside a cell
_OR: Final = re.compile(r"(?<=[^\s|]) \|\| (?=[^\s|])")
#: tags of HTML lists inside a cell
_LIST: Final = re.compile(r"</?[uo]l>|</li>")
#: the maximum number of columns of a table
_MOST_COLUMNS: Final = 40
_WITH_BACKSLASH: Final = re.compile(r"[^\s\U00100001]*\\[^\s\U00100001]*")
_ESCAPE: Final = re.compile(r"\\[!-/:-@\[-`{-~]")
#: the name of a server in a network: `\\\\server`
_SERVER: Final = re.compile(r"[(\"'«“]*\\\\[A-Za-z0-9][\w.-]+[)\"'»”.,;:!?]*")
_DRIVE: Final = re.compile(r"[(\"'«“*_]*(?:[A-Za-z]:|~|%\w+%|\$(?:env:|HOME|PWD)\w*)\\(?!\\)")
#: the backslash at the end of a folder in bold or italics: `**C:\\Temp\\**`
_LAST_BACKSLASH: Final = re.compile(
    r"(?<![\\*])(?P<folder>(?P<mark>\*{1,2})(?:[A-Za-z]:|~|%\w+%|\\\\\w)[^*\n]*?)\\(?P=mark)(?![*\\A-Za-z0-9]|\.\w)"
)
_SHRUG: Final = re.compile(r"¯\\{1,3}_\(ツ\)\\?_/¯")
#: `>` as a comparison, as the prompt of a program, or in an emoticon
_COMPARISON: Final = re.compile(r"^([ \t]*)(>>>(?=[ \t])|>(?=[=\d]|[:._;-]+[()<>.D]))", re.MULTILINE)
#: the first line of an alert (GitHub) or a callout (Obsidian): `> [!NOTE]`
_CALLOUT: Final = re.compile(
    r"(?P<quote>(?:\A|(?<=\n))[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(?:>[ \t]*)+)"
    r"\[!(?P<word>[^\W\d_][\w -]{0,30})\](?!\()[+-]?[ \t]*(?P<title>[^\n]*)"
)
#: parts of a regular expression, in which backslashes are kept
_PATTERN: Final = re.compile(r"\][+*?{]|\)[+*?{]|\(\?[:=!<]|[.][*+]|^\W?\^|^['\"]?s/|[a-z]\$['\"/]|\w\{\d+(?:,\d*)?\}")
#: a line of dashes or equals signs that would turn the line above into a heading
_UNDERLINE: Final = re.compile(r"(?<=\n)([ \t>]*)(-+|=+)(?=[ \t]*(?:\n|$))")


def with_plain_bars(markdown: str) -> str:
    """Escape the bars inside code in tables, and shorten the line of long dashes below a table's header."""
    if "|" in markdown and re.search("[—–−─]", markdown):
        markdown = _LONG_DASHES.sub(lambda found: found[1] + re.sub("[—–−─]+", "---", found[2]), markdown)
    if "|" not in markdown or not any(mark in markdown for mark in ("`", "](", "<li>")):
        return markdown
    lines = markdown.split("\n")
    for header, end in _tables(lines):
        lines[header:end] = [
            _LIST.sub("", line).replace("<li>", " • ") if "`" not in line else line for line in lines[header:end]
        ]
        lines[header:end] = [_CODE.sub(lambda code: _BAR.sub(r"\|", code[0]), line) for line in lines[header:end]]
    return "\n".join(lines)


def with_whole_rows(markdown: str) -> str:
    """Give each table a header cell for every column, and end it before a line that is not a row."""
    if "|" not in markdown:
        return markdown
    lines = markdown.split("\n")
    for header, end in sorted(_tables(lines), reverse=True):
        columns = len(_cells(lines[header + 1]))
        for number in (header, *range(header + 2, end)):
            if len(_cells(lines[number])) > columns:
                lines[number] = _with_or(_SPOILER.sub(r"\|\|\1\|\|", lines[number]), columns)
        count = min(_MOST_COLUMNS, max(len(_cells(line)) for line in lines[header:end]))
        for number, missing, cell in (
            (header, count - len(_cells(lines[header])), ""),
            (header + 1, count - columns, "---"),
        ):
            lines[number] = _lengthen_row(lines[number], missing, cell)
        if end < len(lines) and lines[end].strip(" \t>"):
            lines.insert(end, lines[end][: len(lines[end]) - len(lines[end].lstrip(" \t>"))].rstrip())
    return "\n".join(lines)


def _tables(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield, for each table, the index of its header line and the index after its last line."""
    is_code, after = False, 0
    for number, line in enumerate(lines):
        is_code ^= _FENCE.match(line) is not None
        if is_code or number <= after or not _DELIMITER.fullmatch(line) or "-" not in line:
            continue
        above = lines[number - 1]
        if _BAR.search(above) is None or (not _BAR.search(line) and len(_cells(above)) > 1):
            continue
        after = number + 1
        first = lines[after] if after < len(lines) and _BAR.search(lines[after]) else above
        has_outer = _PREFIX.sub("", first, count=1).startswith("|")
        while after < len(lines) and _is_row(lines[after], has_outer):
            after += 1
        yield number - 1, after


def _is_row(line: str, has_outer: bool) -> bool:
    return line.lstrip(" \t>").startswith("|") if has_outer else _BAR.search(line) is not None


def _cells(line: str) -> list[str]:
    """Return the cells of a row, without the bars at its beginning and end."""
    body = _PREFIX.sub("", line, count=1).strip()
    return _BAR.split(body.removeprefix("|").removesuffix("|") if not body.endswith("\\|") else body.removeprefix("|"))


def _with_or(line: str, columns: int) -> str:
    """Join `a || b` into one cell, if the row then has the right number of cells."""
    joined = _OR.sub(r" \|\| ", line)
    return joined if len(_cells(joined)) == columns else line


def _lengthen_row(line: str, missing: int, cell: str) -> str:
    if missing <= 0:
        return line
    end = "" if line.rstrip().endswith("|") else " |"
    prefix = _PREFIX.match(line)
    begin = prefix.end() if prefix else 0
    outer = "" if line[begin:].startswith("|") else "| "
    return f"{line[:begin]}{outer}{line[begin:].rstrip()}{end}" + f" {cell} |" * missing


def with_plain_signs(text: str) -> str:
    """Escape characters that the writer meant literally, such as backslashes in paths and `>` in comparisons."""
    if "\\" in text:
        text = _LAST_BACKSLASH.sub(lambda found: found["folder"] + set_aside(r"\\") + found["mark"], text)
        text = _SHRUG.sub(lambda _: r"¯\\\_(ツ)\_/¯", _WITH_BACKSLASH.sub(_with_backslashes, text))
    if ">" in text:
        text = _CALLOUT.sub(_bold_callout, text)
        text = _COMPARISON.sub(lambda found: found[1] + "\\>" * len(found[2]), text)
    return _UNDERLINE.sub(_rule, text) if "\n-" in text or "\n=" in text or "\n>" in text or "\n " in text else text


def _with_backslashes(found: re.Match[str]) -> str:
    """Return a word in which backslashes are kept, unless all of them are escapes of markdown."""
    word = found[0]
    lone = _ESCAPE.sub("", word)
    is_drawing = re.search(r"(?<!\\)/", word) and "\\\\" not in word and not any(letter.isalnum() for letter in word)
    is_path = re.search(r"\\.", lone) or _DRIVE.match(word) or _SERVER.fullmatch(word) or word == "\\;"
    is_kept = is_path or is_drawing or _PATTERN.search(lone)
    if not is_kept or not re.search(r"\\(?![^\W_])", word):
        return word
    return re.sub(r"\\([!-/:-@\[-`{}~]?)", _escape_backslash, word)


def _bold_callout(found: re.Match[str]) -> str:
    """Return a callout (`> [!NOTE]`) as a quote: its word in bold, followed by its title if it has one."""
    word = found["word"].capitalize() if found["word"].isupper() else found["word"][:1].upper() + found["word"][1:]
    title = found["title"].strip()
    return f"{found['quote']}**{word}{':' if title else ''}**{' ' if title else ''}{title}"


def _escape_backslash(found: re.Match[str]) -> str:
    return "\\\\" + (f"\\{found[1]}" if found[1] else "")


def _rule(found: re.Match[str]) -> str:
    """Return a line of dashes or equals signs as a horizontal rule, unless it underlines a title."""
    prefix, signs = found.groups()
    above = found.string[: found.start()].split("\n")[-3:]
    line, before = above[-2] if len(above) > 1 else "", above[-3] if len(above) > 2 else ""
    title = release(line).strip(" \t>")
    if not title:
        return found[0]
    if len(signs) < 3:
        return f"{prefix}\\{signs}"
    least, nearly = (3, 2) if signs[0] == "=" else (4, 1)
    is_title = (
        not before.strip(" \t>=-") and title[-1] not in ".:!?。：！？" and not title.startswith(("-", "*", "#", "|"))
    )
    if is_title and len(signs) >= least and abs(len(title) - len(signs)) <= nearly:
        return found[0]
    return f"{prefix}***"

"""Lines of markdown as they were meant: whole rows of tables, backslashes of paths, comparisons, and rules."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from shared.formatting.held import release

#: the line below the header, in markdown
_DELIMITER: Final = re.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
#: such a line in long dashes, below the first row: in rows further down they are what a cell says
_LONG_DASHES: Final = re.compile(
    r"((?:\A|\n(?<![|]\n))[ \t>]*\|[^\n]*\|\n)([ \t>]*\|[ \t:|—–−─-]*[—–−─][ \t:|—–−─-]{0,400})(?=\n)"
)
_PREFIX: Final = re.compile(r"[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?")
_FENCE: Final = re.compile(r"[ \t>]*(?:```|~~~)")
_BAR: Final = re.compile(r"(?<!\\)\|")
#: code, and where a link leads
_CODE: Final = re.compile(r"(?<!`)(`+)(?!`)(?:[^\n]*?[^`\n])\1(?!`)|\]\((?:[^\s()|]*\|)+[^\s()]*\)")
_SPOILER: Final = re.compile(r"(?<![|\\])\|\|(?=[^\s|])([^|]*[^\s|])\|\|(?!\|)")
#: `a || b` within a cell
_OR: Final = re.compile(r"(?<=[^\s|]) \|\| (?=[^\s|])")
#: lists within a cell, as HTML
_LIST: Final = re.compile(r"</?[uo]l>|</li>")
#: a table has no more columns
_MOST_COLUMNS: Final = 40
_WITH_BACKSLASH: Final = re.compile(r"[^\s\U00100001]*\\[^\s\U00100001]*")
_ESCAPE: Final = re.compile(r"\\[!-/:-@\[-`{-~]")
#: `\\\\server`, a name of the network
_SERVER: Final = re.compile(r"[(\"'«“]*\\\\[A-Za-z0-9][\w.-]+[)\"'»”.,;:!?]*")
_DRIVE: Final = re.compile(r"[(\"'«“]*(?:[A-Za-z]:|~|%\w+%|\$(?:env:|HOME|PWD)\w*)\\(?!\\)")
_SHRUG: Final = re.compile(r"¯\\{1,3}_\(ツ\)\\?_/¯")
#: a comparison, the prompt of a program, or a face
_COMPARISON: Final = re.compile(r"^([ \t]*)(>>>(?=[ \t])|>(?=[=\d]|[:._;-]+[()<>.D]))", re.MULTILINE)
#: the first line of a quote that says what the quote is, as GitHub's alerts and Obsidian's callouts do: `> [!NOTE]`
_CALLOUT: Final = re.compile(
    r"(?P<quote>(?:\A|(?<=\n))[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(?:>[ \t]*)+)"
    r"\[!(?P<word>[^\W\d_][\w -]{0,30})\](?!\()[+-]?[ \t]*(?P<title>[^\n]*)"
)
#: a pattern of a program: its backslashes are its own
_PATTERN: Final = re.compile(r"\][+*?{]|\)[+*?{]|\(\?[:=!<]|[.][*+]|^\W?\^|^['\"]?s/|[a-z]\$['\"/]|\w\{\d+(?:,\d*)?\}")
#: a line below another one that would make a heading of it
_UNDERLINE: Final = re.compile(r"(?<=\n)([ \t>]*)(-+|=+)(?=[ \t]*(?:\n|$))")


def with_plain_bars(markdown: str) -> str:
    """The markdown; bars within code in tables are no ends of cells, and long dashes below a header are short ones."""
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
    """The markdown; each table has a header for every cell, and ends before a line that is no row of it."""
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
            lines[number] = _lengthened(lines[number], missing, cell)
        if end < len(lines) and lines[end].strip(" \t>"):
            lines.insert(end, lines[end][: len(lines[end]) - len(lines[end].lstrip(" \t>"))].rstrip())
    return "\n".join(lines)


def _tables(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where each table's header stands, and where the table ends."""
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
    """The cells of a row; empty ones at its end that no bar closes are none."""
    body = _PREFIX.sub("", line, count=1).strip()
    return _BAR.split(body.removeprefix("|").removesuffix("|") if not body.endswith("\\|") else body.removeprefix("|"))


def _with_or(line: str, columns: int) -> str:
    """The row with `a || b` in one cell, if it then has as many cells as it should."""
    joined = _OR.sub(r" \|\| ", line)
    return joined if len(_cells(joined)) == columns else line


def _lengthened(line: str, missing: int, cell: str) -> str:
    if missing <= 0:
        return line
    end = "" if line.rstrip().endswith("|") else " |"
    prefix = _PREFIX.match(line)
    begin = prefix.end() if prefix else 0
    outer = "" if line[begin:].startswith("|") else "| "
    return f"{line[:begin]}{outer}{line[begin:].rstrip()}{end}" + f" {cell} |" * missing


def with_plain_signs(text: str) -> str:
    """The text with such signs as the parser leaves them alone."""
    if "\\" in text:
        text = _SHRUG.sub(lambda _: r"¯\\\_(ツ)\_/¯", _WITH_BACKSLASH.sub(_with_backslashes, text))
    if ">" in text:
        text = _CALLOUT.sub(_called_out, text)
        text = _COMPARISON.sub(lambda found: found[1] + "\\>" * len(found[2]), text)
    return _UNDERLINE.sub(_rule, text) if "\n-" in text or "\n=" in text or "\n>" in text or "\n " in text else text


def _with_backslashes(found: re.Match[str]) -> str:
    """A word with its backslashes as they stand, unless each of them is there to escape a sign."""
    word = found[0]
    lone = _ESCAPE.sub("", word)
    is_drawing = re.search(r"(?<!\\)/", word) and "\\\\" not in word and not any(letter.isalnum() for letter in word)
    is_path = re.search(r"\\.", lone) or _DRIVE.match(word) or _SERVER.fullmatch(word) or word == "\\;"
    is_kept = is_path or is_drawing or _PATTERN.search(lone)
    if not is_kept or not re.search(r"\\(?![^\W_])", word):
        return word
    return re.sub(r"\\([!-/:-@\[-`{}~]?)", _kept, word)


def _called_out(found: re.Match[str]) -> str:
    """The word of a callout in bold: `> **Note**`, or with the title that stands beside it."""
    word = found["word"].capitalize() if found["word"].isupper() else found["word"][:1].upper() + found["word"][1:]
    title = found["title"].strip()
    return f"{found['quote']}**{word}{':' if title else ''}**{' ' if title else ''}{title}"


def _kept(found: re.Match[str]) -> str:
    return "\\\\" + (f"\\{found[1]}" if found[1] else "")


def _rule(found: re.Match[str]) -> str:
    """A line of signs below text: a rule, unless it underlines a title."""
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

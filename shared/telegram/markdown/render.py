"""Render the model's markdown as messages: text with entities, in parts that Telegram accepts.

The parser is pulldown-cmark (pyromark); this module handles its events.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from shared.base.text import EntityType, FormattedText
from shared.telegram.markdown.blocks import TextWriter, item_numbers, nest_entities, table_text
from shared.telegram.markdown.cutting import cut
from shared.telegram.markdown.held import pieces, release, tex_in
from shared.telegram.markdown.latex import formula_text
from shared.telegram.markdown.source import Event, is_linkable, normalize, read, shown_address
from shared.telegram.markdown.tags import code_of, look_of

RULE = "———"
BULLET = "•"
#: a prefix for labels, so that no label begins a line, where `>` or `#` would be a mark
_BEFORE = ". "
#: the maximum steps of indentation; a phone is not wide enough for more
DEEPEST_INDENT = 8
UNCHECKED, CHECKED = "☐", "☑"

STYLES = {
    "Emphasis": EntityType.ITALIC,
    "Strong": EntityType.BOLD,
    "Strikethrough": EntityType.STRIKETHROUGH,
    "Heading": EntityType.BOLD,
    "BlockQuote": EntityType.BLOCKQUOTE,
}
#: the parts of a document that stand on their own lines
BLOCKS = {"Paragraph", "Heading", "BlockQuote", "CodeBlock", "HtmlBlock", "List", "Item", "Table", "FootnoteDefinition"}
#: the parts whose text is first collected, and written only when the part ends
GATHERED = {"CodeBlock", "HtmlBlock", "TableCell"}
BREAK_TAG = re.compile(r"<br\b[^>]*>", re.IGNORECASE)


class Renderer:
    """Renders the events of a document, all in the constructor. Afterwards `writer` has the text."""

    def __init__(self, source: bytes, events: tuple[Event, ...]) -> None:
        """Render a source and its events, as returned by `source.read`."""
        self.source = source
        self.numbers = item_numbers(source, events)
        #: a stack: the writer of the whole text, then the writers of the parts that are being collected
        self.writers = [TextWriter()]
        #: the position of the current event in the source
        self.at = 0
        #: whether a block has just ended, so that the next text begins on a new line
        self.is_after_block = False
        self.list_depth = 0
        self.code_language = ""
        self.is_code = False
        #: for each open link or image, its target as the parser gives it, and the number of the piece where its text
        #: begins
        self.links: list[tuple[Mapping[str, str], int]] = []
        self.rows: list[list[str]] = []
        self.on_inline, self.on_start, self.on_end = self._inline_acts(), self._start_acts(), self._end_acts()
        for event, place in events:
            self.at = place["start"]
            self._take(*_name_and_content(event))

    @property
    def writer(self) -> TextWriter:
        """The writer of the innermost part that is being rendered, such as a table cell, or of the whole text."""
        return self.writers[-1]

    def _inline_acts(self) -> dict[str, Callable[[Any], None]]:
        return {
            "Text": self._write,
            "Html": self._write,
            "InlineHtml": self._write,
            "SoftBreak": lambda _: self._write("\n"),
            "HardBreak": lambda _: self._write("\n"),
            "FootnoteReference": lambda label: self._write(f"[{label}]"),
            "Code": self._write_code,
            "Rule": self._write_rule,
            "TaskListMarker": self._mark_task,
        }

    def _start_acts(self) -> dict[str, Callable[[Any], None]]:
        return {
            "List": self._start_list,
            "Item": self._start_item,
            "CodeBlock": self._start_code,
            "FootnoteDefinition": self._start_footnote,
            "Link": self._start_link,
            "Image": self._start_link,
            "TableHead": lambda _: self.rows.append([]),
            "TableRow": lambda _: self.rows.append([]),
        }

    def _end_acts(self) -> dict[str, Callable[[Any], None]]:
        return {
            "List": self._end_list,
            "Item": self._end_item,
            "CodeBlock": self._end_code,
            "HtmlBlock": lambda html: self.writer.write(html.rstrip("\n")),
            "Link": self._end_link,
            "Image": self._end_link,
            "TableCell": lambda text: self.rows[-1].append(" ".join(text.split())),
            "Table": self._end_table,
        }

    def _take(self, name: str, content: Any) -> None:
        if name == "Start":
            self._start(*_name_and_content(content))
        elif name == "End":
            self._end(_name_and_content(content)[0])
        else:
            self.on_inline[name](content)

    def _start(self, part: str, content: Any) -> None:
        if part in BLOCKS:
            self._begin_block()
        if part in STYLES:
            self._begin_inline()
            self.writer.open(STYLES[part])
        if part in GATHERED:
            self.writers.append(TextWriter())
        if part in self.on_start:
            self.on_start[part](content)

    def _end(self, part: str) -> None:
        gathered = self.writers.pop().text if part in GATHERED else ""
        if part in self.on_end:
            self.on_end[part](gathered)
        if part in STYLES:
            self.writer.close(STYLES[part])
        if part in BLOCKS:
            self.is_after_block = True

    def _begin_block(self) -> None:
        self.writer.begin_line(self._is_after_blank_line())
        self.is_after_block = False

    def _begin_inline(self) -> None:
        if self.is_after_block:
            self._begin_block()

    def _is_after_blank_line(self) -> bool:
        """Return whether the line above is empty in the source, apart from quote marks."""
        line = self.source.rfind(b"\n", 0, self.at + 1) + 1
        before = self.source.rfind(b"\n", 0, max(0, line - 1)) + 1
        return line > 0 and not self.source[before:line].strip(b" \t\n>")

    def _write(self, text: str) -> None:
        self._begin_inline()
        for piece, is_held in pieces(text):
            if is_held and not self.is_code:
                self._write_held(piece)
            else:
                self.writer.write(piece)

    def _write_held(self, source: str) -> None:
        """Write held text: a tag or a formula, which the parser did not read."""
        look, begins = look_of(source)
        if BREAK_TAG.fullmatch(source):
            self.writer.write("\n")
        elif code := code_of(source):
            self._write_tagged_code(*code)
        elif look is None:
            self._write_formula(tex_in(source))
        elif begins:
            self.writer.open(look)
            self.writer.tagged[look] += 1
        elif self.writer.tagged[look]:
            self.writer.tagged[look] -= 1
            self.writer.close(look)

    def _write_formula(self, tex: str) -> None:
        if text := formula_text(tex):
            self.writer.write(text)
        else:
            self._write_code(tex)

    def _write_tagged_code(self, code: str, language: str, is_block: bool) -> None:
        if is_block and len(self.writers) == 1:
            self.writer.begin_line(after_blank_line=False)
            self.writer.write_as(EntityType.PRE, code, language)
        else:
            self._write_code(code)

    def _write_code(self, code: str) -> None:
        self._begin_inline()
        # Telegram accepts a link or code, but not both at once, and would show code inside a spoiler
        if self.writer.is_in(EntityType.TEXT_LINK) or self.writer.is_in(EntityType.SPOILER):
            self.writer.write(release(code))
        else:
            self.writer.write_as(EntityType.CODE, release(code))

    def _write_rule(self, _: Any) -> None:
        self._begin_block()
        self.writer.write(RULE)
        self.is_after_block = True

    def _start_list(self, _: Any) -> None:
        self.list_depth += 1

    def _end_list(self, _: str) -> None:
        self.list_depth -= 1

    def _start_item(self, _: Any) -> None:
        self.writer.flush_mark()
        self._set_mark(self.numbers.get(self.at, BULLET))

    def _mark_task(self, is_checked: bool) -> None:
        self._set_mark(CHECKED if is_checked else UNCHECKED)

    def _set_mark(self, mark: str) -> None:
        self.writer.mark = f"{'  ' * min(self.list_depth - 1, DEEPEST_INDENT)}{mark} "

    def _end_item(self, _: str) -> None:
        self.writer.flush_mark()
        self.writer.is_fresh = False

    def _start_code(self, kind: Any) -> None:
        info = "" if kind == "Indented" else kind["Fenced"]
        self.code_language = re.split(r"[\s,{]", info.strip())[0]
        self.is_code = True

    def _end_code(self, code: str) -> None:
        self.is_code = False
        self.writer.write_as(EntityType.PRE, code.removesuffix("\n"), self.code_language)

    def _start_footnote(self, label: str) -> None:
        self.writer.write(f"[{label}] ")
        self.writer.is_fresh = True

    def _end_table(self, _: str) -> None:
        self.writer.write_as(EntityType.PRE, table_text(self.rows))
        self.rows = []

    def _start_link(self, target: Mapping[str, str]) -> None:
        self._begin_inline()
        self.writer.open(EntityType.TEXT_LINK)
        self.links.append((target, len(self.writer.pieces)))

    def _end_link(self, _: str) -> None:
        target, start = self.links.pop()
        address = target["dest_url"]
        text = "".join(self.writer.pieces[start:])
        is_cell = len(self.writers) > 1
        if is_linkable(address) and text.strip() and not is_cell:
            self.writer.close(EntityType.TEXT_LINK, address)
            return
        self.writer.close(EntityType.TEXT_LINK)
        self.writer.write(shown_address(address, text))


def _name_and_content(part: Any) -> tuple[str, Any]:
    """Return the name and content of an event, or of the part that it starts or ends. Both have the same form."""
    if isinstance(part, str):
        return part, None
    ((name, content),) = part.items()
    return name, content


def convert(markdown: str) -> FormattedText:
    """Convert markdown to one text with entities, of any length.

    A text without markup is returned unchanged, and so is a text that consists only of markup: an agent may say "#".
    """
    source, events = read(markdown)
    written = Renderer(source, events).writer
    plain = normalize(markdown)
    if not written.text.strip() or (not written.entities and written.text.split() == plain.split()):
        return FormattedText(plain)
    return FormattedText(written.text, nest_entities(written.entities))


def render(markdown: str) -> tuple[FormattedText, ...]:
    """Convert markdown to the messages that show it, in order; none if nothing would be visible.

    The same markdown always gives the same messages, so after a crash a delivery can continue with the next one.
    """
    return tuple(cut(convert(markdown)))


def label(markdown: str) -> str:
    """Return a line of markdown without markup, as the label of a button. `> 5` is not taken for a quote."""
    line = " ".join(normalize(markdown).split())
    return " ".join(convert(f"{_BEFORE}{line}").text.removeprefix(_BEFORE).split()) or line

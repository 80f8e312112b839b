"""What can be shown of a markdown text that is still being written."""

import re
from collections.abc import Iterator

from shared.formatting.graphemes import is_boundary
from shared.formatting.render import render
from shared.models.channel import FormattedText

#: fewer letters are no sight, and most short answers are there before a draft would be
FIRST_LETTERS = 20

_FENCE = re.compile(r"^[ ]{0,3}(?:```|~~~)", re.MULTILINE)
#: what marks are not looked for in: characters with a backslash before them, and spans of code
_LITERAL = re.compile(r"\\.|(?P<marks>`+)(?!`).*?(?<!`)(?P=marks)(?!`)", re.DOTALL)
#: what emphasis begins and ends with; a star before a blank is an item of a list, or a sign
_MARK = re.compile(r"\*\*|~~|\*(?![\s*]|$)|(?<=\S)\*|`+")


def seen_of(markdown: str) -> tuple[FormattedText, ...]:
    """The messages that show an unfinished text, of which a draft is the first; none: there is too little yet.

    The last letter is left out: what follows may be its accent, or the rest of an emoji. Emphasis that has only begun
    is shown as such, without its marks.
    """
    end = len(markdown) - 1
    while end > 0 and not is_boundary(markdown, end):
        end -= 1
    return render(closed(markdown[:end])) if end >= FIRST_LETTERS else ()


def closed(markdown: str) -> str:
    """The text with an end to the emphasis that is open where it breaks off; code blocks need none."""
    if len(_FENCE.findall(markdown)) % 2:
        return markdown
    text = markdown.rstrip(" \n").rstrip("*~`").rstrip(" \n")
    paragraph = text[text.rfind("\n\n") + 1 :]
    return text + "".join(reversed(list(_open_marks(_LITERAL.sub("", paragraph)))))


def _open_marks(paragraph: str) -> Iterator[str]:
    """The marks that are begun and not ended, in their order."""
    marks = [found.group() for found in _MARK.finditer(paragraph)]
    opened: dict[str, None] = {}
    for mark in marks:
        if mark in opened:
            del opened[mark]
        elif "`" not in "".join(opened):  # in code nothing else begins
            opened[mark] = None
    yield from opened

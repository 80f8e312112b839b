"""What can be shown of a text that is still being written: no part that may become a leak, no half of an emphasis."""

import re
from collections.abc import Iterator

from shared.formatting.graphemes import is_boundary
from shared.formatting.render import render
from shared.guarding.calls import may_become_call, unfinished_block
from shared.guarding.code import masked
from shared.guarding.guard import Watch
from shared.guarding.headers import may_be_own_name, may_become_header, may_become_speaker
from shared.guarding.ids import may_become_id
from shared.guarding.review import Verdict, inspect
from shared.models.text import FormattedText, well_formed

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


#: what may go on as a mark of the chat template, the spelling of a plan, or a variable
_BEGUN = re.compile(
    r"<[^<>\n]*\Z"
    r'|[\[{]\s*\Z|\{\s*(?:"[^"\n]*\Z|"(?:tasks|kind)"|[a-z_]*\Z)|^[ \t]*#+[ \t]*(?:«[^\n]*)?\Z',
    re.IGNORECASE | re.MULTILINE,
)
#: ends that are cut off one before the other; a model that repeats a bracket for ever is not followed to its begin
MOST_ENDS = 40


def glimpse(text: str, watch: Watch) -> str:
    """The text without its leaks, and without an end that may become one; empty, if all of it is to be sent back.

    What is held back is shown once it is clear that it is none, mostly at the line's end; code is not looked at.
    """
    text = well_formed(text)
    written = masked(text[: unfinished_block(text)])
    seen = inspect(written.restored(_certain(written.prose, watch)), watch)
    return "" if seen.verdict is Verdict.SEND_BACK or may_be_own_name(seen.text, watch.own_name) else seen.text


def _certain(prose: str, watch: Watch) -> str:
    """The prose as far as nothing in it may go on as a leak; what is left ends elsewhere, and is looked at again."""
    for _ in range(MOST_ENDS):
        end = min(_ends(prose, watch))
        if end == len(prose):
            return prose
        prose = prose[:end]
    return ""


def _ends(prose: str, watch: Watch) -> Iterator[int]:
    """Where the prose would have to end for each thing that it may go on as."""
    begun = _BEGUN.search(prose)
    yield begun.start() if begun else len(prose)
    yield may_become_header(prose, watch.ids)
    yield may_become_id(prose, watch.ids)
    yield may_become_speaker(prose, watch.authors, watch.own_name)
    yield may_become_call(prose, watch.tools)
    yield from (len(prose) - _overlap(prose, one) for one in (*watch.lines, *watch.authors))


def _overlap(prose: str, line: str) -> int:
    """How much of one of lull's own lines the prose ends with."""
    longest = min(len(prose), len(line))
    return next((length for length in range(longest, 0, -1) if prose.endswith(line[:length])), 0)

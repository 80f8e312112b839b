"""A glimpse: what may be shown of a text that is still being written, of which the end is not yet known to be clean."""

import re
from collections.abc import Iterator

from shared.planning.unicode_text import well_formed
from shared.prompting.code import masked
from shared.prompting.leaks import Verdict, inspect
from shared.prompting.watch import FIELDS, Watch

#: what may go on as a leak: a bracket, a header, a mark of the chat template, the spelling of a plan, a variable
_BEGUN = re.compile(
    rf"\[[^\]\n]*\Z|\[/?(?:meta|respond)\][^\n]*\Z|(?<![\w-])(?:{FIELDS})=[^\n]*\Z|<[^<>\n]*\Z"
    r'|[\[{]\s*\Z|\{\s*(?:"[^"\n]*\Z|"(?:tasks|kind)"|[a-z_]*\Z)|^[ \t]*#+[ \t]*(?:«[^\n]*)?\Z',
    re.IGNORECASE | re.MULTILINE,
)
_LAST_WORD = re.compile(r"(?<![\w-])[a-z_]+\Z", re.IGNORECASE)
_FIELDS = tuple(FIELDS.split("|"))


def glimpse(text: str, watch: Watch) -> str:
    """The text without its leaks, and without an end that may become one; empty, if all of it is to be sent back.

    What is held back is shown once it is clear that it is none, mostly at the line's end; code is not looked at.
    """
    written = masked(well_formed(text))
    seen = inspect(written.restored(_certain(written.prose, watch)), watch)
    return "" if seen.verdict is Verdict.SEND_BACK else seen.text


def _certain(prose: str, watch: Watch) -> str:
    """The prose as far as nothing in it may go on as a leak; what is left ends elsewhere, and is looked at again."""
    while (end := min(_ends(prose, watch))) < len(prose):
        prose = prose[:end]
    return prose


def _ends(prose: str, watch: Watch) -> Iterator[int]:
    """Where the prose would have to end for each thing that it may go on as."""
    yield 0 if watch.own_name.startswith(prose.strip()) else len(prose)
    for begun in (_BEGUN.search(prose), _speaker(watch).search(prose)):
        yield begun.start() if begun else len(prose)
    word = _LAST_WORD.search(prose)
    is_field = word is not None and any(field.startswith(word[0].lower()) for field in _FIELDS)
    yield word.start() if word is not None and is_field else len(prose)
    yield from (len(prose) - _overlap(prose, one) for one in (*watch.lines, *watch.authors))


def _speaker(watch: Watch) -> re.Pattern[str]:
    """An author's name and number on a line that goes on, or the agent's own name at the begin, as before its words."""
    names = "|".join(sorted({re.escape(author[:-7]) for author in watch.authors}, key=len, reverse=True))
    anyone = rf"(?:{names})#[^\n]*\Z" if names else r"(?!)"
    own = rf"|\A\s*{re.escape(watch.own_name)}(?: →[^\n:]*)?:?[ \t]*\Z" if watch.own_name else ""
    return re.compile(anyone + own)


def _overlap(prose: str, line: str) -> int:
    """How much of one of lull's own lines the prose ends with."""
    longest = min(len(prose), len(line))
    return next((length for length in range(longest, 0, -1) if prose.endswith(line[:length])), 0)

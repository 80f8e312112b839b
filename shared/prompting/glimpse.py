"""A glimpse: what may be shown of a text that is still being written, of which the end is not yet known to be clean."""

import re
from collections.abc import Iterator

from shared.planning.unicode_text import well_formed
from shared.prompting.calls import may_become_call, unfinished_block
from shared.prompting.code import masked
from shared.prompting.headers import may_become_header
from shared.prompting.ids import may_become_id
from shared.prompting.leaks import Verdict, inspect
from shared.prompting.speakers import may_be_own_name, may_become_speaker
from shared.prompting.watch import Watch

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

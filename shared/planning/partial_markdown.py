"""The first message in the beginning of a markdown reply."""

from collections.abc import Sequence

from shared.planning.markdown_codec import item_in
from shared.planning.markdown_lines import fences_of, may_become_a_mark
from shared.planning.markdown_text import blocks_in, without_thought, wrapper_of
from shared.planning.raw_task import kind_of


def first_in_markdown(reply: str) -> str:
    """The text of the first `send` as far as it is written; empty: there is none yet, or a pause comes before it."""
    spoken = without_thought(reply)
    if spoken is None:
        return ""
    lines = spoken.split("\n")
    wrapper = wrapper_of(lines)
    for block in blocks_in(_certain(lines[wrapper + 1 :], is_wrapped=wrapper >= 0)):
        kind = kind_of({"kind": block.heading.kind})
        if kind in ("send", "wait"):
            return str(item_in(block)["text"]) if kind == "send" else ""
    return ""


def _certain(lines: Sequence[str], *, is_wrapped: bool) -> Sequence[str]:
    """The lines without those that may still become something else.

    That is a last line that begins like a heading or a fence, a code block in which nothing stands yet, and, in a plan
    with a fence around it, one that is not closed: it may be the end of the plan.
    """
    if (is_wrapped or not fences_of(lines[:-1]).is_open) and may_become_a_mark(lines[-1]):
        lines = lines[:-1]
    fences = fences_of(lines)
    if fences.is_open and (is_wrapped or not any(line.strip() for line in lines[fences.openings[-1] + 1 :])):
        return lines[: fences.openings[-1]]
    return lines

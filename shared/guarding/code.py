"""A text in markdown, with its code taken out: what is done to the prose leaves the code as it is, to the blank."""

import re
from dataclasses import dataclass

import pyromark

#: a place where code stood; the character is none that Telegram shows, and is taken out of the prose
_HOLE = re.compile("\x00(\\d+)\x00")


@dataclass(frozen=True)
class Masked:
    """The prose with a numbered hole for each code span or block, and what fills them."""

    prose: str
    code: tuple[str, ...]

    def restored(self, prose: str) -> str:
        """A changed prose with the code again where its holes are."""
        return _HOLE.sub(lambda hole: self.code[int(hole[1])], prose)


def masked(markdown: str) -> Masked:
    """The text taken apart. It must be well formed: UTF-8 cannot write half a surrogate pair."""
    source = markdown.replace("\x00", "").encode()
    if b"`" not in source and b"~~~" not in source and b"    " not in source and b"\t" not in source:
        return Masked(source.decode(), ())
    code: list[str] = []
    prose, since = b"", 0
    for start, end in _code(source.decode()):
        prose += source[since:start] + b"\x00%d\x00" % len(code)
        code.append(source[start:end].decode())
        since = end
    return Masked((prose + source[since:]).decode(), tuple(code))


def _code(markdown: str) -> list[tuple[int, int]]:
    """Where code stands, in bytes of UTF-8, in order."""
    events = pyromark.events_with_range(markdown)
    return [(place["start"], place["end"]) for event, place in events if _is_code(event)]


def _is_code(event: object) -> bool:
    match event:
        case {"Code": _} | {"Start": {"CodeBlock": _}}:
            return True
    return False

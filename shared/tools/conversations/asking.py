"""Who asks for earlier conversations by a tool, and the dates that a model names."""

import re
from calendar import monthrange
from datetime import date
from typing import Final

from shared.errors import ToolFailed
from shared.models.place import Asker
from shared.tools.tool import ToolContext

_DATE: Final = re.compile(r"\s*(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:[T ].*)?\s*", re.DOTALL)
#: what is larger is no number of turns or results, nor are the infinities
_LARGEST: Final = 10**9
_NO_DATE: Final = "Give dates as 2026-05-08, 2026-05 or 2026."


def asker_in(context: ToolContext) -> Asker:
    """Whoever asks. Where text from outside was seen, it may be that text that asks, and not the person."""
    person = context.asker.id if context.asker is not None else 0
    is_explicit = context.is_asked and not context.saw_outside
    return Asker(chat=context.chat, places=context.places, person=person, is_explicit=is_explicit)


def day_in(said: object, *, is_end: bool) -> date | None:
    """A civil day, of a month or year its first or its last; none: nothing is said. Raises ToolFailed."""
    if said is None or said == "":
        return None
    found = _DATE.fullmatch(said) if isinstance(said, str) else None
    if found is None:
        raise ToolFailed(_NO_DATE)
    year, month, day = (int(part) if part else 0 for part in found.groups())
    try:
        month = month or (12 if is_end else 1)
        return date(year, month, day or (monthrange(year, month)[1] if is_end else 1))
    except ValueError as wrong:
        raise ToolFailed(_NO_DATE) from wrong


def number_in(said: object) -> int | None:
    """A number that a model wrote, without its fraction; none: it wrote none."""
    is_number = isinstance(said, int | float) and not isinstance(said, bool) and abs(said) < _LARGEST
    return int(said) if is_number and isinstance(said, int | float) else None


def text_in(said: object) -> str:
    """A text that a model wrote, without what no text holds; empty: it wrote none."""
    return said.encode(errors="ignore").decode().strip() if isinstance(said, str) else ""

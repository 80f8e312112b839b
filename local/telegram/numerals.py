"""Integers as people and forms write them."""

import re

# Telegram's ids have at most 52 significant bits, so a longer number is invalid.
_WHOLE = re.compile(r"-?[0-9]{1,18}")


def whole_number(written: object) -> int | None:
    """Return the integer that a text spells, or None."""
    text = str(written).strip()
    return int(text) if _WHOLE.fullmatch(text) else None

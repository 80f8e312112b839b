"""Integers as people and forms write them."""

import re

# Telegram's ids have at most 52 significant bits, so a number with more digits is invalid.
_WHOLE = re.compile(r"-?[0-9]{1,18}")


def whole_number(written: object) -> int | None:
    """Return `written` as an integer, whether it is a number or a text; None if it is not an integer."""
    text = str(written).strip()
    return int(text) if _WHOLE.fullmatch(text) else None

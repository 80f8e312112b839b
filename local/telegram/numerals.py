"""Whole numbers as people and forms write them."""

import re

# Telegram's ids have at most 52 significant bits; whatever is longer is no number that could be meant.
_WHOLE = re.compile(r"-?[0-9]{1,18}")


def whole_number(written: object) -> int | None:
    """The number that a text stands for, or None if it stands for none."""
    text = str(written).strip()
    return int(text) if _WHOLE.fullmatch(text) else None

"""Somebody's own words inside markdown that lull writes."""

import re

#: what a backslash makes a plain character (spec.commonmark.org, "Backslash escapes")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")


def verbatim(text: str) -> str:
    """The text on one line, as markdown that shows it as it is."""
    return _PUNCTUATION.sub(r"\\\g<0>", " ".join(text.split()))

"""Showing the page on privacy to whoever opens it: its text, wrapped as wide as their screen is."""

import re
from functools import cache
from html import escape
from typing import Final

from shared.base.root import ROOT

#: its path at the webhook; no agent is called so, since a folder's name there has no dot
PAGE_PATH: Final = "privacy.html"
#: beside `shared/`, in the repository as in a function's bundle
PAGE: Final = ROOT / "docs" / "privacy.md"
#: it loads nothing, runs nothing, and asks nobody for it again within an hour
PAGE_HEADERS: Final = {
    "Cache-Control": "public, max-age=3600",
    # only its own `style` has an effect: no script, no frame, no file from anywhere
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
#: within a paragraph or an item of a list: the end of a line that goes on
_FOLDED: Final = re.compile(r"(?<=\S)\n[ ]*(?=[^\s#\-|])")
_STYLE: Final = "max-width:42em;margin:2em auto;padding:0 1em;white-space:pre-wrap;font:1em/1.5 sans-serif"


@cache
def privacy_page() -> str:
    """The page as HTML: its markdown reads well as it is, so nothing of it is rendered."""
    text = escape(_FOLDED.sub(" ", PAGE.read_text(encoding="utf-8")))
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Privacy</title>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body style="{_STYLE}">{text}</body></html>'

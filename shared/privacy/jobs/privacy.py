"""The page on privacy that the webhook serves: the text of docs/privacy.md, wrapped to the width of the screen."""

import re
from functools import cache
from html import escape
from typing import Final

from shared.base.root import ROOT

#: The path of the page at the webhook. No agent can have this name, since names of agents contain no dot.
PAGE_PATH: Final = "privacy.html"
#: the file is beside `shared/`, in the repository and in a function's bundle
PAGE: Final = ROOT / "docs" / "privacy.md"
#: the page loads no files and runs no scripts, and browsers cache it for an hour
PAGE_HEADERS: Final = {
    "Cache-Control": "public, max-age=3600",
    # only the page's own styles take effect; scripts, frames and other files are forbidden
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
#: a line break within a paragraph or a list item
_FOLDED: Final = re.compile(r"(?<=\S)\n[ ]*(?=[^\s#\-|])")
_STYLE: Final = "max-width:42em;margin:2em auto;padding:0 1em;white-space:pre-wrap;font:1em/1.5 sans-serif"


@cache
def privacy_page() -> str:
    """Return the page as HTML. The markdown is shown unchanged, since people can read it."""
    text = escape(_FOLDED.sub(" ", PAGE.read_text(encoding="utf-8")))
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Privacy</title>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body style="{_STYLE}">{text}</body></html>'

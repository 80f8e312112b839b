"""Formulas, which Telegram can't show, in Unicode's letters as far as they go."""

import logging
from typing import Any

from telegramify_markdown.latex_escape.helper import LatexToUnicodeHelper

_latex: Any = LatexToUnicodeHelper()
# What it can't write it returns as it was, and logs an error that may hold a piece of it. A filter stays, whereas a
# logger that is disabled is enabled again by whoever configures logging after this, as uvicorn does.
logging.getLogger(LatexToUnicodeHelper.__module__).addFilter(lambda record: False)


def formula_text(tex: str) -> str:
    """A formula as text: `x^2` as x²."""
    return str(_latex.convert(tex)).strip()

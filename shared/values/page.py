"""A page of the web, as the reader gives it to the model."""

from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict

#: characters of a page that a model is shown at most
LONGEST_PAGE: Final = 40_000
LONGEST_TITLE: Final = 300


class PageKind(StrEnum):
    """What the text of a page was taken from."""

    HTML = "html"
    PDF = "pdf"
    TEXT = "text"
    JSON = "json"


class PageRequest(BaseModel):
    """What the reader is asked for: one page."""

    model_config = ConfigDict(extra="forbid")

    url: str
    #: whether no person wrote the address
    is_automatic: bool = True


class PageResult(BaseModel):
    """What came of reading one address: a text in markdown, or in `problem` why there is none."""

    model_config = ConfigDict(frozen=True)

    #: the address that was asked for, and the one where the page was found, behind all redirects
    asked: str
    url: str = ""
    title: str = ""
    kind: PageKind = PageKind.HTML
    text: str = ""
    #: whether the page has more text than this
    is_cut: bool = False
    #: a sentence for the model ("the page says 403: it may not be read"); empty: there is a text
    problem: str = ""
    #: whether the reader's own rules forbid the address, so that nothing was asked for
    is_forbidden: bool = False

"""A web page, as the function `reader` gives it to the model."""

from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict

from shared.values.evolve import FrozenModel

#: the most characters of a page that a model is shown
LONGEST_PAGE: Final = 40_000
LONGEST_TITLE: Final = 300


class PageKind(StrEnum):
    """The format in which a server sent a page. The model gets only the text that is extracted from the page."""

    HTML = "html"
    PDF = "pdf"
    TEXT = "text"
    JSON = "json"


class PageRequest(BaseModel):
    """The body of a request to the function `reader` for one page."""

    model_config = ConfigDict(extra="forbid")

    url: str
    #: whether the address was not written by a person
    is_automatic: bool = True


class PageResult(FrozenModel):
    """The result of reading one page: its text in markdown. If there is no text, `problem` says why."""

    #: the requested address, and the final one after redirects
    asked: str
    url: str = ""
    title: str = ""
    kind: PageKind = PageKind.HTML
    text: str = ""
    #: whether the page is longer than `text`
    is_cut: bool = False
    #: a sentence for the model ("the page says 403: it may not be read"); empty if there is a text
    problem: str = ""
    #: whether the reader's rules forbid the address, so that it was not requested
    is_forbidden: bool = False

"""Reads fields that many request bodies have: texts that the owner wrote, and the id of a click."""

from collections.abc import Mapping

from shared.console.route import BadRequest, ConsoleRequest, OutdatedPage
from shared.webchat.inbound import LONGEST_TEXT


def posted_text(request: ConsoleRequest) -> str:
    """Return the text in the body of a request. Raises BadRequest."""
    text = request.body.get("text")
    if not isinstance(text, str) or not text.strip():
        raise BadRequest("nothing_to_send")
    if len(text) > LONGEST_TEXT:
        raise BadRequest("text_too_long", count=LONGEST_TEXT)
    return text.strip()


def posted_click(request: ConsoleRequest) -> str:
    """Return the id that the page made for a click. A repeated request has the same id. Raises BadRequest."""
    if not request.click:
        raise OutdatedPage("The page is older than the console. Load it again.")
    return request.click


def posted_texts(request: ConsoleRequest) -> Mapping[str, str]:
    """Return the texts in the body of a request by their names."""
    return {name: text for name, text in request.body.items() if isinstance(text, str)}

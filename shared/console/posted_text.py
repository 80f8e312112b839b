"""The text that the owner writes on the page."""

from shared.console.route import BadRequest, ConsoleRequest
from shared.webchat.inbound import LONGEST_TEXT


def posted_text(request: ConsoleRequest) -> str:
    """Return the text in the body of a request. Raises BadRequest."""
    text = request.body.get("text")
    if not isinstance(text, str) or not text.strip():
        raise BadRequest("There is nothing to send.")
    if len(text) > LONGEST_TEXT:
        raise BadRequest(f"That is too long: at most {LONGEST_TEXT} characters.")
    return text.strip()

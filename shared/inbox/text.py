"""Text as it may be stored: without what Firestore and JSON refuse."""

from shared.inbox.rich import rich_text
from shared.models.update import Json

#: far above Telegram's 4,096 characters, and far below what a document holds
LONGEST_TEXT = 32_768


def clean(text: object) -> str:
    """The text with lone surrogates replaced, and cut at LONGEST_TEXT; empty for what is no text."""
    if not isinstance(text, str):
        return ""
    return text[:LONGEST_TEXT].encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def text_of(message: Json) -> str:
    """What a message says, or its caption, or the words of a rich message."""
    return clean(message.get("text")) or clean(message.get("caption")) or clean(rich_text(message.get("rich_message")))

"""Text as it may be stored: without what Firestore and JSON refuse."""


def clean(text: object) -> str:
    """The text with lone surrogates replaced; empty for what is no text."""
    if not isinstance(text, str):
        return ""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

"""Look for the buttons of messages."""

import re

from shared.values.update import Json


def labels_of(message: Json) -> list[str]:
    """List the labels of a message's buttons, row by row."""
    return [button["text"] for row in message.get("buttons") or () for button in row]


def place_of(message: Json, label: str) -> int:
    """Find the button with this label, with the number of the line that has these words, or with these words in it."""
    labels = labels_of(message)
    if label in labels:
        return labels.index(label)
    found = re.search(rf"^(\d+)\. .*{re.escape(label)}", message["text"], re.MULTILINE)
    if found is not None:
        return labels.index(found[1])
    return next(place for place, text in enumerate(labels) if label in text)

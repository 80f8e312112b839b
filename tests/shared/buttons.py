"""The buttons of messages, as tests look for them."""

import re

from shared.values.update import Json


def labels_of(message: Json) -> list[str]:
    """What the buttons of a message say, row by row."""
    return [button["text"] for row in message.get("buttons") or () for button in row]


def place_of(message: Json, label: str) -> int:
    """The place of the button that says so, or that has the number of the line with these words, or has them in it."""
    labels = labels_of(message)
    if label in labels:
        return labels.index(label)
    found = re.search(rf"^(\d+)\. .*{re.escape(label)}", message["text"], re.MULTILINE)
    if found is not None:
        return labels.index(found[1])
    return next(place for place, text in enumerate(labels) if label in text)

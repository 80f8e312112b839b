"""Content that is neither text nor a file, such as a place, a contact, a dice or a poll."""

from typing import Any

from local.telegram.errors import WorldRefused
from local.telegram.messages import RichContent
from local.telegram.spec import problems

#: the fields of a `Message` that may have such content, each with its type in the Bot API
TYPES = {
    "location": "Location",
    "venue": "Venue",
    "contact": "Contact",
    "dice": "Dice",
    "poll": "Poll",
    "checklist": "Checklist",
    "story": "Story",
    "rich_message": "RichMessage",
}


def thing_of(content: dict[str, Any]) -> RichContent:
    """Return the content, given as `{field: value}` of the Bot API. Raises WorldRefused if the field or its value is
    invalid.
    """
    if len(content) != 1 or not TYPES.keys() >= content.keys():
        raise WorldRefused(f"`content` must have exactly one field, which is one of {', '.join(TYPES)}.")
    ((field, value),) = content.items()
    found = problems(value, [TYPES[field]], field)
    if found:
        raise WorldRefused(f"{found[0]}.")
    return RichContent(field=field, value=value)


def fields_of(thing: RichContent) -> dict[str, Any]:
    """Return the content as fields of a Bot API `Message`. For a venue, `location` is set too, for clients that do not
    know venues.
    """
    more = {"location": thing.value["location"]} if thing.field == "venue" else {}
    return {thing.field: thing.value, **more}

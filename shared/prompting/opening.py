"""The opening of a conversation in a group: how far back the first prompt looks, after nobody talked with the agent."""

from collections.abc import Sequence
from datetime import timedelta

from shared.prompting.history import Said, Told

#: what the chat said before is shown for so long, and no more messages of it
LONGEST = timedelta(hours=1)
MOST_MESSAGES = 20


def begin_of_opening(items: Sequence[Told], targets: Sequence[int]) -> int:
    """The place of the first item to be shown; `targets` are places, in order. Without any, nothing is left out.

    From the first message that is to be answered on, everything is shown.
    """
    if not targets:
        return 0
    first = items[targets[0]]
    since = first.message.at - LONGEST if isinstance(first, Said) else None
    begin, left = targets[0], MOST_MESSAGES
    for place in range(targets[0] - 1, -1, -1):
        item = items[place]
        if not isinstance(item, Said):
            continue
        if not left or since is None or item.message.at < since:
            break
        begin, left = place, left - 1
    return begin

"""The pace of a person: how long writing a message seems to take."""

from datetime import timedelta

#: before the first letter
START_SECONDS = 2.0
LETTERS_PER_SECOND = 60.0
#: nobody waits longer than this for what is already written
LONGEST_SECONDS = 8.0


def human_pace(text_length: int) -> timedelta:
    """How long to show that the agent is typing before a text of this many characters is sent."""
    return timedelta(seconds=min(LONGEST_SECONDS, START_SECONDS + max(0, text_length) / LETTERS_PER_SECOND))

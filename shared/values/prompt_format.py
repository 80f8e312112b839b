"""What the settings say of a prompt and its reply: how much stands beside each message, how long the reply may be."""

from enum import StrEnum

#: tokens of a reply, at most: some 8,000 characters of English, 6,000 of Ukrainian
REPLY_TOKENS = 2_048


class PromptFormat(StrEnum):
    """How messages are written for the model: with a `[meta]` header each, or one compact line each.

    Such a header leaves out what is known already, unless it is a `full` one.
    """

    META = "meta"
    FULL = "full"
    COMPACT = "compact"

    @property
    def names_messages(self) -> bool:
        """Whether messages have ids, by which tasks can name them."""
        return self is not PromptFormat.COMPACT

    @property
    def tells_days(self) -> bool:
        """Whether messages say when they were written."""
        return self is not PromptFormat.COMPACT

"""Settings of a prompt's format, and the limit of its reply."""

from enum import StrEnum

#: tokens of a reply, at most: some 8,000 characters of English, 6,000 of Ukrainian
REPLY_TOKENS = 2_048


class PromptFormat(StrEnum):
    """The format of messages in a prompt.

    META and FULL put a `[meta]` header before each message; META leaves out what the reader knows already. COMPACT is
    one line per message.
    """

    META = "meta"
    FULL = "full"
    COMPACT = "compact"

    @property
    def names_messages(self) -> bool:
        """Whether messages have ids that tasks can refer to."""
        return self is not PromptFormat.COMPACT

    @property
    def tells_days(self) -> bool:
        """Whether messages tell the day on which they were written."""
        return self is not PromptFormat.COMPACT

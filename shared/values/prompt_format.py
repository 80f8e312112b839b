"""Settings of a prompt's format, and the limit of its reply."""

from enum import StrEnum

#: tokens of a reply, at most: some 8,000 characters of English, 6,000 of Ukrainian
REPLY_TOKENS = 2_048


class PromptFormat(StrEnum):
    """The format of messages in a prompt.

    META and FULL put a `[meta]` header before each message; META leaves out what the reader knows already. COMPACT is
    one line per message. PLAIN is the bare words, in groups with the name before them.
    """

    META = "meta"
    FULL = "full"
    COMPACT = "compact"
    PLAIN = "plain"

    @property
    def names_messages(self) -> bool:
        """Whether messages have ids that tasks can refer to."""
        return self in {PromptFormat.META, PromptFormat.FULL}

    @property
    def tells_days(self) -> bool:
        """Whether messages tell the day on which they were written."""
        return self in {PromptFormat.META, PromptFormat.FULL}

    @property
    def is_of_lines(self) -> bool:
        """Whether a user's turn is one text with a line per message."""
        return not self.names_messages

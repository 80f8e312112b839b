"""Settings of a prompt's format, and the limit of its reply."""

from enum import StrEnum

#: the most tokens of a reply: about 8,000 characters of English, or 6,000 of Ukrainian
REPLY_TOKENS = 2_048


class PromptFormat(StrEnum):
    """The format of messages in a prompt.

    META and FULL put a `[meta]` header before each message; META omits facts that the prompt has given before. COMPACT
    is one line per message. PLAIN is only the message's words; in groups the author's name precedes them.
    """

    META = "meta"
    FULL = "full"
    COMPACT = "compact"
    PLAIN = "plain"

    @property
    def names_messages(self) -> bool:
        """True if messages have ids that tasks can refer to."""
        return self in {PromptFormat.META, PromptFormat.FULL}

    @property
    def tells_days(self) -> bool:
        """True if messages are shown with the day on which they were written."""
        return self in {PromptFormat.META, PromptFormat.FULL}

    @property
    def is_of_lines(self) -> bool:
        """True if a user's turn is one text with a line per message."""
        return not self.names_messages

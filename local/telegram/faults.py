"""Faults on demand: failures that a test requests for the next calls or deliveries."""

from dataclasses import dataclass, replace
from enum import StrEnum

# The method name that stands for deliveries to webhooks.
WEBHOOK = "webhook"


class TelegramFaultKind(StrEnum):
    """The kinds of fault: an answer with an error status, a delay, or a connection that is cut before or after the call
    has its effect.
    """

    REFUSED = "400"
    TOO_MANY = "429"
    SERVER_ERROR = "500"
    BAD_GATEWAY = "502"
    SLOW = "slow"
    CUT_BEFORE = "cut_before"
    CUT_AFTER = "cut_after"

    @property
    def is_status(self) -> bool:
        """Return whether the fault is a response with an HTTP status."""
        return self.value.isdigit()


@dataclass(frozen=True, kw_only=True)
class TelegramFault:
    """A fault for the next `times` calls of a method ("*" for any Bot API method). Durations are in seconds."""

    method: str
    kind: TelegramFaultKind
    times: int = 1
    retry_after: int = 3
    #: the reason that a refusal gives, as Telegram would word it
    why: str = "not now"
    seconds: float = 1.0
    bot_id: int | None = None
    chat_id: int | None = None

    def hits(self, method: str, bot_id: int, chat_id: int | None) -> bool:
        """Return whether the fault applies to a call of `method` by this bot, in this chat (None if the call names no
        chat).
        """
        named = self.method.lower() == method.lower() or (self.method == "*" and method != WEBHOOK)
        return named and self.bot_id in (None, bot_id) and self.chat_id in (None, chat_id)


class TelegramFaults:
    """The pending faults, in the order in which they were requested."""

    def __init__(self) -> None:
        self._waiting: list[TelegramFault] = []

    def add(self, fault: TelegramFault) -> None:
        """Add a fault."""
        self._waiting.append(fault)

    def clear(self) -> None:
        """Remove all faults."""
        self._waiting.clear()

    def take(self, method: str, bot_id: int, chat_id: int | None) -> TelegramFault | None:
        """Return the first pending fault for this call, or None if there is none. A fault is removed once it was
        returned `times` times.
        """
        fault = next((one for one in self._waiting if one.hits(method, bot_id, chat_id)), None)
        if fault is None:
            return None
        at = self._waiting.index(fault)
        self._waiting[at : at + 1] = [replace(fault, times=fault.times - 1)] if fault.times > 1 else []
        return fault

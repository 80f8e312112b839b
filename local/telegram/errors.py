"""What can go wrong here, and who is told.

TelegramError
├── ApiError        answered to a bot, in the Bot API's own words
└── WorldRefused    answered to whoever plays a person, in one sentence
"""

from collections.abc import Mapping


class TelegramError(Exception):
    """Root of everything that this server refuses."""


class BotApiError(TelegramError):
    """A refused Bot API call: the code, the description and, sometimes, ResponseParameters."""

    def __init__(self, code: int, description: str, parameters: Mapping[str, int] | None = None) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters

    @property
    def body(self) -> dict[str, object]:
        """The JSON object that Telegram answers with."""
        answer: dict[str, object] = {"ok": False, "error_code": self.code, "description": self.description}
        return answer | ({"parameters": dict(self.parameters)} if self.parameters else {})


class WorldRefused(TelegramError):
    """A person's act that this world cannot do; the message is a whole sentence."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.status = status


def bad_request(reason: str, parameters: Mapping[str, int] | None = None) -> BotApiError:
    """The 400 that Telegram writes as `Bad Request: reason`."""
    return BotApiError(400, f"Bad Request: {reason}", parameters)


def forbidden(reason: str) -> BotApiError:
    """The 403 that Telegram writes as `Forbidden: reason`."""
    return BotApiError(403, f"Forbidden: {reason}")


def too_many_requests(retry_after: int) -> BotApiError:
    """The 429 of flood control, which says when to come back, in whole seconds."""
    return BotApiError(429, f"Too Many Requests: retry after {retry_after}", {"retry_after": retry_after})

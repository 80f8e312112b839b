"""The errors of this server, and the caller to whom each is returned.

TelegramError
├── BotApiError     returned to a bot, in the Bot API's own words
└── WorldRefused    returned to the test or page that simulates a person, as one sentence
"""

from collections.abc import Mapping


class TelegramError(Exception):
    """Base of all errors of this server."""


class BotApiError(TelegramError):
    """A refused Bot API call: the code, the description and, sometimes, ResponseParameters."""

    def __init__(self, code: int, description: str, parameters: Mapping[str, int] | None = None) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters

    @property
    def body(self) -> dict[str, object]:
        """Return the JSON object of Telegram's response."""
        answer: dict[str, object] = {"ok": False, "error_code": self.code, "description": self.description}
        return answer | ({"parameters": dict(self.parameters)} if self.parameters else {})


class WorldRefused(TelegramError):
    """An action of a person that this world does not allow. The message is a complete sentence."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.status = status


def bad_request(reason: str, parameters: Mapping[str, int] | None = None) -> BotApiError:
    """Return the 400 that Telegram writes as `Bad Request: reason`."""
    return BotApiError(400, f"Bad Request: {reason}", parameters)


def forbidden(reason: str) -> BotApiError:
    """Return the 403 that Telegram writes as `Forbidden: reason`."""
    return BotApiError(403, f"Forbidden: {reason}")


def too_many_requests(retry_after: int) -> BotApiError:
    """Return the 429 of flood control, with the seconds to wait."""
    return BotApiError(429, f"Too Many Requests: retry after {retry_after}", {"retry_after": retry_after})

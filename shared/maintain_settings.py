"""The settings of the function that keeps the deployment itself right (functions/maintain)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from shared.declaring import Secret, Spelled, setting
from shared.settings import AgentsSettings
from shared.settings_in_json import place_in, tokens_in


def _address_in(text: str) -> str:
    """A function's address. Raises ValueError."""
    if not re.fullmatch(r"https?://[^/?#]+/?", text):
        raise ValueError("write a function's address, without a path")
    return text


@dataclass(frozen=True, kw_only=True)
class MaintainSettings(AgentsSettings):
    """What it needs. It alone has both the bots' tokens and the webhook's address."""

    bot_tokens: Annotated[Mapping[str, Secret], Spelled(tokens_in)] = setting(
        "LULL_BOT_TOKENS", "the bot token of each agent, as JSON", '{"lull": "123456:ABC-DEF"}'
    )
    webhook_secret: Secret = setting(
        "LULL_WEBHOOK_SECRET", "the webhook's secret, which Telegram is told again daily", "a-long-random-string"
    )
    telegram_url: Annotated[str, Spelled(place_in)] = setting(
        "TELEGRAM_API_URL", "where the Bot API is", "http://127.0.0.1:8081", "https://api.telegram.org"
    )
    webhook_url: Annotated[str, Spelled(_address_in)] = setting(
        "LULL_WEBHOOK_URL",
        "the webhook function's address, without a path: where each bot's updates are to go",
        "https://lull-webhook-x.run.app",
    )
    summarize_url: str = setting(
        "LULL_SUMMARIZE_URL", "the address of the function that sweeps", "https://lull-summarize-x.run.app"
    )
    clock: str = setting(
        "LULL_CLOCK",
        "the service account in whose name Cloud Scheduler calls the function `maintain`; nobody else may",
        "lull-clock-maintain@my-lull.iam.gserviceaccount.com",
    )

"""The settings of the scheduled function: what it sweeps, how it notes conversations, and where it archives."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from shared.declaring import Between, Spelled, setting
from shared.settings import LITE, AgentsSettings, ArchiveSettings, EmbeddingSettings, Span, TakeoutSettings
from shared.settings_in_json import optional_model_in

SummarySize: TypeAlias = Annotated[int, Between(64, 16_384)]
#: a fraction of a day, too: for who tries it out
DaysBetween: TypeAlias = Annotated[float, Between(0, 365, is_above=True)]


@dataclass(frozen=True, kw_only=True)
class SummarizeSettings(EmbeddingSettings, ArchiveSettings, AgentsSettings, TakeoutSettings):
    """What the scheduled function needs. It has no bot token: it only has other functions called."""

    sweep_grace_s: Span = setting(
        "LULL_SWEEP_GRACE_S",
        "seconds after which the sweep wakes a chat that nobody came for; longer than LULL_LATER_S and a quiet time",
        "150",
        150.0,
    )

    notes_model: Annotated[str, Spelled(optional_model_in)] = setting(
        "LULL_NOTES_MODEL",
        "the Gemini model that notes conversations once they rest, and summarises chats; `no`: nobody does",
        LITE,
        LITE,
    )
    notes_tokens: Annotated[int, Between(1_500, 128_000)] = setting(
        "LULL_NOTES_TOKENS", "how many tokens of a conversation are noted at once", "6000", 12_000
    )
    notes_timeout_s: Span = setting(
        "LULL_NOTES_TIMEOUT_S", "seconds that one call for notes may take, which is tried twice at most", "30", 60.0
    )

    summary_7day_tokens: SummarySize = setting(
        "LULL_SUMMARY_7DAY_TOKENS", "how many tokens the summary of a chat's last 7 days may have", "512", 1_024
    )
    summary_7day_days: DaysBetween = setting(
        "LULL_SUMMARY_7DAY_EVERY_DAYS", "days after which it is made anew, if something was said", "1", 3.0
    )
    summary_30day_tokens: SummarySize = setting(
        "LULL_SUMMARY_30DAY_TOKENS", "how many tokens the summary of a chat's last 30 days may have", "2048", 4_096
    )
    summary_30day_days: DaysBetween = setting(
        "LULL_SUMMARY_30DAY_EVERY_DAYS", "days after which it is made anew, if something was said", "7", 14.0
    )

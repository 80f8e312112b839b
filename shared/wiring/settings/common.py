"""Settings that several functions read, and that name no model. The console reads them, too, to show them."""

from typing import Annotated, TypeAlias

from pydantic import Field

from shared.values.prompt_format import REPLY_TOKENS, PromptFormat
from shared.wiring.settings import ProjectSettings
from shared.wiring.settings.environment import AnyCase, Count, setting

Days: TypeAlias = Annotated[float, Field(gt=0, le=365)]

SummarySize: TypeAlias = Annotated[int, Field(ge=64, le=16_384)]


class SummarySettings(ProjectSettings):
    """Settings of notes and summaries: the size of notes' prompts, and the size and interval of summaries."""

    notes_tokens: Annotated[int, Field(ge=1_500, le=128_000)] = setting(
        "how many tokens of a conversation one call for notes reads", "6000", 12_000
    )
    summary_7day_tokens: SummarySize = setting(
        "how many tokens the summary of a chat's last 7 days may have", "512", 1_024
    )
    summary_7day_every_days: Days = setting(
        "days after which this summary is made again, if there are new messages", "1", 3.0
    )
    summary_30day_tokens: SummarySize = setting(
        "how many tokens the summary of a chat's last 30 days may have", "2048", 4_096
    )
    summary_30day_every_days: Days = setting(
        "days after which this summary is made again, if there are new messages", "7", 14.0
    )


class MediaBudgetSettings(ProjectSettings):
    """The setting that limits how many files a model describes in one run."""

    media_budget: Count = setting(
        "how many files a model may describe for one tick, or in one run over left-over files", "8", 8
    )


class PromptSettings(ProjectSettings):
    """Settings of prompts: format and size, the length of replies, and the number of memories."""

    prompt_format: Annotated[PromptFormat, AnyCase] = setting(
        "the format of messages in a prompt: `meta`: a header before each message, without repeating earlier "
        "headers; `full`: the whole header each time; `compact`: one short line per message, without ids; "
        "`plain`: the text alone, in groups with names",
        "compact",
        PromptFormat.META,
    )
    person_memories: Annotated[int, Field(ge=1, le=500)] = setting(
        "how many facts are stored about a person, about a chat, and for an agent", "100", 50
    )
    context_tokens: Annotated[int, Field(ge=2_000, le=128_000)] = setting(
        "the largest size of a prompt, in tokens as lull estimates them", "32000", 16_000
    )
    reply_tokens: Annotated[int, Field(ge=256, le=65_536)] = setting(
        "how many tokens a reply of the model may have, including thoughts", "4096", REPLY_TOKENS
    )

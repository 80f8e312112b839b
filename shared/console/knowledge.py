"""Settings for memories, summaries and descriptions. Other functions use them, and the console only shows them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from types import MappingProxyType

from shared.recall.store.summaries import SummarySpan
from shared.values.capabilities import OutputKind
from shared.values.prompt_format import REPLY_TOKENS, PromptFormat


@dataclass(frozen=True, kw_only=True)
class KnowledgeSettings:
    """Settings that decide what the agents know. The name of a model is "" if the deployment has none for this work."""

    #: the most facts of one person, one chat or one agent
    person_memories: int = 50
    #: the model that makes notes and summaries, and the tokens that one call of it reads
    notes_model: str = ""
    notes_tokens: int = 12_000
    #: the tokens of a span's summary, and the interval at which it is made again
    summary_tokens: Mapping[SummarySpan, int] = field(
        default_factory=lambda: MappingProxyType({SummarySpan.WEEK: 1_024, SummarySpan.MONTH: 4_096})
    )
    summary_every: Mapping[SummarySpan, timedelta] = field(
        default_factory=lambda: MappingProxyType(
            {SummarySpan.WEEK: timedelta(days=3), SummarySpan.MONTH: timedelta(days=14)}
        )
    )
    embedding_model: str = ""
    #: the model that describes files, and the files that one run describes
    media_model: str = ""
    media_budget: int = 8
    #: the models that plan, the first one by default; and the kinds of file that models make for agents
    models: tuple[str, ...] = ()
    made: frozenset[OutputKind] = frozenset(OutputKind)
    prompt_format: PromptFormat = PromptFormat.META
    context_tokens: int = 16_000
    reply_tokens: int = REPLY_TOKENS

"""The estimated costs of rebuilding the data that is derived from transcripts."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from shared.base.model_call import ModelCall
from shared.upkeep.jobs.rebuild import RebuildModels, RebuildSize
from shared.values.usage import cost_of

#: tokens of an entry with its header, and of a conversation's notes, as measured in a benchmark
ENTRY_TOKENS: Final = 45
NOTES_TOKENS: Final = 600
#: US dollars for a million document reads, and writes (cloud.google.com/firestore/pricing, a multi-region of the US,
#: read on 2026-11-24)
READS_PRICE: Final = 0.60
WRITES_PRICE: Final = 1.80
#: average entries of a segment
ENTRIES_IN_SEGMENT: Final = 8


@dataclass(frozen=True, kw_only=True)
class RebuildCosts:
    """Costs of rebuilding in US dollars. None if the price of a model is not known."""

    storing: float
    noting: float | None
    embedding: float | None

    @property
    def sentence(self) -> str:
        """The estimate as an English sentence, with unknown prices named as such."""
        parts = [f"about ${self.storing:.2f} for Firestore"]
        for cost, what in ((self.noting, "for notes"), (self.embedding, "for vectors")):
            parts.append(f"${cost:.2f} {what}" if cost is not None else f"an unknown price {what}")
        return f"It costs {parts[0]}, {parts[1]} and {parts[2]}."


def rebuild_costs(size: RebuildSize, models: RebuildModels, now: datetime, *, with_model: bool) -> RebuildCosts:
    """Return the estimated costs of rebuilding this amount of data. If `with_model` is false, no model is paid for."""
    reads, writes = size.entries + 3 * size.conversations, size.entries / ENTRIES_IN_SEGMENT + 3 * size.conversations
    storing = (reads * READS_PRICE + writes * WRITES_PRICE) / 1e6
    if not with_model:
        return RebuildCosts(storing=storing, noting=0.0, embedding=0.0)
    read = size.entries * ENTRY_TOKENS
    noted = ModelCall(model=models.notes, prompt_tokens=read, output_tokens=size.conversations * NOTES_TOKENS)
    embedded = ModelCall(model=models.embedding.partition("/")[0], prompt_tokens=read)
    return RebuildCosts(
        storing=storing,
        noting=cost_of([noted], now) if models.notes else 0.0,
        embedding=cost_of([embedded], now) if models.embedding else 0.0,
    )

"""Builds what the console's views need but signing in does not. It is imported with the views."""

from datetime import timedelta
from typing import Final

from shared.console.knowledge import KnowledgeSettings
from shared.planning.personas.files import load_fronts
from shared.recall.store.summaries import SummarySpan
from shared.spending.policy import SpendingPolicy
from shared.wiring.settings.console import ConsoleSettings
from shared.wiring.settings.model_names import NO_MODEL
from shared.wiring.spending import spending_policy

_SMALLEST: Final = str(ConsoleSettings.model_fields["notes_model"].default)


def knowledge_of(settings: ConsoleSettings) -> KnowledgeSettings:
    """Return the settings that decide what the agents know. Other functions apply them; the console only shows them."""
    week, month = timedelta(days=settings.summary_7day_every_days), timedelta(days=settings.summary_30day_every_days)
    others = [name.strip() for name in settings.models.split(",") if name.strip()]
    # without other models, `/model` offers the smallest one of Gemini's, which is also the usual one for notes
    smallest = [_SMALLEST] if not others and settings.model.startswith("gemini-") else []
    return KnowledgeSettings(
        person_memories=settings.person_memories,
        notes_model=_model_name(settings.notes_model),
        notes_tokens=settings.notes_tokens,
        summary_tokens={
            SummarySpan.WEEK: settings.summary_7day_tokens,
            SummarySpan.MONTH: settings.summary_30day_tokens,
        },
        summary_every={SummarySpan.WEEK: week, SummarySpan.MONTH: month},
        embedding_model=_model_name(settings.embedding_model),
        media_model=_model_name(settings.media_model),
        media_budget=settings.media_budget,
        models=tuple(dict.fromkeys((settings.model, *others, *smallest))),
        prompt_format=settings.prompt_format,
        context_tokens=settings.context_tokens,
        reply_tokens=settings.reply_tokens,
    )


def _model_name(model: str) -> str:
    return "" if model == NO_MODEL else model


def spending(settings: ConsoleSettings) -> SpendingPolicy:
    """Return the limits of the settings and of the personas. Raises InvalidPersona."""
    return spending_policy(settings, load_fronts(settings.agent_folders))

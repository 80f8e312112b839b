"""Builds what the console's API needs. Signing in needs none of it, so this module is imported only afterwards."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import partial
from typing import Final

from pydantic import BaseModel, SecretStr

from shared.base.errors import InvalidSettings
from shared.console.deployment import DeploymentFacts, ShownSetting
from shared.console.knowledge import KnowledgeSettings
from shared.planning.personas.files import load_fronts
from shared.recall.store.summaries import SummarySpan
from shared.spending.policy import SpendingPolicy
from shared.wiring.settings.console import ConsoleSettings
from shared.wiring.settings.environment import OWN
from shared.wiring.settings.model_names import NO_MODEL
from shared.wiring.spending import spending_policy

_SMALLEST: Final = str(ConsoleSettings.model_fields["notes_model"].default)


def knowledge_of(settings: ConsoleSettings) -> KnowledgeSettings:
    """Return the settings that decide what agents know. Other functions apply them, and the console shows them."""
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


#: settings that the page does not show: who knows the secret address (`console_door`) may try to sign in there
_HIDDEN: Final = frozenset({"console_door"})
#: settings that `make deploy` and `make dev` set themselves
_GIVEN: Final = frozenset({
    "CLOUD_TASKS_ENDPOINT", "GOOGLE_CLOUD_PROJECT", "LULL_AGENTS", "LULL_AGENTS_PATH", "LULL_INVOKER",
    "LULL_LOGIN_CLIENT", "LULL_MEDIA_BUCKET", "LULL_QUEUE", "LULL_ROUTES", "LULL_TAKEOUT_BUCKET", "LULL_TICK_URL",
})  # fmt: skip


def deployment_of(settings: ConsoleSettings, env: Mapping[str, str] = OWN) -> DeploymentFacts:
    """Return the facts about this deployment. Cloud Run puts the names of this function and its revision into `env`."""
    place = settings.queue.split("/")
    is_deployed = "K_REVISION" in env and len(place) > 3
    return DeploymentFacts(
        region=place[3] if is_deployed else "",
        service=env.get("K_SERVICE", ""),
        revision=env.get("K_REVISION", ""),
        settings=tuple(_shown_settings(settings)),
        problem_of=partial(_problem_of, env),
    )


def _shown_settings(settings: ConsoleSettings) -> Iterator[ShownSetting]:
    """Yield the settings by name, without secrets."""
    variables = zip(ConsoleSettings.model_fields, ConsoleSettings.variables().items(), strict=True)
    for field, (name, about) in sorted(variables, key=lambda one: one[1][0]):
        value = getattr(settings, field)
        # a structure, such as the other functions' addresses, is shown in another place
        if field in _HIDDEN or isinstance(value, SecretStr | BaseModel):
            continue
        is_default = not about.is_required() and value == about.get_default(call_default_factory=True)
        yield ShownSetting(
            name=name,
            value=_setting_text(value),
            purpose=about.description or "",
            is_default=is_default,
            is_given=name in _GIVEN,
        )


def _problem_of(env: Mapping[str, str], name: str, value: str) -> str:
    try:
        ConsoleSettings.from_environment({**env, name: value})
    except InvalidSettings as wrong:
        return str(wrong)
    return ""


def _setting_text(value: object) -> str:
    """Return a setting's value as it is written in the environment; "" if there is none."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)

"""The probes of ticks: the models, Telegram, the reader, and the bucket of exports."""

from collections.abc import Iterator, Sequence
from functools import cache, partial

from shared.llm.gemini.model import GeminiModel
from shared.llm.metering import MeteredModels
from shared.llm.ports.embedding import Embedder
from shared.media.media_reader import HttpMediaReader
from shared.upkeep.jobs.probe import (
    Probe,
    answer_prompt,
    ask_models,
    ask_telegram,
    embed_words,
    find_model,
    read_a_page,
    read_export,
)
from shared.values.agent import VoicePolicy
from shared.values.canary import PROBE_WORDS, CanaryStep, ProbeOrder
from shared.values.capabilities import OutputKind
from shared.values.prompt import Prompt, PromptTurn, TurnRole
from shared.wiring.embedding import embedder
from shared.wiring.exports import bucket_of
from shared.wiring.media_generation import made_by
from shared.wiring.models import ModelClients
from shared.wiring.settings.model_functions import TickSettings
from shared.wiring.tick import FRONTS, JUDGE, NO_JUDGE, SETTINGS, metered_models, tick_services
from shared.wiring.web import reader_of

#: for each kind of output, the setting that names its model, and the step of the model's probe
MAKERS = {
    OutputKind.SPEECH: ("speech_model", CanaryStep.SPEAKING),
    OutputKind.PICTURES: ("image_model", CanaryStep.DRAWING),
}


def probes(order: ProbeOrder) -> Sequence[Probe]:
    """Return the probes of the tick function. The reader and the bucket are probed only if they are configured."""
    agents, models = tick_services().agents, metered_models()
    found = [
        Probe(CanaryStep.MODEL, partial(ask_models, models, SETTINGS.offered_models)),
        *_other_models(models, order),
        *(Probe(CanaryStep.TELEGRAM, partial(ask_telegram, of.runner.channel), agent) for agent, of in agents.items()),
    ]
    if SETTINGS.reader_url:
        pages, files = reader_of(SETTINGS.reader_url), HttpMediaReader(SETTINGS.reader_url)
        found.append(Probe(CanaryStep.READING, partial(read_a_page, pages, files, SETTINGS.privacy_url)))
    bucket = bucket_of(SETTINGS)
    if bucket is not None and order.has_takeout:
        found.append(Probe(CanaryStep.EXPORTS, partial(read_export, bucket(), order.run)))
    return found


def _other_models(models: MeteredModels, order: ProbeOrder) -> Iterator[Probe]:
    """Yield probes of the models that do not plan: those that an agent needs, or that the settings name.

    A judge (the model that decides if a group message is for the agent) that also plans is probed only as a planner.
    """
    judge = SETTINGS.judge_model
    if judge not in (NO_JUDGE, *SETTINGS.offered_models) and (JUDGE in models.by_name or _is_chosen("judge_model")):
        named = MeteredModels({judge: _clients().model(judge)}, models.fallback)
        yield Probe(CanaryStep.JUDGING, partial(ask_models, named, [judge], answer_prompt("Is this a question?")))
    if (vectors := _embedder()) is not None:
        yield Probe(CanaryStep.VECTORS, partial(embed_words, vectors))
    for made, name in made_by(SETTINGS).items():
        setting, step = MAKERS[made]
        if made.value in models.by_name and order.is_thorough:
            named = MeteredModels({name: models.by_name[made.value]}, models.fallback)
            yield Probe(step, partial(ask_models, named, [name], _making_prompt(made)))
        elif made.value in models.by_name or _is_chosen(setting):
            model = _clients().model(name)
            if isinstance(model, GeminiModel):  # other providers have no free call
                yield Probe(step, partial(find_model, model, name))


def _making_prompt(made: OutputKind) -> Prompt:
    """Return the prompt for a tiny picture, or for a sentence in the first configured voice."""
    voices = [front.voice_name for front in FRONTS.values() if front.voice is not VoicePolicy.NEVER]
    words, voice = (PROBE_WORDS, voices[0]) if made is OutputKind.SPEECH else (f"A grey dot. {PROBE_WORDS}", "")
    return Prompt(system="", turns=(PromptTurn(role=TurnRole.USER, parts=(words,)),), makes=made, voice=voice)


def _is_chosen(setting: str) -> bool:
    """Return whether a setting differs from its default."""
    return bool(getattr(SETTINGS, setting) != TickSettings.model_fields[setting].default)


@cache
def _clients() -> ModelClients:
    return ModelClients(SETTINGS, SETTINGS.model_timeout_s, SETTINGS.model_tries)


@cache
def _embedder() -> Embedder | None:
    """Return an embedder whose calls are paid for outside of ticks. The one that ticks use needs a tick's budget
    service.
    """
    return embedder(SETTINGS, metered_models().fallback)

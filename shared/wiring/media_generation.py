"""Builds what generates the agents' voice notes and pictures."""

from collections.abc import Iterable, Mapping

from shared.llm.metering import MeteredModels
from shared.llm.ports.world import LanguageModel
from shared.media.making import FileMaker
from shared.media.media_reader import HttpMediaReader
from shared.planning.personas.load import without_missing_abilities
from shared.tasks.registry import traits_of
from shared.values.agent import Agent
from shared.values.capabilities import OutputKind
from shared.wiring.models import ModelClients
from shared.wiring.settings.model_functions import TickSettings

#: the setting for no model
NO_MODEL = "no"
#: seconds of one try, and the number of tries; people wait for the file, and are told if it cannot be made
TIMEOUT_S, TRIES = 60.0, 2


def made_by(settings: TickSettings) -> Mapping[OutputKind, str]:
    """Return the name of the model for each kind of output (speech, pictures). A kind without a model is left out."""
    named = {OutputKind.SPEECH: settings.speech_model, OutputKind.PICTURES: settings.image_model}
    return {made: model for made, model in named.items() if model != NO_MODEL}


def able_agents(agents: Mapping[str, Agent], settings: TickSettings) -> dict[str, Agent]:
    """Return the agents, each without the kinds of task (voice notes, pictures) for which settings name no model."""
    made = made_by(settings).keys()
    return {name: without_missing_abilities(agent, made) for name, agent in agents.items()}


def making_models(agents: Iterable[Agent], settings: TickSettings) -> Mapping[str, LanguageModel]:
    """Return the models that generate files for these agents, by the names under which ticks call them."""
    wanted = {traits_of(kind).uses.made for agent in agents for kind in agent.kinds}
    named = {made: model for made, model in made_by(settings).items() if made in wanted}
    clients = ModelClients(settings, TIMEOUT_S, TRIES)
    return {made.value: clients.model(model) for made, model in named.items()}


def maker_for(agent: Agent, models: MeteredModels, settings: TickSettings) -> FileMaker | None:
    """Return the object that makes an agent's files; None if none of the agent's tasks needs a file from a model."""
    by = {made: made.value for made in OutputKind if made.value in models.by_name}
    wanted = {traits_of(kind).uses.made for kind in agent.kinds}.intersection(by)
    if not wanted:
        return None
    return FileMaker(models=models, by=by, encoder=HttpMediaReader(settings.reader_url), front=agent.front)

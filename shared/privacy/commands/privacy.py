"""The command /privacy: explains in a few sentences how messages are processed, with a link to the whole page."""

from dataclasses import dataclass
from typing import Final

from shared.base.wording.words import SILENCE, Phrase, Words, bullet_list, join_phrases
from shared.commands.command import Audience, Command, CommandRequest, CommandResponse, verbatim
from shared.commands.registry import commands_by_name
from shared.llm.ports.world import PortRegistry
from shared.values.model_name import is_this_machine

_GOOGLES: Final = ".googleapis.com"


@dataclass(frozen=True, kw_only=True)
class PrivacyFacts:
    """The properties of a deployment that /privacy mentions."""

    #: address of the agent's page; "" if there is none
    page: str = ""
    #: hosts of the models that receive parts of messages. The host of the answering model is the first. "" is Google's
    #: Gemini API
    hosts: tuple[str, ...] = ("",)
    #: name of Google's service for models, with its region
    gemini: str = "Gemini"


async def facts_of(request: CommandRequest, ports: PortRegistry) -> PrivacyFacts:
    return ports[PrivacyFacts]


def respond(request: CommandRequest) -> CommandResponse:
    """Return sentences that say which data is stored, who receives or sees it, and how people export or delete it."""
    words = request.words
    facts = request.result if isinstance(request.result, PrivacyFacts) else PrivacyFacts()
    told = (words.say("privacy.kept"), _model(facts, words), words.say("privacy.seen"))
    page = words.say("privacy.page", link=_link(facts.page)) if facts.page else SILENCE
    text = join_phrases(words.say("privacy.heading"), bullet_list(*told, *_rights(words)), page, by="\n\n")
    return CommandResponse(text=text)


def _model(facts: PrivacyFacts, words: Words) -> Phrase:
    """Return a sentence that names the receivers of the prompts. A model on this machine sends no data to others."""
    others = [("" if f".{host}".endswith(_GOOGLES) else host) for host in facts.hosts if not is_this_machine(host)]
    match list(dict.fromkeys(others)):
        case []:
            return words.say("privacy.model_here")
        case [""]:
            return words.say("privacy.model", gemini=facts.gemini)
        case [host]:
            return words.say("privacy.model_at", host=f"`{host}`")
        case several:
            named = (f"`{host}`" if host else verbatim(facts.gemini) for host in several)
            return words.say("privacy.models", models=", ".join(named))


def _link(address: str) -> str:
    return f"[{verbatim(address.removeprefix('https://'))}]({address})"


def _rights(words: Words) -> tuple[Phrase, ...]:
    """Return a phrase for each available command by which people see, export or delete their data."""
    said = {
        "memories": words.say("privacy.memories"),
        "export": words.say("privacy.export"),
        "forget": words.say("privacy.forget"),
    }
    return tuple(phrase for name, phrase in said.items() if name in commands_by_name())


COMMAND = Command(
    name="privacy",
    order=86,
    audience=Audience.EVERYONE,
    is_said_once=True,
    respond=respond,
    effect=facts_of,
    needs=(PrivacyFacts,),
)

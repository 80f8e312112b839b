"""/privacy: what happens with what people write, in a few sentences, and where all of it is told."""

import re
from dataclasses import dataclass
from typing import Final

from shared.base.wording.words import SILENCE, Phrase, Words, bulleted, joined
from shared.commands.command import Audience, Command, CommandRequest, CommandResponse, verbatim
from shared.commands.registry import commands_by_name
from shared.llm.ports.world import PortRegistry

#: hosts that are the machine itself
_HERE: Final = re.compile(r"localhost|.*\.localhost|127\.[0-9.]+|::1|\[::1\]")
_GOOGLES: Final = ".googleapis.com"


@dataclass(frozen=True, kw_only=True)
class PrivacyFacts:
    """What /privacy tells of a deployment."""

    #: the address of the agent's page; empty: it has none
    page: str = ""
    #: where the model is that answers; empty: Google's Gemini API
    host: str = ""
    #: what Google's model is called, with where it is
    gemini: str = "Gemini"


async def facts_of(request: CommandRequest, ports: PortRegistry) -> PrivacyFacts:
    """Return what is to be told of this deployment."""
    return ports[PrivacyFacts]


def respond(request: CommandRequest) -> CommandResponse:
    """What is kept, who is sent it, who sees it, and how to have it back or deleted."""
    words = request.words
    facts = request.result if isinstance(request.result, PrivacyFacts) else PrivacyFacts()
    told = (words.say("privacy.kept"), _model(facts, words), words.say("privacy.seen"))
    page = words.say("privacy.page", link=_link(facts.page)) if facts.page else SILENCE
    text = joined(words.say("privacy.heading"), bulleted(*told, *_rights(words)), page, by="\n\n")
    return CommandResponse(text=text)


def _model(facts: PrivacyFacts, words: Words) -> Phrase:
    """Who is sent what is needed for an answer."""
    if _HERE.fullmatch(facts.host):
        return words.say("privacy.model_here")
    if facts.host and not f".{facts.host}".endswith(_GOOGLES):
        return words.say("privacy.model_at", host=f"`{facts.host}`")
    return words.say("privacy.model", gemini=facts.gemini)


def _link(address: str) -> str:
    """The address as a link that shows it."""
    return f"[{verbatim(address.removeprefix('https://'))}]({address})"


def _rights(words: Words) -> tuple[Phrase, ...]:
    """What somebody can do about it."""
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

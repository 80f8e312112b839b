"""/privacy: what happens with what people write, in a few sentences, and where all of it is told."""

from dataclasses import dataclass

from shared.commands.command import Audience, Command, CommandRequest, CommandResponse, verbatim
from shared.commands.registry import commands_by_name
from shared.ports.world import Ports
from shared.wording.words import SILENCE, Phrase, Words, bulleted, joined


@dataclass(frozen=True)
class PrivacyPage:
    """Where an agent's page on privacy is; empty: nowhere."""

    address: str


async def page_of(request: CommandRequest, ports: Ports) -> str:
    """The address of the agent's page; empty: it has none."""
    return ports[PrivacyPage].address


def respond(request: CommandRequest) -> CommandResponse:
    """What is kept, who is sent it, who sees it, and how to have it back or deleted."""
    words, address = request.words, request.result
    told = (words.say("privacy.kept"), words.say("privacy.model"), words.say("privacy.seen"))
    page = words.say("privacy.page", link=_link(address)) if isinstance(address, str) and address else SILENCE
    text = joined(words.say("privacy.heading"), bulleted(*told, *_rights(words)), page, by="\n\n")
    return CommandResponse(text=text)


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
    effect=page_of,
    needs=(PrivacyPage,),
)

"""Builders of command requests for tests."""

from dataclasses import replace
from typing import Any

from shared.commands.command import AgentInfo, CommandRequest
from shared.values.chat import Chat
from shared.values.chat_key import ChatKind
from tests.shared.examples import ANN, KEY, NOW

#: the commands in their order; tests of one do not depend on the others
KNOWN = ("start", "help", "new", "model", "stop", "mute", "unmute", "title", "pronouns", "whoami", "claim")
CONVERSATION = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"


#: the fields of a chat's document
KEPT_OF_CHAT = frozenset(Chat(key=KEY).model_dump())
OF_AGENT = frozenset({"username", "curated", "remembers", "models", "limits"})


def asked(argument: str = "", kind: ChatKind = ChatKind.PRIVATE, **fields: Any) -> CommandRequest:
    """Make a request of Ann with these fields of chat, agent or request; `kind` is by default a private chat.

    `agent_zone` is the time zone of the agent.
    """
    of_chat = {name: fields.pop(name) for name in list(fields) if name in KEPT_OF_CHAT}
    usual_chat: dict[str, Any] = {"key": KEY, "kind": kind, "conversation": CONVERSATION}
    chat = Chat(**usual_chat | of_chat)
    of_agent = {name: fields.pop(name) for name in list(fields) if name in OF_AGENT}
    if "agent_zone" in fields:
        of_agent["zone"] = fields.pop("agent_zone")
    agent = replace(AgentInfo(name="lull", models=("big", "big-lite")), **of_agent)
    usual = CommandRequest(argument=argument, agent=agent, chat=chat, person=ANN, now=NOW)
    return replace(usual, **fields)

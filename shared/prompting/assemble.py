"""Assembling a prompt: stable first, changing last, because a cached prefix costs a tenth."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.agents.variables import fill
from shared.models.agent import Agent
from shared.models.chat import Chat
from shared.models.message import AnyEntry, Edit, Message
from shared.models.plan import PlannedTask, Send, Wait
from shared.models.prompt import Prompt, PromptFormat, PromptTurn, Role
from shared.planning.reply import reply_text
from shared.prompting.messages import clean_name, message_parts


@dataclass(frozen=True, kw_only=True)
class Scene:
    """What a plan is made from: the agent, the chat, what was said, what is to be answered, and the moment."""

    agent: Agent
    model_notes: str
    chat: Chat
    entries: Sequence[AnyEntry]
    #: ids of the messages to be answered, oldest first
    targets: Sequence[int]
    #: what the standing plan has still to do; the new plan replaces it
    pending: Sequence[PlannedTask]
    now: datetime
    format: PromptFormat


def assemble(scene: Scene) -> Prompt:
    """The prompt for one plan."""
    texts = [scene.model_notes, *(role.text for role in scene.agent.roles), scene.agent.instructions]
    system = "\n\n".join(text for text in texts if text)
    turns = [*_turns(scene), PromptTurn(role=Role.USER, parts=(_moment(scene),))]
    if turns[0].role is Role.MODEL:
        turns.insert(0, PromptTurn(role=Role.USER, parts=("(what was said before this is not shown)",)))
    return Prompt(system=fill(system, variables(scene)), turns=tuple(_merged(turns)))


def variables(scene: Scene) -> Mapping[str, str]:
    """The values of the variables that prompt files may use."""
    target = next((m for m in _messages(scene.entries) if scene.targets and m.message_id == scene.targets[-1]), None)
    author = target.author if target else None
    return {
        "chatname": clean_name(scene.chat.title) if scene.chat.title else "a private chat",
        "chatid": str(scene.chat.key.chat_id),
        "chattype": scene.chat.kind.value,
        "username": f"@{clean_name(author.username)}" if author and author.username else "",
        "userfullname": clean_name(author.name) if author else "",
        "userid": str(author.id) if author else "",
        "timestamp": f"{scene.now:%Y-%m-%dT%H:%M:%SZ}",
        "date": f"{scene.now:%Y-%m-%d}",
        "time": f"{scene.now:%H:%M}",
        "botname": scene.agent.front.name,
        "botusername": f"@{scene.agent.front.username}",
    }


def _turns(scene: Scene) -> Iterator[PromptTurn]:
    for message in _messages(scene.entries):
        if message.author.is_agent and not message.is_service:
            said = Send(id="1", text=message.text or message.media)
            yield PromptTurn(role=Role.MODEL, parts=(reply_text((said,)),))
        else:
            parts = message_parts(message, scene.chat.key, scene.format)
            yield PromptTurn(role=Role.USER, parts=parts)


def _messages(entries: Sequence[AnyEntry]) -> list[Message]:
    """The messages, with their latest text."""
    texts = {entry.message_id: entry.text for entry in entries if isinstance(entry, Edit)}
    latest = (
        entry.model_copy(update={"text": texts.get(entry.message_id, entry.text)})
        for entry in entries
        if isinstance(entry, Message)
    )
    return [message for message in latest if message.text or message.media]


def _merged(turns: Sequence[PromptTurn]) -> Iterator[PromptTurn]:
    # Gemini wants user and model to take turns; model turns are kept apart by a word of the user's
    open_turn: PromptTurn | None = None
    for turn in turns:
        if open_turn is not None and open_turn.role is turn.role:
            open_turn = open_turn.model_copy(update={"parts": open_turn.parts + turn.parts})
            continue
        if open_turn is not None:
            yield open_turn
        open_turn = turn
    if open_turn is not None:
        yield open_turn


def _moment(scene: Scene) -> str:
    """The last part: the time, the chat, what is still planned, and which message to answer."""
    chat = (
        f'the {scene.chat.kind.value} chat "{clean_name(scene.chat.title)}"' if scene.chat.title else "a private chat"
    )
    lines = [f"It is {scene.now:%Y-%m-%dT%H:%M:%SZ}, {scene.now:%A}. You are {scene.agent.front.name} in {chat}."]
    if scene.pending:
        lines.append(
            "Still planned from before, and replaced by your new plan; plan again what should still happen: "
            + "; ".join(_pending(task, scene.now) for task in scene.pending)
        )
    if scene.format is PromptFormat.META and scene.targets:
        lines.append(f"Consider responding to message {', '.join(map(str, scene.targets))}.")
    return "\n".join([*lines, "[RESPOND]"])


def _pending(planned: PlannedTask, now: datetime) -> str:
    match planned.task:
        case Wait():
            left = (planned.not_before - now).total_seconds() if planned.not_before else planned.task.seconds
            return f"wait {max(0, round(left))} seconds"
        case Send():
            return f"send {planned.task.text!r}"
        case _:
            return planned.task.kind

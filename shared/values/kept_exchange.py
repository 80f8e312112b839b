"""Exchanges with a model that are stored word for word, while the agent's owner has this recording switched on."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from shared.base.model_call import ModelCall
from shared.values.evolve import FrozenModel
from shared.values.prompt import Prompt, PromptTurn

#: the longest time for which keeping can be switched on. Kept exchanges expire when it ends
LONGEST_KEEPING: Final = timedelta(days=30)


class KeptTurn(FrozenModel):
    """A turn of a recorded prompt: its words, as they were sent. Files are only counted."""

    role: str
    parts: tuple[str, ...] = ()
    #: a reply with tool calls, as the model's service received it
    verbatim: str = ""
    #: the answers of tools
    answers: tuple[str, ...] = ()
    attached: int = 0


class KeptExchange(FrozenModel):
    """One call of a model: the words of its prompt, and the words of its reply."""

    at: datetime
    #: the messages that were to be answered, by message id
    answers: tuple[int, ...]
    system: str
    turns: tuple[KeptTurn, ...]
    tools: tuple[str, ...] = ()
    #: the JSON schema of the reply; None if there was none
    plan_schema: Mapping[str, Any] | None = None
    reply: str = ""
    #: the tools that the model called, as JSON
    tool_calls: tuple[str, ...] = ()
    call: ModelCall | None = None
    #: why there is no reply; "" if there is one
    problem: str = ""


def kept_turn(turn: PromptTurn) -> KeptTurn:
    """Return a prompt's turn in its stored form."""
    return KeptTurn(
        role=turn.role.value,
        parts=turn.parts,
        verbatim=turn.verbatim,
        answers=tuple(one.text for one in turn.answers),
        attached=len(turn.attached),
    )


def kept_exchange(
    prompt: Prompt, schema: Mapping[str, object] | None, answers: tuple[int, ...], at: datetime
) -> KeptExchange:
    """Return the record of a prompt that is about to be sent. `answers`: the ids of the messages to be answered."""
    return KeptExchange(
        at=at,
        answers=answers,
        system=prompt.system,
        turns=tuple(map(kept_turn, prompt.turns)),
        tools=tuple(tool.name for tool in prompt.tools),
        plan_schema=schema,
    )

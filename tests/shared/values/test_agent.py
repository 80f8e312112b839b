"""Agents: their names and their permissions."""

import pytest
from pydantic import ValidationError

from shared.values.agent import Agent, FrontMatter, ReplyPace, RolePrompt


def test_names_and_kinds_keep_their_order_and_come_once() -> None:
    front = FrontMatter(name="Moss", username="moss_bot", aliases=("the gardener",))
    roles = (
        RolePrompt(name="a", text="", unlocks=("send", "wait")),
        RolePrompt(name="b", text="", unlocks=("wait", "react")),
    )
    agent = Agent(id="moss", front=front, instructions="x", roles=roles)
    assert agent.names == ("Moss", "the gardener")
    assert agent.kinds == ("send", "wait", "react")
    assert front.pace is ReplyPace.HUMAN


def test_without_a_kind_what_explains_only_that_kind_is_left_out() -> None:
    roles = (
        RolePrompt(name="a", text="", unlocks=("think", "send", "react")),
        RolePrompt(name="b", text="", unlocks=("react",)),
        RolePrompt(name="c", text="", unlocks=("react",), tools=("weather",)),
        RolePrompt(name="d", text="a mood"),
    )
    agent = Agent(id="x", front=FrontMatter(name="X", username="x_bot1"), instructions="x", roles=roles)
    left = agent.only(("think", "send", "wait"), ("weather",))
    assert [(role.name, role.unlocks) for role in left.roles] == [("a", ("think", "send")), ("c", ()), ("d", ())]
    assert agent.only(agent.kinds, agent.tools) == agent


def test_kinds_and_tools_come_once() -> None:
    roles = (
        RolePrompt(name="a", text="", unlocks=("send",), tools=("calculate", "weather")),
        RolePrompt(name="b", text="", tools=("weather",)),
    )
    agent = Agent(id="x", front=FrontMatter(name="X", username="x_bot1"), instructions="x", roles=roles)
    assert (agent.kinds, agent.tools) == (("send",), ("calculate", "weather"))


@pytest.mark.parametrize(
    "fields",
    [
        {"name": ""},
        {"username": "@lull_bot"},
        {"username": "abc"},
        {"username": "1lull_bot"},
        {"pace": "slow"},
        {"favourite": "tea"},
    ],
)
def test_a_persona_that_could_not_be_one_is_refused(fields: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        FrontMatter.model_validate({"name": "lull", "username": "lull_bot"} | fields)

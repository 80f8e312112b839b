"""What an agent is able to do: the kinds of task that its prompts unlock, less those for which it lacks something."""

from collections.abc import Collection

from shared.tasks.registry import unlockable
from shared.tasks.traits import Traits
from shared.values.agent import Agent, FrontMatter, Speaking
from shared.values.capabilities import Made


def able(agent: Agent, made: Collection[Made] = frozenset(Made)) -> Agent:
    """The agent without the kinds of task that it lacks something for: stickers, a voice, or a model.

    `made`: what models make for it.
    """
    kinds = [kind for kind in agent.kinds if _has_all(agent.front, made, unlockable()[kind].traits)]
    return agent.only(kinds, agent.tools)


def _has_all(front: FrontMatter, made: Collection[Made], traits: Traits) -> bool:
    if traits.needs_stickers and not front.sets:
        return False
    if traits.makes is Made.SPEECH and front.voice is Speaking.NEVER:
        return False
    return traits.makes is None or traits.makes in made

"""The layers of a prompt, such as memories and recent messages: the budget of each, and the text of some."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from shared.planning.prompt.escaping import escape
from shared.planning.prompt.messages import indent, shorten
from shared.planning.prompt.scene import LEAST_TEXT, Scene
from shared.values.origin import Passage
from shared.values.prompt import declared_characters


class PromptLayer(StrEnum):
    """The layers of a prompt besides the instructions. Room that a layer does not use goes to others, in this order."""

    IMMEDIATE = "immediate"
    SUMMARIES = "summaries"
    FACTS = "facts"
    RELEVANT = "relevant"
    RECENT = "recent"


#: each layer's share of the room that the agent's own texts leave; the shares add up to 1
SHARES: Mapping[PromptLayer, float] = {
    PromptLayer.IMMEDIATE: 0.25,
    PromptLayer.SUMMARIES: 0.15,
    PromptLayer.FACTS: 0.10,
    PromptLayer.RELEVANT: 0.10,
    PromptLayer.RECENT: 0.40,
}
#: the maximum share of the budget that messages to be answered may take before other layers get theirs
MOST_ASKED = 0.75


def allot(wanted: Mapping[PromptLayer, int], budget: int, asked: int = 0, least: int = 0) -> dict[PromptLayer, int]:
    """Return the budget of each layer.

    A layer gets what it needs, up to its share. The rest of the budget goes to layers that need more, in order. The
    share of the immediate layer is raised if the messages to be answered (`asked` characters) need more: to at most
    `MOST_ASKED` of the budget, but to at least `least`. The shares of the other layers then shrink in proportion.
    """
    first = PromptLayer.IMMEDIATE
    claimed = max(min(asked, int(MOST_ASKED * budget)), min(least, budget))
    share = max(int(SHARES[first] * budget), claimed)
    scale = (budget - share) / (1 - SHARES[first])
    got = {layer: min(wanted.get(layer, 0), int(SHARES[layer] * scale)) for layer in PromptLayer}
    got[first] = min(wanted.get(first, 0), share)
    left = budget - sum(got.values())
    for layer in PromptLayer:
        more = min(left, wanted.get(layer, 0) - got[layer])
        got[layer] += more
        left -= more
    return got


def newest_that_fit(texts: Sequence[str], budget: int) -> tuple[str, ...]:
    """Return the last texts, as many as fit the budget. Each text takes one more character for its line end."""
    kept: list[str] = []
    for text in reversed(texts):
        budget -= len(text) + 1
        if budget < 0:
            break
        kept.append(text)
    return tuple(reversed(kept))


MEMORY = "memory: what you know of the people here"
MEMORY_OF_ASKED = "memory: what you know of whom you answer"
LONG_AGO = "summary: what was said here before"
SO_FAR = "summary: what was said in this conversation before the messages below"
RECALLED = "recalled: what was said earlier about this"
#: the characters of a block for its brackets, its indentation, and the number of omitted items
BLOCK_FRAME = 40
ENDLESS = 10**9


def texts_of(passages: Sequence[Passage]) -> Sequence[str]:
    return [passage.text for passage in passages]


def layer_needs(scene: Scene) -> dict[PromptLayer, int]:
    """Return the number of characters that each layer of the background needs if the layer is shown completely."""
    whole = {
        PromptLayer.SUMMARIES: [
            *(_prose(one.title or LONG_AGO, one.text, ENDLESS) for one in scene.earlier.digests),
            _so_far(scene, ENDLESS),
        ],
        PromptLayer.FACTS: [
            asker_memory_blocks(scene, ENDLESS),
            _items(MEMORY, texts_of(scene.earlier.facts), ENDLESS),
        ],
        PromptLayer.RELEVANT: [_items(RECALLED, texts_of(scene.earlier.recalled), ENDLESS)],
    }
    return {
        layer: sum(len(text) + BLOCK_FRAME for block in blocks for text in block) for layer, blocks in whole.items()
    }


def summary_blocks(scene: Scene, budget: int) -> tuple[list[str], list[str]]:
    """Return the summaries of earlier conversations, and the summary of this conversation's older part.

    Together they are shortened to `budget` characters. The summary of this conversation has precedence.
    """
    so_far = _so_far(scene, budget)
    budget -= sum(len(text) + 1 for text in so_far)
    long_ago: list[str] = []
    for digest in reversed(scene.earlier.digests):  # the shorter period matters more
        shown = _prose(digest.title or LONG_AGO, digest.text, budget)
        budget -= sum(len(text) + 1 for text in shown)
        long_ago = [*shown, *long_ago]
    return long_ago, so_far


def memory_blocks(scene: Scene, budget: int) -> list[str]:
    """Return the memories as a block. If not all fit, the oldest are left out."""
    return _items(MEMORY, texts_of(scene.earlier.facts), budget)


def asker_memory_blocks(scene: Scene, budget: int) -> list[str]:
    """Return the memories of the people who are answered in a group, as a block.

    These memories differ from answer to answer, so they are placed near the end.
    """
    return _items(MEMORY_OF_ASKED, texts_of(scene.earlier.of_asked), budget)


def recalled_blocks(scene: Scene, budget: int) -> list[str]:
    """Return the passages that were recalled for the message to be answered, as a block.

    These passages differ from message to message, so they are placed near the end.
    """
    return _items(RECALLED, texts_of(scene.earlier.recalled[::-1]), budget)


def _so_far(scene: Scene, budget: int) -> list[str]:
    return _prose(SO_FAR, scene.earlier.compression.text if scene.earlier.compression else "", budget)


def _prose(title: str, text: str, budget: int) -> list[str]:
    """Return a text as a block, shortened to `budget` characters; empty if that is too little for a useful part."""
    body = indent(escape(text.strip()))
    left = budget - len(title) - BLOCK_FRAME
    return [f"[{title}]\n  {shorten(body, left)}"] if body and left >= min(len(body), LEAST_TEXT) else []


def _items(title: str, texts: Sequence[str], budget: int) -> list[str]:
    """Return texts as a list in a block. If not all fit, the first ones are left out."""
    items = [f"  - {indent(indent(escape(text.strip())))}" for text in texts]
    kept = newest_that_fit(items, budget - len(title) - BLOCK_FRAME)
    cut = f"; {len(items) - len(kept)} more are not shown" if len(kept) < len(items) else ""
    return ["\n".join((f"[{title}{cut}]", *kept))] if kept else []


#: the minimum characters of a conversation, even if the agent's own texts fill the whole prompt
LEAST_CONVERSATION = 1_500
#: deductions from the budget are rounded up to a multiple of this many characters, so that small changes of the closing
#: part do not change the rest of the prompt
END_STEP = 512
#: characters for the conversation's header, the line on omitted messages, and a line end after each other text
NOTES = 260


def layer_budgets(
    scene: Scene, fixed: int, messages: Mapping[PromptLayer, int], asked: int = 0, least: int = 0
) -> Mapping[PromptLayer, int]:
    """Return the budget of each layer, in characters.

    `fixed`: the characters of the instructions and the closing part, without tools. `messages`: the characters that the
    two layers of messages need to be shown completely. `asked`: the characters of the messages to be answered. `least`:
    the minimum for those messages.
    """
    budget = max(LEAST_CONVERSATION, conversation_budget(scene, fixed))
    return allot({**layer_needs(scene), **messages}, budget, asked, least)


def conversation_budget(scene: Scene, fixed: int) -> int:
    """Return the number of characters left for the conversation after `fixed`, the tools, and `room.reserved`."""
    taken = fixed + declared_characters(scene.declared_tools) + scene.room.reserved
    return scene.budget - -(-taken // END_STEP) * END_STEP - NOTES


def messages_budget(scene: Scene, fixed: int) -> int:
    """Return the maximum number of characters for the two layers of messages together."""
    budgets = layer_budgets(scene, fixed, {PromptLayer.IMMEDIATE: ENDLESS, PromptLayer.RECENT: ENDLESS})
    return budgets[PromptLayer.IMMEDIATE] + budgets[PromptLayer.RECENT]

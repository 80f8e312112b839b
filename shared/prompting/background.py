"""The background: what stands beside the conversation (summaries, memories, recalled), and the room of each."""

from collections.abc import Mapping, Sequence

from shared.models.prompt import declared_in
from shared.prompting.budget import Layer, allotted, newest_that_fit
from shared.prompting.escaping import escaped
from shared.prompting.messages import indented, shortened
from shared.prompting.scene import LEAST_TEXT, Scene

MEMORY = "memory: what you know of the people here"
LONG_AGO = "summary: what was said here before"
SO_FAR = "summary: what was said in this conversation before the messages below"
RECALLED = "recalled: what was said earlier about this"
#: characters for a block's brackets and indentation, and for saying how many items are left out
FRAME = 40
ENDLESS = 10**9


def needs(scene: Scene) -> dict[Layer, int]:
    """Characters that each layer would take if it were shown whole."""
    whole = {
        Layer.SUMMARIES: [*(_prose(LONG_AGO, text, ENDLESS) for text in scene.digests), _so_far(scene, ENDLESS)],
        Layer.FACTS: [_items(MEMORY, scene.facts, ENDLESS)],
        Layer.RELEVANT: [_items(RECALLED, scene.recalled, ENDLESS)],
    }
    return {layer: sum(len(text) + FRAME for block in blocks for text in block) for layer, blocks in whole.items()}


def summaries(scene: Scene, room: int) -> tuple[list[str], list[str]]:
    """The summaries of what was said before, and that of the older part of this conversation.

    They are shortened to the room that there is, on which the latter has the first claim.
    """
    so_far = _so_far(scene, room)
    room -= sum(len(text) + 1 for text in so_far)
    long_ago: list[str] = []
    for digest in reversed(scene.digests):  # of two, the shorter span matters more
        shown = _prose(LONG_AGO, digest, room)
        room -= sum(len(text) + 1 for text in shown)
        long_ago = [*shown, *long_ago]
    return long_ago, so_far


def memories(scene: Scene, room: int) -> list[str]:
    """What is remembered, without the oldest of it if not all has room."""
    return _items(MEMORY, scene.facts, room)


def recalled(scene: Scene, room: int) -> list[str]:
    """What was found about the message to be answered: it changes with the message, and so stands near the end."""
    return _items(RECALLED, scene.recalled[::-1], room)


def _so_far(scene: Scene, room: int) -> list[str]:
    return _prose(SO_FAR, scene.compression.text if scene.compression else "", room)


def _prose(title: str, text: str, room: int) -> list[str]:
    """A block of one text, shortened to the room that there is; none if that is too little to be read."""
    body = indented(escaped(text.strip()))
    left = room - len(title) - FRAME
    return [f"[{title}]\n  {shortened(body, left)}"] if body and left >= min(len(body), LEAST_TEXT) else []


def _items(title: str, texts: Sequence[str], room: int) -> list[str]:
    """A block of a list, whose first items are left out if not all have room."""
    items = [f"  - {indented(indented(escaped(text.strip())))}" for text in texts]
    kept = newest_that_fit(items, room - len(title) - FRAME)
    cut = f"; {len(items) - len(kept)} more are not shown" if len(kept) < len(items) else ""
    return ["\n".join((f"[{title}{cut}]", *kept))] if kept else []


#: a conversation gets as many characters even if the agent's own texts are as long as the whole prompt may be
LEAST_CONVERSATION = 1_500
#: the end of the prompt is counted in steps of so many characters: what depends on it stays the same from plan to plan
END_STEP = 512
#: for what says that the conversation began before, and for a line's end after each of the other texts
NOTES = 200
ENDLESS = 10**9


def layer_budgets(scene: Scene, fixed: int, messages: Mapping[Layer, int], least: int = 0) -> Mapping[Layer, int]:
    """What each layer may take.

    `fixed` are the characters of the agent's own texts and the prompt's end, without tools, `messages` what the two
    layers of messages would take whole, and `least` what the immediate one cannot do without.
    """
    return allotted({**needs(scene), **messages}, max(LEAST_CONVERSATION, conversation_budget(scene, fixed)), least)


def conversation_budget(scene: Scene, fixed: int) -> int:
    """What is left beside so many characters, the tools that are declared, and what is kept free."""
    taken = fixed + declared_in(scene.tools) + scene.reserved
    return scene.budget - -(-taken // END_STEP) * END_STEP - NOTES


def messages_budget(scene: Scene, fixed: int) -> int:
    """What all messages together may take."""
    budgets = layer_budgets(scene, fixed, {Layer.IMMEDIATE: ENDLESS, Layer.RECENT: ENDLESS})
    return budgets[Layer.IMMEDIATE] + budgets[Layer.RECENT]

"""The rooms: how much of a prompt each of its layers has for itself, in characters."""

from collections.abc import Mapping

from shared.models.prompt import declared_in
from shared.prompting.background import needs
from shared.prompting.budget import Layer, allotted
from shared.prompting.scene import Scene

#: a conversation gets as many characters even if the agent's own texts are as long as the whole prompt may be
LEAST_CONVERSATION = 1_500
#: the end of the prompt is counted in steps of so many characters: what depends on it stays the same from plan to plan
END_STEP = 512
#: for what says that the conversation began before, and for a line's end after each of the other texts
NOTES = 200
ENDLESS = 10**9


def rooms_for(scene: Scene, fixed: int, messages: Mapping[Layer, int], least: int = 0) -> Mapping[Layer, int]:
    """What each layer may take.

    `fixed` are the characters of the agent's own texts and the prompt's end, without tools, `messages` what the two
    layers of messages would take whole, and `least` what the immediate one cannot do without.
    """
    return allotted({**needs(scene), **messages}, max(LEAST_CONVERSATION, room_beside(scene, fixed)), least)


def room_beside(scene: Scene, fixed: int) -> int:
    """What is left beside so many characters, the tools that are declared, and what is kept free."""
    taken = fixed + declared_in(scene.tools) + scene.reserved
    return scene.budget - -(-taken // END_STEP) * END_STEP - NOTES


def room_for_messages(scene: Scene, fixed: int) -> int:
    """What all messages together may take."""
    rooms = rooms_for(scene, fixed, {Layer.IMMEDIATE: ENDLESS, Layer.RECENT: ENDLESS})
    return rooms[Layer.IMMEDIATE] + rooms[Layer.RECENT]

"""Making room: the prompt gives way to what is said with the model after it was asked; so all stays within its size.

Mostly there is room enough. Where there is not, the conversation is cut as it would be in a smaller prompt, which says
so; that costs the cached beginning of the prompt, but only for a plan that takes more than one request.
"""

from dataclasses import replace

from shared.models.prompt import Prompt
from shared.planning.room import Room
from shared.prompting.assemble import assemble
from shared.prompting.messages import shortened
from shared.prompting.moment import moment_of
from shared.prompting.rooms import LEAST_CONVERSATION, room_beside
from shared.prompting.scene import Scene, system_of

#: room is made in steps of so many characters: the prompt stays the same from request to request
STEP = 2_048
#: an agent whose own texts leave room for nothing is corrected all the same
LEAST_ROOM = 1_000


def room_in(scene: Scene, prompt: Prompt) -> Room:
    """The room for what is said with the model about a plan for a scene; `prompt` is what it was asked at first.

    It is half of what a prompt may be, if the agent's own texts and the least of a conversation leave as much.
    """
    left = room_beside(scene, len(system_of(scene)) + len(moment_of(scene))) - LEAST_CONVERSATION
    most = max(LEAST_ROOM, min(scene.budget // 2, left))

    def leaving(characters: int) -> Prompt:
        if prompt.characters + characters <= scene.budget:
            return prompt
        return assemble(replace(scene, reserved=min(most, -(-characters // STEP) * STEP)))

    return Room(most=most, leaving=leaving, shortened=shortened)

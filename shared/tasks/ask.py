"""`ask`: ask whether to do what a plan wanted, and may not have done by itself.

It saw text from outside, or wants something remembered for which there is no room.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Literal, Self

from shared.base.text import abridged
from shared.base.wording.verbatim import verbatim, visible
from shared.base.wording.words import Words, as_it_is, bulleted, joined
from shared.tasks.send import Send
from shared.tasks.task import DeliveryContext, DeliveryResult, Task
from shared.tasks.traits import OnFailure, TaskTraits
from shared.values.memory import Memory
from shared.values.message import Event

#: characters of a button: what is cut of one stands whole above it
LONGEST_LABEL: Final = 60
#: the kind of the event by which the model knows of it
OFFERED: Final = "offered"


class Ask(Send):
    """Offer what a plan wanted, a button each. lull's own; no model plans it."""

    traits: ClassVar[TaskTraits] = TaskTraits(
        method="sendMessage",
        is_from_model=False,
        stays_in_chat=True,
        is_awaited=True,
        on_failure=OnFailure(is_incident=False),
    )

    kind: Literal["ask"] = "ask"  # type: ignore[assignment]  # a message that offers what is fixed
    #: by place, what a button says, and the task that it does; one more label lifts the marks of what was read
    labels: tuple[str, ...]
    acts: tuple[dict[str, Any], ...]

    @classmethod
    def about(
        cls, tasks: tuple[Task, ...], words: Words, *, is_marked: bool = True, lifts: bool = False, **fields: Any
    ) -> Self:
        """The one that offers these tasks, which are fixed by that. `lifts`: and not to ask again.

        `is_marked`: it is asked since text from outside was seen; else since something would be lost. `fields` are its
        id, and what it replies to.
        """
        whole = (as_it_is(task.asked_for(words)) for task in tasks)
        said = [*(task.asked_for(words) for task in tasks), *([words.say("offer.lift")] if lifts else [])]
        return cls(
            **fields,
            text=joined(words.say("offer.ask") if is_marked else words.say("offer.sure"), bulleted(*whole), by="\n\n"),
            labels=tuple(abridged(visible(one), LONGEST_LABEL) for one in said),
            acts=tuple(task.model_dump(mode="json", exclude={"id", "depends_on"}) for task in tasks),
        )

    @classmethod
    def for_room(cls, wanted: Task, text: str, kept: Sequence[Memory], words: Words, **fields: Any) -> Self:
        """The one that has a task done in the room of one of some memories, or given up. `text`: what it remembers."""
        said = [*(words.say("confirm.forget", text=one.text) for one in kept), words.say("memories.keep_all")]
        act = wanted.model_dump(mode="json", exclude={"id", "depends_on"})
        listed = bulleted(*map(as_it_is, said[:-1]))
        return cls(
            **fields,
            text=joined(words.say("memories.full", text=verbatim(text)), listed, by="\n\n"),
            labels=tuple(abridged(visible(one), LONGEST_LABEL) for one in said),
            acts=(*({**act, "instead_of": one.id, "said": one.text} for one in kept), {**act, "instead_of": ""}),
        )

    @property
    def offered(self) -> tuple[str, ...]:
        """What the buttons say."""
        return self.labels

    @property
    def effects(self) -> tuple[dict[str, Any], ...]:
        """What they do."""
        return self.acts

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """Send it; with its last message the model is told that nothing of it is done yet."""
        delivered = await super().deliver(part, context)
        if part < self.parts() - 1:
            return delivered
        kinds = ", ".join(dict.fromkeys(map(_named, self.acts)))
        note = f"of your plan this waits until a button is pressed, and is not done: {kinds}"
        event = Event(at=delivered.entries[-1].at, kind=OFFERED, note=note)
        return DeliveryResult(entries=(*delivered.entries, event), message_ids=delivered.message_ids)

    def summary(self) -> str:
        """What it offers."""
        return "; ".join(self.labels)


def _named(act: Mapping[str, Any]) -> str:
    """What an act is, with the number of whom it is about: by that a transcript is found that names them."""
    person = act.get("person")
    return f"{act['kind']} (user_id {person})" if person else str(act["kind"])


TASK = Ask

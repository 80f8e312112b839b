"""`ask`: ask people whether to carry out tasks that a plan may not carry out by itself.

A plan may not do so if the model saw untrusted text (text from outside), or if there is no room for a new memory.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Literal, Self

from shared.base.text import abridge
from shared.base.wording.verbatim import verbatim, visible
from shared.base.wording.words import Words, bullet_list, join_phrases, plain_phrase
from shared.tasks.send import Send
from shared.tasks.task import DeliveryContext, DeliveryResult, Task
from shared.tasks.traits import OnFailure, TaskTraits
from shared.values.memory import Memory
from shared.values.message import Event

#: the most characters of a button's label; the message has the whole text
LONGEST_LABEL: Final = 60
#: the kind of the event by which the model learns that buttons were offered
OFFERED: Final = "offered"


class Ask(Send):
    """Offer each task that a plan may not carry out by itself on a button of its own. lull's own; no model plans it."""

    traits: ClassVar[TaskTraits] = TaskTraits(
        method="sendMessage",
        is_from_model=False,
        stays_in_chat=True,
        is_awaited=True,
        on_failure=OnFailure(is_incident=False),
    )

    kind: Literal["ask"] = "ask"  # type: ignore[assignment]  # a message that offers what is fixed
    #: the labels, and the task of each label; an additional last label removes the marks "text from outside"
    labels: tuple[str, ...]
    acts: tuple[dict[str, Any], ...]

    @classmethod
    def about(
        cls, tasks: tuple[Task, ...], words: Words, *, is_marked: bool = True, lifts: bool = False, **fields: Any
    ) -> Self:
        """Return a task that asks whether to carry out `tasks`, with a button for each that stores a copy of that task.

        `is_marked`: ask because of untrusted text; otherwise ask because something might be lost. With `lifts`, one
        more button lets people stop such questions. `fields`: the new task's id, and the message to which it replies.
        """
        whole = (plain_phrase(task.asked_for(words)) for task in tasks)
        said = [*(task.asked_for(words) for task in tasks), *([words.say("offer.lift")] if lifts else [])]
        return cls(
            **fields,
            text=join_phrases(
                words.say("offer.ask") if is_marked else words.say("offer.sure"), bullet_list(*whole), by="\n\n"
            ),
            labels=tuple(abridge(visible(one), LONGEST_LABEL) for one in said),
            acts=tuple(task.model_dump(mode="json", exclude={"id", "depends_on"}) for task in tasks),
        )

    @classmethod
    def for_room(cls, wanted: Task, text: str, kept: Sequence[Memory], words: Words, **fields: Any) -> Self:
        """Return the task that asks which memory in `kept` to replace with `text`. One more button keeps them all, so
        that `text` is not remembered.
        """
        said = [*(words.say("confirm.forget", text=one.text) for one in kept), words.say("memories.keep_all")]
        act = wanted.model_dump(mode="json", exclude={"id", "depends_on"})
        listed = bullet_list(*map(plain_phrase, said[:-1]))
        return cls(
            **fields,
            text=join_phrases(words.say("memories.full", text=verbatim(text)), listed, by="\n\n"),
            labels=tuple(abridge(visible(one), LONGEST_LABEL) for one in said),
            acts=(*({**act, "instead_of": one.id, "said": one.text} for one in kept), {**act, "instead_of": ""}),
        )

    @property
    def offered(self) -> tuple[str, ...]:
        """The labels of the buttons."""
        return self.labels

    @property
    def effects(self) -> tuple[dict[str, Any], ...]:
        """The tasks that a press of each button carries out, as JSON."""
        return self.acts

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """Send a part. The last part adds an event that tells the model that nothing is done yet."""
        delivered = await super().deliver(part, context)
        if part < self.parts() - 1:
            return delivered
        kinds = ", ".join(dict.fromkeys(map(_with_person_id, self.acts)))
        note = f"of your plan this waits until a button is pressed, and is not done: {kinds}"
        event = Event(at=delivered.entries[-1].at, kind=OFFERED, note=note)
        return DeliveryResult(entries=(*delivered.entries, event), message_ids=delivered.message_ids)

    def summary(self) -> str:
        return "; ".join(self.labels)


def _with_person_id(act: Mapping[str, Any]) -> str:
    """Return a task's kind, and the id of the person whom the task is about, if any. With the id in the transcript's
    entry, a search for the person finds the entry.
    """
    person = act.get("person")
    return f"{act['kind']} (user_id {person})" if person else str(act["kind"])


TASK = Ask

"""`confirm`: ask whether to do what a plan may not do by itself, since it saw text from outside."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field

from shared.tasks.registry import kinds, stored_task
from shared.tasks.send import Send
from shared.tasks.task import Form, Task
from shared.tasks.traits import Traits
from shared.wording.words import Phrase, Words


def _read(value: object) -> object:
    """The fields of what is written in a heading of markdown: a kind, and behind it what it cannot do without."""
    if not isinstance(value, str):
        return value
    kind, _, rest = value.strip().partition(" ")
    model = kinds().get(kind)
    needed = [name for name, field in model.model_fields.items() if field.is_required()] if model is not None else []
    return {"kind": kind, **({needed[0]: rest.strip()} if needed and rest else {})}


def _act(value: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a task that a plan may not do by itself, checked. Raises ValueError for any other."""
    task = stored_task({**value, "id": "act", "depends_on": ()})
    is_asked_for = isinstance(task, Task) and task.traits.is_from_model and task.traits.is_offered
    if not isinstance(task, Task) or not is_asked_for or task.traits.stays_in_chat:
        raise ValueError("it is no kind of task that has to be asked for")
    return task.model_dump(mode="json")


def is_offered(act: Mapping[str, Any]) -> bool:
    """Whether it may be asked for by a button, as lull is now: a button may be older."""
    try:
        _act(act)
    except ValueError:
        return False
    return True


class Confirm(Send):
    """Ask whom you answer whether something is to be done that your plan may not do by itself: they get a button."""

    # the button is lull's: it says what is stored, whatever the question says
    traits: ClassVar[Traits] = Traits(
        order=95, method="sendMessage", stays_in_chat=True, is_text=True, is_awaited=True, is_loss_told=True
    )

    forms: ClassVar[tuple[Form, ...]] = (Form(("text", "act"), ("reply_to",)),)

    kind: Literal["confirm"] = "confirm"  # type: ignore[assignment]  # a message that offers one thing
    text: str = Field(min_length=1, description="The question, in markdown.")
    act: Annotated[dict[str, Any], BeforeValidator(_read), AfterValidator(_act)] = Field(
        description="What is done when they press it."
    )

    @property
    def task(self) -> Task:
        """What is done when somebody presses."""
        task = stored_task(self.act)
        assert isinstance(task, Task)
        return task

    @property
    def effect(self) -> dict[str, Any] | None:
        """It, as it is kept with the button."""
        return self.act

    def at_instants(self, now: datetime, zone: str) -> Self | str:
        """With what it does resolved now: nothing of it changes until somebody presses."""
        found = self.task.at_instants(now, zone)
        return found if isinstance(found, str) else self.model_copy(update={"act": found.model_dump(mode="json")})

    def naming(self, memories: Mapping[str, str]) -> Self | str:
        """With the words of the memory that it would forget."""
        found = self.task.naming(memories)
        return found if isinstance(found, str) else self.model_copy(update={"act": found.model_dump(mode="json")})

    def labelled(self, words: Words) -> Self:
        """With the one button that it has, in these words: what it does, exactly."""
        label: Phrase = self.task.asked_for(words)
        return self.model_copy(update={"choices": (label,), "choices_for": None})


TASK = Confirm

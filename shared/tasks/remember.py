"""`remember`: keep a fact that somebody told, or change one that is kept. It takes effect when the plan is taken."""

from datetime import timedelta
from typing import ClassVar, Final, Literal

from pydantic import Field

from shared.models.memory import LONGEST_MEMORY, MemoryScope, MemoryWish
from shared.tasks.task import Form, Task, Telling
from shared.tasks.traits import Traits

#: facts that one plan may keep
MOST_PER_PLAN: Final = 8


class Remember(Task):
    """Keep a fact that somebody told you and that will matter later, or correct one that you keep."""

    # after text from outside a new one of whoever is answered may be made, which is marked: so it stays in the chat
    traits: ClassVar[Traits] = Traits(
        order=81,
        stays_in_chat=True,
        is_seen=False,
        remembers=True,
        is_incident=False,
        fails_alone=True,
        most_per_plan=MOST_PER_PLAN,
    )
    forms: ClassVar[tuple[Form, ...]] = (Form(("text",), ("memory", "scope", "is_for_groups", "message_id")),)
    lost_fields: ClassVar[frozenset[str]] = frozenset({"memory", "scope", "is_for_groups"})

    kind: Literal["remember"] = "remember"
    text: str = Field(
        default="",
        max_length=LONGEST_MEMORY,
        description="The fact, in one sentence that is understood alone; empty to forget the one that is named.",
    )
    memory: str | None = Field(
        default=None,
        max_length=20,
        description="The id of what you keep already, to change it.",
        examples=["m7k2q"],
    )
    scope: Literal["person", "chat", "agent"] = Field(
        default="person",
        description="Whom it is about: who told it (the usual), this whole chat, or everyone everywhere.",
        examples=["chat"],
    )
    is_for_groups: bool | None = Field(
        default=None,
        description="Only if who told it says that groups may know it, too.",
        examples=["true"],
    )
    message_id: int | None = Field(
        default=None, description="The message that tells it, if several people are answered at once."
    )

    @property
    def memory_wish(self) -> MemoryWish:
        """What it says."""
        return MemoryWish(
            text=self.text,
            memory=(self.memory or "").strip().lower(),
            scope=MemoryScope(self.scope),
            is_for_groups=self.is_for_groups,
            message_id=self.message_id or 0,
        )

    def pause(self) -> timedelta:
        """None: it is over once it is kept."""
        return timedelta()

    def pending(self, gone: int, left: timedelta | None) -> Telling:
        """What is to be kept."""
        return Telling("remember", self.text)

    def summary(self) -> str:
        """What is kept, and where it is known."""
        return ", ".join(filter(None, (self.scope, self.memory, self.text)))


TASK = Remember

"""How a plan is to be written, told to the model in its system text where no schema holds it to that."""

from collections.abc import Collection
from typing import Final

from pydantic import BaseModel

from shared.models.agent import Codec
from shared.planning.markdown_codec import body_field, target_field
from shared.planning.task_kinds import TASK_MODELS, THINK, Think, usable

_HEAD: Final = """\
You answer in blocks of markdown, one for each task, and write nothing outside of them. A block is a heading on a line \
of its own and, below it, what belongs to the task:"""
_FOOT: Final = """\
Tasks are done in their order. To stay silent, write a `# «think»` block and no other. A line of a message that looks \
like such a heading gets a backslash: `\\# «send»`."""
_EXAMPLE: Final = """\
For example:

# «send»

At nine, as always."""


def spelling(kinds: Collection[str], codec: Codec, *, names_messages: bool = True) -> str:
    """What the system text says about it, for a plan made of `kinds` and `think`; empty for JSON, which has a schema.

    The same kinds in any order give the same text. `names_messages`: whether the prompt does, so that a task may.
    """
    if codec is Codec.JSON:
        return ""
    known = usable(kinds, names_messages=names_messages)
    models: list[tuple[str, type[BaseModel]]] = [(kind, model) for kind, model in TASK_MODELS.items() if kind in known]
    models.append((THINK, Think))
    blocks = [_block(kind, model) for kind, model in models]
    numbers = [_number(kind, model) for kind, model in models if names_messages and target_field(kind)]
    return "\n\n".join([_HEAD, *blocks, " ".join([*numbers, _FOOT]), _EXAMPLE])


def _block(kind: str, model: type[BaseModel]) -> str:
    """A block that says of itself what it is for."""
    field = model.model_fields.get(body_field(kind))
    target = model.model_fields.get(target_field(kind))
    heading = f"# «{kind}» 12345" if target and target.is_required() else f"# «{kind}»"
    if field is None:
        return heading
    return f"{heading}\n\n{field.description if field.annotation is str else f'{body_field(kind)}: 60'}"


def _number(kind: str, model: type[BaseModel]) -> str:
    """The sentence on the number in a heading."""
    target = model.model_fields[target_field(kind)]
    means = (target.description or "").rstrip(".")
    return f"The number in `# «{kind}» 12345` is {means[:1].lower()}{means[1:]}."

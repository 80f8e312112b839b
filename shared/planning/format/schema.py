"""The description of a plan's format for the model: the JSON Schema of a reply, or instructions for markdown."""

import json
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, Final, get_args

from pydantic.fields import FieldInfo

from shared.planning.format.markdown_codec import body_field, target_field
from shared.tasks.registry import plannable, unlockable, usable
from shared.tasks.task import COMMON_FIELDS, MESSAGE_FIELDS, Task, TaskForm
from shared.values.agent import Codec

#: the keywords that pydantic writes into schemas and that Gemini accepts (google-genai 3.4,
#: GenerateContentConfig.response_json_schema)
_KEYWORDS: Final = {
    *("type", "format", "description", "enum", "minimum", "maximum", "anyOf", "required"),
    *("items", "prefixItems", "minItems", "maxItems", "properties", "additionalProperties"),
}
_DESCRIPTIONS: Final = {
    "id": "A short name, only if another task's depends_on names it.",
    "depends_on": "Ids of tasks to finish first. Default: the previous task. Empty: none.",
}
#: the properties that come last. A model writes properties in order, and should write a task's content before its links
_LAST: Final = ("reply_to", "id", "depends_on")
#: the links between tasks; a kind of task that is discarded (a thought) has none in the schema
_LINKS: Final = frozenset({"id", "depends_on"})


def plan_schema(kinds: Collection[str], *, names_messages: bool = True) -> dict[str, object]:
    """Return the schema of a plan made of `kinds`; a thought is always allowed.

    The order of `kinds` does not change the result. `names_messages`: whether the prompt has message ids; if not, tasks
    cannot refer to messages. Raises ValueError for an unknown kind.
    """
    if unknown := sorted(set(kinds) - unlockable().keys()):
        thoughts = ", ".join(kind for kind in unlockable() if kind not in plannable())
        known = f"{', '.join(plannable())} and {thoughts}"
        raise ValueError(f"unknown kind of task: {', '.join(unknown)}; expected kinds from this list: {known}")
    models = _models(kinds, names_messages=names_messages)
    hidden = frozenset(() if names_messages else MESSAGE_FIELDS)
    tasks = {
        "type": "array",
        "description": "The tasks, in order. Empty: stay silent.",
        "items": {
            "anyOf": [one for model in models.values() for one in _task_schemas(model, hidden)],
        },
    }
    return {"type": "object", "properties": {"tasks": tasks}, "required": ["tasks"], "additionalProperties": False}


def _models(kinds: Collection[str], *, names_messages: bool) -> dict[str, type[Task]]:
    """Return the kinds of task for a reply: thoughts, which are discarded, and those of `kinds` that fit the prompt."""
    known = usable(kinds, names_messages=names_messages)
    return {kind: model for kind, model in unlockable().items() if kind in known or not model.traits.is_kept}


@cache
def _task_schemas(model: type[Task], hidden: frozenset[str]) -> tuple[dict[str, object], ...]:
    """Return the schemas of one kind of task: one schema for each of its forms, or a single one with all its fields.

    The result is cached, since it is the same for every plan and takes a millisecond to make. Do not modify it.
    """
    made = model.model_json_schema()
    hidden = hidden if model.traits.is_kept else hidden | _LINKS
    definitions = made.get("$defs", {})
    properties = {
        name: _with_description(name, _gemini_schema(one, definitions))
        for name, one in made["properties"].items()
        if name not in hidden
    }
    usual = TaskForm(tuple(made.get("required", [])), tuple(properties))
    forms = [form for form in model.forms if properties.keys() >= set(form.required)]
    return tuple(_branch(made["description"], properties, form) for form in forms or (usual,))


def _branch(description: str, properties: Mapping[str, dict[str, object]], form: TaskForm) -> dict[str, object]:
    """Return the schema of one form of a task: `kind`, required fields, then optional ones, ids and links."""
    required = ["kind", *(name for name in form.required if name in properties)]
    wanted = dict.fromkeys((*required, *form.optional, *COMMON_FIELDS))
    found = {name: properties[name] for name in wanted if name in properties}
    names = sorted(found, key=lambda name: (name != "kind", name not in required, _place(name)))
    return {
        "type": "object",
        "description": description,
        "properties": {name: found[name] for name in names},
        "required": required,
        "additionalProperties": False,
    }


def _place(name: str) -> int:
    """Return the sort key of a property; properties with equal keys keep their order."""
    return _LAST.index(name) if name in _LAST else -1


def _with_description(name: str, schema: dict[str, object]) -> dict[str, object]:
    """Return the schema of a field. A field that all kinds of task have gets the same description for each kind."""
    return {**schema, "description": _DESCRIPTIONS[name]} if name in _DESCRIPTIONS else schema


def _gemini_schema(node: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, object]:
    """Return the schema in the subset that Gemini accepts: with enums for constants, and without references."""
    if "$ref" in node:
        node = {**definitions[node["$ref"].rpartition("/")[2]], **node}
    if "const" in node:
        node = {**node, "enum": [node["const"]]}
    branches = [_gemini_schema(branch, definitions) for branch in node.get("anyOf", ()) if branch.get("type") != "null"]
    rest = {
        key: _gemini_keyword(key, value, definitions) for key, value in node.items() if key in _KEYWORDS - {"anyOf"}
    }
    if len(branches) == 1:
        return {**branches[0], **rest}
    return {"anyOf": branches, **rest} if branches else rest


def _gemini_keyword(key: str, value: Any, definitions: Mapping[str, Any]) -> object:
    """Return the value of one keyword of a schema. Schemas inside it are reduced to the subset that Gemini accepts."""
    if key == "items":
        return _gemini_schema(value, definitions)
    if key == "prefixItems":
        return [_gemini_schema(item, definitions) for item in value]
    if key == "properties":
        return {name: _gemini_schema(schema, definitions) for name, schema in value.items()}
    return value


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


def format_instructions(kinds: Collection[str], codec: Codec, *, names_messages: bool = True) -> str:
    """Return the part of the system text that explains how to write a plan made of `kinds`.

    Empty for JSON, which a schema explains, and for bare text. The order of `kinds` does not change the result.
    `names_messages`: whether the prompt has message ids; if not, tasks cannot refer to messages.
    """
    if codec is not Codec.MARKDOWN:
        return ""
    found = _models(kinds, names_messages=names_messages).items()
    models = sorted(found, key=lambda item: not item[1].traits.is_kept)  # thoughts come last
    blocks = [_block(kind, model) for kind, model in models]
    numbers = [_number(kind, model) for kind, model in models if names_messages and target_field(kind)]
    hidden = frozenset(() if names_messages else MESSAGE_FIELDS)
    options = [option for kind, model in models for option in _options(kind, model, hidden)]
    return "\n\n".join([_HEAD, *blocks, " ".join([*numbers, *options, _FOOT]), _EXAMPLE])


def _block(kind: str, model: type[Task]) -> str:
    """Return an example block of this kind. Its body describes what such a block is for."""
    field = model.model_fields.get(body_field(kind))
    target = model.model_fields.get(target_field(kind))
    heading = f"# «{kind}» 12345" if target and target.is_required() else f"# «{kind}»"
    if field is None:
        return heading
    if field.annotation in (str, str | None):
        listed = field.json_schema_extra
        values = listed.get("enum") if isinstance(listed, dict) else None
        return " ".join([f"{heading}\n\n{field.description}", *map(str, values if isinstance(values, list) else ())])
    # an optional field other than a text is described among the options instead
    return f"{heading}\n\n{body_field(kind)}: {_example(field)}" if field.is_required() else heading


def _example(field: FieldInfo) -> str:
    """Return an example value of a field as it is written in a block."""
    if bool in (field.annotation, *get_args(field.annotation)):
        return "yes"
    found = next(iter(field.examples or ()), "60")
    return found if isinstance(found, str) else json.dumps(found)


def _options(kind: str, model: type[Task], hidden: Collection[str]) -> Iterator[str]:
    """Yield a sentence on each option in the heading of this kind of task. Options are the fields with an example."""
    for name, field in model.model_fields.items():
        if field.examples and name not in hidden:
            yield f"`# «{kind}» {name}={_example(field)}`: {field.description}"


def _number(kind: str, model: type[Task]) -> str:
    """Return the sentence that explains the number in a heading of this kind of task."""
    target = model.model_fields[target_field(kind)]
    means = (target.description or "").rstrip(".")
    return f"The number in `# «{kind}» 12345` is {means[:1].lower()}{means[1:]}."

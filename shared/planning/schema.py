"""The JSON Schema that holds the model's reply to a plan."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from pydantic import BaseModel

from shared.planning.task_kinds import MESSAGE_FIELDS, TASK_MODELS, THINK, Think, usable

#: what Gemini takes (google-genai 3.4, GenerateContentConfig.response_json_schema) of what pydantic writes
_KEYWORDS: Final = {
    *("type", "format", "description", "enum", "minimum", "maximum", "anyOf", "required"),
    *("items", "prefixItems", "minItems", "maxItems", "properties", "additionalProperties"),
}
_DESCRIPTIONS: Final = {
    "id": "A short name, needed only if another task names it in depends_on.",
    "depends_on": "Ids of the tasks to be done before this one. Left out: the task before it. Empty: none.",
}
#: the model writes properties in this order: what a task is first, how it hangs together last
_LAST: Final = ("reply_to", "id", "depends_on")


def plan_schema(kinds: Collection[str], *, names_messages: bool = True) -> dict[str, object]:
    """The schema of a plan made of `kinds` and `think`; the same kinds in any order give the same bytes.

    `names_messages`: whether the prompt does, so that a task may. Raises ValueError for a kind that does not exist.
    """
    if unknown := sorted(set(kinds) - TASK_MODELS.keys() - {THINK}):
        raise ValueError(f"no such kind of task: {', '.join(unknown)}; there are {', '.join(TASK_MODELS)} and {THINK}")
    known = usable(kinds, names_messages=names_messages)
    models: list[type[BaseModel]] = [Think, *(model for kind, model in TASK_MODELS.items() if kind in known)]
    hidden = frozenset() if names_messages else MESSAGE_FIELDS
    tasks = {
        "type": "array",
        "description": "What to do, in order. Empty: say and do nothing.",
        "items": {"anyOf": [_task_schema(model, hidden) for model in models]},
    }
    return {"type": "object", "properties": {"tasks": tasks}, "required": ["tasks"], "additionalProperties": False}


def _task_schema(model: type[BaseModel], hidden: Collection[str]) -> dict[str, object]:
    """One branch: the fields of `model`, `kind` first, with only the required ones demanded."""
    made = model.model_json_schema()
    definitions = made.get("$defs", {})
    required = ["kind", *made.get("required", [])]
    properties: dict[str, Any] = {name: one for name, one in made["properties"].items() if name not in hidden}
    names = sorted(properties, key=lambda name: (name != "kind", name not in required, _place(name)))
    return {
        "type": "object",
        "description": made["description"],
        "properties": {name: _described(name, _plain(properties[name], definitions)) for name in names},
        "required": required,
        "additionalProperties": False,
    }


def _place(name: str) -> int:
    """Where a property stands among its like; the sort is stable for the others."""
    return _LAST.index(name) if name in _LAST else -1


def _described(name: str, schema: dict[str, object]) -> dict[str, object]:
    """The schema with the description that every task's common fields share."""
    return {**schema, "description": _DESCRIPTIONS[name]} if name in _DESCRIPTIONS else schema


def _plain(node: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, object]:
    """The node in Gemini's subset: references inlined, a constant as an enum, "or null" as simply optional."""
    if "$ref" in node:
        node = {**definitions[node["$ref"].rpartition("/")[2]], **node}
    if "const" in node:
        node = {**node, "enum": [node["const"]]}
    branches = [_plain(branch, definitions) for branch in node.get("anyOf", ()) if branch.get("type") != "null"]
    rest = {key: _plain_value(key, value, definitions) for key, value in node.items() if key in _KEYWORDS - {"anyOf"}}
    if len(branches) == 1:
        return {**branches[0], **rest}
    return {"anyOf": branches, **rest} if branches else rest


def _plain_value(key: str, value: Any, definitions: Mapping[str, Any]) -> object:
    """The value of one keyword, in Gemini's subset where it is itself made of schemas."""
    if key == "items":
        return _plain(value, definitions)
    if key == "prefixItems":
        return [_plain(item, definitions) for item in value]
    if key == "properties":
        return {name: _plain(schema, definitions) for name, schema in value.items()}
    return value

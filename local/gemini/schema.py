"""Converts Gemini's schemas to JSON Schema, and narrows JSON Schema for a small model."""

import re
from typing import Any

from local.gemini.calls import Json

#: longest text of the small model, so that its JSON is closed before the tokens run out (about 500 tokens)
LONGEST_TEXT = 1_500
#: longest list: an answer seldom needs more, and a model that repeats itself is stopped here
LONGEST_LIST = 4

_KEPT = ("enum", "description", "required", "minimum", "maximum", "pattern", "title", "default", "format")
_COUNTS = ("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties")
#: keywords whose value maps names to schemas, and those whose value is a schema or a list of them
_MAPS = ("properties", "$defs", "definitions")
_NESTED = ("items", "anyOf", "oneOf", "allOf", "prefixItems", "additionalProperties")


def from_gemini(schema: Json) -> Json:
    """Convert a `responseSchema` to JSON Schema: types in capitals, counts as strings, `nullable`, `propertyOrdering`.

    Names may be in snake_case, as the official client writes them, or in camelCase (ai.google.dev/api/caching#Schema).
    """
    given = {_camel(name): value for name, value in schema.items()}
    out: Json = {name: given[name] for name in _KEPT if name in given}
    out |= {name: int(given[name]) for name in _COUNTS if name in given}
    kind = str(given.get("type", "TYPE_UNSPECIFIED"))
    if kind != "TYPE_UNSPECIFIED":
        out["type"] = kind.lower()
    if "items" in given:
        out["items"] = from_gemini(given["items"])
    if "anyOf" in given:
        out["anyOf"] = [from_gemini(option) for option in given["anyOf"]]
    if "properties" in given:
        names = [*given.get("propertyOrdering", []), *given["properties"]]
        out["properties"] = {name: from_gemini(given["properties"][name]) for name in dict.fromkeys(names)}
        out["additionalProperties"] = False
    return {"anyOf": [out, {"type": "null"}]} if given.get("nullable") else out


def for_small_model(schema: Json) -> Json:
    """Return a narrower schema, which a small model fills in better. Every value of it is valid for the given schema.

    Optional properties are left out. A `const` (a tag, such as a task's `kind`) becomes required: as an optional
    property, the model omitted `kind` and invented ids. An `enum` of one value is not treated as a tag: it may be an
    option with one setting, and a model that must write it after a text cannot end the text. Texts and lists get a
    limit if they have none, since a model that repeats itself would leave its JSON open.
    """
    out = {name: _narrowed(name, value) for name, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "minProperties" not in schema:
        out |= _required_only(schema, out["properties"])
    kind = schema.get("type")
    if kind == "array":
        most = max(LONGEST_LIST, schema.get("minItems", 0))
        out["maxItems"] = min(schema.get("maxItems", most), most)
    if kind == "string" and not {"enum", "const", "pattern", "format"} & schema.keys():
        most = max(LONGEST_TEXT, schema.get("minLength", 0))
        out["maxLength"] = min(schema.get("maxLength", most), most)
    return out


def _narrowed(name: str, value: Any) -> Any:
    if name in _MAPS and isinstance(value, dict):
        return {key: for_small_model(inner) if isinstance(inner, dict) else inner for key, inner in value.items()}
    if name in _NESTED and isinstance(value, dict):
        return for_small_model(value)
    if name in _NESTED and isinstance(value, list):
        return [for_small_model(inner) if isinstance(inner, dict) else inner for inner in value]
    return value


def _required_only(schema: Json, properties: Json) -> Json:
    required = set(schema.get("required", []))
    kept = {name: inner for name, inner in properties.items() if name in required or _is_tag(inner)}
    if not kept:
        return {}
    return {"properties": kept, "required": list(kept)}


def _is_tag(schema: Any) -> bool:
    return isinstance(schema, dict) and "const" in schema


def _camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda letter: letter[1].upper(), name)

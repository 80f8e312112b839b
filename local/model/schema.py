"""Narrows a JSON Schema for a small model."""

from typing import Any

from local.model.calls import Json

#: longest text of the small model, so that its JSON is closed before the tokens run out (about 500 tokens)
LONGEST_TEXT = 1_500
#: longest list: an answer seldom needs more, and a model that repeats itself is stopped here
LONGEST_LIST = 4

#: keywords whose value maps names to schemas, and those whose value is a schema or a list of them
_MAPS = ("properties", "$defs", "definitions")
_NESTED = ("items", "anyOf", "oneOf", "allOf", "prefixItems", "additionalProperties")


def for_small_model(schema: Json) -> Json:
    """Return a narrower schema, which a small model fills in better. Every value that is valid for the narrower schema
    is also valid for the given one.

    Optional properties are left out, except tags: properties with a `const`, such as a task's `kind`. Tags become
    required, because without them the model wrote objects with invented ids. An optional property with an `enum` of one
    value is not a tag, since it may be an option with one setting. If such an option were required after a text, the
    model would not end the text. The length of texts and lists is limited, since a model that repeats itself would not
    complete its JSON.
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

import jsonschema
import pytest

from local.model.schema import LONGEST_LIST, LONGEST_TEXT, for_small_model

TASK = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "kind": {"const": "send", "type": "string"},
        "text": {"type": "string", "minLength": 1},
        "choices_for": {"type": "string", "enum": ["everyone"]},
        "reply_to": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    },
    "required": ["text"],
    "additionalProperties": False,
}
PLAN = {
    "$defs": {"Send": TASK},
    "type": "object",
    "properties": {"tasks": {"type": "array", "items": {"oneOf": [{"$ref": "#/$defs/Send"}]}}},
    "required": ["tasks"],
}


def test_what_is_not_required_is_left_out_but_for_a_tag() -> None:
    task = for_small_model(PLAN)["$defs"]["Send"]
    assert list(task["properties"]) == task["required"] == ["kind", "text"]


def test_texts_and_lists_get_an_end() -> None:
    narrowed = for_small_model(PLAN)
    assert narrowed["properties"]["tasks"]["maxItems"] == LONGEST_LIST
    assert narrowed["$defs"]["Send"]["properties"]["text"]["maxLength"] == LONGEST_TEXT
    assert for_small_model({"type": "string", "maxLength": 9})["maxLength"] == 9
    assert for_small_model({"type": "string", "maxLength": 9_999})["maxLength"] == LONGEST_TEXT
    assert for_small_model({"type": "array", "minItems": LONGEST_LIST + 1})["maxItems"] == LONGEST_LIST + 1
    assert "maxLength" not in for_small_model({"type": "string", "enum": ["a"]})
    assert "maxLength" not in for_small_model({"type": "string", "format": "date"})


def test_what_fits_the_narrow_schema_fits_the_given_one() -> None:
    answer = {"tasks": [{"kind": "send", "text": "hello"}]}
    for schema in (for_small_model(PLAN), PLAN):
        jsonschema.validate(answer, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"tasks": [{"text": "hello"}]}, for_small_model(PLAN))


def test_objects_that_require_nothing_stay_as_they_are() -> None:
    loose = {"type": "object", "properties": {"a": {"type": "integer"}}}
    assert for_small_model(loose) == loose
    counted = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "minProperties": 1}
    assert for_small_model(counted) == counted


def test_a_property_may_be_named_like_a_keyword() -> None:
    properties = {"items": {"type": "integer"}, "type": {"const": "x"}}
    schema = {"type": "object", "properties": properties, "required": ["items"]}
    assert for_small_model(schema)["properties"] == properties

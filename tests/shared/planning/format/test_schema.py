import json
from collections.abc import Iterator

import jsonschema
import pytest
from google.genai import types
from hypothesis import given

from shared.planning.format.reply import ParsedReply, parse_reply, reply_text
from shared.planning.format.schema import format_instructions, plan_schema
from shared.tasks.task import Task
from shared.values.agent import Codec
from tests.shared.planning.format.plans import KINDS, PROPERTY, plans

#: the keywords of JSON Schema that the client's documentation of response_json_schema names
_DOCUMENTED = types.GenerateContentConfig.model_fields["response_json_schema"].description or ""


def branches(*kinds: str) -> dict[str, dict[str, object]]:
    """Return the branch of the schema for each kind of task."""
    schema = json.loads(json.dumps(plan_schema(kinds)))
    return {
        branch["properties"]["kind"]["enum"][0]: branch for branch in schema["properties"]["tasks"]["items"]["anyOf"]
    }


def keywords(schema: object) -> Iterator[str]:
    """Return every keyword used anywhere in the schema, without the names of properties."""
    for key, value in schema.items() if isinstance(schema, dict) else ():
        yield key
        inner = list(value.values()) if key == "properties" else value if isinstance(value, list) else [value]
        for one in inner:
            yield from keywords(one)


def test_a_kind_has_a_branch_only_if_it_is_unlocked() -> None:
    assert list(branches(*KINDS)) == ["think", "send", "wait", "react"]
    assert list(branches("send")) == ["think", "send"]
    assert list(branches()) == ["think"]


def test_where_the_prompt_names_no_messages_a_task_names_none() -> None:
    schema = json.dumps(plan_schema(KINDS, names_messages=False))
    assert "reply_to" not in schema
    assert "message_id" not in schema
    assert '"react"' not in schema
    assert '"wait"' in schema


def test_a_branch_names_its_fields_and_demands_the_required_ones() -> None:
    send, think = branches("send")["send"], branches("send")["think"]
    assert send["required"] == ["kind", "text"]
    names = ["kind", "text", "choices", "choices_for", "reply_to", "id", "depends_on"]
    assert list(send["properties"]) == names  # type: ignore[call-overload]
    assert think["required"] == list(think["properties"]) == ["kind", "text"]  # type: ignore[call-overload]
    assert send["additionalProperties"] is False


def test_every_field_but_the_kind_is_described() -> None:
    for branch in branches(*KINDS).values():
        properties = branch["properties"]
        assert isinstance(properties, dict)
        assert branch["description"]
        assert [name for name, field in properties.items() if "description" not in field] == ["kind"]


def test_an_optional_field_may_be_left_out_and_is_not_null() -> None:
    reply_to = branches("send")["send"]["properties"]["reply_to"]  # type: ignore[index]
    assert reply_to == {"type": "integer", "description": reply_to["description"]}


def test_limits_are_kept() -> None:
    seconds = branches("wait")["wait"]["properties"]["seconds"]  # type: ignore[index]
    assert (seconds["minimum"], seconds["maximum"]) == (0, 2_592_000)


def test_only_keywords_that_gemini_documents_are_used() -> None:
    used = set(keywords(plan_schema(KINDS)))
    assert {"anyOf", "enum", "minimum"} <= used
    assert [keyword for keyword in used if f"`{keyword}`" not in _DOCUMENTED] == []


def test_the_same_kinds_give_the_same_bytes() -> None:
    assert json.dumps(plan_schema(["wait", "send"])) == json.dumps(plan_schema({"send", "wait", "think"}))


def test_a_kind_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(
        ValueError, match=r"unknown kind of task: stickr; expected kinds from this list: send(, [\w-]+)* and think$"
    ):
        plan_schema(["send", "stickr"])


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(plan_schema(KINDS))


@PROPERTY
@given(plans())
def test_every_plan_can_be_written_under_the_schema(tasks: tuple[Task, ...]) -> None:
    jsonschema.Draft202012Validator(plan_schema(KINDS)).validate(json.loads(reply_text(tasks)))


@pytest.mark.parametrize(
    "task",
    [
        {"kind": "react", "emoji": "👍", "message_id": 5},
        {"kind": "wait", "seconds": -1},
        {"kind": "wait", "seconds": "5"},
        {"kind": "send"},
        {"kind": "send", "text": "a", "mood": "good"},
        {"text": "a"},
    ],
)
def test_what_is_no_unlocked_task_is_not_under_the_schema(task: dict[str, object]) -> None:
    schema = jsonschema.Draft202012Validator(plan_schema(["send", "wait"]))
    assert not schema.is_valid({"tasks": [task]})
    assert schema.is_valid({"tasks": []})


def test_both_spellings_tell_of_choices() -> None:
    told = format_instructions(["send"], Codec.MARKDOWN)
    assert '`# «send» choices=["Yes, please", "No"]`: Up to eight short answers' in told
    assert "`# «send» choices_for=everyone`" in told
    fields = json.loads(json.dumps(branches("send")["send"]["properties"]))
    assert fields["choices"]["maxItems"] == 8
    assert fields["choices_for"]["enum"] == ["everyone"]


def test_what_is_no_text_has_an_example_of_its_own_kind_and_it_is_read_back() -> None:
    kinds = ["send", "wait", "block", "shutdown", "remember"]
    told = format_instructions(kinds, Codec.MARKDOWN)
    assert ["seconds: 60" in told, "# «block»\n\nperson: 123456789" in told, "everywhere: " in told] == [
        True,
        True,
        False,
    ]
    assert "`# «shutdown» everywhere=yes`" in told
    assert "`# «remember» is_for_groups=yes`" in told
    read = parse_reply("# «shutdown» everywhere=yes\n\n# «block»\n\nperson: 123456789", kinds, Codec.MARKDOWN)
    assert isinstance(read, ParsedReply)
    assert [task.model_dump(include={"everywhere", "person"}) for task in read.tasks] == [
        {"everywhere": True},
        {"person": 123456789},
    ]

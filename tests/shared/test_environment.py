"""Settings by the type of their field: right values are read; errors name the setting, but never its value."""

import json
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, SecretStr

from shared.base.errors import InvalidSettings
from shared.values.wake import Queue, QueueAddress, Routes
from shared.wiring.settings import FunctionAddress, Hosts, JsonRoutes, JsonS3Bucket
from shared.wiring.settings.environment import (
    AnyCase,
    EnvironmentSettings,
    JsonOrigins,
    JsonTokens,
    Place,
    Secret,
    Switch,
    Text,
    is_lulls,
    nearest_setting,
    setting,
)
from shared.wiring.settings.model_names import ImageModel, JsonPrices, MediaModel, SpeechModel


class Size(StrEnum):
    SMALL = "small"
    LARGE = "large"


class Example(EnvironmentSettings):
    word: Text = setting("a word", "w", name="WORD")
    is_open: Switch = setting("a switch", "yes", True)
    hidden: Secret = setting("a secret", "s", "")
    count: Annotated[int, Field(ge=1, le=9)] = setting("a number", "2", 2)
    part: Annotated[float, Field(gt=0, le=1)] = setting("a part", "0.5", 0.5)
    size: Annotated[Size, AnyCase] = setting("a size", "large", Size.SMALL)
    form: Annotated[Literal["long", "short"], AnyCase] = setting("a form", "long", "short")
    routes: JsonRoutes | None = setting("routes", "{}", None)
    bucket: JsonS3Bucket | None = setting("a bucket", "{}", None)
    tokens: JsonTokens | None = setting("tokens", "{}", None)
    origins: JsonOrigins | None = setting("origins", "{}", None)
    prices: JsonPrices | None = setting("prices", "{}", None)
    place: Place = setting("a place", "http://x", "")
    address: FunctionAddress = setting("an address", "http://x", "")
    hosts: Hosts = setting("hosts", "x", frozenset())
    speech: SpeechModel = setting("what speaks", "no", "no")
    image: ImageModel = setting("what draws", "no", "no")
    media: MediaModel = setting("what describes", "no", "no")


def read(**values: str) -> Example:
    return Example.from_environment({"WORD": "w", **{f"LULL_{name}": text for name, text in values.items()}})


def refused(name: str, text: str) -> str:
    """Return the error for a value, without name, purpose and example of its setting."""
    with pytest.raises(InvalidSettings) as caught:
        Example.from_environment({"WORD": "w", name: text})
    field = Example.variables()[name]
    begin, end = f"{name} is wrong (", f"): it is {field.description}. Example: {name}={(field.examples or [])[0]}"
    said = str(caught.value)
    assert said.startswith(begin)
    assert said.endswith(end)
    assert "S3CRET" not in said
    return said.removeprefix(begin).removesuffix(end)


@pytest.mark.parametrize(
    ("name", "text", "field", "value"),
    [
        ("LULL_IS_OPEN", "No", "is_open", False),
        ("LULL_IS_OPEN", "TRUE", "is_open", True),
        ("LULL_IS_OPEN", "off ", "is_open", False),
        ("LULL_IS_OPEN", "Y", "is_open", True),
        ("LULL_IS_OPEN", "f", "is_open", False),
        ("LULL_IS_OPEN", "Disabled", "is_open", False),
        ("LULL_IS_OPEN", " ", "is_open", True),
        ("lull_is_open", "no", "is_open", True),
        ("WORD", " w2\r", "word", "w2"),
        ("WORD", '"', "word", '"'),
        ("LULL_COUNT", "9\r", "count", 9),
        ("LULL_SIZE", "Large ", "size", Size.LARGE),
        ("LULL_FORM", "LONG", "form", "long"),
        ("LULL_HIDDEN", "hush\n", "hidden", SecretStr("hush")),
        ("LULL_PART", "1", "part", 1.0),
        ("LULL_ROUTES", "", "routes", None),
        ("LULL_PLACE", "https://api.telegram.org/", "place", "https://api.telegram.org"),
        ("LULL_PLACE", "http://10.0.0.7:8081", "place", "http://10.0.0.7:8081"),
    ],
)
def test_a_value_is_read_by_its_type(name: str, text: str, field: str, value: Any) -> None:
    assert getattr(Example.from_environment({"WORD": "w", name: text}), field) == value


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("LULL_IS_OPEN", "perhaps", "write `yes` or `no`"),
        ("LULL_COUNT", "10", "write a number from 1 to 9"),
        ("LULL_COUNT", "2.5", "write a whole number"),
        ("LULL_COUNT", "9" * 5_000, "write a whole number"),
        ("LULL_PART", "0", "write a number above 0 to 1"),
        ("LULL_PART", "nan", "write a number"),
        ("LULL_SIZE", "huge", "write `small` or `large`"),
        ("LULL_FORM", "longest", "write `long` or `short`"),
        ("WORD", '"w"', "write it without quotes"),
        ("WORD", "'w'", "write it without quotes"),
        ("LULL_HIDDEN", '"S3CRET"', "write it without quotes"),
        ("LULL_COUNT", '"3"', "write a whole number"),
        ("LULL_TOKENS", "S3CRET", "write a JSON object"),
        ("LULL_TOKENS", '{"lull": ["S3CRET"]}', "each value must be a string"),
        (
            "LULL_ORIGINS",
            '{"https://a.example": "S3CRET"}',
            "write two addresses such as https://api.example.org for each service",
        ),
        ("LULL_IS_OPEN", "\udcff", "write it in UTF-8"),
    ],
)
def test_what_is_wrong_is_told_by_name_purpose_and_example(name: str, text: str, said: str) -> None:
    assert refused(name, text) == said


def test_all_that_is_missing_or_wrong_is_told_at_once() -> None:
    with pytest.raises(InvalidSettings) as caught:
        Example.from_environment({"LULL_COUNT": "many", "LULL_SIZE": "huge"})
    assert [line.split()[0] for line in str(caught.value).splitlines()] == ["WORD", "LULL_COUNT", "LULL_SIZE"]
    assert Example.needed_examples() == {"WORD": "w"}


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("LULL_QUIET_PRIVAT_S", "LULL_QUIET_PRIVATE_S"),
        ("LULL_QUITE_PRIVATE_S", "LULL_QUIET_PRIVATE_S"),
        ("LULL_QUIET_PRIVATE", "LULL_QUIET_PRIVATE_S"),
        ("lull_quiet_private_s", "LULL_QUIET_PRIVATE_S"),
        ("LULL_MODELL", "LULL_MODEL"),
        ("LUL_MODEL", "LULL_MODEL"),
        ("LULL_COLOUR", ""),
        ("LULL_", ""),
    ],
)
def test_what_a_misspelt_name_is_likely_to_mean_is_known(name: str, meant: str) -> None:
    assert nearest_setting(name, ("LULL_QUIET_PRIVATE_S", "LULL_MODEL", "LULL_DATA")) == meant
    assert is_lulls(name)
    assert not is_lulls("PATH")


def test_a_name_that_is_likely_to_be_misspelt_is_told() -> None:
    env = {"LULL_IS_OPN": "no", "lull_hidden": "hush", "LULL_COLOUR": "red", "LULL_SIZ": "", "SIZE": "small"}
    ignored = "is not a setting of this function and is ignored. Did you mean"
    assert Example.find_misspelt(env) == [f"LULL_IS_OPN {ignored} LULL_IS_OPEN?", f"lull_hidden {ignored} LULL_HIDDEN?"]
    assert Example.find_misspelt({**env, "LULL_IS_OPEN": "no", "LULL_HIDDEN": "hush"}) == []


def test_secrets_do_not_show() -> None:
    shown = read(HIDDEN="hush", TOKENS='{"lull": "123:token"}')
    assert shown.tokens is not None
    assert shown.tokens["lull"].get_secret_value() == "123:token"
    assert "hush" not in f"{shown!r} {shown} {shown.hidden}"
    assert "token'" not in f"{shown!r} {shown} {shown.tokens}"


BUCKET = {"bucket": "lull-copy", "region": "eu-west-1", "role": "arn:aws:iam::123456789012:role/lull-archive"}


@pytest.mark.parametrize(
    "more", [{}, {"region": "us-gov-east-1"}, {"role": "arn:aws-us-gov:iam::123456789012:role/a/b"}]
)
def test_a_bucket_has_a_region_and_a_role(more: dict[str, str]) -> None:
    found = read(BUCKET=json.dumps(BUCKET | more)).bucket
    assert found is not None
    assert found.model_dump() == BUCKET | more


@pytest.mark.parametrize(
    "wrong",
    [
        {"bucket": "Lull"},
        {"region": "europe-west1"},
        {"role": "lull-archive"},
        {"key": "a key is not needed"},
        {"bucket": 5},
        {"bucket": "S3CRET\n"},
    ],
)
def test_what_is_no_bucket_is_refused(wrong: dict[str, Any]) -> None:
    said = refused("LULL_BUCKET", json.dumps(BUCKET | wrong))
    assert said == "write only `bucket`, `region` and `role`, each in the format of AWS"


def test_routes_lead_to_queues_and_functions() -> None:
    queues = {"background": {"name": "q", "invoker": "me"}, "ticks": {"name": "t"}}
    found = read(ROUTES=json.dumps({"queues": queues, "functions": {"summarize": "https://s"}})).routes
    there = {Queue.BACKGROUND: QueueAddress(name="q", invoker="me"), Queue.TICKS: QueueAddress(name="t")}
    assert found == Routes(queues=there, functions={"summarize": "https://s"})
    assert read(ROUTES="{}").routes == Routes()


@pytest.mark.parametrize("wrong", ["S3CRET", '["S3CRET"]', '"S3CRET"', "7", "[" * 100_000])
def test_what_is_no_object_is_refused(wrong: str) -> None:
    for name in ("LULL_ROUTES", "LULL_BUCKET", "LULL_TOKENS", "LULL_ORIGINS", "LULL_PRICES"):
        assert refused(name, wrong) == "write a JSON object"


@pytest.mark.parametrize(
    "wrong",
    [
        '{"S3CRET": {}}',
        '{"queues": {"S3CRET": {"name": "q"}}}',
        '{"queues": {"ticks": "S3CRET"}}',
        '{"queues": {"ticks": {"invoker": "S3CRET"}}}',
        '{"queues": {"ticks": {"name": "q", "S3CRET": "x"}}}',
        '{"queues": {"background": {}}}',
        '{"queue": {}}',
        '{"queues": ["S3CRET"]}',
        '{"functions": "S3CRET"}',
        '{"functions": {"tick": {"S3CRET": 1}}}',
    ],
)
def test_what_is_no_route_is_refused_and_not_repeated(wrong: str) -> None:
    said = refused("LULL_ROUTES", wrong)
    assert "the queues are ticks, media, background, each with a `name` and optionally an `invoker`" in said


def test_a_model_is_named_that_makes_what_it_is_for() -> None:
    assert [read(SPEECH=name).speech for name in ("no", " gemini-3.8-flash-tts ")] == ["no", "gemini-3.8-flash-tts"]
    assert read(IMAGE="gemini-nano-banana-2.1").image == "gemini-nano-banana-2.1"
    assert "a model that makes speech, such as gemini-" in refused("LULL_SPEECH", "gemini-3.8-flash")
    assert "a model that makes pictures, such as gemini-" in refused("LULL_IMAGE", "gemini-3.8-flash-tts")


def test_a_model_describes_files_that_is_shown_some_and_answers_with_text() -> None:
    for name in ("no", "gemini-3.5-flash-lite", "gemini-3.5-transcribe", "models/gemini-3.8-flash"):
        assert read(MEDIA=f" {name} ").media == name.removeprefix("models/")
    for wrong in ("gemini-3.8-flash-tts", "gemini-embedding-2", "gemini-3.5-flash-live", "some-model"):
        said = refused("LULL_MEDIA", wrong)
        assert said.startswith("write `no`, or a model that reads files and writes text")


@pytest.mark.parametrize(
    "wrong", ["api.telegram.org", "http://x:1\nS3CRET", "'http://x:1'", "http:/x", "ftp://x", "http://me:S3CRET@x"]
)
def test_what_is_no_address_is_refused(wrong: str) -> None:
    assert refused("LULL_PLACE", wrong) == "write an address such as https://api.example.org"

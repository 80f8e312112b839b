"""Documents as JSON, and back."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given

from shared.chat.document_json import from_json, to_json
from shared.values.transcript import Vector
from tests.shared.chat.transcripts import values
from tests.shared.examples import PROPERTY


@PROPERTY
@given(values)
def test_out_and_in_again_is_the_same(value: Any) -> None:
    again = from_json(json.loads(json.dumps(to_json(value), allow_nan=False)))
    assert again == value
    assert type(again) is type(value)


def test_tags_types_that_json_lacks() -> None:
    moment = datetime(2026, 2, 14, 9, 0, 0, 5, tzinfo=UTC)
    assert to_json({"at": moment, "v": Vector([0.5]), "b": b"\x00", "i": float("inf")}) == {
        "at": {"$time": "2026-02-14T09:00:00.000005+00:00"},
        "v": {"$vector": [0.5]},
        "b": {"$bytes": "AA=="},
        "i": {"$number": "inf"},
    }


def test_what_no_document_holds_is_refused() -> None:
    with pytest.raises(TypeError, match="type object cannot be archived"):
        to_json([object()])


@pytest.mark.parametrize(
    "wrong", [{"$tmie": "x"}, {"$time": 5}, {"$time": "noon"}, {"$bytes": "?"}, {"$vector": ["a"]}]
)
def test_refuses_an_unknown_tag(wrong: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        from_json(wrong)

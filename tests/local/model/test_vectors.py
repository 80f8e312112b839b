"""Vectors at OpenAI's address."""

import base64
import struct
from collections.abc import Iterator

import pytest

from local.gemini.hashed import NAME, HashedWords, hashed
from local.model.recorder import Recorder
from local.model.server import build_app
from local.model.upstream import GoogleBackend
from local.model.vectors import WithVectors
from tests.local.model.conftest import Json, Served
from tests.local.serving import serving


@pytest.fixture
def served() -> Iterator[Served]:
    with serving(build_app(WithVectors(GoogleBackend("http://127.0.0.1:9"), HashedWords()), Recorder())) as url:
        made = Served(url)
        yield made
        made.http.close()


def asked(served: Served, **fields: object) -> Json:
    return dict(served.http.post("/v1/embeddings", json={"model": NAME, **fields}).json())


def test_each_text_gets_a_vector_and_nothing_is_recorded(served: Served) -> None:
    answer = asked(served, input=["one", "two words"])
    assert [one["embedding"] for one in answer["data"]] == [pytest.approx(hashed(t)) for t in ("one", "two words")]
    assert answer["usage"]["prompt_tokens"]
    assert asked(served, input="one")["data"][0]["embedding"] == pytest.approx(hashed("one"))
    assert served.exchanges() == []
    assert served.report()["vectors"]["name"] == NAME


def test_the_official_client_asks_for_packed_numbers(served: Served) -> None:
    packed = base64.b64decode(asked(served, input="one", encoding_format="base64")["data"][0]["embedding"])
    assert struct.unpack(f"<{len(packed) // 4}f", packed) == pytest.approx(tuple(hashed("one")))


@pytest.mark.parametrize("given", [[], ["x"] * 101, ["x", " "], [7], 7, None])
def test_what_is_no_text_is_refused(served: Served, given: object) -> None:
    assert "`input`" in asked(served, input=given)["error"]["message"]


def test_another_model_is_not_here(served: Served) -> None:
    answer = served.http.post("/v1/embeddings", json={"model": "other", "input": "x"})
    assert (answer.status_code, NAME in answer.text) == (404, True)

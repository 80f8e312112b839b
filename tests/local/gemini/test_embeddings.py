"""Vectors of the scripted server, through Google's own client."""

import pytest
from google.genai import errors, types

from local.gemini.hashed import DIMENSIONS, NAME, hashed
from tests.local.gemini.conftest import ConnectTo, Served


def contents(*texts: str) -> list[types.ContentUnion]:
    return [types.Content(parts=[types.Part(text=text)]) for text in texts]


def test_the_official_client_gets_a_vector_for_each_content(scripted: Served, connect: ConnectTo) -> None:
    config = types.EmbedContentConfig(task_type="RETRIEVAL_DOCUMENT", output_dimensionality=768)
    answer = connect(scripted).models.embed_content(model=NAME, contents=contents("one", "two words"), config=config)
    assert answer.embeddings
    found = [vector.values for vector in answer.embeddings]
    assert found == [pytest.approx(hashed("one")), pytest.approx(hashed("two words"))]
    assert answer.usage_metadata
    assert answer.usage_metadata.prompt_token_count
    assert scripted.exchanges() == []
    assert len(scripted.http.get("/embeddings").json()["requests"]) == 1


def test_one_text_has_a_method_of_its_own(scripted: Served) -> None:
    body = {"content": {"parts": [{"text": "hi"}]}}
    answer = scripted.http.post(f"/v1/models/{NAME}:embedContent", json=body).json()
    assert len(answer["embedding"]["values"]) == DIMENSIONS


@pytest.mark.parametrize(
    ("texts", "why"),
    [([], "at least one"), (["x"] * 101, "at most 100 requests can be in one batch"), (["x", " "], "text is required")],
)
def test_what_the_api_takes_not_is_refused(scripted: Served, texts: list[str], why: str) -> None:
    requests = [{"content": {"parts": [{"text": text}]}} for text in texts]
    answer = scripted.http.post(f"/v1/models/{NAME}:batchEmbedContents", json={"requests": requests})
    assert answer.status_code == 400
    assert why in answer.json()["error"]["message"]


def test_a_script_has_vectors_fail_so_often(scripted: Served, connect: ConnectTo) -> None:
    scripted.script(vectors={"status": 429, "error": "Not now.", "times": 2})
    client = connect(scripted)
    for _ in range(2):
        with pytest.raises(errors.ClientError, match=r"Not now\."):
            client.models.embed_content(model=NAME, contents="x")
    assert client.models.embed_content(model=NAME, contents="x").embeddings
    scripted.script(vectors={"status": 503})
    assert scripted.http.get("/script").json()["vectors"] == {"status": 503}
    scripted.http.delete("/script")
    assert client.models.embed_content(model=NAME, contents="x").embeddings

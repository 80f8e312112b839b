"""The command /privacy: a short form of the page on privacy."""

import pytest

from shared.base.wording.words import languages
from shared.privacy.commands.privacy import PrivacyFacts, respond
from shared.telegram.markdown.render import render
from tests.shared.commands.requests import asked

PAGE = "https://lull.example/privacy.html"


@pytest.mark.parametrize(("language", "beginning"), [("en", "What happens to"), ("uk", "Що відбувається")])
def test_it_says_what_is_kept_and_links_to_all_of_it(language: str, beginning: str) -> None:
    (part,) = render(respond(asked(language=language, result=PrivacyFacts(page=PAGE))).text)
    assert part.text.startswith(beginning)
    assert "Gemini" in part.text
    assert "/memories" in part.text
    assert [entity.url for entity in part.entities if entity.type == "text_link"] == [PAGE]


def test_where_there_is_no_page_it_links_to_none() -> None:
    (part,) = render(respond(asked(result=PrivacyFacts())).text)
    assert "Gemini" in part.text
    assert [entity for entity in part.entities if entity.type == "text_link"] == []


def told(language: str = "en", host: str = "", gemini: str = "Gemini") -> str:
    facts = PrivacyFacts(page=PAGE, hosts=(host,), gemini=gemini)
    (part,) = render(respond(asked(language=language, result=facts)).text)
    return part.text


@pytest.mark.parametrize("host", ["", "generativelanguage.googleapis.com", "europe-west1-aiplatform.googleapis.com"])
def test_googles_model_is_named_where_google_is_asked(host: str) -> None:
    assert "send Google’s model Gemini the messages" in told(host=host)


def test_vertex_ai_is_named_with_its_region() -> None:
    gemini = "Gemini (Vertex AI, europe-west1)"
    assert f"send Google’s model {gemini} the messages" in told(gemini=gemini)


@pytest.mark.parametrize("host", ["llm.example.org", "192.168.1.5", "localhost.example.org", "fakegoogleapis.com"])
def test_another_server_is_named_by_its_host(host: str) -> None:
    text = told(host=host, gemini="Gemini (Vertex AI)")
    assert f"send the model at {host} the messages" in text
    assert "Google" not in text


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.0.0.53", "::1", "lull.localhost"])
def test_a_model_on_the_same_machine_is_told_as_one(host: str) -> None:
    text = told(host=host)
    assert "runs on the same machine as I do" in text
    assert "Google" not in text


@pytest.mark.parametrize("language", languages())
def test_in_every_language_nobody_is_named_who_gets_nothing(language: str) -> None:
    assert "Gemini" in told(language)
    assert "Gemini" not in told(language, host="127.0.0.1")
    assert "llm.example.org" in told(language, host="llm.example.org")
    assert "Gemini" not in told(language, host="llm.example.org")


@pytest.mark.parametrize("language", languages())
def test_several_receivers_are_all_named_except_this_machine(language: str) -> None:
    hosts = ("api.groq.com", "localhost", "", "generativelanguage.googleapis.com", "llm.example.org")
    facts = PrivacyFacts(page=PAGE, hosts=hosts, gemini="Gemini (Vertex AI)")
    (part,) = render(respond(asked(language=language, result=facts)).text)
    assert "api.groq.com, Gemini (Vertex AI), llm.example.org" in part.text
    assert "localhost" not in part.text

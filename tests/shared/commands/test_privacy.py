"""The short form of the page on privacy."""

import pytest

from shared.commands.privacy import respond
from shared.formatting.render import render
from tests.shared.commands.requests import asked

PAGE = "https://lull.example/privacy.html"


@pytest.mark.parametrize(("language", "beginning"), [("en", "What happens with"), ("uk", "Що відбувається")])
def test_it_says_what_is_kept_and_links_to_all_of_it(language: str, beginning: str) -> None:
    (part,) = render(respond(asked(language=language, result=PAGE)).text)
    assert part.text.startswith(beginning)
    assert "Gemini" in part.text
    assert "/memories" in part.text
    assert [entity.url for entity in part.entities if entity.type == "text_link"] == [PAGE]


def test_where_there_is_no_page_it_links_to_none() -> None:
    (part,) = render(respond(asked(result="")).text)
    assert "Gemini" in part.text
    assert [entity for entity in part.entities if entity.type == "text_link"] == []

"""Sources are values: the same one is told once."""

from shared.models.origin import OWN, Origin, Passage, Source
from shared.models.prompt import Prompt


def test_a_prompt_names_what_of_it_is_from_outside() -> None:
    page = Source(origin=Origin.OUTSIDE, what="a page")
    prompt = Prompt(system="s", turns=(), sources=(OWN, Source(origin=Origin.PERSON, person=7), page))
    assert prompt.outside == ("a page",)
    assert Prompt(system="s", turns=(), sources=(OWN,)).outside == ()


def test_a_passage_keeps_its_source_when_it_is_stored() -> None:
    passage = Passage(text="x", source=Source(origin=Origin.OWNER, person=7))
    assert Passage.model_validate_json(passage.model_dump_json()) == passage

"""Sources are values: the same one is told once."""

from shared.models.origin import OWN, Elsewhere, Origin, Passage, Source, is_made_of
from shared.models.prompt import Prompt

ROOM = Elsewhere(conversation="conv-a", chat_id=-7, first_seq=1, last_seq=2, people=(4, 5))
PRIVATE = Elsewhere(conversation="conv-b", chat_id=9, first_seq=1, last_seq=2)


def test_a_prompt_names_what_of_it_is_from_outside() -> None:
    page = Source(origin=Origin.OUTSIDE, what="a page")
    prompt = Prompt(system="s", turns=(), sources=(OWN, Source(origin=Origin.PERSON, person=7), page))
    assert prompt.outside == ("a page",)
    assert Prompt(system="s", turns=(), sources=(OWN,)).outside == ()


def test_a_passage_keeps_its_source_when_it_is_stored() -> None:
    passage = Passage(text="x", source=Source(origin=Origin.OWNER, person=7))
    assert Passage.model_validate_json(passage.model_dump_json()) == passage


def test_they_belong_to_those_who_wrote_them_and_to_the_chat() -> None:
    assert (ROOM.ids, PRIVATE.ids) == ((4, 5, -7), (9,))
    assert [is_made_of((ROOM, PRIVATE), one) for one in (4, -7, 9, 6)] == [True, True, True, False]
    assert not is_made_of((), 4)

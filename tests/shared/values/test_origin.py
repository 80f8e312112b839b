"""Sources of text: equal sources are named once."""

from shared.values.evolve import evolve
from shared.values.origin import (
    MOST_ELSEWHERE,
    OWN,
    ConversationSpan,
    Passage,
    TextOrigin,
    TextSource,
    is_made_in,
    is_made_of,
    merge_spans,
)
from shared.values.prompt import Prompt

ROOM = ConversationSpan(conversation="conv-a", chat_id=-7, first_seq=1, last_seq=2, people=(4, 5))
PRIVATE = ConversationSpan(conversation="conv-b", chat_id=9, first_seq=1, last_seq=2)


def test_a_prompt_names_what_of_it_is_from_outside() -> None:
    page = TextSource(origin=TextOrigin.OUTSIDE, what="a page")
    prompt = Prompt(system="s", turns=(), sources=(OWN, TextSource(origin=TextOrigin.PERSON, person=7), page))
    assert prompt.outside == ("a page",)
    assert Prompt(system="s", turns=(), sources=(OWN,)).outside == ()


def test_a_passage_keeps_its_source_when_it_is_stored() -> None:
    passage = Passage(text="x", source=TextSource(origin=TextOrigin.OWNER, person=7))
    assert Passage.model_validate_json(passage.model_dump_json()) == passage


def test_they_belong_to_those_who_wrote_them_and_to_the_chat() -> None:
    assert (ROOM.ids, PRIVATE.ids) == ((4, 5, -7), (9,))
    assert [is_made_of((ROOM, PRIVATE), one) for one in (4, -7, 9, 6)] == [True, True, True, False]
    assert not is_made_of((), 4)
    several = evolve(PRIVATE, conversation="")
    wanted = [
        ((ROOM, PRIVATE), 9, "conv-b"),
        ((several,), 9, "conv-x"),
        ((PRIVATE,), 9, "conv-a"),
        ((several,), -7, "conv-b"),
    ]
    assert [is_made_in(*one) for one in wanted] == [True, True, False, False]


def test_messages_of_one_conversation_are_one_and_nobody_in_them_is_lost() -> None:
    later = evolve(ROOM, first_seq=7, last_seq=9, people=(5, 6))
    both = ConversationSpan(conversation="conv-a", chat_id=-7, first_seq=1, last_seq=9, people=(4, 5, 6))
    assert merge_spans((ROOM, PRIVATE, later, ROOM)) == (both, PRIVATE)
    assert merge_spans(()) == ()


def test_of_very_many_conversations_the_chats_are_kept() -> None:
    many = [
        ConversationSpan(conversation=f"conv-{n}", chat_id=-(n % 3), first_seq=n, last_seq=n, people=(n,))
        for n in range(800)
    ]
    found = merge_spans(many)
    assert len(found) == 3 <= MOST_ELSEWHERE
    assert {person for one in found for person in one.people} == set(range(800))
    assert {(one.conversation, one.first_seq) for one in found} == {("", 0)}

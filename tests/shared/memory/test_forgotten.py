"""Tests that models do not see forgotten facts in earlier messages, and that they see everything else."""

from datetime import datetime, timedelta

import pytest

from shared.memory.by_owner import MemoriesByOwner, memory_changes
from shared.memory.forgotten import (
    MOST_FORGOTTEN,
    ForgottenFilter,
    SpokenText,
    drop_marks_said_again,
    forget_memory,
    forgotten_filter,
)
from shared.memory.visible import visible_memories
from shared.values.memory import Memory, MemoryScope
from shared.values.segment import SegmentMessage
from tests.shared.examples import ANN, BOB, GROUP_KEY, KEY, NOW, SECOND
from tests.shared.memory.facts import GROUP, PRIVATE, fact, source
from tests.shared.tools.played import finding

HERS = PRIVATE.person(ANN.id)
BEFORE = NOW - timedelta(days=3)
LATER = NOW + timedelta(days=3)


def after_forgetting(text: str, *kept: str, seq: int = 0) -> ForgottenFilter:
    said = source(KEY, conversation="conv-1" if seq else "", seq=seq, name=text.split()[0].removesuffix("'s"))
    memories = (fact(text, id="mgone", source=said), *(fact(one, id=f"m{n}") for n, one in enumerate(kept)))
    owned = forget_memory(MemoriesByOwner({HERS: memories}), HERS, memories[0], NOW)
    return forgotten_filter(visible_memories(owned, PRIVATE))


def by_ann(text: str, at: datetime = BEFORE, seq: int = 0) -> SpokenText:
    return SpokenText(text, ANN.id, at, "conv-1", seq)


@pytest.mark.parametrize(
    ("forgotten", "said"),
    [
        ("Ann is scared of geese.", "I am really scared of geese, and of dogs"),
        ("Ann is scared of geese.", "Please forget that I'm scared of geese."),
        ("Ann cannot eat celery because she is allergic.", "I'm allergic to celery"),
        ("Ann is vegan.", "did I tell you that I am vegan?"),
        ("The user's PIN is 4711.", "my pin is 4711"),
        ("Ann works at the port of Odesa.", "I work at the port in Odesa"),
        ("Анна працює в порту.", "Я працюю в порту"),
        ("Anna hat Angst vor Gänsen.", "Ich habe Angst vor Gänsen"),
        # verbs whose form changes if somebody else is the subject
        ("Анна боится гусей.", "Я боюсь гусей"),
        ("Анна живёт в Казани.", "я живу в Казани"),
        ("Анна любит пиво.", "я люблю пиво"),
        ("Анна ходит к гадалке.", "я хожу к гадалке"),
        ("Анна боїться гусей.", "я боюся гусей"),
        ("Анна п'є каву без цукру.", "я п'ю каву без цукру"),
        ("آنا تخاف من الإوز.", "أنا أخاف من الإوز"),
        ("آنا تسكن في حلب.", "أنا أسكن في حلب"),
        # messages that identify the fact alone, however they are worded and grouped
        ("Ann's phone number is +43 660 1234567.", "call me at 0660/123 45 67"),
        ("Ann's phone number is +43 660 1234567.", "+436601234567, any time"),
        ("Ann's email is ann@rowing.example.", "write to ann@rowing.example, please"),
        ("Ann's passport is P1234567.", "use P1234567 for the booking of the ferry"),
        ("Ann's card is 4000 0012 3456 7899.", "pay with 4000001234567899 this time"),
        ("Ann's wifi key is heron77x.", "type heron77x and you are in"),
    ],
)
def test_removes_messages_that_state_a_forgotten_fact(forgotten: str, said: str) -> None:
    assert after_forgetting(forgotten).remaining_texts([by_ann(said)]) == [""]
    assert after_forgetting(forgotten).remaining_text(said) == "", "nor from what a model made of it"


@pytest.mark.parametrize(
    ("forgotten", "said"),
    [
        ("Ann is scared of geese.", "I am scared of heights"),
        ("Ann is scared of geese.", "The geese fly south"),
        ("Ann's PIN is 4711.", "the train 4711 is late"),
        ("Ann works at the port of Odesa.", "I was in Odesa in May"),
        ("Ann likes tea.", "the ferry leaves at nine"),
        ("Анна любит пиво.", "я люблю суп"),
        ("Анна живёт в Казани.", "в Казани идёт снег"),
        ("Анна боится гусей.", "гуси улетели на юг"),
        ("آنا تعيش في دمشق.", "دمشق جميلة"),
        ("Ann's phone number is +43 660 1234567.", "43 guests came to the harbour"),
        ("Ann's exam is on 2026-11-05.", "the regatta of the club is on 2026-11-05"),
        ("Ann's salary is 5000 €.", "the boat costs 5000 € without a sail"),
    ],
)
def test_keeps_messages_that_state_something_else(forgotten: str, said: str) -> None:
    assert after_forgetting(forgotten).remaining_texts([by_ann(said)]) == [said]


def test_ignores_the_persons_name_in_the_fact() -> None:
    memory = fact("安害怕鹅。", id="mgone", source=source(KEY, name="安"))
    owned = forget_memory(MemoriesByOwner({HERS: (memory,)}), HERS, memory, NOW)
    assert forgotten_filter(visible_memories(owned, PRIVATE)).remaining_texts([by_ann("我很害怕鹅")]) == [""]


def test_removes_only_the_sentences_that_state_the_fact() -> None:
    hidden = after_forgetting("Ann is scared of geese.")
    (left,) = hidden.remaining_texts([by_ann("The ferry leaves at 9. I am scared of geese! Bring bread.")])
    assert left == "The ferry leaves at 9. Bring bread."
    hidden = after_forgetting("Ann's mail is ann@rowing.example.")
    (left,) = hidden.remaining_texts([by_ann("My mail: ann@rowing.example. Bring v1.2 of the plan.")])
    assert left == "Bring v1.2 of the plan."


def test_keeps_sentences_about_facts_still_remembered() -> None:
    son = "My son is scared of geese"
    hidden = after_forgetting("Ann is scared of geese.", "Ann's son is scared of geese.")
    assert hidden.remaining_texts([by_ann(son)]) == [son]


def test_keeps_other_peoples_words_and_facts_stated_again() -> None:
    hidden, text = after_forgetting("Ann is scared of geese."), "I am scared of geese"
    assert hidden.remaining_texts([SpokenText(text, BOB.id, BEFORE)]) == [text]
    assert hidden.remaining_texts([by_ann(text, LATER)]) == [text]
    told = [
        by_ann(text),
        SpokenText("You are scared of geese.", at=BEFORE),
        by_ann(text, LATER),
        SpokenText("Scared of geese!"),
    ]
    assert hidden.remaining_texts(told) == ["", "", text, "Scared of geese!"]
    assert hidden.remaining_texts([SpokenText("Forgotten: Ann is scared of geese.", at=LATER)]) == [""], (
        "the agent does not renew it"
    )


def test_removes_answers_that_state_the_fact_together_with_the_question() -> None:
    hidden = after_forgetting("Ann is scared of geese.")
    talk = [by_ann("what am I scared of?"), SpokenText("Geese! The ferry leaves at 9.", at=BEFORE)]
    assert hidden.remaining_texts(talk) == ["what am I scared of?", "The ferry leaves at 9."]


def test_removes_the_source_message_whatever_its_words() -> None:
    hidden = after_forgetting("Ann is scared of geese.", seq=4)
    said = by_ann("Geese give me the creeps. See you at nine.", seq=4)
    assert hidden.remaining_texts([said, by_ann("Geese are back.", seq=5)]) == ["See you at nine.", "Geese are back."]


def test_keeps_an_unreadable_mark_until_the_fact_is_stated_again() -> None:
    geese = fact("Ann is scared of geese.", id="mold")
    before = MemoriesByOwner({HERS: (geese,)})
    after = forget_memory(before, HERS, geese, NOW)
    assert (after.of(HERS), after.find("mold")) == ((), None)
    (mark,) = after.forgotten_marks(HERS)
    assert "geese" not in mark.model_dump_json()
    (change,) = memory_changes(before, after)
    assert (change.kept, change.gone, change.forgotten) == ((), ("mold",), (mark,))
    assert drop_marks_said_again(after, HERS, "Ann likes tea.") == after
    renewed = drop_marks_said_again(after, HERS, "Ann is scared of geese.")
    (change,) = memory_changes(after, renewed)
    assert (renewed.forgotten_marks(HERS), change.renewed) == ((), ("mold",))


def test_drops_the_oldest_of_too_many_marks() -> None:
    owned = MemoriesByOwner()
    for number in range(MOST_FORGOTTEN + 2):
        one: Memory = fact(f"Ann owns boat {number}.", id=f"m{number}")
        owned = forget_memory(owned.with_own(HERS, (one,)), HERS, one, NOW + number * SECOND)
    assert [one.id for one in owned.forgotten_marks(HERS)][:1] == ["m2"]
    assert len(owned.forgotten_marks(HERS)) == MOST_FORGOTTEN


def test_a_mark_names_its_person_so_that_it_is_deleted_with_them() -> None:
    key, said = GROUP.chats[0], source(GROUP_KEY, ANN.id, name="Ann")
    gone = fact("Tea at five.", GROUP_KEY, id="mgone", scope=MemoryScope.CHAT, source=said)
    owned = forget_memory(MemoriesByOwner({key: (gone,)}), key, gone, NOW)
    (mark,) = owned.forgotten_marks(key)
    assert (mark.source.person, mark.source.name) == (ANN.id, "")
    hidden = forgotten_filter(visible_memories(owned, GROUP))
    assert hidden.remaining_texts([SpokenText("Tea at five.", BOB.id, BEFORE)]) == [""], (
        "a chat's facts are hidden whoever said them"
    )


def test_removes_the_fact_from_titles_topics_and_notes_of_search_results() -> None:
    hidden = after_forgetting("Ann is scared of geese.")
    told = (SegmentMessage(author=BOB.id, name="Bob", text="We go in May.", message_id=4, seq=4, at=BEFORE, turn=1),)
    topics = ("trip", "being scared of geese")
    found = finding(title="Scared of geese", topics=topics, messages=told, text="Bob: We go in May.")
    left = hidden.filter_hit(found)
    assert left is not None
    assert (left.source.title, left.topics, left.text) == ("", ("trip",), "Bob: We go in May.")

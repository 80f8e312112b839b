"""The language of lull's messages to a person: the set one, the one they write in, or that of their app."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.wording.words import languages
from shared.deciding.names import fold
from shared.telegram.inbound.entries import ParsedUpdate
from shared.turn.batch import InboxBatch
from shared.turn.language import language_evidence, likely_language, spoken_language, with_languages, words_for
from shared.values.chat import Chat, Locale
from shared.values.chat_key import ChatKind
from shared.values.decision import Decision, DecisionTier
from shared.values.evolve import evolve
from shared.values.message import Message
from tests.shared.examples import ANN, BOB, KEY, PROPERTY, said

SPOKEN = Path(__file__).parents[2] / "data" / "spoken.txt"
ROWS = [tuple(line.split(" ", 1)) for line in SPOKEN.read_text().splitlines() if not line.startswith("#")]
#: the most texts of a language that may stay undetected; none may be detected as another
MOST_UNTOLD = 3


def wrote(update: int, *, is_answered: bool) -> Message:
    decision = Decision(respond=is_answered, reason="private chat", tier=DecisionTier.EXPLICIT)
    return said("Hi", ANN if is_answered else BOB, update, updates=(update,), decision=decision)


@pytest.mark.parametrize(
    ("spoken", "last_language", "language"),
    [
        ({1: "uk", 2: "de"}, "", "uk"),
        ({2: "de"}, "uk", "de"),
        ({}, "uk", "uk"),
        ({}, "", "en"),
        ({1: "tlh", 2: "de"}, "uk", "en"),
    ],
    ids=["who is answered", "who wrote last", "the chat's", "nobody's", "one without a catalogue"],
)
def test_lull_speaks_the_language_of_who_is_answered(spoken: dict[int, str], last_language: str, language: str) -> None:
    entries = (wrote(1, is_answered=True), wrote(2, is_answered=False))
    targets = InboxBatch(update_ids=(1, 2), entries=entries, kind=ChatKind.GROUP).targets
    assert words_for(targets, spoken, Chat(key=KEY, locale=Locale(last_language=last_language))).language == language


def test_no_sentence_is_taken_for_one_of_another_language() -> None:
    told = [(language, language_evidence(fold(text)).language, text) for language, text in ROWS]
    assert [one for one in told if one[1] not in {"", one[0]}] == []


def test_nearly_every_sentence_tells_its_language() -> None:
    known = [(language, language_evidence(fold(text)).language) for language, text in ROWS if language in languages()]
    untold = Counter(language for language, told in known if told != language)
    assert {language: count for language, count in untold.items() if count > MOST_UNTOLD} == {}
    assert all(sum(one == language for one, _ in known) >= 20 for language in languages())


def written(*texts: str, **fields: object) -> list[Message]:
    return [said(text, ANN, place, **fields) for place, text in enumerate(texts, 1)]


UK = ("нагадай мені завтра купити молоко", "дякую, дуже корисно", "яка сьогодні погода")
DE = ("erinnere mich morgen an die Milch", "danke, das war sehr gut")


@pytest.mark.parametrize(
    ("texts", "before", "expected"),
    [
        ((), "", ""),
        (UK[:1], "", ""),
        (UK[:2], "", "uk"),
        ((UK[0], "ok", "👍", UK[1]), "", "uk"),
        ((*UK[:2], DE[0]), "", "uk"),
        ((*UK[:2], DE[0], UK[2], DE[1]), "", "uk"),
        ((*UK[:2], *DE), "", "de"),
        (("так", "ні", "дякую", "добре"), "", ""),
        (("так", "ні"), "uk", "uk"),
        (UK[:1], "de", "de"),
        (("ok", DE[0], "lol", DE[1]), "uk", "de"),
        (("what is the weather like", "нічого", "and when does it rain"), "", "en"),
        (("Eve is here", "Eve is here", "Eve is here"), "", ""),
        (("da Vinci de Niro la Scala",) * 3, "", ""),
    ],
)
def test_more_than_one_message_tells_a_language_and_more_than_one_changes_it(
    texts: tuple[str, ...], before: str, expected: str
) -> None:
    assert spoken_language(written(*texts), before) == expected


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        *((kind, {}) for kind in ("code", "pre", "blockquote", "url", "bot_command")),
        ("text_link", {"url": "https://example.org"}),
    ],
)
def test_what_is_not_their_own_speech_tells_nothing(kind: str, more: dict[str, str]) -> None:
    def marked(text: str) -> Message:
        return said(text, ANN, entities=({"type": kind, "offset": 0, "length": len(text), **more},))

    assert spoken_language([marked(text) for text in UK]) == ""
    assert spoken_language([evolve(m, forwarded_from=BOB) for m in written(*UK)]) == ""


def read(*messages: Message, language: str = "en") -> list[ParsedUpdate]:
    return [
        ParsedUpdate(update_id=m.message_id, entry=m, chat_kind=ChatKind.GROUP, language=language) for m in messages
    ]


def test_each_has_the_language_that_they_write_or_that_of_their_app() -> None:
    ann = [said(text, ANN, place) for place, text in enumerate(UK, 1)]
    bob = [said("so good", BOB, 9), said(DE[0], BOB, 10)]
    found = with_languages(read(ann[2], *bob), ann[:2])
    assert [(one.language, one.spoken) for one in found] == [("uk", "uk"), ("en", ""), ("en", "")]
    assert [one.language for one in with_languages(read(ann[2], *bob), ann[:2], chosen="pt")] == ["pt"] * 3
    assert [one.language for one in with_languages(read(bob[0]), (), before="it")] == ["it"]


def test_what_the_agent_or_a_bot_writes_is_nobodys_language() -> None:
    bot = evolve(BOB, is_bot=True)
    found = with_languages(read(*(said(text, bot, place) for place, text in enumerate(UK, 1))), ())
    assert {one.language for one in found} == {"en"}


@PROPERTY
@given(st.text(max_size=80) | st.sampled_from([text for _, text in ROWS]))
def test_any_text_has_an_answer(text: str) -> None:
    told = language_evidence(fold(text))
    assert told.language in {"", *languages()}
    assert bool(told.language) == bool(told.signs)


def test_a_greeting_is_enough_to_answer_in_its_language() -> None:
    texts = {
        "buenas, ¿me ayudas con una cosa?": "es",
        "¡gracias!": "es",
        "moin": "de",
        "merci beaucoup": "fr",
        "grazie mille": "it",
        "obrigada": "pt",
        "dzień dobry": "pl",
        "привет": "ru",
        "привіт": "uk",
        "apa kabar": "id",
        "qalaysiz": "uz",
        "hallo, hoe gaat het?": "nl",
        "こんにちは": "ja",
        "你好": "zh",
        "안녕": "ko",
        "नमस्ते": "hi",
        "danke, merci": "",
        "ok": "",
        "Miso": "",
    }
    assert {text: likely_language(fold(text)) for text in texts} == texts

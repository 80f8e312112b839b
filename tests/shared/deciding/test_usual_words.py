"""Names that are also common words: texts in which they address somebody, and texts in which they do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.deciding.calls import is_told_of, is_usual_word, is_vocative, speaks_of_one
from shared.deciding.names import fold, forms_of
from tests.shared.examples import PROPERTY

WORDS = {
    "lull": """
        we had a lull in orders today | a lull | the lull before the storm | this lull is dull | a brief lull
        it was a short quiet lull. | what a lull! | no lull in sight | another lull? | is the lull over?
        any lull helps | there has been an afternoon lull | quiet during the summer lull now | the usual lull
        brief lull in the fighting | to lull the baby to sleep | she sings to lull him | that song will lull me
        lull me to sleep | during lull hours | do not let it lull you into a false peace
        what does the word lull mean? | a “lull” in trade | my lull is over | a lull, then it went on | ein lull
        c'est un lull | a three day lull | not every lull is calm | some lull | there will be no more lull | define lull
        the 2pm lull | the pre-Christmas lull was real | a mid-afternoon lull | the news lull is over | lull periods
        trading lull ahead of the holidays | the summer lull in sales | lull of the sea | that day-long lull ended
        Lull in fighting reported | lull in trading before the decision | Lull in the conversation... | lull expected
        lull as talks continue | lull after weeks of violence | lull at the front, says army | the usual January lull
        fighting lull allows aid in | ceasefire lull holds | fighting resumes after lull | post-lunch lull hitting hard
        Market lull: what next? | the 2pm lull: who has seen it? | trading lull – any ideas? | mid-week lull: a walk?
    """,
    "Will": """
        will you come? | good will | I will do it | will it rain? | will do | thanks, will do | free will
        his last will | will see | will check and revert | will explain later
        hey will you come? | yes I will. | ok will be there
    """,
    "May": "in May | may I? | may I come in? | see you in may | hi may I ask? | it may rain | in May, we travel",
    "Max": "five minutes, max. | max 5 people | 10 euros, max | Max. 3 Personen | ten at max | the max is 10",
    "Rose": "a rose | prices rose today | rose petals | he rose early | rose tea, please",
    "Hope": "I hope so | hope you are well | hi, hope you're fine | there is no hope | thanks, hope to see you",
    "Mark": "mark my words | please mark it as done | a question mark | on your mark",
    "Bill": "the bill, please | bill me later | who pays the bill?",
    "Sky": """
        the night sky | blue sky | sky is clear tonight | sky high prices | sky's the limit | under the open sky
        red sky at night | is there a clear sky?
    """,
    "Nova": "uma casa nova | nova versão do app | super nova | bossa nova tonight | Nova York | boa nova | preço novo",
    "Ruby": "written in ruby | ruby 3.3 is out | ruby on rails | gem install for ruby",
    "Luna": "la luna llena | luna de miel",
    "Лев": "лев рычит | как лев | увидели льва",
    "Віра": "ми йдемо з вірою | у віру",
    "Moss": "moss grows in the shade | there is moss on the wall | the moss is wet",
    "Надія": "є надія на весну | надія помирає останньою",
    "Luz": "no hay luz en casa | luz y sombra",
    "Stern": "der Stern leuchtet | ein Stern am Himmel | Stern der Woche",
    "Мрія": "моя мрія | мрія збулася | у мріях",
}
CALLS = {
    "lull": """
        lull, what time is it? | hey lull | thanks lull | what do you think, lull? | Lull! | ask lull
        lull what time is it? | what does lull think? | I think that lull is wrong | is that true lull?
        give me the time lull | ask the lull | what's the weather lull? | tell me a story lull
        who is this lull? | what is this lull? | no lull, that is wrong | talk to lull the way you talk to me
        lull remind me to call home | lull is this the train? | can lull tell us? | lull will you come?
        привіт lull | hat der lull recht? | was meint lull dazu? | thank you, lull. | yo lull wake up
        lull please help the team | demande à lull | что думает lull? | lull in english please | ルルはlull？
        问lull吧 | write an e-mail lull | a follow-up lull please | of course lull | what's the news lull
        lull in which year did the war end? | lull in the meantime book the table | lull in the news section add this
        lull in my work chat post it | lull after the talks please summarize | lull over to you | lull over, and out
        lull as always you are right | lull at 5 remind us | lull in the discussion above, who was right?
        morning lull: what's on today? | good afternoon lull – any news? | hey lull: the market? | lull: market news?
    """,
    "Will": """
        Will, will you come? | hey will | thanks will | what does Will think? | Will said so
        what do you think, Will? | will: what now
        Will what time is it? | good morning Will | ask Will | will! | hi Will, how are you? | Will
    """,
    "Sky": """
        what does Sky think? | ask sky | sky can you help? | thanks sky! | sky tell us a joke | is sky there? | Sky?
        what do you think sky? | let sky answer | what did Sky say? | Sky said that | can you help, sky
        sky summarize it
    """,
    "Nova": "oi nova | nova me ajuda? | nova o que acha? | Nova, help | what does nova think?",
    "Echo": "echo what time is it? | hey echo | what does echo think? | echo, stop",
    "Віра": "Віра, привіт | дякую, Віро | спитай у Віри | Віро, що робити?",
    "May": "May, can you help? | hey May | can you help, May? | thank you May",
    "Max": """
        Max, hi | frag Max | frag mal den Max | Max was meinst du | thanks Max | hey max what's up | what now, max?
        max can you help? | remind me at 5, max
    """,
    "Rose": "what would Rose say? | let rose decide | Rose, are you there? | good morning Rose! | thanks rose",
    "Hope": "Hope, are you there? | hi Hope | hello Hope, what's up?",
    "Mark": "Mark, hi | hey mark what time is it | Danke Mark",
    "Bill": "Bill, tell us | hi Bill | tell Bill",
    "Moss": "moss, water the plants | hey moss | what do you think, moss?",
    "Надія": "Надія, ти тут? | привіт Надія | дякую, Надія",
    "Stern": "Stern, hilf mir | danke Stern | Stern was meinst du? | frag mal Stern",
    "Мрія": "Мрія, ти тут? | дякую, Мріє | спитай у Мрії",
    "Luz": "Luz, ¿qué hora es? | hola Luz | gracias Luz",
}


def rows(table: dict[str, str]) -> list[tuple[str, str]]:
    lines = ((name, text.strip()) for name, texts in table.items() for text in texts.replace("\n", "|").split("|"))
    return [(name, text) for name, text in lines if text]


@pytest.mark.parametrize(("name", "text"), rows(WORDS))
def test_a_name_as_a_usual_word_stands_for_nobody(name: str, text: str) -> None:
    assert not speaks_of_one(fold(text), forms_of(fold(name)))


@pytest.mark.parametrize(("name", "text"), rows(CALLS))
def test_a_usual_word_as_a_name_still_does(name: str, text: str) -> None:
    assert speaks_of_one(fold(text), forms_of(fold(name)))


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("tell ", True), ("what about ", True), ("frag ", True), ("скажи ", True), ("dile a ", True), ("and ", True),
        ("was meint ", True), ("що думає ", True), ("wish ", True), ("напиши ", True), ("告诉 ", True), ("move ", True),
        ("hey ", False), ("thanks ", False), ("what do you say ", False), ("tell, ", False), ("", False),
        ("and now ", False), ("jetzt ", False), ("а теперь ", False), ("your turn ", False), ("not now ", True),
        ("tell", False), ("so look ", False), ("nine. ok ", False), ("дивись ", False),
    ],
)  # fmt: skip
def test_some_words_take_a_mention_into_the_sentence(before: str, expected: bool) -> None:
    assert is_told_of(before, " when?") is expected


@pytest.mark.parametrize(
    ("behind", "expected"),
    [
        (" likes tea", True), (" is late", True), ("'s birthday", True), (" and I want two", True), (" too", True),
        (" said so", True), (" will come", True), (" is it open?", False), (" will you come?", False), ("", False),
        (" is my brother, what to give him?", True), (" has time tomorrow. And you?", True),
        ("は？", True), ("에게 말해", True), ("さんに伝えて", True), ("'e söyle", True), (" ile gidelim", True),
        (" को बताओ", True), ("'den", True), (" ilk", False), (" asked me", True), ("'", False),
        (" should answer first", True), (" can do it", True), (" can we go", False), (" could you look", False),
        (" is that true", False), (" paid 20", True), (" is it open, or not?", False), ("さん、見て", False),
        (" ma urodziny, co mu kupić?", True), (" hat morgen Geburtstag, was schenken wir?", True), (" quer ir.", True),
        (" tiene un gato. ¿Cómo se llama?", True), (" сказал, что придёт", True), (" має рацію", True),
        (" heeft gelijk, toch?", True), (" hat das geklappt?", False), (" tiene hora?", False), (" maluje?", False),
        (" ma sens, prawda?", True), (" quer café?", False), (" heeft u tijd", False), (" hat's dir gefallen", False),
        (" told you so", False), (" and @cem look", False), (", look", False), (" when?", False),
    ],
)  # fmt: skip
def test_some_words_behind_a_mention_tell_of_whom_it_mentions(behind: str, expected: bool) -> None:
    assert is_told_of("", behind) is expected


@pytest.mark.parametrize(
    ("before", "behind", "expected"),
    [
        ("told you ", " I was right", False), ("who knows? look ", " it opens at nine", False),
        ("move ", " to the list", True), ("move ", ", please", False), ("move ", "", False),
    ],
)  # fmt: skip
def test_a_mention_inside_a_sentence_addresses_nobody(before: str, behind: str, expected: bool) -> None:
    assert is_told_of(before, behind) is expected


@PROPERTY
@given(st.text(max_size=40).map(fold).filter(bool), st.data())
def test_every_place_of_a_text_has_an_answer(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    assert is_usual_word(text, start, end) in {True, False}
    assert is_vocative(text, start, end) in {True, False}

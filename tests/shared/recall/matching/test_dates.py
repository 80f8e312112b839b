"""Tests of dates in questions."""

import unicodedata
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.recall.matching.dates import periods_in
from shared.recall.matching.periods import Period, nearness

TODAY = date(2026, 11, 24)  # a Tuesday


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("what happened on 8 May 2023?", date(2023, 5, 8), date(2023, 5, 8)),
        ("what happened on May 8th, 2023?", date(2023, 5, 8), date(2023, 5, 8)),
        ("on 2023-05-08", date(2023, 5, 8), date(2023, 5, 8)),
        ("am 8.5.2023", date(2023, 5, 8), date(2023, 5, 8)),
        ("in August 2023", date(2023, 8, 1), date(2023, 8, 31)),
        ("2023-08", date(2023, 8, 1), date(2023, 8, 31)),
        ("what did we decide in May?", date(2026, 5, 1), date(2026, 5, 31)),
        ("what did we decide in December?", date(2025, 12, 1), date(2025, 12, 31)),
        ("was war im März", date(2026, 3, 1), date(2026, 3, 31)),
        ("что мы решили в мае", date(2026, 5, 1), date(2026, 5, 31)),
        ("що було у травні", date(2026, 5, 1), date(2026, 5, 31)),
        ("el 3 de junio de 2025", date(2025, 6, 3), date(2025, 6, 3)),
        ("in 2024", date(2024, 1, 1), date(2024, 12, 31)),
        ("yesterday", date(2026, 11, 23), date(2026, 11, 23)),
        ("was sagte sie gestern", date(2026, 11, 23), date(2026, 11, 23)),
        ("last week", date(2026, 11, 16), date(2026, 11, 22)),
        ("минулого тижня", date(2026, 11, 16), date(2026, 11, 22)),
        ("3 weeks ago", date(2026, 11, 2), date(2026, 11, 8)),
        ("2 недели назад", date(2026, 11, 9), date(2026, 11, 15)),
        ("vor 2 Monaten", date(2026, 9, 1), date(2026, 9, 30)),
        ("last year", date(2025, 1, 1), date(2025, 12, 31)),
        ("what did we decide last friday?", date(2026, 11, 20), date(2026, 11, 20)),
        ("on 5/11/2026 we met", date(2026, 11, 5), date(2026, 11, 5)),
        ("on 11/23/2026 we met", date(2026, 11, 23), date(2026, 11, 23)),
        # only one of the two readings is in the past
        ("on 5/12/2026 we met", date(2026, 5, 12), date(2026, 5, 12)),
        ("5-11-2026", date(2026, 11, 5), date(2026, 11, 5)),
        ("on 5/11/26", date(2026, 11, 5), date(2026, 11, 5)),
        ("am 5.11.", date(2026, 11, 5), date(2026, 11, 5)),
        ("am 5.11.26", date(2026, 11, 5), date(2026, 11, 5)),
        ("am 5. 11. 2026", date(2026, 11, 5), date(2026, 11, 5)),
        ("on the fifth of November", date(2026, 11, 5), date(2026, 11, 5)),
        ("on the twenty-third of May last year", date(2025, 5, 23), date(2025, 5, 23)),
        ("что было двадцать первого октября?", date(2026, 10, 21), date(2026, 10, 21)),
        ("що я казала п'ятого листопада?", date(2026, 11, 5), date(2026, 11, 5)),
        ("co mówiłem piątego listopada?", date(2026, 11, 5), date(2026, 11, 5)),
        ("was war am einunddreißigsten Oktober?", date(2026, 10, 31), date(2026, 10, 31)),
        ("el cinco de noviembre", date(2026, 11, 5), date(2026, 11, 5)),
        ("le premier mai", date(2026, 5, 1), date(2026, 5, 1)),
        ("vijf november", date(2026, 11, 5), date(2026, 11, 5)),
        # "on" is ten in Turkish, and "due" two in Italian
        ("we met on May", date(2026, 5, 1), date(2026, 5, 31)),
        ("the rent was due in march", date(2026, 3, 1), date(2026, 3, 31)),
        ("on 30/12", date(2025, 12, 30), date(2025, 12, 30)),
        ("what happened in october last year", date(2025, 10, 1), date(2025, 10, 31)),
        ("what happened last year in october", date(2025, 10, 1), date(2025, 10, 31)),
        ("5 october last year", date(2025, 10, 5), date(2025, 10, 5)),
        ("im Oktober letzten Jahres", date(2025, 10, 1), date(2025, 10, 31)),
        ("en octobre de l'année dernière", date(2025, 10, 1), date(2025, 10, 31)),
        ("en octubre del año pasado", date(2025, 10, 1), date(2025, 10, 31)),
        ("a ottobre dell’anno scorso", date(2025, 10, 1), date(2025, 10, 31)),
        ("em outubro do ano passado", date(2025, 10, 1), date(2025, 10, 31)),
        ("в октябре прошлого года", date(2025, 10, 1), date(2025, 10, 31)),
        ("у жовтні минулого року", date(2025, 10, 1), date(2025, 10, 31)),
        ("geçen yıl ekim", date(2025, 10, 1), date(2025, 10, 31)),
        ("oktober tahun lalu", date(2025, 10, 1), date(2025, 10, 31)),
        ("پارسال اکتبر", date(2025, 10, 1), date(2025, 10, 31)),
        ("in october", date(2026, 10, 1), date(2026, 10, 31)),
        ("in october this year", date(2026, 10, 1), date(2026, 10, 31)),
        ("between 3 and 10 may", date(2026, 5, 3), date(2026, 5, 10)),
        ("vom 3. bis 10. Mai", date(2026, 5, 3), date(2026, 5, 10)),
        ("between march and may 2026", date(2026, 3, 1), date(2026, 5, 31)),
        ("from 2026-11-01 to 2026-11-05", date(2026, 11, 1), date(2026, 11, 5)),
        ("zwischen dem 1.11.2026 und 5.11.2026", date(2026, 11, 1), date(2026, 11, 1)),
        ("2026年10月5日", date(2026, 10, 5), date(2026, 10, 5)),
        ("10월 5일에", date(2026, 10, 5), date(2026, 10, 5)),
        ("on May 5 we met", date(2026, 5, 5), date(2026, 5, 5)),
    ],
)
def test_finds_a_period(question: str, first: date, last: date) -> None:
    found = periods_in(question, TODAY)[0]
    assert (found.first, found.last) == (first, last)


@pytest.mark.parametrize(
    "question",
    [
        "may I ask?",
        "they march on",
        "",
        "31 February 1",
        "99.99.2023",
        "room 2050b",
        "it may 5 people come",
        "at 5 may I call?",
        "we march 3 miles",
        "5/6 done",
        "is it open 24/7?",
        "on 24/7 support",
        "version 3.11",
        "python 3.11.2",
        "they won 3-2",
        "it costs $2000",
        "2020 € a year",
        "2000 steps a day",
        "call 555-12-2020",
        "on my birthday",
        "in 2080",
        "half 5/11 of it",
    ],
)
def test_finds_nothing_without_a_day(question: str) -> None:
    assert periods_in(question, TODAY) == ()


def test_an_ambiguous_date_has_both_meanings() -> None:
    assert [one.first for one in periods_in("on 5/11/2026", TODAY)] == [date(2026, 11, 5), date(2026, 5, 11)]


def test_a_months_year_is_not_a_separate_period() -> None:
    assert len(periods_in("october last year", TODAY)) == 1


@settings(deadline=None)
@given(st.text(), st.dates(date(1970, 1, 1), date(2100, 1, 1)))
def test_accepts_any_text(text: str, today: date) -> None:
    found = periods_in(text, today)
    assert all(isinstance(one, Period) and one.first <= one.last for one in found)
    assert 0 <= nearness(found, today) <= 1


@settings(deadline=None)
@given(st.integers(0, 9999), st.sampled_from(["days", "weeks", "months", "years"]))
def test_accepts_any_number_of_units_ago(count: int, unit: str) -> None:
    assert periods_in(f"{count} {unit} ago", TODAY)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("on Friday, 6 November 2026", "2026-11-06"), ("Friday two weeks ago", "2026-11-13"),
        ("on Friday a week ago", "2026-11-20"), ("am Freitag vor zwei Wochen", "2026-11-13"),
        ("в пятницу две недели назад", "2026-11-13"), ("vor zwei Wochen am Freitag", "2026-11-13"),
        ("on Fri 13 Nov", "2026-11-13"), ("am Mittwoch, dem 4. November", "2026-11-04"),
        ("в среду 4 ноября", "2026-11-04"), ("yesterday, Wednesday", "2026-11-25"),
        ("le vendredi 13 novembre", "2026-11-13"), ("on Friday the 13th of November", "2026-11-13"),
        ("5 Nov", "2026-11-05"), ("Nov 5th", "2026-11-05"), ("Nov. 5", "2026-11-05"),
        ("on Nov 5, 2025", "2025-11-05"), ("5-Nov-2025", "2025-11-05"), ("5 нояб.", "2026-11-05"),
        ("5 ноя", "2026-11-05"), ("5 лист.", "2026-11-05"), ("5. Okt.", "2026-10-05"), ("am 5. Dez.", "2025-12-05"),
        ("5 janv.", "2026-01-05"), ("le 5 févr. 2025", "2025-02-05"), ("5 ene", "2026-01-05"),
        ("el 5 ago 2025", "2025-08-05"), ("5 mag 2025", "2025-05-05"), ("il 5 set", "2026-09-05"),
        ("5 paź", "2026-10-05"), ("5 mrt", "2026-03-05"), ("5 Ağu", "2026-08-05"), ("Aug 15th", "2026-08-15"),
        ("sept 3", "2026-09-03"), ("3rd of Sept.", "2026-09-03"), ("what did John do on Aug 15th?", "2026-08-15"),
        ("Dec 24 2025", "2025-12-24"), ("24 dec.", "2025-12-24"), ("Jan 1st", "2026-01-01"),
        ("from Nov 3 to Nov 5", "2026-11-03/2026-11-05"), ("Nov 3-5", "2026-11-03/2026-11-05"),
        ("3–5 Nov", "2026-11-03/2026-11-05"), ("Nov 2025", "2025-11-01/2025-11-30"),
        ("in Nov", "2026-11-01/2026-11-30"), ("im Nov.", "2026-11-01/2026-11-30"), ("5 agt", "2026-08-05"),
        ("5 noy", "2026-11-05"), ("2026 Nov 5", "2026-11-05"), ("November the 5th", "2026-11-05"),
        ("5th Nov", "2026-11-05"), ("on the 5th of Nov", "2026-11-05"),
        ("o que aconteceu em 5 de out?", "2026-10-05"), ("先々週の金曜日",
        "2026-11-13"), ("今週の月曜日", "2026-11-23"),
        ("이번 주 월요일", "2026-11-23"),
    ],
)  # fmt: skip
def test_reads_abbreviated_months_and_weekdays_beside_dates(question: str, day: str) -> None:
    first, _, last = day.partition("/")
    found = [one for one in periods_in(question, date(2026, 11, 26)) if one.weight == 1]
    assert [(str(one.first), str(one.last)) for one in found] == [(first, last or first)]


@pytest.mark.parametrize("question", ["where was Ann 4 years ago?", "what did Ann start one year ago?"])
def test_a_year_phrase_is_not_another_languages_month(question: str) -> None:
    (found,) = periods_in(question, date(2026, 11, 26))
    assert (found.first.month, found.last.month, found.weight) == (1, 12, 0.5)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("between Monday and Wednesday", "2026-11-23/2026-11-25"), ("from Monday to Friday", "2026-11-16/2026-11-20"),
        ("dal lunedì al mercoledì", "2026-11-23/2026-11-25"), ("del lunes al miércoles", "2026-11-23/2026-11-25"),
        ("on the 3rd of last month", "2026-10-03"), ("on the 31st of last month", "2026-10-31"),
        ("am 3. letzten Monats", "2026-10-03"), ("el 3 del mes pasado", "2026-10-01/2026-10-31"),
        ("3-го числа прошлого месяца", "2026-10-03"), ("上个月5号", "2026-10-05"), ("先月の5日", "2026-10-05"),
        ("지난달 5일", "2026-10-05"), ("half a year ago", "2026-05-01/2026-05-31"),
        ("vor einem halben Jahr", "2026-05-01/2026-05-31"), ("полгода назад", "2026-05-01/2026-05-31"),
        ("半年前", "2026-05-01/2026-05-31"), ("a week ago today", "2026-11-19"),
        ("heute vor einer Woche", "2026-11-19"), ("martedì della settimana scorsa", "2026-11-17"),
        ("na terça da semana passada", "2026-11-17"), ("2026/11/12", "2026-11-12"),
        ("12 November '25", "2025-11-12"), ("Nov ’25", "2025-11-01/2025-11-30"), ("5 नवंबर 2025", "2025-11-05"),
    ],
)  # fmt: skip
def test_neighbouring_words_determine_the_day(question: str, day: str) -> None:
    first, _, last = day.partition("/")
    found = [one for one in periods_in(question, date(2026, 11, 26)) if one.weight == 1]
    assert [(str(one.first), str(one.last)) for one in found] == [(first, last or first)]


@pytest.mark.parametrize("question", ["half an hour ago", "1/2/3", "we need 3 this month", "2026/13/40"])
def test_ignores_words_that_are_no_days(question: str) -> None:
    assert [one for one in periods_in(question, date(2026, 11, 26)) if one.first == one.last] == []


@pytest.mark.parametrize(
    "question",
    [
        "What did we do from Monday to Wednesday?", "from Monday until Wednesday", "from Monday through Wednesday",
        "from Mon to Wed", "Monday to Wednesday", "Monday-Wednesday", "what happened between Monday and Wednesday?",
        "Was war von Montag bis Mittwoch?", "Montag bis Mittwoch", "vom Montag bis zum Mittwoch",
        "zwischen Montag und Mittwoch", "du lundi au mercredi", "de lundi à mercredi", "du lundi jusqu’au mercredi",
        "entre lundi et mercredi", "dal lunedì al mercoledì", "da lunedì a mercoledì", "tra lunedì e mercoledì",
        "del lunes al miércoles", "de lunes a miércoles", "desde el lunes hasta el miércoles",
        "entre el lunes y el miércoles", "de segunda a quarta", "da segunda-feira à quarta-feira",
        "entre segunda e quarta", "van maandag tot woensdag", "van maandag tot en met woensdag",
        "van maandag t/m woensdag", "tussen maandag en woensdag", "od poniedziałku do środy",
        "między poniedziałkiem a środą",
        "с понедельника по среду", "с понедельника до среды", "между понедельником и средой", "з понеділка по середу",
        "від понеділка до середи", "між понеділком і середою", "pazartesiden çarşambaya kadar",
        "dari Senin sampai Rabu", "antara Senin dan Rabu", "dushanbadan chorshanbagacha", "月曜日から水曜日まで",
        "从星期一到星期三", "周一至周三", "월요일부터 수요일까지", "من الاثنين إلى الأربعاء", "از دوشنبه تا چهارشنبه",
        "सोमवार से बुधवार तक",
    ],
)  # fmt: skip
def test_a_range_of_weekdays_is_one_period(question: str) -> None:
    (found,) = periods_in(question, date(2026, 11, 26))
    assert (found.first, found.last) == (date(2026, 11, 23), date(2026, 11, 25))


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("on Monday and on Wednesday", ["2026-11-23", "2026-11-25"]),
        ("Monday and Wednesday", ["2026-11-23", "2026-11-25"]),
        ("am Montag und am Mittwoch", ["2026-11-23", "2026-11-25"]),
        ("w poniedziałek i w środę", ["2026-11-23", "2026-11-25"]), ("until Wednesday", []), ("bis Mittwoch", []),
        ("every Monday to Wednesday", ["2026-11-25"]), ("from Monday to Wednesday next week", ["2026-11-23"]),
    ],
)  # fmt: skip
def test_separate_weekdays_are_separate_days(question: str, days: list[str]) -> None:
    assert sorted(str(one.first) for one in periods_in(question, date(2026, 11, 26))) == days


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("que dijimos el miercoles pasado", "2026-11-25"), ("hace tres dias", "2026-11-23"),
        ("en octubre del ano pasado", "2025-10-01"), ("la semaine derniere", "2026-11-16"),
        ("le mois passe", "2026-10-01"), ("ha tres dias", "2026-11-23"), ("mes passado", "2026-10-01"),
        ("w zeszlym tygodniu", "2026-11-16"),
        ("w zeszla srode", "2026-11-25"), ("gecen hafta", "2026-11-16"), ("uc gun once", "2026-11-23"),
        ("vor funf tagen", "2026-11-21"), ("上週", "2026-11-16"), ("上個星期說了什麼", "2026-11-16"),
        ("兩週前", "2026-11-09"), ("三個月前", "2026-08-01"), ("上個禮拜五", "2026-11-20"), ("5號", "2026-11-05"),
        (unicodedata.normalize("NFD", "el año pasado en octubre"), "2025-10-01"),
        (unicodedata.normalize("NFD", "지난주 금요일"), "2026-11-20"),
        (unicodedata.normalize("NFD", "на прошлой неделе"), "2026-11-16"),
    ],
)  # fmt: skip
def test_reads_words_as_people_type_them(question: str, first: str) -> None:
    """Without accents, in traditional Chinese, or with decomposed letters."""
    found = periods_in(question, date(2026, 11, 26))
    assert str(found[0].first) == first


@pytest.mark.parametrize("question", ["het is te dun", "co było w sali?", "co było w sali 5?", "do piątku", "来週末"])
def test_takes_no_word_of_another_language_for_one_without_accents(question: str) -> None:
    assert periods_in(question, date(2026, 11, 26)) == ()


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("vorletztes Wochenende", "2026-11-14"), ("vorletzten Monat", "2026-09-01"),
        ("the month before last", "2026-09-01"), ("October the year before last", "2024-10-01"),
        ("el mes antepasado", "2026-09-01"), ("la semana antepasada", "2026-11-09"),
        ("l’avant-dernière semaine", "2026-11-09"), ("l’avant-dernier week-end", "2026-11-14"),
        ("la penultima settimana", "2026-11-09"), ("na semana retrasada", "2026-11-09"),
        ("o mês retrasado", "2026-09-01"), ("voorlaatste maand", "2026-09-01"),
        ("w zaprzeszłym tygodniu", "2026-11-09"), ("w przedostatnim miesiącu", "2026-09-01"),
        ("в позапрошлом месяце", "2026-09-01"), ("в октябре позапрошлого года", "2024-10-01"),
        ("в позапрошлые выходные", "2026-11-14"), ("позаминулого місяця", "2026-09-01"),
        ("evvelki ay", "2026-09-01"), ("الشهر قبل الماضي", "2026-09-01"), ("पिछले से पिछले हफ्ते", "2026-11-09"),
        ("上上周", "2026-11-09"), ("上上个月", "2026-09-01"), ("先々週末", "2026-11-14"), ("지지난 주말", "2026-11-14"),
    ],
)  # fmt: skip
def test_reads_the_one_before_last(question: str, first: str) -> None:
    found = periods_in(question, date(2026, 11, 26))
    assert str(found[0].first) == first


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("за последнюю неделю", "2026-11-19/2026-11-26"), ("за останній тиждень", "2026-11-19/2026-11-26"),
        ("w ostatnim tygodniu", "2026-11-19/2026-11-26"), ("en la última semana", "2026-11-19/2026-11-26"),
        ("la dernière semaine", "2026-11-19/2026-11-26"), ("nell'ultimo mese", "2026-10-27/2026-11-26"),
        ("na última semana", "2026-11-19/2026-11-26"), ("de laatste week", "2026-11-19/2026-11-26"),
        ("son hafta", "2026-11-19/2026-11-26"), ("the previous week", "2026-11-16/2026-11-22"),
        ("zeszłego piątku", "2026-11-20"), ("avant hier", "2026-11-24"), ("l altro ieri", "2026-11-24"),
        ("그제", "2026-11-24"), ("최근 3일", "2026-11-23/2026-11-26"), ("dia 5", "2026-11-05"),
        ("dia 5 de outubro", "2026-10-05"),
        ("last year's October", "2025-10-01/2025-10-31"), ("October 2 years ago", "2024-10-01/2024-10-31"),
        ("ekim 2 yıl önce", "2024-10-01/2024-10-31"), ("November fifth", "2026-11-05"),
        ("on november twenty first 2025", "2025-11-21"), ("on may the fifth", "2026-05-05"),
        ("11/2025", "2025-11-01/2025-11-30"), ("im 05.2025", "2025-05-01/2025-05-31"),
        ("2026. 10. 5.", "2026-10-05"), ("2026-11-05T10:00:00Z", "2026-11-05"),
        ("Donnerstag, 5.11.", "2026-11-05"), ("jeudi 5/11", "2026-11-05"), ("Thursday 11/5", "2026-11-05"),
        ("the score on Friday was 3/5", "2026-11-20"), ("the score was Friday 3/5", "2026-11-20"),
    ],
)  # fmt: skip
def test_reads_more_forms_of_a_day(question: str, day: str) -> None:
    first, _, last = day.partition("/")
    found = [one for one in periods_in(question, date(2026, 11, 26)) if one.weight == 1]
    assert [(str(one.first), str(one.last)) for one in found] == [(first, last or first)]


@pytest.mark.parametrize("question", ["la dernière fois", "последний раз", "son kez", "the last day", "el último día"])
def test_the_last_of_something_else_is_no_day(question: str) -> None:
    assert periods_in(question, date(2026, 11, 26)) == ()

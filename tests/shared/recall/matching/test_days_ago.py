"""Tests of relative days in each language."""

from datetime import date

import pytest

from shared.base.wording.words import languages
from shared.recall.matching.days_ago import days_in, plain_text

TODAY = date(2026, 11, 26)  # a Thursday
FRIDAY, WEEKEND, TWO_WEEKS = ("2026-11-20",) * 2, ("2026-11-21", "2026-11-22"), ("2026-11-09", "2026-11-15")
YESTERDAY, LAST_WEEK = ("2026-11-25",) * 2, ("2026-11-16", "2026-11-22")
LAST_MONTH, LAST_YEAR = ("2026-10-01", "2026-10-31"), ("2025-01-01", "2025-12-31")

#: by language: yesterday, last Friday, last weekend, a week ago, two weeks ago, last week, last month, last year
SAID = {
    "en": "yesterday|last friday|last weekend|a week ago|two weeks ago|last week|last month|last year",
    "de": "gestern|letzten freitag|am letzten wochenende|vor einer woche|vor zwei wochen|letzte woche|letzten monat|"
    "letztes jahr",
    "fr": "hier|vendredi dernier|le week-end dernier|il y a une semaine|il y a deux semaines|la semaine dernière|"
    "le mois dernier|l'année dernière",
    "es": "ayer|el viernes pasado|el fin de semana pasado|hace una semana|hace dos semanas|la semana pasada|"
    "el mes pasado|el año pasado",
    "it": "ieri|venerdì scorso|lo scorso fine settimana|una settimana fa|due settimane fa|la settimana scorsa|"
    "il mese scorso|l'anno scorso",
    "pt": "ontem|sexta passada|no fim de semana passado|há uma semana|há duas semanas|na semana passada|"
    "no mês passado|no ano passado",
    "ru": "вчера|в прошлую пятницу|на прошлых выходных|неделю назад|две недели назад|на прошлой неделе|"
    "в прошлом месяце|в прошлом году",
    "uk": "вчора|минулої п’ятниці|на минулих вихідних|тиждень тому|два тижні тому|минулого тижня|минулого місяця|торік",
    "tr": "dün|geçen cuma|geçen hafta sonu|bir hafta önce|iki hafta önce|geçen hafta|geçen ay|geçen yıl",
    "id": "kemarin|jumat lalu|akhir pekan lalu|seminggu yang lalu|dua minggu lalu|minggu lalu|bulan lalu|tahun lalu",
    "uz": "kecha|oʻtgan juma|oʻtgan dam olish kunlari|bir hafta oldin|ikki hafta oldin|oʻtgan hafta|"
    "oʻtgan oy|oʻtgan yil",
    "hi": "कल|पिछले शुक्रवार|पिछले वीकेंड|एक हफ्ते पहले|दो हफ्ते पहले|पिछले हफ्ते|पिछले महीने|पिछले साल",
    "ar": "أمس|الجمعة الماضية||قبل أسبوع|قبل أسبوعين|الأسبوع الماضي|الشهر الماضي|السنة الماضية",
    "fa": "دیروز|جمعه گذشته||یک هفته پیش|دو هفته پیش|هفته گذشته|ماه گذشته|سال گذشته",
    "pl": "wczoraj|w zeszły piątek|w zeszły weekend|tydzień temu|dwa tygodnie temu|w zeszłym tygodniu|"
    "w zeszłym miesiącu|w zeszłym roku",
    "nl": "gisteren|vorige vrijdag|vorig weekend|een week geleden|twee weken geleden|vorige week|"
    "vorige maand|vorig jaar",
    "ja": "昨日|先週の金曜日|先週末|1週間前|2週間前|先週|先月|去年",
    "zh": "昨天|上周五|上周末|一周前|两周前|上周|上个月|去年",
    "ko": "어제|지난 금요일|지난 주말|1주 전|2주 전|지난주|지난달|작년",
}
MEANT = (YESTERDAY, FRIDAY, WEEKEND, LAST_WEEK, TWO_WEEKS, LAST_WEEK, LAST_MONTH, LAST_YEAR)
ROWS = [
    (language, said, meant)
    for language, row in SAID.items()
    for said, meant in zip(row.split("|"), MEANT, strict=True)
    if said
]


def found_in(text: str, today: date = TODAY) -> list[tuple[str, str]]:
    return [(one.first.isoformat(), one.last.isoformat()) for one in days_in(plain_text(text), today)]


@pytest.mark.parametrize(("language", "said", "meant"), ROWS, ids=[f"{one}-{said}" for one, said, _ in ROWS])
def test_finds_exactly_the_named_days_in_each_language(language: str, said: str, meant: tuple[str, str]) -> None:
    assert found_in(said) == [meant]


def test_every_catalogue_has_its_phrases() -> None:
    assert set(languages()) <= set(SAID)


@pytest.mark.parametrize(
    ("text", "today", "day"),
    [
        ("last friday", "2026-11-28", "2026-11-27"),
        ("last friday", "2026-11-27", "2026-11-20"),
        ("friday last week", "2026-11-28", "2026-11-20"),
        ("上周五", "2026-11-28", "2026-11-20"),
        ("what did we do on the 5th?", "2026-11-26", "2026-11-05"),
        ("what did we do on the 28th?", "2026-11-26", "2026-10-28"),
        ("on the 31st we met", "2026-11-26", "2026-10-31"),
        ("was war am 5.?", "2026-11-26", "2026-11-05"),
        ("qué dijo el día 5 Ana", "2026-11-26", "2026-11-05"),
        ("o que houve no dia 5", "2026-11-26", "2026-11-05"),
        ("что было 5-го числа", "2026-11-26", "2026-11-05"),
        ("що було 5 числа", "2026-11-26", "2026-11-05"),
        ("apa yang terjadi tanggal 5", "2026-11-26", "2026-11-05"),
        ("a couple of days ago", "2026-11-26", "2026-11-24"),
        ("10 days ago", "2026-11-26", "2026-11-16"),
    ],
)
def test_a_named_day_is_the_last_one(text: str, today: str, day: str) -> None:
    assert found_in(text, date.fromisoformat(today)) == [(day, day)]


def test_weekends_follow_the_language() -> None:
    assert found_in("نهاية الأسبوع الماضي") == [("2026-11-20", "2026-11-21")]


@pytest.mark.parametrize(
    "text",
    [
        "was ist hier passiert", "wat is hier gebeurd", "on the 5th floor", "am 5. Platz", "il 5 per cento", "le 5 à 7",
        "the week after", "कला और संगीत", "a weak agony", "the last fridge", "on my birthday",
    ],
)  # fmt: skip
def test_ignores_lookalikes(text: str) -> None:
    assert found_in(text) == []


@pytest.mark.parametrize(
    "question",
    [
        "what did we decide on Friday?", "what did Bob say Friday?", "what did I tell you on Fri?",
        "was war am Freitag?", "was hast du Freitag gesagt?", "что мы решили в пятницу?",
        "що ми вирішили у п'ятницю?", "що було в п’ятницю?", "¿qué dijimos el viernes?", "qué pasó viernes",
        "qu'est-ce qu'on a dit vendredi ?", "che abbiamo deciso venerdì?", "cosa ho detto di venerdi?",
        "o que decidimos na sexta?", "o que decidimos na sexta-feira?", "wat zeiden we op vrijdag?",
        "wat was er vrijdag", "co było w piątek?", "co mówiłem w piatek", "cuma günü ne konuştuk?", "cuma ne dedim",
        "apa yang kita bahas hari Jumat?", "apa kataku jum'at", "juma kuni nima dedim", "शुक्रवार को क्या कहा था?",
        "ماذا قلنا يوم الجمعة؟", "ماذا قلت الجمعة؟", "جمعه چی گفتم؟",
        "金曜日に何を決めた?", "金曜に言ったこと", "周五我们说了什么?",
        "星期五我说了什么", "禮拜五說了什麼", "금요일에 뭐라고 했지?", "what about Friday night?",
        "remind me what I said on friday evening", "Friday's plan, what was it?",
    ],
)  # fmt: skip
def test_a_bare_weekday_is_the_last_one(question: str) -> None:
    assert found_in(question) == [FRIDAY]


@pytest.mark.parametrize(
    "question",
    [
        "what is on next Friday?", "every Friday we meet", "what do we do on Fridays?", "jeden Freitag",
        "nächsten Freitag", "каждую пятницу", "по пятницам", "в следующую пятницу", "щоп'ятниці",
        "наступної п'ятниці", "los viernes", "el próximo viernes", "el viernes que viene", "vendredi prochain",
        "tous les vendredis", "ogni venerdì", "venerdì prossimo", "na próxima sexta", "sexta que vem",
        "toda sexta-feira", "na segunda vez", "sexta sinfonia", "volgende vrijdag", "elke vrijdag",
        "w następny piątek", "w każdy piątek", "her cuma", "gelecek cuma", "pazardan domates aldım",
        "senin adın ne", "setiap jumat", "jumat depan", "har juma", "keyingi juma", "हर शुक्रवार", "अगले शुक्रवार",
        "كل جمعة", "الجمعة القادمة", "هر جمعه", "جمعه آینده", "来週の金曜日",
        "毎週金曜日", "次の金曜日", "下周五", "每周五", "两周一次",
        "매주 금요일", "다음 주 금요일", "the sun shone", "he sat down", "they wed", "a mon ami", "среда обитания",
        "окружающую среду", "четверо друзей", "четверте місце", "by Friday", "until Friday", "Good Friday",
        "Black Friday",
    ],
)  # fmt: skip
def test_ignores_coming_and_recurring_weekdays(question: str) -> None:
    assert [day for day in found_in(question) if day[0] == day[1]] == []


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("am Montagabend", "2026-11-23"), ("maandagavond", "2026-11-23"), ("last Friday night", "2026-11-20"),
        ("vorletzten Freitag", "2026-11-13"), ("the Monday before last",
        "2026-11-16"), ("on Thursday", "2026-11-19"),
        ("в позапрошлую пятницу", "2026-11-13"), ("上上周一", "2026-11-09"), ("这周一", "2026-11-23"),
        ("지지난 주 금요일", "2026-11-13"), ("hari minggu kemarin", "2026-11-22"), ("senin pagi", "2026-11-23"),
        ("Friday the 13th", "2026-11-13"), ("el viernes 13", "2026-11-13"),
        ("on Friday 5 people came", "2026-11-20"),
    ],
)  # fmt: skip
def test_reads_qualified_weekdays(text: str, day: str) -> None:
    assert found_in(text) == [(day, day)]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("the day before yesterday", "2026-11-24", ""), ("avant-hier", "2026-11-24", ""),
        ("l'altro ieri", "2026-11-24", ""), ("أول أمس", "2026-11-24", ""), ("一昨日", "2026-11-24", ""),
        ("kemarin lusa", "2026-11-24", ""), ("परसों", "2026-11-24", ""), ("antes de ontem", "2026-11-24", ""),
        ("last night", "2026-11-25", ""), ("anoche", "2026-11-25", ""), ("昨晚", "2026-11-25", ""),
        ("昨夜", "2026-11-25", ""), ("어젯밤", "2026-11-25", ""), ("دیشب", "2026-11-25", ""),
        ("this morning", "2026-11-26", ""), ("stamattina", "2026-11-26", ""), ("今朝", "2026-11-26", ""),
        ("two Fridays ago", "2026-11-13", ""), ("a fortnight ago", "2026-11-09", "2026-11-15"),
        ("the weekend before last", "2026-11-14", "2026-11-15"),
        ("on the weekend", "2026-11-21", "2026-11-22"), ("am Wochenende", "2026-11-21", "2026-11-22"),
        ("le week-end", "2026-11-21", "2026-11-22"), ("en el finde", "2026-11-21", "2026-11-22"),
        ("no fim de semana", "2026-11-21", "2026-11-22"), ("на выходных", "2026-11-21", "2026-11-22"),
        ("на вихідних", "2026-11-21", "2026-11-22"), ("hafta sonu", "2026-11-21", "2026-11-22"),
        ("周末", "2026-11-21", "2026-11-22"), ("週末", "2026-11-21", "2026-11-22"),
        ("주말에", "2026-11-21", "2026-11-22"),
        ("in the last 3 days", "2026-11-23", "2026-11-26"), ("over the past two weeks", "2026-11-12", "2026-11-26"),
        ("the last few days", "2026-11-23", "2026-11-26"), ("in den letzten Tagen", "2026-11-23", "2026-11-26"),
        ("ces trois derniers jours", "2026-11-23", "2026-11-26"), ("los últimos días", "2026-11-23", "2026-11-26"),
        ("за последние три дня", "2026-11-23", "2026-11-26"), ("w ostatnich dniach", "2026-11-23", "2026-11-26"),
        ("3 hari terakhir", "2026-11-23", "2026-11-26"), ("最近三天", "2026-11-23", "2026-11-26"),
        ("この3日間", "2026-11-23", "2026-11-26"),
    ],
)  # fmt: skip
def test_reads_other_past_days(text: str, first: str, last: str) -> None:
    assert found_in(text) == [(first, last or first)]


def test_a_started_weekend_is_the_newest() -> None:
    assert found_in("on the weekend", date(2026, 11, 22)) == [WEEKEND]
    assert found_in("on the weekend", date(2026, 11, 23)) == [WEEKEND]


@pytest.mark.parametrize(
    "text", ["下周末", "来週末", "next weekend", "gelecek hafta sonu", "다음 주말에", "the last three"]
)
def test_ignores_a_coming_weekend(text: str) -> None:
    assert found_in(text) == []


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("twenty-three days ago", "2026-11-03"), ("thirteen days ago", "2026-11-13"),
        ("vor dreiundzwanzig Tagen", "2026-11-03"), ("drieëntwintig dagen geleden", "2026-11-03"),
        ("il y a quinze jours", "2026-11-11"), ("hace treinta y un días", "2026-10-26"),
        ("ventitré giorni fa", "2026-11-03"), ("vinte e três dias atrás", "2026-11-03"),
        ("двадцать три дня назад", "2026-11-03"), ("двадцать дней назад", "2026-11-06"),
        ("двадцять два дні тому", "2026-11-04"), ("dwadzieścia trzy dni temu", "2026-11-03"),
        ("on üç gün önce", "2026-11-13"), ("yigirma uch kun oldin", "2026-11-03"),
        ("dua puluh tiga hari lalu", "2026-11-03"), ("tiga belas hari lalu", "2026-11-13"),
        ("بیست و سه روز پیش", "2026-11-03"), ("قبل ثلاثة وعشرين يوما", "2026-11-03"), ("तेईस दिन पहले", "2026-11-03"),
        ("十三天前", "2026-11-13"), ("二十三天前", "2026-11-03"), ("三日前", "2026-11-23"), ("열흘 전", "2026-11-16"),
    ],
)  # fmt: skip
def test_reads_a_number_of_several_words_as_a_whole(text: str, day: str) -> None:
    assert found_in(text) == [(day, day)]


@pytest.mark.parametrize("text", ["1.5 years ago", "1,000 days ago", "1 000 days ago", "11月三日前", "百三天前"])
def test_takes_no_end_of_a_number_for_the_number(text: str) -> None:
    assert found_in(text) == []


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("一昨年", ("2024-01-01", "2024-12-31")), ("재작년", ("2024-01-01", "2024-12-31")),
        ("前年", ("2024-01-01", "2024-12-31")), ("先々月", ("2026-09-01", "2026-09-30")), ("지지난주", TWO_WEEKS),
        ("大前天", ("2026-11-23", "2026-11-23")), ("minggu kemarin", LAST_WEEK), ("bulan kemarin", LAST_MONTH),
        ("tahun kemarin", LAST_YEAR), ("в минулому місяці", LAST_MONTH),
        ("sexta da semana passada", FRIDAY), ("nesta terça", ("2026-11-24",) * 2),
    ],
)  # fmt: skip
def test_does_not_take_a_longer_phrase_for_the_shorter_one_in_it(text: str, days: tuple[str, str]) -> None:
    assert found_in(text) == [days]

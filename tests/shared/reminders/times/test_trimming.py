"""Tests of removing the time from a reminder's text."""

from datetime import UTC, datetime
from typing import Any

import pytest

from shared.reminders.tasks.schedule import Schedule

#: a Monday
NOW = datetime(2026, 11, 23, 11, tzinfo=UTC)


def said_then(text: str, **when: Any) -> str:
    """Return the text of a reminder that a model plans with this text."""
    found = Schedule(id="t1", text=text or None, instruction=None if text else "Look.", **when).at_instants(NOW, "UTC")
    assert not isinstance(found, str), found
    assert found.resolved is not None
    return found.resolved.text


@pytest.mark.parametrize(
    ("text", "at", "left"),
    [
        ("Tomorrow at 9: call mum", "2026-11-24T09:00", "Call mum"),
        ("call mum tomorrow at 9", "2026-11-24T09:00", "call mum"),
        ("Call mum tomorrow at 9:00!", "2026-11-24T09:00", "Call mum!"),
        ("Call mum, tomorrow at 9am.", "2026-11-24T09:00", "Call mum."),
        ("Call mum tomorrow at 9 o’clock", "2026-11-24T09:00", "Call mum"),
        ("Friday at 17:00 – hand in the report", "2026-11-27T17:00", "Hand in the report"),
        ("Hand in the report on Friday at 5pm", "2026-11-27T17:00", "Hand in the report"),
        ("Hand in the report on Friday, 27 November at 17:00", "2026-11-27T17:00", "Hand in the report"),
        ("Take the bread out in 20 minutes", "in 20 minutes", "Take the bread out"),
        ("In 20 minutes: the bread", "in 20 minutes", "The bread"),
        ("Call mum at 18:00", "18:00", "Call mum"),
        # another time belongs to the text, or the sentence needs it
        ("Call mum tomorrow at 9", "2026-11-23T20:00", "Call mum tomorrow at 9"),
        ("The deadline is tomorrow at 9", "2026-11-24T09:00", "The deadline is tomorrow at 9"),
        ("The shop is open until 18:00", "18:00", "The shop is open until 18:00"),
        ("Tomorrow at 9", "2026-11-24T09:00", "Tomorrow at 9"),
        ("Friday is the deadline", "2026-11-27T09:00", "Friday is the deadline"),
        ("Water the plants", "2026-11-24T09:00", "Water the plants"),
        ("Read 1984", "2026-11-24T09:00", "Read 1984"),
        ("Позвонить маме", "2026-11-24T09:00", "Позвонить маме"),
        ("", "2026-11-24T09:00", ""),
    ],
)
def test_a_text_does_not_repeat_when(text: str, at: str, left: str) -> None:
    assert said_then(text, at=at) == left


@pytest.mark.parametrize(
    ("text", "every", "left"),
    [
        ("Water the plants every day at 8", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0", "Water the plants"),
        ("Take pills every day at 8 and 20", "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0", "Take pills"),
        ("Every weekday at 07:00: water the roses", "weekday at 07:00", "Water the roses"),
        ("Stand up every 2 hours", "2 hours", "Stand up"),
        ("Take a pill every other day", "every day at 8", "Take a pill every other day"),
    ],
)
def test_a_text_does_not_repeat_how_it_repeats(text: str, every: str, left: str) -> None:
    assert said_then(text, every=every) == left


@pytest.mark.parametrize(
    ("text", "at", "left"),
    [
        ("Blumen gießen morgen um 9 Uhr", "2026-11-24T09:00", "Blumen gießen"),
        ("Morgen früh um 9: Blumen gießen", "2026-11-24T09:00", "Blumen gießen"),
        ("Vertrag kündigen am Freitag, dem 27. November um 17 Uhr", "2026-11-27T17:00", "Vertrag kündigen"),
        ("Nudeln abgießen in 10 Minuten", "in 10 minutes", "Nudeln abgießen"),
        ("Regar las plantas mañana a las 9", "2026-11-24T09:00", "Regar las plantas"),
        ("Mañana a las 9 regar las plantas", "2026-11-24T09:00", "Regar las plantas"),
        ("Tomar la pastilla a las 8 de la noche", "20:00", "Tomar la pastilla"),
        ("Arroser les plantes demain à 9 heures", "2026-11-24T09:00", "Arroser les plantes"),
        ("Demain à 9 h : arroser les plantes", "2026-11-24T09:00", "Arroser les plantes"),
        ("Fermer le four dans une demi-heure", "in 30 minutes", "Fermer le four"),
        ("Annaffiare le piante domani alle 9", "2026-11-24T09:00", "Annaffiare le piante"),
        ("Fra un'ora spegnere il forno", "in 1 hour", "Spegnere il forno"),
        ("Regar as plantas amanhã às 9h", "2026-11-24T09:00", "Regar as plantas"),
        ("Entregar o trabalho na sexta-feira às 17h", "2026-11-27T17:00", "Entregar o trabalho"),
        ("Полить цветы завтра в 9", "2026-11-24T09:00", "Полить цветы"),
        ("Завтра в 9 утра полить цветы", "2026-11-24T09:00", "Полить цветы"),
        ("Полить цветы в 18:00", "18:00", "Полить цветы"),
        ("Через полчаса выключить духовку", "in 30 minutes", "Выключить духовку"),
        ("Полити квіти завтра о 9-й", "2026-11-24T09:00", "Полити квіти"),
        ("У пʼятницю о 17:00 здати роботу", "2026-11-27T17:00", "Здати роботу"),
        ("Вимкнути духовку за годину", "in 1 hour", "Вимкнути духовку"),
        ("Podlać kwiaty jutro rano o 9", "2026-11-24T09:00", "Podlać kwiaty"),
        ("Wyłączyć piekarnik za 20 minut", "in 20 minutes", "Wyłączyć piekarnik"),
        ("Planten water geven morgen om 9 uur", "2026-11-24T09:00", "Planten water geven"),
        ("Oven uitzetten over 20 minuten", "in 20 minutes", "Oven uitzetten"),
        ("Yarın saat 9'da çiçekleri sula", "2026-11-24T09:00", "Çiçekleri sula"),
        ("20 dakika sonra ilaç al", "in 20 minutes", "İlaç al"),
        ("🌱 Завтра в 9: полить цветы", "2026-11-24T09:00", "🌱 Полить цветы"),
        ("Полить цветы завтра в 9! 🌱", "2026-11-24T09:00", "Полить цветы! 🌱"),
        ("Water the plants (tomorrow at 9).", "2026-11-24T09:00", "Water the plants."),
        ("(water the plants tomorrow at 9)", "2026-11-24T09:00", "(water the plants)"),
        ("Water the plants (the tall ones) tomorrow at 9", "2026-11-24T09:00", "Water the plants (the tall ones)"),
        ("Water the plants\ntomorrow at 9", "2026-11-24T09:00", "Water the plants"),
    ],
)
def test_a_text_in_another_language_or_form_does_not_repeat_when(text: str, at: str, left: str) -> None:
    assert said_then(text, at=at) == left


@pytest.mark.parametrize(
    ("text", "at"),
    [
        # the sentence needs it, or says more than this time
        ("Geöffnet bis 18 Uhr", "18:00"),
        ("Morgen um 9 Uhr beginnt der Kurs", "2026-11-24T09:00"),
        ("La reunión es mañana a las 9", "2026-11-24T09:00"),
        ("Domingo de Ramos en la plaza", "2026-11-29T09:00"),
        ("Ouvert jusqu’à 18h", "18:00"),
        ("Магазин работает до 18:00", "18:00"),
        ("Завтра в 9 или в 10 полить цветы", "2026-11-24T09:00"),
        ("Полить цветы завтра в 9 или в 10", "2026-11-24T09:00"),
        ("Через 20 минут после обеда выпить таблетку", "in 20 minutes"),
        ("Otwarte do 18:00", "18:00"),
        ("Water the plants next Friday at 9", "2026-11-27T09:00"),
        ("Ask Ann: “the garden tomorrow at 9”", "2026-11-24T09:00"),
        # before a time by itself there may be a word of a language that is not read
        ("Vattna blommorna klockan 18:00", "18:00"),
        ("Zalít květiny v 18:00", "18:00"),
        # another time, or a range
        ("Tomorrow at 9 - 10: water the plants", "2026-11-24T09:00"),
        ("Water the plants at 8 - 9:00", "2026-11-24T09:00"),
        ("Полить цветы завтра в 10", "2026-11-24T09:00"),
        ("Llamar a las 9 y media", "09:30"),
    ],
)
def test_a_text_that_would_mean_something_else_stays_whole(text: str, at: str) -> None:
    assert said_then(text, at=at) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Поливать цветы каждый день в 8", "Поливать цветы"),
        ("Поливати квіти щодня о 8", "Поливати квіти"),
        ("Jeden Tag um 8 Uhr: Blumen gießen", "Blumen gießen"),
        ("Regar las plantas todos los días a las 8", "Regar las plantas"),
        ("Arroser les plantes tous les jours à 8h", "Arroser les plantes"),
        ("Podlewać kwiaty codziennie o 8", "Podlewać kwiaty"),
        ("Her gün 8'de çiçekleri sula", "Çiçekleri sula"),
        ("Water the plants every day at 9", "Water the plants every day at 9"),
    ],
)
def test_nor_how_it_repeats_in_another_language(text: str, left: str) -> None:
    assert said_then(text, every="FREQ=DAILY;BYHOUR=8;BYMINUTE=0", until="2026-12-31") == left


@pytest.mark.parametrize(
    "text",
    ["Water the roses -", "Breathe in — ...", "Garden today:\n-", "Seen:\n–\n–\n–", "Полить цветы –", "-", "🌱 -"],
)
def test_a_line_that_waits_to_be_filled_in_stays(text: str) -> None:
    assert said_then(text, at="2026-11-24T09:00") == text


#: for each text, a reminder once by a day alone, and again and again at that time
TIMES: tuple[dict[str, str], ...] = (
    {"at": "2026-11-24T09:00"},
    {"at": "2026-11-27T09:00"},
    {"every": "FREQ=DAILY;BYHOUR=9;BYMINUTE=0"},
    {"every": "FREQ=WEEKLY;BYDAY=FR;BYHOUR=9;BYMINUTE=0"},
    {"every": "FREQ=DAILY;BYHOUR=20;BYMINUTE=0"},
)


@pytest.mark.parametrize(
    "text",
    [
        # greetings
        *("Good morning!", "Good morning, everybody!", "Morning, all! Off to the garden", "Have a lovely day"),
        *("Hello, Friday!", "Black Friday", "Guten Morgen!", "Guten Abend!", "Schönen Freitag!", "Morgen, zusammen!"),
        *("Goede morgen!", "Fijne dag", "¡Buenos días!", "Buenas tardes", "Feliz viernes", "Bom dia!", "Boa noite"),
        *("Buon giorno!", "Buona sera", "Bonne journée", "Joyeux vendredi", "Доброе утро!", "Доброго дня!"),
        *("Хорошего вечера", "Привет, пятница!", "Доброго ранку!", "Добрий вечір", "Dobry wieczór", "Miłego dnia"),
        *(
            "İyi sabahlar",
            "İyi akşamlar",
            "Say good morning at 9",
            "Пожелать доброго утра в 9",
            "Sag guten Morgen um 9",
        ),
        # messages for another person
        *("Write to the choir: good morning", "Schreib dem Chor: Guten Morgen!", "Schreib dem Chor: Morgen!"),
        *("Напиши хору: доброе утро", "Wünsch allen einen guten Morgen", "Tell the choir: see you, tomorrow"),
        # parts of the text
        *("Send the quote of the day", "Пришли слово дня", "Слово дня в 9", "Envía la palabra del día"),
        *("Mande a palavra do dia", "Słowo dnia o 9", "Das Wort des Tages", "Le mot du jour", "Ask about the evening"),
        *("Rehearse tomorrow", "Спросить про завтра", "Oddać książki w piątek", "Regar las plantas todos los días"),
        *("Garden:\n- morning\n- evening", "Trains\n- to town 8:00\n- home tomorrow at 20\n- tomorrow at 9"),
    ],
)
def test_a_day_or_a_part_of_one_stays_where_no_sign_sets_it_apart(text: str) -> None:
    assert [said_then(text, **when) for when in TIMES] == [text] * len(TIMES)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Hand it in by tomorrow",
            "Hand it in no later than 9:00",
            "Deadline: tomorrow",
            "Write to Bo: tomorrow at 9",
        ),
        *(
            "Сдать книги не позже завтра",
            "Сдать книги не раньше 9:00",
            "Все дни, кроме завтра",
            "Спросить насчёт пятницы",
        ),
        *("Здати книжки не пізніше завтра", "Здати книжки не пізніше 9:00", "Запитати про завтра"),
        *("Entregar a más tardar mañana", "Entregar a más tardar a las 9", "Rendre au plus tard demain"),
        *("Rendre au plus tard à 9h", "Consegnare non oltre domani", "Consegnare non oltre le 9:00"),
        *("Entregar no máximo amanhã", "Entregar no máximo às 9h", "Oddać nie później niż jutro"),
        *("Oddać nie później niż o 9", "Zapytać o piątek", "Abgeben nicht später als morgen"),
        *("Abgeben nicht später als um 9 Uhr", "Fragen wegen Freitag", "Inleveren niet later dan morgen"),
        *(
            "Inleveren niet later dan 9 uur",
            "Завтра в 9 не приходить",
            "Завтра о 9 не приходити",
            "Jutro o 9 nie dzwonić",
        ),
        *("Mañana a las 9 no vengas", "Demain à 9h ne pas venir", "Domani alle 9 non venire", "Amanhã às 9h não ligar"),
        *("Завтра в 9 ровно позвонить", "Rest 10 minutes"),
    ],
)
def test_a_deadline_stays_whole(text: str) -> None:
    assert [said_then(text, **when) for when in TIMES] == [text] * len(TIMES)


@pytest.mark.parametrize(
    ("text", "when", "left"),
    [
        ("Water the roses, tomorrow", {"at": "2026-11-24T09:00"}, "Water the roses"),
        ("Tomorrow, water the roses", {"at": "2026-11-24T09:00"}, "Water the roses"),
        ("Morgen: Rosen gießen", {"at": "2026-11-24T09:00"}, "Rosen gießen"),
        ("Water the roses – Friday", {"at": "2026-11-27T09:00"}, "Water the roses"),
        ("Water the roses (Friday)", {"at": "2026-11-27T09:00"}, "Water the roses"),
        ("Полить розы, каждый день", {"every": "FREQ=DAILY;BYHOUR=9;BYMINUTE=0"}, "Полить розы"),
        ("Каждый день в 9: доброе утро!", {"every": "FREQ=DAILY;BYHOUR=9;BYMINUTE=0"}, "Доброе утро!"),
        ("Tomorrow at 9: good morning!", {"at": "2026-11-24T09:00"}, "Good morning!"),
        ("Water the roses at nine", {"at": "2026-11-24T09:00"}, "Water the roses"),
        ("Water the roses tomorrow 9 AM", {"at": "2026-11-24T09:00"}, "Water the roses"),
        ("Water the roses every morning at 9", {"every": "FREQ=DAILY;BYHOUR=9;BYMINUTE=0"}, "Water the roses"),
        ("Water the roses at noon", {"at": "12:00"}, "Water the roses"),
        ("Water the roses in half an hour", {"after": "30 minutes"}, "Water the roses"),
        ("Stand up every two hours", {"every": "2 hours"}, "Stand up"),
        ("Gülleri sula 20 dakika sonra", {"after": "20 minutes"}, "Gülleri sula"),
    ],
)
def test_a_time_that_is_exact_or_set_apart_goes(text: str, when: dict[str, str], left: str) -> None:
    assert said_then(text, **when) == left


def test_an_instruction_does_not_repeat_when_either() -> None:
    found = Schedule(id="t1", instruction="Tomorrow at 9: look up the weather", at="2026-11-24T09:00")
    done = found.at_instants(NOW, "UTC")
    assert not isinstance(done, str)
    assert done.resolved is not None
    assert (done.resolved.instruction, done.instruction) == ("Look up the weather",) * 2

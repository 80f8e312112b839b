"""Tests of /zone."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from shared.base.wording.words import SILENCE, languages
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.paths import event_path
from shared.chat.store.people import FirestorePeople
from shared.commands.command import CommandRequest
from shared.llm.ports.world import PortRegistry
from shared.reminders.commands.zone import COMMAND, PersonZone, keep_pressed_zone, load_zone, press, respond, zone_of
from shared.reminders.store import FirestoreReminders, encode_reminder
from shared.reminders.times.zone_guess import MOVE, SPOKEN
from shared.reminders.times.zones import MOST, zones_like
from shared.telegram.markdown.render import render
from shared.values.agent import parse_zone
from shared.values.button_data import read_button
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.evolve import evolve
from shared.values.message import Author
from shared.values.reminder import Reminder
from shared.values.update import Json
from tests.shared.commands.requests import CONVERSATION, asked
from tests.shared.examples import NOW


def said(argument: str, result: str = "") -> str:
    """Return the answer to a person, given the zone that is known now."""
    return render(respond(asked(argument, result=PersonZone(result))).text)[0].text


def test_shows_the_current_zone_with_its_time() -> None:
    # NOW is noon in UTC
    assert said("Kyiv", "Europe/Kyiv") == "Your time zone is Europe/Kyiv. It's 14:00 there now."
    assert said("", "Europe/Kyiv").startswith("Your time zone is Europe/Kyiv. It's 14:00 there now. To change it,")
    assert said("-") == "I've forgotten your time zone."
    assert said("nowhere *at* all") == (
        "I don't know a time zone called “nowhere *at* all”. Send a big city near you, like /zone Berlin, "
        "or your offset from UTC, like /zone +2."
    )


def test_offers_zones_of_the_language_if_none_is_known() -> None:
    response = respond(asked("", result=PersonZone(), language="de"))
    assert [button.text for button in response.buttons] == [
        "Europe/Berlin · 13:00",
        "Europe/Vienna · 13:00",
        "Europe/Zurich · 13:00",
    ]
    assert "UTC" in response.text


def test_asks_which_of_several_zones() -> None:
    response = respond(asked("+2", result=PersonZone()))
    assert response.text == "“\\+2” could be several time zones. Which one?"
    assert "Europe/Kyiv · 14:00" in [button.text for button in response.buttons]
    assert len(response.buttons) <= MOST


def test_offers_near_zones_for_a_misspelt_place() -> None:
    response = respond(asked("Berln", result=PersonZone()))
    assert response.text == "I don't know a place called “Berln”. Did you mean one of these?"
    assert "Europe/Berlin · 13:00" in [button.text for button in response.buttons]


@pytest.mark.parametrize("language", languages())
def test_each_language_has_zones_of_its_own(language: str) -> None:
    offered = SPOKEN[language]
    assert 0 < len(offered) <= MOST
    assert all(zones_like(zone, NOW) == (zone,) for zone in offered)


@pytest.fixture
def ports(chats: FirestoreChats) -> PortRegistry:
    return PortRegistry(
        {FirestorePeople: FirestorePeople(chats.client), FirestoreReminders: FirestoreReminders(chats.client)}
    )


@pytest.mark.parametrize(
    ("argument", "kept"),
    [
        ("Tokyo", "Asia/Tokyo"),
        ("asia/tokyo", "Asia/Tokyo"),
        ("", "Europe/Kyiv"),
        ("+2", "Europe/Kyiv"),
        ("Atlantis", "Europe/Kyiv"),
        ("-", ""),
    ],
)
async def test_stores_the_zone_of_the_person(ports: PortRegistry, key: ChatKey, argument: str, kept: str) -> None:
    person = Author(id=key.chat_id, name="Ann")
    await ports[FirestorePeople].keep_zone(person.id, "Europe/Kyiv", NOW)
    assert (await load_zone(asked(argument, person=person), ports)).zone == kept
    assert (await ports[FirestorePeople].profile(person.id)).zone == kept


async def test_ignores_a_stored_zone_that_no_longer_exists(ports: PortRegistry, key: ChatKey) -> None:
    person = Author(id=key.chat_id, name="Ann")
    await ports[FirestorePeople].keep_zone(person.id, "Europe/Atlantis", NOW)
    assert await load_zone(asked("", person=person), ports) == PersonZone()


def after_press(request: CommandRequest, data: str) -> CommandRequest:
    name, _, argument = read_button(data)
    assert name == COMMAND.name
    return replace(request, argument=argument)


async def test_a_button_stores_its_zone_for_the_presser(ports: PortRegistry, key: ChatKey) -> None:
    person = Author(id=key.chat_id, name="Ann")
    for kind in (ChatKind.PRIVATE, ChatKind.GROUP):
        request = asked("", kind, person=person, language="uk")
        for button in respond(request).buttons:
            chosen = after_press(request, button.data)
            after = await keep_pressed_zone(chosen, ports)
            zone = after.zone
            assert button.text.startswith(f"{zone} · ")
            assert (await ports[FirestorePeople].profile(person.id)).zone == zone
            response = press(replace(chosen, result=after))
            assert zone in response.notice
            assert len(response.notice) <= 200
            # in a group others read along
            assert (response.text == SILENCE) is (kind is ChatKind.GROUP)


async def test_a_button_without_zone_does_nothing(ports: PortRegistry, key: ChatKey) -> None:
    person = Author(id=key.chat_id, name="Ann")
    request = after_press(asked(person=person), f"zone:{CONVERSATION}:0123456789")
    assert await keep_pressed_zone(request, ports) == PersonZone()
    assert (await ports[FirestorePeople].profile(person.id)).zone == ""
    assert press(replace(request, result=PersonZone())).notice


async def test_uses_the_persons_zone_else_the_chats(ports: PortRegistry, key: ChatKey) -> None:
    person = Author(id=key.chat_id, name="Ann")
    assert await zone_of(asked(person=person, zone=parse_zone("Europe/Berlin")), ports) == "Europe/Berlin"
    await ports[FirestorePeople].keep_zone(person.id, "Asia/Tokyo", NOW)
    assert await zone_of(asked(person=person), ports) == "Asia/Tokyo"


def reminder(zone: str, *, is_zone_guessed: bool = False) -> Reminder:
    """Return a reminder of each day at nine o'clock."""
    return Reminder(
        id="abcdefghijkl", agent="lull", chat="lull:1", person=1, text="tea", zone=zone, start="2026-11-20T09:00:00",
        is_zone_guessed=is_zone_guessed, rule="FREQ=DAILY", next_at=datetime(2026, 11, 20, 18, tzinfo=UTC), set_at=NOW,
    )  # fmt: skip


def test_moves_reminders_with_a_guessed_zone() -> None:
    after = PersonZone("Europe/Berlin", (reminder("UTC", is_zone_guessed=True),))
    response = respond(asked("Berlin", result=after))
    (moved,) = response.reminders
    assert (moved.zone, moved.is_zone_guessed) == ("Europe/Berlin", False)
    assert "now use this one" in response.text
    assert response.buttons == ()


@pytest.mark.parametrize(
    ("kind", "before", "elsewhere", "is_told"),
    [
        (ChatKind.PRIVATE, "", 1, True),
        (ChatKind.PRIVATE, "Europe/Kyiv", 1, True),
        (ChatKind.PRIVATE, "Asia/Tokyo", 1, False),  # it is no other zone
        (ChatKind.PRIVATE, "", 0, False),
        # other people do not learn of the reminders
        (ChatKind.GROUP, "", 0, True),
        (ChatKind.GROUP, "", 1, True),
        (ChatKind.SUPERGROUP, "", 0, True),
        (ChatKind.SUPERGROUP, "", 1, True),
        (ChatKind.DIRECT, "", 0, True),
        (ChatKind.DIRECT, "", 1, True),
        (ChatKind.GROUP, "Asia/Tokyo", 1, False),
        (ChatKind.DIRECT, "Asia/Tokyo", 1, False),
    ],
)
async def test_tells_about_reminders_in_other_chats(
    ports: PortRegistry, key: ChatKey, chats: FirestoreChats, kind: ChatKind, before: str, elsewhere: int, is_told: bool
) -> None:
    person, request = key.chat_id, asked("Tokyo", kind, person=Author(id=key.chat_id, name="Ann"))
    await ports[FirestorePeople].keep_zone(person, before, NOW)
    places = [request.chat.key.id, *["lull:elsewhere"] * elsewhere]
    for number, chat in enumerate(places):
        one = evolve(reminder("Europe/Kyiv"), id=f"{person}{number}", chat=chat, person=person)
        await chats.client.document(event_path(one.id)).set(encode_reminder(one))
    told = respond(replace(request, result=await load_zone(request, ports))).text
    assert ("Reminders in other chats stay as they are" in told) is is_told
    assert ("/zone Asia/Tokyo" in told) is is_told


@pytest.mark.parametrize(("start", "is_moved"), [("2026-11-20T18:00:00", True), ("2026-11-20T18:00:41.5", False)])
async def test_reminders_set_as_spans_do_not_move(
    ports: PortRegistry, key: ChatKey, chats: FirestoreChats, start: str, is_moved: bool
) -> None:
    request = asked("Tokyo", person=Author(id=key.chat_id, name="Ann"))
    told: Json = {"id": f"{key.chat_id}s", "chat": request.chat.key.id, "person": key.chat_id, "start": start}
    one = reminder("UTC").model_copy(update={**told, "rule": ""})
    await chats.client.document(event_path(one.id)).set(encode_reminder(one))
    assert ([r.id for r in (await load_zone(request, ports)).reminders] == [one.id]) is is_moved


def test_other_reminders_stay_until_a_button_moves_them() -> None:
    after = PersonZone("America/New_York", (reminder("Europe/Berlin"),))
    response = respond(asked("New York", result=after))
    assert response.reminders == ()
    assert "stay in their time zone, Europe/Berlin" in response.text
    (button,) = response.buttons
    _, _, argument = read_button(button.data)
    assert argument.startswith(MOVE)
    pressed_then = press(replace(asked(result=after), argument=argument))
    assert [one.zone for one in pressed_then.reminders] == ["America/New_York"]
    assert "America/New_York" in pressed_then.notice

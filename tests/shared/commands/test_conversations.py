"""The list of a chat's conversations."""

from collections.abc import Sequence
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from google.protobuf.wrappers_pb2 import Int32Value

from shared.base.wording.words import languages, words_in
from shared.chat.store.conversations import FirestoreConversations
from shared.chat.store.people import DailyQuota, FirestorePeople
from shared.commands.conversations import LAST_PAGE, pressed_page, respond
from shared.commands.pager import PAGE, ListPage
from shared.commands.parse import command_pressed
from shared.llm.ports.world import PortRegistry
from shared.values.chat import ConversationInfo
from shared.values.message import ButtonPress
from tests.shared.commands.requests import CONVERSATION, asked
from tests.shared.examples import ANN, KEY, NOW
from tests.shared.own_words import LISTED, NEWER, NONE_YET, OLDER, UNTITLED


def kept(name: str, **fields: object) -> ConversationInfo:
    return ConversationInfo.model_validate({"id": f"conv-{name:X<26}", "chat": KEY.id, "opening": name} | fields)


def test_each_has_a_line_with_its_title_and_its_date_and_its_number_on_a_button() -> None:
    here = ConversationInfo(id=CONVERSATION, chat=KEY.id, title="Beds", opening="hello", updated_at=NOW)
    other, long = NOW - timedelta(days=400), "About " + "tea and milk " * 5
    page = ListPage(0, (here, kept(long, updated_at=other), kept("")), 3)
    found = respond(asked(result=page, zone=ZoneInfo("Pacific/Kiritimati")))
    day, before = (one.astimezone(ZoneInfo("Pacific/Kiritimati")) for one in (NOW, other))
    assert found.text.partition("\n\n") == (
        LISTED,
        "\n\n",
        f"1. ✓ Beds · {day.day} {day:%B}\n2. {long.strip()} · {before.day} {before:%B %Y}\n3. {UNTITLED}",
    )
    assert [button.text for button in found.buttons] == ["1", "2", "3"]


@pytest.mark.parametrize("language", languages())
def test_a_day_is_written_as_people_write_it(language: str) -> None:
    page = ListPage(0, (kept("Tea", updated_at=NOW), kept("Milk", updated_at=NOW - timedelta(days=400))), 2)
    this_year, earlier = respond(asked(result=page, language=language)).text.splitlines()[-2:]
    assert f"{NOW:%Y-%m}" not in this_year
    assert str((NOW - timedelta(days=400)).year) in earlier
    weekdays = words_in(language).catalogue.calendar.weekdays
    assert not any(day in this_year + earlier for day in weekdays)


def test_an_arabic_title_and_a_date_keep_their_order() -> None:
    page = ListPage(0, (kept("شاي", updated_at=NOW),), 1)
    assert respond(asked(result=page)).text.endswith(f"1. \u2068شاي\u2069 · {NOW.day} {NOW:%B}")


def test_pages_are_turned_by_buttons_that_are_read_again() -> None:
    ends = [respond(asked(result=ListPage(n, (kept("a"),), 13))) for n in range(3)]
    assert [[button.text for button in end.buttons] for end in ends] == [
        ["1", OLDER],
        ["7", NEWER, OLDER],
        ["13", NEWER],
    ]
    assert "Page 2 of 3, 13 in total" in ends[1].text
    carried = [button.data for end in ends for button in end.buttons[1:]]
    assert all(len(data.encode()) <= 64 for data in carried)
    read = [command_pressed(ButtonPress(at=NOW, message_id=5, author=ANN, query_id="q", data=data)) for data in carried]
    assert [(one.name, one.argument) for one in read] == [("conversations", n) for n in ("1", "0", "2", "1")]


def test_where_none_is_that_is_said() -> None:
    assert respond(asked(result=ListPage(0, (), 0))).text == NONE_YET


class Skipping:
    """Endless conversations, up to the largest number in a request to Firestore."""

    async def page(self, chats: Sequence[str], skipped: int, limit: int) -> Sequence[ConversationInfo]:
        """Return a full page. Raises ValueError for a number that a request cannot have."""
        assert Int32Value(value=skipped).value == skipped
        return [kept(str(n)) for n in range(limit)]

    async def count(self, chats: Sequence[str]) -> int:
        """Return a number that is larger than any page."""
        return 2**40

    async def find(self, conversation: str) -> ConversationInfo | None:
        """Return None."""
        return None


class Unread:
    """Budgets of people who have read nothing yet."""

    async def draw(self, person_id: int, budget: DailyQuota, wanted: int) -> int:
        """Grant everything."""
        return wanted


@pytest.mark.parametrize("forged", ["9" * 16, str(2**31), "x", "-1"])
async def test_whatever_number_an_app_sends_there_is_a_page(forged: str) -> None:
    request = asked(forged)
    page = await pressed_page(request, PortRegistry({FirestoreConversations: Skipping(), FirestorePeople: Unread()}))
    assert isinstance(page, ListPage)
    assert page.number in {0, LAST_PAGE}
    assert len(page.shown) == PAGE
    assert [button.text for button in respond(asked(result=page)).buttons[PAGE:]] == [NEWER if page.number else OLDER]

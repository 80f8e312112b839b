"""The list of a chat's conversations."""

from collections.abc import Sequence
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from google.protobuf.wrappers_pb2 import Int32Value

from shared.commands.conversations import LAST_PAGE, PAGE, Page, pressed_page, respond
from shared.commands.parse import command_pressed
from shared.models.chat import KeptConversation
from shared.models.message import Press
from shared.ports.chats import Conversations
from shared.ports.people import DayBudget, People
from shared.ports.world import Ports
from tests.shared.commands.requests import CONVERSATION, asked
from tests.shared.own_words import LISTED, NEWER, NONE_YET, OLDER, UNTITLED
from tests.shared.values import ANN, KEY, NOW


def kept(name: str, **fields: object) -> KeptConversation:
    return KeptConversation.model_validate({"id": f"conv-{name:X<26}", "chat": KEY.id, "opening": name} | fields)


def test_each_has_a_button_with_its_title_and_its_date() -> None:
    here = KeptConversation(id=CONVERSATION, chat=KEY.id, title="Beds", opening="hello", updated_at=NOW)
    page = Page(0, (here, kept("x" * 40, updated_at=NOW - timedelta(days=1)), kept("")), has_older=False)
    found = respond(asked(result=page, zone=ZoneInfo("Pacific/Kiritimati")))
    day = NOW.astimezone(ZoneInfo("Pacific/Kiritimati"))
    assert found.text == LISTED
    assert [button.text for button in found.buttons] == [
        f"✓ Beds · {day:%Y-%m-%d}",
        f"{'x' * 16}… · {day - timedelta(days=1):%Y-%m-%d}",
        UNTITLED,
    ]


def test_the_date_behind_an_arabic_name_keeps_its_order() -> None:
    page = Page(0, (kept("شاي", updated_at=NOW),), has_older=False)
    (button,) = respond(asked(result=page)).buttons
    assert button.text == f"\u2068شاي\u2069 · {NOW:%Y-%m-%d}"


def test_pages_are_turned_by_buttons_that_are_read_again() -> None:
    ends = [respond(asked(result=Page(n, (kept("a"),), has_older=n < 2))).buttons[1:] for n in range(3)]
    assert [[button.text for button in buttons] for buttons in ends] == [[OLDER], [NEWER, OLDER], [NEWER]]
    carried = [button.data for buttons in ends for button in buttons]
    assert all(len(data.encode()) <= 64 for data in carried)
    read = [command_pressed(Press(at=NOW, message_id=5, author=ANN, query_id="q", data=data)) for data in carried]
    assert [(one.name, one.argument) for one in read] == [("conversations", n) for n in ("1", "0", "2", "1")]


def test_where_none_is_that_is_said() -> None:
    assert respond(asked(result=Page(0, (), has_older=False))).text == NONE_YET


class Skipping:
    """Conversations without end, as far as a request to Firestore can number them."""

    async def page(self, chats: Sequence[str], skipped: int, limit: int) -> Sequence[KeptConversation]:
        """As many as asked. Raises ValueError for a number that is none of a request's."""
        assert Int32Value(value=skipped).value == skipped
        return [kept(str(n)) for n in range(limit)]

    async def find(self, conversation: str) -> KeptConversation | None:
        """None."""
        return None


class Unread:
    """People for whom nothing was read yet."""

    async def draw(self, person_id: int, budget: DayBudget, wanted: int) -> int:
        """As much as is wanted."""
        return wanted


@pytest.mark.parametrize("forged", ["9" * 16, str(2**31), "x", "-1"])
async def test_whatever_number_an_app_sends_there_is_a_page(forged: str) -> None:
    request = asked(forged)
    page = await pressed_page(request, Ports({Conversations: Skipping(), People: Unread()}))
    assert isinstance(page, Page)
    assert page.number in {0, LAST_PAGE}
    assert len(page.conversations) == PAGE
    assert [button.text for button in respond(asked(result=page)).buttons[PAGE:]] == [NEWER if page.number else OLDER]

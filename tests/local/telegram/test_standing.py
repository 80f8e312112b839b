import pytest

from local.telegram.chats import ChatType, LocalChat, Status
from local.telegram.people import Bot, Person
from local.telegram.spec import problems
from local.telegram.standing import member_json

ANN = Person(id=1, first_name="Ann")


@pytest.mark.parametrize("status", list(Status))
@pytest.mark.parametrize("type_", [ChatType.GROUP, ChatType.SUPERGROUP])
def test_every_standing_is_a_chat_member(status: Status, type_: ChatType) -> None:
    chat = LocalChat(key="g1", type=type_, id=-1)
    member = member_json(chat, ANN, status)
    assert problems(member, ["ChatMember"]) == []
    assert member["status"] == status.value


def test_administrators_of_supergroups_manage_topics() -> None:
    bot = Bot(id=7, token="7:x", first_name="M", username="m_bot")
    basic, big = (LocalChat(key="g1", type=type_, id=-1) for type_ in (ChatType.GROUP, ChatType.SUPERGROUP))
    assert "can_manage_topics" not in member_json(basic, bot, Status.ADMINISTRATOR)
    assert member_json(big, bot, Status.ADMINISTRATOR)["can_manage_topics"] is True

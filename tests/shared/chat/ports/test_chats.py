"""Values of the chats' store."""

from dataclasses import replace
from datetime import timedelta

from shared.chat.ports import chats
from tests.shared.examples import NOW


def test_a_change_writes_nothing_but_the_chat_unless_it_is_told() -> None:
    unset = {name: field.default for name, field in chats.Change.__dataclass_fields__.items() if name != "chat"}
    assert unset == {"records": ()}


def test_a_day_has_one_notice_of_each_agent_and_kind() -> None:
    midnight = NOW.replace(hour=0, minute=0)
    notice = chats.OwnerNotice(agent="lull", kind="money", at=midnight)
    assert replace(notice, at=midnight + timedelta(hours=23, minutes=59)).id == notice.id
    others = [
        replace(notice, at=midnight + timedelta(days=1)), replace(notice, kind="quota"), replace(notice, agent="moss"),
    ]  # fmt: skip
    assert len({notice.id, *(other.id for other in others)}) == 4

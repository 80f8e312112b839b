from pathlib import Path

from local.telegram.chats import ChatType, LocalChat
from local.telegram.people import Bot
from local.telegram.settings import TelegramSettings
from local.telegram.world import World


def test_private_chats_of_a_bot_share_a_counter_and_groups_have_their_own(world: World) -> None:
    world.people.keep_bot(Bot(id=7, token="7:x", first_name="M", username="m_bot"))
    chats = [
        world.chats.keep(LocalChat(key="p1-7", type=ChatType.PRIVATE, id=1, bot_id=7, person_id=1)),
        world.chats.keep(LocalChat(key="p2-7", type=ChatType.PRIVATE, id=2, bot_id=7, person_id=2)),
        world.chats.keep(LocalChat(key="p1-8", type=ChatType.PRIVATE, id=1, bot_id=8, person_id=1)),
        world.chats.keep(LocalChat(key="g9", type=ChatType.GROUP, id=-9)),
    ]
    assert [world.take_message_id(chat) for chat in chats] == [1, 2, 1, 1]


def test_event_numbers_go_on_after_a_restart(tmp_path: Path) -> None:
    first = World(TelegramSettings(data_dir=tmp_path))
    first.events.add("a")
    first.events.add("b")
    first.close()
    second = World(TelegramSettings(data_dir=tmp_path))
    assert second.events.seq == 2
    assert [event["type"] for event in second.events.after(1)] == ["reset"]
    second.close()

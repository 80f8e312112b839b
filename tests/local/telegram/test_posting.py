import pytest

from local.telegram.chats import ChatType
from local.telegram.membership import GroupPlan, make_group
from local.telegram.messages import LocalMessage
from local.telegram.people import Bot, Person
from local.telegram.posting import change, keep_chat, post, remove
from local.telegram.world import World


@pytest.fixture
def group(world: World) -> str:
    world.people.keep_bot(Bot(id=7, token="7:x", first_name="M", username="m_bot", privacy=False))
    ann = world.people.add_person(Person(id=0, first_name="Ann"))
    return make_group(world, GroupPlan(type=ChatType.GROUP, title="T", members=(ann.id,), bots=(7,))).key


def said(world: World, chat: str, text: str, sender: int | None = None) -> LocalMessage:
    author = sender or world.people.people()[0].id
    return post(world, LocalMessage(chat=chat, id=0, sender=author, date=0, text=text))


def kinds(world: World, after: int) -> list[str]:
    return [event["type"] for event in world.events.after(after)]


def test_a_message_gets_an_id_a_date_an_event_and_an_update(world: World, group: str) -> None:
    seq, waiting = world.events.seq, world.updates.count(7)
    first, second = said(world, group, "a"), said(world, group, "b")
    assert second.id == first.id + 1
    assert first.date > 1_700_000_000
    assert kinds(world, seq) == ["message", "message"]
    assert world.updates.count(7) == waiting + 2
    update = world.updates.pending(7)[-1]
    assert (update.chat, update.message_id) == (group, second.id)
    assert update.expires_at == second.date + 86_400


def test_a_bot_is_not_told_of_its_own_words(world: World, group: str) -> None:
    waiting = world.updates.count(7)
    said(world, group, "mine", sender=7)
    assert world.updates.count(7) == waiting


def test_a_change_has_a_date_and_a_removal_keeps_the_id(world: World, group: str) -> None:
    message = said(world, group, "a")
    seq = world.events.seq
    changed = change(world, message)
    assert changed.edit_date is not None
    remove(world, changed)
    assert world.messages.get(group, message.id) is None
    assert kinds(world, seq) == ["edit", "delete"]
    assert said(world, group, "b").id == message.id + 1


def test_there_is_no_posting_into_nowhere(world: World) -> None:
    with pytest.raises(LookupError, match="g0"):
        post(world, LocalMessage(chat="g0", id=0, sender=1, date=0, text="x"))


def test_a_kept_chat_is_shown(world: World, group: str) -> None:
    seq, chat = world.events.seq, world.chats.get(group)
    assert chat is not None
    keep_chat(world, chat)
    assert kinds(world, seq) == ["chat"]

from dataclasses import replace

import pytest

from local.telegram.chats import ChatType, LocalChat
from local.telegram.detection import find_entities
from local.telegram.entities import LocalEntity
from local.telegram.messages import LocalMessage, ServiceNote
from local.telegram.people import Bot
from local.telegram.privacy import is_shown
from local.telegram.world import World

MARVIN = Bot(id=7, token="7:x", first_name="Marvin", username="Marvin_bot")
OTHER = Bot(id=8, token="8:x", first_name="Other", username="other_bot")
GROUP = LocalChat(key="g1", type=ChatType.GROUP, id=-1, members=(1, 2), bots=(7, 8))


def said(text: str, sender: int = 1, reply_to: int | None = None) -> LocalMessage:
    return LocalMessage(
        chat="g1", id=99, sender=sender, date=0, text=text, entities=find_entities(text), reply_to=reply_to
    )


@pytest.fixture
def group(world: World) -> World:
    world.people.keep_bot(MARVIN)
    world.people.keep_bot(OTHER)
    world.chats.keep(GROUP)
    world.messages.keep(LocalMessage(chat="g1", id=1, sender=7, date=0, text="I am Marvin"))
    world.messages.keep(LocalMessage(chat="g1", id=2, sender=2, date=0, text="I am Bob"))
    return world


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        (said("hello all"), False),
        (said("/help"), True),
        (said("/help@marvin_BOT now"), True),
        (said("/help@other_bot"), False),
        (said("what does @marvin_bot say"), True),
        (said("what does @other_bot say"), False),
        (said("indeed", reply_to=1), True),
        (said("indeed", reply_to=2), False),
        (said("@marvin_bot hello", sender=8), False),
        (said("hello", sender=7), False),
    ],
)
def test_privacy_mode_shows_only_what_is_meant_for_the_bot(group: World, message: LocalMessage, shown: bool) -> None:
    assert is_shown(group, MARVIN, GROUP, message) is shown


def test_a_name_without_a_username_can_be_a_mention(group: World) -> None:
    mention = LocalEntity(type="text_mention", offset=0, length=6, user_id=7)
    assert is_shown(group, MARVIN, GROUP, replace(said("Marvin?"), entities=(mention,)))


def test_a_caption_counts_like_a_text(group: World) -> None:
    text = "@marvin_bot look"
    assert is_shown(group, MARVIN, GROUP, replace(said(text), text=None, caption=text))


def test_administrators_and_bots_without_privacy_see_everything_but_bots(group: World) -> None:
    open_bot, admins = replace(MARVIN, privacy=False), replace(GROUP, admins=(7,))
    assert is_shown(group, open_bot, GROUP, said("hello all"))
    assert is_shown(group, MARVIN, admins, said("hello all"))
    assert not is_shown(group, open_bot, GROUP, said("@marvin_bot hello", sender=8))


def test_service_messages_are_for_everyone_in_the_chat(group: World) -> None:
    service = replace(said(""), text=None, service=ServiceNote(field="new_chat_title", value="x", line="x"))
    assert is_shown(group, MARVIN, GROUP, service)
    assert is_shown(group, MARVIN, GROUP, replace(service, sender=8))
    assert not is_shown(group, MARVIN, GROUP, replace(service, sender=7))
    left = ServiceNote(field="left_chat_member", value={}, line="x")
    assert is_shown(group, MARVIN, GROUP, replace(service, sender=7, service=left))
    assert not is_shown(group, MARVIN, GROUP.without_member(7, is_kicked=True), service)


def test_a_private_chat_is_always_heard(group: World) -> None:
    private = LocalChat(key="p1-7", type=ChatType.PRIVATE, id=1, bot_id=7, person_id=1)
    assert is_shown(group, MARVIN, private, said("hello"))

"""The channel that is linked to a group. The channel's posts appear in the group, and replies to such a post are
comments on it.
"""

from local.telegram.chats import ChatType, LocalChat
from local.telegram.detection import find_entities
from local.telegram.errors import WorldRefused
from local.telegram.messages import LocalMessage, Post
from local.telegram.posting import post
from local.telegram.world import World


def publish(world: World, chat: LocalChat, channel: str, text: str) -> LocalMessage:
    """Publish a post in the channel that is linked to a supergroup. Return the message that appears in the group."""
    if chat.type is not ChatType.SUPERGROUP or chat.is_forum:
        raise WorldRefused("Only a supergroup without topics can be a channel's discussion group.")
    number = world.counters.next("channel_post")
    # the id of the channel is derived from the group's id, so each group has another channel
    made_by = Post(channel=chat.id - 1_000_000_000, title=channel, id=number)
    draft = LocalMessage(chat=chat.key, id=0, sender=0, date=0, text=text, entities=find_entities(text), post=made_by)
    return post(world, draft)

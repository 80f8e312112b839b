"""Telegram's privacy mode: whether it keeps a group's messages from the agent, told to the owner in plain words."""

from shared.models.channel import BotIdentity
from shared.models.chat import ChatKind


def privacy_notice(identity: BotIdentity, kind: ChatKind) -> str:
    """What privacy mode means in a chat of this kind, and how to change it; empty where it means nothing.

    By core.telegram.org/bots/features#privacy-mode: with it a bot is given commands and replies, not even mentions;
    an administrator is given everything; and a change takes hold once the bot is added again.
    """
    if kind not in {ChatKind.GROUP, ChatKind.SUPERGROUP}:
        return ""
    way = f"@BotFather → /mybots → @{identity.username} → Bot Settings → Group Privacy"
    if identity.can_read_all_group_messages:
        return (
            "Privacy mode is off for me: I am given all that is written in this group, so that I can follow what is "
            f"said and answer when I am meant. To change that: {way} → Turn on, then remove me from the group and add "
            "me again."
        )
    return (
        "Privacy mode is on for me: of this group I am given only commands and replies to my messages, often not even "
        "mentions, so I cannot follow what is said and may seem deaf. To change that: "
        f"{way} → Turn off, then remove me from the group and add me again. (Making me an administrator of the group "
        "does it too.)"
    )

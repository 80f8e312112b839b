"""How a bot is set up at Telegram, told to its owner: which messages it gets, and who may add it to groups."""

from shared.models.channel import BotIdentity


def privacy_told(identity: BotIdentity) -> str:
    """What privacy mode means for a bot in its groups, and how to change it.

    Source: core.telegram.org/bots/features#privacy-mode. With privacy mode a bot gets commands and replies, not even
    mentions. As an administrator it gets everything. A change takes effect once the bot is added again.
    """
    name, way = f"@{identity.username}", "@BotFather → /setprivacy"
    again = "then remove it from its groups and add it again"
    if identity.can_read_all_group_messages:
        return (
            f"Privacy mode is off: {name} is given all that is written in its groups, and lull stores it. "
            f"To change that: {way} → Enable, {again}."
        )
    return (
        f"Privacy mode is on: of its groups, {name} is given only commands and replies to it, often not even mentions. "
        f"To have it read along: {way} → Disable, {again}."
    )


def joining_told(identity: BotIdentity) -> str:
    """Whether people may add a bot to groups, and how to change it."""
    name, way = f"@{identity.username}", "@BotFather → /setjoingroups"
    if identity.can_join_groups:
        return f"Anybody may add {name} to groups, where it answers and costs. To change that: {way} → Disable."
    return f"Nobody can add {name} to a group. To change that: {way} → Enable."

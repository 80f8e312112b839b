"""Explains a bot's settings at Telegram to its owner and to operators."""

from shared.base.wording.words import Phrase, Words
from shared.values.channel import BotIdentity


def privacy_text(identity: BotIdentity, words: Words, bot: str) -> Phrase:
    """Return a text that says which messages of groups a bot receives, and how to change that; `bot` is the bot's name.

    In privacy mode a bot receives commands and replies, but no mentions, unless the bot is an administrator. A change
    takes effect when the bot is added to the group again (core.telegram.org/bots/features#privacy-mode).
    """
    if identity.can_read_all_group_messages:
        return words.say("setup.reads_all", bot=bot)
    return words.say("setup.reads_replies", bot=bot)


def joining_text(identity: BotIdentity, words: Words, bot: str) -> Phrase:
    """Return a text that says whether people may add a bot to groups, and how to change that; `bot`: the bot's name."""
    return words.say("setup.joins", bot=bot) if identity.can_join_groups else words.say("setup.joins_not", bot=bot)

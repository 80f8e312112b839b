"""How a bot is set up at Telegram, and what that means: for its owner, and for whoever deploys it."""

from shared.base.wording.words import Phrase, Words
from shared.values.channel import BotIdentity


def privacy_told(identity: BotIdentity, words: Words, bot: str) -> Phrase:
    """What privacy mode means for a bot in its groups, and how to change it; `bot` is the bot's name as it is shown.

    By core.telegram.org/bots/features#privacy-mode: with it a bot is given commands and replies, not even mentions;
    an administrator is given everything; and a change takes hold once the bot is added again.
    """
    if identity.can_read_all_group_messages:
        return words.say("setup.reads_all", bot=bot)
    return words.say("setup.reads_replies", bot=bot)


def joining_told(identity: BotIdentity, words: Words, bot: str) -> Phrase:
    """Whether people may add a bot to groups, and how to change it; `bot` is the bot's name as it is shown."""
    return words.say("setup.joins", bot=bot) if identity.can_join_groups else words.say("setup.joins_not", bot=bot)

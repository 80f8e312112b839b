"""The emoji that Telegram allows as reactions."""

# Bot API 10.1, ReactionTypeEmoji.
_LIST = (
    "❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 "
    "🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 "
    "🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ "
    "💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡"
)
EMOJI = frozenset(_LIST.split())
_VARIATION = "\N{VARIATION SELECTOR-16}"


def reaction_emoji(written: str) -> str | None:
    """Return a reaction in Telegram's spelling, or None if Telegram has no such reaction."""
    bare = written.replace(_VARIATION, "")
    return bare if bare in EMOJI else None

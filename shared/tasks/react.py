"""`react`: put one of Telegram's reaction emoji on a message."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, ClassVar, Final, Literal

from pydantic import AfterValidator, Field

from shared.tasks.send import Send
from shared.tasks.task import DeliveryContext, DeliveryResult, Task
from shared.tasks.traits import OnFailure, TaskTraits
from shared.values.agent import OwnPhoto
from shared.values.message import AnyEntry, Reaction

NO_EMOJI = "The `emoji` of a `react` is no emoji, and has to be one."

#: the emoji of core.telegram.org/bots/api#reactiontypeemoji, as Telegram's servers spell them: without U+FE0F
REACTIONS: Final = (
    *("👍", "👎", "❤", "🔥", "🥰", "👏", "😁", "🤔", "🤯", "😱", "🤬", "😢", "🎉", "🤩", "🤮", "💩", "🙏", "👌", "🕊"),
    *("🤡", "🥱", "🥴", "😍", "🐳", "❤\u200d🔥", "🌚", "🌭", "💯", "🤣", "⚡", "🍌", "🏆", "💔", "🤨", "😐", "🍓"),
    *("🍾", "💋", "🖕", "😈", "😴", "😭", "🤓", "👻", "👨\u200d💻", "👀", "🎃", "🙈", "😇", "😨", "🤝", "✍", "🤗"),
    *("🫡", "🎅", "🎄", "☃", "💅", "🤪", "🗿", "🆒", "💘", "🙉", "🦄", "😘", "💊", "🙊", "😎", "👾"),
    *("🤷\u200d♂", "🤷", "🤷\u200d♀", "😡"),
)
#: other spellings that models use: emoji of similar meaning, and names of emoji
_NEAR: Final[Mapping[str, str]] = MappingProxyType(
    {
        "👍": "✅ ✔ ☑ 🆙 👊 🤜 🤛 🤙 🙆 ⬆ 🔼 📈 🟢 ➕ 🫰 +1 thumbsup thumbs_up like yes check white_check_mark",
        "👎": "❌ ✖ ❎ 🚫 ⛔ 🛑 🙅 ⬇ 🔽 📉 🔴 ➖ -1 thumbsdown thumbs_down dislike no x",
        "❤": "♥ ❣ 🩷 🧡 💛 💚 💙 🩵 💜 🤎 🖤 🩶 🤍 💕 💞 💓 💗 💖 💝 💟 💌 🫶 🫀 ❤\u200d🩹 🌹 🌷 🌸 💐 heart love",
        "🔥": "💥 🚀 🌋 🌶 🧨 ☄ 💪 🦾 fire muscle rocket",
        "🥰": "😊 ☺ 😌 🥹 blush",
        "👏": "🙌 clap raised_hands",
        "😁": "😀 😃 😄 🙂 😸 😺 😅 😬 🫠 🙃 🤭 smile grin sweat_smile",
        "🤔": "🧐 ❓ ❔ ⁉ 💭 🕵 thinking",
        "🤯": "😵 🧠 exploding_head",
        "😱": "😲 😮 😯 😳 🫢 🙀 ‼ ❗ ❕ ⚠ 🚨 scream open_mouth",
        "😢": "😞 😔 😟 🙁 ☹ 😥 😓 🥺 😿 😣 😖 😕 🫤 😦 🥲 😮\u200d💨 cry sad",
        "😭": "😩 😫 sob",
        "🎉": "🥳 🎊 🎈 🎁 🎂 🍰 🧁 🎆 🎇 🪅 💃 🕺 🎵 🎶 tada party",
        "🤩": "✨ 🌟 ⭐ 💫 🌠 🌞 ☀ 🌈 star sparkles",
        "🤮": "🤢 🤧 🤒 😷",
        "💩": "🗑 poop",
        "🙏": "🙇 🛐 🤞 🍀 pray folded_hands thanks",
        "👌": "🆗 🤏 🤌 ✌ ok ok_hand",
        "🕊": "☮ 🐦 🦢",
        "🤡": "🎪 🤹",
        "🥱": "😪",
        "🥴": "😵\u200d💫 🥵",
        "😍": "😻 heart_eyes",
        "🐳": "🐋 🐬 🐟 🌊",
        "❤\u200d🔥": "💏 💑",
        "🌚": "🌑 🌝 🌙",
        "🌭": "🍔 🍕 🍟 🌮 🥪 😋",
        "💯": "🎯 🔝 100",
        "🤣": "😂 😆 😹 joy rofl laughing lol",
        "⚡": "🌩 ⛈ 💡 🔋 zap",
        "🏆": "🥇 🥈 🥉 🏅 🎖 👑 trophy",
        "💔": "🥀 broken_heart",
        "🤨": "😒 🙄 raised_eyebrow",
        "😐": "😑 😶 🫥 😶\u200d🌫",
        "🍓": "🍒 🍎 🫐 🍇 🍉",
        "🍾": "🥂 🍻 🍺 🍷 🍸 🍹 🥃",
        "💋": "👄 🫦",
        "😈": "👿 👹 👺",
        "😴": "💤 🛌",
        "🤓": "📚 📖 🎓 🧑\u200d🎓 👨\u200d🎓 👩\u200d🎓",
        "👻": "💀 ☠",
        "👨\u200d💻": "💻 🖥 ⌨ 🧑\u200d💻 👩\u200d💻 🛠 🔧 ⚙",
        "👀": "👁 🔍 🔎 👁\u200d🗨 eyes",
        "🙈": "🫣 🤦 facepalm",
        "😇": "👼",
        "😨": "😰 😧",
        "🤝": "🫱\u200d🫲 handshake",
        "✍": "📝 ✏ 🖊 🖋 📌 📋 🗒 memo",
        "🤗": "👋 🫂 wave hug",
        "🫡": "💂 🪖 salute",
        "🎅": "🤶 🧑\u200d🎄",
        "🎄": "🌲",
        "☃": "⛄ ❄ 🥶 🌨",
        "🤪": "😜 😝 😛",
        "🆒": "🆕",
        "🙊": "🤐 🤫",
        "🦄": "🐴",
        "😘": "😙 😚 😗 😽",
        "😎": "🕶 🤠 😏 cool",
        "👾": "🎮 🕹 🤖",
        "🤷": "shrug",
        "😡": "😠 😤 💢 😾 angry",
    }
)
_PLAIN: Final = str.maketrans("", "", "\ufe0e\ufe0f🏻🏼🏽🏾🏿")
_GENDERS: Final = ("\u200d♂", "\u200d♀")
_JOINER: Final = "\u200d"
#: characters that models put around a name or an emoji
_AROUND: Final = " \t\n:;,.`'\"«»“”()[]*_"
#: the one emoji that counts as a letter
_LETTER_EMOJI: Final = "ℹ"


def _spellings() -> Iterator[tuple[str, str]]:
    for reaction, others in _NEAR.items():
        yield from ((other, reaction) for other in others.split())
    yield from zip(REACTIONS, REACTIONS, strict=True)


_MEANT: Final[Mapping[str, str]] = MappingProxyType(dict(_spellings()))


def reaction_for(written: str) -> str:
    """Return Telegram's reaction for a text: the same emoji, or an emoji of similar meaning.

    Return the text itself if there is no such reaction.
    """
    plain = written.translate(_PLAIN).strip(_AROUND)
    after_words = plain[next((at for at, one in enumerate(plain) if not (one.isascii() or one.isalnum())), 0) :]
    found = (meaning(part) for part in (plain, after_words) for meaning in (_meaning, _first_meaning))
    return next(filter(None, found), written.strip())


def is_emoji(text: str) -> bool:
    """Return whether a text consists of emoji and symbols, without words."""
    return not text.isascii() and not any(one.isalpha() and one != _LETTER_EMOJI for one in text)


def _meaning(plain: str) -> str:
    name = plain.lower().replace(" ", "_").replace("-", "_") if plain[:1].isalpha() else plain
    neutral = next((plain.removesuffix(end) for end in _GENDERS if plain.endswith(end)), plain)
    return next((_MEANT[one] for one in (plain, name, neutral) if one in _MEANT), "")


def _first_meaning(plain: str) -> str:
    """Return the reaction for the first of several emoji; empty if there is none."""
    ends = (at for at in range(len(plain) - 1, 0, -1) if plain[at] != _JOINER and not plain[at - 1].isalnum())
    return next((found for at in ends if (found := _meaning(plain[:at]))), "")


class React(Task):
    """Put an emoji on a message."""

    # a retry does no harm, since reacting twice has no further effect. If the plan says more, only the model is told of
    # a loss
    traits: ClassVar[TaskTraits] = TaskTraits(
        order=3,
        method="setMessageReaction",
        stays_in_chat=True,
        on_failure=OnFailure(is_alone=True, is_worded_alone=True),
    )

    kind: Literal["react"] = "react"
    emoji: Annotated[str, AfterValidator(reaction_for)] = Field(
        min_length=1,
        max_length=64,
        description="One emoji that Telegram allows as a reaction.",
        json_schema_extra={"enum": list(REACTIONS)},
    )
    message_id: int = Field(description="The message to react to.")

    def problem_in(self, entries: Sequence[AnyEntry], photos: Sequence[OwnPhoto]) -> str:
        """Return an error for the model if `emoji` contains words; else ""."""
        return "" if is_emoji(self.emoji) else NO_EMOJI

    def in_words(self) -> Task | None:
        """Return the emoji as a message."""
        if not is_emoji(self.emoji):
            return None
        return Send(id=self.id, depends_on=self.depends_on, text=self.emoji, reply_to=self.message_id)

    def unsent(self, why: str = "") -> str:
        """Return a note for the model on the emoji that was not sent."""
        return f"your reaction {self.summary()} could not be made"

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """React to the message.

        Telegram sends a bot no update about the bot's own reactions, so this method makes the transcript's entry.
        """
        await context.channel.react(context.to, self.message_id, self.emoji)
        made = Reaction(at=context.clock(), message_id=self.message_id, author=context.author, emojis=(self.emoji,))
        return DeliveryResult(entries=(made,))

    def summary(self) -> str:
        return f"{self.emoji} on message {self.message_id}"


TASK = React

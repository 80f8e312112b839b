"""Markdown and texts for the properties that always hold."""

from collections.abc import Sequence

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from local.telegram.entities import parse_entities, trim
from shared.base.text import Entity, EntityType, FormattedText, is_blank

PROPERTY = settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])

#: characters that have broken such code: directions, joined emoji, flags, accents, lone surrogates, invisible letters
NASTY = (
    *("שלום עולם", "مرحبا", "👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇩🇪🇫🇷", "e\u0301\u0302", "\ud83d", "\ude00", "\ud83d\ude00", "\u200b"),
    *(
        "\u2800",
        "\u00a0",
        "\t",
        "\r\n",
        "\r",
        "\n",
        "\n\n",
        "   ",
        "    ",
        "日本語。",
        "각",
        "\x00",
        "\ufeff",
        "\u2028",
        "1️⃣",
    ),
)
MARKUP = (
    *("*", "**", "_", "__", "~", "~~", "`", "```", "```py\n", "~~~", "$", "$$", "\\", "||", "|", "|-|-|\n", "[", "]("),
    *(
        "](http://a.b/c_(d))",
        ")",
        "![",
        "<",
        ">",
        "> ",
        "<b>",
        "</b>",
        "<!--",
        "<br>",
        "# ",
        "- ",
        "1. ",
        "7) ",
        "- [ ] ",
    ),
    *("[^1]", "[^1]: ", "[x]: ", "---\n", "&amp;", "https://x.y/_z_", "{", "}", "\\frac", "^", ":", "@a_b", "#tag"),
    *("<https://a.b>", "mailto:", "+", "=", "- [ ] "),
)
LETTERS = ("ab", "c", " ", "\n", "\n\n", "😀", "é", "e\u0301", "。", "🇩🇪")

#: the kinds that markdown makes
KINDS = (
    EntityType.BOLD, EntityType.ITALIC, EntityType.STRIKETHROUGH, EntityType.CODE, EntityType.PRE,
    EntityType.BLOCKQUOTE, EntityType.TEXT_LINK, EntityType.SPOILER,
)  # fmt: skip

nasty_markdown = st.lists(st.sampled_from(NASTY + MARKUP) | st.text(max_size=6), max_size=40).map("".join)


@st.composite
def formatted_texts(draw: st.DrawFn) -> FormattedText:
    """Draw any text with entities that are nested as in markdown."""
    text = draw(st.lists(st.sampled_from(LETTERS), max_size=80).map("".join))
    units = [0]
    for letter in text:
        units.append(units[-1] + (2 if letter > "\uffff" else 1))
    entities: list[Entity] = []
    _fill(draw, units, KINDS, entities)
    return FormattedText(text, tuple(sorted(entities, key=lambda e: (e.offset, -e.length, e.type))))


def _fill(draw: st.DrawFn, units: Sequence[int], kinds: Sequence[EntityType], entities: list[Entity]) -> None:
    """Put entities side by side between these offsets, and others into them."""
    at = 0
    while kinds and at < len(units) - 1:
        start = draw(st.integers(at, len(units) - 1))
        at = draw(st.integers(start, len(units) - 1))
        kind = draw(st.sampled_from(kinds))
        if at > start:
            address = "http://a.b" if kind is EntityType.TEXT_LINK else ""
            entities.append(Entity(kind, units[start], units[at] - units[start], url=address))
            is_code = kind in (EntityType.CODE, EntityType.PRE)
            _fill(draw, units[start : at + 1], [] if is_code else [k for k in kinds if k is not kind], entities)
        at += 1


def seen(parts: Sequence[FormattedText]) -> list[tuple[str, frozenset[tuple[str, str, str]]]]:
    """List every visible letter of the parts with its look."""
    letters = []
    for part in parts:
        at = 0
        for letter in part.text:
            looks = frozenset((str(e.type), e.url, e.language) for e in part.entities if e.offset <= at < e.end)
            if not is_blank(letter):
                letters.append((letter, looks))
            at += 2 if letter > "\uffff" else 1
    return letters


def broken_rules(part: FormattedText) -> list[str]:
    """Return Telegram's rules that a message's entities break (core.telegram.org/bots/api#messageentity)."""
    told = [entity.to_telegram() for entity in part.entities]
    _, kept = trim(part.text, parse_entities(told, part.text))
    broken = [] if len(kept) == len(told) else ["an entity is empty, or covers nothing but space at the ends"]
    for at, outer in enumerate(part.entities):
        for inner in part.entities[at + 1 :]:
            pair = {outer.type, inner.type}
            if inner.offset >= outer.end:
                continue
            if inner.end > outer.end or len(pair) == 1:
                broken.append(f"{outer.type} and {inner.type} overlap")
            if pair & {EntityType.CODE, EntityType.PRE} and outer.type is not EntityType.BLOCKQUOTE:
                broken.append(f"{outer.type} holds {inner.type}")
    return broken


def entity_texts(text: FormattedText) -> list[tuple[str, str]]:
    """List the kind and the text of each entity."""
    units = text.text.encode("utf-16-le")
    return [(str(e.type), units[2 * e.offset : 2 * e.end].decode("utf-16-le")) for e in text.entities]

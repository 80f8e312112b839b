"""The commands, as Telegram and people are told of them."""

import re

from shared.commands.declared import BY_NAME, COMMANDS, FALLBACK, LANGUAGES
from shared.models.chat import ChatKind


def test_telegram_takes_every_one() -> None:
    # core.telegram.org/bots/api#botcommand
    assert len(BY_NAME) == len(COMMANDS)
    assert all(re.fullmatch(r"[a-z0-9_]{1,32}", name) for name in BY_NAME)
    assert all(1 <= len(text) <= 256 for c in COMMANDS for text in c.descriptions.values())


def test_each_is_described_in_every_language() -> None:
    assert {"en", "de", "uk"} <= set(LANGUAGES)
    assert {tuple(c.descriptions) for c in COMMANDS} == {LANGUAGES}


def test_a_language_that_is_not_known_falls_back() -> None:
    new = BY_NAME["new"]
    assert new.description("de-AT") == new.descriptions["de"]
    assert new.description("ja") == new.description("") == new.descriptions[FALLBACK]


def test_what_changes_a_group_for_everybody_is_its_administrators() -> None:
    assert {c.name for c in COMMANDS if c.for_administrators} == {"new", "model", "mute", "unmute", "title"}


def test_some_are_for_private_chats_alone() -> None:
    assert BY_NAME["start"].is_for(ChatKind.PRIVATE)
    assert not BY_NAME["start"].is_for(ChatKind.SUPERGROUP)
    assert BY_NAME["help"].is_for(ChatKind.GROUP)

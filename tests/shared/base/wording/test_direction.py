"""Left-to-right text inside right-to-left sentences, and the other way round."""

import pytest

from shared.base.wording.direction import isolate, with_isolates


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("اكتب /help من فضلك.", "اكتب \u2066/help\u2069 من فضلك."),
        ("مثلاً: /mute 30m أو /mute 2h.", "مثلاً: \u2066/mute 30m\u2069 أو \u2066/mute 2h\u2069."),
        ("عبر @BotFather → /setprivacy ثم", "عبر \u2066@BotFather → /setprivacy\u2069 ثم"),
        ("اكتب /title [text] هنا", "اكتب \u2066/title [text]\u2069 هنا"),
        ("في Telegram.", "في \u2066Telegram\u2069."),
        ("أنا {agent}، مرحبًا {name}", "أنا {agent}، مرحبًا {name}"),
        ("{name} مسموح له.", "\u200f{name} مسموح له."),
        ("/wake يلغي ذلك.", "\u200f\u2066/wake\u2069 يلغي ذلك."),
    ],
)
def test_commands_and_latin_words_of_a_text_are_isolated(text: str, shown: str) -> None:
    assert with_isolates({"one": text, "many": {"few": text}}) == {"one": shown, "many": {"few": shown}}


@pytest.mark.parametrize(
    ("value", "is_right_to_left", "shown"),
    [
        ("Ann", True, "\u2068Ann\u2069"),
        ("سارة", True, "سارة"),
        ("12", True, "12"),
        ("Ann", False, "Ann"),
        ("سارة", False, "\u2068سارة\u2069"),
        ("2026-11-22", True, "\u20682026-11-22\u2069"),
        ("2026-11-22", False, "2026-11-22"),
        ("2026-11-22 23:30 (Europe/Kyiv)", True, "\u20682026-11-22 23:30 (Europe/Kyiv)\u2069"),
    ],
)
def test_a_value_that_runs_against_its_sentence_is_isolated(value: str, is_right_to_left: bool, shown: str) -> None:
    assert isolate(value, is_right_to_left=is_right_to_left) == shown

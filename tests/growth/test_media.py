"""One more kind of media is one row of a table, and a row of its test."""

from tests.growth.scratch import Scratch

CONTENT, TEST = "shared/telegram/content.py", "tests/shared/telegram/test_content.py"
ROW = '    ContentKind(field="game", words=_titled("a game"), is_from_elsewhere=True),\n'
NEW_ROW = '    ContentKind(field="suggested_post_info", words=_titled("a suggestion"), media="document"),\n'
CASE = '        ("game", {"title": "Chess"}, "a game: Chess"),\n'
NEW_CASE = '        ("suggested_post_info", {"title": "Rain"}, "a suggestion: Rain"),\n'
#: told in words, typed for, apologised for, with its file, shown in a prompt
PROBE = """
from shared.models.message import Message
from shared.telegram.entries import entry_of
from shared.telegram.media import media_refs_of
from shared.telegram.urgency import awaits_answer, wants_typing
from tests.shared.values import BOT_ID, message_update, update_of

FOUND = {"title": "Rain", "file_id": "f1"}


def test_it_is_a_message_that_somebody_says() -> None:
    raw = message_update(7, suggested_post_info=FOUND)
    raw["message"].pop("text", None)
    update = update_of(raw)
    entry = entry_of(update, BOT_ID)
    assert isinstance(entry, Message)
    assert (entry.media, entry.is_service) == ("a suggestion: Rain", False)
    assert wants_typing(update.envelope, update.raw)
    assert awaits_answer(update, ("lull",), BOT_ID)
    assert [ref.file_id for ref in media_refs_of(raw["message"])] == ["f1"]
"""


def test_a_kind_of_media_is_a_row(scratch: Scratch) -> None:
    scratch.edits(CONTENT, ROW, NEW_ROW + ROW)
    scratch.edits(TEST, CASE, NEW_CASE + CASE)
    scratch.shows("tests/shared/telegram/test_probe.py", PROBE, TEST, "tests/shared/telegram/test_urgency.py")
    assert scratch.changed() == [CONTENT, TEST]

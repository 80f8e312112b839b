"""The receipts of deletions."""

from datetime import timedelta
from typing import Any

from shared.privacy.jobs.erase import receipt_of
from shared.values.deletion import Deletion, DeletionScope
from tests.shared.examples import GROUP_KEY, KEY, NOW


def test_a_receipt_counts_what_went_and_says_what_is_left() -> None:
    deletion = Deletion(
        id="e", scope=DeletionScope.PERSON, person=7, chat=KEY.id, asked_at=NOW, due_at=NOW,
        counts={"entries": 12, "conversations": 2, "documents": 40, "files": 0},
    )  # fmt: skip
    told = receipt_of(deletion, 98, NOW)
    assert told.text == (
        "I've forgotten you. Deleted or emptied:\n\n- messages and other entries: 12\n- conversations: 2\n"
        "- documents in total: 40\n\n"
        f"Backups keep this data until {NOW + timedelta(days=98):%Y-%m-%d}. If a backup is restored before then, "
        "the person who runs me has to delete the data again. "
        "The messages in this chat are still in Telegram. You can delete them there."
    )
    assert (told.chat, told.person, told.next_at, told.is_notice) == (KEY.id, 7, NOW, True)
    assert receipt_of(deletion, 98, NOW + timedelta(hours=1)).id == told.id


def test_without_backups_none_are_told_of_and_each_scope_has_its_words() -> None:
    made: dict[str, Any] = dict(id="e", chat=GROUP_KEY.id, asked_at=NOW, due_at=NOW, language="de")
    texts = [receipt_of(Deletion(scope=scope, **made), 0, NOW).text for scope in DeletionScope]
    assert [text.split(".")[0] for text in texts] == [
        "Ich habe dich vergessen",
        "Ich habe diese Gruppe vergessen",
        "Ich habe das Gespräch vergessen",
    ]
    assert all("Sicherungen" not in text for text in texts)


def test_an_archive_that_refused_is_told_of() -> None:
    made = Deletion(id="e", scope=DeletionScope.GROUP, chat=GROUP_KEY.id, asked_at=NOW, due_at=NOW, refused=("s3://x",))
    assert "An archive hasn't deleted its copies yet." in receipt_of(made, 0, NOW).text

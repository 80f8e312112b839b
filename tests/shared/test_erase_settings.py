"""The settings of the function that erases."""

import pytest

from shared.erase_settings import EraseSettings
from shared.errors import SettingsWrong
from shared.settings import settings_from

ERASING = {
    "GOOGLE_CLOUD_PROJECT": "p",
    "LULL_QUEUE": "projects/p/locations/l/queues/q",
    "LULL_TICK_URL": "http://tick.example/",
}


def test_what_erases_needs_no_token_and_no_archive() -> None:
    found = settings_from(EraseSettings, ERASING)
    assert (found.archive_bucket, found.archive_s3, found.media_bucket, found.backup_days) == ("", None, "", 0)
    assert not hasattr(found, "bot_tokens")


def test_backups_are_kept_for_some_days() -> None:
    assert settings_from(EraseSettings, ERASING | {"LULL_BACKUP_DAYS": "98"}).backup_days == 98
    with pytest.raises(SettingsWrong, match="LULL_BACKUP_DAYS"):
        settings_from(EraseSettings, ERASING | {"LULL_BACKUP_DAYS": "some"})

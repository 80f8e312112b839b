"""The settings of the function that erases."""

from dataclasses import dataclass
from typing import Annotated

from shared.declaring import Between, setting
from shared.settings import ArchiveSettings, Settings, TakeoutSettings


@dataclass(frozen=True, kw_only=True)
class EraseSettings(TakeoutSettings, ArchiveSettings, Settings):
    """What the function needs that erases. It has no bot token: what it tells, a tick tells."""

    backup_days: Annotated[int, Between(0, 3_660)] = setting(
        "LULL_BACKUP_DAYS",
        "how many days backups of the database are kept, which people are told who were forgotten; 0: there are none",
        "98",
        0,
    )
    erasure_bucket: str = setting(
        "LULL_ERASURE_BUCKET",
        "the bucket of Cloud Storage in which it is told who was forgotten, by numbers and moments, in case the "
        "database is lost; empty: archives alone tell",
        "my-lull-erasures",
        "",
    )

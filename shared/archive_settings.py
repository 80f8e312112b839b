"""The settings of whatever writes archives, or erases from them."""

from dataclasses import dataclass
from typing import Annotated

from shared.declaring import Spelled, setting
from shared.settings import ProjectSettings
from shared.settings_in_json import S3Bucket, s3_bucket_in


@dataclass(frozen=True, kw_only=True)
class ArchiveSettings(ProjectSettings):
    """Where archives are."""

    archive_bucket: str = setting(
        "LULL_ARCHIVE_BUCKET",
        "the bucket of Cloud Storage that the nightly archive of the conversations goes to; empty: there is none",
        "my-lull-archive",
        "",
    )
    archive_s3: Annotated[S3Bucket | None, Spelled(s3_bucket_in)] = setting(
        "LULL_ARCHIVE_S3",
        "a bucket of S3 for a second archive, as JSON, with the role that the function has there; empty: there is none",
        '{"bucket": "my-copy", "region": "eu-west-1", "role": "arn:aws:iam::123456789012:role/lull-archive"}',
        None,
    )

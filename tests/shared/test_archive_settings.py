"""The settings of archives."""

from shared.settings import settings_from
from shared.summarize_settings import SummarizeSettings
from tests.shared.bootstrap.program import SUMMARIZE
from tests.shared.test_settings import complaint


def test_an_archive_in_another_cloud_is_whole_or_none() -> None:
    place = '{"bucket": "my-copy", "region": "eu-west-1", "role": "arn:aws:iam::123456789012:role/lull-archive"}'
    found = settings_from(SummarizeSettings, SUMMARIZE | {"LULL_ARCHIVE_S3": place}).archive_s3
    assert found is not None
    assert (found.bucket, found.region) == ("my-copy", "eu-west-1")
    assert settings_from(SummarizeSettings, SUMMARIZE).archive_s3 is None
    said = complaint(SummarizeSettings, SUMMARIZE | {"LULL_ARCHIVE_S3": '{"bucket": "my-copy"}'})
    assert said.startswith("LULL_ARCHIVE_S3 is wrong (`region`, `role` is missing)")

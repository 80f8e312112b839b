"""The settings of the scheduled function."""

import pytest

from shared.settings import settings_from
from shared.summarize_settings import SummarizeSettings
from tests.shared.bootstrap.program import SUMMARIZE
from tests.shared.test_settings import complaint


@pytest.mark.parametrize("value", ["0", "-1", "nan", "S3CRET"])
def test_a_grace_is_some_time(value: str) -> None:
    assert "LULL_SWEEP_GRACE_S is wrong (" in complaint(SummarizeSettings, SUMMARIZE | {"LULL_SWEEP_GRACE_S": value})


def test_the_agents_are_those_that_are_named_and_have_a_persona() -> None:
    found = settings_from(SummarizeSettings, SUMMARIZE | {"LULL_AGENTS": " moss, gone,,lull,"})
    assert found.agent_names == {"lull", "moss"}


def test_an_archive_in_another_cloud_is_whole_or_none() -> None:
    place = '{"bucket": "my-copy", "region": "eu-west-1", "role": "arn:aws:iam::123456789012:role/lull-archive"}'
    found = settings_from(SummarizeSettings, SUMMARIZE | {"LULL_ARCHIVE_S3": place}).archive_s3
    assert found is not None
    assert (found.bucket, found.region) == ("my-copy", "eu-west-1")
    assert settings_from(SummarizeSettings, SUMMARIZE).archive_s3 is None
    said = complaint(SummarizeSettings, SUMMARIZE | {"LULL_ARCHIVE_S3": '{"bucket": "my-copy"}'})
    assert said.startswith("LULL_ARCHIVE_S3 is wrong (`region`, `role` is missing)")

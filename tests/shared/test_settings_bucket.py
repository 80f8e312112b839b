"""A bucket of another cloud."""

import pytest
from pydantic import ValidationError

from shared.settings import S3Bucket

GOOD = {"bucket": "lull-copy", "region": "eu-west-1", "role": "arn:aws:iam::123456789012:role/lull-archive"}


@pytest.mark.parametrize(
    "more", [{}, {"region": "us-gov-east-1"}, {"role": "arn:aws-us-gov:iam::123456789012:role/a/b"}]
)
def test_a_bucket_has_a_region_and_a_role(more: dict[str, str]) -> None:
    assert S3Bucket.model_validate(GOOD | more).bucket == "lull-copy"


@pytest.mark.parametrize(
    "wrong", [{"bucket": "Lull"}, {"region": "europe-west1"}, {"role": "lull-archive"}, {"key": "a key is not needed"}]
)
def test_what_is_none_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        S3Bucket.model_validate(GOOD | wrong)

"""The parts of archiving, put together in an interpreter of their own."""

import pytest

from tests.shared.wiring.program import BASE, SUMMARIZE, run_alone

S3 = '{"bucket": "my-copy", "region": "eu-west-1", "role": "arn:aws:iam::123456789012:role/lull-archive"}'
MADE = """
import asyncio, sys
from shared.wiring.archiving import archiver
from shared.wiring.settings.model_functions import SummarizeSettings

async def main() -> None:
    made = archiver(SummarizeSettings.from_environment())
    print([place.url for place in made.archives], made.clock().tzinfo, "botocore" in sys.modules)

asyncio.run(main())
"""
REGISTER = """
from shared.wiring.archiving import register
from shared.wiring.settings import EraseSettings

settings = EraseSettings.from_environment()
print(getattr(register(settings, settings.erasure_bucket), "url", None))
"""


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({}, "[] UTC False"),
        ({"LULL_ARCHIVE_BUCKET": "b"}, "['gs://b'] UTC False"),
        ({"LULL_ARCHIVE_S3": S3}, "['s3://my-copy'] UTC True"),
        ({"LULL_ARCHIVE_BUCKET": "b", "LULL_ARCHIVE_S3": S3}, "['gs://b', 's3://my-copy'] UTC True"),
    ],
)
def test_the_archives_are_those_that_are_set(env: dict[str, str], said: str) -> None:
    done = run_alone(MADE, SUMMARIZE | env)
    assert (done.stderr, done.stdout) == ("", f"{said}\n")


@pytest.mark.parametrize(("env", "said"), [({}, "None"), ({"LULL_ERASURE_BUCKET": "b"}, "gs://b")])
def test_who_was_forgotten_is_told_where_that_is_set(env: dict[str, str], said: str) -> None:
    done = run_alone(REGISTER, BASE | env)
    assert (done.stderr, done.stdout) == ("", f"{said}\n")

"""The parts of erasing, built in an interpreter of their own."""

from tests.shared.wiring.program import BASE, run

MADE = """
import asyncio
from shared.wiring import erase

async def main() -> None:
    made = erase.jobs()
    assert made is erase.jobs()
    eraser = made["erase"].args[0]
    print(list(made), [one.url for one in eraser.archiving.archives], eraser.archiving.backup_days)

asyncio.run(main())
"""


S3 = '{"bucket": "my-copy", "region": "eu-west-1", "role": "arn:aws:iam::123456789012:role/lull-archive-erase"}'


def test_it_is_made_once_of_its_settings() -> None:
    env = {"LULL_ARCHIVE_BUCKET": "kept", "LULL_ARCHIVE_S3": S3, "LULL_BACKUP_DAYS": "98"}
    done = run(MADE, BASE | env)
    assert (done.stderr, done.stdout) == ("", "['erase', 'rebuild'] ['gs://kept', 's3://my-copy'] 98\n")

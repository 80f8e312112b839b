"""The parts of archiving by hand, put together in an interpreter of their own."""

from tests.shared.wiring.program import BASE, run

PLACES = """
import asyncio
from pathlib import Path
from shared.wiring.archiving import transcripts
from shared.wiring.archiving_by_hand import archive_at, archiver_to, restoring
from shared.wiring.settings import ProjectSettings

async def main() -> None:
    settings = ProjectSettings.from_environment()
    for place in ("gs://a/b/", "s3://a", "/tmp/x"):
        print(archive_at(settings, place).url)
    print(archive_at(settings, "y").url == str(Path("y").absolute()))
    print([place.url for place in archiver_to(settings, "gs://a").archives])
    print(restoring(settings).client.project, transcripts(settings).client.project)

asyncio.run(main())
"""


def test_a_place_is_a_bucket_of_either_cloud_or_a_folder() -> None:
    done = run(PLACES, BASE)
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["gs://a/b", "s3://a", "/tmp/x", "True", "['gs://a']", "p p"]

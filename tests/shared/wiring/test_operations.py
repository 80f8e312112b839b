"""The parts of the commands, put together in an interpreter of their own."""

from tests.shared.wiring.program import BASE, run

MADE = """
import asyncio
from shared.wiring import operations

async def main() -> None:
    kept = operations.incidents()
    made = operations.replayer(kept)
    print(made.incidents is kept, sorted(made.receiver.names), made.receiver.later.total_seconds(), made.clock().tzinfo)

asyncio.run(main())
"""
LISTED = "from shared.wiring.operations import incidents; incidents()"


def test_they_are_made_of_the_settings_of_every_function() -> None:
    done = run(MADE, BASE | {"LULL_LATER_S": "5"})
    assert done.stderr == ""
    assert done.stdout == "True ['librarian', 'lull', 'moss', 'tutor'] 5.0 UTC\n"


def test_settings_are_read_when_they_are_needed() -> None:
    assert run("import shared.wiring.operations", {}).returncode == 0
    done = run(LISTED, {})
    assert "GOOGLE_CLOUD_PROJECT is not set" in done.stderr


def test_a_deployment_without_credentials_is_told_how_to_get_some() -> None:
    env = {name: value for name, value in BASE.items() if name != "FIRESTORE_EMULATOR_HOST"}
    done = run(LISTED, env | {"GOOGLE_APPLICATION_CREDENTIALS": "/nowhere.json"})
    assert "there are no Google Cloud credentials here: run `gcloud auth application-default" in done.stderr

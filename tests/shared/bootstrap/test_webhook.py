"""The webhook's parts, put together in an interpreter of their own."""

from tests.shared.bootstrap.program import WEBHOOK, run, run_alone

MADE = """
import asyncio, sys
from shared.bootstrap import webhook

async def main() -> None:
    made = webhook.receiver()
    assert made is webhook.receiver()
    names, quiet = made.names["moss"], made.quiet["private"]
    print(sorted(webhook.AGENTS), names.called, quiet.total_seconds(), made.later.total_seconds())

asyncio.run(main())
heavy = {name.split(".")[0] for name in sys.modules} & {"telegram", "httpx", "ulid", "json5"}
print(sorted(heavy), "google.genai" in sys.modules)
"""


def test_it_is_made_once_of_its_settings_and_without_what_it_does_not_need() -> None:
    done = run_alone(MADE, WEBHOOK | {"LULL_LATER_S": "5"})
    assert done.stderr == ""
    made = "['lull', 'moss'] ('Moss',) 1.5 5.0"
    assert done.stdout.splitlines() == [made, "[] False"]


def test_nothing_starts_without_its_settings() -> None:
    done = run("import shared.bootstrap.webhook", {})
    assert done.returncode == 1
    assert "shared.errors.SettingsWrong: GOOGLE_CLOUD_PROJECT is not set" in done.stderr
    assert "ValidationError" not in done.stderr


def test_the_secret_is_the_settings() -> None:
    done = run("from shared.bootstrap.webhook import SECRET; print(SECRET)", WEBHOOK)
    assert done.stdout == "hush\n"


def test_an_agent_whose_persona_went_away_takes_no_name_from_the_others() -> None:
    said = "from shared.bootstrap.webhook import receiver; print(receiver().names['moss'].called)"
    done = run(said, WEBHOOK | {"LULL_AGENTS": "gone,moss"})
    assert (done.stderr, done.stdout) == ("", "('Moss',)\n")

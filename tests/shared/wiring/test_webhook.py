"""The webhook's parts, put together in an interpreter of their own."""

import pytest

from tests.shared.wiring.program import WEBHOOK, run, run_alone

MADE = """
import asyncio, sys
from shared.wiring import webhook

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
    done = run("import shared.wiring.webhook", {})
    assert done.returncode == 1
    first, *lines = done.stderr.splitlines()
    assert first == "lull cannot start."
    assert lines[0].startswith("GOOGLE_CLOUD_PROJECT is not set: it is the Google Cloud project")
    assert all(" is not set: it is " in line for line in lines)


@pytest.mark.parametrize("value", ["fast", "-1", "1e9", "nan", "1,5", "yes"])
def test_a_wrong_setting_is_told_in_one_line_without_its_value(value: str) -> None:
    done = run("import shared.wiring.webhook", WEBHOOK | {"LULL_QUIET_PRIVATE_S": value})
    assert done.returncode == 1
    first, line = done.stderr.splitlines()
    assert first == "lull cannot start."
    assert line.startswith("LULL_QUIET_PRIVATE_S is wrong (write a number")
    assert line.endswith("before a private chat is answered. Example: LULL_QUIET_PRIVATE_S=1.5")


def test_any_other_error_has_its_traceback() -> None:
    done = run("import shared.wiring\n1 / 0", WEBHOOK)
    assert done.stderr.splitlines()[-1] == "ZeroDivisionError: division by zero"


def test_what_looks_misspelt_is_logged_and_stops_nothing() -> None:
    odd = {"LULL_QUIET_PRIVAT_S": "9", "lull_later_s": "5", "LULL_MEDIA_BUDGET": "3", "LULL_NOTHING_LIKE_IT": "x"}
    done = run("import shared.wiring.webhook", WEBHOOK | odd)
    ignored = "is not a setting of this function and is ignored. Did you mean"
    assert done.stdout.splitlines() == [
        f"WARNING: LULL_QUIET_PRIVAT_S {ignored} LULL_QUIET_PRIVATE_S?",
        f"WARNING: lull_later_s {ignored} LULL_LATER_S?",
    ]
    assert (done.returncode, done.stderr) == (0, "")


def test_the_secret_is_the_settings() -> None:
    done = run("from shared.wiring.webhook import SECRET; print(SECRET)", WEBHOOK)
    assert done.stdout == "hush\n"


def test_an_agent_whose_persona_went_away_takes_no_name_from_the_others() -> None:
    said = "from shared.wiring.webhook import receiver; print(receiver().names['moss'].called)"
    done = run(said, WEBHOOK | {"LULL_AGENTS": "gone,moss"})
    assert (done.stderr, done.stdout) == ("", "('Moss',)\n")

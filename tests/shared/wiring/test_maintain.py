"""The parts of the deployment's upkeep, put together in an interpreter of their own."""

import pytest

from tests.shared.wiring.program import MAINTAIN, run, run_alone

MADE = """
import asyncio, sys
from shared.wiring import maintain

async def main() -> None:
    assert maintain.jobs() is maintain.jobs()
    sender, registrar = maintain._sender(), maintain._registrar()
    print(list(maintain.jobs()), maintain.CLOCK, sorted(sender.agents), sorted(registrar.accounts))
    print(sender, registrar, maintain.SETTINGS)

asyncio.run(main())
print(sorted({"botocore"} & {n.split(".")[0] for n in sys.modules}), {"google.genai"} & sys.modules.keys())
"""


def test_it_is_made_once_of_its_settings_and_shows_no_secret() -> None:
    done = run_alone(MADE, MAINTAIN)
    assert done.stderr == ""
    said = done.stdout.splitlines()
    assert said[0] == "['register', 'canary'] clock@p.iam.gserviceaccount.com ['lull'] ['lull']"
    assert said[-1] == "[] set()"
    assert "hush" not in done.stdout
    assert "123:token" not in done.stdout


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("LULL_CLOCK", "", "LULL_CLOCK is not set"),
        ("LULL_WEBHOOK_URL", "", "LULL_WEBHOOK_URL is not set"),
        ("LULL_WEBHOOK_URL", "https://w.example/lull", "LULL_WEBHOOK_URL is wrong"),
    ],
)
def test_it_does_not_start_without_who_calls_it_and_where_bots_go(name: str, value: str, said: str) -> None:
    done = run("import shared.wiring.maintain", MAINTAIN | {name: value})
    assert done.returncode == 1
    assert said in done.stderr

"""The probes of a tick, built in an interpreter of their own."""

from tests.shared.wiring.program import TICK, run

MADE = """
import asyncio
from shared.wiring.tick_probes import probes
from shared.values.canary import ProbeOrder

async def main() -> None:
    for has_takeout in (False, True):
        order = ProbeOrder(job="probe", run="7", has_takeout=has_takeout)
        print([(one.step.value, one.agent) for one in probes(order)])

asyncio.run(main())
"""
OWN = [("model", ""), ("vectors", ""), ("Telegram", "lull")]


def test_it_probes_what_its_settings_give_it() -> None:
    done = run(MADE, TICK)
    assert (done.stderr, done.stdout) == ("", f"{OWN}\n{OWN}\n")
    done = run(MADE, TICK | {"LULL_READER_URL": "http://reader.example", "LULL_TAKEOUT_BUCKET": "kept"})
    read = [*OWN, ("reading", "")]
    assert (done.stderr, done.stdout) == ("", f"{read}\n{[*read, ('bucket of takeouts', '')]}\n")

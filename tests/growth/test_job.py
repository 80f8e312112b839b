"""One more scheduled job is its module with its test, a line where jobs are made, and its entry in the timetable.

Its resource in Terraform is tested in test_inventory.py.
"""

from tests.growth.scratch import Changes, Growth, Scratch

MODULE = '''
"""Count: how many agents there are."""

from collections.abc import Collection, Mapping

from shared.values.job_run import JobRun


async def count(agents: Collection[str], job_run: JobRun) -> Mapping[str, int]:
    """The number of agents."""
    return {"agents": len(agents)}
'''
TEST = '''
"""The agents are counted."""

from shared.upkeep.jobs.count import count
from shared.values.job_run import JobRun


async def test_they_are_counted() -> None:
    assert await count({"lull", "moss"}, JobRun(scheduled_for="now")) == {"agents": 2}
'''
MADE = '        "archive": _archive,\n'
NEW_MADE = '        "count": partial(count, AGENTS),\n'
IMPORTED = "from shared.upkeep.jobs.probe import "
NEW_IMPORTED = "from shared.upkeep.jobs.count import count\n"
ENTRY = "  - name: register\n"
NEW_ENTRY = """  - name: count
    description: Counts the agents.
    schedule: "0 5 * * *"
    time_zone: Etc/UTC
    function: summarize
    body: { job: count }
    attempt_deadline: 180s

"""
#: the job is fired by its entry, and run by the function
PROBE = '''
from infra.functions import declared_functions
from infra.schedules import SCHEDULES, read_jobs
from tests.shared.wiring.program import SUMMARIZE, run

RUN = """
import asyncio
from shared.values.job_run import JobRun
from shared.wiring.summarize import jobs

async def main() -> None:
    print(dict(await jobs()["count"](JobRun(scheduled_for="now"))))

asyncio.run(main())
"""


def test_the_timetable_has_it_and_the_function_runs_it() -> None:
    (job,) = [job for job in read_jobs(SCHEDULES, declared_functions()) if job.name == "count"]
    assert (job.function, job.body) == ("summarize", {"job": "count"})
    done = run(RUN, SUMMARIZE)
    assert done.stdout.splitlines()[-1] == "{'agents': 2}", done.stderr
'''


def _add(scratch: Scratch) -> None:
    scratch.adds("shared/upkeep/jobs/count.py", MODULE)
    scratch.adds("tests/shared/upkeep/jobs/test_count.py", TEST)
    scratch.edits("shared/wiring/summarize.py", MADE, NEW_MADE + MADE)
    scratch.edits("shared/wiring/summarize.py", IMPORTED, NEW_IMPORTED + IMPORTED)
    scratch.edits("infra/schedules.yaml", ENTRY, NEW_ENTRY + ENTRY)


TESTS = (
    "tests/shared/upkeep/jobs/test_count.py",
    "tests/shared/wiring/test_summarize.py",
    "tests/infra/test_schedules.py",
)
GROWTH = Growth(add=_add, path="tests/shared/wiring/test_probe.py", probe=PROBE, tests=TESTS)


def test_a_job_is_its_module_a_line_and_an_entry(changes: Changes) -> None:
    assert changes[GROWTH.path] == [
        "infra/schedules.yaml",
        "shared/upkeep/jobs/count.py",
        "shared/wiring/summarize.py",
        "tests/shared/upkeep/jobs/test_count.py",
    ]

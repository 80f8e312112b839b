"""The scheduled function's parts, put together in an interpreter of their own."""

from tests.shared.wiring.program import SUMMARIZE, run, run_alone

#: the jobs that are known here; there may be others
KNOWN = ["sweep", "notes", "note", "title", "summarize", "archive", "take_out"]
MADE = (
    f"KNOWN = {KNOWN}"
    + """
import asyncio, sys
from shared.wiring import now, summarize

async def main() -> None:
    made = summarize.jobs()
    assert made is summarize.jobs()
    sweeper = summarize._sweeper(summarize.FirestoreSweep(summarize.SETTINGS.project))
    print([name for name in made if name in KNOWN])
    print(list(sweeper.finders), sorted(sweeper.agents), sweeper.grace.total_seconds())
    print(sweeper.limits.documents % sweeper.limits.page, now().tzinfo)

asyncio.run(main())
ours = [name for name in sys.modules if name.startswith("shared.")]
assert len(ours) <= 70, len(ours)
heavy = {"botocore", "telegram", "httpx", "ulid", "json5", "yaml"} & {n.split(".")[0] for n in sys.modules}
print(sorted(heavy), {"google.genai", "google.cloud.storage"} & sys.modules.keys())
"""
)


def test_it_is_made_once_of_its_settings_and_without_what_it_does_not_need() -> None:
    done = run_alone(MADE, SUMMARIZE | {"LULL_SWEEP_GRACE_S": "200"})
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        str(KNOWN),
        "['unread', 'overdue', 'reminders', 'lent'] ['lull', 'moss'] 200.0",
        "0 UTC",
        "[] set()",
    ]


def test_a_deployment_whose_agents_are_misspelled_does_not_start() -> None:
    done = run("import shared.wiring.summarize", SUMMARIZE | {"LULL_AGENTS": "lul"})
    assert done.returncode == 1
    assert "LULL_AGENTS names no agent that has a persona in agents" in done.stderr

"""Budget services, built from settings and personas in an interpreter of their own."""

from tests.shared.wiring.program import SUMMARIZE, run

MADE = """
import asyncio
from google.cloud.firestore_v1.async_client import AsyncClient
from shared.planning.personas.files import load_fronts
from shared.wiring.spending import budget_backend, job_budget_service
from shared.wiring.summarize import SETTINGS

async def main() -> None:
    client, fronts = AsyncClient(project=SETTINGS.project), load_fronts(SETTINGS.agent_folders)
    terms = job_budget_service(SETTINGS, fronts, client).terms
    print(terms.is_on, terms.deployment.day_usd, terms.deployment.month_usd, terms.shards, sorted(terms.agents))
    backend = budget_backend(SETTINGS, fronts, client, None)
    print(backend.terms == terms, backend.accounts.shards)

asyncio.run(main())
"""


def test_a_forgotten_deployment_costs_a_few_dollars_a_month() -> None:
    done = run(MADE, SUMMARIZE)
    assert done.stderr == ""
    assert done.stdout == "True 1.0 5.0 1 ['librarian', 'lull', 'moss', 'tutor']\nTrue 1\n"


def test_limits_may_be_large_or_none() -> None:
    assert run(MADE, SUMMARIZE | {"LULL_DAY_USD": "80", "LULL_MONTH_USD": "no"}).stdout.startswith("True 80.0 None 8 ")
    assert run(MADE, SUMMARIZE | {"LULL_LIMITS": "no"}).stdout.startswith("False ")
    few = run(MADE, SUMMARIZE | {"LULL_DAY_USD": "80", "LULL_DAY_MESSAGES": "5"})
    assert few.stdout.startswith("True 80.0 5.0 1 "), "messages of all are counted in one document"
    most = run(MADE, SUMMARIZE | {"LULL_DAY_USD": "1000000", "LULL_DAY_MESSAGES": "10000000"})
    assert most.stdout.startswith("True 1000000.0 "), "whatever a setting takes is a limit"
    wrong = run(MADE, SUMMARIZE | {"LULL_MONTH_MESSAGES": "-1"})
    assert "LULL_MONTH_MESSAGES" in wrong.stderr
    assert "write a number of messages" in wrong.stderr

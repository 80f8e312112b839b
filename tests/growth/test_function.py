"""One more function is four files, besides the tests of its two modules and the page that lists its rights.

Its resources in Terraform are tested in test_inventory.py.
"""

from tests.growth.scratch import Changes, Growth, Scratch

MAIN = '''
"""The greeting: says which agents there are."""

import functions_framework.aio
from starlette.requests import Request
from starlette.responses import Response

from shared.wiring.greet import AGENTS


@functions_framework.aio.http
async def greet(request: Request) -> Response:
    """The agents' names."""
    return Response(" ".join(sorted(AGENTS)))
'''
WIRING = '''
"""The greeting's parts."""

from shared.wiring import begin
from shared.wiring.settings import AgentsSettings

SETTINGS = begin(AgentsSettings)
AGENTS = SETTINGS.agent_names
'''
TEST = '''
"""The greeting is what it is called."""

from infra.bundle import ROOT


def test_its_function_has_its_name() -> None:
    assert "async def greet(" in (ROOT / "functions" / "greet" / "main.py").read_text()
'''
WIRING_TEST = '''
"""The greeting's parts, put together in an interpreter of their own."""

from tests.shared.wiring.program import SUMMARIZE, run


def test_it_knows_the_agents() -> None:
    assert run("from shared.wiring.greet import AGENTS; print(*sorted(AGENTS))", SUMMARIZE).stdout == "lull moss\\n"
'''
ENTRY = "  summarize:\n"
NEW_ENTRY = """  greet:
    description: Says which agents there are.
    settings: AgentsSettings
    called_by: [schedule]
    given: [LULL_AGENTS]
    database: inbox
    limits: { memory: 512Mi, timeout_s: 30, concurrency: 4, max_instances: 1 }
    packages: summarize

"""
RIGHT = '    "lull-summarize: lull_sweep on the project, for the database",\n'
NEW_RIGHTS = """    "lull-greet: lull_inbox on the project, for the database",
    "lull-clock-greet: roles/run.invoker on lull-greet",
"""
ROW = "| lull-summarize | lull_sweep on the project, for the database |"
NEW_ROWS = """| lull-greet | lull_inbox on the project, for the database | know the chats |
| lull-clock-greet | roles/run.invoker on lull-greet | scheduled work |
"""
#: the function is declared, bundled with its imports, run from the bundle alone, and part of the local cloud
PROBE = '''
import subprocess
import sys
from pathlib import Path

from infra.bundle import function_names, stage
from local.parts import FUNCTIONS
from tests.shared.wiring.program import SUMMARIZE

RUN = """
import asyncio, main
from starlette.requests import Request

print(asyncio.run(main.greet(Request({"type": "http", "method": "POST", "headers": []}))).body.decode())
"""


def test_it_is_declared_for_everybody() -> None:
    assert "greet" in function_names()
    assert "greet" in FUNCTIONS


def test_it_runs_from_its_bundle_alone(tmp_path: Path) -> None:
    staged = stage("greet", tmp_path)
    assert "google-cloud-firestore" in (staged / "requirements.txt").read_text()
    env = {"PYTHONPATH": str(staged), **SUMMARIZE}
    done = subprocess.run([sys.executable, "-c", RUN], cwd=staged, env=env, capture_output=True, text=True, check=False)
    assert done.stdout == "lull moss\\n", done.stderr
'''
#: files that every new module and right needs as well: the page of rights, and the tests of new modules
BESIDE = (
    "docs/security.md",
    "tests/functions/greet/__init__.py",
    "tests/functions/greet/test_main.py",
    "tests/shared/wiring/test_greet.py",
)


TESTS = (
    "tests/infra/test_functions.py",
    "tests/local/test_parts.py",
    "tests/local/test_confining.py::test_a_function_has_the_secrets_that_it_has_in_the_cloud",
    "tests/docs/test_security.py",
    *BESIDE[2:],
)


def _add(scratch: Scratch) -> None:
    scratch.adds("functions/greet/main.py", MAIN)
    scratch.adds("shared/wiring/greet.py", WIRING)
    scratch.edits("infra/functions.yaml", ENTRY, NEW_ENTRY + ENTRY)
    scratch.edits("tests/infra/policy.py", RIGHT, NEW_RIGHTS + RIGHT)
    scratch.edits("docs/security.md", ROW, NEW_ROWS + ROW)
    scratch.adds("tests/functions/greet/__init__.py", "")
    scratch.adds("tests/functions/greet/test_main.py", TEST)
    scratch.adds("tests/shared/wiring/test_greet.py", WIRING_TEST)


GROWTH = Growth(add=_add, path="tests/infra/test_probe.py", probe=PROBE, tests=TESTS)


def test_a_function_is_an_entry_point_its_parts_its_declaration_and_its_rights(changes: Changes) -> None:
    assert [path for path in changes[GROWTH.path] if path not in BESIDE] == [
        "functions/greet/main.py",
        "infra/functions.yaml",
        "shared/wiring/greet.py",
        "tests/infra/policy.py",
    ]

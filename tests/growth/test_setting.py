"""One more setting is a field, the row of the page that tells it, and a word where deployments may set it."""

from tests.growth.scratch import Changes, Growth, Scratch

FIELD = '''    streaming: bool = setting(
        "LULL_STREAMING"'''
NEW = """    greeting: str = setting("LULL_GREETING", "what is said first", "Hello!", "Hi!")
"""
ROW = "| `LULL_STREAMING` |"
NEW_ROW = "| `LULL_GREETING` | what is said first | `Hi!` | `Hello!` |\n"
#: that a deployment may set it
OPTIONAL = "      - LULL_JUDGE_MODEL\n"
NEW_OPTIONAL = "      - LULL_GREETING\n"
PROBE = """
import os

from shared.declaring import declared_settings
from shared.settings import settings_from
from shared.tick_settings import TickSettings


def test_it_is_read_and_has_its_default() -> None:
    needed = {s.name: s.example for s in declared_settings(TickSettings).values() if s.is_required}
    agents = {"LULL_AGENTS_PATH": os.path.abspath("agents"), "GEMINI_API_KEY": "key"}
    assert settings_from(TickSettings, {**needed, **agents}).greeting == "Hi!"
    assert settings_from(TickSettings, {**needed, **agents, "LULL_GREETING": "Good day"}).greeting == "Good day"
"""


def _add(scratch: Scratch) -> None:
    scratch.edits("shared/tick_settings.py", FIELD, NEW + FIELD)
    scratch.edits("docs/configuration.md", ROW, NEW_ROW + ROW)
    scratch.edits("infra/functions.yaml", OPTIONAL, NEW_OPTIONAL + OPTIONAL)


TESTS = ("tests/docs/test_configuration.py", "tests/shared/test_settings.py")
GROWTH = Growth(add=_add, path="tests/shared/test_probe.py", probe=PROBE, tests=TESTS)


def test_a_setting_is_a_field_and_a_row(changes: Changes) -> None:
    assert changes[GROWTH.path] == ["docs/configuration.md", "infra/functions.yaml", "shared/tick_settings.py"]

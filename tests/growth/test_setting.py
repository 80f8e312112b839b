"""One more setting is a field, its row in the documentation, and a word in the list of settings for deployments."""

from tests.growth.scratch import Changes, Growth, Scratch

FIELD = "    streaming: Switch = setting("
NEW = """    greeting: Text = setting("what is said first", "Hello!", "Hi!")
"""
ROW = "| `LULL_STREAMING` |"
NEW_ROW = "| `LULL_GREETING` | what is said first | `Hi!` | `Hello!` |\n"
#: the list of settings that a deployment may set
OPTIONAL = "      - LULL_JUDGE_MODEL\n"
NEW_OPTIONAL = "      - LULL_GREETING\n"
PROBE = """
import os

from shared.wiring.settings.model_functions import TickSettings


def test_it_is_read_and_has_its_default() -> None:
    given = {**TickSettings.needed_examples(), "LULL_AGENTS_PATH": os.path.abspath("agents")}
    assert TickSettings.from_environment(given).greeting == "Hi!"
    assert TickSettings.from_environment({**given, "LULL_GREETING": "Good day"}).greeting == "Good day"
"""


def _add(scratch: Scratch) -> None:
    scratch.edits("shared/wiring/settings/model_functions.py", FIELD, NEW + FIELD)
    scratch.edits("docs/configuration.md", ROW, NEW_ROW + ROW)
    scratch.edits("infra/functions.yaml", OPTIONAL, NEW_OPTIONAL + OPTIONAL)


TESTS = ("tests/docs/test_configuration.py", "tests/shared/test_settings.py")
GROWTH = Growth(add=_add, path="tests/shared/test_probe.py", probe=PROBE, tests=TESTS)


def test_a_setting_is_a_field_and_a_row(changes: Changes) -> None:
    changed = ["docs/configuration.md", "infra/functions.yaml", "shared/wiring/settings/model_functions.py"]
    assert changes[GROWTH.path] == changed

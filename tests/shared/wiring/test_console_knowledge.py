"""What the console knows of other functions' settings."""

from tests.shared.wiring.program import BASE, run

MADE = """
from shared.wiring.console import SETTINGS
from shared.wiring.console_views import knowledge_of
known = knowledge_of(SETTINGS)
print(known.models, repr(known.notes_model), known.media_model, known.person_memories)
print(sorted((span.value, days.days, known.summary_tokens[span]) for span, days in known.summary_every.items()))
"""
OWN = {"LULL_CONSOLE_SECRET": "secret-of-tests", "LULL_CONSOLE_DOOR": "the-door-of-tests", "LULL_AGENTS": "lull"}


def test_it_shows_what_other_functions_go_by() -> None:
    env = {"LULL_NOTES_MODEL": "no", "LULL_PERSON_MEMORIES": "70", "LULL_SUMMARY_7DAY_EVERY_DAYS": "2"}
    done = run(MADE, BASE | OWN | env)
    assert done.stderr == ""
    first, second = done.stdout.splitlines()
    assert first == "('gemini-3.8-flash', 'gemini-3.5-flash-lite') '' gemini-3.5-flash-lite 70"
    assert second == "[('30day', 14, 4096), ('7day', 2, 1024)]"


def test_other_models_are_those_that_are_set() -> None:
    done = run(MADE, BASE | OWN | {"LULL_MODEL": "ollama:qwen3", "LULL_MODELS": "ollama:gemma3, gemini-3.6-flash"})
    assert done.stdout.startswith("('ollama:qwen3', 'ollama:gemma3', 'gemini-3.6-flash')")
    assert done.stderr == ""

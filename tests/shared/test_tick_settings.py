"""What the tick is told by its settings of the models that a conversation may use."""

import pytest

from shared.declaring import declared_settings, read_from
from shared.settings import LITE
from shared.tick_settings import TickSettings

NEEDED = {s.name: s.example for s in declared_settings(TickSettings).values() if s.is_required or s.unless}


@pytest.mark.parametrize(
    ("model", "models", "offered"),
    [
        ("gemini-3.8-flash", "", ("gemini-3.8-flash", LITE)),
        ("gemini-3.8-flash", "a, b,a", ("gemini-3.8-flash", "a", "b")),
        ("qwen", "", ("qwen",)),
    ],
)
def test_the_model_that_plans_is_offered_first(model: str, models: str, offered: tuple[str, ...]) -> None:
    found = read_from(TickSettings, NEEDED | {"LULL_MODEL": model, "LULL_MODELS": models})
    assert found.offered_models == offered

"""The formats of a prompt, under the names that the setting accepts."""

import pytest

from shared.values.prompt_format import PromptFormat
from shared.wiring.settings.model_functions import TickSettings


@pytest.mark.parametrize("format", PromptFormat)
def test_the_setting_takes_each_by_its_name(format: PromptFormat) -> None:
    given = {**TickSettings.needed_examples(), "LULL_PROMPT_FORMAT": format.value}
    assert TickSettings.from_environment(given).prompt_format is format

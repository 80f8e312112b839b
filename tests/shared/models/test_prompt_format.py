"""The formats of a prompt, under the names that the setting takes."""

import pytest

from shared.declaring import declared_settings, read_from
from shared.models.prompt_format import PromptFormat
from shared.tick_settings import TickSettings


@pytest.mark.parametrize("format", PromptFormat)
def test_the_setting_takes_each_by_its_name(format: PromptFormat) -> None:
    needed = {s.name: s.example for s in declared_settings(TickSettings).values() if s.is_required or s.unless}
    assert read_from(TickSettings, {**needed, "LULL_PROMPT_FORMAT": format.value}).prompt_format is format

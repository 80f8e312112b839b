"""The settings of the scheduled function."""

import pytest

from shared.settings import settings_from
from shared.summarize_settings import SummarizeSettings
from tests.shared.bootstrap.program import SUMMARIZE
from tests.shared.test_settings import complaint


@pytest.mark.parametrize("value", ["0", "-1", "nan", "S3CRET"])
def test_a_grace_is_some_time(value: str) -> None:
    assert "LULL_SWEEP_GRACE_S is wrong (" in complaint(SummarizeSettings, SUMMARIZE | {"LULL_SWEEP_GRACE_S": value})


def test_the_agents_are_those_that_are_named_and_have_a_persona() -> None:
    found = settings_from(SummarizeSettings, SUMMARIZE | {"LULL_AGENTS": " moss, gone,,lull,"})
    assert found.agent_names == {"lull", "moss"}

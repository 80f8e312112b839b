"""The settings of the deployment's upkeep."""

import pytest

from shared.errors import SettingsWrong
from shared.maintain_settings import MaintainSettings
from shared.settings import settings_from
from tests.shared.bootstrap.program import MAINTAIN


def test_they_are_read_and_hide_what_is_secret() -> None:
    found = settings_from(MaintainSettings, MAINTAIN)
    assert (found.clock, found.webhook_url) == ("clock@p.iam.gserviceaccount.com", "http://webhook.example")
    assert "hush" not in repr(found)
    assert "123:token" not in repr(found)


@pytest.mark.parametrize(
    "url", ["w.example", "https://w.example/path", "https://w.example?x", "ftp://w.example", "https://"]
)
def test_bots_are_sent_to_a_functions_address_alone(url: str) -> None:
    with pytest.raises(SettingsWrong, match="LULL_WEBHOOK_URL is wrong"):
        settings_from(MaintainSettings, MAINTAIN | {"LULL_WEBHOOK_URL": url})

"""The settings of the reader."""

import pytest

from shared.errors import SettingsWrong
from shared.reader_settings import ReaderSettings
from shared.settings import settings_from
from tests.shared.bootstrap.program import BASE


def test_hosts_are_named_with_commas_between_them() -> None:
    env = BASE | {"LULL_READER_PRIVATE_HOSTS": "Wiki.lan, 10.0.0.7:8080,", "LULL_READER_REFUSED_HOSTS": "a.example"}
    found = settings_from(ReaderSettings, env)
    assert set(found.private_hosts) == {"wiki.lan", "10.0.0.7:8080"}
    assert (set(found.hosts), set(found.refused_hosts)) == (set(), {"a.example"})


@pytest.mark.parametrize("name", ["lull – mine", "lull\nX-Other: 1"])
def test_what_no_header_takes_is_no_name(name: str) -> None:
    with pytest.raises(SettingsWrong, match="LULL_READER_USER_AGENT is wrong"):
        settings_from(ReaderSettings, BASE | {"LULL_READER_USER_AGENT": name})


@pytest.mark.parametrize("hosts", ["https://a.example", "a.example/path", "user@a.example"])
def test_an_address_is_no_host(hosts: str) -> None:
    with pytest.raises(SettingsWrong, match="LULL_READER_HOSTS is wrong"):
        settings_from(ReaderSettings, BASE | {"LULL_READER_HOSTS": hosts})

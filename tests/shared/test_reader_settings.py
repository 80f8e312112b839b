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


@pytest.mark.parametrize(
    "hosts",
    [
        "https://a.example",
        "a.example/path",
        "user@a.example",
        "*.a.example",
        ".a.example",
        "a.example.",
        "a.example b.example",
        "a.example;b.example",
        '"a.example"',
        "bücher.example",
    ],
)
@pytest.mark.parametrize("name", ["LULL_READER_HOSTS", "LULL_READER_REFUSED_HOSTS", "LULL_READER_PRIVATE_HOSTS"])
def test_what_no_page_has_is_no_host(name: str, hosts: str) -> None:
    with pytest.raises(SettingsWrong, match=f"{name} is wrong"):
        settings_from(ReaderSettings, BASE | {name: f"b.example,{hosts}"})


@pytest.mark.parametrize("name", ["LULL_READER_HOSTS", "LULL_READER_REFUSED_HOSTS"])
def test_a_public_host_has_no_port(name: str) -> None:
    with pytest.raises(SettingsWrong, match=f"{name} is wrong"):
        settings_from(ReaderSettings, BASE | {name: "a.example:8080"})


def test_numbers_and_names_in_ascii_are_hosts() -> None:
    given = {"LULL_READER_HOSTS": "10.0.0.7, A_b.example,xn--bcher-kva.de", "LULL_READER_PRIVATE_HOSTS": "::1,nas:8080"}
    found = settings_from(ReaderSettings, BASE | given)
    assert set(found.hosts) == {"10.0.0.7", "a_b.example", "xn--bcher-kva.de"}
    assert set(found.private_hosts) == {"::1", "nas:8080"}

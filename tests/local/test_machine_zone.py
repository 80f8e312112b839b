"""The time zone of this machine."""

from pathlib import Path

import pytest

from local.machine_zone import machine_zone


@pytest.mark.parametrize(
    ("told", "linked", "zone"),
    [
        ("Europe/Kyiv", "Europe/Berlin", "Europe/Kyiv"),
        (":Europe/Kyiv", "", "Europe/Kyiv"),
        ("", "Europe/Berlin", "Europe/Berlin"),
        ("", "America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
        ("CET-1CEST", "Europe/Berlin", "Europe/Berlin"),
        ("", "Etc/UTC", ""),
        ("UTC", "UTC", ""),
        ("Mars/Olympus", "", ""),
        ("", "", ""),
    ],
)
def test_it_is_that_of_tz_or_of_the_systems_link(tmp_path: Path, told: str, linked: str, zone: str) -> None:
    localtime = tmp_path / "localtime"
    if linked:
        file = tmp_path / "zoneinfo" / linked
        file.parent.mkdir(parents=True)
        file.write_bytes(b"")
        localtime.symlink_to(file)
    assert machine_zone({"TZ": told} if told else {}, localtime) == zone

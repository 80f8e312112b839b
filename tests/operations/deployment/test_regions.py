"""No region is in two lists, and each is valid in the configuration."""

import re

from operations.deployment.regions import OTHERS, REGIONS


def test_each_region_is_there_once_and_spelled_as_google_does() -> None:
    both = (*REGIONS, *OTHERS)
    assert len(set(both)) == len(both)
    assert all(re.fullmatch(r"[a-z]+-[a-z]+[0-9]+", region) for region in both)
    assert "europe-west1" in REGIONS

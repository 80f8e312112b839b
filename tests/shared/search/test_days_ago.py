"""Phrases for days before now."""

import re

from shared.search.days_ago import AGO, RELATIVE, UNITS


def test_every_phrase_has_a_unit_and_a_number() -> None:
    assert {unit for unit, _ in RELATIVE.values()} == set(UNITS.values()) == {"day", "week", "month", "year"}
    assert RELATIVE["last week"] == RELATIVE["letzte woche"] == ("week", 1)
    assert RELATIVE["вчора"] == ("day", 1)


def test_every_unit_that_a_pattern_names_is_known() -> None:
    names = {
        name for pattern in AGO for name in re.findall(r"[^\W\d_]+", pattern.partition("<unit>")[2].partition(")")[0])
    }
    assert names == set(UNITS)

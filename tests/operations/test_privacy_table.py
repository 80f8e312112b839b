"""The table in docs/privacy.md follows from the code."""

import re

from operations.privacy_table import PAGE, table, with_table
from shared.privacy.deletion.rules import DELETION_RULES
from shared.privacy.export.sources import SOURCES


def test_the_page_has_the_table_that_the_code_makes() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert with_table(page) == page, "`python -m operations.privacy_table` writes it anew"
    assert "nobody has decided it" not in page


def test_each_kind_has_a_row_and_each_file_of_an_export_is_in_it() -> None:
    rows = table().splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == [one.collection for one in DELETION_RULES]
    told = {name for row in rows for name in re.findall(r"`(\w+)`", row.rpartition(" | ")[2])}
    assert {one.name for one in SOURCES} - told == set()
    assert {kind for one in SOURCES for kind in one.of} <= {one.collection for one in DELETION_RULES}

"""Makes the table of collections in docs/privacy.md from the code that stores, deletes and exports them.

`python -m operations.privacy_table` writes the table into that page.
"""

from pathlib import Path
from typing import Final

from shared.privacy.places import StoredPlace, stored_places

PAGE: Final = Path(__file__).parents[1] / "docs" / "privacy.md"
BEGIN: Final = "<!-- the table below is written by `python -m operations.privacy_table` -->"
END: Final = "<!-- its end -->"


def table() -> str:
    """Return the table, one row for each collection."""
    head = ("kind", "content", "restored from an archive", "`/forget`", "`/export`")
    rows = (head, ("---",) * len(head), *map(_row, stored_places()))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _row(place: StoredPlace) -> tuple[str, ...]:
    files = ", ".join(f"`{name}`" for name in place.exported)
    return (f"`{place.collection}`", place.holds, place.restored, place.forgotten, files or "no")


def with_table(page: str) -> str:
    """Return the page with the current table in place of the old one. Raises ValueError unless BEGIN and END, which
    enclose the table, occur once each.
    """
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")

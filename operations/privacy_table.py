"""Makes the table of collections in docs/privacy.md from the code that stores, deletes and exports them.

`python -m operations.privacy_table` writes the table into that page.
"""

from pathlib import Path
from typing import Final

from shared.privacy.deletion.rules import DELETION_RULES, DeletionMethod, DeletionRule
from shared.privacy.document_files import Archived, rule_of
from shared.privacy.export.sources import SOURCES

PAGE: Final = Path(__file__).parents[1] / "docs" / "privacy.md"
BEGIN: Final = "<!-- the table below is written by `python -m operations.privacy_table` -->"
END: Final = "<!-- its end -->"
_FORGOTTEN: Final = {
    DeletionMethod.WITH_CHAT: "deleted or erased",
    DeletionMethod.WITH_CONVERSATION: "deleted or erased",
    DeletionMethod.DELETED: "deleted",
    DeletionMethod.STRIPPED: "sums remain, without the person",
    DeletionMethod.NAMED_BY_ID: "deleted",
    DeletionMethod.BY_STEP: "the person's data in it is deleted",
    DeletionMethod.NOTHING: "not deleted",
}
_RESTORED: Final = {Archived.WITH_CONVERSATION: "yes", Archived.WITH_KIND: "yes"}


def table() -> str:
    """Return the table, one row for each collection."""
    head = ("kind", "content", "restored from an archive", "`/forget`", "`/export`")
    rows = (head, ("---",) * len(head), *map(_row, DELETION_RULES))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _row(deletion: DeletionRule) -> tuple[str, ...]:
    archived = rule_of(deletion.collection)
    restored = "nobody has decided it" if archived is None else _RESTORED.get(archived.archived, f"no: {archived.why}")
    if archived is not None and archived.but:
        restored = f"{restored}, except {archived.but}"
    files = [f"`{one.name}`" for one in SOURCES if deletion.collection in one.of]
    return (f"`{deletion.collection}`", deletion.holds, restored, _FORGOTTEN[deletion.method], ", ".join(files) or "no")


def with_table(page: str) -> str:
    """Return the page with the current table. Raises ValueError if the page has no place for it."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")

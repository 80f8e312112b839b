"""The places in which lull stores data, and what `/forget` and `/export` do with each. The table of docs/privacy.md and
the console show them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from shared.privacy.deletion.rules import DELETION_RULES, DeletionMethod, DeletionRule
from shared.privacy.document_files import Archived, rule_of
from shared.privacy.export.sources import SOURCES

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


@dataclass(frozen=True, kw_only=True)
class StoredPlace:
    """A collection: its content, and how it is restored, forgotten and exported. `exported` lists names of files."""

    collection: str
    holds: str
    restored: str
    forgotten: str
    exported: Sequence[str]
    #: whether a deletion leaves it as it is
    is_kept: bool


def stored_places() -> tuple[StoredPlace, ...]:
    """Return all collections, in the order of the deletion rules."""
    return tuple(map(_place_of, DELETION_RULES))


def _place_of(rule: DeletionRule) -> StoredPlace:
    archived = rule_of(rule.collection)
    restored = "nobody has decided it" if archived is None else _RESTORED.get(archived.archived, f"no: {archived.why}")
    if archived is not None and archived.but:
        restored = f"{restored}, except {archived.but}"
    return StoredPlace(
        collection=rule.collection,
        holds=rule.holds,
        restored=restored,
        forgotten=_FORGOTTEN[rule.method],
        exported=tuple(one.name for one in SOURCES if rule.collection in one.of),
        is_kept=rule.method is DeletionMethod.NOTHING,
    )

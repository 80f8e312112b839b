"""Every collection has a rule that tells whether it is archived, and if not, why."""

import pytest

from shared.privacy.deletion.rules import DELETION_RULES
from shared.privacy.document_files import KINDS, RULES, Archived, rule_of


@pytest.mark.parametrize("collection", [one.collection for one in DELETION_RULES])
def test_it_is_decided_of_each_collection(collection: str) -> None:
    """Every path has a deletion rule (tests/shared/privacy/deletion/test_rules.py). It needs a rule for archives
    too.
    """
    assert rule_of(collection) is not None, (
        f"say in shared/privacy/document_files.py whether an archive has `{collection}`"
    )


def test_there_are_no_others_and_what_is_left_out_says_why() -> None:
    assert sorted(one.collection for one in RULES) == sorted(one.collection for one in DELETION_RULES)
    assert [one.collection for one in RULES if bool(one.why) != (one.archived is Archived.NOT)] == []
    assert set(KINDS) == {one.collection for one in RULES if one.archived is Archived.WITH_KIND}

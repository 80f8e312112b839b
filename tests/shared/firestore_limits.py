"""Firestore's limits of documents and commits, which its emulator does not keep: whoever commits in a test is held to
them (cloud.google.com/firestore/quotas).
"""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from shared.chat.store.writes import Write, document_bytes, index_entries

MIB = 1024 * 1024
LONGEST_DOCUMENT = MIB - 4
LARGEST_COMMIT = 10 * MIB
MOST_ENTRIES = 40_000
LARGEST_ENTRY = 7_680
LARGEST_INDEX = 8 * MIB

_FIELDS = Path(__file__).parents[2] / "infra" / "modules" / "datastore" / "fields.tf"


@cache
def unindexed(collection: str) -> frozenset[str]:
    """List the fields of a collection without automatic indexes in a deployment."""
    block = re.search(r"unindexed = \{(.*?)\n  \}", _FIELDS.read_text(), re.S)
    assert block is not None
    fields = re.search(rf"^ +{collection} += \[(.*?)\]", block[1], re.S | re.M)
    return frozenset(re.findall(r'"([^"]+)"', fields[1])) if fields is not None else frozenset()


def assert_within_limits(writes: Sequence[Write]) -> None:
    """Check that Firestore takes a commit: each document, its index entries, and the total size."""
    total = 0
    for write in writes:
        size = document_bytes(write)
        entries = list(index_entries(write, unindexed(write.path.split("/")[-2])))
        assert size <= LONGEST_DOCUMENT, f"{write.path} has {size} bytes"
        count, indexed = sum(one.count for one in entries), sum(one.total for one in entries)
        assert count <= MOST_ENTRIES, f"{write.path} has {count} index entries"
        assert indexed <= LARGEST_INDEX, f"{write.path} has {indexed} bytes of index entries"
        largest = max((one.largest for one in entries), default=0)
        assert largest <= LARGEST_ENTRY, f"{write.path} has an index entry of {largest} bytes"
        total += size + indexed
    assert total <= LARGEST_COMMIT, f"a commit of {len(writes)} documents has {total} bytes"

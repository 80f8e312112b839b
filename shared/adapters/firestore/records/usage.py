"""Records of what allowances were used for."""

from collections.abc import Iterator

from shared.adapters.firestore import paths
from shared.adapters.firestore.usage import encode_usage
from shared.adapters.firestore.writes import Commit, Mode, Write, writes_of
from shared.records import SpentAllowance


@writes_of.register
def _spent_allowance(record: SpentAllowance, _: Commit) -> Iterator[Write]:
    path = paths.usage_path(record.usage.id)
    yield Write(path=path, document=encode_usage(record.usage), mode=Mode.SET)

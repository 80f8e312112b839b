"""Records of what allowances were used for."""

from collections.abc import Iterator

from shared.chat.records import SpentAllowance
from shared.chat.store import paths
from shared.chat.store.writes import Commit, Mode, Write, writes_of
from shared.spending.store.usage import encode_usage


@writes_of.register
def _spent_allowance(record: SpentAllowance, _: Commit) -> Iterator[Write]:
    path = paths.usage_path(record.usage.id)
    yield Write(path=path, document=encode_usage(record.usage), mode=Mode.SET)

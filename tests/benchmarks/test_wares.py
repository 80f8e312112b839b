"""Files of measures have the stated kinds, and no two look the same to a model."""

import pytest

from benchmarks.wares import SORTS, STICKERS
from shared.reader.decode.prepare import prepare_file

SORTED = {**SORTS, **STICKERS}


@pytest.mark.parametrize("name", SORTED)
def test_each_file_is_opened_and_none_is_like_another(name: str) -> None:
    wares = [SORTED[name].ware(number) for number in range(3)]
    made = [prepare_file(ware.kind, "", ware.content) for ware in wares]
    assert [one.problem for one in made] == ["", "", ""]
    assert len({(tuple(part.content for part in one.parts), one.text) for one in made}) == 3
    assert {ware.kind for ware in wares} == {SORTED[name].kind}

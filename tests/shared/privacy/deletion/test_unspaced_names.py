"""Names in scripts without spaces."""

from shared.privacy.deletion.name_parts import PersonName
from shared.privacy.deletion.unspaced_names import parts_of, unspaced_spans


def test_a_name_is_known_without_the_family_too() -> None:
    assert parts_of("王小明") == ["王小明", "小明", "王"]
    assert parts_of("欧阳娜娜")[1:] == ["娜娜", "欧阳"]
    assert parts_of("김민수") == ["김민수", "민수"]


def test_a_name_within_somebody_elses_stays() -> None:
    theirs, others = [PersonName("李明")], [PersonName("李明月")]
    assert list(unspaced_spans("李明月和李明", theirs, others, ["李明"])) == [(4, 6)]

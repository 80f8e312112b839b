"""Hand-written descriptions: which one wins, and errors in their files."""

import json
from pathlib import Path
from typing import Any

import pytest

from shared.base.errors import InvalidPersona
from shared.planning.personas.media import load_curated

FROG = {
    "unique_id": "901422453274706125",
    "kind": "sticker",
    "sticker_set_name": "MrRibbit",
    "sticker_name": "💻",
    "description": "A cartoon frog with a grumpy expression.",
}
BY_ID = ("", "901422453274706125")


def written(folder: Path, name: str, **changes: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(json.dumps(FROG | changes, indent=1, ensure_ascii=False))
    return file


def test_an_agents_own_come_first_and_then_the_folders_in_their_order(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    written(first / "media", "a.json", description="shared, first")
    written(second / "media", "b.json", description="shared, second")
    assert load_curated((first, second), ["lull"])["lull"][BY_ID].description == "shared, first"
    written(second / "lull" / "media", "c.json", description="own, second")
    found = load_curated((first, second), ["lull", "moss"])
    assert found["lull"][BY_ID].description == "own, second"
    assert found["lull"]["mrribbit", "💻"].description == "own, second"
    assert found["moss"][BY_ID].description == "shared, first"
    written(first / "lull" / "media", "d.json", description="own, first")
    assert load_curated((first, second), ["lull"])["lull"][BY_ID].description == "own, first"
    assert load_curated((tmp_path / "nothing",), ["lull"]) == {"lull": {}}


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("{", 1, "not JSON"),
        ('{\n"kind": }', 2, "not JSON"),
        ("[]", 1, "write one object with unique_id, kind, sticker_set_name, sticker_name, description"),
        ("[" * 100_000, 1, "the file is not JSON in UTF-8"),
        ("{}", 1, "kind: Field required"),
        ('{"unique_id": "u",\n"kind": "hat", "description": "x"}', 2, "kind: Input should be 'photo', 'sticker'"),
        ('{"unique_id": "u", "kind": "photo"}', 1, "description: Field required"),
        ('{"unique_id": 5, "kind": "photo", "description": "x"}', 1, "unique_id: Input should be a valid string"),
        ('{"kind": "photo", "description": "x"}', 1, "unique_id: no file is named"),
        ('{"unique_id": "u", "kind": "photo",\n"descriptoin": "x", "description": "y"}', 2, "descriptoin: Extra"),
    ],
)
def test_what_is_wrong_is_told_with_file_line_and_field(tmp_path: Path, text: str, line: int, why: str) -> None:
    (tmp_path / "media").mkdir()
    (tmp_path / "media" / "frog.json").write_text(text)
    with pytest.raises(InvalidPersona) as caught:
        load_curated((tmp_path,), ["lull"])
    assert (caught.value.file, caught.value.line) == (tmp_path / "media" / "frog.json", line)
    assert caught.value.why.startswith(why)


def test_two_files_of_a_folder_cannot_describe_the_same(tmp_path: Path) -> None:
    written(tmp_path / "media", "a.json")
    written(tmp_path / "media", "b.json", unique_id="another")
    with pytest.raises(InvalidPersona, match=r"b.json:5: sticker_name: a.json already describes this file"):
        load_curated((tmp_path,), ["lull"])
    (tmp_path / "media" / "b.json").write_bytes(b"\xff")
    with pytest.raises(InvalidPersona, match="not JSON in UTF-8"):
        load_curated((tmp_path,), ["lull"])

"""A persona's photos, and errors in their index."""

import json
from pathlib import Path

import pytest

from shared.base.errors import InvalidPersona
from shared.planning.personas.load import LARGEST, MOST, load_photos
from shared.values.agent import OwnPhoto

HERON = {"id": "heron", "file": "heron.jpg", "description": "A heron in the reeds."}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "heron.jpg").write_bytes(b"a picture")
    (tmp_path / "empty.png").write_bytes(b"")
    with (tmp_path / "huge.png").open("wb") as huge:
        huge.truncate(LARGEST + 1)
    return tmp_path


def test_photos_are_read_with_their_files(folder: Path) -> None:
    assert load_photos(folder) == ()
    (folder / "index.json").write_text(json.dumps([HERON]))
    found = OwnPhoto(id="heron", file=folder / "heron.jpg", description="A heron in the reeds.")
    assert load_photos(folder) == (found,)


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("[{]", "not JSON"),
        ("{}", "write a list of at most"),
        (json.dumps([HERON] * (MOST + 1)), "write a list of at most"),
        ('["heron"]', "photo 1 must have exactly id, file, description"),
        (json.dumps([HERON | {"title": "x"}]), "photo 1 must have exactly"),
        (json.dumps([HERON | {"file": "../heron.jpg"}]), "photo 1, file: name a file in this folder"),
        (json.dumps([HERON | {"file": "heron.exe"}]), "photo 1, file: name a file in this folder"),
        (json.dumps([HERON | {"file": "gone.jpg"}]), "photo 1, file: gone.jpg is missing"),
        (json.dumps([HERON | {"file": "empty.png"}]), "empty or larger"),
        (json.dumps([HERON | {"file": "huge.png"}]), "empty or larger"),
        (json.dumps([HERON | {"id": "A heron"}]), "photo 1, id: "),
        (json.dumps([HERON | {"description": ""}]), "photo 1, description: "),
        (json.dumps([HERON | {"description": 5}]), "photo 1, description: "),
        (json.dumps([HERON, HERON]), "photo 2, id: another photo already has 'heron'"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_field(folder: Path, written: str, why: str) -> None:
    (folder / "index.json").write_text(written)
    with pytest.raises(InvalidPersona, match=why) as caught:
        load_photos(folder)
    assert caught.value.file == folder / "index.json"


def test_the_line_is_that_of_the_photo(folder: Path) -> None:
    (folder / "index.json").write_text(f"[\n{json.dumps(HERON)},\n{json.dumps(HERON | {'id': '?'})}\n]")
    with pytest.raises(InvalidPersona, match="photo 2, id") as caught:
        load_photos(folder)
    assert caught.value.line == 3

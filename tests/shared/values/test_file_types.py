"""The type of a file by its media type and its name."""

import pytest

from shared.values.capabilities import InputKind, input_kind
from shared.values.file_types import likely_type, says_nothing, type_by_name

NOTHING = [
    "", "application/octet-stream", "Application/Octet-Stream; charset=binary", "binary/octet-stream",
    "application/octetstream", "application/force-download", "application/x-force-download",
    "application/x-forcedownload", "application/download", "application/x-download", "application/x-msdownload",
    "application/unknown", "application/x-unknown", "unknown/unknown", "application/binary", "application/x-binary",
    "application/x-unknown-content-type", "*/*", "application/*", "file/download", "attachment", "application/save",
    "application/x-file", "application/data", "none", "/", "application/",
]  # fmt: skip


@pytest.mark.parametrize("media_type", NOTHING)
def test_a_type_that_says_to_save_it_says_nothing(media_type: str) -> None:
    assert says_nothing(media_type)


@pytest.mark.parametrize(
    "media_type", ["application/pdf", "text/plain", "image/png", "application/json", "application/zip", "audio/mpeg"]
)
def test_a_type_that_names_a_form_says_something(media_type: str) -> None:
    assert not says_nothing(media_type)


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("plan.pdf", InputKind.PDF),
        ("PLAN.PDF", InputKind.PDF),
        ("my plan. v2.pdf ", InputKind.PDF),
        ("beach.JPG", InputKind.PICTURES),
        ("scan.png", InputKind.PICTURES),
        ("memo.m4a", InputKind.SOUND),
        ("memo.opus", InputKind.SOUND),
        ("party.mov", InputKind.FILMS),
        ("notes.md", InputKind.TEXT),
        ("data.json", InputKind.TEXT),
        ("config.yaml", InputKind.TEXT),
    ],
)
def test_where_the_type_says_nothing_the_name_does(name: str, taken: InputKind) -> None:
    kinds = {
        media_type: input_kind(likely_type(media_type, name)) for media_type in [*NOTHING, "application/x-strange"]
    }
    assert kinds == dict.fromkeys(kinds, taken)


@pytest.mark.parametrize("name", ["", "plan", ".pdf", "plan.", "archive.zip", "letter.docx", "plan.pdf.zip", "a.exe"])
def test_a_name_that_tells_nothing_of_use_adds_nothing(name: str) -> None:
    assert type_by_name(name) == ""
    assert likely_type("application/octet-stream", name) == ""
    assert likely_type("application/zip", name) == "application/zip"


@pytest.mark.parametrize(
    ("media_type", "name", "likely"),
    [
        ("image/png", "plan.pdf", "image/png"),
        ("text/plain; charset=koi8-r", "notes.md", "text/plain; charset=koi8-r"),
        ("application/x-pdf", "plan", "application/pdf"),
        ("application/x-yaml", "config.yml", "text/plain"),
        ("application/zip", "plan.zip", "application/zip"),
    ],
)
def test_a_type_that_says_something_counts(media_type: str, name: str, likely: str) -> None:
    assert likely_type(media_type, name) == likely

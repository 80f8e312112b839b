"""Descriptions of files written by a person, and the ways to find them."""

import pytest
from pydantic import ValidationError

from shared.values.curated import LONGEST_CURATED, CuratedMedia, curated_of, keys_of
from shared.values.evolve import evolve
from shared.values.media import CURATED, DescriptionOutcome, MediaKind, MediaRef

FROG = CuratedMedia(
    unique_id="u1", kind=MediaKind.STICKER, sticker_set_name="MrRibbit", sticker_name="❤️", description=" A frog. "
)
REF = MediaRef(kind=MediaKind.STICKER, file_id="f", unique_id="u2", emoji="❤", set_name="mrribbit")


def test_a_sticker_is_found_by_its_id_or_by_set_and_emoji_however_they_are_spelled() -> None:
    known = dict.fromkeys(FROG.names, FROG)
    found = curated_of(REF, known)
    assert found is not None
    assert (found.outcome, found.shows, found.source, found.holds_outside(MediaKind.STICKER)) == (
        DescriptionOutcome.DESCRIBED,
        "A frog.",
        CURATED,
        False,
    )
    assert curated_of(evolve(REF, unique_id="u1", set_name="", emoji=""), known) == found
    assert curated_of(evolve(REF, emoji="🐸"), known) is None
    assert curated_of(evolve(REF, set_name="other"), known) is None


def test_a_file_without_an_id_is_no_other_files() -> None:
    assert keys_of(MediaRef(kind=MediaKind.PHOTO, file_id="f")) == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"unique_id": "", "sticker_name": ""},
        {"unique_id": "", "sticker_set_name": ""},
        {"description": " "},
        {"description": "x" * (LONGEST_CURATED + 1)},
        {"kind": "gif"},
        {"status": "ok"},
    ],
)
def test_what_means_nothing_or_says_nothing_is_refused(changes: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        CuratedMedia.model_validate(FROG.model_dump() | changes)

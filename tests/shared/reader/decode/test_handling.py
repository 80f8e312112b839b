"""Tests of how kinds of media are handled."""

import pytest

from shared.reader.decode.handling import LONGEST_S, handling_of
from shared.values.media import MediaKind


@pytest.mark.parametrize("kind", [*MediaKind, "custom_emoji", "something new"])
def test_every_kind_is_bounded_by_what_its_callers_wait_for(kind: str) -> None:
    handling = handling_of(kind)
    assert 0 < handling.cpu_s < handling.wall_s <= LONGEST_S
    assert handling.frames > 0
    assert handling.side > 0


def test_a_sticker_is_told_by_fewer_and_smaller_pictures_than_a_film() -> None:
    sticker, film = handling_of("sticker"), handling_of("video")
    assert (sticker.side, sticker.frames) < (film.side, film.frames)
    assert sticker.is_frames_only
    assert not film.is_frames_only

"""Options for each kind of media."""

import pytest

from shared.reader.decode.decode_options import LONGEST_S, decode_options_for
from shared.values.media import MediaKind


@pytest.mark.parametrize("kind", [*MediaKind, "custom_emoji", "something new"])
def test_every_kind_is_bounded_by_what_its_callers_wait_for(kind: str) -> None:
    options = decode_options_for(kind)
    assert 0 < options.cpu_s < options.wall_s <= LONGEST_S
    assert options.frames > 0
    assert options.side > 0


def test_a_sticker_is_told_by_fewer_and_smaller_pictures_than_a_film() -> None:
    sticker, film = decode_options_for("sticker"), decode_options_for("video")
    assert (sticker.side, sticker.frames) < (film.side, film.frames)
    assert sticker.is_frames_only
    assert not film.is_frames_only

"""Films: whole where a model takes them, else as pictures and sound."""

from io import BytesIO

import av
import pytest

from shared.base.errors import FileUnusable
from shared.reader.decode.films import has_pictures, prepared_film, prepared_frames
from shared.reader.decode.kinds import real_type
from shared.reader.decode.sentences import CODEC
from shared.values.prepared import PreparedFile
from tests.shared.reader.decode import files

LONG = 61.0


def film(content: bytes) -> PreparedFile:
    return prepared_film(content, real_type(content), 32)


def types(prepared: PreparedFile) -> list[str]:
    return [part.mime_type for part in prepared.parts]


def test_a_short_film_is_whole_but_for_what_it_says_of_its_maker() -> None:
    content = files.film(sound="aac")
    assert files.SECRET.encode() in content
    found = film(content)
    (part,) = found.parts
    assert (part.mime_type, files.SECRET.encode() in part.content) == ("video/mp4", False)
    with av.open(BytesIO(content), "r") as one, av.open(BytesIO(part.content), "r") as other:
        assert (other.metadata.get("title"), len(other.streams)) == (None, 2)
        assert [f.pts for f in one.decode(video=0)] == [f.pts for f in other.decode(video=0)]
    assert (found.facts.width, found.facts.height) == (64, 48)
    # the encoder of the sound begins with some silence
    assert [found.facts.duration_s, part.duration_s] == pytest.approx([1.0, 1.0], abs=0.05)


@pytest.mark.parametrize("ticks", [0, 2], ids=["as it says", "as it does not say"])
def test_one_with_far_more_sound_than_pictures_is_not_whole(ticks: int) -> None:
    content = files.film(1.0, sound="aac", sound_s=90.0)
    found = film(files.retimed(content, sound_ticks=ticks))
    assert set(types(found)) == {"image/jpeg", "audio/ogg"}
    assert found.parts[-1].duration_s == pytest.approx(90.0, abs=0.1)
    assert found.facts.duration_s == pytest.approx(1.0 if ticks else 90.0, abs=0.1)


def test_of_a_long_sound_behind_a_film_is_kept_what_is_kept_of_sounds() -> None:
    content = files.film(1.0, sound="aac", sound_s=90.0)
    found = prepared_film(content, real_type(content), 32, 5.0)
    assert (found.parts[-1].duration_s, found.facts.is_cut) == (5.0, True)


def test_one_that_begins_late_is_as_long_as_what_there_is_of_it() -> None:
    found = film(files.retimed(files.film(sound="aac"), late_s=36_000))
    (part,) = found.parts
    assert [found.facts.duration_s, part.duration_s] == pytest.approx([1.0, 1.0], abs=0.1)


def test_one_of_more_packets_than_are_looked_at_is_not_whole() -> None:
    content = files.film(sound="aac")
    found = prepared_film(content, real_type(content), 32, most_packets=20)
    assert set(types(found)) == {"image/jpeg", "audio/ogg"}


@pytest.mark.parametrize(
    "content",
    [
        files.film(LONG, sound="aac", rate=1),
        files.film(format="webm", codec="libvpx-vp9", sound="libopus"),
        files.film(format="avi", codec="mpeg4", sound="libmp3lame"),
    ],
    ids=["long", "webm", "avi"],
)
def test_another_is_pictures_and_sound(content: bytes) -> None:
    found = film(content)
    assert types(found) == ["image/jpeg"] * found.facts.frames + ["audio/ogg"]
    assert found.facts.frames >= 7
    assert files.image_of(found.parts[0].content).size == (32, 24)


def test_a_silent_one_is_pictures_alone() -> None:
    found = film(files.film(2.0, format="webm", codec="libvpx-vp9"))
    assert types(found) == ["image/jpeg"] * 8


def test_pictures_are_of_the_whole_film_in_its_order() -> None:
    content = files.film(1.0)
    found = prepared_frames(content, real_type(content), 4, 64)
    reds = [files.image_of(part.content).getpixel((32, 24)) for part in found.parts]
    # ten pictures, each redder than the one before, until the last
    assert [pixel[0] for pixel in reds if isinstance(pixel, tuple)] == pytest.approx([50, 100, 175, 225], abs=35)


def test_one_without_its_end_shows_what_there_is() -> None:
    content = files.film(3.0, format="matroska", codec="libx264")
    found = prepared_frames(content[: len(content) * 3 // 4], real_type(content), 4, 64)
    assert 1 <= len(found.parts) <= 4


def test_an_encoding_that_is_not_read_is_a_sentence() -> None:
    with pytest.raises(FileUnusable) as failure:
        film(files.film(format="matroska", codec="ffv1"))
    assert str(failure.value) == CODEC.format(name="a WebM film")


def test_a_sound_has_no_pictures() -> None:
    for content, expected in ((files.film(), True), (files.sound("ipod", "aac"), False)):
        assert has_pictures(content, real_type(content)) is expected

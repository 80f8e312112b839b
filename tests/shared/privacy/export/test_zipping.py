"""A zip file that is written piece by piece can be read like any other."""

import io
import zipfile
from secrets import token_bytes

from shared.privacy.export.gathering import ZipStream
from tests.shared.examples import NOW


def test_its_pieces_are_a_zip_file() -> None:
    picture, stream, content = token_bytes(300_000), ZipStream(NOW), b""
    stream.begin("words.jsonl")
    for _ in range(1_000):
        stream.put(b"many words\n")
    stream.begin("media/a.jpg", is_compressed=True)
    for first in range(0, len(picture), 10_000):
        stream.put(picture[first : first + 10_000])
        assert stream.waiting < 60_000, "nothing is kept but what was not taken"
        content += stream.take()
    stream.close()
    content += stream.take()
    assert (stream.size, stream.waiting) == (len(content), 0)
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        assert file.testzip() is None
        assert (file.read("words.jsonl"), file.read("media/a.jpg")) == (b"many words\n" * 1_000, picture)
        assert [one.date_time for one in file.infolist()] == [NOW.timetuple()[:6]] * 2
        assert file.getinfo("media/a.jpg").compress_type == zipfile.ZIP_STORED


def test_one_without_files_is_one_too() -> None:
    stream = ZipStream(NOW)
    stream.close()
    assert zipfile.ZipFile(io.BytesIO(stream.take())).namelist() == []

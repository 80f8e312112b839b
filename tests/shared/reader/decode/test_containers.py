"""Containers are opened by the parser that their bytes name."""

import pytest

from shared.base.errors import FileUnusable
from shared.reader.decode.containers import open_container, refuse_unknown
from shared.reader.decode.kinds import real_type
from shared.reader.decode.sentences import BROKEN, CODEC
from tests.shared.reader.decode import files


def test_what_breaks_while_it_is_open_is_a_sentence() -> None:
    content = files.film()
    with pytest.raises(FileUnusable) as failure, open_container(content[: len(content) // 2], real_type(content)):
        pass
    assert str(failure.value) == BROKEN.format(name="an MP4 film")


def test_an_encoding_that_is_not_of_the_list_is_not_decoded() -> None:
    content = files.film(format="matroska", codec="ffv1")
    real = real_type(content)
    with open_container(content, real) as source, pytest.raises(FileUnusable) as failure:
        refuse_unknown(source.streams.video[0], real)
    assert str(failure.value) == CODEC.format(name="a WebM film")


def test_everything_is_decoded_in_one_thread() -> None:
    content = files.film(sound="aac")
    with open_container(content, real_type(content)) as source:
        assert {one.codec_context.thread_count for one in (*source.streams.video, *source.streams.audio)} == {1}

"""Uncompressing within limits."""

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.errors import FetchFailed
from shared.reader.reading_sentences import BROKEN, UNKNOWN_PACKING, UNPACKS
from shared.reader.web.unpacking import MOST_UNPACKED, Unpacker
from tests.shared.examples import PROPERTY


@PROPERTY
@given(st.binary(max_size=2_000), st.integers(1, 50), st.sampled_from(["gzip", "x-gzip", "deflate", "", "identity"]))
def test_what_was_packed_is_unpacked_in_pieces_of_any_size(text: bytes, step: int, encoding: str) -> None:
    packed = gzip.compress(text) if "gzip" in encoding else zlib.compress(text) if encoding == "deflate" else text
    sent, unpacker = packed, Unpacker(encoding)
    for at in range(0, len(sent), step):
        unpacker.take(sent[at : at + step])
    unpacker.end()
    assert bytes(unpacker.body) == text


@PROPERTY
@given(st.lists(st.binary(max_size=500), min_size=1, max_size=4), st.integers(1, 50))
def test_several_members_are_one_text(texts: list[bytes], step: int) -> None:
    sent, unpacker = b"".join(map(gzip.compress, texts)), Unpacker("gzip")
    for at in range(0, len(sent), step):
        unpacker.take(sent[at : at + step])
    unpacker.end()
    assert bytes(unpacker.body) == b"".join(texts)


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_what_is_cut_short_is_broken(encoding: str) -> None:
    packed = (gzip if encoding == "gzip" else zlib).compress(bytes(range(256)) * 9)
    unpacker = Unpacker(encoding)
    unpacker.take(packed[:-9])
    with pytest.raises(FetchFailed, match=BROKEN):
        unpacker.end()


def test_nothing_at_all_is_an_empty_body() -> None:
    unpacker = Unpacker("gzip")
    unpacker.end()
    assert unpacker.body == b""


@pytest.mark.parametrize("encoding", ["gzip, gzip", "br", "zstd", "gzip, br"])
def test_what_was_not_asked_for_is_refused(encoding: str) -> None:
    with pytest.raises(FetchFailed, match=UNKNOWN_PACKING):
        Unpacker(encoding)


def test_a_bomb_is_stopped_long_before_it_is_whole() -> None:
    unpacker = Unpacker("gzip")
    with pytest.raises(FetchFailed, match=UNPACKS):
        unpacker.take(gzip.compress(bytes(4 * MOST_UNPACKED)))
    assert len(unpacker.body) <= MOST_UNPACKED + 1_048_576


def test_a_large_page_that_is_no_bomb_is_stopped_too() -> None:
    unpacker = Unpacker("gzip")
    text = b"".join(number.to_bytes(4, "big") for number in range(MOST_UNPACKED // 3))
    with pytest.raises(FetchFailed, match=UNPACKS):
        unpacker.take(gzip.compress(text, 1))


def test_what_is_not_packed_as_it_says_is_broken() -> None:
    for encoding in ("gzip", "deflate"):
        with pytest.raises(FetchFailed, match=BROKEN):
            Unpacker(encoding).take(b"<p>not packed</p>")

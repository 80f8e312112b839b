"""Frames through a pipe."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.reader.sandbox.frames import pack_frame, read_frame
from tests.shared.examples import PROPERTY


@PROPERTY
@given(st.dictionaries(st.text(), st.text()), st.binary())
def test_a_frame_is_read_back(header: dict[str, str], body: bytes) -> None:
    pipe = io.BytesIO(pack_frame(header, body) + pack_frame({}))
    assert read_frame(pipe) == (header, body)
    assert read_frame(pipe) == ({}, b"")
    assert read_frame(pipe) is None


def test_what_is_none_is_an_error() -> None:
    with pytest.raises(ValueError, match="header"):
        read_frame(io.BytesIO((2).to_bytes(4, "big") + bytes(4) + b"[]"))

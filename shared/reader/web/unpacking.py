"""Uncompresses a server's response within limits, since a small response may unpack to more than memory holds."""

import zlib
from typing import Final

from shared.base.errors import FetchFailed
from shared.reader.reading_sentences import BROKEN, UNKNOWN_PACKING, UNPACKS

#: the maximum bytes of an uncompressed page; and below, the maximum ratio of these to the bytes that were sent. Deflate
#: can reach 1,032; pages rarely exceed 20
MOST_UNPACKED: Final = 20 * 1_048_576
MOST_TIMES: Final = 100
#: the bytes up to which a page is not checked for its ratio
LEAST_CHECKED: Final = 1_048_576
_GZIP: Final = b"\x1f\x8b"
#: the value of the Accept-Encoding header
ACCEPTED: Final = "gzip, deflate"


class Unpacker:
    """Uncompresses one body piece by piece, as it arrives."""

    def __init__(self, encoding: str) -> None:
        """`encoding` is the Content-Encoding header's value. Raises FetchFailed if the request did not allow it."""
        named = [one.strip().lower() for one in encoding.split(",") if one.strip()]
        named = [one for one in named if one != "identity"]
        if len(named) > 1 or not {*named} <= {"gzip", "x-gzip", "deflate"}:
            raise FetchFailed(UNKNOWN_PACKING)
        self._named = named[0] if named else ""
        self._engine = zlib.decompressobj(zlib.MAX_WBITS | 32) if named else None
        self._sent = 0
        self.body = bytearray()

    def take(self, piece: bytes) -> None:
        """Add a piece of the body. Raises FetchFailed if the body becomes too large or is broken."""
        self._sent += len(piece)
        if self._engine is None:
            self.body += piece
            return
        while piece:
            self.body += self._unpack(piece)
            self._check()
            piece = self._engine.unconsumed_tail or self._next_member()

    def end(self) -> None:
        """End the body. Raises FetchFailed if the compressed data is incomplete."""
        if self._engine is not None and self._sent and not self._engine.eof:
            raise FetchFailed(BROKEN)

    def _next_member(self) -> bytes:
        """If another gzip member follows the complete one (RFC 1952, 2.2), begin it, and return the bytes to unpack."""
        assert self._engine is not None
        rest = self._engine.unused_data
        if not rest.startswith(_GZIP):
            return b""
        self._engine = zlib.decompressobj(zlib.MAX_WBITS | 32)
        return rest

    def _unpack(self, piece: bytes) -> bytes:
        assert self._engine is not None
        try:
            return self._engine.decompress(piece, LEAST_CHECKED)
        except zlib.error:
            if self.body or self._named != "deflate":
                raise FetchFailed(BROKEN) from None
        # some servers send deflate without the header of zlib, and browsers accept it
        self._named, self._engine = "raw", zlib.decompressobj(-zlib.MAX_WBITS)
        return self._unpack(piece)

    def _check(self) -> None:
        size = len(self.body)
        if size > MOST_UNPACKED or (size > LEAST_CHECKED and size > MOST_TIMES * self._sent):
            raise FetchFailed(UNPACKS)

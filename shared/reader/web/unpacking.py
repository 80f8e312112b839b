"""Unpacking what a server sent, within bounds: a small answer may unpack to more than a machine has."""

import zlib
from typing import Final

from shared.base.errors import FetchFailed
from shared.reader.reading_sentences import BROKEN, UNKNOWN_PACKING, UNPACKS

#: bytes of a page, unpacked; and how many times as large as what was sent it may be. Deflate reaches 1,032; text of
#: pages rarely more than 20
MOST_UNPACKED: Final = 20 * 1_048_576
MOST_TIMES: Final = 100
#: below this, the ratio says nothing
LEAST_CHECKED: Final = 1_048_576
_GZIP: Final = b"\x1f\x8b"
#: what is asked for in Accept-Encoding
ACCEPTED: Final = "gzip, deflate"


class Unpacker:
    """One body, unpacked as it comes."""

    def __init__(self, encoding: str) -> None:
        """`encoding` is the header's value. Raises FetchFailed for one that was not asked for."""
        named = [one.strip().lower() for one in encoding.split(",") if one.strip()]
        named = [one for one in named if one != "identity"]
        if len(named) > 1 or not {*named} <= {"gzip", "x-gzip", "deflate"}:
            raise FetchFailed(UNKNOWN_PACKING)
        self._named = named[0] if named else ""
        self._engine = zlib.decompressobj(zlib.MAX_WBITS | 32) if named else None
        self._sent = 0
        self.body = bytearray()

    def take(self, piece: bytes) -> None:
        """Take a piece of what was sent. Raises FetchFailed when it unpacks to too much, or not at all."""
        self._sent += len(piece)
        if self._engine is None:
            self.body += piece
            return
        while piece:
            self.body += self._unpack(piece)
            self._check()
            piece = self._engine.unconsumed_tail or self._next_member()

    def end(self) -> None:
        """Nothing more was sent. Raises FetchFailed if the body is cut short: what is there is not the page."""
        if self._engine is not None and self._sent and not self._engine.eof:
            raise FetchFailed(BROKEN)

    def _next_member(self) -> bytes:
        """What is left of a piece behind a whole gzip member, if it is another one (RFC 1952, 2.2)."""
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
        # some servers send deflate without its zlib frame, and browsers take it
        self._named, self._engine = "raw", zlib.decompressobj(-zlib.MAX_WBITS)
        return self._unpack(piece)

    def _check(self) -> None:
        size = len(self.body)
        if size > MOST_UNPACKED or (size > LEAST_CHECKED and size > MOST_TIMES * self._sent):
            raise FetchFailed(UNPACKS)

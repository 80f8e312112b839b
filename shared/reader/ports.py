"""The ports to what strangers made: what reads pages for the model, and what decodes files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.values.page import PageRead
    from shared.values.prepared import Prepared


class PageReader(Protocol):
    """What reads pages that strangers wrote: another function, which holds nothing."""

    async def read(self, url: str, *, is_automatic: bool) -> PageRead:
        """What came of reading one address; a failure of any kind is told in `problem`.

        `is_automatic`: no person wrote it, so the site is asked whether programs may read it on their own.
        """


class MediaPreparer(Protocol):
    """What makes of a file what a model takes, where it can do no harm."""

    async def prepare(self, kind: str, mime_type: str, content: bytes) -> Prepared:
        """What came of it; a failure of any kind is told in `problem`.

        `kind` is a MediaKind and says what a file is for (a sticker has fewer frames than a film); what it is, is read
        from its bytes. Of `mime_type` only a text's charset counts.
        """

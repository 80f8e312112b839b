"""The files of `web/` as the browser gets them: compressed, at addresses that change with their content."""

import gzip
import hashlib
import html
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from starlette.responses import Response

#: beside `shared/`, in the repository and in a function's bundle
TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".png": "image/png",
    ".woff2": "font/woff2",
}
#: kinds that are compressed already
_PACKED: Final = (".webp", ".png", ".woff2")
#: the address of `web/` in files; it is replaced by one that contains the version
WEB: Final = "/web/"


@dataclass(frozen=True)
class PageFile:
    """A file's content and type. `packed` is the content compressed with gzip; empty for pictures."""

    content: bytes
    type: str
    packed: bytes = b""

    def response(self, headers: Mapping[str, str]) -> Response:
        """Return the response with the file for a request with these headers. Browsers may cache the file forever."""
        tag = f'"{hashlib.sha256(self.content).hexdigest()[:20]}"'
        shown = {"Cache-Control": "private, max-age=31536000, immutable", "ETag": tag, "Vary": "Accept-Encoding"}
        if headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=shown)
        if self.packed and "gzip" in headers.get("accept-encoding", ""):
            return Response(self.packed, headers={**shown, "Content-Encoding": "gzip"}, media_type=self.type)
        return Response(self.content, headers=shown, media_type=self.type)


class PageFiles:
    """All files of the folder `web/`, read once into memory. No path can name a file outside of the folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def contents(self) -> Mapping[str, bytes]:
        """The files' contents by their paths below the folder."""
        found = sorted(file for file in self.folder.rglob("*") if file.suffix in TYPES and file.is_file())
        return {file.relative_to(self.folder).as_posix(): file.read_bytes() for file in found}

    @cached_property
    def version(self) -> str:
        """A hash of all files, which is part of their addresses."""
        told = hashlib.sha256()
        for path, content in self.contents.items():
            told.update(path.encode() + b"\0" + content + b"\0")
        return told.hexdigest()[:16]

    @cached_property
    def _cache(self) -> dict[str, PageFile]:
        return {}

    def find(self, path: str) -> PageFile | None:
        """Return the file with this path below the folder; None if there is none."""
        content = self.contents.get(path)
        if content is None:
            return None
        if path not in self._cache:
            suffix = Path(path).suffix
            packed = b"" if suffix in _PACKED else gzip.compress(content, mtime=0)
            self._cache[path] = PageFile(content, TYPES[suffix], packed)
        return self._cache[path]

    def page(self, path: str, values: Mapping[str, str]) -> str:
        """Return an HTML page. The version is inserted into addresses that begin with `/web/`. Each `{{name}}` is
        replaced by its value.
        """
        text = self.contents[path].decode().replace(f'"{WEB}', f'"/web-{self.version}/')
        for name, value in values.items():
            text = text.replace("{{" + name + "}}", html.escape(value))
        return text

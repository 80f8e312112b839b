"""A SearXNG, as docs.searxng.org/dev/search_api describes it."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route


class SearXngServer:
    """The service; `asked` are the queries, `fails` makes it answer so instead, `formats` are those that it allows."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.fails: int = 0
        self.formats = {"html", "json"}
        self.results: list[dict[str, Any]] = []

    def routes(self) -> list[Route]:
        """The search."""
        return [Route("/searx/search", self.search)]

    async def search(self, request: Request) -> Response:
        """Results in JSON; 403 where that is not allowed, which is how it comes."""
        self.asked.append(request.query_params["q"])
        if self.fails or request.query_params.get("format", "html") not in self.formats:
            return PlainTextResponse("Forbidden", self.fails or 403)
        found = [{"engine": "mojeek", "score": 1.0, "category": "general", **one} for one in self.results]
        return JSONResponse({"query": request.query_params["q"], "number_of_results": 0, "results": found,
                             "answers": [], "corrections": [], "infoboxes": [], "suggestions": []})  # fmt: skip

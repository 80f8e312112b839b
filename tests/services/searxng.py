"""A SearXNG (docs.searxng.org/dev/search_api)."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route


class SearXngServer:
    """The service; `asked` lists the queries, `fails` sets an answer for all requests, `formats` are the
    allowed ones.
    """

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.fails: int = 0
        self.formats = {"html", "json"}
        self.results: list[dict[str, Any]] = []

    def routes(self) -> list[Route]:
        """Give the route of the search."""
        return [Route("/searx/search", self.search)]

    async def search(self, request: Request) -> Response:
        """Answer with results in JSON; 403 if JSON is not allowed, as by default."""
        self.asked.append(request.query_params["q"])
        if self.fails or request.query_params.get("format", "html") not in self.formats:
            return PlainTextResponse("Forbidden", self.fails or 403)
        found = [{"engine": "mojeek", "score": 1.0, "category": "general", **one} for one in self.results]
        return JSONResponse({"query": request.query_params["q"], "number_of_results": 0, "results": found,
                             "answers": [], "corrections": [], "infoboxes": [], "suggestions": []})  # fmt: skip

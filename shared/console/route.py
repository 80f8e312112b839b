"""Routes of the console: method, path and handler, as a view declares them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from starlette.responses import Response

from shared.base.discovery import modules_of
from shared.console.request import BadRequest, ConsoleRequest, NotFound, OutdatedPage
from shared.console.services import ConsoleServices

__all__ = ["BadRequest", "ConsoleRequest", "ConsoleRoute", "ConsoleServices", "Handler", "NotFound", "OutdatedPage"]


#: Returns an object that is sent as JSON, or a response. Raises BadRequest, NotFound or LullError.
Handler = Callable[[ConsoleServices, ConsoleRequest], Awaitable[Mapping[str, Any] | Response]]


@dataclass(frozen=True)
class ConsoleRoute:
    """A route of the console. GET only reads; POST changes something and is protected against forged requests.

    Addresses are logged, and bodies are not. So a read whose parameters are words or names is a POST with `only_reads`.
    """

    method: str
    #: such as `/api/conversations/{conversation}`
    path: str
    handler: Handler
    #: whether the request's body is a line of JSON, and then a file
    takes_file: bool = False
    only_reads: bool = False


@cache
def console_routes() -> tuple[ConsoleRoute, ...]:
    """Return the `ROUTES` of every module in folders named `views`."""
    return tuple(route for module in modules_of("views") for route in module.ROUTES)

"""The routes of all views, which are found by their modules."""

from functools import cache

from shared.base.discovery import modules_of
from shared.console.route import ConsoleRoute


@cache
def console_routes() -> tuple[ConsoleRoute, ...]:
    """Return the routes of every module of `views` folders."""
    return tuple(route for module in modules_of("views") for route in module.ROUTES)

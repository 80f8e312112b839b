"""Finds the routes of all views: those that the modules in folders named `views` declare."""

from functools import cache

from shared.base.discovery import modules_of
from shared.console.route import ConsoleRoute


@cache
def console_routes() -> tuple[ConsoleRoute, ...]:
    """Return the `ROUTES` of every module in folders named `views`."""
    return tuple(route for module in modules_of("views") for route in module.ROUTES)

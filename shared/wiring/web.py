"""Builds the agents' access to the web: the reader, the search service, and cached lookups."""

from functools import cache

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.llm.metering import MeteredModels
from shared.tools.reader import HttpReader
from shared.tools.search import WebSearch
from shared.tools.services.fetching import Fetcher
from shared.tools.services.grounded_search import GroundedSearch, NoSearch
from shared.tools.services.lookups import CachedLookups
from shared.tools.services.searxng import SearXng
from shared.wiring import now
from shared.wiring.settings.model_functions import TickSettings

#: the values of the setting `search` that are not addresses
GOOGLE, NO_SEARCH = "google", "no"


def search_of(models: MeteredModels, settings: TickSettings) -> WebSearch:
    """Return the search service that the settings name: Google, SearXNG, or one that refuses every search."""
    if settings.search == NO_SEARCH:
        return NoSearch()
    if settings.search == GOOGLE:
        return GroundedSearch(models, settings.search_model)
    return SearXng(settings.search, Fetcher({}))


def lookups_of(client: AsyncClient, settings: TickSettings) -> CachedLookups:
    return CachedLookups(client, Fetcher(settings.services or {}), now)


@cache
def reader_of(url: str) -> HttpReader:
    """Return the reader's client, which all agents share."""
    return HttpReader(url)

"""What ticks need of others, as probes: the models, Telegram, the reader, and the bucket of takeouts."""

from collections.abc import Sequence
from functools import partial

from shared.adapters.media_reader import HttpMediaReader
from shared.bootstrap.takeouts import bucket_of
from shared.bootstrap.tick import SETTINGS, ticker
from shared.bootstrap.web import reader_of
from shared.flows.probe import Probe, ask_models, ask_telegram, read_a_page, read_takeout
from shared.models.canary import ProbeOrder, Step


def probes(order: ProbeOrder) -> Sequence[Probe]:
    """Return what a tick probes."""
    agents = ticker().agents
    models = next(iter(agents.values())).replier.models
    found = [
        Probe(Step.MODEL, partial(ask_models, models, SETTINGS.offered_models)),
        *(Probe(Step.TELEGRAM, partial(ask_telegram, of.runner.channel), agent) for agent, of in agents.items()),
    ]
    if SETTINGS.reader_url:
        pages, files = reader_of(SETTINGS.reader_url), HttpMediaReader(SETTINGS.reader_url)
        found.append(Probe(Step.READING, partial(read_a_page, pages, files, SETTINGS.privacy_url)))
    bucket = bucket_of(SETTINGS)
    if bucket is not None and order.has_takeout:
        found.append(Probe(Step.TAKEOUTS, partial(read_takeout, bucket(), order.run)))
    return found

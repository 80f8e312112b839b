"""Stored media: who writes and reads them, how long they are kept, and how they are deleted."""

from shared.values.wake import Queue
from shared.wiring.settings.model_functions import ModelSettings, TickSettings
from tests.infra.given import functions_of, given_to
from tests.infra.policy import PERMISSIONS, grants
from tests.infra.workspace import Plan, Resource

BUCKET = "acme-lull-lull-media"


def test_who_describes_or_talks_stores_it_and_who_gathers_reads_it(made: list[Resource]) -> None:
    rights = {grant for grant in grants(made) if BUCKET in grant}
    assert rights == {
        f"lull-describe-media: lull_media_writer on {BUCKET}",
        f"lull-tick: lull_media_writer on {BUCKET}",
        f"lull-summarize: lull_media_reader on {BUCKET}",
        f"lull-console: lull_media_writer on {BUCKET}",
        f"lull-erase: lull_media_eraser on {BUCKET}",
    }
    # no function lists files, and only expiry and the erasing function delete them
    given = PERMISSIONS["lull_media_writer"] | PERMISSIONS["lull_media_reader"]
    assert {p.rpartition(".")[2] for p in given} == {"create", "get"}


def test_both_are_told_where_it_is_and_whom_to_ask(made: list[Resource], over_vertex: Plan) -> None:
    for resources in (made, over_vertex.resources):
        found = functions_of(resources)
        describing = ModelSettings.from_environment(given_to(found["describe_media"]))
        answering = TickSettings.from_environment(given_to(found["tick"]))
        assert describing.media_bucket == answering.media_bucket == BUCKET
        assert describing.reader_url == answering.reader_url == found["reader"].values["url"]
        assert describing.vertex_ai == answering.vertex_ai
        # it may only enqueue ticks
        assert describing.routes.functions.keys() == {"tick"}
        assert describing.routes.queues.keys() == {Queue.TICKS}

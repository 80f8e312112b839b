import http.server
import io
import json
import threading
from collections.abc import Iterator

import pytest
from rich.console import Console

from local.cloud import CloudSpec, LocalCloud
from local.model_watch import ModelWatch, sentence, vectors_sentence
from tests.local.watching import wait_until

COMING = {"state": "downloading", "name": "A model", "done_bytes": 250_000_000, "total_bytes": 1_000_000_000}


@pytest.fixture
def coming() -> Iterator[str]:
    """Serve a model of which a quarter is downloaded, for ever."""

    class Report(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(COMING).encode())

        def log_message(self, *_: object) -> None:
            """Write no log."""

    serving = http.server.HTTPServer(("127.0.0.1", 0), Report)
    thread = threading.Thread(target=serving.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{serving.server_port}"
    serving.shutdown()
    serving.server_close()
    thread.join()


def test_a_model_that_is_ready_is_said_once() -> None:
    console = Console(file=io.StringIO())
    with (
        LocalCloud(CloudSpec(parts=("model",))).running() as cloud,
        ModelWatch(cloud.model_url, console) as watch,
    ):
        while not (said := watch.look()):
            """A look that is not answered in time says nothing."""
        assert (said, watch.look()) == ("scripted is ready.", "")
        assert not watch.is_coming
        cloud.stop("model")
        assert watch.look() == ""


def test_a_download_is_a_bar_in_a_terminal(coming: str) -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=100)
    with ModelWatch(coming, console) as watch:
        assert watch.is_coming
        assert watch.look().startswith("A model is downloading (1.0 GB, once). The page works meanwhile")
        assert watch.is_coming
        wait_until(lambda: "250.0 MB" in screen.getvalue() or "0.2/1.0 GB" in screen.getvalue())
        assert "Downloading the model" in screen.getvalue()


def test_how_vectors_come_along_is_said_where_somebody_may_care() -> None:
    coming = {"state": "downloading", "name": "a-model", "total_bytes": 23_000_000}
    assert "a-model is downloading (23 MB, once)" in vectors_sentence(coming)
    assert vectors_sentence({"state": "failed", "error": "No network."}).endswith("not meanings: No network.")
    assert vectors_sentence({"state": "ready"}) == vectors_sentence({}) == ""


@pytest.mark.parametrize(
    ("report", "words"),
    [
        ({"state": "starting", "name": "A model"}, "A model is loading."),
        ({"state": "failed", "name": "A model", "error": "No room."}, "A model cannot be used: No room."),
        ({}, "The model server does not report its state."),
    ],
)
def test_the_other_states_in_words(report: dict[str, object], words: str) -> None:
    assert sentence(report) == words


def test_what_will_not_go_well_is_said_with_being_ready() -> None:
    caution = "Its context is 512 tokens."
    assert sentence({"state": "ready", "name": "qwen3", "caution": caution}) == f"qwen3 is ready. {caution}"

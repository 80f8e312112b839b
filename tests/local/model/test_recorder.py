import base64
import json
import time
from pathlib import Path

import pytest

from local.model.calls import Call
from local.model.recorder import HUNG_UP, KEPT_EXCHANGES, Recorder, usage_in

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


def call(body: str = "{}", trace: str = "") -> Call:
    headers = {"x-goog-api-key": "a-secret-key", "traceparent": f"00-{trace}-00f067aa0ba902b7-01"}
    names = {"model": "m", "method": "generateContent"}
    return Call(http_method="POST", path="/p", query="key=a-secret-key", headers=headers, body=body.encode(), **names)


def record(recorder: Recorder, answer: str, request: str = "{}", trace: str = "") -> None:
    recording = recorder.begin(call(request, trace))
    recording.take(answer.encode())
    recording.finish()


def test_an_exchange_is_kept_as_it_was(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path)
    record(recorder, '{"usageMetadata": {"totalTokenCount": 3}}', '{"contents": "ї"}', TRACE)
    [exchange] = recorder.find(TRACE)
    assert (exchange.n, exchange.trace, exchange.model, exchange.method) == (1, TRACE, "m", "generateContent")
    assert (exchange.request, exchange.status, exchange.usage) == ('{"contents": "ї"}', 200, {"totalTokenCount": 3})
    assert json.loads((tmp_path / "exchanges.jsonl").read_text()) == vars(exchange)
    assert (tmp_path / "exchanges.jsonl").stat().st_mode & 0o777 == 0o600


def test_of_files_no_bytes_are_kept_whichever_way_they_go(tmp_path: Path) -> None:
    data = base64.b64encode(bytes(1_000_000)).decode()
    body = json.dumps({"parts": [{"inlineData": {"mimeType": "audio/ogg", "data": data}}]})
    recorder = Recorder(tmp_path)
    record(recorder, body, body)
    [exchange] = recorder.find()
    for kept in (exchange.request, exchange.response):
        assert json.loads(kept)["parts"][0]["inlineData"]["size"] == 1_000_000
    assert (tmp_path / "exchanges.jsonl").stat().st_size < 1_000


def test_the_key_is_nowhere(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path)
    record(recorder, "{}")
    assert "a-secret-key" not in (tmp_path / "exchanges.jsonl").read_text()
    assert "a-secret-key" not in repr(recorder.find())


def test_exchanges_are_found_by_trace_and_after_a_number() -> None:
    recorder = Recorder()
    for trace in (TRACE, "", TRACE):
        record(recorder, "{}", trace=trace)
    assert [e.n for e in recorder.find()] == [1, 2, 3]
    assert [e.n for e in recorder.find(TRACE)] == [1, 3]
    assert [e.n for e in recorder.find(TRACE, after=1)] == [3]


def test_an_exchange_ends_once() -> None:
    recorder = Recorder()
    recording = recorder.begin(call())
    recording.finish()
    recording.finish(HUNG_UP)
    assert [e.status for e in recorder.find()] == [200]


def test_only_so_many_are_kept_in_memory() -> None:
    most = 10_000
    recorder = Recorder(kept_bytes=most)
    for _ in range(KEPT_EXCHANGES + 3):
        record(recorder, "{}")
    assert len(recorder.find()) == KEPT_EXCHANGES
    assert recorder.find()[0].n == 4
    for _ in range(3):
        record(recorder, "x" * (most // 2))
    assert [len(e.response) for e in recorder.find()] == [most // 2]


def test_the_next_run_goes_on_where_the_last_one_ended(tmp_path: Path) -> None:
    record(Recorder(tmp_path), "one\u2028line")
    with (tmp_path / "exchanges.jsonl").open("a") as file:
        file.write('{"n": 2, "tra')  # as after a kill during a write
    recorder = Recorder(tmp_path)
    assert [(e.n, e.response) for e in recorder.find()] == [(1, "one\u2028line")]
    record(recorder, "two")
    assert [e.n for e in recorder.find()] == [1, 2]


def test_a_large_file_is_set_aside(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, file_bytes=1_000)
    for number in range(20):
        record(recorder, str(number))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["exchanges.1.jsonl", "exchanges.jsonl"]
    assert all(file.stat().st_size <= 1_000 for file in tmp_path.iterdir())
    assert [e.n for e in Recorder(tmp_path).find()][-1] == 20


def test_what_is_kept_in_files_goes_after_two_weeks(tmp_path: Path) -> None:
    file, aside = tmp_path / "exchanges.jsonl", tmp_path / "exchanges.1.jsonl"
    begin(file, "one", days=8)
    record(Recorder(tmp_path), "two")
    assert ('"one"' in aside.read_text(), '"two"' in file.read_text()) == (True, True)
    begin(aside, "one", days=15)
    assert [e.response for e in Recorder(tmp_path).find()] == ["two"]
    assert not aside.exists()


def begin(file: Path, answer: str, days: int) -> None:
    """Write a file whose first exchange is so many days old."""
    record(Recorder(file.parent / "before"), answer)
    told = json.loads((file.parent / "before" / "exchanges.jsonl").read_text().splitlines()[-1])
    file.write_text(json.dumps(told | {"started": time.time() - days * 24 * 3600}) + "\n")


def test_a_file_that_cannot_be_written_costs_no_answer(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    recorder = Recorder(tmp_path)
    (tmp_path / "exchanges.jsonl").mkdir()
    record(recorder, "a private text")
    assert [e.n for e in recorder.find()] == [1]
    assert "exchange 1 could not be written" in caplog.text
    assert "a private text" not in caplog.text


@pytest.mark.parametrize(
    ("response", "usage"),
    [
        ('{"usageMetadata": {"a": 1}}', {"a": 1}),
        ('data: {"x": 1}\r\n\r\ndata: {"usageMetadata": {"a": 2}}\r\n\r\n', {"a": 2}),
        ('data: {"usage": null}\n\ndata: {"usage": {"a": 3}}\n\ndata: [DONE]\n\n', {"a": 3}),
        ("<html>", {}),
        ("[1]", {}),
        ("", {}),
    ],
)
def test_usage_is_read_from_any_answer(response: str, usage: dict[str, int]) -> None:
    assert usage_in(response) == usage

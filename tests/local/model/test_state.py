from local.model.state import ModelReport, ModelState, Progress


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_speed_is_that_of_the_last_seconds() -> None:
    clock = Clock()
    progress = Progress(1_000, clock)
    assert progress.speed_bps() == 0.0
    progress.reached(500)
    assert progress.speed_bps() == 0.0  # bytes from before do not count as downloaded now
    clock.now += 2
    progress.reached(700)
    assert progress.speed_bps() == 100.0
    clock.now += 6
    progress.reached(700)
    assert progress.speed_bps() == 0.0
    assert progress.done_bytes == 700


def test_a_download_that_starts_over_has_no_speed_below_zero() -> None:
    clock = Clock()
    progress = Progress(1_000, clock)
    progress.reached(900)
    clock.now += 1
    progress.reached(100)
    assert progress.speed_bps() == 0.0


def test_a_report_is_plain_json() -> None:
    report = ModelReport(state=ModelState.DOWNLOADING, name="m", done_bytes=1, total_bytes=2, speed_bps=0.5)
    assert report.as_json() == {
        "state": "downloading",
        "name": "m",
        "note": "",
        "done_bytes": 1,
        "total_bytes": 2,
        "speed_bps": 0.5,
        "error": "",
        "caution": "",
        "reason": "",
        "reading": None,
        "answering": None,
        "vectors": None,
    }
